//! Why nothing was exported.

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
        /// How it may end.
        endings: &'static str,
    },
    /// More than the format's numbers can count.
    #[error("{format} holds at most {limit} {what}, and these are {count}. Posed meshes of any size fit into OBJ")]
    TooLarge {
        /// The format.
        format: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        count: usize,
        /// How much there may be.
        limit: usize,
    },
    /// An image that was not encoded.
    #[error("image {image} could not be written as PNG: {reason}")]
    Picture {
        /// Index into `Rig::images`.
        image: usize,
        /// What the encoder said.
        reason: String,
    },
    /// A stored file that cannot be written again with a part of it changed.
    #[error("the file cannot be kept as it is: {what}")]
    Stored {
        /// What is wrong with it.
        what: String,
    },
    /// Work that was cancelled.
    #[error("it was cancelled")]
    Cancelled,
    /// JSON that was not made.
    #[error("the JSON could not be written: {0}")]
    Json(#[from] serde_json::Error),
    /// A place for the file that does not exist.
    #[error("there is no folder {0}; make it first")]
    Folder(PathBuf),
    /// A file that was not written.
    #[error("{path}: {source}")]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system said.
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
