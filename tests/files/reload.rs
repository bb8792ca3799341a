//! Reloading a file that another program changed: keeps the user's edits.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::node;

use common::glb::{Builder, make_skinned_glb, triangle};
use glam::{Quat, Vec3};
use rigscope::analysis::measure::VertexLocation;
use rigscope::import::{Job, import_bytes};
use rigscope::rig::{PrimitiveIndex, Trs};
use rigscope::skinning::{JointMethod, Method, Skinning};
use rigscope::stage::{Document, Playback, Source};
use rigscope::state::{Action, AfterLoad, AppState, Command, JobResult, NoticeKind, PathUse, Request, Settings};
use rigscope::view::{HiddenItems, Side};
use serde_json::json;

fn document(builder: Builder) -> Document {
    let imported = import_bytes(&builder.build(), &Job::default()).unwrap();
    Document::new(Source::File("folder/arm.glb".into()), imported.rig, Vec::new())
}

fn opened(builder: Builder) -> AppState {
    AppState::new(document(builder), Settings::default())
}

fn reload(state: &mut AppState, builder: Builder) -> String {
    state.receive(JobResult::Document(Box::new(document(builder)), AfterLoad::Reload { is_asked: true }));
    let notice = state.notices.dismiss().unwrap();
    assert_eq!(notice.kind, NoticeKind::Done);
    notice.text
}

fn turn(state: &mut AppState, name: &str) -> Trs {
    let user_local = Trs::from_rotation(Quat::from_axis_angle(Vec3::Y, 0.5));
    state.apply(Command::Edit { node: node(state, name), user_local });
    user_local
}

/// Creates three joints with another joint between the first two.
fn with_twist() -> Builder {
    let mut b = make_skinned_glb(4, 12, 12, 1);
    for (number, name) in [(2, "twist"), (3, "joint 2"), (4, "joint 3")] {
        b.json["nodes"][number]["name"] = json!(name);
    }
    b
}

#[test]
fn pose_selection_camera_method_and_clip_stay_by_name() {
    let mut state = opened(make_skinned_glb(3, 8, 8, 1));
    let user_local = turn(&mut state, "joint 2");
    let selected = node(&state, "joint 2");
    state.apply(Command::Select(Some(selected)));
    state.apply(Command::SetMethod(Method::Dqs));
    state.apply(Command::SetClip(Some(0)));
    state.apply(Command::Seek(0.5));
    state.apply(Command::Orbit { yaw: 0.3, pitch: 0.1 });
    let camera = state.open.stage.view.camera;
    let told = reload(&mut state, with_twist());
    assert_eq!(told, "arm.glb was reloaded: 1 joint added (twist); 8 -> 12 vertices.");
    let moved = node(&state, "joint 2");
    assert_ne!(moved, selected, "it has another index now");
    assert_eq!(*state.open.stage.pose().user_local(moved), user_local);
    assert!(!state.open.stage.pose().is_posed(node(&state, "twist")));
    assert_eq!(state.open.stage.view.active_joint(), Some(moved));
    assert_eq!(
        (
            state.open.stage.view.sides.a.skinning.method,
            state.open.stage.playback.clip,
            state.open.stage.playback.time_secs
        ),
        (Method::Dqs, Some(0), 0.5)
    );
    assert_eq!((state.open.stage.view.camera.yaw, state.open.stage.view.camera.target), (camera.yaw, camera.target));
    assert_eq!(state.open.stage.characters.bones().len(), 4, "what follows from the pose is new");
}

#[test]
fn undo_goes_on_for_the_joints_that_are_still_there() {
    let mut state = opened(make_skinned_glb(3, 8, 8, 1));
    let user_local = turn(&mut state, "joint 2");
    reload(&mut state, with_twist());
    state.apply(Command::Do(Action::Undo));
    assert!(!state.open.stage.pose().is_any_posed());
    state.apply(Command::Do(Action::Redo));
    assert_eq!(*state.open.stage.pose().user_local(node(&state, "joint 2")), user_local);
}

