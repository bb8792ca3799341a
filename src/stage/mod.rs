//! The stage, which a picture, a report and a film show: an open character, the time of its clip, the two sides, and what is derived of them. A
//! [`Stage`] knows no undo, no notices and no dialogs; its clones share what is large.

mod arrangement;
mod authored;
mod baked;
mod bounds;
mod camera;
mod centers;
mod changes;
mod clip_corrections;
mod compare;
mod comparison_files;
mod derived;
mod derived_kinds;
mod document;
mod editing;
mod environment;
mod film_format;
mod film_plan;
mod lint_status;
mod linting;
mod measure;
mod measure_bench;
mod morphs;
mod motion;
mod other_rig;
mod playback;
mod pose;
mod pose_numbers;
mod probes;
mod rig_cache;
mod saved_views;
mod selection;
mod session;
mod shown_files;
mod side_name;
mod springs;
mod stored_weights;
mod suspects;
mod tracks;
mod trails;
mod vertex_selection;
mod weight_numbers;
mod weights;

use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

pub use arrangement::{Arrangement, CompareWith, Comparison};
use camera::CameraTie;
pub use centers::CentersPlan;
pub use changes::{ChangePlan, ChangeState};
pub use clip_corrections::{ClipCorrections, CorrectionPlan};
pub use comparison_files::{ComparisonFilePlan, ComparisonFileState};
pub use derived::{Derived, DerivedKind, DerivedRequest, Done};
pub use document::{BuiltIn, ClipsFrom, Document, FoundClips, RefusedClips, Source};
pub use editing::{EditMeshPlan, MeanPlan, WeightEditing};
pub use environment::EnvironmentPlan;
pub use film_format::FilmFormat;
pub use film_plan::{FilmMoment, FilmMotion, FilmPlan};
pub use lint_status::LintStatus;
pub use linting::{Lint, LintPlan, LintResult};
pub use measure::{MeasurePlan, PlannedSide};
pub use measure_bench::MeasureBench;
pub use other_rig::{ComparisonRig, ReadFile};
pub use playback::{Playback, Repeat};
pub use pose::BehavioursRun;
pub use pose_numbers::PoseNumbers;
pub use probes::Probes;
#[cfg(test)]
pub(crate) use rig_cache::MAX_KEPT;
pub use session::{Session, SessionError, Snapshot};
pub use stored_weights::stored_weights;
pub use suspects::SuspectPlan;
#[cfg(test)]
pub(crate) use tracks::MAX_KEPT_TRACKS;
pub use tracks::{JointPlan, TrackPlan, TrackState};
pub use vertex_selection::{SelectPlan, SelectStep, SelectedPoints, VertexBox, VertexClick};
pub use weight_numbers::JudgePlan;
pub use weights::{WeightPlan, WeightState, WeightedRig};

use crate::actor::{Actor, PoseEvaluator, SharedPose, own};
use crate::analysis::sides::{MeasureError, Measured};
pub use crate::posing::TransferErrors;
use crate::rig::{Bone, NodeIndex, Pose, Posed, Rig, drawn_bones_into};
use crate::skinning::{Method, Palette};
use crate::view::{Camera, Hidden, PerSide, ShownFile, ShownPose, Side, View};
use crate::weights::{Helper, WeightChoice};
use centers::CachedCenters;
use changes::Changes;
use compare::{CameraBeforeOther, FittedCamera};
use comparison_files::ComparisonRigs;
use derived_kinds::DerivedProgress;
use other_rig::{OpenAppearance, PosedOther};
use springs::MovingSprings;
use suspects::CachedWeightProblems;
use tracks::CachedTracks;
use trails::CachedTrails;
use weight_numbers::CachedWeightStatistics;
use weights::WeightCache;

/// An open character as it is shown, with all that is derived of it.
#[derive(Clone)]
pub struct Stage {
    /// The character and its pose.
    pub document: Document,
    /// The method that the file was made for, see [`Method::authored`].
    pub authored: Option<Method>,
    /// Camera, sides of a comparison, what is drawn, what is selected.
    pub view: View,
    /// Width over height of the picture, or of half of it where the sides stand side by side.
    pub aspect: f32,
    /// Clip, its time and the way it plays.
    pub playback: Playback,
    /// Findings of lint.
    pub lint: Lint,
    /// Vertex probes.
    pub probes: Probes,
    springs: MovingSprings,
    /// The joint or the file's camera that the view's camera goes with.
    camera_tie: Option<CameraTie>,
    /// The camera before and after it made room for the halves of a comparison.
    fitted: Option<FittedCamera>,
    /// Newest measurement, and the plan that it was made by.
    measured: Option<(MeasurePlan, Result<Measured, MeasureError>)>,
    /// Characters that sides show in place of the open one.
    others: ComparisonRigs,
    /// The open character by other weights than the file's.
    weights: WeightCache,
    /// True where the camera is to show all of another file, once it is there.
    frames_other: bool,
    /// The picture before it made room for another character.
    before_other: Option<CameraBeforeOther>,
    /// The character as its file was before it was last read again, where that is kept.
    before: Option<Arc<Rig>>,
    /// Joints that look as if they should get no weight, once somebody asked.
    helpers: OnceLock<Vec<Helper>>,
    /// Quality numbers of the weights that sides have.
    judged: CachedWeightStatistics,
    /// Weight problems of the weights that sides have.
    doubted: CachedWeightProblems,
    /// Tracks over clips.
    tracks: CachedTracks,
    /// Vertices that are selected to edit their weights.
    pub editing: WeightEditing,
    /// Centres of rotation, once they are found.
    centers: CachedCenters,
    /// Changes between the open character and the other one that is shown.
    changes: Changes,
    trails: CachedTrails,
    /// Progress of the work on what is wanted, 0 to 1, by its kind.
    derived_progress: DerivedProgress,
    derived: PoseCache,
}

