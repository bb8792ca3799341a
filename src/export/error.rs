//! Reasons why nothing was exported.

use std::io;
use std::path::{Path, PathBuf};

/// Why posed meshes or a rig did not become a file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A name that tells no format.
    #[error("{name:?} does not tell a format: it must end in {endings}")]
    Extension {
        /// The name without its folder.
        name: String,
        /// Endings that the file may have, in words.
        endings: &'static str,
    },
    /// The rig has more of something than the format's numbers can count.
    #[error("{format} holds at most {limit} {what}, and these are {count}. Posed meshes of any size fit into OBJ")]
    TooLarge {
        /// Name of the format.
        format: &'static str,
        /// Kind of thing of which there is too much, in the plural.
        what: &'static str,
        /// Number of such things in the rig.
        count: usize,
        /// Most that the format can count.
        limit: usize,
    },
    /// An image that was not encoded.
    #[error("image {image} could not be written as PNG: {reason}")]
    Picture {
        /// Index into `Rig::images`.
        image: usize,
        /// Message of the encoder.
        reason: String,
    },
    /// A stored file that cannot be written again with a part of it changed.
    #[error("the file cannot be kept as it is: {what}")]
    Stored {
        /// What keeps the file from being written so, a clause.
        what: String,
    },
    /// Work that was cancelled.
    #[error("it was cancelled")]
    Cancelled,
    /// The JSON could not be made.
    #[error("the JSON could not be written: {0}")]
    Json(#[from] serde_json::Error),
    /// A place for the file that does not exist.
    #[error("there is no folder {0}; make it first")]
    Folder(PathBuf),
    /// A file that was not written.
    #[error("{path}: {source}")]
    Write {
        /// Path of the file that could not be written.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
}

impl ExportError {
    /// A path whose name tells none of the formats with these endings.
    pub(super) fn extension(path: &Path, endings: &'static str) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self::Extension { name, endings }
    }
}
