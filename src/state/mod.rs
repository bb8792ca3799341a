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
mod kept;
mod lint_status;
mod linting;
mod measure;
mod mesh_export;
mod mirroring;
mod morphs;

mod ongoing;
mod open_document;
mod other_rig;
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
mod saving;
mod selection;
mod session;
mod session_camera;
mod session_left_out;
mod session_sides;
mod set_aside;
mod settings;
mod shortcuts;
mod show_me;
mod shown_subjects;
mod side_name;
mod simulation;
mod skin_pick;
mod step_label;
mod stored_weights;
mod subjects;
mod suggestion;
mod tour;
mod twist;
mod user_pose;

mod wanted;
mod weight_export;
mod weight_numbers;
mod weights;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

pub use action::{ACTIONS, Action, ActionSpec};
pub use after_load::AfterLoad;
pub use arrived::Arrived;
pub use command::{Command, Request, WindowRequest};
pub use disk::{Content, DiskJob, Saved, Writing, save};
pub use document::{BuiltIn, ClipsFrom, Document, FoundClips, Source, Work};
pub use file_list::FileList;

pub use film_plan::{FilmMoment, FilmMotion, FilmPlan};
pub use findings::{findings, import_finding};
pub use frames::{FrameTimes, Smoothing};
pub use history::{Changes, History, JointChange, LimitChange, MorphChange};
pub use lint_status::LintStatus;
pub use linting::{Lint, LintPlan};

pub use measure::{MeasurePlan, PlannedSide};
pub use ongoing::Ongoing;
pub use open_document::OpenDocument;
pub use other_rig::{OtherRig, ReadFile};
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
pub use saved_views::SavedViewCommand;
pub use saving::{Export, Saving};
pub use session::{Session, SessionError, Snapshot};
pub use settings::{PanelWidths, PosingOptions, Settings, ThemeChoice};
pub use shortcuts::{Preset, Shortcuts};
pub use show_me::ShowMe;
pub use simulation::{Simulation, SimulationPlan};
pub use stored_weights::stored_weights;
pub use subjects::{SubjectPlan, SubjectState};
pub use suggestion::{near, nearest};
pub use tour::{STEPS, Tour, TourStep};
pub use twist::{Numbers, TestPose, TestStart, TestedJoint, TwistPanel, TwistPlan};
pub use wanted::{Wanted, WantedKind};
pub use weight_numbers::JudgePlan;
pub use weights::{WeightPlan, WeightState, Weighted};

use crate::actor::{Actor, Poser, SharedPose, own};
pub use crate::files::FolderEntry;
use crate::posing::Plane;
use crate::rig::{Bone, NodeIndex, Pose, Posed, Rig, drawn_bones_into};
use crate::skinning::{Palette, RigSkinning};
use crate::view::{Hidden, PerSide, Ray, ShownPose, Side, View};
use other_rig::{OpenLook, PosedOther};
use skin_pick::PosedSkin;

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
    /// How far the work is on what is wanted, by its kind.
    wanted_progress: [Option<f32>; WantedKind::ALL.len()],
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
    /// Of the open character in the current pose.
    bones: Arc<Vec<Bone>>,
    /// Of the file's pose, where a side shows it.
    rest_bones: Arc<Vec<Bone>>,
    /// The open character has each of its bones.
    no_bones: Arc<Vec<Bone>>,
    hidden: Arc<Hidden>,
    /// What sides show.
    actors: PerSide<Option<Actor>>,
    /// Of sides that show another character.
    others: PerSide<Option<Arc<OtherRig>>>,
    posed_others: PerSide<PosedOther>,
    poser: Poser,
    version: u64,
    is_stale: bool,
}

