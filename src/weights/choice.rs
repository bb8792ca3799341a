//! Choice of the weights that a character is shown with.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use super::fix::Repair;
use super::recipe::{Recipe, Refinement};

/// Origin of weights: what a side is told, undo steps back to, and sessions keep in place of the weights themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightChoice {
    /// Weights of the file.
    #[default]
    File,
    /// Weights of the file, refined.
    Refined(Refinement),
    /// Weights of the file with faults put right.
    Repaired(Vec<Repair>),
    /// Weights that a recipe makes.
    Computed(Recipe),
    /// Weights of another file, carried over and refined.
    Transferred {
        /// The file they are carried over from.
        #[serde(serialize_with = "as_text")]
        from: PathBuf,
        /// What is done to the carried weights.
        refinement: Refinement,
    },
}

impl WeightChoice {
    /// True for the file's weights, which need not be made.
    pub fn is_file(&self) -> bool {
        *self == Self::File
    }

    /// The other file that these weights are read from.
    pub fn file(&self) -> Option<&Path> {
        if let Self::Transferred { from, .. } = self { Some(from) } else { None }
    }

    /// Takes the path of another file as one below a folder, unless it is absolute.
    pub fn place_below(&mut self, folder: &Path) {
        if let Self::Transferred { from, .. } = self {
            *from = folder.join(&*from);
        }
    }

    /// Memory that the choice takes, bytes.
    pub fn bytes(&self) -> usize {
        let further = match self {
            Self::File | Self::Refined(_) => 0,
            Self::Repaired(repairs) => size_of_val(&**repairs),
            Self::Computed(recipe) => {
                let names = recipe.left_out.iter().flatten();
                names.map(|name| size_of::<String>() + name.len()).sum()
            }
            Self::Transferred { from, .. } => from.as_os_str().len(),
        };
        size_of::<Self>() + further
    }

    /// Name in files of numbers.
    pub fn name(&self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Refined(_) => "refined",
            Self::Repaired(_) => "repaired",
            Self::Computed(recipe) => recipe.weighting.spec().name,
            Self::Transferred { .. } => "transferred",
        }
    }

    /// Title in menus and steps of undo.
    pub fn title(&self) -> String {
        match self {
            Self::File => "File".to_owned(),
            Self::Refined(_) => "File, refined".to_owned(),
            Self::Repaired(_) => "File, repaired".to_owned(),
            Self::Computed(recipe) => recipe.weighting.spec().title.to_owned(),
            Self::Transferred { from, .. } => {
                from.file_name().map_or_else(|| from.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
        }
    }

    /// What is done to the weights afterwards, where that can be chosen.
    pub fn refinement_mut(&mut self) -> Option<&mut Refinement> {
        match self {
            Self::File | Self::Repaired(_) => None,
            Self::Refined(refinement) | Self::Transferred { refinement, .. } => Some(refinement),
            Self::Computed(recipe) => Some(&mut recipe.refinement),
        }
    }
}

/// Writes a path, which need not be Unicode, into JSON, which is.
pub(crate) fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
