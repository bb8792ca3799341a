//! Everything that a user can do, as data.

use std::path::PathBuf;

use glam::{Vec2, Vec3};

use super::{
    Action, AfterLoad, Answer, DiskJob, ExportJob, Exported, LibraryCommand, Notice, NumberTable, PanelWidths,
    PathCommand, PathQuestion, PosingOptions, SavedViewCommand, Shortcuts, ShowMe, SidePanel, SimulationPlan, TestPose,
    TestStart, ThemeChoice, TrackDrawer, TwistPlan, WeightEditPlan,
};
use crate::analysis::lint::Target;
use crate::analysis::twist::Motion;
use crate::gizmo::Orientation;
use crate::posing::JointLimits;
use crate::rig::{EulerOrder, ExpressionIndex, LookAtTarget, MorphIndex, NodeIndex, Pose, PosedJoint, Trs};
use crate::skinning::{Method, Skinning};
use crate::stage::{Session, Source, VertexBox, VertexClick, VideoPlan};
use crate::view::{Display, Environment, Ghost, Hidden, Layout, Overlay, Ray, Shading, Side, SideSetting, Wipe};
use crate::weights::{Repair, WeightChoice};

/// A command to the state.
#[derive(Debug)]
pub enum Command {
    /// Carries out an action.
    Do(Action),
    /// Opens a file in place of the current one.
    Open(Source),
    /// Opens the first of several files; [`Action::NextFile`] goes to the others.
    OpenAll(Vec<Source>),
    /// Opens files, with a comparison file on side B.
    OpenBeside {
        /// Files; the first is opened.
        sources: Vec<Source>,
        /// Comparison file.
        with: PathBuf,
    },
    /// Opens files and applies poses to the first.
    OpenPosed {
        sources: Vec<Source>,
        /// Pose files for the first file.
        poses: Vec<PathBuf>,
    },
    /// Selects a joint alone, or none.
    Select(Option<NodeIndex>),
    /// Adds a joint to the selection as the active one, or removes it.
    ToggleSelected(NodeIndex),
    /// Selects the joint with the most influence on the skin under a ray.
    PickSkin {
        /// Side whose view the ray comes from.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        /// True to add the joint to the selection or remove it.
        adds: bool,
    },
    /// Probes the vertex closest to where a ray meets the skin.
    ProbeAt {
        /// Side whose view the ray comes from.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        /// True to keep earlier probes.
        adds: bool,
    },
    /// Selects the vertex closest to where a ray meets the skin, for a weight edit.
    ClickVertex {
        /// Side whose view the ray comes from.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        click: VertexClick,
    },
    /// Selects or deselects the vertices in a box.
    BoxVertices(Box<VertexBox>),
    /// Sets the weight that edits assign, add or subtract.
    SetWeightAmount(f32),
    /// Sets whether box selection includes vertices that face away.
    SetSelectThrough(bool),
    /// Locks the weights of a joint, or unlocks them.
    ToggleLocked(NodeIndex),
    /// Removes one of the vertex probes.
    RemoveProbe(usize),
    /// Reads the overlay value where a ray meets the skin of a side.
    PointAt(Option<(Side, Ray)>),
    /// Selects joints, the last as the active one.
    SelectAll(Vec<NodeIndex>),
    /// Re-runs lint.
    LintAgain,
    /// Cancels a background job by its id.
    CancelJob(u64),
    /// Sets the motion that the test's plot shows.
    SetTestMotion(Motion),
    /// Sets the start pose of tests and rankings, and re-runs the test.
    SetTestStart(TestStart),
    /// Sets the rotation of the test's hinge about the bone from its natural direction, radians, and re-runs the test.
    TurnHinge(f32),
    /// Rotates the tested joint to an angle of the plot, radians; outside `BeginEdit` a step of its own.
    PoseByTest(f32),
    /// Stops the test and the ranking.
    CancelTest,
    /// Simulates engines with fewer or coarser influences, in this pose or over the whole clip.
    Simulate { is_clip: bool },
    /// Asks where to save a table of numbers.
    AskForNumbers(NumberTable),
    /// Writes numbers to a file: JSON for the extension .json, else CSV.
    WriteNumbers(NumberTable, PathBuf),
    /// Shows the target of a finding; `None` deselects it.
    SelectFinding(Option<usize>),
    /// Shows the target of a profile's rule.
    ShowPlace(Target),
    /// Shows the target of a change, by its index in the list.
    ShowChange(usize),
    /// Restarts a stopped comparison of the characters of both sides.
    FindChangesAgain,
    /// Sets the tab of the right panel.
    SetSidePanel(SidePanel),
    /// Highlights the joint under the pointer, or none.
    Hover(Option<NodeIndex>),
    /// Opens an undo step for all edits up to [`Command::EndEdit`] or [`Command::CancelEdit`].
    BeginEdit,
    /// Sets `Ul_j` of one joint; outside `BeginEdit` a step of its own.
    Edit {
        /// The joint to edit.
        node: NodeIndex,
        /// `Ul_j` to give the joint.
        user_local: Trs,
    },
    /// Sets `Ul_j` of several joints; outside `BeginEdit` a step of its own.
    EditMany(Vec<PosedJoint>),
    /// Sets the user's additions to some morph target weights; outside `BeginEdit` a step of its own.
    SetMorphs(Vec<(MorphIndex, f32)>),
    /// Sets the weights of facial expressions, 0 to 1.
    SetExpressions(Vec<(ExpressionIndex, f32)>),
    /// Sets the look-at target; `None` uses the target of the clip or the file.
    SetGaze(Option<LookAtTarget>),
    /// Makes a morph target the active one, which [`Overlay::Morph`] shows.
    ChooseMorph(MorphIndex),
    /// Pulls the end of a joint chain towards a point with IK; between `BeginEdit` and `EndEdit`.
    Pull {
        /// The joint at the end of the chain.
        node: NodeIndex,
        /// Point to pull the end to, world space.
        target: Vec3,
    },
    /// Closes the open undo step.
    EndEdit,
    /// Restores the pose from before `BeginEdit` exactly.
    CancelEdit,
    /// Replaces the whole pose, as one step.
    SetPose {
        /// New pose, for this rig.
        pose: Pose,
        /// Name of the step.
        label: String,
    },
    /// Blends from the rest pose to the current one by a fraction, 0 to 1; outside `BeginEdit` a step of its own.
    BlendPose(f32),
    /// Undoes or redoes until this many steps are done.
    GoToStep(usize),
    /// Sets the limits of a joint. A rotation beyond them stays until the joint's next edit.
    SetLimits {
        /// The joint to limit.
        node: NodeIndex,
        /// Limits of the joint's user rotation.
        limits: JointLimits,
    },
    /// Sets the order in which Euler angles are shown and typed.
    SetEulerOrder(EulerOrder),
    /// Applies a pose file from the clipboard.
    Paste {
        /// JSON of the pose.
        text: String,
        /// True to paste onto the other side of the body.
        is_mirrored: bool,
    },
    /// Sets the behaviour of gizmos and edits.
    SetPosing(PosingOptions),
    /// Sets the method of side A.
    SetMethod(Method),
    /// Sets method and options of a side.
    SetSkinning(Side, Skinning),
    /// Sets the weights of a side, as one undo step.
    SetWeights(Side, WeightChoice),
    /// Adds a repair to the weights of side A, as one undo step.
    RepairWeights(Repair),
    /// Asks for a file to transfer weights from.
    AskForWeights(Side),
    /// Transfers weights from another file to a side, as one undo step.
    TransferWeights(Side, PathBuf),
    /// Shows a comparison file on side B.
    CompareWith(PathBuf),
    /// Recomputes the weights of a side.
    MakeWeightsAgain(Side),
    /// Stops computing the weights of a side.
    StopMakingWeights(Side),
    /// Reads the comparison file of a side again.
    ReadComparisonAgain(Side),
    /// Stops reading the comparison file of a side.
    StopReadingComparison(Side),
    /// Starts or stops computing the weight statistics of both sides.
    JudgeWeights(bool),
    /// Starts or stops the search for weight problems on both sides.
    LookForSuspects(bool),
    /// Shows a weight problem in its worst pose, by side and index in its list; `None` restores the pose from before.
    ShowSuspect(Option<(Side, usize)>),
    /// Chooses a setting of a side.
    SetSide(Side, SideSetting),
    /// Sets the overlay of a side and resets its range to fit the values.
    SetOverlay(Side, Option<Overlay>),
    /// Sets the shading of all sides.
    Shade(Shading),
    /// Sets the values at the ends of the colour ramps of some sides; `None` fits them to the overlay.
    SetRange(&'static [Side], Option<[f32; 2]>),
    /// Sets the layout of the two sides.
    SetLayout(Layout),
    /// Sets the divider between the sides.
    SetWipe(Wipe),
    /// Sets how B is drawn over A.
    SetGhost(Ghost),
    /// Shows both sides in clay while they are compared, or in the file's materials.
    SetCompareInClay(bool),
    /// Shows B in place of A, or A again.
    Blink(bool),
    /// Sets what the gizmo's axes are aligned with.
    SetOrientation(Orientation),
    /// Sets the display options.
    SetDisplay(Display),
    /// Sets a built-in environment for the file's materials.
    SetEnvironment(Environment),
    /// Loads an environment map for the file's materials.
    LightByFile(PathBuf),
    /// Rotates the environment about the vertical, radians.
    TurnLight(f32),
    /// Sets the hidden meshes and materials, as one step.
    Hide {
        /// All hidden meshes and materials.
        hidden: Hidden,
        /// Name of the step.
        label: String,
    },
    /// Sets the keys of actions.
    SetShortcuts(Shortcuts),
    /// Sets whether the window has room for only one side panel.
    SetNarrow(bool),
    /// Sets the widths of the panels.
    SetPanelWidths(PanelWidths),
    /// Sets the height and tracks of the track drawer.
    SetTrackDrawer(TrackDrawer),
    /// Starts or stops measuring the tracks.
    MeasureTracks(bool),
    /// Sets the theme.
    SetTheme(ThemeChoice),
    /// Sets the vertical field of view, radians, and keeps the size of objects at the target.
    SetFov(f32),
    /// Orbits the camera about its target.
    Orbit {
        /// Rotation about +Y, radians.
        yaw: f32,
        /// Rotation upwards, radians.
        pitch: f32,
    },
    /// Pans the camera in its image plane with the pointer.
    Pan {
        /// Motion of the pointer, points.
        delta: Vec2,
        /// Height of the viewport, points.
        viewport_height: f32,
    },
    /// Zooms towards the point under the pointer, or away from it.
    Zoom {
        /// Factor on the distance.
        factor: f32,
        /// Points from the viewport's top left.
        cursor: Vec2,
        /// Size of the viewport, points.
        viewport: Vec2,
    },
    /// Shows a clip, or the rest pose.
    SetClip(Option<usize>),
    /// Moves to a time in the clip, seconds.
    Seek(f32),
    /// Sets the played range of the clip, from and to, seconds; `None` plays the whole clip.
    SetPlayedPart(Option<[f32; 2]>),
    /// Sets the wind on springs, metres per second, world space.
    SetWind(Vec3),
    /// Sets the playback speed, a factor on time.
    SetSpeed(f32),
    /// Shows a demonstration pose on its built-in character.
    ShowMe(ShowMe),
    /// Goes to a step of the tour.
    GoToTourStep(usize),
    /// Shows a notice.
    Notify(Notice),
    /// Retries a failed draw.
    DrawAgain,
    /// Dismisses the notice.
    DismissNotice,
    /// Views through a camera of the file, by its index in `Rig::cameras`.
    LookThrough(usize),
    /// Carries out a command on saved views.
    SavedView(SavedViewCommand),
    /// Sets the viewport's aspect ratio, width over height.
    SetAspect(f32),
    /// Reads a pose file and applies it.
    LoadPose(PathBuf),
    /// Writes the pose to a file.
    WritePose(PathBuf),
    /// Exports part of the open character; the file's extension selects the format.
    Export(Exported, PathBuf),
    /// Carries out a command on the pose library.
    Library(LibraryCommand),
    /// Reads a session file and restores it.
    LoadSession(PathBuf),
    /// Writes the session to a file.
    WriteSession(PathBuf),
    /// Saves an image of the viewport.
    SavePicture(PathBuf),
    /// Writes a report on the open character.
    SaveReport(PathBuf),
    /// Sets the settings in the video dialog; `None` closes it.
    PlanVideo(Option<VideoPlan>),
    /// Asks for the video's path.
    ChooseVideoPath,
    /// Renders the video to a path.
    SaveVideo(PathBuf),
    /// Carries out a command on the path question.
    Path(PathCommand),
    /// Opens a session's file and restores the session.
    OpenSession(Box<Session>),
    /// Answers the open question.
    Answer(Answer),
    /// Clears the list of recent files.
    ClearRecent,
    /// Shows another scene of the open file and keeps the pose.
    ShowScene(usize),
    /// Opens a dropped file; asks for its purpose if its clips fit the open character.
    Drop(Source),
    /// Adds the clips of another file to the open character.
    UseClips(Source),
    /// Stops loading a file.
    CancelLoad,
    /// Opens the guide in the browser at an anchor, such as `posing#limit-joints`.
    OpenGuide(String),
}

/// Requests to the program around the state, for what the state cannot do itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Read a file in the background, then return it as [`Arrived::Document`](super::Arrived::Document).
    Load {
        source: Source,
        /// Index of the scene to show; `None` for the file's default scene.
        scene: Option<usize>,
        /// Other files to add clips from.
        clips_from: Vec<Source>,
        /// What to do with the document afterwards.
        then: AfterLoad,
    },
    /// Find the newest session that ended with an edited pose, then return it as
    /// [`Arrived::SessionRead`](super::Arrived::SessionRead).
    FindSession,
    /// Read or write files in the background, in the order of requests, then return the result.
    Disk(DiskJob),
    /// Stop loading.
    CancelLoad,
    /// Read the folders of the pose library again in the background, then return them as
    /// [`Arrived::PosesListed`](super::Arrived::PosesListed).
    ListPoses,
    /// Test a joint in the background, then return the result as [`Arrived::Tested`](super::Arrived::Tested).
    TestTwist(Box<TwistPlan>),
    /// Rank all joints in the background, then return them as [`Arrived::Ranked`](super::Arrived::Ranked).
    RankJoints(TestPose),
    /// Edit weights in the background, then return the result.
    EditWeights(Box<WeightEditPlan>),
    /// Simulate engines in the background, then return the result as
    /// [`Arrived::Simulated`](super::Arrived::Simulated).
    Simulate(Box<SimulationPlan>),
    /// Stop the test, the ranking and the simulation.
    CancelTest,
    /// Cancel a job by its id.
    CancelJob(u64),
    /// Render a video on another thread.
    SaveVideo(VideoPlan, PathBuf),
    /// Write a report on the open character in the background.
    SaveReport(PathBuf),
    /// Export the open character in the background, then return the result.
    Export(ExportJob),
    /// Open the guide in the browser in the background, at an anchor or at its start.
    OpenGuide(Option<String>),
    /// A request to the window.
    Window(WindowRequest),
}

/// Requests to the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowRequest {
    /// Ask for a path with the desktop's dialog, then return it with [`PathCommand::Answered`]. Without such a dialog,
    /// ask in the window with [`PathCommand::Ask`].
    PickPath(PathQuestion),
    /// Save an image of the viewport.
    SavePicture(PathBuf),
    /// Copy an image of the viewport to the clipboard.
    CopyPicture,
    /// Enter or leave full screen.
    ToggleFullScreen,
    /// Show or hide the command palette.
    TogglePalette,
    /// Copy a text to the clipboard.
    Copy(String),
    /// Read the clipboard's text, then return it with [`Command::Paste`].
    Paste {
        /// True to paste onto the other side of the body.
        is_mirrored: bool,
    },
    /// Show or hide the help sheet.
    ToggleHelp,
    /// Focus the filter of the joint tree.
    FilterJoints,
    /// Use this theme.
    SetTheme(ThemeChoice),
    /// Quit the program.
    Quit,
}

impl Request {
    pub(super) fn load(source: Source, then: AfterLoad) -> Self {
        Self::Load { source, scene: None, clips_from: Vec::new(), then }
    }

    /// Returns the request to read a session's file in its scene and restore the session.
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
