//! Morph targets moved by the user: names in the file, undo, sessions, the clipboard and the command line.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;

use common::command::rigscope;
use common::face::face;
use common::formats::JsonFile;
use common::glb::Builder;
use rigscope::export::PoseFile;
use rigscope::import::{Job, import_bytes};
use rigscope::rig::{MorphIndex, Rig};
use rigscope::stage::{Document, Session, Source};
use rigscope::state::{
    Action, AfterLoad, AppState, Command, JobResult, PathUse, PosingOptions, Request, Settings, WindowRequest,
};
use serde_json::json;

fn rig(builder: Builder) -> Rig {
    let imported = import_bytes(&builder.build(), &Job::default()).unwrap();
    assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
    imported.rig
}

fn document(builder: Builder) -> Document {
    Document::new(Source::File("folder/face.glb".into()), rig(builder), Vec::new())
}

fn state() -> AppState {
    AppState::new(document(face()), Settings::default())
}

fn morph(state: &AppState, name: &str) -> MorphIndex {
    state.open.stage.rig().morph_named(name).unwrap()
}

fn set(state: &mut AppState, name: &str, weight: f32) {
    let morph = morph(state, name);
    state.apply(Command::SetMorphs(vec![(morph, weight)]));
    state.open.stage.refresh();
}

/// Returns the weights that the user added to `smileLeft`, `smileRight` and `blink`.
fn weights(state: &AppState) -> [f32; 3] {
    ["smileLeft", "smileRight", "blink"].map(|name| state.open.stage.pose().morph_weight(morph(state, name)))
}

/// Applies a command, and runs all file jobs that it requests.
fn done(state: &mut AppState, command: Command) {
    let mut request = state.apply(command);
    while let Some(Request::Disk(job)) = request {
        request = state.receive(job.run());
    }
}

fn names(rig: &Rig) -> Vec<&str> {
    rig.morphs().iter().map(|morph| morph.name.as_str()).collect()
}

#[test]
fn names_of_targets_come_from_the_mesh_or_its_primitives_and_odd_ones_are_passed_over() {
    assert_eq!(names(&rig(face())), ["smileLeft", "smileRight", "blink"]);
    let mut b = face();
    let extras = b.json["meshes"][0]["extras"].take();
    b.json["meshes"][0]["primitives"][0]["extras"] = extras;
    assert_eq!(names(&rig(b)), ["smileLeft", "smileRight", "blink"]);
    for extras in [json!(7), json!([]), json!({"targetNames": "smile"}), json!({}), json!({"targetNames": []})] {
        let mut b = face();
        b.json["meshes"][0]["extras"] = extras;
        assert_eq!(names(&rig(b)), ["Target 0", "Target 1", "blink", "smileLeft"]);
    }
    let mut b = face();
    b.json["meshes"][1]["extras"]["targetNames"] = json!([5, "wink", "more than there are"]);
    assert_eq!(names(&rig(b)), ["smileLeft", "smileRight", "Target 0", "wink"]);
}

#[test]
fn a_weight_moves_every_target_of_its_name_on_top_of_file_and_clip() {
    let mut state = state();
    set(&mut state, "smileLeft", 0.5);
    set(&mut state, "smileRight", -1.0);
    assert_eq!(state.open.stage.posed().morph_weights, [vec![0.5, -0.75], vec![0.0, 0.5]]);
    state.apply(Command::SetClip(Some(0)));
    state.apply(Command::Seek(0.5));
    state.open.stage.refresh();
    assert_eq!(state.open.stage.posed().morph_weights, [vec![1.0, -0.75], vec![0.0, 0.5]]);
    let below =
        ["smileLeft", "smileRight", "blink"].map(|name| state.open.stage.morph_weight_below(morph(&state, name)));
    assert_eq!(below, [0.5, 0.25, 0.0]);
}

#[test]
fn a_drag_is_one_step_of_undo_and_everything_can_be_reset() {
    let mut state = state();
    state.apply(Command::BeginEdit);
    for weight in [0.1, 0.3, 0.4] {
        set(&mut state, "blink", weight);
    }
    state.apply(Command::EndEdit);
    assert_eq!((state.open.history.len(), state.open.history.undo_label()), (1, Some("blink 0.40")));
    assert!(state.open.saved.is_edited(&state.open.stage) && state.open.stage.pose().is_any_posed());
    set(&mut state, "smileLeft", 1.0);
    state.apply(Command::Do(Action::ResetMorphs));
    assert_eq!(weights(&state), [0.0; 3]);
    state.apply(Command::Do(Action::Undo));
    state.apply(Command::Do(Action::Undo));
    assert_eq!(weights(&state), [0.0, 0.0, 0.4]);
    state.apply(Command::Do(Action::ResetAll));
    assert!(!state.open.stage.pose().is_any_posed());
    state.apply(Command::Do(Action::Undo));
    state.apply(Command::BeginEdit);
    set(&mut state, "blink", 2.0);
    state.apply(Command::CancelEdit);
    assert_eq!(weights(&state), [0.0, 0.0, 0.4]);
    state.apply(Command::SetMorphs(vec![(MorphIndex(77), 1.0)]));
    assert_eq!(weights(&state), [0.0, 0.0, 0.4], "a target that is not there");
}

