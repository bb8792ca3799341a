//! Events of one frame are handled in their order, and keys don't trigger actions while text is typed.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Quat;
use program::{Program, program};
use rigscope::rig::Trs;
use rigscope::stage::BuiltIn;
use rigscope::state::{Command, Request, WindowRequest};

fn press(key: Key, modifiers: Modifiers) -> [Event; 2] {
    [true, false].map(|pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers })
}

/// Returns the events of typing a word.
fn typed(word: &str) -> Vec<Event> {
    let letter = |letter: char| {
        let key = Key::from_name(&letter.to_ascii_uppercase().to_string()).unwrap();
        let [down, up] = press(key, Modifiers::NONE);
        [down, Event::Text(letter.to_string()), up]
    };
    word.chars().flat_map(letter).collect()
}

/// Sends all events in one frame.
fn batch(harness: &mut Harness<'_, Program>, events: impl IntoIterator<Item = Event>) {
    harness.input_mut().events.extend(events);
    harness.run();
}

/// Returns a window after a number of edits of one joint, each one an undo step.
fn edited(steps: usize) -> Harness<'static, Program> {
    let mut harness = program(BuiltIn::Figure);
    let node = harness.state().node("LeftLowerArm");
    for step in 0..steps {
        let user_local = Trs::from_rotation(Quat::from_rotation_x(0.1 + 0.1 * step as f32));
        harness.state_mut().apply(Command::Edit { node, user_local });
    }
    harness.run();
    harness
}

/// Focuses the tree's filter.
fn focus_filter(harness: &mut Harness<'_, Program>) {
    harness.get_by_role(Role::TextInput).focus();
    harness.run();
}

fn filter_text(harness: &Harness<'_, Program>) -> Option<String> {
    harness.get_by_role(Role::TextInput).value()
}

#[test]
fn text_after_the_key_that_finds_joints_is_typed_into_the_filter() {
    let mut harness = program(BuiltIn::Figure);
    let method = harness.state().state.open.stage.view.sides.a.skinning.method;
    let find = press(Key::F, Modifiers::COMMAND);
    batch(&mut harness, find.into_iter().chain(typed("thumb")));
    assert_eq!(filter_text(&harness).as_deref(), Some("thumb"));
    let state = &harness.state().state;
    assert_eq!(state.open.stage.view.sides.a.skinning.method, method, "M is a letter here");
    assert!(!state.open.twist.is_open, "and so is T");
    // Scripts send the whole text in one event.
    let mut harness = program(BuiltIn::Figure);
    let find = press(Key::F, Modifiers::COMMAND);
    batch(&mut harness, find.into_iter().chain([Event::Text("thumb".to_owned())]));
    assert_eq!(filter_text(&harness).as_deref(), Some("thumb"));
}

#[test]
fn text_after_the_key_of_the_palette_is_searched_there_and_enter_runs_what_was_found() {
    let mut harness = program(BuiltIn::Figure);
    let palette = press(Key::P, Modifiers::COMMAND | Modifiers::SHIFT);
    let enter = press(Key::Enter, Modifiers::NONE);
    batch(&mut harness, palette.into_iter().chain(typed("ghost")).chain(enter));
    assert_eq!(harness.state().state.open.stage.view.compare.layout, rigscope::view::Layout::Ghost);
}

#[test]
fn as_many_steps_are_taken_back_as_keys_are_pressed() {
    let mut harness = edited(10);
    let undo = std::iter::repeat_n(press(Key::Z, Modifiers::COMMAND), 10).flatten();
    batch(&mut harness, undo);
    assert_eq!(harness.state().state.open.history.undo_label(), None);
    assert_eq!(harness.state().rotation("LeftLowerArm"), Quat::IDENTITY);
    let redo = std::iter::repeat_n(press(Key::Y, Modifiers::COMMAND), 3).flatten();
    batch(&mut harness, redo);
    assert!(harness.state().rotation("LeftLowerArm").abs_diff_eq(Quat::from_rotation_x(0.3), 1e-6));
    // Undo and redo alternate, in the order of the keys.
    let turns = [Key::Z, Key::Z, Key::Y, Key::Z].map(|key| press(key, Modifiers::COMMAND));
    batch(&mut harness, turns.into_iter().flatten());
    assert!(harness.state().rotation("LeftLowerArm").abs_diff_eq(Quat::from_rotation_x(0.1), 1e-6));
}

#[test]
fn alt_and_a_letter_do_not_act_as_the_letter() {
    let mut harness = program(BuiltIn::Figure);
    let method = harness.state().state.open.stage.view.sides.a.skinning.method;
    let layout = harness.state().state.open.stage.view.compare.layout;
    for key in [Key::M, Key::C, Key::T, Key::V] {
        batch(&mut harness, press(key, Modifiers::ALT));
    }
    let state = &harness.state().state;
    assert_eq!((state.open.stage.view.sides.a.skinning.method, state.open.stage.view.compare.layout), (method, layout));
    assert!(!state.open.twist.is_open && !state.open.stage.editing.is_on);
    batch(&mut harness, press(Key::M, Modifiers::NONE));
    assert_ne!(harness.state().state.open.stage.view.sides.a.skinning.method, method);
}

#[test]
fn keys_with_ctrl_act_while_text_is_typed_but_those_that_edit_text_are_its_own() {
    let mut harness = edited(1);
    focus_filter(&mut harness);
    batch(&mut harness, press(Key::S, Modifiers::COMMAND));
    let asked =
        harness.state_mut().requests.drain(..).any(|r| matches!(r, Request::Window(WindowRequest::PickPath(_))));
    assert!(asked || harness.state().state.paths.prompt.is_some(), "the pose is to be saved");
    let mut harness = edited(1);
    focus_filter(&mut harness);
    batch(&mut harness, press(Key::Z, Modifiers::COMMAND));
    assert!(harness.state().state.open.history.undo_label().is_some(), "Ctrl+Z is the field's");
    batch(&mut harness, typed("arm"));
    assert_eq!(filter_text(&harness).as_deref(), Some("arm"));
    batch(&mut harness, press(Key::P, Modifiers::COMMAND | Modifiers::SHIFT));
    assert!(harness.query_all_by_role(Role::TextInput).count() > 1, "the palette is open");
}
