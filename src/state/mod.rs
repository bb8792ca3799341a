//! State of the program: document, selection, view, playback and history. All changes go through [`AppState::apply`].

mod act;
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
mod notice;
mod panel_layout;
mod path_use;
mod pose_library;
mod receive;
mod save;
mod settings;
mod skeleton;
#[cfg(test)]
mod tests;
mod tour;
mod touring;
mod view_watch;

pub use action::{ACTIONS, Action, ActionSpec};
pub use apply::active_modes;
pub use arrived::JobResult;
pub use command::{AfterLoad, Command, Commands, MenuTarget, Request, WindowRequest};
pub use dialogs::file_list::FileList;
pub use save::disk::{DiskJob, FileContent, SaveJob, SavedFile, save};
pub use skeleton::skeleton_fix;

pub use compare::comparison_files::{listed_joints_source, unmatched_joint_name, unmatched_joint_notice};
pub use document::borrowed_clips::clip_correction;
pub use document::reload::reload_changed;
pub use edit::choices::Choices;
pub use edit::history::History;
pub use edit::mirroring::RigSymmetry;
pub use edit::saved_views::SavedViewCommand;
pub use edit::steps::is_first_person;
pub use edit::user_pose::UserPose;
pub use frames::{FrameTimes, GraphicsDriver, Smoothing};
pub use inspect::probe::probed;
pub use inspect::twist::bone_length;

pub use crate::stage::{Notice, NoticeKind, NoticeTopic};
pub use compare::show_me::ShowMe;
pub use dialogs::panels::Panels;
pub use dialogs::path_choice::{FolderListing, PathCommand, PathKind, PathPrompt, PathQuestion, PathRefusal, Paths};
pub use dialogs::question::{ConfirmAnswer, ConfirmQuestion};
pub use document::open::OpenDocument;
pub use inspect::bend_test::BendThumbnails;
pub use inspect::pick::{joints_at, joints_in};
pub use inspect::probe::PointedValue;
pub use inspect::twist::{NumberTable, TestStart, TwistPanel};
pub use notice::Notices;
pub use panel_layout::{PanelEdge, PanelLayout, SidePanel};
pub use path_use::{PathUse, StateChange};
pub use pose_library::{
    CardPose, LibraryCommand, LibraryDone, LibraryJob, LibraryPoseOptions, PoseCard, PoseLibrary, PoseListing,
    PoseNaming, RemovedPose, Thumbnail, list_poses, name_problem,
};
pub use save::export::{Export, ExportJob, ExportSummary};
pub use save::video::VideoDialog;
pub use save::{ExportKind, ExportedSpec};
pub use settings::{
    ImageSize, PanelSizes, PosingOptions, Preset, Settings, Shortcuts, ThemeChoice, TrackDrawer, VideoChoice,
};
pub use tour::{STEPS, Tour, TourAnswer, TourQuiz, TourStep};

use compare::authored::follow_file;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use crate::files::FolderEntry;
use crate::stage::{Document, MeasurePlan};
use crate::view::{EnvironmentFile, Layout, View};

/// Why the viewport cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawFault {
    /// What happened, and what to do.
    pub text: String,
    /// True if a retry may help.
    pub can_retry: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LoadingFile {
    pub name: String,
    /// Description of the current loading stage for the user.
    pub stage: String,
    /// Progress, 0 to 1, if known.
    pub fraction: Option<f32>,
}

/// A running job as listed in the window.
#[derive(Clone, Debug, PartialEq)]
pub struct OngoingJobs {
    pub id: u64,
    /// Description for the user, such as "Looking for findings".
    pub does: String,
    /// Progress in words; empty if unknown.
    pub so_far: String,
    /// Progress, 0 to 1.
    pub fraction: f32,
}

/// State of the whole program, as the interface shows it.
pub struct AppState {
    pub open: OpenDocument,
    /// The running tour, with the character that was open before.
    pub tour: Option<Tour>,
    /// Files opened together with the current one.
    pub files: FileList,
    pub settings: Settings,
    pub notices: Notices,
    pub draw_fault: Option<DrawFault>,
    pub panels: Panels,
    pub loading: Option<LoadingFile>,
    /// Background jobs that have run long enough to be listed in the window.
    pub jobs: Vec<OngoingJobs>,
    pub question: Option<ConfirmQuestion>,
    pub frame_times: FrameTimes,
    pub driver: GraphicsDriver,
    pub video: VideoDialog,
    pub recent_pictures: BTreeMap<PathBuf, Arc<Thumbnail>>,
    pub paths: Paths,
    awaited_step: Option<usize>,
}

impl AppState {
    /// Returns the file being read, if no character is open yet.
    pub fn first_loading(&self) -> Option<&LoadingFile> {
        self.loading.as_ref().filter(|_| self.open.stage.rig().hierarchy.is_empty())
    }

    /// True if the comparison numbers are visible. During motion, this requires two sides or the Compare tab.
    pub fn shows_numbers(&self) -> bool {
        let stage = &self.open.stage;
        let moves = stage.playback.is_playing || stage.springs.are_moving(&stage.document);
        !moves
            || self.panels.is_shown(SidePanel::Compare, &self.settings)
            || stage.view.compare.layout != Layout::Single
    }

    /// Returns the measurement that the visible panels, image and legends need, if any.
    pub fn wanted_measurement(&self) -> Option<MeasurePlan> {
        let plan = MeasurePlan::new(&self.open.stage);
        if self.shows_numbers() { Some(plan) } else { plan.of_picture(&self.open.stage.view) }
    }

    #[cfg(test)]
    pub(crate) fn with_built_in(built_in: crate::stage::BuiltIn) -> Self {
        Self::new(Document::built_in(built_in), Settings::default())
    }

    pub fn new(document: Document, settings: Settings) -> Self {
        let environment_file = EnvironmentFile { wanted: settings.environment_file.clone(), shown: None };
        let view = View { display: settings.display, environment_file, ..View::skinned(settings.method) };
        let mut state = Self {
            open: OpenDocument::new(document, &view, &PoseLibrary::default()),
            tour: None,
            files: FileList::default(),
            settings,
            notices: Notices::default(),
            draw_fault: None,
            panels: Panels::default(),
            loading: None,
            jobs: Vec::new(),
            question: None,
            frame_times: FrameTimes::default(),
            driver: GraphicsDriver::default(),
            video: VideoDialog::default(),
            recent_pictures: BTreeMap::new(),
            paths: Paths::default(),
            awaited_step: None,
        };
        follow_file(&mut state.open.stage, None, state.settings.method);
        state.open.stage.refresh();
        state.open.stage.view.camera.set_fov(state.settings.fov);
        state.open.stage.frame_all();
        state
    }
}
