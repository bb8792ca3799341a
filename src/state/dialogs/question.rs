//! Questions before edited work is lost, and on the purpose of a dropped file.

use crate::stage::{Document, Stage, WeightState};
use crate::state::{Action, AfterLoad, Choices, Command, OpenDocument};
use crate::view::Side;
use crate::weights::WeightChoice;

/// Question to the user.
#[derive(Debug)]
pub struct Question {
    pub(in crate::state) then: WaitingAction,
}

#[derive(Debug)]
pub(in crate::state) enum WaitingAction {
    /// A command to carry out after the answer.
    Command(Command),
    /// A document to show.
    Document(Box<Document>, AfterLoad),
    /// A dropped document: to show, to take clips from, or to compare with.
    Dropped(Box<Document>),
    /// The open document with clips that match few joints, and the message about it.
    FewMatch(Box<Document>, String),
}

/// Answer to a question about the edited pose, or about a dropped file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save the pose to a file, then continue.
    Save,
    /// Continue without saving the pose.
    Discard,
    /// Do not continue.
    Cancel,
    /// Show the dropped file.
    Open,
    /// Add the dropped file's clips to the open character.
    UseClips,
    /// Show the dropped file on side B.
    Compare,
}

impl Question {
    /// True if the question is about closing the program; false if it is about opening something else.
    pub fn is_about_closing(&self) -> bool {
        matches!(self.then, WaitingAction::Command(Command::Do(Action::Quit)))
    }

    /// Returns how few joints of the clips match, if the question is whether to use them nevertheless.
    pub fn few_match(&self) -> Option<&str> {
        if let WaitingAction::FewMatch(_, sentence) = &self.then { Some(sentence) } else { None }
    }

    /// Returns the dropped document, if the question is about one.
    pub fn dropped(&self) -> Option<&Document> {
        if let WaitingAction::Dropped(document) = &self.then { Some(document) } else { None }
    }
}

impl OpenDocument {
    pub(in crate::state) fn pose_is_saved(&mut self) {
        self.saved.pose = self.stage.document.pose.clone();
    }
}

impl Command {
    /// True if the command needs a question first. `has_files`: other files were opened together with this one.
    pub(in crate::state) fn needs_question(&self, open: &OpenDocument, has_files: bool) -> bool {
        let replaces = match self {
            Self::Open(_)
            | Self::OpenAll(_)
            | Self::OpenBeside { .. }
            | Self::OpenPosed { .. }
            | Self::OpenSession(_)
            | Self::Do(Action::Quit) => true,
            Self::Do(Action::NextFile | Action::PreviousFile) => has_files,
            // A switch between built-in characters closes no file and keeps the pose.
            Self::ShowMe(show_me) => {
                show_me.opens_character(&open.stage) && open.stage.document.source.path().is_some()
            }
            _ => false,
        };
        replaces && open.saved.is_edited(&open.stage)
    }

    /// True if the command closes an unsaved edited pose, to be kept for [`Action::RestoreSession`].
    pub fn leaves_edited_pose(&self, open: &OpenDocument) -> bool {
        let leaves = match self {
            Self::Answer(Answer::Discard) => true,
            Self::ShowMe(show_me) => {
                show_me.opens_character(&open.stage) && open.stage.document.source.path().is_none()
            }
            _ => false,
        };
        leaves && open.saved.is_edited(&open.stage)
    }
}

impl Choices {
    /// True if the pose, limits or weights differ from those last opened, saved or reset.
    pub fn is_edited(&self, stage: &Stage) -> bool {
        self.is_pose_edited(stage) || self.is_session_edited(stage)
    }

    /// True if an edited pose would be lost.
    pub fn is_pose_edited(&self, stage: &Stage) -> bool {
        stage.document.pose.is_any_posed() && !stage.document.pose.has_edits_of(&self.pose)
    }

    /// True if edited limits would be lost. A session file stores them; a pose file does not.
    pub fn are_limits_edited(&self, stage: &Stage) -> bool {
        stage.document.limits != self.limits
    }

    /// True if clip corrections would be lost. A session file stores them.
    pub fn are_clips_edited(&self, stage: &Stage) -> bool {
        stage.document.clip_corrections != self.clip_corrections
    }

    /// True if weights of a side that a session file stores would be lost; on side B only manual edits.
    pub fn has_unsaved_weights(&self, stage: &Stage, side: Side) -> bool {
        let choice = stage.weight_choice(side);
        let is_kept = choice.is_file() || *choice == WeightChoice::Stored;
        let is_work = !is_kept && (side == Side::A || choice.edits().is_some());
        let is_missing = || matches!(stage.weights(side), WeightState::Missing(_));
        is_work && !self.sides.iter().any(|saved| saved.weights == *choice) && !is_missing()
    }

    /// True if weights of either side would be lost.
    pub fn are_weights_edited(&self, stage: &Stage) -> bool {
        Side::ALL.into_iter().any(|side| self.has_unsaved_weights(stage, side))
    }

    /// True if work would be lost that a session file stores and a pose file does not.
    pub fn is_session_edited(&self, stage: &Stage) -> bool {
        self.are_limits_edited(stage) || self.are_weights_edited(stage) || self.are_clips_edited(stage)
    }
}
