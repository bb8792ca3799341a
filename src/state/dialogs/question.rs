//! Questions that something waits for: whether edited work may be lost, and what a dropped file is for.

use crate::stage::{Document, WeightState};
use crate::state::{Action, AfterLoad, AppState, Arrived, Command, OpenDocument, Request};
use crate::view::Side;
use crate::weights::WeightChoice;

/// What waits for an answer.
#[derive(Debug)]
pub struct Question {
    then: Waiting,
}

#[derive(Debug)]
enum Waiting {
    /// To be carried out.
    Command(Command),
    /// To be shown: it has been read meanwhile.
    Document(Box<Document>, AfterLoad),
    /// To be shown, to lend its clips, or to be compared with.
    Dropped(Box<Document>),
}

/// What the user wants done with the edited pose, or with what was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Into a file, then go on.
    Save,
    /// Nothing; go on.
    Discard,
    /// Not go on.
    Cancel,
    /// The dropped file is to be shown.
    Open,
    /// Its clips are for the open character.
    UseClips,
    /// It is to be shown on side B.
    Compare,
}

impl Question {
    /// True where the program is to end, false where something else is to be opened.
    pub fn is_about_closing(&self) -> bool {
        matches!(self.then, Waiting::Command(Command::Do(Action::Quit)))
    }

    /// What was dropped, where that is what is asked about.
    pub fn dropped(&self) -> Option<&Document> {
        if let Waiting::Dropped(document) = &self.then { Some(document) } else { None }
    }
}

impl OpenDocument {
    /// True where the pose, limits or weights differ from those last opened, saved or reset.
    pub fn is_edited(&self) -> bool {
        self.is_pose_edited() || self.are_limits_edited() || self.are_weights_edited()
    }

    /// True where the pose would be lost.
    pub fn is_pose_edited(&self) -> bool {
        self.document.pose.is_any_posed() && self.document.pose != self.saved.pose
    }

    /// True where limits would be lost, which a session file keeps and a pose file does not.
    pub fn are_limits_edited(&self) -> bool {
        self.document.limits != self.saved.limits
    }

    /// True where made weights would be lost, which a session file keeps as the way to make them.
    pub fn are_weights_edited(&self) -> bool {
        let is_kept =
            |choice: &WeightChoice| choice.is_file() || self.saved.weights.iter().any(|saved| saved == choice);
        let is_missing = |side| matches!(self.weights(side), WeightState::Missing(_));
        Side::ALL.into_iter().any(|side| !is_kept(self.weight_choice(side)) && !is_missing(side))
    }

    /// True where something would be lost that a session file keeps and a pose file does not.
    pub fn is_session_edited(&self) -> bool {
        self.are_limits_edited() || self.are_weights_edited()
    }

    /// Nothing of the pose would be lost now.
    pub(in crate::state) fn pose_is_saved(&mut self) {
        self.saved.pose = self.document.pose.clone();
    }

    /// Nothing would be lost now.
    pub(in crate::state) fn all_is_saved(&mut self) {
        self.saved = self.work();
    }
}

impl AppState {
    /// True where a question comes before a command.
    pub(in crate::state) fn must_ask_before(&self, command: &Command) -> bool {
        let replaces = match command {
            Command::Open(_)
            | Command::OpenAll(_)
            | Command::OpenBeside { .. }
            | Command::OpenPosed { .. }
            | Command::OpenSession(_)
            | Command::Do(Action::Quit) => true,
            Command::Do(Action::NextFile | Action::PreviousFile) => !self.files.is_empty(),
            // From one built-in character to another no file is left, and the pose is kept.
            Command::ShowMe(show_me) => {
                !self.open.is_built_in(show_me.character()) && self.open.document.source.path().is_some()
            }
            _ => false,
        };
        replaces && self.open.is_edited()
    }

    /// True where a command leaves an edited pose behind without a file of it: it is to be kept for [`Action::RestoreSession`].
    pub fn leaves_edited_pose(&self, command: &Command) -> bool {
        let leaves = match command {
            Command::Answer(Answer::Discard) => true,
            Command::ShowMe(show_me) => !self.open.is_built_in(show_me.character()) && !self.must_ask_before(command),
            _ => false,
        };
        leaves && self.open.is_edited()
    }

    pub(in crate::state) fn ask_before(&mut self, then: Command) {
        self.ask(Waiting::Command(then));
    }

    pub(in crate::state) fn ask_before_showing(&mut self, document: Box<Document>, then: AfterLoad) {
        self.ask(Waiting::Document(document, then));
    }

    pub(in crate::state) fn ask_what_for(&mut self, dropped: Box<Document>) {
        self.ask(Waiting::Dropped(dropped));
    }

    fn ask(&mut self, then: Waiting) {
        self.open.cancel_edit();
        self.question = Some(Question { then });
    }

    pub(in crate::state) fn answer(&mut self, answer: Answer) -> Option<Request> {
        let is_about_dropped = self.question.as_ref().is_some_and(|question| question.dropped().is_some());
        match answer {
            Answer::Open | Answer::UseClips | Answer::Compare => self.use_dropped(answer),
            Answer::Save | Answer::Discard if is_about_dropped => None,
            Answer::Save if self.question.is_none() => None,
            Answer::Save if self.open.is_session_edited() => Some(self.session_target()),
            Answer::Save => Some(self.pose_target()),
            Answer::Cancel => {
                self.question = None;
                None
            }
            Answer::Discard => {
                self.open.discarded = Some(self.open.work());
                self.go_on()
            }
        }
    }

    fn use_dropped(&mut self, answer: Answer) -> Option<Request> {
        let Some(Question { then: Waiting::Dropped(document) }) = self.question.take_if(|q| q.dropped().is_some())
        else {
            return None;
        };
        match (answer, document.source.path()) {
            (Answer::UseClips, _) => Some(self.use_clips(&document.source)),
            (Answer::Compare, Some(path)) => {
                self.open.choose_other(path);
                None
            }
            _ => self.receive(Arrived::Document(document, AfterLoad::Show)),
        }
    }

    /// Does what waited for an answer.
    pub(in crate::state) fn go_on(&mut self) -> Option<Request> {
        match self.question.take()?.then {
            Waiting::Command(command) => self.carry_out(command),
            Waiting::Document(document, then) => self.loaded(*document, then),
            Waiting::Dropped(document) => self.loaded(*document, AfterLoad::Show),
        }
    }
}
