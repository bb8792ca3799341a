//! Weights edited by hand: undo steps, sessions, and reloading the file.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::sync::Arc;

use glam::Vec2;
use rigscope::import::Job;
use rigscope::rig::{Rig, WeightSet};
use rigscope::stage::{
    BuiltIn, ChoiceState, DerivedKind, Document, EditMeshPlan, RigChoice, SelectPlan, Session, Source, VertexBox,
    WeightEditPlan, WeightPlan,
};
use rigscope::state::{Action, AfterLoad, AppState, Command, JobResult, NoticeKind, Settings};
use rigscope::view::Side;
use rigscope::weights::{Recipe, Repair, WeightChoice, Weighting};

use crate::common::json_schema::faults;
use crate::node;

fn figure() -> Document {
    Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap()
}

/// Returns the state with the figure in weight editing, all vertices that face the viewer selected, and a joint
/// selected.
fn state() -> AppState {
    let mut state = AppState::new(figure(), Settings::default());
    state.apply(Command::Do(Action::ToggleWeightEditing));
    prepare(&mut state);
    let arm = node(&state, "LeftLowerArm");
    state.apply(Command::Select(Some(arm)));
    box_all(&mut state, true);
    state
}

fn prepare(state: &mut AppState) {
    let done = DerivedKind::new::<EditMeshPlan>().wanted(&state.open.stage).unwrap().run(&Job::default());
    state.receive(JobResult::Derived(done));
    settle_selection(state);
}

/// Runs the background jobs that compute the requested selection.
fn settle_selection(state: &mut AppState) {
    while let Some(wanted) = DerivedKind::new::<SelectPlan>().wanted(&state.open.stage) {
        state.receive(JobResult::Derived(wanted.run(&Job::default())));
    }
    state.open.stage.refresh();
}

fn box_all(state: &mut AppState, adds: bool) {
    let lens = state.open.stage.view.camera.lens(Vec2::new(800.0, 600.0));
    let drawn = VertexBox { side: Side::A, lens, min: Vec2::new(400.0, 0.0), max: Vec2::new(800.0, 600.0), adds };
    state.apply(Command::BoxVertices(Box::new(drawn)));
    settle_selection(state);
}

/// Performs an operation immediately, which the window does in the background.
fn act(state: &mut AppState, action: Action) {
    state.apply(Command::Do(action));
    let wanted = DerivedKind::new::<WeightEditPlan>().wanted(&state.open.stage);
    let Some(wanted) = wanted else { panic!("{:?}", state.obstacle(action)) };
    state.receive(JobResult::Derived(wanted.run(&Job::default())));
    state.open.stage.refresh();
}

fn weights_of_a(state: &AppState) -> WeightSet {
    WeightSet::from_rig(state.open.stage.open_on(Side::A))
}

/// Returns (joint, weight) pairs by vertex for the first skinned primitive, without unused slots.
fn rows(rig: &Rig) -> Vec<Vec<(usize, f32)>> {
    let influences = rig.primitives().find_map(|(_, primitive)| primitive.influences.as_ref()).unwrap();
    let used = |vertex: usize| influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0).collect();
    (0..influences.len()).map(used).collect()
}

#[test]
fn a_box_takes_what_faces_the_viewer_and_with_the_switch_all() {
    let mut state = state();
    let facing = state.open.stage.editing.vertices();
    assert!(facing > 100 && !state.open.stage.view.vertices.is_empty());
    state.apply(Command::SetSelectThrough(true));
    box_all(&mut state, true);
    let all = state.open.stage.editing.vertices();
    assert!(all > facing * 3 / 2, "{facing} of {all}");
    box_all(&mut state, false);
    assert!(state.open.stage.editing.selected().is_empty() && state.open.stage.view.vertices.is_empty());
}