#[test]
fn edits_of_missing_joints_are_set_aside_and_restored() {
    let mut state = opened(make_skinned_glb(5, 8, 8, 1));
    turn(&mut state, "joint 5");
    let told = reload(&mut state, make_skinned_glb(1, 8, 8, 0));
    assert!(told.contains("4 joints removed (joint 2, joint 3, joint 4 and 1 more)"), "{told}");
    assert!(told.contains("return with them"), "{told}");
    assert_eq!(state.open.history.undo_label(), None);
    assert!(!state.open.stage.pose().is_any_posed());
    let told = reload(&mut state, make_skinned_glb(4, 8, 8, 1));
    assert!(told.contains("return with them") && !state.open.stage.pose().is_any_posed(), "not yet: {told}");
    let told = reload(&mut state, make_skinned_glb(5, 8, 8, 1));
    assert!(!told.contains("return with them"), "{told}");
    assert!(state.open.stage.pose().is_posed(node(&state, "joint 5")));
}

#[test]
fn edits_made_without_missing_joints_are_kept_when_they_return() {
    let mut state = opened(make_skinned_glb(3, 8, 8, 1));
    let gone = turn(&mut state, "joint 3");
    turn(&mut state, "joint 2");
    reload(&mut state, make_skinned_glb(2, 8, 8, 1));
    let other = Trs::from_rotation(Quat::from_rotation_x(0.9));
    state.apply(Command::Edit { node: node(&state, "joint 2"), user_local: other });
    reload(&mut state, make_skinned_glb(3, 8, 8, 1));
    assert_eq!(*state.open.stage.pose().user_local(node(&state, "joint 2")), other);
    assert_eq!(*state.open.stage.pose().user_local(node(&state, "joint 3")), gone);
    assert!(state.open.history.undo_label().is_some_and(|label| label.contains("joint 2")));
    state.apply(Command::Do(Action::Undo));
    assert!(state.open.stage.pose().is_posed(node(&state, "joint 3")), "a step takes its own joint back alone");
}

/// Returns a state with five joints, two of them selected. A range of the clip plays, the mesh is hidden, and one joint
/// has its own method.
fn with_choices() -> AppState {
    let mut state = opened(make_skinned_glb(5, 8, 8, 1));
    let chosen = node(&state, "joint 4");
    let by_joint = vec![(chosen, JointMethod::Lbs)];
    state.apply(Command::SetSkinning(Side::A, Skinning { by_joint, ..Method::Dqs.into() }));
    state.apply(Command::Hide {
        hidden: HiddenItems { meshes: [0].into(), ..HiddenItems::default() },
        label: "Hide".to_owned(),
    });
    state.apply(Command::SelectAll(vec![node(&state, "joint 2"), chosen]));
    state.apply(Command::Do(Action::ToggleIsolated));
    state.apply(Command::Do(Action::ToggleFollow));
    state.apply(Command::SetClip(Some(0)));
    state.apply(Command::SetPlayedPart(Some([0.25, 0.75])));
    state.apply(Command::Seek(0.5));
    state.apply(Command::Do(Action::TogglePlay));
    state
}

/// Returns all choices that are stored as node and mesh indices.
fn choices(state: &AppState) -> impl PartialEq + std::fmt::Debug + use<> {
    let view = &state.open.stage.view;
    let looked_at = (view.selected.clone(), view.isolated.clone(), state.open.stage.camera_tie.joint());
    (looked_at, view.hidden.clone(), state.open.stage.view.sides.a.skinning.clone(), state.open.stage.playback.clone())
}

#[test]
fn another_file_for_a_moment_changes_nothing_that_was_chosen() {
    let mut state = with_choices();
    let before = choices(&state);
    for passing in [triangle(), make_skinned_glb(3, 8, 8, 1), triangle()] {
        reload(&mut state, passing);
        assert_ne!(choices(&state), before);
    }
    reload(&mut state, make_skinned_glb(5, 8, 8, 1));
    assert_eq!(choices(&state), before);
    state.apply(Command::Do(Action::Undo));
    assert!(state.open.stage.view.hidden.is_empty());
    state.apply(Command::Do(Action::Redo));
    assert_eq!(choices(&state), before, "undo and redo know what was hidden");
}

