use egui::Event;

use super::key_map::{KeyMap, acts_while_typing, clipboard_shortcut, shortcut_text};
use crate::state::{Action, ActionSpec, AppState, Command, Commands};

/// Mouse actions for the help sheet, except camera actions, which depend on the preset.
pub(super) const MOUSE: &[(&str, &str)] = &[
    ("Select a joint", "Click a bone; click again for the one behind"),
    ("Extend the selection", "Shift or Ctrl + click; in the tree Shift selects a range"),
    ("Select the joint that moves the skin most", "Alt + click the skin"),
    ("Open the menu of a joint", "Right click its bone or the skin; over nothing, the menu of the view"),
    ("Select a box", "Shift + drag empty space to add, Ctrl + drag to remove"),
    (
        "Select vertices while editing weights",
        "Click the skin; Shift toggles; double click selects connected ones; boxes as above",
    ),
    ("Rotate the joints", "Drag a ring, or between the rings to rotate freely"),
    ("Move or scale the joints", "Drag an arrow, a square or the middle"),
    ("Move or rotate the wipe", "Drag its line or its ring"),
    ("Snap or move finely", "Ctrl (15°, a tenth, 10 %) or Shift while dragging"),
    ("Constrain to an axis", "X, Y or Z while dragging; press again for local axes"),
    ("Type degrees, metres or a factor", "Type a number while dragging"),
    ("Cancel a drag", "Esc or right click"),
    (
        "Tracks: go to a time, zoom, pan, show all",
        "Drag; wheel; middle or Shift + drag; double click. Esc stops measuring",
    ),
    ("Select the previous or next joint", "Up and Down"),
    ("Collapse or expand a row of the tree", "Tab to the row, then Left and Right"),
];

impl Commands {
    pub(super) fn push_and_close(&mut self, is_chosen: bool, command: Command, menu: &egui::Ui) {
        if is_chosen {
            self.push(command);
            menu.close();
        }
    }
}

impl ActionSpec {
    pub fn key_text(&self, ctx: &egui::Context) -> Option<String> {
        KeyMap::keys(ctx, self.action).first().copied().map(shortcut_text)
    }

    pub fn key_hint(&self, ctx: &egui::Context, does: &str) -> Option<String> {
        self.key_text(ctx).map(|key| format!("{key} {does}"))
    }

    pub fn hover_text(&self, ctx: &egui::Context) -> String {
        match self.key_text(ctx) {
            Some(key) => format!("{} ({key})", self.hint),
            None => self.hint.to_owned(),
        }
    }
}

/// Returns the actions whose keys were pressed. Returns none while a menu is open, and only Ctrl shortcuts while
/// typing.
pub(super) fn pressed(ctx: &egui::Context, is_typing: bool) -> Vec<Action> {
    if egui::Popup::is_any_open(ctx) {
        return Vec::new();
    }
    let keys = KeyMap::for_context(ctx);
    // Skips Blink, which is active while its key is held; `Interface::blink` handles it.
    let action = |event: &Event| {
        keys.pressed(event).filter(|action| *action != Action::Blink && (!is_typing || acts_while_typing(event)))
    };
    ctx.input_mut(|input| input.events.extract_if(.., |event| action(event).is_some()).collect::<Vec<_>>())
        .iter()
        .filter_map(action)
        .collect()
}

pub(super) fn is_held(ctx: &egui::Context, action: Action) -> bool {
    let keys = KeyMap::keys(ctx, action);
    !ctx.text_edit_focused()
        && ctx.input(|i| keys.iter().any(|k| i.key_down(k.logical_key) && i.modifiers.matches_exact(k.modifiers)))
}

/// Returns the command for a clipboard event, which egui sends instead of a key press for copy, cut and paste.
/// `awaited` is `Some` if a paste was requested; true stands for a mirrored paste.
pub(super) fn clipboard(ctx: &egui::Context, awaited: Option<bool>) -> Option<Command> {
    if ctx.text_edit_focused() {
        return None;
    }
    let keys = KeyMap::for_context(ctx);
    let command = |event: &Event| {
        let text = if let Event::Paste(text) = event { Some(text.clone()) } else { None };
        if let (Some(is_mirrored), Some(text)) = (awaited, &text) {
            return Some(Command::Paste { text: text.clone(), is_mirrored });
        }
        let action = clipboard_shortcut(event).and_then(|shortcut| keys.action(shortcut))?;
        Some(match (action, text) {
            (Action::PastePose, Some(text)) => Command::Paste { text, is_mirrored: false },
            (Action::PasteMirrored, Some(text)) => Command::Paste { text, is_mirrored: true },
            (action, _) => Command::Do(action),
        })
    };
    ctx.input(|input| input.events.iter().find_map(command))
}

pub(super) fn close_button(ui: &mut egui::Ui, action: Action, name: &str, commands: &mut Commands) {
    let hint = action.spec().key_text(ui.ctx()).map_or("Close".to_owned(), |key| format!("Close ({key})"));
    if ui.add(egui::Button::new("✖").frame(false)).accessible_name(name).on_hover_text(hint).clicked() {
        commands.push(Command::Do(action));
    }
}

pub(super) fn button(ui: &mut egui::Ui, action: Action, state: &AppState, commands: &mut Commands) {
    button_called(ui, action, action.spec().name, state, commands);
}

pub(super) fn button_called(ui: &mut egui::Ui, action: Action, text: &str, state: &AppState, commands: &mut Commands) {
    let info = action.spec();
    let obstacle = state.obstacle(action);
    let mut button = ui.add_enabled(obstacle.is_none(), egui::Button::new(text)).accessible_name(info.name);
    button = button.on_hover_text(info.hover_text(ui.ctx()));
    if let Some(obstacle) = obstacle {
        button = button.on_disabled_hover_text(format!("{}\n{obstacle}", info.hint));
    }
    commands.push_if(button.clicked(), Command::Do(action));
}

pub(super) fn menu_item(ui: &mut egui::Ui, action: Action, state: &AppState, commands: &mut Commands) {
    let info = action.spec();
    let mut button = egui::Button::new(info.name).wrap_mode(egui::TextWrapMode::Extend);
    if let Some(key) = info.key_text(ui.ctx()) {
        button = button.shortcut_text(key);
    }
    let is_clicked = ui.add_enabled(state.can(action), button).on_hover_text(info.hint).clicked();
    commands.push_and_close(is_clicked, Command::Do(action), ui);
}

pub(super) fn menu_items(ui: &mut egui::Ui, actions: &[Action], state: &AppState, commands: &mut Commands) {
    for action in actions {
        menu_item(ui, *action, state, commands);
    }
}

pub(super) fn menu_toggle(ui: &mut egui::Ui, action: Action, is_on: bool, commands: &mut Commands) {
    let info = action.spec();
    let mut is_on = is_on;
    let key = egui::RichText::new(info.key_text(ui.ctx()).unwrap_or_default()).weak();
    let text = (info.name, egui::Atom::grow(), key);
    if ui.checkbox(&mut is_on, text).accessible_name(info.name).on_hover_text(info.hint).changed() {
        commands.push(Command::Do(action));
    }
}

pub(super) fn menu_radio(ui: &mut egui::Ui, action: Action, is_on: bool, commands: &mut Commands) {
    let info = action.spec();
    commands.push_and_close(ui.radio(is_on, info.name).on_hover_text(info.hint).clicked(), Command::Do(action), ui);
}
