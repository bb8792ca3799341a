use glam::{Quat, Vec3};

use crate::rig::{FileCamera, FileLens, NodeIndex, Rig, RigData, Trs};
use crate::stage::{BuiltIn, Document};
use crate::state::{Action, AppState, Command, Settings};

fn state() -> (AppState, NodeIndex) {
    let document = Document::built_in(BuiltIn::Tube);
    let node = document.rig.hierarchy.node_named("Middle").unwrap();
    let camera = FileCamera {
        source: 0,
        name: "Close".to_owned(),
        node,
        turn: Quat::IDENTITY,
        lens: FileLens::Perspective(0.5),
    };
    let parts = RigData { cameras: vec![camera], ..RigData::clone(&document.rig) };
    (AppState::new(Document::new(document.source, Rig::new(parts), Vec::new()), Settings::default()), node)
}

fn lift(state: &mut AppState, node: NodeIndex, by: f32) {
    let user_local = Trs { translation: Vec3::Y * by, ..Trs::IDENTITY };
    state.apply(Command::Edit { node, user_local });
    state.open.stage.refresh();
}

#[test]
fn the_camera_goes_with_the_joint_that_it_follows_until_it_does_no_longer() {
    let (mut state, node) = state();
    state.apply(Command::Do(Action::ToggleFollow));
    assert_eq!(state.open.stage.camera_tie.joint(), None, "nothing is selected");
    state.apply(Command::Select(Some(node)));
    state.apply(Command::Do(Action::ToggleFollow));
    let before = (state.open.stage.view.camera, state.open.stage.posed().position(node));
    lift(&mut state, node, 0.5);
    let moved = state.open.stage.posed().position(node) - before.1;
    assert!(moved.length() > 0.4);
    assert!((state.open.stage.view.camera.target - before.0.target).distance(moved) < 1e-6);
    assert_eq!(state.open.stage.view.camera.yaw, before.0.yaw);
    state.apply(Command::Do(Action::ToggleFollow));
    let here = state.open.stage.view.camera;
    lift(&mut state, node, 0.1);
    assert_eq!((state.open.stage.view.camera, state.open.stage.camera_tie.joint()), (here, None));
}

#[test]
fn the_camera_stands_still_while_the_joint_that_it_follows_is_dragged() {
    for ending in [Command::EndEdit, Command::CancelEdit] {
        let (mut state, node) = state();
        state.apply(Command::Select(Some(node)));
        state.apply(Command::Do(Action::ToggleFollow));
        let before = state.open.stage.view.camera;
        state.apply(Command::BeginEdit);
        lift(&mut state, node, 0.5);
        lift(&mut state, node, 0.7);
        assert_eq!(state.open.stage.view.camera, before, "during the drag");
        let told = format!("after {ending:?}");
        state.apply(ending);
        state.open.stage.refresh();
        assert_eq!(state.open.stage.view.camera, before, "{told}");
        lift(&mut state, node, 1.0);
        assert!(state.open.stage.view.camera.target.distance(before.target) > 0.25, "and goes with it again");
    }
}

#[test]
fn a_camera_of_the_file_moves_with_its_node_until_the_user_looks_elsewhere() {
    let (mut state, node) = state();
    state.apply(Command::LookThrough(0));
    assert_eq!(
        (state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera), state.open.stage.view.camera.fov),
        (Some(0), 0.5)
    );
    assert!(state.open.stage.view.camera.eye().distance(state.open.stage.posed().position(node)) < 1e-5);
    lift(&mut state, node, 0.5);
    assert!(state.open.stage.view.camera.eye().distance(state.open.stage.posed().position(node)) < 1e-5);
    state.apply(Command::Orbit { yaw: 0.3, pitch: 0.0 });
    let here = state.open.stage.view.camera;
    assert_eq!(state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera), None);
    lift(&mut state, node, 0.1);
    assert_eq!(state.open.stage.view.camera, here);
}

#[test]
fn video_camera_follows_the_same_joint_as_the_viewport() {
    let (mut state, node) = state();
    state.apply(Command::Select(Some(node)));
    state.apply(Command::Do(Action::ToggleFollow));
    let mut copy = state.open.stage.still();
    assert_eq!((copy.camera_tie.joint(), copy.view.camera), (Some(node), state.open.stage.view.camera));
    lift(&mut state, node, 0.5);
    copy.edit_pose(|pose| pose.clone_from(state.open.stage.pose()));
    copy.refresh();
    assert_eq!(copy.view.camera, state.open.stage.view.camera);
    state.apply(Command::LookThrough(0));
    assert_eq!(
        (state.open.stage.camera_tie.joint(), state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera)),
        (None, Some(0)),
        "one tie in place of the other"
    );
    assert_eq!(state.open.stage.still().camera_tie.file_camera(&state.open.stage.view.camera), Some(0));
}
