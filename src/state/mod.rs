//! What the program knows: document, selection, view, playback, history; and the one place that changes it, [`AppState::apply`].

mod action;
mod apply;
mod arrived;
mod command;
mod compare;
mod dialogs;
mod document;
mod edit;
mod frames;
mod inspect;
mod look;
mod save;

mod ongoing;
mod pose_library;
mod settings;
mod shortcuts;
#[cfg(test)]
mod tests;
mod tour;

use std::path::PathBuf;
use std::sync::Arc;

pub use action::{ACTIONS, Action, ActionSpec};
pub use arrived::Arrived;
pub use command::{Command, Request, WindowRequest};
pub use dialogs::file_list::FileList;
pub use document::after_load::AfterLoad;
pub use save::disk::{Content, DiskJob, Saved, Writing, save};

pub use edit::history::{Changes, History, JointChange, LimitChange, MorphChange};
pub use frames::{FrameTimes, Smoothing};

pub use compare::show_me::ShowMe;
pub use dialogs::panels::{PanelEdge, SidePanel};
pub use dialogs::path_choice::{FolderListing, PathCommand, PathKind, PathPrompt, PathQuestion, PathRefusal, PathUse};
pub use dialogs::question::{Answer, Question};
pub use document::open::{OpenDocument, Work};
pub use inspect::pick::{joints_at, joints_in};
pub use inspect::probe::{Pointed, Probes};
pub use inspect::simulation::{Simulation, SimulationPlan};
pub use inspect::twist::{Numbers, TestPose, TestStart, TestedJoint, TwistPanel, TwistPlan};
pub use look::saved_views::SavedViewCommand;
pub use ongoing::Ongoing;
pub use pose_library::{
    CardPose, LibraryCommand, LibraryDone, LibraryJob, Naming, PoseCard, PoseLibrary, PoseListing, PosePart, Removed,
    Thumbnail, list_poses, name_problem,
};
pub use save::export::{Export, Saving, Written};
pub use settings::{PanelWidths, PosingOptions, Settings, ThemeChoice};
pub use shortcuts::{Preset, Shortcuts};
pub use tour::{STEPS, Tour, TourStep};

pub use crate::files::FolderEntry;
use crate::posing::Plane;
use crate::skinning::RigSkinning;
use crate::stage::{Document, FilmPlan};
use crate::view::{Ray, Side, View};
use inspect::skin_pick::PosedSkin;

/// What a notice tells of, and how long it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something that went well; goes away by itself.
    Done,
    /// Something to know.
    Info,
    /// Something that was not done as asked.
    Warning,
    /// Something that failed; what was there before is still there.
    Error,
}

/// Something to tell, shown until dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it tells of.
    pub kind: NoticeKind,
    /// What happened, where, what to do.
    pub text: String,
}

/// Why there is no picture, shown until there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureFault {
    /// What happened, and what to do.
    pub text: String,
    /// Drawing it again may help.
    pub can_retry: bool,
}

/// A file that is being opened beside the frame loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// What it is called.
    pub name: String,
    /// What it is doing.
    pub stage: String,
    /// 0 to 1, where known.
    pub fraction: Option<f32>,
}

/// Everything that the interface shows.
pub struct AppState {
    /// The open character with all that belongs to it.
    pub open: OpenDocument,
    /// The guided tour, while it is on: its character is open, and what was open before waits in it.
    pub tour: Option<Tour>,
    /// Files given together with the open one.
    pub files: FileList,
    /// What is remembered between runs.
    pub settings: Settings,
    /// The newest notice, until dismissed.
    pub notice: Option<Notice>,
    /// Why the picture could not be drawn.
    pub picture_fault: Option<PictureFault>,
    /// What the panel on the right shows.
    pub side_panel: SidePanel,
    panel_room: dialogs::panels::PanelRoom,
    /// A file on its way.
    pub loading: Option<Loading>,
    /// What runs beside the frame loop, and that for a while.
    pub jobs: Vec<Ongoing>,
    /// What waits for an answer.
    pub question: Option<Question>,
    /// How long the newest frame took.
    pub frame_times: FrameTimes,
    /// The film that is about to be saved, while the user is asked what it shall show.
    pub film: Option<FilmPlan>,
    /// A path that is asked for in the window.
    pub path_prompt: Option<PathPrompt>,
    /// How far the simulation is, 0 to 1, while it is on.
    pub simulating: Option<f32>,
    /// Where a file was opened or saved last.
    last_folder: Option<PathBuf>,
    /// The step of the tour whose character is on its way.
    awaited_step: Option<usize>,
}

impl OpenDocument {
    /// The plane that poses are mirrored across; `None` before anybody mirrored, and where nothing pairs.
    pub fn mirror_plane(&self) -> Option<Plane> {
        self.symmetry.as_ref().and_then(|(_, symmetry)| symmetry.as_ref()).map(|s| s.plane())
    }
}

impl AppState {
    /// The state that shows a document.
    pub fn new(document: Document, settings: Settings) -> Self {
        let view = View { display: settings.display, ..View::skinned(settings.method) };
        let mut state = Self {
            open: OpenDocument::new(document, &view, &PoseLibrary::default()),
            tour: None,
            files: FileList::default(),
            settings,
            notice: None,
            picture_fault: None,
            side_panel: SidePanel::default(),
            panel_room: dialogs::panels::PanelRoom::default(),
            loading: None,
            jobs: Vec::new(),
            question: None,
            frame_times: FrameTimes::default(),
            film: None,
            path_prompt: None,
            last_folder: None,
            simulating: None,
            awaited_step: None,
        };
        state.follow_file(None);
        state.open.refresh();
        state.open.view.camera.set_fov(state.settings.fov);
        state.open.frame_all();
        state
    }

    /// Selects the joint that moves the skin of a side under a ray most, or adds it.
    fn pick_skin(&mut self, side: Side, ray: &Ray, adds: bool) {
        let (pose, rig) = (self.open.actor(side).pose.clone(), Arc::clone(&self.open.actor(side).rig));
        let (skinning, centers, hidden) = (
            self.open.skinning_on(side).into_owned(),
            self.open.centers(side).cloned(),
            self.open.actor(side).hidden.clone(),
        );
        let skin = PosedSkin {
            pose: pose.skin_pose(),
            skinning: RigSkinning { skinning: &skinning, centers: centers.as_ref() },
            hidden: &hidden,
            version: self.open.version(),
        };
        let joint = self.open.skin[side].joint_under(&rig, skin, ray);
        match joint.and_then(|joint| self.open.actor(side).open_node(joint)) {
            Some(joint) if adds => self.open.toggle_selected(joint),
            Some(joint) => self.open.select(Some(joint)),
            None => self.notice = joint.and_then(|joint| self.open.told_lone(side, joint)).or(self.notice.take()),
        }
    }
}
