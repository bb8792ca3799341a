//! What the program knows: document, selection, view, playback, history; and the one place that changes it, [`AppState::apply`].

mod action;
mod after_load;
mod apply;
mod arrived;
mod authored;
mod borrowed_clips;
mod camera;
mod centers;
mod clipboard;
mod command;
mod compare;
mod disk;
mod document;
mod file_list;
mod film;
mod film_plan;
mod findings;
mod frames;
mod hiding;
mod history;
mod ik;
mod linting;
mod measure;
mod mesh_export;
mod mirroring;
mod morphs;

mod ongoing;
mod open_document;
mod panels;
mod path_choice;
mod pick;
mod playback;
mod pose_library;
mod pose_numbers;
mod posing;
mod probe;
mod project;
mod question;
mod reload;
mod repairs;
mod reset;
mod rig_export;
mod saved_views;
mod selection;
mod session;
mod session_camera;
mod session_left_out;
mod session_sides;
mod set_aside;
mod settings;
mod shortcuts;
mod show_me;
mod shown_versions;
mod side_name;
mod simulation;
mod skin_pick;
mod step_label;
mod stored_weights;
mod suggestion;
mod tour;
mod twist;
mod user_pose;
mod version;
mod weight_export;
mod weight_numbers;
mod weights;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use action::{ACTIONS, Action, ActionSpec};
pub use after_load::AfterLoad;
pub use arrived::Arrived;
pub use command::{Command, Request};
pub use disk::{Content, DiskJob, Saved, Writing, save};
pub use document::{BuiltIn, ClipsFrom, Document, FoundClips, Source, Work};
pub use file_list::FileList;

pub use film_plan::{FilmMoment, FilmMotion, FilmPlan};
pub use findings::{findings, import_finding};
pub use frames::{FrameTimes, Smoothing};
pub use history::{Changes, History, JointChange, LimitChange, MorphChange};
pub use linting::Lint;
pub use measure::{MeasurePlan, PlannedSide};
pub use mesh_export::MeshExport;
pub use ongoing::Ongoing;
pub use open_document::OpenDocument;
pub use panels::{PanelEdge, SidePanel};
pub use path_choice::{FolderListing, PathCommand, PathKind, PathPrompt, PathQuestion, PathRefusal, PathUse};
pub use pick::{joints_at, joints_in};
pub use playback::{Playback, Repeat};
pub use pose_library::{
    CardPose, LibraryCommand, LibraryDone, LibraryJob, Naming, PoseCard, PoseLibrary, PoseListing, PosePart, Removed,
    Thumbnail, list_poses, name_problem,
};
pub use pose_numbers::{PoseNumbers, WorstVertex};
pub use probe::{Pointed, Probes};
pub use project::{Config, Projects, nearest_settings, parse_code};
pub use question::{Answer, Question};
pub use repairs::{fixed, repair_of};
pub use rig_export::RigExport;
pub use saved_views::SavedViewCommand;
pub use session::{Session, SessionError, Snapshot};
pub use settings::{PanelWidths, PosingOptions, Settings, ThemeChoice};
pub use shortcuts::{Preset, Shortcuts};
pub use show_me::ShowMe;
pub use simulation::{Simulation, SimulationPlan};
pub use stored_weights::stored_weights;
pub use suggestion::{near, nearest};
pub use tour::{STEPS, Tour, TourStep};
pub use twist::{Numbers, TestPose, TestStart, TestedJoint, TwistPanel, TwistPlan};
pub use version::{ReadFile, SideVersion};
pub use weight_export::WeightExport;
pub use weight_numbers::JudgePlan;
pub use weights::{MadeWeights, WeightPlan, WeightState, Weighted};

use crate::analysis::sides::{Poser, SharedPose};
pub use crate::files::FolderEntry;
use crate::posing::Plane;
use crate::rig::{Bone, NodeIndex, Pose, Posed, Rig, drawn_bones_into};
use crate::skinning::{Palette, RigSkinning};
use crate::view::{PerSide, Ray, ShownPose, Side, View};
use skin_pick::PosedSkin;
use version::PosedVersion;

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
    panel_room: panels::PanelRoom,
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
    /// Width over height of the viewport, for framing.
    pub aspect: f32,
    /// How far the search for centres of rotation is, 0 to 1, while it is on.
    pub centers_progress: Option<f32>,
    /// How far the making of weights is, 0 to 1, while it is on.
    pub weights_progress: Option<f32>,
    /// How far the simulation is, 0 to 1, while it is on.
    pub simulating: Option<f32>,
    /// Where a file was opened or saved last.
    last_folder: Option<PathBuf>,
    /// The step of the tour whose character is on its way.
    awaited_step: Option<usize>,
}

/// Numbers what was derived, for all characters of the program: whatever draws several of them tells them apart.
static VERSIONS: AtomicU64 = AtomicU64::new(0);

