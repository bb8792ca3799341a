//! Key bindings that differ from the table of actions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Preset of keys and mouse, as in other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Preset {
    /// Keys of this program.
    #[default]
    Viewer,
    /// Keys as in Blender.
    Blender,
    /// Keys as in Maya and Unity.
    Maya,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Blender, Self::Maya];

    /// Returns the name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "Viewer",
            Self::Blender => "Blender",
            Self::Maya => "Maya/Unity",
        }
    }
}

/// A preset with the user's changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shortcuts {
    /// Preset to which the changes apply.
    pub preset: Preset,
    /// Keys of each changed action by its id, such as "Ctrl+Shift+Z"; empty for an action without keys.
    pub changed: BTreeMap<String, Vec<String>>,
}
