//! All user commands, as data.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use glam::{Vec2, Vec3};

use super::{
    Action, ConfirmAnswer, DiskJob, ExportJob, ImageSize, LibraryCommand, Notice, PanelEdge, PanelSizes, PathCommand,
    PathQuestion, PathUse, PosingOptions, SavedViewCommand, Shortcuts, ShowMe, SidePanel, TestStart, ThemeChoice,
    TrackDrawer,
};
use crate::analysis::lint::Target;
use crate::analysis::twist::{RotationKind, TestRange};
use crate::gizmo::Orientation;
use crate::posing::JointLimits;
use crate::rig::{EulerOrder, ExpressionIndex, LookAtTarget, MorphIndex, NodeIndex, Pose, PosedJoint, Trs};
use crate::skinning::{Method, Skinning};
use crate::stage::{Derived, DerivedKind, Session, Source, VertexBox, VertexClick, VideoPlan};
use crate::view::{
    Display, Environment, Ghost, HiddenItems, Layout, Overlay, Ray, Shading, ShownFile, Side, SideOptions, Wipe,
};
use crate::weights::{Repair, WeightChoice};

/// Commands to apply, in order.
#[derive(Debug, Default)]
pub struct Commands(Vec<Command>);

impl Commands {
    pub fn push_if(&mut self, is_wanted: bool, command: Command) {
        self.0.extend(is_wanted.then_some(command));
    }
}

impl Deref for Commands {
    type Target = Vec<Command>;

    fn deref(&self) -> &Vec<Command> {
        &self.0
    }
}

impl DerefMut for Commands {
    fn deref_mut(&mut self) -> &mut Vec<Command> {
        &mut self.0
    }
}