impl Derived {
    /// The open character by some weights.
    fn open_actor(&self, rig: &Arc<Rig>, is_at_rest: bool) -> Actor {
        let Self { current, rest, bones, rest_bones, hidden, no_bones, .. } = self;
        let (pose, bones) = if is_at_rest { (rest, rest_bones) } else { (current, bones) };
        Actor {
            rig: Arc::clone(rig),
            pose: pose.clone(),
            hidden: Arc::clone(hidden),
            bones: Arc::clone(bones),
            lone_bones: Arc::clone(no_bones),
            counterparts: None,
        }
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
            panel_room: panels::PanelRoom::default(),
            loading: None,
            jobs: Vec::new(),
            question: None,
            frame_times: FrameTimes::default(),
            film: None,
            path_prompt: None,
            last_folder: None,
            aspect: 1.4,
            wanted_progress: Default::default(),
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
        Arc::ptr_eq(rig, self.rig()) || self.open.weights.has(rig) || self.open.others.has(rig)
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

    /// The open character's current pose, to be shared with other threads.
    pub fn shared_pose(&self) -> &SharedPose {
        &self.open.derived.current
    }

    /// The character that a side shows, as it was last posed.
    pub fn actor(&self, side: Side) -> &Actor {
        static NOBODY: LazyLock<Actor> = LazyLock::new(Actor::default);
        self.open.derived.actors[side].as_ref().unwrap_or(&NOBODY)
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
        if !std::mem::take(&mut self.open.derived.is_stale) && self.are_actors_chosen() {
            return;
        }
        // Whose memory is shared with nobody else is used again.
        self.open.derived.actors = PerSide::default();
        let OpenDocument { document, view, playback, derived, .. } = &mut self.open;
        let Derived { current, rest, bones, rest_bones, hidden, poser, .. } = derived;
        let rig = &document.rig;
        let find_bones = |pose: &SharedPose, bones: &mut Vec<Bone>| {
            drawn_bones_into(rig, &pose.posed, bones);
            bones.retain(|bone| view.shows_bone(bone.joint));
        };
        poser.pose_into(rig, playback.sample(), &document.pose, current);
        find_bones(current, own(bones));
        if view.sides.iter().any(|side| side.pose == ShownPose::Rest) {
            poser.pose_into(rig, None, &Pose::rest(&rig.hierarchy), rest);
            find_bones(rest, own(rest_bones));
        }
        if **hidden != view.hidden {
            *hidden = Arc::new(view.hidden.clone());
        }
        derived.version = VERSIONS.fetch_add(1, Ordering::Relaxed) + 1;
        self.pose_actors();
        self.frame_other();
        self.move_camera();
    }

    /// True where each side shows the character that was chosen for it, and hides what was chosen.
    fn are_actors_chosen(&self) -> bool {
        if *self.open.derived.hidden != self.open.view.hidden {
            return false;
        }
        Side::ALL.into_iter().all(|side| {
            let chosen = self.other_on(side).map_or_else(|| self.open_on(side), |other| &other.rig);
            Arc::ptr_eq(&self.actor(side).rig, chosen)
        })
    }

    /// Has each side show the open character or another one, in its pose.
    fn pose_actors(&mut self) {
        let rigs = PerSide::from_fn(|side| Arc::clone(self.open_on(side)));
        let others = PerSide::from_fn(|side| self.other_on(side).cloned());
        let OpenDocument { document, view, playback, derived, .. } = &mut self.open;
        let now = (&document.pose, playback.sample());
        for side in Side::ALL {
            let is_at_rest = view.sides[side].pose == ShownPose::Rest;
            derived.actors[side] = Some(match &others[side] {
                None => derived.open_actor(&rigs[side], is_at_rest),
                Some(other) => {
                    let open = OpenLook { rig: &document.rig, pose: (!is_at_rest).then_some(now), view };
                    derived.posed_others[side].actor(other, &open, &mut derived.poser)
                }
            });
        }
        derived.others = others;
    }

    /// Moves the clip by the time since the last frame, seconds.
    pub fn advance(&mut self, elapsed_secs: f32) {
        if self.open.playback.advance(elapsed_secs, &self.open.document.rig) {
            self.open.derived.is_stale = true;
        }
    }

    /// Selects the joint that moves the skin of a side under a ray most, or adds it.
    fn pick_skin(&mut self, side: Side, ray: &Ray, adds: bool) {
        let (pose, rig) = (self.actor(side).pose.clone(), Arc::clone(&self.actor(side).rig));
        let (skinning, centers, hidden) =
            (self.skinning_on(side), self.centers(side).cloned(), self.actor(side).hidden.clone());
        let skin = PosedSkin {
            pose: pose.skin_pose(),
            skinning: RigSkinning { skinning: &skinning, centers: centers.as_ref() },
            hidden: &hidden,
            version: self.open.derived.version,
        };
        let joint = self.open.skin[side].joint_under(&rig, skin, ray);
        match joint.and_then(|joint| self.actor(side).open_node(joint)) {
            Some(joint) if adds => self.toggle_selected(joint),
            Some(joint) => self.select(Some(joint)),
            None => self.notice = joint.and_then(|joint| self.told_lone(side, joint)).or(self.notice.take()),
        }
    }

    fn pose_changed(&mut self) {
        self.open.derived.is_stale = true;
    }
}