/// What follows from document, pose and time; renewed by [`AppState::refresh`] when one of them changed.
#[derive(Default)]
struct Derived {
    current: SharedPose,
    /// That of the file, where a side shows it.
    rest: SharedPose,
    /// In place of the current pose.
    shows_rest: PerSide<bool>,
    /// Of sides that show another file.
    versions: PerSide<Option<PosedVersion>>,
    /// Of the open character in the current pose.
    bones: Vec<Bone>,
    /// Of the file's pose, where a side shows it.
    rest_bones: Vec<Bone>,
    poser: Poser,
    version: u64,
    is_stale: bool,
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
            panel_room: panels::PanelRoom::default(),
            loading: None,
            jobs: Vec::new(),
            question: None,
            frame_times: FrameTimes::default(),
            film: None,
            path_prompt: None,
            last_folder: None,
            aspect: 1.4,
            centers_progress: None,
            weights_progress: None,
            simulating: None,
            awaited_step: None,
        };
        state.follow_file(None);
        state.refresh();
        state.open.view.camera.set_fov(state.settings.fov);
        state.frame_all();
        state
    }

    /// The open character.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.open.document.rig
    }

    /// True where a result that arrives is of the open character, by whichever weights, and not of one that was open when it was asked for.
    fn is_of_open(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(rig, self.rig()) || self.open.weights.has(rig)
    }

    /// The user's pose.
    pub fn pose(&self) -> &Pose {
        &self.open.document.pose
    }

    /// The active joint.
    pub fn selected(&self) -> Option<NodeIndex> {
        self.open.view.selected.last().copied()
    }

    /// All nodes in the current pose and time.
    pub fn posed(&self) -> &Posed {
        &self.open.derived.current.posed
    }

    /// Skinning transforms of each mesh instance.
    pub fn palettes(&self) -> &[Palette] {
        &self.open.derived.current.palettes
    }

    /// The pose that a side shows, to be shared with other threads.
    pub fn pose_of(&self, side: Side) -> &SharedPose {
        let derived = &self.open.derived;
        match &derived.versions[side] {
            Some(version) => version.pose(),
            None if derived.shows_rest[side] => &derived.rest,
            None => &derived.current,
        }
    }

    /// Bones in the current pose.
    pub fn bones(&self) -> &[Bone] {
        &self.open.derived.bones
    }

    /// Changes whenever the character, its pose or the time does.
    pub fn version(&self) -> u64 {
        self.open.derived.version
    }

    /// The plane that poses are mirrored across; `None` before anybody mirrored, and where nothing pairs.
    pub fn mirror_plane(&self) -> Option<Plane> {
        self.open.symmetry.as_ref().and_then(|(_, symmetry)| symmetry.as_ref()).map(|s| s.plane())
    }

    /// Recomputes what follows from pose and time, if they changed.
    pub fn refresh(&mut self) {
        if !std::mem::take(&mut self.open.derived.is_stale) {
            return;
        }
        let OpenDocument { document, view, playback, derived, .. } = &mut self.open;
        let Derived { current, rest, shows_rest, bones, rest_bones, poser, .. } = derived;
        let rig = &document.rig;
        poser.pose_into(rig, playback.sample(), &document.pose, current);
        drawn_bones_into(rig, &current.posed, bones);
        bones.retain(|bone| view.shows_bone(bone.joint));
        *shows_rest = PerSide::from_fn(|side| view.sides[side].pose == ShownPose::Rest);
        if shows_rest.iter().any(|shows| *shows) {
            poser.pose_into(rig, None, &Pose::rest(&rig.hierarchy), rest);
            drawn_bones_into(rig, &rest.posed, rest_bones);
            rest_bones.retain(|bone| view.shows_bone(bone.joint));
        }
        derived.version = VERSIONS.fetch_add(1, Ordering::Relaxed) + 1;
        self.pose_versions();
        self.frame_version();
        self.move_camera();
    }

    /// Poses what sides show in place of the open character.
    fn pose_versions(&mut self) {
        let (mut poser, mut versions) =
            (std::mem::take(&mut self.open.derived.poser), std::mem::take(&mut self.open.derived.versions));
        for side in Side::ALL {
            versions[side] = self.version_on(side).map(|shown| {
                let mut posed = versions[side].take().unwrap_or_default();
                if self.open.derived.shows_rest[side] {
                    posed.rest(&shown.0.rig, &mut poser);
                } else {
                    posed.update((&shown.0.rig, shown.1), (self.open.playback.sample(), self.pose()), &mut poser);
                }
                posed.hide(&self.open.view.hidden, self.rig(), &shown.0.rig);
                posed.find_bones(&shown.0.rig, shown.1, |joint| self.open.view.shows_bone(joint));
                posed
            });
        }
        (self.open.derived.poser, self.open.derived.versions) = (poser, versions);
    }

    /// Moves the clip by the time since the last frame, seconds.
    pub fn advance(&mut self, elapsed_secs: f32) {
        if self.open.playback.advance(elapsed_secs, &self.open.document.rig) {
            self.open.derived.is_stale = true;
        }
    }

    /// Selects the joint that moves the skin of a side under a ray most, or adds it.
    fn pick_skin(&mut self, side: Side, ray: &Ray, adds: bool) {
        let (pose, rig) = (self.pose_of(side).clone(), Arc::clone(self.rig_of(side)));
        let (skinning, centers, hidden) =
            (self.skinning_on(side), self.centers(side).cloned(), self.hidden_on(side).clone());
        let skin = PosedSkin {
            pose: pose.skin_pose(),
            skinning: RigSkinning { skinning: &skinning, centers: centers.as_ref() },
            hidden: &hidden,
            version: self.open.derived.version,
        };
        let joint = self.open.skin[side].joint_under(&rig, skin, ray);
        match joint.and_then(|joint| self.open_joint(side, joint)) {
            Some(joint) if adds => self.toggle_selected(joint),
            Some(joint) => self.select(Some(joint)),
            None => self.notice = joint.and_then(|joint| self.told_lone(side, joint)).or(self.notice.take()),
        }
    }

    fn pose_changed(&mut self) {
        self.open.derived.is_stale = true;
    }
}
