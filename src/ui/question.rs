//! Dialogs that ask whether to discard unsaved work, or what to do with a dropped file.

use egui::{Button, Id, Key, KeyboardShortcut, Modal, Modifiers, RichText, Ui};

use super::key_map::consume;
use crate::stage::Document;
use crate::state::{AppState, Command, Commands, ConfirmAnswer, ConfirmQuestion};
use crate::view::Side;

pub(super) fn ui(ui: &Ui, state: &AppState, commands: &mut Commands) {
    let Some(question) = &state.question else { return };
    if let Some(dropped) = question.dropped() {
        return about_dropped(ui, dropped, state, commands);
    }
    if let Some(sentence) = question.few_match() {
        return about_few_matches(ui, sentence, commands);
    }
    let text = "You have unsaved edits. If you discard them, File > Restore last session brings them back.";
    let keys = [(Modifiers::COMMAND, Key::D, ConfirmAnswer::Discard)];
    dialog(ui, (&title(question, state), text), answers(state), &keys, commands);
}

fn about_dropped(ui: &Ui, dropped: &Document, state: &AppState, commands: &mut Commands) {
    let (name, open) = (dropped.source.name(), state.open.stage.document.source.name());
    let has_clips = !dropped.rig.clips.is_empty();
    let clips = match dropped.rig.clips.len() {
        0 => "no clips".to_owned(),
        1 => "1 clip".to_owned(),
        several => format!("{several} clips"),
    };
    let mut answers = vec![
        ("Open", ConfirmAnswer::Open, format!("Show {name} in place of {open} (Enter)")),
        ("Use its clips", ConfirmAnswer::UseClips, format!("Apply its clips to {open}, joint by joint by name (U)")),
        ("Compare as B", ConfirmAnswer::Compare, format!("Show {name} on side B, in the pose of {open} (B)")),
        ("Cancel", ConfirmAnswer::Cancel, format!("Keep {open} (Esc)")),
    ];
    answers.retain(|(_, answer, _)| has_clips || *answer != ConfirmAnswer::UseClips);
    let text = format!("It has {clips}, and its joint names match those of {open}.");
    let clips = if has_clips { ConfirmAnswer::UseClips } else { ConfirmAnswer::Open };
    let keys = [(Modifiers::NONE, Key::B, ConfirmAnswer::Compare), (Modifiers::NONE, Key::U, clips)];
    dialog(ui, (&format!("What is {name} for?"), &text), answers, &keys, commands);
}

fn about_few_matches(ui: &Ui, sentence: &str, commands: &mut Commands) {
    let answers = vec![
        ("Cancel", ConfirmAnswer::Cancel, "Leave the character as it is (Enter or Esc)".to_owned()),
        ("Use anyway", ConfirmAnswer::UseClips, "Move the joints that match (U)".to_owned()),
    ];
    let text = format!("{sentence}. The others keep their rest pose.");
    let keys = [(Modifiers::NONE, Key::U, ConfirmAnswer::UseClips)];
    dialog(ui, ("Use these clips?", &text), answers, &keys, commands);
}

fn title(question: &ConfirmQuestion, state: &AppState) -> String {
    let name = state.open.stage.document.source.name();
    let before = if question.is_about_closing() { "closing" } else { "opening something else" };
    let edited = [
        (state.open.saved.is_pose_edited(&state.open.stage), "the pose"),
        (state.open.saved.are_limits_edited(&state.open.stage), "the limits"),
        (state.open.saved.are_clips_edited(&state.open.stage), "the corrections of clips"),
        (state.open.saved.has_unsaved_weights(&state.open.stage, Side::A), "the weights of side A"),
        (state.open.saved.has_unsaved_weights(&state.open.stage, Side::B), "the edited weights of side B"),
    ];
    let edited: Vec<&str> = edited.into_iter().filter_map(|(is_edited, what)| is_edited.then_some(what)).collect();
    let what = match edited.as_slice() {
        [] => "the pose".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    format!("Save {what} of {name} before {before}?")
}

fn answers(state: &AppState) -> Vec<AnswerButton> {
    let (save, hint) = if state.open.saved.is_session_edited(&state.open.stage) {
        ("Save session…", "Save pose, limits and weight settings, then go on (Enter)")
    } else {
        ("Save pose…", "Save the pose, then go on (Enter)")
    };
    vec![
        (save, ConfirmAnswer::Save, hint.to_owned()),
        ("Discard", ConfirmAnswer::Discard, "Go on without saving (Ctrl+D)".to_owned()),
        ("Cancel", ConfirmAnswer::Cancel, "Back to the pose (Esc)".to_owned()),
    ]
}

/// Button text, answer and tooltip.
type AnswerButton = (&'static str, ConfirmAnswer, String);

/// Draws a question with a button for each answer; the first button is highlighted. Enter gives the first answer,
/// `keys` give others, and Esc cancels.
fn dialog(
    ui: &Ui,
    (title, text): (&str, &str),
    answers: Vec<AnswerButton>,
    keys: &[(Modifiers, Key, ConfirmAnswer)],
    commands: &mut Commands,
) {
    let first = answers.first().map(|(_, answer, _)| *answer);
    let modal = Modal::new(Id::unique("question")).show(ui.ctx(), |ui| {
        ui.set_width(380.0);
        ui.label(RichText::new(title).heading().strong());
        ui.add_space(4.0);
        ui.label(text);
        ui.add_space(12.0);
        ui.horizontal(|ui| {
            let (accent, ink) = (ui.visuals().selection.bg_fill, ui.visuals().selection.stroke.color);
            for (index, (text, answer, hint)) in answers.into_iter().enumerate() {
                let highlighted = || Button::new(RichText::new(text).color(ink)).fill(accent);
                let button = if index == 0 { highlighted() } else { Button::new(text) };
                commands.push_if(ui.add(button).on_hover_text(hint).clicked(), Command::Answer(answer));
            }
        });
    });
    let is_on_a_button = ui.ctx().memory(|m| m.focused().is_some());
    let answer = ui.input_mut(|i| {
        // A focused button handles Enter itself.
        if !is_on_a_button && i.consume_key(Modifiers::NONE, Key::Enter) {
            return first;
        }
        let pressed = keys.iter().find(|(held, key, _)| consume(i, KeyboardShortcut::new(*held, *key)));
        let cancelled = || i.consume_key(Modifiers::NONE, Key::Escape).then_some(ConfirmAnswer::Cancel);
        pressed.map(|(.., answer)| *answer).or_else(cancelled)
    });
    commands.extend(answer.or(modal.should_close().then_some(ConfirmAnswer::Cancel)).map(Command::Answer));
}
