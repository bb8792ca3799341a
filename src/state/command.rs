//! Everything that a user can do, as data.

use std::path::PathBuf;

use glam::{Vec2, Vec3};

use super::{
    Action, AfterLoad, Answer, DiskJob, Exported, LibraryCommand, Notice, Numbers, PanelWidths, PathCommand,
    PathQuestion, PosingOptions, SavedViewCommand, Saving, Shortcuts, ShowMe, SidePanel, SimulationPlan, TestPose,
    TestStart, ThemeChoice, TwistPlan, WeightEditPlan,
};
use crate::analysis::lint::Target;
use crate::analysis::twist::Motion;
use crate::gizmo::Orientation;
use crate::posing::JointLimits;
use crate::rig::{EulerOrder, MorphIndex, NodeIndex, Pose, PosedJoint, Trs};
use crate::skinning::{Method, Skinning};
use crate::stage::{FilmPlan, Session, Source, VertexBox, VertexClick};
use crate::view::{Display, Ghost, Hidden, Layout, Overlay, Ray, Shading, Side, SideSetting, Wipe};
use crate::weights::{Repair, WeightChoice};

/// Everything that a user can want of the state.
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
        /// The list, of which the first is opened.
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
    /// Looks at the vertex nearest to where a ray meets the skin.
    ProbeAt {
        /// Side whose picture the ray goes through.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        /// True to add the vertex to those that are looked at already.
        adds: bool,
    },
    /// Selects the vertex nearest to where a ray meets the skin, for an edit of its weights.
    ClickVertex {
        /// Side whose picture the ray goes through.
        side: Side,
        /// Ray of the pointer, world space.
        ray: Ray,
        click: VertexClick,
    },
    /// Selects the vertices in a box, or no longer.
    BoxVertices(Box<VertexBox>),
    /// Sets the weight that edits assign, add or subtract.
    SetWeightAmount(f32),
    /// Has boxes select vertices that face away too, or not.
    SetSelectThrough(bool),
    /// Locks the weights of a joint, or unlocks them.
    ToggleLocked(NodeIndex),
    /// Stops looking at one of the vertices.
    RemoveProbe(usize),
    /// Tells what is painted where a ray meets the skin of a side.
    PointAt(Option<(Side, Ray)>),
    /// Selects joints, the last as the active one.
    SelectAll(Vec<NodeIndex>),
    /// Looks for findings once more.
    LintAgain,
    /// Cancels a job beside the frame loop.
    CancelJob(u64),
    /// Plots a motion of the test.
    SetTestMotion(Motion),
    /// Turns joints from another pose in tests and rankings, and tests again.
    SetTestStart(TestStart),
    /// Turns the hinge of the test about the bone from where it naturally is, radians, and tests again.
    TurnHinge(f32),
    /// Turns the tested joint to an angle of the plot, radians; outside `BeginEdit` a step of its own.
    PoseByTest(f32),
    /// Stops test and ranking.
    CancelTest,
    /// Simulates what engines with fewer or coarser influences show: in this pose, or over the whole clip.
    Simulate { is_clip: bool },
    /// Asks where to save numbers.
    AskForNumbers(Numbers),
    /// Writes numbers to a file, CSV unless its name ends in .json.
    WriteNumbers(Numbers, PathBuf),
    /// Jumps to the place of a finding; `None` leaves it.
    SelectFinding(Option<usize>),
    /// Jumps to what a rule of a profile is about.
    ShowPlace(Target),
    /// Jumps to the place of a change, by its position in the list.
    ShowChange(usize),
    /// Compares the characters of both sides once more, where that was stopped.
    FindChangesAgain,
    /// Chooses what the panel on the right shows.
    SetSidePanel(SidePanel),
    /// Marks the joint under the pointer.
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
    /// Works with this morph target, whose reach [`Overlay::Morph`] shows.
    ChooseMorph(MorphIndex),
    /// Turns the joints above one so that its origin comes to a place, or as near as it can; between `BeginEdit` and `EndEdit`.
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
    /// Shows a share of the way from rest to the current pose, 0 to 1; outside `BeginEdit` a step of its own.
    BlendPose(f32),
    /// Undoes or does again until this many steps are done.
    GoToStep(usize),
    /// Sets how far a joint may turn. What it has turned already stays until its next edit.
    SetLimits {
        /// The joint to limit.
        node: NodeIndex,
        /// Limits of the joint's user rotation.
        limits: JointLimits,
    },
    /// Sets the order in which Euler angles are shown and typed.
    SetEulerOrder(EulerOrder),
    /// Applies the text of the clipboard, a pose file.
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
    /// Puts one more kind of fault right in the weights of side A, as one step of undo.
    RepairWeights(Repair),
    /// Asks for a file whose weights a side gets.
    AskForWeights(Side),
    /// Gives a side the weights of another file, as one step of undo.
    TransferWeights(Side, PathBuf),
    /// Shows another file on side B in place of the open one.
    CompareWith(PathBuf),
    /// Makes the weights of a side once more.
    MakeWeightsAgain(Side),
    /// Stops waiting for the weights of a side.
    StopMakingWeights(Side),
    /// Reads the other file that a side is to show once more.
    ReadSubjectAgain(Side),
    /// Stops waiting for the other file that a side is to show.
    StopReadingSubject(Side),
    /// Judges the weights of both sides from now on, or no longer.
    JudgeWeights(bool),
    /// Looks for suspicious regions of the weights of both sides, or no longer does.
    LookForSuspects(bool),
    /// Shows a suspicious region by its position in the list of a side, in the pose in which it is worst; `None` goes back to the pose before.
    ShowSuspect(Option<(Side, usize)>),
    /// Chooses a setting of a side.
    SetSide(Side, SideSetting),
    /// Sets what is painted over a side; its range fits the values again.
    SetOverlay(Side, Option<Overlay>),
    /// Draws the skin of all sides in materials, clay or painted values.
    Shade(Shading),
    /// Sets the values at the ends of a side's ramp; `None` has them fit what is painted.
    SetRange(Side, Option<[f32; 2]>),
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
    /// Turns the light on the file's materials about the vertical, radians.
    TurnLight(f32),
    /// Sets which meshes and materials are not shown, as one step.
    Hide {
        /// All meshes and materials that are not shown.
        hidden: Hidden,
        /// Name of the step.
        label: String,
    },
    /// Sets the keys of actions.
    SetShortcuts(Shortcuts),
    /// Tells that the window has room for one panel beside the view, or for both.
    SetNarrow(bool),
    /// Sets the widths of the panels.
    SetPanelWidths(PanelWidths),
    /// Sets dark, light, or the system's colours.
    SetTheme(ThemeChoice),
    /// Looks through a lens with this vertical field of view, radians; what is at the target stays as large as it is.
    SetFov(f32),
    /// Turns about the target, radians.
    Orbit {
        /// Turn about +Y, radians.
        yaw: f32,
        /// Turn upwards, radians.
        pitch: f32,
    },
    /// Moves the camera in its picture plane, with the pointer.
    Pan {
        /// Way of the pointer, points.
        delta: Vec2,
        /// Height of the viewport, points.
        viewport_height: f32,
    },
    /// Moves towards what is under the pointer, or away.
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
    /// Plays this part of the clip, from and to, seconds; `None` for all of it.
    SetPlayedPart(Option<[f32; 2]>),
    /// Sets the factor on time.
    SetSpeed(f32),
    /// Puts a built-in character into a telling pose.
    ShowMe(ShowMe),
    /// Goes to a step of the tour.
    GoToTourStep(usize),
    /// Shows a notice.
    Notify(Notice),
    /// Draws a picture again that could not be drawn.
    DrawAgain,
    /// Dismisses the notice.
    DismissNotice,
    /// Looks through a camera of the file, by its position in `Rig::cameras`.
    LookThrough(usize),
    /// Does something with a view that is kept under a name.
    SavedView(SavedViewCommand),
    /// Tells the viewport's width over its height.
    SetAspect(f32),
    /// Reads a pose file and applies it.
    LoadPose(PathBuf),
    /// Writes the pose to a file.
    WritePose(PathBuf),
    /// Writes something of the open character to a file, in the format that its name tells.
    Export(Exported, PathBuf),
    /// Does something with the poses of the library.
    Library(LibraryCommand),
    /// Reads a session file and goes on with it.
    LoadSession(PathBuf),
    /// Writes the session to a file.
    WriteSession(PathBuf),
    /// Writes the picture to a file.
    SavePicture(PathBuf),
    /// Writes a page of the open character.
    SaveReport(PathBuf),
    /// Sets what the film that is about to be saved shall show; `None` for no film.
    PlanFilm(Option<FilmPlan>),
    /// Asks for a place for the film.
    ChooseFilmPlace,
    /// Draws the planned film and writes it to a path.
    SaveFilm(PathBuf),
    /// Does something about a path that is asked for.
    Path(PathCommand),
    /// Opens what a session has open and goes on with it.
    OpenSession(Box<Session>),
    /// Says what to do with an edited pose that would be lost.
    Answer(Answer),
    /// Forgets the recent files.
    ClearRecent,
    /// Shows another scene of the open file; the pose stays.
    ShowScene(usize),
    /// Opens what was dropped on the window; where its clips fit the open character, the user says what it is for.
    Drop(Source),
    /// Puts the clips of another file onto the open character.
    UseClips(Source),
    /// Stops opening the file that is on its way.
    CancelLoad,
    /// Opens the guide in the browser at a place, as `posing#limit-joints`.
    OpenGuide(String),
}

