//! Key bindings: presets, and the user's changes to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Preset of keys and mouse buttons, modelled on another program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Preset {
    #[default]
    Viewer,
    Blender,
    /// Keys of Maya and Unity.
    Maya,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Blender, Self::Maya];

    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "Viewer",
            Self::Blender => "Blender",
            Self::Maya => "Maya/Unity",
        }
    }
}

/// A preset and the user's changes to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shortcuts {
    pub preset: Preset,
    /// Keys of changed actions, such as "Ctrl+Shift+Z", by action id. An empty list means that the action has no keys.
    pub changed: BTreeMap<String, Vec<String>>,
}
