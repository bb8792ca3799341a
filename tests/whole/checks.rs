//! Checks that must hold after every action.

use std::sync::Arc;

use egui_kittest::Harness;
use rigscope::rig::Rig;
use rigscope::stage::Session;
use rigscope::state::{Action, AppState, Command};

use crate::program::{Program, settle};

/// Formats everything that undo restores. Normalises zeros: -0 and 0 are equal.
fn choices(state: &AppState) -> String {
    let (document, view) = (&state.open.stage.document, &state.open.stage.view);
    let pose = document.pose.clone().bare();
    let of_document = (pose, &document.limits, &document.pins, document.switched_off);
    format!("{of_document:#?}\n{:#?}\n{:#?}\n{:#?}", view.hidden, view.sides, view.saved).replace("-0.0,", "0.0,")
}

/// Returns the first lines that differ.
fn difference(one: &str, other: &str) -> String {
    let differs = one.lines().zip(other.lines()).enumerate().find(|(_, (a, b))| a != b);
    let Some((at, _)) = differs else { return "one is longer".to_owned() };
    let part = |text: &str| text.lines().skip(at.saturating_sub(12)).take(16).collect::<Vec<_>>().join("\n");
    format!("{}\n--- and ---\n{}", part(one), part(other))
}

fn assert_same(one: &str, other: &str, what: &str) {
    assert!(one == other, "{what}:\n{}", difference(one, other));
}

/// State of the character when it was opened.
#[derive(Default)]
pub struct Start {
    of: Option<(Arc<Rig>, String)>,
}

impl Start {
    /// Asserts that undoing everything gives the start and redoing everything gives the end. Returns to the current step.
    pub fn check_undo(&mut self, harness: &mut Harness<'_, Program>) {
        self.note(harness);
        harness.state_mut().engine.commands.push(Command::EndEdit);
        settle(harness);
        // Playback and swinging springs are not undo steps, but each step may cause notices and jobs.
        let now = choices(&harness.state().engine.state);
        let done = harness.state().engine.state.open.history.done();
        go_all_the_way(harness, Action::Redo);
        let end = choices(&harness.state().engine.state);
        go_all_the_way(harness, Action::Undo);
        let open = &harness.state().engine.state.open;
        if let Some((rig, start)) = &self.of
            && Arc::ptr_eq(rig, open.stage.rig())
            && open.history.forgotten() == 0
        {
            assert_same(start, &choices(&harness.state().engine.state), "undone to the start it is something else");
        }
        go_all_the_way(harness, Action::Redo);
        assert_same(&end, &choices(&harness.state().engine.state), "done again to the end it is something else");
        harness.state_mut().engine.commands.push(Command::GoToStep(done));
        settle(harness);
        assert_same(&now, &choices(&harness.state().engine.state), "back at the step it is something else");
    }

    /// Records the start state if another character is open.
    pub fn note(&mut self, harness: &mut Harness<'_, Program>) {
        let open = &harness.state().engine.state.open;
        if self.of.as_ref().is_some_and(|(rig, _)| Arc::ptr_eq(rig, open.stage.rig())) {
            return;
        }
        let done = open.history.done();
        let rig = Arc::clone(open.stage.rig());
        if done > 0 {
            // The file was reloaded and kept its undo steps.
            go_all_the_way(harness, Action::Undo);
        }
        self.of = Some((rig, choices(&harness.state().engine.state)));
        if done > 0 {
            harness.state_mut().engine.commands.push(Command::GoToStep(done));
            settle(harness);
        }
    }
}

fn go_all_the_way(harness: &mut Harness<'_, Program>, action: Action) {
    let is_there = |harness: &Harness<'_, Program>| {
        let history = &harness.state().engine.state.open.history;
        history.done() == if action == Action::Undo { 0 } else { history.len() }
    };
    for _ in 0..=harness.state().engine.state.open.history.len() {
        if is_there(harness) {
            break;
        }
        harness.state_mut().engine.commands.push(Command::Do(action));
        harness.step();
    }
    assert!(is_there(harness), "{action:?} stops on the way");
    settle(harness);
}

/// Asserts that selected items exist, that all numbers are finite, and that a session stores everything.
pub fn assert_consistent(state: &AppState) {
    let open = &state.open;
    let rig = open.stage.rig();
    let (view, history) = (&open.stage.view, &open.history);
    assert!(history.done() <= history.len(), "{} steps done of {}", history.done(), history.len());
    let nodes = rig.hierarchy.len();
    let named = view.selected.iter().chain(&view.hovered).chain(open.stage.document.pins.iter().map(|pin| &pin.node));
    for node in named {
        assert!(node.index() < nodes, "node {node:?} of {nodes}");
    }
    assert!(view.isolated.as_ref().is_none_or(|part| part.end <= nodes), "{:?} of {nodes}", view.isolated);
    let pose = open.stage.pose();
    assert_eq!(pose.len(), nodes, "the pose is of this character");
    for node in rig.hierarchy.nodes() {
        let local = pose.user_local(node);
        let is_unit = (local.rotation.length() - 1.0).abs() < 1e-3;
        assert!(local.translation.is_finite() && local.scale.is_finite() && is_unit, "{node:?}: {local:?}");
    }
    let camera = &view.camera;
    let numbers = [camera.yaw, camera.pitch, camera.distance, camera.fov, camera.scene_size];
    assert!(camera.target.is_finite() && numbers.iter().all(|x| x.is_finite()), "{camera:?}");
    assert!(camera.distance > 0.0 && camera.fov > 0.0, "{camera:?}");
    let playback = &open.stage.playback;
    assert!(playback.time_secs.is_finite() && playback.speed.is_finite(), "{playback:?}");
    assert!(playback.clip.is_none_or(|clip| clip < rig.clips.len()), "{playback:?}");
    let json = open.snapshot().session().to_json();
    let read = Session::parse(json.as_bytes()).unwrap_or_else(|problem| panic!("{problem} in the session {json}"));
    assert_same(&json, &read.to_json(), "a session read and written is something else");
}
