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

/// A command: anything the user can ask of the state.
#[derive(Debug)]
pub enum Command {
    /// Does one of the actions.
    Do(Action),
    /// Opens a file in place of the current one, once it is read.
    Open(Source),
    /// Opens the first of several files; the others follow by [`Action::NextFile`].
    OpenAll(Vec<Source>),
    /// Opens files, with another file on side B.
    OpenBeside {
        /// The files, the first of which is opened.
        sources: Vec<Source>,
        /// File that side B shows.
        with: PathBuf,
    },
    /// Opens files, with poses for the first, to be applied once it is open.
    OpenPosed {
        sources: Vec<Source>,
        /// Pose files for the first file.
        poses: Vec<PathBuf>,
    },
    /// Selects a joint alone, or none.
    Select(Option<NodeIndex>),
    /// Adds a joint to the selection as the active one, or takes it out.
    ToggleSelected(NodeIndex),
    /// Selects the joint that moves the skin under a ray most.
    PickSkin {
        /// Side whose picture the ray goes through.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        /// True to add the joint to what is selected, or take it out.
        adds: bool,
    },
    /// Probes the vertex nearest to where a ray meets the skin.
    ProbeAt {
        /// Side whose picture the ray goes through.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        /// True to add the vertex to those already probed.
        adds: bool,
    },
    /// Selects the vertex nearest to where a ray meets the skin, for a weight edit.
    ClickVertex {
        /// Side whose picture the ray goes through.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        click: VertexClick,
    },
    /// Selects or deselects the vertices in a box.
    BoxVertices(Box<VertexBox>),
    /// Sets the weight that edits assign, add or subtract.
    SetWeightAmount(f32),
    /// Sets whether boxes also select vertices that face away.
    SetSelectThrough(bool),
    /// Locks the weights of a joint, or unlocks them.
    ToggleLocked(NodeIndex),
    /// Removes one of the vertex probes.
    RemoveProbe(usize),
    /// Reads the overlay value where a ray meets the skin of a side.
    PointAt(Option<(Side, Ray)>),
    /// Selects joints, the last as the active one.
    SelectAll(Vec<NodeIndex>),
    /// Runs lint again.
    LintAgain,
    /// Cancels a job beside the frame loop.
    CancelJob(u64),
    /// Sets the motion that the plot of the test shows.
    SetTestMotion(Motion),
    /// Sets the start pose of tests and rankings, and tests again.
    SetTestStart(TestStart),
    /// Turns the hinge of the test about the bone, from its natural direction, radians, and tests again.
    TurnHinge(f32),
    /// Turns the tested joint to an angle of the plot, radians; outside `BeginEdit` a step of its own.
    PoseByTest(f32),
    /// Stops test and ranking.
    CancelTest,
    /// Simulates engines with fewer or coarser influences, in this pose or over the whole clip.
    Simulate { is_clip: bool },
    /// Asks where to save a table of numbers.
    AskForNumbers(NumberTable),
    /// Writes numbers to a file, CSV unless its name ends in .json.
    WriteNumbers(NumberTable, PathBuf),
    /// Jumps to the place of a finding; `None` deselects it.
    SelectFinding(Option<usize>),
    /// Jumps to the target of a profile's rule.
    ShowPlace(Target),
    /// Jumps to the place of a change, by its position in the list.
    ShowChange(usize),
    /// Restarts a stopped comparison of the characters of both sides.
    FindChangesAgain,
    /// Chooses what the panel on the right shows.
    SetSidePanel(SidePanel),
    /// Highlights the joint under the pointer; `None` for none.
    Hover(Option<NodeIndex>),
    /// Opens a step of undo, which all edits up to [`Command::EndEdit`] or [`Command::CancelEdit`] belong to.
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
    /// Sets what is added to the weights of some morph targets; outside `BeginEdit` a step of its own.
    SetMorphs(Vec<(MorphIndex, f32)>),
    /// Sets the weights of expressions of the face, 0 to 1.
    SetExpressions(Vec<(ExpressionIndex, f32)>),
    /// Sets what the eyes look at; `None` for what the clip or the file has.
    SetGaze(Option<LookAtTarget>),
    /// Makes this morph target the active one, whose reach [`Overlay::Morph`] shows.
    ChooseMorph(MorphIndex),
    /// Turns the joints above one so that its origin reaches a place as closely as it can; between `BeginEdit` and `EndEdit`.
    Pull {
        /// The joint at the end of the chain.
        node: NodeIndex,
        /// Point to pull the end to, world space.
        target: Vec3,
    },
    /// Ends the step of undo that is open.
    EndEdit,
    /// Restores the pose from before `BeginEdit` exactly.
    CancelEdit,
    /// Replaces the whole pose, as one step.
    SetPose {
        /// Pose to take, of this rig.
        pose: Pose,
        /// Name of the step.
        label: String,
    },
    /// Blends from the rest pose to the current one by a share, 0 to 1; outside `BeginEdit` a step of its own.
    BlendPose(f32),
    /// Undoes or redoes until this many steps are done.
    GoToStep(usize),
    /// Sets the limits of a joint. A rotation already beyond them stays until the joint's next edit.
    SetLimits {
        /// The joint to limit.
        node: NodeIndex,
        /// Limits of the joint's user rotation.
        limits: JointLimits,
    },
    /// Sets the order in which Euler angles are shown and typed.
    SetEulerOrder(EulerOrder),
    /// Applies the clipboard's text, a pose file.
    Paste {
        /// JSON of the pose.
        text: String,
        /// True to paste onto the other side of the body.
        is_mirrored: bool,
    },
    /// Sets how handles and edits behave.
    SetPosing(PosingOptions),
    /// Sets the method of side A.
    SetMethod(Method),
    /// Sets method and options of a side.
    SetSkinning(Side, Skinning),
    /// Sets the weights that a side shows, as one step of undo.
    SetWeights(Side, WeightChoice),
    /// Adds one repair to the weights of side A, as one step of undo.
    RepairWeights(Repair),
    /// Asks for a file whose weights a side gets.
    AskForWeights(Side),
    /// Gives a side the weights of another file, as one step of undo.
    TransferWeights(Side, PathBuf),
    /// Shows another file on side B in place of the open one.
    CompareWith(PathBuf),
    /// Computes the weights of a side again.
    MakeWeightsAgain(Side),
    /// Stops computing the weights of a side.
    StopMakingWeights(Side),
    /// Reads the other file of a side again.
    ReadComparisonAgain(Side),
    /// Stops reading the other file of a side.
    StopReadingComparison(Side),
    /// Starts or stops judging the weights of both sides.
    JudgeWeights(bool),
    /// Starts or stops looking for suspicious regions in the weights of both sides.
    LookForSuspects(bool),
    /// Shows a suspicious region, by its position in the list of a side, in its worst pose; `None` restores the pose from before.
    ShowSuspect(Option<(Side, usize)>),
    /// Chooses a setting of a side.
    SetSide(Side, SideSetting),
    /// Sets the overlay of a side and resets its range to fit the values.
    SetOverlay(Side, Option<Overlay>),
    /// Draws the skin of all sides in materials, clay or painted values.
    Shade(Shading),
    /// Sets the values at the ends of the ramps of some sides; `None` fits them to the overlay.
    SetRange(&'static [Side], Option<[f32; 2]>),
    /// Sets how the sides share the picture.
    SetLayout(Layout),
    /// Sets the line between the sides.
    SetWipe(Wipe),
    /// Sets how B is drawn over A.
    SetGhost(Ghost),
    /// Shows both sides in clay while they are compared, or in the file's materials.
    SetCompareInClay(bool),
    /// Shows B in place of A, or A again.
    Blink(bool),
    /// Sets what the gizmo's axes are aligned with.
    SetOrientation(Orientation),
    /// Sets what is drawn.
    SetDisplay(Display),
    /// Lights the file's materials by a built-in environment.
    SetEnvironment(Environment),
    /// Lights the file's materials by an environment map, once it is read.
    LightByFile(PathBuf),
    /// Turns the light on the file's materials about the vertical, radians.
    TurnLight(f32),
    /// Sets which meshes and materials are hidden, as one step.
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
    /// Sets the height of the drawer of tracks, and which tracks it shows.
    SetTrackDrawer(TrackDrawer),
    /// Measures the tracks again after that was stopped, or stops it.
    MeasureTracks(bool),
    /// Sets dark, light, or the system's colours.
    SetTheme(ThemeChoice),
    /// Sets the vertical field of view, radians; the size of objects at the target is kept.
    SetFov(f32),
    /// Orbits the camera about its target.
    Orbit {
        /// Turn about +Y, radians.
        yaw: f32,
        /// Turn upwards, radians.
        pitch: f32,
    },
    /// Pans the camera in its picture plane, so that it follows the pointer.
    Pan {
        /// Motion of the pointer, points.
        delta: Vec2,
        /// Height of the viewport, points.
        viewport_height: f32,
    },
    /// Zooms towards what is under the pointer, or away from it.
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
    /// Moves to a time, seconds.
    Seek(f32),
    /// Sets the played range of the clip, from and to, seconds; `None` plays all of it.
    SetPlayedPart(Option<[f32; 2]>),
    /// Sets the wind on springs, metres per second, world space.
    SetWind(Vec3),
    /// Sets the playback speed, a factor on time.
    SetSpeed(f32),
    /// Puts a built-in character into a demonstration pose.
    ShowMe(ShowMe),
    /// Goes to a step of the tour.
    GoToTourStep(usize),
    /// Shows a notice.
    Notify(Notice),
    /// Retries a picture that could not be drawn.
    DrawAgain,
    /// Dismisses the notice.
    DismissNotice,
    /// Looks through a camera of the file, by its position in `Rig::cameras`.
    LookThrough(usize),
    /// Carries out a command on saved views.
    SavedView(SavedViewCommand),
    /// Sets the viewport's aspect ratio, width over height.
    SetAspect(f32),
    /// Reads a pose file and applies it.
    LoadPose(PathBuf),
    /// Writes the pose to a file.
    WritePose(PathBuf),
    /// Writes part of the open character to a file, in the format of the file's extension.
    Export(Exported, PathBuf),
    /// Carries out a command on the pose library.
    Library(LibraryCommand),
    /// Reads a session file and restores it.
    LoadSession(PathBuf),
    /// Writes the session to a file.
    WriteSession(PathBuf),
    /// Writes the picture to a file.
    SavePicture(PathBuf),
    /// Writes a report on the open character.
    SaveReport(PathBuf),
    /// Sets the settings in the video dialog; `None` closes it.
    PlanVideo(Option<VideoPlan>),
    /// Asks for the video's path.
    ChooseVideoPath,
    /// Renders the video to a path.
    SaveVideo(PathBuf),
    /// Carries out a command on the path that is being asked for.
    Path(PathCommand),
    /// Opens the file of a session and restores the session.
    OpenSession(Box<Session>),
    /// Answers the open question.
    Answer(Answer),
    /// Clears the list of recent files.
    ClearRecent,
    /// Shows another scene of the open file; the pose stays.
    ShowScene(usize),
    /// Opens a file dropped on the window; where its clips fit the open character, the user is asked what it is for.
    Drop(Source),
    /// Puts the clips of another file onto the open character.
    UseClips(Source),
    /// Stops loading the file that is being opened.
    CancelLoad,
    /// Opens the guide in the browser at an anchor, such as `posing#limit-joints`.
    OpenGuide(String),
}

/// Things that the state cannot do itself and requests from the program around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Read a file beside the frame loop, then hand it over as [`Arrived::Document`](super::Arrived::Document).
    Load {
        source: Source,
        /// Index of the scene to show; `None` for the file's default scene.
        scene: Option<usize>,
        /// Other files whose clips are added.
        clips_from: Vec<Source>,
        /// What to do with the document once it is read.
        then: AfterLoad,
    },
    /// Look for the newest session that ended with an edited pose, then hand it over as [`Arrived::SessionRead`](super::Arrived::SessionRead).
    FindSession,
    /// Read or write files beside the frame loop, in the order of requests, then hand over the result.
    Disk(DiskJob),
    /// Stop loading.
    CancelLoad,
    /// Read the folders of the pose library again beside the frame loop, then hand them over as [`Arrived::PosesListed`](super::Arrived::PosesListed).
    ListPoses,
    /// Test a joint beside the frame loop, then hand the result over as [`Arrived::Tested`](super::Arrived::Tested).
    TestTwist(Box<TwistPlan>),
    /// Rank all joints beside the frame loop, then hand them over as [`Arrived::Ranked`](super::Arrived::Ranked).
    RankJoints(TestPose),
    /// Edit weights beside the frame loop, then hand over the result.
    EditWeights(Box<WeightEditPlan>),
    /// Simulate engines beside the frame loop, then hand the result over as [`Arrived::Simulated`](super::Arrived::Simulated).
    Simulate(Box<SimulationPlan>),
    /// Stop test, ranking and simulation.
    CancelTest,
    /// Cancel the job of this number.
    CancelJob(u64),
    /// Render a video on another thread.
    SaveVideo(VideoPlan, PathBuf),
    /// Make a report on the open character and write it beside the frame loop.
    SaveReport(PathBuf),
    /// Export the open character beside the frame loop, then hand over the result.
    Export(ExportJob),
    /// Open the guide in the browser, at an anchor or at its beginning, beside the frame loop.
    OpenGuide(Option<String>),
    /// Do something that only a window can.
    Window(WindowRequest),
}

/// Requests to the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowRequest {
    /// Ask for a file or for a place to save one, then hand the path over with [`PathCommand::Answered`]; where the desktop has no dialog, ask in the
    /// window by [`PathCommand::Ask`].
    PickPath(PathQuestion),
    /// Write the picture to a file.
    SavePicture(PathBuf),
    /// Put a picture of the viewport on the clipboard.
    CopyPicture,
    /// Fill the screen with the window, or no longer.
    ToggleFullScreen,
    /// Show or hide the command palette.
    TogglePalette,
    /// Put a text on the clipboard.
    Copy(String),
    /// Get the text of the clipboard, then hand it over with [`Command::Paste`].
    Paste {
        /// True for a paste onto the other side of the body.
        is_mirrored: bool,
    },
    /// Show or hide the sheet of keys.
    ToggleHelp,
    /// Focus the filter of the joint tree.
    FilterJoints,
    /// Use this theme.
    SetTheme(ThemeChoice),
    /// End the program.
    Quit,
}

impl Request {
    /// Request to read a file in its default scene.
    pub(super) fn load(source: Source, then: AfterLoad) -> Self {
        Self::Load { source, scene: None, clips_from: Vec::new(), then }
    }

    /// Request to read the file of a session in its scene, then restore the session.
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