#[test]
fn choices_survive_closing_the_comparison_file() {
    let mut state = with_choices();
    reload(&mut state, make_skinned_glb(3, 8, 8, 1));
    let selected = vec![node(&state, "joint 3")];
    state.apply(Command::SelectAll(selected.clone()));
    state.apply(Command::SetPlayedPart(None));
    state.apply(Command::Seek(0.25));
    reload(&mut state, triangle());
    reload(&mut state, make_skinned_glb(5, 8, 8, 1));
    assert_eq!(state.open.stage.view.selected, selected);
    let Playback { clip, time_secs, .. } = state.open.stage.playback;
    assert_eq!((clip, time_secs, state.open.stage.playback.range()), (Some(0), 0.25, None));
    assert_eq!(state.open.stage.camera_tie.joint(), Some(node(&state, "joint 4")), "nobody left it");
}

#[test]
fn a_clip_that_is_shorter_for_a_moment_plays_the_same_part_after_it() {
    let mut state = with_choices();
    let mut shorter = make_skinned_glb(5, 8, 8, 1);
    let times = shorter.floats(&[0.0, 0.4], "SCALAR");
    shorter.json["animations"][0]["samplers"][0]["input"] = json!(times);
    reload(&mut state, shorter);
    assert_eq!(state.open.stage.playback.range(), Some([0.25, 0.4]));
    state.open.stage.advance(0.1);
    let time_secs = state.open.stage.playback.time_secs;
    reload(&mut state, make_skinned_glb(5, 8, 8, 1));
    let playback = &state.open.stage.playback;
    assert_eq!((playback.range(), playback.time_secs, playback.is_playing), (Some([0.25, 0.75]), time_secs, true));
}

#[test]
fn a_saved_pose_is_saved_still_when_its_joints_are_back() {
    let mut state = opened(make_skinned_glb(5, 8, 8, 1));
    turn(&mut state, "joint 5");
    let folder = tempfile::tempdir().unwrap();
    let Some(Request::Disk(job)) = state.apply(Command::UsePath(PathUse::SavePose, folder.path().join("pose.json")))
    else {
        panic!()
    };
    state.receive(job.run());
    assert!(state.open.stage.pose().is_any_posed() && !state.open.saved.is_edited(&state.open.stage));
    reload(&mut state, make_skinned_glb(3, 8, 8, 1));
    reload(&mut state, make_skinned_glb(5, 8, 8, 1));
    assert!(state.open.stage.pose().is_any_posed() && !state.open.saved.is_edited(&state.open.stage));
}

#[test]
fn a_clip_that_became_shorter_or_went_away_is_left_in_time() {
    let mut state = opened(make_skinned_glb(2, 8, 8, 1));
    state.apply(Command::SetClip(Some(0)));
    state.apply(Command::Seek(0.75));
    let mut shorter = make_skinned_glb(2, 8, 8, 1);
    let times = shorter.floats(&[0.0, 0.5], "SCALAR");
    shorter.json["animations"][0]["samplers"][0]["input"] = json!(times);
    let told = reload(&mut state, shorter);
    assert_eq!(told, "arm.glb was reloaded: same joints, same number of vertices.");
    assert_eq!((state.open.stage.playback.clip, state.open.stage.playback.time_secs), (Some(0), 0.5));
    let mut without = make_skinned_glb(2, 8, 8, 1);
    without.json["animations"] = json!([]);
    reload(&mut state, without);
    assert_eq!((state.open.stage.playback.clip, state.open.stage.playback.is_playing), (None, false));
}

#[test]
fn ctrl_r_asks_for_the_open_file_again() {
    let mut state = opened(make_skinned_glb(2, 8, 8, 1));
    let asked = state.apply(Command::Do(Action::Reload));
    assert!(matches!(asked, Some(Request::Load { then: AfterLoad::Reload { is_asked: true }, .. })), "{asked:?}");
}

#[test]
fn the_files_that_a_model_refers_to_are_known_whether_they_are_there_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let Builder { mut json, bin } = common::glb::triangle();
    json["buffers"] = json!([{"uri": "mesh%20data.bin", "byteLength": bin.len()}]);
    json["images"] = json!([{"uri": "textures/skin.png"}, {"uri": "data:,x"}]);
    json["textures"] = json!([{"source": 0}]);
    json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let model = folder.path().join("model.gltf");
    std::fs::write(folder.path().join("mesh data.bin"), bin).unwrap();
    std::fs::write(&model, json.to_string()).unwrap();
    let document = Document::open(&Source::File(model.clone()), &Job::default()).unwrap();
    let mut paths: Vec<_> = document.files.iter().map(|f| f.path.clone()).collect();
    paths.dedup();
    assert_eq!(paths[..2], [model.clone(), folder.path().join("mesh data.bin")]);
    assert!(paths.contains(&folder.path().join("textures/skin.png")), "{paths:?}");
    assert_eq!(document.missing, None);
    std::fs::remove_file(folder.path().join("mesh data.bin")).unwrap();
    let mut cut = json.clone();
    cut["buffers"][0]["uri"] = json!("cut.bin");
    std::fs::write(folder.path().join("cut.bin"), [0; 4]).unwrap();
    cut["nodes"] = json!([{"name": "bone"}]);
    std::fs::write(&model, cut.to_string()).unwrap();
    let half = Document::open(&Source::File(model), &Job::default()).unwrap();
    assert!(half.missing.is_some(), "half of it is written");
}

