use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::edit::VertexRows;
use super::fix::Repair;
use super::weighting::{Recipe, WeightRefinement};
use crate::rig::Rig;
use crate::text::counted;

/// Source of a character's weights. Sessions and undo steps store this instead of the weights themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WeightChoice {
    /// The file's weights.
    #[default]
    File,
    /// The file's weights as stored, neither sorted nor normalized.
    Stored,
    /// The file's weights, refined.
    Refined(WeightRefinement),
    /// The file's weights with faults fixed.
    Repaired(Vec<Repair>),
    /// Computed by a recipe.
    Computed(Recipe),
    /// Transferred from another file, then refined.
    Transferred {
        /// Source file.
        #[serde(serialize_with = "as_text")]
        from: PathBuf,
        /// Applied after the transfer.
        refinement: WeightRefinement,
    },
    /// Hand edits over other weights.
    Edited {
        /// Weights of all other vertices; never `Edited` itself.
        base: Box<Self>,
        /// Weights of edited vertices.
        rows: VertexRows,
    },
}

impl WeightChoice {
    /// Returns true for the file's weights, which need no computation.
    pub fn is_file(&self) -> bool {
        *self == Self::File
    }

    /// Returns the source file of transferred weights.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Transferred { from, .. } => Some(from),
            Self::Edited { base, .. } => base.file(),
            Self::File | Self::Stored | Self::Refined(_) | Self::Repaired(_) | Self::Computed(_) => None,
        }
    }

    /// Resolves the source file's path against a folder.
    pub fn resolve_paths(&mut self, folder: &Path) {
        match self {
            Self::Transferred { from, .. } => *from = folder.join(&*from),
            Self::Edited { base, .. } => base.resolve_paths(folder),
            Self::File | Self::Stored | Self::Refined(_) | Self::Repaired(_) | Self::Computed(_) => {}
        }
    }

    /// Returns the weights without hand edits.
    pub fn base(&self) -> &Self {
        if let Self::Edited { base, .. } = self { base } else { self }
    }

    /// Returns the hand edits, if any.
    pub fn edits(&self) -> Option<&VertexRows> {
        if let Self::Edited { rows, .. } = self { Some(rows) } else { None }
    }

    /// Returns these weights with newer hand edits, which override older edits.
    #[must_use]
    pub fn edited(&self, newer: &VertexRows, rig: &Rig) -> Self {
        let rows = self.edits().cloned().unwrap_or_default().with(newer, rig);
        Self::Edited { base: Box::new(self.base().clone()), rows }
    }

    /// Returns `base` with these hand edits, if any.
    #[must_use]
    pub fn on(&self, base: Self) -> Self {
        match self.edits() {
            Some(rows) => Self::Edited { base: Box::new(base), rows: rows.clone() },
            None => base,
        }
    }

    /// Returns the repairs made to the file's weights; empty for other choices.
    pub fn repairs(&self) -> &[Repair] {
        if let Self::Repaired(repairs) = self.base() { repairs } else { &[] }
    }

    /// Returns the memory use of this value in bytes.
    pub fn bytes(&self) -> usize {
        let further = match self {
            Self::File | Self::Stored | Self::Refined(_) => 0,
            Self::Repaired(repairs) => size_of_val(&**repairs),
            Self::Computed(recipe) => {
                let names = recipe.left_out.iter().flatten();
                names.map(|name| size_of::<String>() + name.len()).sum()
            }
            Self::Transferred { from, .. } => from.as_os_str().len(),
            Self::Edited { base, rows } => base.bytes() + rows.bytes(),
        };
        size_of::<Self>() + further
    }

    /// Returns the name in JSON and CSV.
    pub fn name(&self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Stored => "stored",
            Self::Refined(_) => "refined",
            Self::Repaired(_) => "repaired",
            Self::Computed(recipe) => recipe.weighting.spec().name,
            Self::Transferred { .. } => "transferred",
            Self::Edited { .. } => "edited",
        }
    }

    /// Returns the title in menus and undo steps.
    pub fn title(&self) -> String {
        match self {
            Self::File => "File".to_owned(),
            Self::Stored => "File, as stored".to_owned(),
            Self::Refined(_) => "File, refined".to_owned(),
            Self::Repaired(_) => "File, fixed".to_owned(),
            Self::Computed(recipe) => recipe.weighting.spec().title.to_owned(),
            Self::Transferred { from, .. } => {
                from.file_name().map_or_else(|| from.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
            Self::Edited { base, rows } => {
                let of = if base.is_file() { String::new() } else { format!("{}, ", base.title()) };
                format!("{of}{} edited", counted(rows.len(), "vertex", "vertices"))
            }
        }
    }

    /// Returns the refinement; `None` for choices without one.
    pub fn refinement_mut(&mut self) -> Option<&mut WeightRefinement> {
        match self {
            Self::File | Self::Stored | Self::Repaired(_) | Self::Edited { .. } => None,
            Self::Refined(refinement) | Self::Transferred { refinement, .. } => Some(refinement),
            Self::Computed(recipe) => Some(&mut recipe.refinement),
        }
    }
}

/// Serialises a path as text, replacing anything that is not Unicode.
pub(crate) fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