#[derive(Debug)]
pub enum Command {
    Do(Action),
    Open(Source),
    /// Opens the first file. [`Action::NextFile`] opens the others.
    OpenAll(Vec<Source>, AfterLoad),
    /// Selects only this joint; `None` clears the selection.
    Select(Option<NodeIndex>),
    /// Adds the joint to the selection and makes it active, or removes it if it is selected.
    ToggleSelected(NodeIndex),
    /// Selects the joint with the most influence on the skin under a ray.
    PickSkin {
        /// Side under the pointer.
        side: Side,
        /// Pointer ray, world space.
        ray: Ray,
        /// True to toggle the joint in the selection instead of replacing the selection.
        adds: bool,
    },
    /// Selects the joint under the pointer for the viewport's context menu.
    OpenMenu(MenuTarget),
    /// Probes the vertex closest to where a ray hits the skin.
    ProbeAt {
        side: Side,
        ray: Ray,
        /// True to keep earlier probes.
        adds: bool,
    },
    /// Selects the vertex closest to where a ray hits the skin, to edit its weights.
    ClickVertex {
        side: Side,
        ray: Ray,
        click: VertexClick,
    },
    /// Selects or deselects the vertices in a box.
    BoxVertices(Box<VertexBox>),
    /// Sets the weight that edits assign, add or subtract.
    SetWeightAmount(f32),
    /// Sets whether box selection includes vertices facing away from the viewer.
    SetSelectThrough(bool),
    ToggleLocked(NodeIndex),
    RemoveProbe(usize),
    /// Reads the overlay value where a ray hits the skin of a side; `None` clears the value.
    PointAt(Option<(Side, Ray)>),
    /// Selects these joints; the last one becomes active.
    SelectAll(Vec<NodeIndex>),
    /// Requests a derived value, or stops computing it.
    Request(DerivedKind, bool),
    CancelJob(u64),
    SetTestMotion(RotationKind),
    /// Sets the start pose for tests and rankings. Re-runs the test.
    SetTestStart(TestStart),
    /// Sets the range of angles of the joint ranking. Ranks the joints again if they were ranked.
    SetRankRange(TestRange),
    /// Sets the angle of the bend test's hinge axis about the bone, radians from its natural direction. Re-runs the
    /// test.
    TurnHinge(f32),
    /// Rotates the tested joint to an angle in the plot, radians. Outside `BeginEdit`, this is its own undo step.
    PoseByTest(f32),
    /// Stops the twist test, the joint ranking or the simulation.
    CancelTest(DerivedKind),
    /// Simulates engines with fewer or less precise weights, in the current pose or throughout the clip.
    Simulate {
        is_clip: bool,
    },
    SelectFinding(Option<usize>),
    /// Shows the joints, vertices or clip that a profile rule refers to.
    ShowPlace(Target),
    ShowChange(Option<usize>),
    /// Previews how the weights of A and B differ, or ends the preview.
    ShowWeightDifference(bool),
    SetSidePanel(SidePanel),
    /// Moves a tab to the panel at an edge.
    DockTab(SidePanel, PanelEdge),
    Hover(Option<NodeIndex>),
    /// Begins an undo step that lasts until [`Command::EndEdit`] or [`Command::CancelEdit`]. Without it, each edit is
    /// its own step.
    BeginEdit,
    /// Sets the user transform `Ul_j` of a joint.
    Edit {
        node: NodeIndex,
        user_local: Trs,
    },
    EditMany(Vec<PosedJoint>),
    /// Sets the user's additions to morph target weights.
    SetMorphs(Vec<(MorphIndex, f32)>),
    /// Sets weights of facial expressions, 0 to 1.
    SetExpressions(Vec<(ExpressionIndex, f32)>),
    /// Sets the look-at target; `None` uses the clip's or file's target.
    SetLookAt(Option<LookAtTarget>),
    /// Sets the active morph target, which [`Overlay::Morph`] shows.
    ChooseMorph(MorphIndex),
    /// Pulls the end of a joint chain to a point with IK. Only between `BeginEdit` and `EndEdit`.
    Pull {
        node: NodeIndex,
        /// World space.
        target: Vec3,
    },
    EndEdit,
    /// Restores exactly the choices from before `BeginEdit`.
    CancelEdit,
    /// Replaces the whole pose, as one undo step.
    SetPose {
        pose: Pose,
        /// Name of the undo step.
        label: String,
    },
    /// Blends from the rest pose (0) to the current pose (1).
    BlendPose(f32),
    /// Undoes or redoes steps until this many are applied.
    GoToStep(usize),
    /// Sets the rotation limits of a joint. The joint's current rotation does not change until the joint is next
    /// edited.
    SetLimits {
        node: NodeIndex,
        limits: JointLimits,
    },
    SetEulerOrder(EulerOrder),
    /// Applies a pose file from the clipboard.
    Paste {
        text: String,
        /// True to paste onto the other side of the body.
        is_mirrored: bool,
    },
    SetPosing(PosingOptions),
    SetMethod(Method),
    SetSkinning(Side, Skinning),
    SetWeights(Side, WeightChoice),
    /// Adds a repair to the weights of side A, as one undo step.
    RepairWeights(Repair),
    RecomputeWeights(Side),
    CancelWeights(Side),
    ReloadComparisonFile(Side),
    CancelComparisonFile(Side),
    /// Shows a weight problem of a side, by its index in the side's list, in its worst pose. `None` restores the
    /// previous pose.
    ShowWeightProblem(Option<(Side, usize)>),
    /// Starts the bend test, or cancels it.
    TestBend(bool),
    /// Shows a pose of the bend test, or returns to the previous pose.
    ShowBendPose(Option<usize>),
    SetSideOptions(Side, SideOptions),
    /// Sets the overlay of a side and resets its value range.
    SetOverlay(Side, Option<Overlay>),
    Shade(Shading),
    /// Sets the values at the two ends of the sides' colour ramps; `None` fits them to the overlay.
    SetRange(&'static [Side], Option<[f32; 2]>),
    SetLayout(Layout),
    SetWipe(Wipe),
    SetGhost(Ghost),
    /// Sets whether a comparison shows both sides in clay or in the file's materials.
    SetCompareInClay(bool),
    /// Sets whether side B is shown in place of side A.
    Blink(bool),
    /// Sets the orientation of the gizmo's axes.
    SetOrientation(Orientation),
    SetDisplay(Display),
    SetEnvironment(Environment),
    /// Rotates the environment about the vertical, radians.
    TurnLight(f32),
    /// Sets the hidden meshes and materials, as one undo step.
    Hide {
        hidden: HiddenItems,
        /// Name of the undo step.
        label: String,
    },
    SetShortcuts(Shortcuts),
    /// True if the window has room for only one side panel.
    SetNarrow(bool),
    SetPanelSizes(PanelSizes),
    SetTrackDrawer(TrackDrawer),
    /// Starts or stops ranking all clips by their worst frame.
    RankClips(bool),
    /// Shows another character or points on side B.
    CompareWith(ShownFile),
    /// Starts or stops finding the mistake that explains the points on a side.
    DiagnosePoints(bool),
    SetTheme(ThemeChoice),
    /// Sets the interface scale, 1 for the system's own.
    SetScale(f32),
    /// Sets the vertical field of view, radians. Objects at the camera's target keep their size on screen.
    SetFov(f32),
    Orbit {
        /// About +Y, radians.
        yaw: f32,
        /// Upwards, radians.
        pitch: f32,
    },
    /// Pans the camera in its image plane, following the pointer.
    Pan {
        /// Motion of the pointer, points.
        delta: Vec2,
        /// Points.
        viewport_height: f32,
    },
    /// Zooms towards or away from the point under the pointer.
    Zoom {
        /// Factor for the camera distance.
        factor: f32,
        /// Points from the viewport's top left.
        cursor: Vec2,
        /// Points.
        viewport: Vec2,
    },
    /// Chooses a clip; `None` shows the rest pose.
    SetClip(Option<usize>),
    /// Pauses at a clip time, seconds.
    Seek(f32),
    /// Sets the start and end of the playback range, seconds; `None` plays the whole clip.
    SetPlayedPart(Option<[f32; 2]>),
    /// Sets the wind on springs, m/s, world space.
    SetWind(Vec3),
    /// Sets the playback speed factor.
    SetSpeed(f32),
    ShowMe(ShowMe),
    GoToTourStep(usize),
    /// Chooses an answer of the tour step's quiz, by its index.
    AnswerTour(usize),
    Notify(Notice),
    /// Retries a failed draw.
    RetryDraw,
    DismissNotice,
    /// Looks through a camera of the file, by its index in `Rig::cameras`.
    LookThrough(usize),
    SavedView(SavedViewCommand),
    /// Sets the aspect ratio of the viewport: width over height.
    SetAspect(f32),
    AskForPath(PathUse),
    UsePath(PathUse, PathBuf),
    Library(LibraryCommand),
    SetImageSize(ImageSize),
    /// Changes the settings in the video dialog; `None` closes the dialog.
    PlanVideo(Option<VideoPlan>),
    ChooseVideoPath,
    Path(PathCommand),
    /// Opens a session's file and restores the session.
    OpenSession(Box<Session>),
    Answer(ConfirmAnswer),
    ClearRecent,
    /// Shows another scene of the open file. Keeps the pose.
    ShowScene(usize),
    /// Opens a dropped file. If its joints match the open character's, asks what to do with the file.
    Drop(Source),
    CancelLoad,
    /// Opens the guide in the browser, at an anchor such as `posing#limit-joints`.
    OpenGuide(String),
}

impl Command {
    pub fn request<D: Derived>(is_requested: bool) -> Self {
        Self::Request(DerivedKind::new::<D>(), is_requested)
    }
}

/// What is under the pointer when the viewport's context menu opens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MenuTarget {
    Joint(NodeIndex),
    /// The skin, or nothing, under a world-space ray.
    Skin(Side, Ray),
}

