//! Sessions: what is kept of one, and going on with it.

use crate::stage::{Session, Snapshot};
use crate::state::{AppState, Notice, NoticeKind, OpenDocument};
use crate::view::Side;

/// More lines than that nobody reads.
const MOST_COMPLAINTS: usize = 20;

impl OpenDocument {
    /// What a session is made of, as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.stage.snapshot(self.is_edited())
    }
}

impl AppState {
    /// Goes on with a session of the open character; its pose is a step of undo.
    pub(in crate::state) fn restore(&mut self, session: &Session) {
        self.open.replace_pose(session.pose_for(self.open.rig()), "Restore session");
        let method = self.open.skinning(Side::A).method;
        let complaints = self.open.restore(session);
        self.set_display(self.open.view.display);
        if self.open.skinning(Side::A).method != method {
            self.remember_method();
        }
        if !session.is_edited() {
            self.open.all_is_saved();
        }
        self.tell_restored(session, complaints);
    }

    /// The first line says what was restored, each further one what was not.
    fn tell_restored(&mut self, session: &Session, mut complaints: Vec<String>) {
        let name = self.open.document.source.name();
        let text = if session.is_recovered() {
            let back = if self.open.pose().is_any_posed() {
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
        if let Some(more @ 1..) = complaints.len().checked_sub(MOST_COMPLAINTS) {
            complaints.truncate(MOST_COMPLAINTS);
            complaints.push(format!("{more} more could not be taken over"));
        }
        self.notice = Some(Notice { kind, text: [vec![text], complaints].concat().join("\n") });
    }
}
