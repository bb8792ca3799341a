//! Questions about losing unsaved work, and about what to do with a dropped file.

use crate::stage::{ChoiceState, Document, RigChoice, Stage};
use crate::state::{Action, AfterLoad, Choices, Command, OpenDocument};
use crate::view::Side;
use crate::weights::WeightChoice;

#[derive(Debug)]
pub struct ConfirmQuestion {
    pub(in crate::state) then: PendingAction,
}

#[derive(Debug)]
pub(in crate::state) enum PendingAction {
    Command(Command),
    Document(Box<Document>, AfterLoad),
    /// Show a dropped document, use its clips, or compare with it.
    Dropped(Box<Document>),
    /// Use clips that match few joints. Contains the document with these clips, and the message about them.
    FewMatch(Box<Document>, String),
}

/// Answer to a question about unsaved work or a dropped file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmAnswer {
    /// Save the pose to a file, then continue.
    Save,
    /// Continue without saving the pose.
    Discard,
    Cancel,
    Open,
    /// Add the dropped file's clips to the open character.
    UseClips,
    /// Show the dropped file on side B.
    Compare,
}

impl ConfirmQuestion {
    /// True if the question is asked before closing the program.
    pub fn is_about_closing(&self) -> bool {
        matches!(self.then, PendingAction::Command(Command::Do(Action::Quit)))
    }

    /// Returns the message about clips that match few joints, if the question is whether to use them.
    pub fn few_match(&self) -> Option<&str> {
        if let PendingAction::FewMatch(_, sentence) = &self.then { Some(sentence) } else { None }
    }

    pub fn dropped(&self) -> Option<&Document> {
        if let PendingAction::Dropped(document) = &self.then { Some(document) } else { None }
    }
}

impl Command {
    /// True if the user must be asked before the command is performed. `has_files` is true if several files were opened
    /// together.
    pub(in crate::state) fn needs_question(&self, open: &OpenDocument, has_files: bool) -> bool {
        let replaces = match self {
            Self::Open(_) | Self::OpenAll(..) | Self::OpenSession(_) | Self::Do(Action::Quit) => true,
            Self::Do(Action::NextFile | Action::PreviousFile) => has_files,
            // Switching between built-in characters closes no file and keeps the pose.
            Self::ShowMe(show_me) => {
                show_me.opens_character(&open.stage) && open.stage.document.source.path().is_some()
            }
            _ => false,
        };
        replaces && open.saved.is_edited(&open.stage)
    }

    /// True if the command gives up a character's unsaved work. [`Action::RestoreSession`] can restore the work.
    pub fn leaves_edited_pose(&self, open: &OpenDocument) -> bool {
        let leaves = match self {
            Self::Answer(ConfirmAnswer::Discard) => true,
            Self::ShowMe(show_me) => {
                show_me.opens_character(&open.stage) && open.stage.document.source.path().is_none()
            }
            _ => false,
        };
        leaves && open.saved.is_edited(&open.stage)
    }
}

impl Choices {
    /// True if the character has unsaved work.
    pub fn is_edited(&self, stage: &Stage) -> bool {
        self.is_pose_edited(stage) || self.is_session_edited(stage)
    }

    pub fn is_pose_edited(&self, stage: &Stage) -> bool {
        stage.document.pose.is_any_posed() && !stage.document.pose.has_edits_of(&self.pose)
    }

    /// True if limits have unsaved changes. Session files store limits; pose files do not.
    pub fn are_limits_edited(&self, stage: &Stage) -> bool {
        stage.document.limits != self.limits
    }

    /// True if clip corrections have unsaved changes. Session files store them.
    pub fn are_clips_edited(&self, stage: &Stage) -> bool {
        stage.document.clip_corrections != self.clip_corrections
    }

    /// True if a side has unsaved weights. On side B, only manual edits count.
    pub fn has_unsaved_weights(&self, stage: &Stage, side: Side) -> bool {
        let choice = &stage.view.sides[side].weights;
        let is_kept = choice.is_file() || *choice == WeightChoice::Stored;
        let is_work = !is_kept && (side == Side::A || choice.edits().is_some());
        let is_missing = || matches!(WeightChoice::state(stage, side), ChoiceState::Missing(_));
        is_work && !self.sides.iter().any(|saved| saved.weights == *choice) && !is_missing()
    }

    /// Counts computed weights without manual edits as saved, because they are computed again from their settings.
    pub(in crate::state) fn take_computed_weights(&mut self, stage: &Stage) {
        for side in Side::ALL {
            let choice = &stage.view.sides[side].weights;
            if choice.edits().is_none() {
                self.sides[side].weights = choice.clone();
            }
        }
    }

    pub fn are_weights_edited(&self, stage: &Stage) -> bool {
        Side::ALL.into_iter().any(|side| self.has_unsaved_weights(stage, side))
    }

    /// True if there is unsaved work that a pose file does not store.
    pub fn is_session_edited(&self, stage: &Stage) -> bool {
        self.are_limits_edited(stage) || self.are_weights_edited(stage) || self.are_clips_edited(stage)
    }
}
