//! The window's state and the command line report the same results.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::character::{Character, vertex};
use common::command::rigscope;
use glam::{Quat, Vec3};
use rigscope::analysis::lint::Finding;
use rigscope::analysis::lint::report::file_json;
use rigscope::analysis::sides::measure;
use rigscope::analysis::twist::RankingJson;
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::rig::Trs;
use rigscope::skinning::{Method, Skinner};
use rigscope::stage::{DerivedKind, DerivedRequest, Document, MeasurePlan, PoseNumbers, Source};
use rigscope::state::{Action, AppState, Command, JobResult, PathUse, Request, Settings};
use rigscope::view::{PerSide, Side};
use serde::Serialize;
use serde_json::{Value, json};

/// Returns the state of a window that has opened `file` with the config of its project, after all derived data is
/// computed.
fn window(file: &Path) -> AppState {
    let document = Document::open(&Source::parse(file).unwrap(), &Job::default()).unwrap();
    let mut state = AppState::new(document.in_its_project(&Job::default()), Settings::default());
    fulfil(&mut state, Command::SetMethod(Method::Lbs));
    while let Some(wanted) = next(&state) {
        let arrived = JobResult::Derived(wanted.run(&Job::default()));
        assert!(state.receive(arrived).is_none());
    }
    state
}

fn next(state: &AppState) -> Option<DerivedRequest> {
    DerivedKind::ALL.into_iter().find_map(|kind| kind.wanted(&state.open.stage))
}

/// Applies a command and runs the file job that it requests.
fn fulfil(state: &mut AppState, command: Command) {
    match state.apply(command) {
        None => {}
        Some(Request::Disk(job)) => assert!(state.receive(job.run()).is_none()),
        Some(_) => panic!("a request that no question here makes"),
    }
    state.open.stage.compute_pending(&Job::default());
}

/// Returns the measurements of both sides, as shown in the status bar and the Compare panel.
fn measured(state: &AppState) -> Value {
    let skinner =
        |side| Arc::new(Skinner::new(&state.open.stage.actor(side).rig, &state.open.stage.skinning_on(side)).unwrap());
    let job = MeasurePlan::new(&state.open.stage).job(PerSide::from_fn(skinner), 1);
    let measured = measure(&job, &Progress::default()).unwrap();
    as_json(&PoseNumbers::new(state.open.stage.rig(), ["A".to_owned(), "B".to_owned()], &measured, None))
}

/// Converts a value to JSON text and back, so that single-precision numbers have their shortest digits.
fn as_json(value: &impl Serialize) -> Value {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn told(arguments: &[&str]) -> Value {
    let run = rigscope(&arguments.iter().chain(&["--json"]).map(PathBuf::from).collect::<Vec<_>>());
    assert!(run.code.is_some_and(|code| code < 2), "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Returns measurements without the names of the methods, because panels word these differently.
fn without_names(mut pose: Value) -> Value {
    pose["methods"] = Value::Null;
    pose
}

#[test]
fn an_elbow_is_as_far_from_lbs_by_dqs() {
    let folder = tempfile::tempdir().unwrap();
    let pose = folder.path().join("elbow.json");
    let mut state = window(Path::new("builtin:figure"));
    let hierarchy = &state.open.stage.rig().hierarchy;
    let node = hierarchy.node_named("LeftLowerArm").unwrap();
    let user_local = Trs::from_rotation(Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.9));
    fulfil(&mut state, Command::Edit { node, user_local });
    fulfil(&mut state, Command::SetSkinning(Side::B, Method::Dqs.into()));
    fulfil(&mut state, Command::UsePath(PathUse::SavePose, pose.clone()));
    let words = ["compare", "builtin:figure", "--method", "lbs", "--with", "dqs", "--pose", pose.to_str().unwrap()];
    let printed = told(&words)["pose"].clone();
    assert!(printed["max_distance_m"].as_f64().unwrap() > 1e-3, "{printed}");
    assert_eq!(without_names(measured(&state)), without_names(printed));
}

#[test]
fn another_file_is_as_far_away() {
    let folder = tempfile::tempdir().unwrap();
    let [open, near, far] = ["open.glb", "near.glb", "far.glb"].map(|name| folder.path().join(name));
    let mut character = Character::default();
    std::fs::write(&open, character.clone().builder().build()).unwrap();
    character.positions[vertex(10, 3)][0] += 0.2;
    std::fs::write(&near, character.builder().build()).unwrap();
    std::fs::write(&far, rigscope::stage::BuiltIn::Figure.bytes()).unwrap();
    for (other, is_matched) in [(near, true), (far, false)] {
        let mut state = window(&open);
        fulfil(&mut state, Command::UsePath(PathUse::CompareWith, other.clone()));
        let words = ["compare", open.to_str().unwrap(), "--with-file", other.to_str().unwrap()];
        let printed = told(&words)["pose"].clone();
        assert_eq!(printed["max_distance_m"].is_number(), is_matched, "{printed}");
        assert_eq!(without_names(measured(&state)), without_names(printed));
    }
}

#[test]
fn the_same_is_found_and_judged_by_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rig.glb");
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    character.nodes[5]["scale"] = json!([1, 2, 1]);
    std::fs::write(&file, character.builder().build()).unwrap();
    let mut seen = Vec::new();
    for settings in ["", "[limits]\njoints = 2\n", "[severity]\nRIG010 = 'note'\n"] {
        std::fs::write(folder.path().join("rigscope.toml"), settings).unwrap();
        let state = window(&file);
        let shown: Vec<&Finding> = state.open.stage.lint.list().iter().collect();
        let shown: Value = serde_json::from_str(&file_json("rig.glb", Ok(&shown), [0, 0], &[], &[], &[])).unwrap();
        let printed = told(&["check", file.to_str().unwrap()])["findings"].clone();
        assert_eq!(shown["findings"], printed, "{settings}");
        assert!(!seen.contains(&printed), "the settings change something: {settings}");
        seen.push(printed);
    }
}

#[test]
fn the_joint_that_loses_most_is_the_same_with_its_number() {
    let mut state = window(Path::new("builtin:figure"));
    fulfil(&mut state, Command::Do(Action::RankJoints));
    while let Some(wanted) = next(&state) {
        assert!(state.receive(JobResult::Derived(wanted.run(&Job::default()))).is_none());
    }
    let (plan, ranked) = state.open.stage.joint_ranking.known().unwrap();
    let ranked = ranked.as_ref().unwrap();
    let hierarchy = &state.open.stage.rig().hierarchy;
    let names: Vec<String> = ranked.iter().map(|row| hierarchy.name(row.joint).to_owned()).collect();
    let shown = RankingJson::new(plan.range, ranked, &names).rank;
    let (shown, printed) = (as_json(&shown), told(&["compare", "builtin:figure", "--rank"]));
    assert!(shown[0]["volume_loss"].as_f64().unwrap() > 0.05, "{shown}");
    assert_eq!(shown[0], printed["rank"][0]);
}

#[test]
fn clips_have_the_same_names_numbers_and_lengths() {
    let state = window(Path::new("builtin:figure"));
    let clips: Vec<Value> =
        state.open.stage.rig().clips.iter().map(|clip| as_json(&(&clip.name, clip.duration_secs))).collect();
    let printed = told(&["info", "builtin:figure"]);
    let rows = printed["clips"].as_array().unwrap().iter();
    let rows: Vec<Value> = rows.map(|row| json!([row["name"], row["duration_secs"]])).collect();
    assert!(rows.len() > 1);
    assert_eq!(clips, rows);
}