#[test]
fn edited_weights_are_steps_of_undo_and_all_of_them_undone_are_the_weights_of_the_start() {
    let mut state = state();
    let start = weights_of_a(&state);
    let actions = [Action::AssignWeight, Action::SmoothWeights, Action::MirrorWeights, Action::RigidToJoint];
    let mut seen = vec![start.clone()];
    for action in actions {
        act(&mut state, action);
        assert_ne!(seen.last(), Some(&weights_of_a(&state)), "{action:?}");
        seen.push(weights_of_a(&state));
    }
    let label = state.open.history.undo_label().unwrap().to_owned();
    assert!(label.starts_with("Rigid to LeftLowerArm: ") && label.ends_with(" vertices"), "{label}");
    assert!(state.open.stage.view.sides.a.weights.title().ends_with(" vertices edited"));
    for expected in seen.iter().rev().skip(1) {
        state.apply(Command::Do(Action::Undo));
        state.open.stage.compute_pending(&Job::default());
        assert!(weights_of_a(&state) == *expected);
    }
    assert!(
        state.open.stage.view.sides.a.weights.is_file()
            && Arc::ptr_eq(state.open.stage.open_on(Side::A), state.open.stage.rig())
    );
    for _ in actions {
        state.apply(Command::Do(Action::Redo));
    }
    state.open.stage.compute_pending(&Job::default());
    assert!(weights_of_a(&state) == *seen.last().unwrap());
}

#[test]
fn edited_weights_that_are_made_anew_are_those_that_were_shown() {
    let mut state = state();
    let base = WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() });
    state.apply(Command::SetWeights(Side::A, base.clone()));
    assert_eq!(state.obstacle(Action::SmoothWeights), Some("Computing weights for side A"));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    act(&mut state, Action::AssignWeight);
    act(&mut state, Action::SmoothWeights);
    assert_eq!(*state.open.stage.view.sides.a.weights.base(), base);
    let shown = rows(state.open.stage.open_on(Side::A));
    state.apply(Command::RecomputeWeights(Side::A));
    assert!(matches!(WeightChoice::state(&state.open.stage, Side::A), ChoiceState::Awaited));
    state.open.stage.compute_pending(&Job::default());
    for (row, now) in shown.iter().zip(rows(state.open.stage.open_on(Side::A))) {
        assert!(row.len() == now.len() && row.iter().zip(&now).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6));
    }
    state.apply(Command::RepairWeights(Repair::Prune));
    let choice = &state.open.stage.view.sides.a.weights;
    assert_eq!((choice.repairs(), choice.edits().is_some()), (&[Repair::Prune][..], true), "a repair goes below edits");
}

#[test]
fn edited_weights_come_through_a_session() {
    let mut before = state();
    act(&mut before, Action::AssignWeight);
    let json = before.open.snapshot().session().to_json();
    let schema = include_str!("../../docs/schemas/session.schema.json");
    let document = serde_json::from_str::<serde_json::Value>(&json).unwrap();
    assert_eq!(faults(&serde_json::from_str(schema).unwrap(), &document), [""; 0]);
    let session = Session::parse(json.as_bytes()).unwrap();
    let mut after = AppState::new(figure(), Settings::default());
    after.receive(JobResult::Document(Box::new(figure()), AfterLoad::Restore(Box::new(session))));
    after.open.stage.compute_pending(&Job::default());
    assert_eq!(&after.open.stage.view.sides.a.weights, &before.open.stage.view.sides.a.weights);
    assert!(rows(after.open.stage.open_on(Side::A)) == rows(before.open.stage.open_on(Side::A)));
    let has = |state: &AppState, key: &str| state.open.snapshot().session().to_json().contains(key);
    assert!(has(&before, "edit_weights"));
    before.apply(Command::Do(Action::ToggleWeightEditing));
    assert!(!has(&before, "edit_weights"), "vertices are selected only while weights are edited");
    assert!(has(&before, "\"edited\""));
    before.apply(Command::Do(Action::Undo));
    assert!(!has(&before, "\"edited\""));
}