#[test]
fn lint_runs_again_after_a_reload() {
    let mut state = opened(make_skinned_glb(2, 8, 8, 1));
    let mark = rigscope::view::VertexSet { part: PrimitiveIndex { instance: 0, primitive: 0 }, vertices: [7].into() };
    state.open.stage.view.marked.push(mark);
    state.receive(JobResult::Document(
        Box::new(document(make_skinned_glb(2, 4, 4, 1))),
        AfterLoad::Reload { is_asked: true },
    ));
    assert!(state.open.stage.lint.is_awaited(&state.open.stage.requests), "the window's linter follows");
    assert!(state.open.stage.view.marked.is_empty(), "vertex 7 is no more");
}

/// Creates five joints. The second has a camera.
fn with_camera() -> Builder {
    let mut b = make_skinned_glb(5, 8, 8, 1);
    b.json["cameras"] = json!([{"name": "Close", "type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]);
    b.json["nodes"][2]["camera"] = json!(0);
    b
}

/// Returns a state with two probed vertices, seen through the file's camera.
fn looked_at() -> AppState {
    let mut state = opened(with_camera());
    state.open.stage.probes.places = [3, 5].map(|vertex| VertexLocation { instance: 0, primitive: 0, vertex }).into();
    state.apply(Command::LookThrough(0));
    assert_eq!(state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera), Some(0));
    state
}

#[test]
fn probes_and_the_camera_of_the_file_stay_where_they_are_still_there() {
    let mut state = looked_at();
    let probes = state.open.stage.probes.places.clone();
    reload(&mut state, with_camera());
    assert_eq!(
        (&state.open.stage.probes.places, state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera)),
        (&probes, Some(0))
    );
    // The view follows the file's camera when a clip or an edit moves it.
    turn(&mut state, "joint 2");
    state.open.stage.refresh();
    assert_eq!(state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera), Some(0));
    for passing in [triangle(), make_skinned_glb(3, 8, 8, 1), triangle()] {
        reload(&mut state, passing);
        assert_eq!(state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera), None);
    }
    assert!(state.open.stage.probes.places.is_empty());
    reload(&mut state, with_camera());
    assert_eq!(
        (&state.open.stage.probes.places, state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera)),
        (&probes, Some(0)),
        "back with the file"
    );
}

#[test]
fn a_saved_view_stays_where_it_is_in_the_file_when_the_rig_moves_far_away() {
    let mut state = opened(make_skinned_glb(5, 8, 8, 1));
    state.apply(Command::Do(Action::SaveView));
    let target =
        |state: &AppState| state.open.stage.rig().hierarchy.in_file(state.open.stage.view.saved[0].camera.target);
    let before = target(&state);
    let mut far = make_skinned_glb(5, 8, 8, 1);
    far.json["nodes"][1]["translation"] = json!([1e6, 0, 0]);
    reload(&mut state, far);
    assert!(state.open.stage.rig().hierarchy.anchor().x > 1e5, "positions are relative to one near the rig");
    assert!(target(&state).distance(before) < 0.1, "{} is not {before}", target(&state));
}

#[test]
fn who_looked_elsewhere_while_a_camera_was_gone_stays_there() {
    let mut state = looked_at();
    reload(&mut state, make_skinned_glb(5, 8, 8, 1));
    state.apply(Command::Orbit { yaw: 0.4, pitch: 0.1 });
    let yaw = state.open.stage.view.camera.yaw;
    reload(&mut state, with_camera());
    assert_eq!(
        (state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera), state.open.stage.view.camera.yaw),
        (None, yaw)
    );
}