#[test]
fn rest_pose_and_the_way_from_it_have_the_weights_too() {
    let mut state = state();
    set(&mut state, "blink", 1.0);
    state.apply(Command::BlendPose(0.25));
    assert_eq!(weights(&state), [0.0, 0.0, 0.25]);
    state.apply(Command::Do(Action::RestPose));
    assert_eq!(weights(&state), [0.0; 3]);
    state.apply(Command::Do(Action::UserPose));
    assert_eq!(weights(&state), [0.0, 0.0, 1.0]);
}

#[test]
fn a_session_has_the_weights() {
    let mut before = state();
    set(&mut before, "smileRight", 1.5);
    let json = before.open.snapshot().session().to_json();
    let restored = |json: &str| {
        let session = Session::parse(json.as_bytes()).unwrap();
        let mut state = state();
        state.receive(JobResult::Document(Box::new(document(face())), AfterLoad::Restore(Box::new(session))));
        state
    };
    let after = restored(&json);
    assert_eq!(
        (weights(&after), after.open.stage.view.active_morph(after.open.stage.rig())),
        ([0.0, 1.5, 0.0], Some(morph(&after, "smileRight")))
    );
    assert_eq!(after.open.snapshot().session().to_json(), json);
    let told = restored(&json.replace("smileRight", "grin")).notices.dismiss().unwrap().text;
    assert_eq!(told.matches("\"grin\", which this rig does not have").count(), 2, "{told}");
}

#[test]
fn a_file_read_again_has_the_weights_by_name_and_sets_work_on_targets_that_are_gone_aside() {
    let mut state = state();
    set(&mut state, "blink", 0.5);
    let mut b = face();
    b.json["meshes"][0]["extras"]["targetNames"] = json!(["blink", "smileRight"]);
    state.receive(JobResult::Document(Box::new(document(b)), AfterLoad::Reload { is_asked: true }));
    assert_eq!(weights(&state), [0.0, 0.0, 0.5]);
    assert_eq!(state.open.stage.view.active_morph(state.open.stage.rig()), Some(morph(&state, "blink")));
    state.apply(Command::Do(Action::Undo));
    assert_eq!(weights(&state), [0.0; 3], "the step was carried over");
    state.apply(Command::Do(Action::Redo));
    let mut b = face();
    b.json["meshes"][1]["extras"]["targetNames"] = json!(["wink", "smileLeft"]);
    state.receive(JobResult::Document(Box::new(document(b)), AfterLoad::Reload { is_asked: true }));
    assert!(!state.open.stage.pose().is_any_posed() && state.open.history.is_empty());
    assert!(state.notices.newest().unwrap().text.contains("return with them"));
}

#[test]
fn weights_are_copied_alone_and_pasted_also_mirrored() {
    let mut state = state();
    set(&mut state, "smileLeft", 0.75);
    set(&mut state, "blink", 0.5);
    let Some(Request::Window(WindowRequest::Copy(text))) = state.apply(Command::Do(Action::CopyMorphs)) else {
        panic!("nothing copied")
    };
    set(&mut state, "smileRight", 1.0);
    state.apply(Command::Paste { text: text.clone(), is_mirrored: false });
    assert_eq!(weights(&state), [0.75, 0.0, 0.5], "those at 0 are pasted too");
    assert_eq!(state.open.history.undo_label(), Some("Paste morph targets"));
    state.apply(Command::Paste { text, is_mirrored: true });
    assert_eq!(weights(&state), [0.0, 0.75, 0.5]);
    assert_eq!(state.notices.newest(), None);
    let odd = r#"{"version":1,"joints":{},"morphs":{"grin":1}}"#.to_owned();
    state.apply(Command::Paste { text: odd, is_mirrored: false });
    assert!(state.notices.newest().unwrap().text.contains("\"grin\""));
}

#[test]
fn left_and_right_are_exchanged_by_name_once_or_with_every_edit() {
    let mut state = state();
    set(&mut state, "smileLeft", 0.75);
    set(&mut state, "blink", 0.5);
    state.apply(Command::Do(Action::MirrorPose));
    assert_eq!((weights(&state), state.notices.newest()), ([0.0, 0.75, 0.5], None));
    state.apply(Command::Do(Action::ResetMorphs));
    state.apply(Command::SetPosing(PosingOptions { symmetry: true, ..PosingOptions::default() }));
    set(&mut state, "smileRight", 0.25);
    assert_eq!(weights(&state), [0.25, 0.25, 0.0]);
    let [left, right] = ["smileLeft", "smileRight"].map(|name| morph(&state, name));
    state.apply(Command::SetMorphs(vec![(left, 0.1), (right, 0.2)]));
    assert_eq!(weights(&state), [0.1, 0.2, 0.0], "edits of both sides stay");
}

