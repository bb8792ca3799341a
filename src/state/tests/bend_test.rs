//! Tests that the bend test runs on request, tells whether it is current, and shows its poses as one undo step.

use crate::import::Job;
use crate::rig::Trs;
use crate::skinning::Method;
use crate::stage::{
    BendTest, BendTestPlan, BuiltIn, CurrentRequest, DerivedKind, DerivedRequest, Document, RequestState,
};
use crate::state::{Action, AfterLoad, AppState, Command, JobResult};
use crate::view::Side;

fn wanted(state: &AppState) -> Option<DerivedRequest> {
    state.next_wanted(DerivedKind::new::<BendTestPlan>())
}

fn run(state: &mut AppState) {
    let asked = wanted(state).unwrap();
    state.receive(JobResult::Derived(asked.run(&Job::default())));
}

fn tested(state: &AppState) -> (&BendTest, bool) {
    let RequestState::Known { value: test, is_current, .. } = BendTestPlan::state(&state.open.stage) else {
        panic!("{:?}", BendTestPlan::state(&state.open.stage))
    };
    (test, is_current)
}

#[test]
fn the_bend_test_runs_on_request_and_tells_whether_it_is_current() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    assert!(matches!(BendTestPlan::state(&state.open.stage), RequestState::Missing) && wanted(&state).is_none());
    state.apply(Command::Do(Action::TestBend));
    assert!(matches!(BendTestPlan::state(&state.open.stage), RequestState::Awaited));
    run(&mut state);
    let told = state.notices.newest().map(|notice| notice.text.clone()).unwrap_or_default();
    let (test, is_current) = tested(&state);
    assert!(is_current && test.report.poses.len() > 4 && test.report.poses[0].severity > 0.0);
    assert!(told.starts_with("Bend test: ") && told.contains("beyond a limit"), "{told}");
    state.apply(Command::SetSkinning(Side::B, Method::Sclerp.into()));
    assert!(tested(&state).1, "side B is not tested");
    state.apply(Command::SetSkinning(Side::A, Method::Dqs.into()));
    assert!(!tested(&state).1);
    state.apply(Command::TestBend(true));
    state.apply(Command::TestBend(false));
    assert!(wanted(&state).is_none(), "cancelled");
    assert!(!tested(&state).1, "the last result stays");
    state.receive(JobResult::Document(Box::new(Document::built_in(BuiltIn::Figure)), AfterLoad::Show));
    assert!(matches!(BendTestPlan::state(&state.open.stage), RequestState::Missing), "that of another file");
}

#[test]
fn poses_of_the_bend_test_are_one_undo_step_and_stop_the_clip() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    let joint = state.open.stage.rig().hierarchy.node_named("Near").unwrap();
    state.apply(Command::Edit { node: joint, user_local: Trs::from_rotation(glam::Quat::from_rotation_x(0.2)) });
    let (before, steps) = (state.open.stage.pose().clone(), state.open.history.len());
    state.apply(Command::TestBend(true));
    run(&mut state);
    state.apply(Command::SetClip(Some(0)));
    for index in [0, 3] {
        state.apply(Command::ShowBendPose(Some(index)));
        let result = tested(&state).0.report.poses[index].clone();
        let stage = &state.open.stage;
        assert_eq!(*stage.pose(), result.pose.pose(stage.rig()));
        assert_eq!((stage.view.selected_bend_pose(), stage.view.active_joint()), (Some(index), result.pose.joint));
        assert_eq!(stage.view.marked.len(), usize::from(result.worst_value().unwrap().1.vertex.is_some()));
        assert_eq!(stage.playback.clip, None);
        assert_eq!(state.open.history.len(), steps + 1, "from one pose to the next is one step");
    }
    state.apply(Command::ShowBendPose(None));
    assert!(*state.open.stage.pose() == before && state.open.stage.view.selected_bend_pose().is_none());
    state.apply(Command::ShowBendPose(Some(1)));
    state.apply(Command::Do(Action::Undo));
    assert_eq!(*state.open.stage.pose(), before);
    state.apply(Command::ShowBendPose(Some(usize::MAX)));
    assert_eq!(*state.open.stage.pose(), before, "no such pose");
}

#[test]
fn rigs_without_joints_have_an_empty_bend_test() {
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    let empty = crate::rig::Rig::new(crate::rig::RigData::default());
    let document = Document::new(state.open.stage.document.source.clone(), empty, Vec::new());
    state.receive(JobResult::Document(Box::new(document), AfterLoad::Show));
    assert!(!state.can(Action::TestBend));
    state.apply(Command::TestBend(true));
    run(&mut state);
    assert!(tested(&state).0.report.poses.is_empty());
}