/// Things that the state cannot do itself and asks of the program around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Read a file beside the frame loop, then hand it over as [`Arrived::Document`](super::Arrived::Document).
    Load {
        source: Source,
        /// The number of its scene to show; `None` for its default one.
        scene: Option<usize>,
        /// Other files whose clips it gets.
        clips_from: Vec<Source>,
        /// What to do with the document.
        then: AfterLoad,
    },
    /// Look for the newest session that ended with an edited pose, then hand it over as [`Arrived::SessionRead`](super::Arrived::SessionRead).
    FindSession,
    /// Read or write files beside the frame loop, after those that were asked for before, then hand over what came of it.
    Disk(DiskJob),
    /// Stop reading.
    CancelLoad,
    /// Read the folders of the pose library again beside the frame loop, then hand them over as [`Arrived::PosesListed`](super::Arrived::PosesListed).
    ListPoses,
    /// Test a joint beside the frame loop, then hand the result over as [`Arrived::Tested`](super::Arrived::Tested).
    TestTwist(Box<TwistPlan>),
    /// Rank all joints beside the frame loop, then hand them over as [`Arrived::Ranked`](super::Arrived::Ranked).
    RankJoints(TestPose),
    /// Edit weights beside the frame loop, then hand over what came of it.
    EditWeights(Box<WeightEditPlan>),
    /// Simulate engines beside the frame loop, then hand the result over as [`Arrived::Simulated`](super::Arrived::Simulated).
    Simulate(Box<SimulationPlan>),
    /// Stop test, ranking and simulation.
    CancelTest,
    /// Cancel this job.
    CancelJob(u64),
    /// Draw what is shown as a film and write it beside the frame loop.
    SaveFilm(FilmPlan, PathBuf),
    /// Make a page of what is open and write it beside the frame loop.
    SaveReport(PathBuf),
    /// Make a file of what is open and write it beside the frame loop, then hand over what came of it.
    Export(Saving),
    /// Open the guide in the browser, at a place of it or at its beginning, beside the frame loop.
    OpenGuide(Option<String>),
    /// Do what only a window can.
    Window(WindowRequest),
}

/// Things that the state asks of the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowRequest {
    /// Ask for a file or a place for one, then hand the path over with [`PathCommand::Answered`]; or ask in the window by [`PathCommand::Ask`]
    /// where the desktop does not.
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
    /// Goes to the filter of the joint tree.
    FilterJoints,
    /// Use this theme.
    SetTheme(ThemeChoice),
    /// End the program.
    Quit,
}

impl Request {
    /// Read a file in its default scene.
    pub(super) fn load(source: Source, then: AfterLoad) -> Self {
        Self::Load { source, scene: None, clips_from: Vec::new(), then }
    }

    /// Read the file of a session as it was shown, then go on with the session.
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
