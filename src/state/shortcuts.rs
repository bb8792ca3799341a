//! Which keys do what, as far as it differs from the table of actions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Keys and mouse as in another program, where those differ from this one's own.
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

    /// Name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "Viewer",
            Self::Blender => "Blender",
            Self::Maya => "Maya/Unity",
        }
    }
}

/// A preset and what the user changed of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shortcuts {
    /// Preset that the keys begin with.
    pub preset: Preset,
    /// The keys of an action, by its name in the program, as text like "Ctrl+Shift+Z"; none for an action without keys.
    pub changed: BTreeMap<String, Vec<String>>,
}
