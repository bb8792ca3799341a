//! What happens once a file is read: it travels with the request and comes back with the document.

use std::path::PathBuf;
use std::sync::Arc;

use crate::stage::{Document, Session, Source};
use crate::state::{AppState, DiskJob, Notice, NoticeKind, Request, ShowMe};

/// What a file is read for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AfterLoad {
    /// To be shown in place of the open one, at rest.
    #[default]
    Show,
    /// To be shown in a telling pose.
    ShowMe(ShowMe),
    /// To be shown with pose files applied, one after the other.
    Pose(Vec<PathBuf>),
    /// To be shown with another file on side B.
    Compare(PathBuf),
    /// To be shown with the pose and the rest of a session.
    Restore(Box<Session>),
    /// To show a step of the tour.
    Tour(usize),
    /// To be shown, or to lend its clips to the open character: the user is asked where both could be meant.
    Dropped,
    /// To go on with the open file, which has the clips of another one now.
    UseClips,
    /// To go on with the open file as it is now.
    Reload {
        /// The user asked for it; otherwise another program changed the file.
        is_asked: bool,
    },
}

impl AfterLoad {
    /// True for what the user asked for; false where another program changed the open file.
    pub fn is_asked(&self) -> bool {
        *self != Self::Reload { is_asked: false }
    }
}

impl AppState {
    /// Shows a document that was read.
    pub(in crate::state) fn loaded(&mut self, document: Document, then: AfterLoad) -> Option<Request> {
        match then {
            AfterLoad::Reload { .. } => self.show_again(document),
            AfterLoad::Tour(step) => self.tour_opened(step, document),
            AfterLoad::Show | AfterLoad::Dropped => self.show(document),
            AfterLoad::UseClips => self.show_with_clips(document),
            AfterLoad::Compare(with) => {
                self.show(document);
                self.open.choose_other(&with);
            }
            AfterLoad::ShowMe(show_me) => {
                let left = self.open.is_edited().then(|| self.open.document.source.name());
                self.show(document);
                self.take_telling_pose(show_me);
                if let (Some(name), Some(notice)) = (left, &mut self.notice) {
                    let kept = format!("\nThe pose of {name} is kept: File > Restore last session brings it back.");
                    notice.text.push_str(&kept);
                }
            }
            AfterLoad::Pose(poses) => {
                self.show(document);
                return Some(Request::Disk(DiskJob::ReadPoses(poses)));
            }
            AfterLoad::Restore(session) => {
                self.show(document);
                self.restore(&session);
            }
        }
        None
    }

    fn show(&mut self, document: Document) {
        if let Source::File(path) = &document.source {
            self.settings.remember(path);
        }
        self.question = None;
        self.path_prompt = None;
        self.notice = None;
        let (told, authored) = (self.open.told, self.open.authored);
        self.open = self.open.followed_by(document);
        self.follow_file(told.or(authored));
        if told.is_some() {
            self.open.tell_sides_apart();
        }
        self.leave_unsuited_methods();
        self.open.refresh();
        self.open.view.camera.set_fov(self.settings.fov);
        self.open.frame_all();
    }

    /// Shows the open file as it is now, and tells what is new in it.
    fn show_again(&mut self, document: Document) {
        self.open.cancel_edit();
        let (before, scene) = (self.open.document.clone(), self.open.document.scene);
        let (is_followed, authored) = (self.open.follows_file(), self.open.authored);
        self.open = self.open.read_again(document);
        if self.settings.keeps_version_before && scene == self.open.document.scene {
            self.open.as_step(|open| open.compare_with_before(Arc::clone(&before.rig)));
        }
        if is_followed {
            self.follow_file(authored);
        }
        self.open.refresh();
        if scene == self.open.document.scene {
            let document = &self.open.document;
            let told = crate::state::document::reload::told(
                &document.source.name(),
                &before.rig,
                &document.rig,
                !self.open.set_aside.is_empty(),
            );
            let lines: Vec<&str> = [&*told].into_iter().chain(document.lost_clips()).collect();
            let kind = if lines.len() == 1 { NoticeKind::Done } else { NoticeKind::Warning };
            self.notice = Some(Notice { kind, text: lines.join("\n") });
        } else {
            // Another scene was asked for, and it may stand elsewhere.
            self.open.frame_all();
        }
    }

    /// A request to read a file, in its default scene.
    pub(in crate::state) fn load(source: Source, then: AfterLoad) -> Request {
        Request::Load { source, scene: None, clips_from: Vec::new(), then }
    }

    /// A request to read the open file again, in this scene or its default one.
    pub(in crate::state) fn load_again(&self, scene: Option<usize>, is_asked: bool) -> Request {
        let document = &self.open.document;
        let clips_from = document.clips_from.iter().map(|clips| clips.source.clone()).collect();
        Request::Load { source: document.source.clone(), scene, clips_from, then: AfterLoad::Reload { is_asked } }
    }

    /// The request to read the open file again, which another program has changed.
    pub fn reload_changed(&self) -> Request {
        self.load_again(self.open.document.scene, false)
    }
}
