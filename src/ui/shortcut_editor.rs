//! The keys of every action, to read and to change.

use egui::{Button, ComboBox, Event, Grid, Key, KeyboardShortcut, RichText, Ui};

use super::actions::info;
use super::key_map::{KeyMap, clipboard_shortcut, shortcut_text, stored_text};
use crate::state::{ACTIONS, Action, ActionSpec, AppState, Command, Preset, Shortcuts};

/// The action that waits for its key.
#[derive(Default)]
pub struct Editor {
    waiting: Option<Action>,
}

impl Editor {
    /// True while the next key is not a command.
    pub fn takes_keys(&self) -> bool {
        self.waiting.is_some()
    }

    /// Waits for no key any more.
    pub fn stop(&mut self) {
        self.waiting = None;
    }

    /// Draws preset and keys.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
        let shortcuts = &state.settings.shortcuts;
        preset_ui(ui, shortcuts, commands);
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
        Grid::new("keys").num_columns(4).spacing([16.0, 4.0]).show(ui, |ui| {
            for info in ACTIONS {
                self.row(ui, info, shortcuts, commands);
                ui.end_row();
            }
        });
    }

    fn row(&mut self, ui: &mut Ui, info: &ActionSpec, shortcuts: &Shortcuts, commands: &mut Vec<Command>) {
        ui.label(info.name).on_hover_text(info.hint);
        let is_waiting = self.waiting == Some(info.action);
        if ui
            .add(key_button(ui, info, is_waiting))
            .on_hover_text("Click, then press the new key; Backspace for none, Esc for no change")
            .clicked()
        {
            self.waiting = (!is_waiting).then_some(info.action);
        }
        if shortcuts.changed.contains_key(info.id) {
            let reset = ui.small_button("Reset").on_hover_text("The keys of the preset again");
            if reset.clicked() {
                commands.push(Command::SetShortcuts(with(shortcuts, info.action, None)));
            }
        } else {
            ui.label("");
        }
        match KeyMap::conflict(ui.ctx(), info.action) {
            Some(other) => {
                let text = format!("⚠ also {}", self::info(other).name);
                ui.label(RichText::new(text).color(ui.visuals().warn_fg_color))
            }
            None => ui.label(RichText::new(info.hint).weak()),
        };
    }
}

fn key_button(ui: &Ui, info: &ActionSpec, is_waiting: bool) -> Button<'static> {
    let keys: Vec<String> = KeyMap::keys(ui.ctx(), info.action).into_iter().map(shortcut_text).collect();
    let text = match (is_waiting, keys.is_empty()) {
        (true, _) => RichText::new("Press a key").color(ui.visuals().warn_fg_color),
        (false, true) => RichText::new("none").weak(),
        (false, false) => RichText::new(keys.join("  ")).monospace(),
    };
    Button::selectable(is_waiting, text)
}

fn preset_ui(ui: &mut Ui, shortcuts: &Shortcuts, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label("Keys and mouse as in");
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
    });
    ui.add_space(4.0);
}

/// The key that was pressed, which then is no command.
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

/// With other keys for an action, or with the preset's again.
fn with(shortcuts: &Shortcuts, action: Action, keys: Option<Vec<String>>) -> Shortcuts {
    let mut changed = shortcuts.clone();
    let id = info(action).id;
    match keys {
        Some(keys) => _ = changed.changed.insert(id.to_owned(), keys),
        None => _ = changed.changed.remove(id),
    }
    changed
}
