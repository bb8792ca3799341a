use std::sync::Arc;

use egui::{Context, Event, Id, InputState, Key, KeyboardShortcut, Modifiers};

use crate::state::{ACTIONS, Action, ActionSpec, Shortcuts};

/// Keys of all actions, in the order of the action table: the preset's keys with the user's changes.
#[derive(Default)]
pub(super) struct KeyMap {
    shortcuts: Shortcuts,
    keys: Vec<(Action, Vec<KeyboardShortcut>)>,
    by_modifiers: Vec<(KeyboardShortcut, Action)>,
}

impl KeyMap {
    /// Creates the key map of a preset with the user's changes. Ignores text that is not a valid key.
    pub(super) fn new(shortcuts: &Shortcuts) -> Self {
        let keys = |spec: &ActionSpec| -> Vec<_> {
            match shortcuts.changed.get(spec.id) {
                Some(texts) => texts.iter().filter_map(|text| parse(text)).collect(),
                None => spec.keys(shortcuts.preset).iter().filter_map(|text| parse(text)).collect(),
            }
        };
        let keys: Vec<_> = ACTIONS.iter().map(|spec| (spec.action, keys(spec))).collect();
        let mut by_modifiers: Vec<_> = keys.iter().flat_map(|(a, keys)| keys.iter().map(|k| (*k, *a))).collect();
        by_modifiers.sort_by_key(|(key, _)| {
            let m = key.modifiers;
            std::cmp::Reverse(u8::from(m.alt) + u8::from(m.shift) + u8::from(m.command))
        });
        Self { shortcuts: shortcuts.clone(), keys, by_modifiers }
    }

    pub(super) fn install(ctx: &Context, shortcuts: &Shortcuts) {
        let installed = Self::installed(ctx);
        if installed.is_none_or(|map| map.shortcuts != *shortcuts) {
            let map = Arc::new(Self::new(shortcuts));
            ctx.data_mut(|d| d.insert_temp(Id::unique("key map"), map));
        }
    }

    fn installed(ctx: &Context) -> Option<Arc<Self>> {
        ctx.data(|d| d.get_temp(Id::unique("key map")))
    }

    pub(super) fn for_context(ctx: &Context) -> Arc<Self> {
        Self::installed(ctx).unwrap_or_default()
    }

    /// Returns the action of a key press. If several bindings match, the one with the most modifiers wins.
    pub(super) fn pressed(&self, event: &Event) -> Option<Action> {
        self.by_modifiers.iter().find(|(key, _)| is_press(event, *key)).map(|(_, action)| *action)
    }

    pub(super) fn action(&self, shortcut: KeyboardShortcut) -> Option<Action> {
        self.by_modifiers.iter().find(|(key, _)| *key == shortcut).map(|(_, action)| *action)
    }

    /// Returns the keys of an action. Menus show the first one.
    pub(super) fn keys(ctx: &Context, action: Action) -> Vec<KeyboardShortcut> {
        let map = Self::for_context(ctx);
        map.keys.iter().find(|(a, _)| *a == action).map(|(_, keys)| keys.clone()).unwrap_or_default()
    }

    pub(super) fn conflict(ctx: &Context, action: Action) -> Option<Action> {
        let own = Self::keys(ctx, action);
        let map = Self::for_context(ctx);
        map.by_modifiers.iter().find(|(key, other)| *other != action && own.contains(key)).map(|(_, other)| *other)
    }
}

/// Returns whether an event presses a shortcut. Allows an additional Shift and, for symbols, an additional Alt, because
/// some keyboard layouts need them.
pub(super) fn is_press(event: &Event, KeyboardShortcut { modifiers: wanted, logical_key }: KeyboardShortcut) -> bool {
    let Event::Key { key, pressed: true, modifiers: held, .. } = event else { return false };
    let is_alt_right = held.alt == wanted.alt || held.alt && SIGNS.contains(key);
    *key == logical_key && held.matches_logically(wanted) && is_alt_right
}

/// Returns whether the shortcut was pressed, and removes its event.
pub(super) fn consume(input: &mut InputState, shortcut: KeyboardShortcut) -> bool {
    let at = input.events.iter().position(|event| is_press(event, shortcut));
    at.map(|at| input.events.remove(at)).is_some()
}

/// Keys that type a symbol, such as a bracket.
#[rustfmt::skip]
const SIGNS: [Key; 18] = [
    Key::Backslash, Key::Backtick, Key::CloseBracket, Key::CloseCurlyBracket, Key::Colon, Key::Comma, Key::Equals,
    Key::Exclamationmark, Key::Minus, Key::OpenBracket, Key::OpenCurlyBracket, Key::Period, Key::Pipe, Key::Plus,
    Key::Questionmark, Key::Quote, Key::Semicolon, Key::Slash,
];

/// Keys that are text field shortcuts when pressed with Ctrl.
#[rustfmt::skip]
const FOR_TEXT: [Key; 19] = [
    Key::A, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::Backspace, Key::C, Key::Delete,
    Key::End, Key::Enter, Key::H, Key::Home, Key::K, Key::U, Key::V, Key::W, Key::X, Key::Y, Key::Z,
];

