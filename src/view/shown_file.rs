//! Character that a side shows.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::weights::as_text;

/// Character that a side shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShownFile {
    /// The open character, by the weights that the side has for it.
    #[default]
    Open,
    /// The character of another file, in the pose of the open one by the names of joints.
    #[serde(serialize_with = "as_text")]
    Comparison(PathBuf),
    /// The open character as it was before its last reload, kept only in memory.
    Previous,
}

impl ShownFile {
    /// True for the open character.
    pub fn is_open(&self) -> bool {
        *self == Self::Open
    }

    /// The character of a file, by its whole path.
    pub fn file_at(path: &Path) -> Self {
        Self::Comparison(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// The file of another character.
    pub fn file(&self) -> Option<&Path> {
        if let Self::Comparison(path) = self { Some(path) } else { None }
    }

    /// Resolves a relative path of another file against a folder.
    pub fn place_below(&mut self, folder: &Path) {
        if let Self::Comparison(path) = self {
            *path = folder.join(&*path);
        }
    }

    /// Memory that the choice takes, bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.file().map_or(0, |path| path.as_os_str().len())
    }

    /// Title in menus and steps of undo.
    pub fn title(&self) -> String {
        match self {
            Self::Open => "the open one".to_owned(),
            Self::Previous => "The previous version".to_owned(),
            Self::Comparison(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
        }
    }
}
