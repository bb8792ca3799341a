//! Tests the effect of each command: whether it is an undo step, the step's name, and what a session stores.

use std::path::PathBuf;
use std::sync::OnceLock;

use glam::{Quat, Vec2, Vec3};

use super::*;
use crate::analysis::twist::{RotationKind, TestRange};
use crate::gizmo::Orientation;
use crate::import::Job;
use crate::posing::{AxisLimit, JointLimits};
use crate::rig::{
    EulerOrder, Expression, ExpressionIndex, FileCamera, FileLens, FirstPersonVisibility, LookAtTarget, MorphIndex,
    MorphTarget, NodeIndex, Pin, Rig, RigData, Trs,
};
use crate::skinning::Method;
use crate::stage::{BuiltIn, DerivedKind, Document, Session, TwistPlan, VertexBox, VertexClick};
use crate::state::edit::clipboard::copied_pose;
use crate::state::{
    ACTIONS, Action, Choices, ConfirmAnswer, ImageSize, JobResult, LibraryCommand, LibraryPoseOptions, NumberTable,
    PanelEdge, PanelSizes, PathCommand, PosingOptions, SavedViewCommand, Settings, Shortcuts, TestStart, ThemeChoice,
    TrackDrawer,
};
use crate::view::{Display, Ghost, HiddenItems, Layout, Overlay, Ray, Shading, ShownPose, Side, SideOptions, Wipe};
use crate::weights::{Recipe, Repair, WeightChoice, Weighting};

mod sequences;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Changes the user's choices in an undo step with this name. A session stores the change.
    Step(&'static str),
    /// Begins, continues or ends an undo step, or moves through the history.
    Stepping,
    /// Changes the view without an undo step. A session stores the change.
    Look,
    /// Changes the window or a global setting. Neither undo nor sessions include the change.
    Passing,
    /// Requests file access, which later causes another command or result.
    Files,
}
use Kind::{Files, Look as Looking, Passing, Step, Stepping};

/// Creates a command. May prepare the state for it.
type Sample = fn(&mut AppState) -> Command;

/// Declares one row per command. The rows become arms of a `match`, so the compiler reports missing commands.
macro_rules! commands {
    ($($command:pat => $kind:expr, $sample:expr;)*) => {
        fn kind(command: &Command) -> Kind {
            match command {
                Command::Do(action) => kind_of_action(*action),
                $($command => $kind,)*
            }
        }

        const SAMPLES: &[(Kind, Sample)] = &[$(($kind, $sample),)*];
    };
}