/// Returns whether a shortcut works while typing. These are Ctrl shortcuts that text fields don't use.
pub(super) fn acts_while_typing(event: &Event) -> bool {
    let Event::Key { key, modifiers, .. } = event else { return false };
    // Ctrl+Alt types letters on some keyboards.
    modifiers.command && !modifiers.alt && !FOR_TEXT.contains(key)
}

pub(super) fn clipboard_shortcut(event: &Event) -> Option<KeyboardShortcut> {
    let key = match event {
        Event::Copy => Key::C,
        Event::Cut => Key::X,
        Event::Paste(_) => Key::V,
        _ => return None,
    };
    Some(KeyboardShortcut::new(Modifiers::COMMAND, key))
}

/// Formats a shortcut for display, such as "Ctrl+Shift+Z" or "[".
pub(super) fn shortcut_text(shortcut: KeyboardShortcut) -> String {
    let key = match shortcut.logical_key {
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Comma => ",",
        Key::Slash => "/",
        Key::Questionmark => "?",
        Key::Escape => "Esc",
        Key::ArrowLeft => "Left",
        Key::ArrowRight => "Right",
        other => other.name(),
    };
    let is_mac = cfg!(target_os = "macos");
    let modifiers = egui::ModifierNames::NAMES.format(&shortcut.modifiers, is_mac);
    if modifiers.is_empty() { key.to_owned() } else { format!("{modifiers}+{key}") }
}

/// Formats a shortcut for the settings file.
pub(super) fn stored_text(shortcut: KeyboardShortcut) -> String {
    let m = shortcut.modifiers;
    let names = [(m.command, "Ctrl"), (m.alt, "Alt"), (m.shift, "Shift")];
    let held = names.iter().filter(|(is_held, _)| *is_held).map(|(_, name)| *name);
    held.chain([shortcut.logical_key.name()]).collect::<Vec<_>>().join("+")
}

/// Parses the format of [`stored_text`].
fn parse(text: &str) -> Option<KeyboardShortcut> {
    let mut parts = text.split('+').rev();
    let key = Key::from_name(parts.next()?)?;
    let modifiers = parts.try_fold(Modifiers::NONE, |held, name| {
        let more = match name {
            "Ctrl" => Modifiers::COMMAND,
            "Alt" => Modifiers::ALT,
            "Shift" => Modifiers::SHIFT,
            _ => return None,
        };
        Some(held.plus(more))
    })?;
    Some(KeyboardShortcut::new(modifiers, key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Preset;

    #[test]
    fn no_key_does_two_things_in_any_preset() {
        for preset in Preset::ALL {
            let ctx = Context::default();
            KeyMap::install(&ctx, &Shortcuts { preset, ..Shortcuts::default() });
            for info in ACTIONS {
                assert_eq!(KeyMap::conflict(&ctx, info.action), None, "{} in {}", info.name, preset.name());
            }
        }
    }

    #[test]
    fn alt_and_a_letter_are_not_the_letter_and_signs_may_need_alt_or_shift() {
        let press = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let is = |key, held, wanted| is_press(&press(key, held), KeyboardShortcut::new(wanted, key));
        let (none, alt, shift, ctrl) = (Modifiers::NONE, Modifiers::ALT, Modifiers::SHIFT, Modifiers::COMMAND);
        assert!(is(Key::M, none, none) && is(Key::R, alt, alt) && is(Key::Z, ctrl | shift, ctrl | shift));
        assert!(
            !is(Key::M, alt, none)
                && !is(Key::M, ctrl, none)
                && !is(Key::R, none, alt)
                && !is(Key::S, ctrl | alt, ctrl)
        );
        assert!(is(Key::Questionmark, shift, none) && is(Key::OpenBracket, alt, none));
        assert!(acts_while_typing(&press(Key::S, ctrl)) && acts_while_typing(&press(Key::P, ctrl | shift)));
        assert!(
            ![(Key::S, none), (Key::Z, ctrl), (Key::S, ctrl | alt)]
                .iter()
                .any(|&(key, held)| acts_while_typing(&press(key, held)))
        );
    }

    #[test]
    fn every_key_of_the_table_is_written_as_it_is_stored() {
        for text in ACTIONS.iter().flat_map(|spec| Preset::ALL.into_iter().flat_map(|preset| spec.keys(preset))) {
            assert_eq!(parse(text).map(stored_text).as_deref(), Some(*text));
        }
        for bad in ["", "Ctrl", "Hyper+A", "A+", "Ctrl+Nothing"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn user_shortcuts_override_the_preset() {
        let ctx = Context::default();
        let changed =
            [("FrameAll".to_owned(), vec!["Ctrl+K".to_owned(), "?!".to_owned()]), ("Gone".to_owned(), vec![])];
        let mut shortcuts = Shortcuts { preset: Preset::Blender, changed: changed.into() };
        KeyMap::install(&ctx, &shortcuts);
        assert_eq!(KeyMap::keys(&ctx, Action::FrameAll), [KeyboardShortcut::new(Modifiers::COMMAND, Key::K)]);
        assert_eq!(KeyMap::conflict(&ctx, Action::FrameAll), None);
        shortcuts.changed.insert("FrameAll".to_owned(), vec!["F".to_owned()]);
        KeyMap::install(&ctx, &shortcuts);
        assert_eq!(KeyMap::conflict(&ctx, Action::FrameAll), Some(Action::FrameSelected));
    }
}