/// Version counter of derived values, shared by all stages, so that a renderer of several can tell them apart.
static VERSIONS: AtomicU64 = AtomicU64::new(0);

/// Values that follow from document, pose and time; renewed by [`Stage::refresh`] when one of them changed.
#[derive(Clone, Default)]
struct PoseCache {
    current: SharedPose,
    /// Pose of the file, where a side shows it.
    rest: SharedPose,
    /// Bones of the open character in the current pose.
    bones: Arc<Vec<Bone>>,
    /// Bones in the file's pose, where a side shows it.
    rest_bones: Arc<Vec<Bone>>,
    /// Bones that the open character lacks: none.
    no_bones: Arc<Vec<Bone>>,
    hidden: Arc<Hidden>,
    /// Characters as the sides show them.
    actors: PerSide<Option<Actor>>,
    /// Other characters on the sides that show them.
    others: PerSide<Option<Arc<ComparisonRig>>>,
    posed_others: PerSide<PosedOther>,
    poser: PoseEvaluator,
    version: u64,
    is_stale: bool,
}

impl PoseCache {
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

impl Debug for Stage {
    /// Writes only the source: all of a stage is too long to read.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").field("source", &self.document.source).finish_non_exhaustive()
    }
}

impl Stage {
    /// A character at rest, framed, by the method that its file was made for.
    pub fn new(document: Document) -> Self {
        let mut stage = Self::seen_as(document, &View::default());
        stage.view.sides.a.skinning.method = stage.authored.unwrap_or_default();
        stage.refresh();
        stage.frame_all();
        stage
    }

    /// A character at rest, with the settings of `view` that do not name joints of another rig.
    pub fn seen_as(document: Document, view: &View) -> Self {
        let mut view = View {
            camera: Camera::facing(document.rig.front()),
            sides: view.sides.clone(),
            compare: view.compare,
            display: view.display,
            environment_file: view.environment_file.clone(),
            hidden: Hidden { meshes: document.rig.unseen_meshes(false), ..Hidden::default() },
            ..View::default()
        };
        for side in view.sides.iter_mut() {
            side.skinning.by_joint.clear();
            (side.file, side.weights) = (ShownFile::Open, WeightChoice::File);
        }
        Self {
            authored: Method::authored(&document.rig),
            document,
            view,
            aspect: 1.4,
            playback: Playback::default(),
            lint: Lint::default(),
            probes: Probes::default(),
            springs: MovingSprings::default(),
            camera_tie: None,
            fitted: None,
            measured: None,
            others: ComparisonRigs::default(),
            weights: WeightCache::default(),
            frames_other: false,
            before_other: None,
            before: None,
            helpers: OnceLock::new(),
            judged: CachedWeightStatistics::default(),
            doubted: CachedWeightProblems::default(),
            tracks: CachedTracks::default(),
            editing: WeightEditing::default(),
            centers: CachedCenters::default(),
            changes: Changes::default(),
            trails: CachedTrails::default(),
            derived_progress: DerivedProgress::default(),
            derived: PoseCache { is_stale: true, ..PoseCache::default() },
        }
    }