commands! {
    Command::Open(_) => Files, |_| Command::Open(tube());
    Command::OpenAll(..) => Files, |_| Command::OpenAll(vec![tube()], AfterLoad::Pose(vec![nowhere()]));
    Command::Select(_) => Looking, |s| Command::Select(Some(named(s, "Head")));
    Command::ToggleSelected(_) => Looking, |s| Command::ToggleSelected(named(s, "Head"));
    Command::PickSkin { .. } => Looking, |_| Command::PickSkin { side: Side::A, ray: RAY, adds: false };
    Command::OpenMenu(_) => Looking, |s| Command::OpenMenu(crate::state::MenuTarget::Joint(named(s, "Head")));
    Command::ProbeAt { .. } => Passing, |_| Command::ProbeAt { side: Side::A, ray: RAY, adds: false };
    // Becomes an undo step when the edit's result arrives; see `tests/files/edited_weights.rs`.
    Command::ClickVertex { .. } => Passing, |_| Command::ClickVertex { side: Side::A, ray: RAY, click: VertexClick { adds: false, takes_piece: false } };
    Command::BoxVertices(_) => Passing, |s| Command::BoxVertices(Box::new(VertexBox { side: Side::A, lens: s.open.stage.view.camera.lens(Vec2::ONE), min: Vec2::ZERO, max: Vec2::ONE, adds: true }));
    Command::SetWeightAmount(_) => Passing, |_| Command::SetWeightAmount(0.25);
    Command::SetSelectThrough(_) => Passing, |_| Command::SetSelectThrough(true);
    Command::ToggleLocked(_) => Looking, |_| Command::ToggleLocked(NodeIndex(1));
    Command::RemoveProbe(_) => Passing, |s| { s.apply(Command::ProbeAt { side: Side::A, ray: RAY, adds: false }); Command::RemoveProbe(0) };
    Command::PointAt(_) => Passing, |_| Command::PointAt(Some((Side::A, RAY)));
    Command::SelectAll(_) => Looking, |s| Command::SelectAll(vec![named(s, "Head")]);
    Command::Request(..) => Passing, |_| Command::Request(DerivedKind::ALL[0], true);
    Command::CancelJob(_) => Passing, |_| Command::CancelJob(1);
    Command::SetTestMotion(_) => Passing, |_| Command::SetTestMotion(RotationKind::Bend);
    Command::SetRankRange(_) => Passing, |_| Command::SetRankRange(TestRange::Full);
    Command::SetTestStart(_) => Passing, |_| Command::SetTestStart(TestStart::Rest);
    Command::TurnHinge(_) => Passing, |_| Command::TurnHinge(0.5);
    Command::PoseByTest(_) => Step("Rotate LeftLowerArm 90°"), |s| { tested(s); Command::PoseByTest(50_f32.to_radians()) };
    Command::CancelTest(_) => Passing, |_| Command::CancelTest(DerivedKind::new::<crate::stage::TwistPlan>());
    Command::Simulate { .. } => Passing, |_| Command::Simulate { is_clip: false };
    Command::ShowPlace(_) => Looking, |_| Command::ShowPlace(crate::analysis::lint::Target::File);
    Command::SelectFinding(_) => Looking, |_| Command::SelectFinding(None);
    Command::ShowChange(_) => Looking, |_| Command::ShowChange(Some(0));
    Command::ShowWeightDifference(_) => Looking, |_| Command::ShowWeightDifference(true);
    Command::SetSidePanel(_) => Passing, |_| Command::SetSidePanel(SidePanel::Compare);
    Command::DockTab(..) => Passing, |_| Command::DockTab(SidePanel::Compare, PanelEdge::Bottom);
    Command::Hover(_) => Passing, |s| Command::Hover(Some(named(s, "Head")));
    Command::BeginEdit => Stepping, |_| Command::BeginEdit;
    Command::Edit { .. } => Step("Rotate Head −50°"), |s| Command::Edit { node: named(s, "Head"), user_local: turn(-50.0) };
    Command::EditMany(_) => Step("Rotate 2 joints 20°"), |s| Command::EditMany(["Head", "RightLowerArm"].map(|name| posed(s, name, 20.0)).into());
    Command::SetMorphs(_) => Step("Smile −0.25"), |_| Command::SetMorphs(vec![(MorphIndex(0), -0.25)]);
    Command::SetExpressions(_) => Step("happy 0.50"), |_| Command::SetExpressions(vec![(ExpressionIndex(0), 0.5)]);
    Command::SetLookAt(_) => Step("Look 20°, −5°"), |_| Command::SetLookAt(Some(LookAtTarget::Angles { yaw_deg: 20.0, pitch_deg: -5.0 }));
    Command::ChooseMorph(_) => Looking, |_| Command::ChooseMorph(MorphIndex(1));
    Command::Pull { .. } => Stepping, |s| { s.apply(Command::BeginEdit); Command::Pull { node: named(s, "LeftHand"), target: Vec3::Y } };
    Command::EndEdit => Stepping, |s| { s.apply(Command::BeginEdit); Command::EndEdit };
    Command::CancelEdit => Stepping, |s| { s.apply(Command::BeginEdit); Command::CancelEdit };
    Command::SetPose { .. } => Step("Bow"), |s| Command::SetPose { pose: crate::rig::Pose::rest(&s.open.stage.rig().hierarchy), label: "Bow".to_owned() };
    Command::BlendPose(_) => Step("Blend from rest to 30 %"), |_| Command::BlendPose(0.3);
    Command::GoToStep(_) => Stepping, |_| Command::GoToStep(0);
    Command::SetLimits { .. } => Step("Limit Head X −10° to 150°, Y locked at 0°"), |s| limits(s, [AxisLimit::Limited { min: -10_f32.to_radians(), max: 150_f32.to_radians() }, AxisLimit::Locked(0.0), AxisLimit::Free]);
    Command::SetEulerOrder(_) => Passing, |_| Command::SetEulerOrder(EulerOrder::Zyx);
    Command::Paste { .. } => Step("Paste Head"), |s| Command::Paste { text: copied(s), is_mirrored: false };
    Command::SetPosing(_) => Passing, |_| Command::SetPosing(PosingOptions { ik: true, ..PosingOptions::default() });
    Command::SetMethod(_) => Step("Method of A: DQS"), |_| Command::SetMethod(Method::Dqs);
    Command::SetSkinning(..) => Step("Method of B: Blend, 40 % DQS"), |_| Command::SetSkinning(Side::B, Method::Blend(0.4).into());
    Command::SetWeights(..) => Step("Weights of B: Rigid"), |_| Command::SetWeights(Side::B, rigid());
    Command::RepairWeights(_) => Step("Weights of A: File, fixed"), |_| Command::RepairWeights(Repair::Limit);
    Command::AskForPath(_) => Files, |_| Command::AskForPath(PathUse::TransferWeights(Side::B));
    Command::UsePath(PathUse::TransferWeights(_), _) => Step("Weights of B: rig.glb"), |_| Command::UsePath(PathUse::TransferWeights(Side::B), nowhere());
    Command::UsePath(PathUse::CompareWith, _) => Step("File of B: rig.glb"), |_| Command::UsePath(PathUse::CompareWith, nowhere());
    Command::UsePath(PathUse::AttachOutfit, _) => Step("File of B: Changed skeleton (attach)"), |_| Command::UsePath(PathUse::AttachOutfit, nowhere());
    Command::UsePath(PathUse::CompareWithPoints, _) => Step("File of B: rig.glb"), |_| Command::UsePath(PathUse::CompareWithPoints, nowhere());
    Command::CompareWith(_) => Step("File of B: rig.glb"), |_| Command::CompareWith(ShownFile::file_at(&nowhere()));
    // Environment maps take effect when they have been read; see `tests/files/session.rs`.
    Command::UsePath(..) => Files, |_| Command::UsePath(PathUse::OpenPose, nowhere());
    Command::RecomputeWeights(_) => Passing, |_| Command::RecomputeWeights(Side::A);
    Command::CancelWeights(_) => Stepping, |s| { s.apply(Command::SetWeights(Side::A, rigid())); Command::CancelWeights(Side::A) };
    Command::ReloadComparisonFile(_) => Passing, |_| Command::ReloadComparisonFile(Side::B);
    Command::CancelComparisonFile(_) => Stepping, |s| { s.apply(Command::UsePath(PathUse::CompareWith, nowhere())); Command::CancelComparisonFile(Side::B) };
    Command::ShowWeightProblem(_) => Looking, |_| Command::ShowWeightProblem(None);
    Command::TestBend(_) => Passing, |_| Command::TestBend(true);
    Command::ShowBendPose(_) => Looking, |_| Command::ShowBendPose(None);
    Command::SetSideOptions(..) => Step("Pose of B: rest"), |_| Command::SetSideOptions(Side::B, SideOptions { pose: ShownPose::Rest, ..SideOptions::default() });
    Command::SetOverlay(..) => Step("Overlay on B: Distance between A and B"), |_| Command::SetOverlay(Side::B, Some(Overlay::Distance));
    Command::Shade(_) => Step("Overlay on A and B: Distance between A and B"), |_| Command::Shade(Shading::Overlay(Overlay::Distance));
    Command::SetRange(..) => Step("Range of B: 0 to 0.05"), |s| { s.apply(Command::SetOverlay(Side::B, Some(Overlay::Distance))); Command::SetRange(&[Side::B], Some([0.0, 0.05])) };
    Command::SetLayout(_) => Looking, |_| Command::SetLayout(Layout::Ghost);
    Command::SetWipe(_) => Looking, |_| Command::SetWipe(Wipe { angle: 0.4, offset: 0.1 });
    Command::SetGhost(_) => Looking, |_| Command::SetGhost(Ghost::Outline);
    Command::SetCompareInClay(_) => Looking, |s| Command::SetCompareInClay(!s.open.stage.view.compare.is_clay);
    Command::Blink(_) => Passing, |_| Command::Blink(true);
    Command::SetOrientation(_) => Passing, |_| Command::SetOrientation(Orientation::World);
    Command::SetDisplay(_) => Looking, |s| Command::SetDisplay(Display { axes: true, ..s.open.stage.view.display });
    Command::SetEnvironment(_) => Looking, |_| Command::SetEnvironment(Environment::Outdoor);
    Command::TurnLight(_) => Looking, |_| Command::TurnLight(0.5);
    Command::Hide { .. } => Step("Hide all"), |_| Command::Hide { hidden: HiddenItems { meshes: [0].into(), ..HiddenItems::default() }, label: "Hide all".to_owned() };
    Command::SetShortcuts(_) => Passing, |_| Command::SetShortcuts(Shortcuts::default());
    Command::SetNarrow(_) => Passing, |_| Command::SetNarrow(true);
    Command::SetPanelSizes(_) => Passing, |_| Command::SetPanelSizes(PanelSizes { left: 200.0, ..PanelSizes::default() });
    Command::SetTrackDrawer(_) => Passing, |_| Command::SetTrackDrawer(TrackDrawer { is_open: true, ..TrackDrawer::default() });
    Command::RankClips(_) => Passing, |_| Command::RankClips(true);
    Command::DiagnosePoints(_) => Passing, |_| Command::DiagnosePoints(true);
    Command::SetScale(_) => Passing, |_| Command::SetScale(1.3);
    Command::SetTheme(_) => Passing, |_| Command::SetTheme(ThemeChoice::Light);
    Command::SetFov(_) => Looking, |_| Command::SetFov(1.0);
    Command::LookThrough(_) => Looking, |_| Command::LookThrough(0);
    Command::SavedView(SavedViewCommand::Show(_)) => Looking, |s| { s.apply(Command::Do(Action::SaveView)); orbit(s); Command::SavedView(SavedViewCommand::Show("View 1".to_owned())) };
    Command::SavedView(SavedViewCommand::Rename(..)) => Step("Rename View 1 to Far"), |s| { s.apply(Command::Do(Action::SaveView)); Command::SavedView(SavedViewCommand::Rename("View 1".to_owned(), "Far".to_owned())) };
    Command::SavedView(SavedViewCommand::Replace(_)) => Step("Replace View 1"), |s| { s.apply(Command::Do(Action::SaveView)); orbit(s); Command::SavedView(SavedViewCommand::Replace("View 1".to_owned())) };
    Command::SavedView(SavedViewCommand::Delete(_)) => Step("Delete View 1"), |s| { s.apply(Command::Do(Action::SaveView)); Command::SavedView(SavedViewCommand::Delete("View 1".to_owned())) };
    Command::Orbit { .. } => Looking, |_| Command::Orbit { yaw: 0.2, pitch: 0.1 };
    Command::Pan { .. } => Looking, |_| Command::Pan { delta: Vec2::splat(9.0), viewport_height: 400.0 };
    Command::Zoom { .. } => Looking, |_| Command::Zoom { factor: 0.5, cursor: Vec2::splat(9.0), viewport: Vec2::splat(400.0) };
    Command::SetClip(_) => Looking, |_| Command::SetClip(Some(1));
    Command::Seek(_) => Looking, |s| { s.apply(Command::SetClip(Some(1))); Command::Seek(0.25) };
    Command::SetPlayedPart(_) => Looking, |s| { s.apply(Command::SetClip(Some(1))); Command::SetPlayedPart(Some([0.1, 0.3])) };
    Command::SetWind(_) => Passing, |_| Command::SetWind(Vec3::X);
    Command::SetSpeed(_) => Passing, |_| Command::SetSpeed(0.5);
    Command::ShowMe(_) => Files, |_| Command::ShowMe(ShowMe::CandyWrapper);
    Command::GoToTourStep(_) => Files, |_| Command::GoToTourStep(0);
    Command::AnswerTour(_) => Passing, |_| Command::AnswerTour(0);
    Command::Notify(_) => Passing, |_| Command::Notify(Notice::info("Done"));
    Command::RetryDraw => Passing, |_| Command::RetryDraw;
    Command::DismissNotice => Passing, |_| Command::DismissNotice;
    Command::SetAspect(_) => Passing, |_| Command::SetAspect(2.0);
    // Becomes an undo step if the library has the pose; see `tests/panels/pose_library.rs`.
    Command::Library(LibraryCommand::Blend { .. }) => Stepping, |_| Command::Library(LibraryCommand::Blend { path: nowhere(), share: 0.5, options: LibraryPoseOptions::default() });
    Command::Library(LibraryCommand::Select(_) | LibraryCommand::Name(_) | LibraryCommand::DismissRemoved) => Passing, |_| Command::Library(LibraryCommand::DismissRemoved);
    Command::Library(LibraryCommand::Save(_) | LibraryCommand::SaveOver(_) | LibraryCommand::Rename(..) | LibraryCommand::Delete(_) | LibraryCommand::Restore) => Files, |_| Command::Library(LibraryCommand::Restore);
    Command::SetImageSize(_) => Passing, |_| Command::SetImageSize(ImageSize::Double);
    Command::PlanVideo(_) => Passing, |_| Command::PlanVideo(None);
    Command::ChooseVideoPath => Files, |_| Command::ChooseVideoPath;
    Command::Path(_) => Files, |_| Command::Path(PathCommand::Cancel);
    Command::OpenSession(_) => Files, |s| Command::OpenSession(Box::new(s.open.snapshot().session()));
    Command::Answer(_) => Files, |_| Command::Answer(ConfirmAnswer::Cancel);
    Command::ClearRecent => Passing, |_| Command::ClearRecent;
    Command::ShowScene(_) => Files, |_| Command::ShowScene(0);
    Command::Drop(_) => Files, |_| Command::Drop(tube());
    Command::CancelLoad => Files, |_| Command::CancelLoad;
    Command::OpenGuide(_) => Files, |_| Command::OpenGuide("posing#posing".to_owned());
}