/// Requests from the state to the program. Results of background work arrive as [`JobResult`](super::JobResult).
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Load {
        source: Source,
        /// Index of the scene to show; `None` for the file's default scene.
        scene: Option<usize>,
        clips_from: Vec<Source>,
        then: AfterLoad,
    },
    /// Find the newest automatically saved session.
    FindSession,
    /// Read or write files. Requests run in order.
    Disk(DiskJob),
    CancelLoad,
    /// Read the folders of the pose library again.
    ListPoses,
    CancelJob(u64),
    SaveVideo(VideoPlan, PathBuf),
    SaveReport {
        path: PathBuf,
        has_bend_test: bool,
    },
    Export(ExportJob),
    /// Open the guide in the browser, at an anchor or at the beginning.
    OpenGuide(Option<String>),
    Window(WindowRequest),
}

#[derive(Clone, Debug, PartialEq)]
pub enum WindowRequest {
    /// Ask for a path with the desktop's dialog and return it as [`PathCommand::Answered`]. Without such a dialog,
    /// answer with [`PathCommand::Ask`].
    PickPath(PathQuestion),
    /// Save an image of the viewport.
    SaveImage(PathBuf),
    /// Copy an image of the viewport to the clipboard.
    CopyImage,
    ToggleFullScreen,
    TogglePalette,
    Copy(String),
    /// Read text from the clipboard, then return it as [`Command::Paste`].
    Paste {
        is_mirrored: bool,
    },
    ToggleHelp,
    TogglePreferences,
    ToggleAbout,
    /// Focus the filter field of the joint tree.
    FilterJoints,
    SetTheme(ThemeChoice),
    SetScale(f32),
    Quit,
}

impl Request {
    pub(super) fn load(source: Source, then: AfterLoad) -> Self {
        Self::Load { source, scene: None, clips_from: Vec::new(), then }
    }

    /// Returns the request to load a session's file and scene, then restore the session.
    pub(super) fn go_on_with(session: Box<Session>) -> Self {
        let (source, scene, clips_from) = (session.source.clone(), session.scene, session.clips_from.clone());
        Self::Load { source, scene, clips_from, then: AfterLoad::Restore(session) }
    }
}

impl From<WindowRequest> for Request {
    fn from(request: WindowRequest) -> Self {
        Self::Window(request)
    }
}

/// What to do with a file once it is read. Sent with the request and returned with the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AfterLoad {
    /// Show the file at rest, in place of the open file.
    #[default]
    Show,
    ShowMe(ShowMe),
    /// Show the file and apply pose files, in order.
    Pose(Vec<PathBuf>),
    /// Show the file, with a comparison file on side B.
    Compare(ShownFile),
    Restore(Box<Session>),
    Tour(usize),
    /// Show the file or add its clips to the open character. Asks the user if both are possible.
    Dropped,
    /// Continue with the open file, which now also has the clips of another file.
    UseClips,
    /// Continue with the reloaded file.
    Reload {
        /// True if the user asked for the reload; false if another program changed the file.
        is_asked: bool,
    },
}

impl AfterLoad {
    pub fn is_asked(&self) -> bool {
        *self != Self::Reload { is_asked: false }
    }
}