    /// Rig of the open character.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.document.rig
    }

    /// Copy of the stage for another thread to draw: the clip stands still, and nothing is under the pointer.
    #[must_use]
    pub fn still(&self) -> Self {
        let mut still = self.clone();
        (still.view.hovered, still.playback.is_playing) = (None, false);
        still
    }

    /// Takes over from the same file before its reload what does not belong to its rig: other files that were read, and the picture's shape.
    pub(crate) fn follow(&mut self, before: &mut Self) {
        self.others = before.others.for_reload();
        self.before = before.before.take();
        self.aspect = before.aspect;
    }

    /// Replaces clips of the open character; everything else of its rig is as it was.
    pub(super) fn replace_clips(&mut self, rig: Arc<Rig>) {
        self.document.rig = rig;
        self.weights = WeightCache::default();
        self.others = self.others.for_reload();
        self.editing = self.editing.for_reload(Some);
        self.pose_changed();
    }

    /// Keeps the character as its file was before it was read again, and shows it on side B.
    pub(crate) fn compare_with_before(&mut self, before: Arc<Rig>) {
        self.before = Some(before);
        self.show_file(Side::B, ShownFile::Previous);
        self.share_with_other();
    }

    /// True for the rig of the open character as its file has it.
    pub fn is_open(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(rig, self.rig())
    }

    /// True for a result of the open character, with any weights, and not of one that was open when it was requested.
    pub(crate) fn is_of_open(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(rig, self.rig()) || self.weights.has(rig) || self.others.has(rig)
    }

    /// The user's pose.
    pub fn pose(&self) -> &Pose {
        &self.document.pose
    }

    /// The active joint, if joints are selected.
    pub fn selected(&self) -> Option<NodeIndex> {
        self.view.selected.last().copied()
    }

    /// World matrices of all nodes in the current pose and time.
    pub fn posed(&self) -> &Posed {
        &self.derived.current.posed
    }

    /// Skinning transforms of each mesh instance.
    pub fn palettes(&self) -> &[Arc<Palette>] {
        &self.derived.current.palettes
    }

    /// The open character's current pose, to be shared with other threads.
    pub fn shared_pose(&self) -> &SharedPose {
        &self.derived.current
    }

    /// The character that a side shows, as it was last posed.
    pub fn actor(&self, side: Side) -> &Actor {
        static NOBODY: LazyLock<Actor> = LazyLock::new(Actor::default);
        self.derived.actors[side].as_ref().unwrap_or(&NOBODY)
    }

    /// Bones in the current pose.
    pub fn bones(&self) -> &[Bone] {
        &self.derived.bones
    }

    /// Changes whenever the character, its pose or the time does.
    pub fn version(&self) -> u64 {
        self.derived.version
    }

    /// Recomputes what follows from pose and time, and trails, if what they show changed.
    pub fn refresh(&mut self) {
        if self.derived.is_stale {
            self.correct_few_clips();
        }
        self.refresh_pose();
        self.refresh_trails();
    }

    fn refresh_pose(&mut self) {
        let camera = self.followed_camera();
        self.derived.is_stale |= camera != self.pose().camera();
        if !std::mem::take(&mut self.derived.is_stale) && self.are_actors_chosen() {
            return;
        }
        self.document.pose.set_camera(camera);
        // Memory that nothing else shares is reused.
        self.derived.actors = PerSide::default();
        let Self { document, view, playback, derived, springs, .. } = self;
        document.pose.switch_off(document.switched_off);
        springs.turn(document, playback.sample());
        let PoseCache { current, rest, bones, rest_bones, hidden, poser, .. } = derived;
        let rig = &document.rig;
        let find_bones = |pose: &SharedPose, bones: &mut Vec<Bone>| {
            drawn_bones_into(rig, &pose.posed, bones);
            bones.retain(|bone| view.shows_bone(bone.joint));
        };
        poser.pose_into(rig, playback.sample(), &document.pose, current);
        find_bones(current, own(bones));
        if view.sides.iter().any(|side| side.pose == ShownPose::Rest) {
            let unposed = Pose::rest(&rig.hierarchy).without(document.switched_off);
            poser.pose_into(rig, None, &unposed, rest);
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

    /// True where each side shows its chosen character and hidden parts.
    fn are_actors_chosen(&self) -> bool {
        if *self.derived.hidden != self.view.hidden {
            return false;
        }
        Side::ALL.into_iter().all(|side| {
            let chosen = self.other_on(side).map_or_else(|| self.open_on(side), |other| &other.rig);
            Arc::ptr_eq(&self.actor(side).rig, chosen)
        })
    }

    /// Makes each side show the open character or another one, in its pose.
    fn pose_actors(&mut self) {
        let rigs = PerSide::from_fn(|side| Arc::clone(self.open_on(side)));
        let others = PerSide::from_fn(|side| self.other_on(side).cloned());
        let Self { document, view, playback, derived, .. } = self;
        let now = (&document.pose, playback.sample());
        for side in Side::ALL {
            let is_at_rest = view.sides[side].pose == ShownPose::Rest;
            derived.actors[side] = Some(match &others[side] {
                None => derived.open_actor(&rigs[side], is_at_rest),
                Some(other) => {
                    let (rig, switched_off) = (&document.rig, document.switched_off);
                    let open = OpenAppearance { rig, pose: (!is_at_rest).then_some(now), switched_off, view };
                    derived.posed_others[side].actor(other, &open, &mut derived.poser)
                }
            });
        }
        derived.others = others;
    }

    /// Moves the clip and springs that have not come to rest by the time since the last frame, seconds.
    pub fn advance(&mut self, elapsed_secs: f32) {
        let Self { document, playback, springs, .. } = self;
        let has_swung = springs.advance(document, playback, elapsed_secs);
        self.derived.is_stale |= has_swung;
    }

    /// Marks everything derived from pose and time as outdated.
    pub(crate) fn pose_changed(&mut self) {
        self.derived.is_stale = true;
    }
}