/// Returns the step of an action that changes the skeleton.
fn kind_of_skeleton_action(action: Action) -> Option<Kind> {
    Some(match action {
        Action::PoseAsRest | Action::BindAsRest => Step("File of B: Changed skeleton (pose-as-rest)"),
        Action::ResetBinds => Step("File of B: Changed skeleton (reset-binds)"),
        Action::FreezeScale => Step("File of B: Changed skeleton (freeze-scale)"),
        Action::FreezeRoot => Step("File of B: Changed skeleton (freeze-root)"),
        Action::TurnUpright => Step("File of B: Changed skeleton (up)"),
        Action::ConvertToMetres => Step("File of B: Changed skeleton (to-unit)"),
        Action::DropUnusedJoints => Step("File of B: Changed skeleton (drop-unused)"),
        Action::MergeSkins => Step("File of B: Changed skeleton (merge-skins)"),
        Action::AddRoot => Step("File of B: Changed skeleton (add-root)"),
        Action::AddTwistJoints => Step("File of B: Changed skeleton (add-twist)"),
        Action::LimitInfluences => Step("File of B: Changed skeleton (limit-influences)"),
        Action::RenameToVrm
        | Action::RenameToMixamo
        | Action::RenameToUnreal
        | Action::RenameToUnity
        | Action::RenameToGodot
        | Action::RenameToRigify
        | Action::RenameToArkit => Step("File of B: Changed skeleton (rename)"),
        _ => return None,
    })
}

