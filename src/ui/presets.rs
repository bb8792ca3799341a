//! Where the keys of other programs clash with this one's.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::state::{Action, Preset};

type Changes = &'static [(Action, &'static [KeyboardShortcut])];

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// There, A and W select, E extrudes and F3 searches.
const BLENDER: Changes = &[
    (Action::ToolRotate, &[key(Modifiers::NONE, Key::R)]),
    (Action::ToolMove, &[key(Modifiers::NONE, Key::G)]),
    (Action::FrameAll, &[key(Modifiers::NONE, Key::Home)]),
    (Action::TogglePalette, &[key(Modifiers::NONE, Key::F3), key(CTRL_SHIFT, Key::P)]),
];

/// There, W, E and R are the handles, Z takes back, and the number row tells how to shade.
const MAYA: Changes = &[
    (Action::ToolMove, &[key(Modifiers::NONE, Key::W)]),
    (Action::ToolRotate, &[key(Modifiers::NONE, Key::E)]),
    (Action::ToolScale, &[key(Modifiers::NONE, Key::R)]),
    (Action::Undo, &[key(Modifiers::COMMAND, Key::Z), key(Modifiers::NONE, Key::Z)]),
    (Action::Redo, &[key(CTRL_SHIFT, Key::Z), key(Modifiers::SHIFT, Key::Z), key(Modifiers::COMMAND, Key::Y)]),
    (Action::ToggleWireframe, &[key(Modifiers::NONE, Key::Num4)]),
];

/// The keys of an action in a preset, where they are not the table's.
pub fn keys(preset: Preset, action: Action) -> Option<&'static [KeyboardShortcut]> {
    let changes = match preset {
        Preset::Viewer => return None,
        Preset::Blender => BLENDER,
        Preset::Maya => MAYA,
    };
    changes.iter().find(|(a, _)| *a == action).map(|(_, keys)| *keys)
}
