//! The stage: an open character with its clip time, both sides and derived values, as input for images, reports and
//! videos. A [`Stage`] has no undo or dialogs. Clones of a stage share large data.

mod arrangement;
mod baked;
mod bend_test;
mod camera;
mod centers;
mod changes;
mod clip_corrections;
mod clip_ranking;
mod compare;
mod comparison_files;
mod derived;
mod derived_kinds;
mod document;
mod editing;
mod environment;
mod joint_ranking;
mod lint_status;
mod linting;
mod measure;
mod motion;
mod notice;
mod other_rig;
mod pins;
mod playback;
pub(crate) mod points;
mod pose;
mod pose_numbers;
mod posed_characters;
mod previews;
mod refit;
mod reload_message;
mod rig_cache;
mod session;
mod side_name;
mod side_values;
mod simulation;
mod springs;
mod tracks;
mod trails;
mod twist_test;
mod vertex_selection;
mod video_format;
mod video_plan;
mod weight_edit;
mod weight_problems;
mod weight_statistics;
mod weights;
mod worst_equation;

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

pub use arrangement::{Arrangement, CompareWith, ComparisonLayout};
pub use bend_test::{BendTest, BendTestPlan};
pub use camera::CameraTie;
#[cfg(feature = "window")]
pub(crate) use camera::joint_bounds;
pub(crate) use camera::{look_from_side, rough_bounds};
pub use centers::CentersPlan;
pub use changes::{ChangePlan, ChangeState};
pub use clip_corrections::CorrectionPlan;
pub use clip_ranking::{ClipRanking, ClipRankingPlan, RankedClip};
pub use comparison_files::ComparisonFilePlan;
pub use derived::{CurrentRequest, Derived, DerivedKind, DerivedRequest, DerivedResult, OnRequest, RequestState};
pub use derived_kinds::DerivedProgress;
pub use document::{BuiltIn, ClipCorrections, ClipRefusal, ClipSource, Document, Source, TransferredClipRange};
pub use editing::{EditMeshPlan, MeanPlan, WeightEditing};
pub use environment::EnvironmentPlan;
pub use joint_ranking::JointRankingPlan;
pub use lint_status::LintStatus;
pub use linting::{Lint, LintPlan, LintResult};
pub use measure::{LastMeasurement, MeasureBench, MeasurePlan, PlannedSide};
pub use notice::{Notice, NoticeKind, NoticeOffer, NoticeTopic};
pub use other_rig::{ComparisonRig, ReadFile};
pub use playback::{Playback, Repeat};
pub use points::{DiagnosisPlan, PointsSummary};
pub use pose::ActiveBehaviours;
pub use pose_numbers::PoseNumbers;
pub use posed_characters::PosedCharacters;
pub use previews::{Preview, Previews};
pub use refit::RefitSummary;
pub(crate) use refit::pose_over_rest;
pub(crate) use reload_message::reload_message;
#[cfg(test)]
pub(crate) use rig_cache::MAX_KEPT;
pub use rig_cache::{ChoiceState, RigChoice};
pub use session::{Session, SessionError, Snapshot};
pub use side_values::{DerivedRequests, SideValue};
pub use simulation::SimulationPlan;
pub(crate) use simulation::simulate;
pub use springs::StageSprings;
#[cfg(test)]
pub(crate) use tracks::MAX_KEPT_TRACKS;
pub use tracks::{JointPlan, TrackPlan, TrackState};
pub use trails::StageTrails;
pub use twist_test::TwistPlan;
pub(crate) use twist_test::tested;
pub use vertex_selection::{SelectPlan, SelectStep, SelectedPoints, VertexBox, VertexClick};
pub use video_format::VideoFormat;
pub use video_plan::{VideoMoment, VideoMotion, VideoPlan};
pub use weight_edit::{EditedWeights, WeightEditPlan};
pub use weight_problems::WeightProblemPlan;
pub use weight_statistics::{WeightStatisticsPlan, stored_weights};
pub use weights::{WeightPlan, WeightedRig};
pub use worst_equation::{EquationTermJson, WorstEquation, WorstEquationJson};

use crate::actor::Actor;
use crate::analysis::measure::VertexLocation;
pub use crate::posing::TransferErrors;
use crate::rig::{Pose, Posed, Rig};
use crate::skinning::Method;
use crate::view::{Camera, HiddenItems, PerSide, ShownFile, Side, View};
use crate::weights::WeightChoice;
use centers::CachedCenters;
use changes::FoundChanges;
use compare::{CameraBeforeOther, FittedCamera};
use comparison_files::ComparisonRigs;
use pins::Pinning;
use posed_characters::PosingInputs;
use rig_cache::RigCache;
use side_values::SideValues;
use tracks::CachedTracks;
use trails::trail_plan;
use weights::HelperJoints;