fn kind_of_action(action: Action) -> Kind {
    kind_of_skeleton_action(action).unwrap_or_else(|| kind_of_other_action(action))
}

fn kind_of_other_action(action: Action) -> Kind {
    match action {
        Action::StopComparing => Step("File of B: the open one"),
        Action::Undo | Action::Redo | Action::ApplyPins => Stepping,
        Action::MirrorJoints => Step("Mirror LeftLowerArm"),
        Action::MirrorPose => Step("Mirror pose"),
        Action::ResetRotation => Step("Clear rotation of LeftLowerArm"),
        Action::ResetTranslation => Step("Clear position of LeftLowerArm"),
        Action::ResetScale => Step("Clear scale of LeftLowerArm"),
        Action::ResetTranslationAndScale => Step("Clear position and scale of LeftLowerArm"),
        Action::ResetJoint => Step("Clear LeftLowerArm"),
        Action::ResetSubtree => Step("Clear LeftLowerArm and below"),
        Action::ResetAll => Step("Clear all"),
        Action::ResetMorphs => Step("Clear morph targets"),
        Action::RestPose => Step("Rest pose"),
        Action::BindPose => Step("Bind pose"),
        Action::ClipPose => Step("Clip pose"),
        Action::UserPose => Step("User pose"),
        Action::ToggleExpressions => Step("Expressions off"),
        Action::ToggleLookAt => Step("Gaze off"),
        Action::ToggleConstraints => Step("Constraints off"),
        Action::ToggleFirstPerson => Step("First person"),
        Action::ToggleSprings => Step("Springs off"),
        Action::NextMethod => Step("Method of A: DQS"),
        Action::SwapSides => Step("Swap A and B"),
        Action::TogglePin => Step("Pin LeftLowerArm"),
        Action::SaveView => Step("Save View 1"),
        Action::ClearSelection
        | Action::SelectParent
        | Action::SelectChild
        | Action::SelectSubtree
        | Action::NextLayout
        | Action::LayoutSingle
        | Action::LayoutWipe
        | Action::LayoutSideBySide
        | Action::LayoutGhost
        | Action::FrameSelected
        | Action::FrameAll
        | Action::ToggleFollow
        | Action::ToggleFollowRoot
        | Action::ViewFront
        | Action::ViewRight
        | Action::ViewTop
        | Action::ViewBack
        | Action::ViewLeft
        | Action::ViewBottom
        | Action::ToggleOrthographic
        | Action::FieldOfView20
        | Action::FieldOfView35
        | Action::FieldOfView50
        | Action::FieldOfView75
        | Action::ToggleBones
        | Action::ToggleBonesInFront
        | Action::BonesOctahedral
        | Action::BonesStick
        | Action::BonesLine
        | Action::NamesHovered
        | Action::NamesSelected
        | Action::NamesAll
        | Action::ToggleAxes
        | Action::ToggleTrails
        | Action::ToggleRootPath
        | Action::ToggleSpringWires
        | Action::ToggleGrid
        | Action::ToggleEnvironmentBackground
        | Action::ToggleWireframe
        | Action::ToggleClay
        | Action::TogglePlay
        | Action::ToggleHoldRoot
        | Action::StepBack
        | Action::StepForward
        | Action::PlayFromHere
        | Action::RankClips
        | Action::DiagnosePoints
        | Action::PlayToHere
        | Action::PlayAll
        | Action::PreviousKey
        | Action::NextKey
        | Action::LockWeights => Looking,
        // Actions that open, save, export, select vertices or change the window affect neither choices nor sessions.
        _ => Passing,
    }
}

