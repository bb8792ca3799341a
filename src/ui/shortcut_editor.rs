use egui::{Align, Button, ComboBox, Event, Key, KeyboardShortcut, Label, Layout, RichText, Ui, vec2};

use super::key_map::{KeyMap, clipboard_shortcut, shortcut_text, stored_text};
use super::theme;
use crate::state::{Action, ActionSpec, Command, Commands, Preset, Shortcuts};

#[derive(Default)]
pub(super) struct ShortcutEditor {
    waiting: Option<Action>,
}

impl ShortcutEditor {
    pub(super) fn takes_keys(&self) -> bool {
        self.waiting.is_some()
    }

    /// Records the next key for the waiting action. Esc cancels; Backspace removes the action's keys.
    pub(super) fn record(&mut self, ui: &Ui, shortcuts: &Shortcuts, commands: &mut Commands) {
        if let Some((action, key)) = self.waiting.and_then(|action| Some((action, pressed(ui)?))) {
            self.waiting = None;
            let keys = match key.logical_key {
                Key::Escape => None,
                Key::Backspace => Some(Vec::new()),
                _ => Some(vec![stored_text(key)]),
            };
            let changed = keys.map(|keys| with(shortcuts, action, Some(keys)));
            commands.extend(changed.map(Command::SetShortcuts));
        }
    }

    pub(super) fn row(&mut self, ui: &mut Ui, info: &ActionSpec, shortcuts: &Shortcuts, commands: &mut Commands) {
        let is_waiting = self.waiting == Some(info.action);
        ui.horizontal(|ui| {
            let keys = |ui: &mut Ui| ui.add(key_button(ui, info, is_waiting)).on_hover_text(KEY_HINT).clicked();
            if at_right(ui, keys) {
                self.waiting = (!is_waiting).then_some(info.action);
            }
            let is_changed = shortcuts.changed.contains_key(info.id);
            let room = ui.available_width() - if is_changed { 48.0 } else { 0.0 };
            ui.scope(|ui| {
                ui.set_max_width(room);
                ui.add(Label::new(info.name).truncate()).on_hover_text(info.hint);
            });
            if is_changed && ui.small_button("Reset").on_hover_text("Reset to the preset's keys").clicked() {
                commands.push(Command::SetShortcuts(with(shortcuts, info.action, None)));
            }
        });
        if let Some(other) = KeyMap::conflict(ui.ctx(), info.action) {
            ui.horizontal(|ui| {
                at_right(ui, |_| ());
                let text = format!("⚠ also {}", other.spec().name);
                ui.label(RichText::new(text).small().color(ui.visuals().warn_fg_color));
            });
        }
    }
}

const KEY_HINT: &str = "Click, then press a key; Backspace clears, Esc cancels";

/// Width of the key column, points. [`MAX_LETTERS`] is the number of characters that fit into it.
const KEYS_WIDTH: f32 = 140.0;
const MAX_LETTERS: usize = 19;

pub(super) fn at_right<T>(ui: &mut Ui, content: impl FnOnce(&mut Ui) -> T) -> T {
    let size = vec2(KEYS_WIDTH, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(KEYS_WIDTH);
        content(ui)
    })
    .inner
}

fn key_button(ui: &Ui, info: &ActionSpec, is_waiting: bool) -> Button<'static> {
    let keys: Vec<String> = KeyMap::keys(ui.ctx(), info.action).into_iter().map(shortcut_text).collect();
    // Shows as many keys as fit, but at least one.
    let mut shown = String::new();
    for key in keys {
        if shown.is_empty() {
            shown = key;
        } else if shown.len() + key.len() < MAX_LETTERS {
            shown = format!("{shown} {key}");
        }
    }
    let text = match (is_waiting, shown.is_empty()) {
        (true, _) => RichText::new("Press a key").color(theme::selection_text(ui.visuals())),
        (false, true) => RichText::new("–").weak(),
        (false, false) => RichText::new(shown).monospace().size(11.0),
    };
    Button::selectable(is_waiting, text)
}

pub(super) fn preset(ui: &mut Ui, shortcuts: &Shortcuts, commands: &mut Commands) {
    ui.label("Keys and mouse of");
    let chooser = ComboBox::from_id_salt("preset").selected_text(shortcuts.preset.name());
    let chooser = chooser.show_ui(ui, |ui| {
        for preset in Preset::ALL {
            if ui.selectable_label(preset == shortcuts.preset, preset.name()).clicked() {
                commands.push(Command::SetShortcuts(Shortcuts { preset, ..shortcuts.clone() }));
            }
        }
    });
    chooser.response.accessible_name("Preset of keys");
    let changed = shortcuts.changed.len();
    if changed > 0 && ui.button(format!("Reset {changed} changed")).clicked() {
        commands.push(Command::SetShortcuts(Shortcuts { preset: shortcuts.preset, ..Shortcuts::default() }));
    }
}

fn pressed(ui: &Ui) -> Option<KeyboardShortcut> {
    ui.input_mut(|i| {
        let (at, shortcut) = i.events.iter().enumerate().find_map(|(at, event)| match event {
            Event::Key { key, pressed: true, modifiers, .. } => Some((at, KeyboardShortcut::new(*modifiers, *key))),
            event => clipboard_shortcut(event).map(|shortcut| (at, shortcut)),
        })?;
        i.events.remove(at);
        Some(shortcut)
    })
}

/// Returns the shortcuts after the keys of an action were changed. `None` resets the action's keys.
fn with(shortcuts: &Shortcuts, action: Action, keys: Option<Vec<String>>) -> Shortcuts {
    let mut changed = shortcuts.clone();
    let id = action.spec().id;
    match keys {
        Some(keys) => _ = changed.changed.insert(id.to_owned(), keys),
        None => _ = changed.changed.remove(id),
    }
    changed
}