/// The open character with its view settings and all derived values.
#[derive(Clone)]
pub struct Stage {
    /// The character and its pose.
    pub document: Document,
    /// Method that the file was authored for; see [`Method::authored`].
    pub authored: Option<Method>,
    /// Camera, sides, display options and selection.
    pub view: View,
    /// Width divided by height of the image, or of half the image in side-by-side layout.
    pub aspect: f32,
    /// Clip and its playback.
    pub playback: Playback,
    /// Lint findings.
    pub lint: Lint,
    /// Vertex probes.
    pub probes: Probes,
    /// Spring simulation, live or from the clip's start.
    pub springs: StageSprings,
    /// Joint or file camera that the view's camera follows.
    pub camera_tie: CameraTie,
    fitted: Option<FittedCamera>,
    /// The last measurement of both sides.
    pub measured: LastMeasurement,
    pub(crate) others: ComparisonRigs,
    pub(crate) weights: RigCache<WeightChoice, WeightedRig>,
    /// True if a newly chosen comparison file still has to be framed.
    frames_other: bool,
    before_other: Option<CameraBeforeOther>,
    /// The previous version of a reloaded file, if kept.
    pub(crate) before: Option<Arc<Rig>>,
    /// Joints that probably should have no weight.
    #[cfg_attr(not(feature = "window"), expect(dead_code, reason = "only the window asks for this"))]
    pub(crate) helpers: HelperJoints,
    /// Stores which derived values are computed.
    pub requests: DerivedRequests,
    side_values: SideValues,
    pub(crate) tracks: CachedTracks,
    /// Ranking of all clips.
    pub clip_ranking: OnRequest<ClipRankingPlan>,
    /// Ranking of all joints.
    pub joint_ranking: OnRequest<JointRankingPlan>,
    /// Diagnosis of points of another program.
    pub diagnosis: OnRequest<DiagnosisPlan>,
    /// Bend test of side A.
    pub bend_test: OnRequest<BendTestPlan>,
    /// Twist and bend test of a joint.
    pub twist_test: OnRequest<TwistPlan>,
    /// Edit of the selected vertices' weights.
    pub weight_edit: OnRequest<WeightEditPlan>,
    /// Simulation of engines.
    pub simulation: OnRequest<SimulationPlan>,
    /// Manual weight editing.
    pub editing: WeightEditing,
    pub(crate) centers: CachedCenters,
    changes: Option<FoundChanges>,
    /// Overlays that are shown for a while.
    pub previews: Previews,
    /// Motion trails.
    pub trails: StageTrails,
    /// Progress of jobs for derived values.
    pub progress: DerivedProgress,
    /// The characters in the current pose.
    pub characters: PosedCharacters,
    pinning: Pinning,
}

/// The vertex probes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probes {
    /// True if a click on the skin probes the nearest vertex.
    pub is_on: bool,
    /// Probed vertices. The panel shows the last one.
    pub places: Vec<VertexLocation>,
}

impl Debug for Stage {
    /// Writes only the source, because a whole stage is too long to read.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").field("source", &self.document.source).finish_non_exhaustive()
    }
}

impl Stage {
    /// Creates a stage with the character at rest and framed. Side A uses the method that the file declares.
    pub fn new(document: Document) -> Self {
        let mut stage = Self::with_view(document, &View::default());
        stage.view.sides.a.skinning.method = stage.authored.unwrap_or_default();
        stage.refresh();
        stage.frame_all();
        stage
    }

    /// Creates a stage with the character at rest. Uses the settings of `view`, except those that refer to another rig.
    pub fn with_view(document: Document, view: &View) -> Self {
        let mut view = View {
            camera: Camera::facing(document.rig.front()),
            sides: view.sides.clone(),
            compare: view.compare,
            display: view.display,
            environment_file: view.environment_file.clone(),
            hidden: HiddenItems { meshes: document.rig.unseen_meshes(false), ..HiddenItems::default() },
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
            springs: StageSprings::default(),
            camera_tie: CameraTie::Free,
            fitted: None,
            measured: LastMeasurement::default(),
            others: ComparisonRigs::default(),
            weights: RigCache::default(),
            frames_other: false,
            before_other: None,
            before: None,
            helpers: HelperJoints::default(),
            requests: DerivedRequests::default(),
            side_values: SideValues::default(),
            tracks: CachedTracks::default(),
            clip_ranking: OnRequest::default(),
            diagnosis: OnRequest::default(),
            joint_ranking: OnRequest::default(),
            bend_test: OnRequest::default(),
            twist_test: OnRequest::default(),
            weight_edit: OnRequest::default(),
            simulation: OnRequest::default(),
            editing: WeightEditing::default(),
            centers: CachedCenters::default(),
            changes: None,
            previews: Previews::default(),
            trails: StageTrails::default(),
            progress: DerivedProgress::default(),
            characters: PosedCharacters::default(),
            pinning: Pinning::default(),
        }
    }