const RAY: Ray = Ray { origin: Vec3::new(0.0, 1.0, 9.0), direction: Vec3::NEG_Z };

fn nowhere() -> PathBuf {
    std::path::absolute("nowhere/rig.glb").unwrap()
}

fn tube() -> Source {
    Source::BuiltIn(BuiltIn::Tube)
}

fn named(state: &AppState, name: &str) -> NodeIndex {
    let hierarchy = &state.open.stage.rig().hierarchy;
    hierarchy.node_named(name).unwrap()
}

fn turn(degrees: f32) -> Trs {
    Trs::from_rotation(Quat::from_rotation_x(degrees.to_radians()))
}

fn posed(state: &AppState, name: &str, degrees: f32) -> PosedJoint {
    PosedJoint { node: named(state, name), user_local: turn(degrees) }
}

fn limits(state: &AppState, axes: [AxisLimit; 3]) -> Command {
    Command::SetLimits { node: named(state, "Head"), limits: JointLimits { axes, ..JointLimits::default() } }
}

fn rigid() -> WeightChoice {
    WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() })
}

fn copied(state: &mut AppState) -> String {
    let text = copied_pose(&state.open.stage).unwrap_or_default();
    state.apply(Command::Select(Some(named(state, "Head"))));
    text
}

fn orbit(state: &mut AppState) {
    state.apply(Command::Orbit { yaw: 0.3, pitch: 0.0 });
}

