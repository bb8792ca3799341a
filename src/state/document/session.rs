use crate::stage::{Session, Snapshot, Stage};
use crate::state::inspect::vertices::enter_weight_editing;
use crate::state::{Choices, Notice, NoticeKind, OpenDocument};

const MAX_COMPLAINTS: usize = 20;

impl OpenDocument {
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(&self.stage, self.saved.is_edited(&self.stage))
    }

    /// Restores a session of the open character. Setting the pose is an undo step. Returns a notice about the result.
    pub(in crate::state) fn restore_session(&mut self, session: &Session) -> Notice {
        let pose = session.pose_for(self.stage.rig());
        self.history.replace_pose(&mut self.stage, pose, "Restore session");
        let complaints = session.restore(&mut self.stage);
        enter_weight_editing(&mut self.stage);
        if !session.is_edited() {
            self.saved = Choices::from_stage(&self.stage);
        } else if session.is_recovered() {
            self.saved.take_computed_weights(&self.stage);
        }
        restore_notice(&self.stage, session, complaints)
    }
}

/// Returns a notice: the first line states what was restored, each further line states a problem.
fn restore_notice(stage: &Stage, session: &Session, mut complaints: Vec<String>) -> Notice {
    let name = stage.document.source.name();
    let text = if session.is_recovered() {
        let back = if stage.pose().is_any_posed() {
            format!("Your pose of {name} was restored; Undo discards it.")
        } else {
            format!("Your settings of {name} were restored; it had no pose.")
        };
        format!("Rigscope was not closed properly. {back}")
    } else {
        format!("The session of {name} is open; Undo discards its pose.")
    };
    let kind = match (complaints.is_empty(), session.is_recovered()) {
        (false, _) => NoticeKind::Warning,
        (true, true) => NoticeKind::Info,
        (true, false) => NoticeKind::Done,
    };
    if let Some(more @ 1..) = complaints.len().checked_sub(MAX_COMPLAINTS) {
        complaints.truncate(MAX_COMPLAINTS);
        complaints.push(format!("{more} more could not be restored"));
    }
    Notice::new(kind, [vec![text], complaints].concat().join("\n"))
}