    /// Returns the rig of the open character.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.document.rig
    }

    /// Returns a copy of the stage for an image of the viewport, to be rendered on another thread: clip paused, nothing
    /// hovered.
    #[must_use]
    pub fn pictured(&self) -> Self {
        let mut pictured = self.clone();
        (pictured.view.hovered, pictured.playback.is_playing) = (None, false);
        pictured
    }

    /// Returns a copy of the stage for rendering on another thread: as [`Self::pictured`], with only the chosen overlays.
    #[must_use]
    pub fn still(&self) -> Self {
        let mut still = self.pictured();
        still.previews.clear();
        still.view.previews = PerSide::default();
        still
    }

    /// Takes over data from `before`, the stage before a reload: comparison files, previous version, previews and aspect
    /// ratio.
    pub(crate) fn follow(&mut self, before: &mut Self) {
        self.others = before.others.for_reload();
        self.before = before.before.take();
        self.previews = std::mem::take(&mut before.previews);
        self.aspect = before.aspect;
    }

    /// Replaces the clips of the open character; the rest of the rig must be unchanged.
    pub(super) fn replace_clips(&mut self, rig: Arc<Rig>) {
        self.document.rig = rig;
        self.weights = RigCache::default();
        self.others = self.others.for_reload();
        self.editing = self.editing.for_reload(Some);
        self.pose_changed();
    }

    /// Shows the previous version on side B, if it is kept.
    pub(crate) fn show_previous(&mut self) {
        if self.before.is_some() {
            self.view.sides.b.file = ShownFile::Previous;
            self.share_with_other();
        }
    }

    /// True if `rig` is the open character's rig as read from its file.
    pub fn is_open(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(rig, self.rig())
    }

    /// True if `rig` is a comparison character's rig, or the open character's rig with any weights.
    pub(crate) fn belongs_to_open(&self, rig: &Arc<Rig>) -> bool {
        self.is_open(rig) || self.weights.has(rig) || self.others.has(rig)
    }

    /// Returns the user's pose.
    pub fn pose(&self) -> &Pose {
        &self.document.pose
    }

    /// Returns the world matrices of all nodes in the current pose.
    pub fn posed(&self) -> &Posed {
        self.characters.posed()
    }

    /// Returns the character on a side in its last computed pose.
    pub fn actor(&self, side: Side) -> &Actor {
        self.characters.actor(side)
    }

    /// Updates outdated trails, previews and all values that depend on the pose and time.
    pub fn refresh(&mut self) {
        self.characters.is_stale |= self.springs.take_change();
        if self.characters.is_stale {
            CorrectionPlan::correct_small(self);
        }
        self.refresh_pose();
        self.trails.update(PerSide::from_fn(|side| trail_plan(self, side)), self.characters.are_open());
        self.update_previews();
    }

    fn refresh_pose(&mut self) {
        let (inputs, camera) = (PosingInputs::new(self), self.document.followed_camera(&self.view.camera));
        let Self { document, view, characters, springs, pinning, .. } = self;
        if camera == document.pose.camera() && !characters.is_outdated(&inputs, &view.hidden) {
            return;
        }
        document.pose.set_camera(camera);
        document.pose.switch_off(document.switched_off);
        pinning.apply(document);
        springs.turn(document, inputs.moment);
        characters.update(document, view, inputs);
        self.frame_other();
        let Self { document, view, characters, camera_tie, .. } = self;
        camera_tie.update(view, &document.rig, characters.posed());
    }

    /// Advances the clip and live springs by the time since the last frame, in seconds.
    pub fn advance(&mut self, elapsed_secs: f32) {
        let Self { document, playback, springs, .. } = self;
        self.characters.is_stale |= springs.advance(document, playback, elapsed_secs);
    }

    /// Marks everything that depends on pose and time as outdated.
    pub(crate) fn pose_changed(&mut self) {
        self.characters.is_stale = true;
    }
}