fn tested(state: &mut AppState) {
    state.apply(Command::SetTestMotion(RotationKind::Bend));
    state.apply(Command::Do(Action::TestTwist));
    let wanted = state.next_wanted(DerivedKind::new::<TwistPlan>()).unwrap();
    state.receive(JobResult::Derived(wanted.run(&Job::default())));
    state.apply(Command::Do(Action::ResetRotation));
}

/// Returns the figure with two morph targets, an expression and a camera.
fn document() -> Document {
    static FIGURE: OnceLock<Document> = OnceLock::new();
    FIGURE.get_or_init(read_figure).clone()
}

fn read_figure() -> Document {
    let figure = Document::built_in(BuiltIn::Figure);
    let mut parts = RigData::clone(&figure.rig);
    let mesh = &mut parts.meshes[0];
    mesh.target_names = ["Smile", "Frown"].map(str::to_owned).to_vec();
    for primitive in &mut mesh.primitives {
        let positions = vec![Vec3::Y * 0.01; primitive.positions.len()];
        primitive.morph_targets = vec![MorphTarget { positions, ..MorphTarget::default() }; 2];
    }
    for instance in parts.instances.iter_mut().filter(|instance| instance.mesh == 0) {
        instance.morph_weights = vec![0.0; 2];
    }
    parts.seen_by = vec![FirstPersonVisibility::All; parts.instances.len()];
    parts.seen_by[0] = FirstPersonVisibility::Observers;
    parts.expressions = vec![Expression { name: "happy".to_owned(), is_preset: true, ..Expression::default() }];
    let lens = FileLens::Perspective(0.5);
    parts.cameras =
        vec![FileCamera { source: 0, name: "Close".to_owned(), node: NodeIndex(0), turn: Quat::IDENTITY, lens }];
    Document::new(figure.source, Rig::new(parts), Vec::new())
}

