use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PointsFile;
use super::skeleton_change::split_at_file;
use crate::weights::as_text;

/// Character displayed on a side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShownFile {
    /// The open character, with the side's weights.
    #[default]
    Open,
    /// A comparison file's character, posed like the open character.
    #[serde(serialize_with = "as_text")]
    Comparison(PathBuf),
    /// Points of another program, for the open character's vertices.
    Points(PointsFile),
    /// The open character before its last reload, kept only in memory.
    Previous,
    /// The open character with a changed skeleton: operations as `rigscope refit` names them, such as `rename=mixamo`.
    Refit(Vec<String>),
}

impl ShownFile {
    /// Returns whether this is the open character.
    pub fn is_open(&self) -> bool {
        *self == Self::Open
    }

    /// Creates a reference to a comparison file, by its absolute path.
    pub fn file_at(path: &Path) -> Self {
        Self::Comparison(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// Returns the path of a comparison file or points file.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Comparison(path) | Self::Points(PointsFile { path, .. }) => Some(path),
            Self::Open | Self::Previous | Self::Refit(_) => None,
        }
    }

    /// Returns the paths of all files: that of [`Self::file`], and those that operations on the skeleton name.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let of_operations = self.skeleton_changes().iter().filter_map(|text| Some(Path::new(split_at_file(text)?[1])));
        self.file().into_iter().chain(of_operations)
    }

    /// Returns whether this is another character: neither the open one nor points.
    pub fn is_other_rig(&self) -> bool {
        matches!(self, Self::Comparison(_) | Self::Previous | Self::Refit(_))
    }

    /// Returns the file with points of another program.
    pub fn points(&self) -> Option<&PointsFile> {
        if let Self::Points(points) = self { Some(points) } else { None }
    }

    /// Returns the operations of a changed skeleton; empty for all other characters.
    pub fn skeleton_changes(&self) -> &[String] {
        if let Self::Refit(operations) = self { operations } else { &[] }
    }

    /// Returns the character with one more operation on its skeleton.
    #[must_use]
    pub fn with_skeleton_change(&self, operation: String) -> Self {
        Self::Refit(self.skeleton_changes().iter().cloned().chain([operation]).collect())
    }

    /// Resolves relative paths against a folder.
    pub fn resolve_against(&mut self, folder: &Path) {
        match self {
            Self::Comparison(path) | Self::Points(PointsFile { path, .. }) => *path = folder.join(&*path),
            Self::Refit(operations) => {
                for operation in operations {
                    if let Some([before, path, after]) = split_at_file(operation) {
                        *operation = format!("{before}{}{after}", folder.join(path).display());
                    }
                }
            }
            Self::Open | Self::Previous => {}
        }
    }

    /// Returns the memory use in bytes.
    pub fn bytes(&self) -> usize {
        let operations: usize = self.skeleton_changes().iter().map(|text| size_of::<String>() + text.len()).sum();
        size_of::<Self>() + self.file().map_or(0, |path| path.as_os_str().len()) + operations
    }

    /// Returns the title in menus and undo steps.
    pub fn title(&self) -> String {
        match self {
            Self::Open => "the open one".to_owned(),
            Self::Previous => "The previous version".to_owned(),
            Self::Refit(operations) => {
                let last = operations.last().and_then(|text| text.split('=').next()).unwrap_or_default();
                format!("Changed skeleton ({last})")
            }
            Self::Comparison(path) | Self::Points(PointsFile { path, .. }) => {
                path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
        }
    }
}
