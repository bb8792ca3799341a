//! The keys of every action: the table's defaults, those of a preset, and the user's own.

use std::sync::Arc;

use egui::{Context, Event, Id, Key, KeyboardShortcut, Modifiers};

use crate::state::{ACTIONS, Action, ActionSpec, Shortcuts};

/// The keys of every action, in the order of the table.
#[derive(Default)]
pub(super) struct KeyMap {
    shortcuts: Shortcuts,
    keys: Vec<(Action, Vec<KeyboardShortcut>)>,
    by_modifiers: Vec<(KeyboardShortcut, Action)>,
}

impl KeyMap {
    /// Key map of a preset with the user's changes. Text that is not a key is ignored.
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

    /// Installs the key map in this context.
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

    /// The keys of this context.
    pub(super) fn of(ctx: &Context) -> Arc<Self> {
        Self::installed(ctx).unwrap_or_default()
    }

    /// All keys, those with more modifiers first: Ctrl+Shift+Z is not Ctrl+Z.
    pub(super) fn by_modifiers(&self) -> impl Iterator<Item = &(KeyboardShortcut, Action)> {
        self.by_modifiers.iter()
    }

    /// Action of a key.
    pub(super) fn action(&self, shortcut: KeyboardShortcut) -> Option<Action> {
        self.by_modifiers.iter().find(|(key, _)| *key == shortcut).map(|(_, action)| *action)
    }

    /// The keys of an action in this context; the first is shown.
    pub(super) fn keys(ctx: &Context, action: Action) -> Vec<KeyboardShortcut> {
        let map = Self::of(ctx);
        map.keys.iter().find(|(a, _)| *a == action).map(|(_, keys)| keys.clone()).unwrap_or_default()
    }

    /// Other action that has one of the keys of this one.
    pub(super) fn conflict(ctx: &Context, action: Action) -> Option<Action> {
        let own = Self::keys(ctx, action);
        let map = Self::of(ctx);
        map.by_modifiers().find(|(key, other)| *other != action && own.contains(key)).map(|(_, other)| *other)
    }
}

/// The key behind a clipboard event: these keys reach the program only as events, whatever they are bound to.
pub(super) fn clipboard_shortcut(event: &Event) -> Option<KeyboardShortcut> {
    let key = match event {
        Event::Copy => Key::C,
        Event::Cut => Key::X,
        Event::Paste(_) => Key::V,
        _ => return None,
    };
    Some(KeyboardShortcut::new(Modifiers::COMMAND, key))
}

/// A shortcut as people write it: "Ctrl+Shift+Z", "[".
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

/// A shortcut for the settings, the same on every system.
pub(super) fn stored_text(shortcut: KeyboardShortcut) -> String {
    let m = shortcut.modifiers;
    let names = [(m.command, "Ctrl"), (m.alt, "Alt"), (m.shift, "Shift")];
    let held = names.iter().filter(|(is_held, _)| *is_held).map(|(_, name)| *name);
    held.chain([shortcut.logical_key.name()]).collect::<Vec<_>>().join("+")
}

/// Key that [`stored_text`] wrote.
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
    fn every_key_of_the_table_is_written_as_it_is_stored() {
        for text in ACTIONS.iter().flat_map(|spec| Preset::ALL.into_iter().flat_map(|preset| spec.keys(preset))) {
            assert_eq!(parse(text).map(stored_text).as_deref(), Some(*text));
        }
        for bad in ["", "Ctrl", "Hyper+A", "A+", "Ctrl+Nothing"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_the_user_chose_goes_before_the_preset() {
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