/// Returns a state in which a joint is selected and posed, a morph target has a weight, and both sides are visible.
fn state() -> AppState {
    let mut state = AppState::new(document(), Settings::default());
    let node = named(&state, "LeftLowerArm");
    let user_local = Trs { translation: Vec3::X * 0.01, scale: Vec3::splat(1.2), ..turn(40.0) };
    state.apply(Command::Select(Some(node)));
    state.apply(Command::Edit { node, user_local });
    state.apply(Command::SetMorphs(vec![(MorphIndex(1), 0.5)]));
    state.apply(Command::SetLayout(Layout::Wipe));
    state.open.stage.refresh();
    state
}

fn choices(state: &AppState) -> Choices {
    let choices = Choices::from_stage(&state.open.stage);
    // Ignores the behaviour settings, camera and spring motion in the pose.
    Choices { pose: choices.pose.clone().bare(), ..choices }
}

/// Saves a session and restores it in a new state.
fn again(state: &AppState) -> AppState {
    let session = Session::parse(state.open.snapshot().session().to_json().as_bytes()).unwrap();
    let mut again = AppState::new(document(), Settings::default());
    again.receive(JobResult::Document(Box::new(document()), AfterLoad::Restore(Box::new(session))));
    again
}

/// True if the choices are equal within rounding errors. Files normalise rotations and omit joints that barely moved.
fn is_same(one: &Choices, other: &Choices) -> bool {
    let is_same_pose = (0..one.pose.len() as u32).map(NodeIndex).all(|node| {
        let (one, other) = (one.pose.user_local(node), other.pose.user_local(node));
        (one.rotation.dot(other.rotation).abs() - 1.0).abs() < 1e-5
            && one.translation.abs_diff_eq(other.translation, 1e-5)
            && one.scale.abs_diff_eq(other.scale, 1e-5)
    });
    let is_same_face = one.pose.morph_weights().eq(other.pose.morph_weights());
    // Sessions round pins to nanometres.
    let is_same_pin = |(one, other): (&Pin, &Pin)| {
        (one.node, one.rotation) == (other.node, other.rotation) && one.position.abs_diff_eq(other.position, 1e-9)
    };
    let has_same_pins = one.pins.len() == other.pins.len() && one.pins.iter().zip(&other.pins).all(is_same_pin);
    let rest = Choices { pose: other.pose.clone(), pins: other.pins.clone(), ..one.clone() };
    is_same_pose && is_same_face && has_same_pins && rest == *other
}