#[test]
fn a_pose_file_keeps_the_weights() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("face.pose.json");
    let mut state = state();
    set(&mut state, "blink", 0.5);
    done(&mut state, Command::UsePath(PathUse::SavePose, path.clone()));
    assert!(!state.open.saved.is_edited(&state.open.stage), "{:?}", state.notices);
    state.apply(Command::Do(Action::ResetAll));
    done(&mut state, Command::UsePath(PathUse::OpenPose, path.clone()));
    assert_eq!(weights(&state), [0.0, 0.0, 0.5]);
    assert!(PoseFile::read(&path).unwrap().has_morphs());
}

fn saved(folder: &Path) -> String {
    let path = folder.join("face.glb");
    std::fs::write(&path, face().build()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns the first vertex of the head and of the lids, as baked by `bake`.
fn baked(folder: &Path, further: &[&str]) -> [[f32; 3]; 2] {
    let (file, out) = (saved(folder), folder.join("out.json"));
    rigscope(&[&["bake", file.as_str(), "-o", out.to_str().unwrap()], further].concat()).ok();
    let baked = JsonFile::read(&out);
    [0, 1].map(|part| baked.primitives[part].positions[0])
}

#[test]
fn the_command_line_moves_targets_on_top_of_pose_and_clip() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let pose = folder.join("pose.json");
    std::fs::write(&pose, r#"{"version":1,"joints":{},"morphs":{"blink":0.5,"smileLeft":9}}"#).unwrap();
    assert_eq!(baked(folder, &[]), [[0.25, 0.0, 0.0], [0.0; 3]]);
    let both = ["--morph", "smileLeft=0.5", "--morph", "smileRight=-0.25"];
    assert_eq!(baked(folder, &both), [[0.0, 0.5, 0.0], [0.0, 1.5, 0.0]]);
    let posed = ["--pose", pose.to_str().unwrap(), "--morph", "smileLeft=0", "--clip", "talk", "--time", "1"];
    assert_eq!(
        baked(folder, &posed),
        [[0.25, 1.0, 0.0], [0.0, 1.0, 0.0]],
        "in place of the pose's, on top of the clip"
    );
}

#[test]
fn unknown_targets_get_suggestions_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(folder.path());
    let refused = |arguments: &[&str]| {
        let run = rigscope(&[arguments, &[file.as_str()]].concat());
        assert_eq!(run.code, Some(2), "{arguments:?}");
        run.stderr
    };
    let out = folder.path().join("out.png");
    let out = out.to_str().unwrap();
    assert!(refused(&["compare", "--morph", "smile=1"]).contains("near it are smileLeft, smileRight"));
    assert!(refused(&["render", "-o", out, "--morph", "grin=1"]).contains("there are smileLeft, smileRight, blink"));
    assert!(refused(&["bake", "-o", out, "--morph", "blink=much"]).contains("from -100 to 100"));
    assert!(!Path::new(out).exists());
}

#[test]
fn compare_measures_the_weights() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(folder.path());
    let table = |further: &[&str]| rigscope(&[&["compare", &file, "--json"], further].concat()).ok().stdout;
    // A weight of 0 changes nothing. A target that stretches the head's triangle changes the measured area.
    assert_eq!(table(&[]), table(&["--morph", "blink=0"]));
    let mut b = face();
    let wide = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], "VEC3");
    b.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"] = json!(wide);
    std::fs::write(&file, b.build()).unwrap();
    assert_ne!(table(&[]), table(&["--morph", "smileLeft=1"]));
}

#[test]
fn a_picture_shows_the_reach_of_the_target_that_is_named_or_moved() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (saved(folder.path()), folder.path().join("out.png").to_str().unwrap().to_owned());
    let run = |further: &[&str]| {
        let common = ["render", &file, "-o", &out, "--size", "120x80", "--no-grid", "--clay", "--overlay", "morph"];
        rigscope(&[&common, further].concat())
    };
    let picture = |further: &[&str]| {
        run(further).ok();
        std::fs::read(&out).unwrap()
    };
    assert!(run(&[]).stderr.contains("--target or --morph"));
    assert!(run(&["--target", "blnik"]).stderr.contains("near it are blink"));
    let blink = picture(&["--target", "blink"]);
    assert_ne!(blink, picture(&["--target", "smileRight"]));
    assert_eq!(blink, picture(&["--morph", "blink=0"]));
}