#[test]
fn selected_vertices_and_locked_joints_come_through_a_session() {
    let mut before = state();
    let head = node(&before, "Head");
    before.apply(Command::ToggleLocked(head));
    let session = |state: &AppState| state.open.snapshot().session();
    let json = session(&before).to_json();
    let document = serde_json::from_str::<serde_json::Value>(&json).unwrap();
    let schema = include_str!("../../docs/schemas/session.schema.json");
    assert_eq!(faults(&serde_json::from_str(schema).unwrap(), &document), [""; 0]);
    assert_eq!(document["edit_weights"]["locked"], serde_json::json!(["Head"]));
    let restored = |json: &str| {
        let mut after = AppState::new(figure(), Settings::default());
        let session = Box::new(Session::parse(json.as_bytes()).unwrap());
        after.receive(JobResult::Document(Box::new(figure()), AfterLoad::Restore(session)));
        prepare(&mut after);
        after
    };
    let after = restored(&json);
    assert!(after.open.stage.editing.is_on && after.open.stage.editing.locked == [head]);
    assert_eq!(after.open.stage.editing.selected(), before.open.stage.editing.selected());
    assert_eq!(after.open.stage.view.vertices, before.open.stage.view.vertices);
    assert_eq!(session(&after).to_json(), json);
    // Sessions ignore vertices that the mesh lacks and runs that end before they start.
    let mut odd = document;
    let mut part = odd["edit_weights"]["vertices"][0].clone();
    part["runs"] = serde_json::json!([[5, 4_294_967_295_u32], [0, 9], [9, 3]]);
    let number = |key: &str| part[key].as_u64().unwrap() as usize;
    let (at, primitive) = (number("mesh"), number("primitive"));
    odd["edit_weights"]["vertices"] = vec![part.clone()].into();
    let after = restored(&odd.to_string());
    let mesh = after.open.stage.editing.mesh().unwrap();
    let of_run: std::collections::BTreeSet<u32> = mesh.primitive_points(at, primitive).skip(5).collect();
    assert!(!of_run.is_empty() && after.open.stage.editing.selected().iter().eq(of_run));
}

#[test]
fn edited_weights_survive_a_reload_and_lost_ones_are_reported() {
    let mut state = state();
    act(&mut state, Action::RigidToJoint);
    let (shown, selected) = (rows(state.open.stage.open_on(Side::A)), state.open.stage.editing.vertices());
    let reload = |state: &mut AppState, document: Document| {
        state.receive(JobResult::Document(Box::new(document), AfterLoad::Reload { is_asked: true }));
        let done = DerivedKind::new::<WeightPlan>().wanted(&state.open.stage).unwrap().run(&Job::default());
        state.receive(JobResult::Derived(done));
        prepare(state);
    };
    reload(&mut state, figure());
    assert!(rows(state.open.stage.open_on(Side::A)) == shown);
    assert_eq!(state.open.stage.editing.vertices(), selected, "what is selected stays too");
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    reload(&mut state, Document { source: Source::BuiltIn(BuiltIn::Figure), ..tube });
    let notice = state.notices.newest().unwrap();
    assert!(notice.kind == NoticeKind::Warning && notice.text.contains("vertices were not applied"), "{notice:?}");
    reload(&mut state, figure());
    assert!(rows(state.open.stage.open_on(Side::A)) == shown, "what was lost comes back");
}

#[test]
fn missing_requirements_of_weight_edits_are_explained() {
    let mut state = AppState::new(figure(), Settings::default());
    let why = |state: &AppState, action| state.obstacle(action);
    assert_eq!(why(&state, Action::SmoothWeights), Some("Switch on Edit weights first"));
    state.apply(Command::Do(Action::ToggleWeightEditing));
    assert_eq!(why(&state, Action::InvertVertices), Some("Preparing the mesh"));
    prepare(&mut state);
    assert_eq!(why(&state, Action::SmoothWeights), Some("No vertices are selected"));
    assert_eq!(why(&state, Action::SelectFindingVertices), Some("No finding or weight problem is selected"));
    state.apply(Command::Do(Action::InvertVertices));
    assert!(state.open.stage.editing.is_selecting());
    assert_eq!(why(&state, Action::SmoothWeights), Some("Computing the selection"));
    settle_selection(&mut state);
    state.apply(Command::Select(None));
    assert_eq!(
        (why(&state, Action::SmoothWeights), why(&state, Action::AssignWeight)),
        (None, Some("No joint is selected"))
    );
    let head = node(&state, "Head");
    state.apply(Command::Select(Some(head)));
    state.apply(Command::Do(Action::LockWeights));
    assert_eq!(why(&state, Action::AssignWeight), Some("The selected joint is locked"));
    state.apply(Command::Do(Action::ClearSelection));
    assert!(
        state.open.stage.editing.selected().is_empty() && state.open.stage.view.active_joint() == Some(head),
        "vertices first"
    );
}