/// Returns the differences between a command's actual and expected effects.
fn faults(kind: Kind, mut state: AppState, command: Command) -> Vec<String> {
    let called = format!("{command:?}");
    state.open.stage.refresh();
    let (before, steps, session) =
        (choices(&state), state.open.history.done(), state.open.snapshot().session().to_json());
    state.apply(command);
    state.open.stage.refresh();
    let (after, now) = (choices(&state), state.open.snapshot().session().to_json());
    let label = state.open.history.undo_label().map(str::to_owned);
    let is_step = state.open.history.done() == steps + 1 && before != after;
    let is_left_alone = state.open.history.done() == steps && before == after;
    let wrong = match kind {
        Step(expected) => {
            let is_kept = is_same(&choices(&again(&state)), &after);
            state.apply(Command::Do(Action::Undo));
            let is_undone = choices(&state) == before;
            state.apply(Command::Do(Action::Redo));
            vec![
                (is_step, format!("is no step, or several: {label:?}")),
                (label.as_deref() == Some(expected), format!("is called {label:?} and not {expected:?}")),
                (is_kept, "is in no session".to_owned()),
                (is_undone, "is not undone".to_owned()),
                (choices(&state) == after, "is not done again".to_owned()),
            ]
        }
        Stepping => Vec::new(),
        Looking | Passing | Files => {
            let kept = || again(&state).open.snapshot().session().to_json();
            vec![
                (is_left_alone, format!("changes what is chosen, as {label:?}")),
                (kind != Passing || now == session, "is in a session".to_owned()),
                (kind != Looking || kept() == now, "is in no session".to_owned()),
            ]
        }
    };
    wrong.into_iter().filter(|(is_right, _)| !is_right).map(|(_, what)| format!("{called} {what}")).collect()
}

#[test]
fn every_command_is_a_step_that_is_undone_and_kept_or_changes_no_choice() {
    let found = SAMPLES.iter().flat_map(|(expected, sample)| {
        let mut state = state();
        let command = sample(&mut state);
        assert_eq!(kind(&command), *expected, "{command:?}");
        faults(*expected, state, command)
    });
    assert_eq!(found.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn paths_that_are_read_or_written_later_change_no_choice() {
    let exported = PathUse::Export(ExportKind::Mesh(Side::A));
    let numbers = PathUse::SaveNumbers(NumberTable::Test);
    let reading =
        [PathUse::OpenRig, PathUse::UseClips, PathUse::OpenPose, PathUse::OpenEnvironment, PathUse::OpenSession];
    let saving = [
        PathUse::SavePose,
        PathUse::SaveSession,
        PathUse::SaveImage,
        PathUse::SaveReport { has_bend_test: false },
        numbers,
        exported,
    ];
    let found = reading.into_iter().chain(saving).flat_map(|purpose| {
        let command = Command::UsePath(purpose, nowhere());
        assert_eq!(kind(&command), Files, "{command:?}");
        faults(Files, state(), command)
    });
    assert_eq!(found.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn every_action_is_a_step_that_is_undone_and_kept_or_changes_no_choice() {
    let found = ACTIONS.iter().flat_map(|spec| {
        let mut state = state();
        match spec.action {
            Action::StopComparing => _ = state.apply(Command::UsePath(PathUse::CompareWith, nowhere())),
            // With two visible sides, the action may swap them.
            Action::NextMethod => _ = state.apply(Command::SetLayout(Layout::Single)),
            Action::UserPose => _ = state.apply(Command::Do(Action::RestPose)),
            _ => {}
        }
        faults(kind_of_action(spec.action), state, Command::Do(spec.action))
    });
    assert_eq!(found.collect::<Vec<_>>(), [""; 0]);
}
