//! Which weights a character is shown with.

use serde::{Deserialize, Serialize};

use super::recipe::Recipe;

/// Where weights come from: what a side is told, undo steps back to, and sessions keep in place of the weights themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightChoice {
    /// Those of the file.
    #[default]
    File,
    /// Those that a recipe makes.
    Computed(Recipe),
}

impl WeightChoice {
    /// True for those of the file, which need not be made.
    pub fn is_file(&self) -> bool {
        *self == Self::File
    }

    /// What it takes in memory.
    pub fn bytes(&self) -> usize {
        let names = match self {
            Self::File => None,
            Self::Computed(recipe) => recipe.left_out.as_ref(),
        };
        size_of::<Self>() + names.map_or(0, |names| names.iter().map(|name| size_of::<String>() + name.len()).sum())
    }

    /// In files of numbers.
    pub fn name(&self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Computed(recipe) => recipe.weighting.spec().name,
        }
    }

    /// In menus and steps of undo.
    pub fn title(&self) -> String {
        match self {
            Self::File => "File".to_owned(),
            Self::Computed(recipe) => recipe.weighting.spec().title.to_owned(),
        }
    }
}
