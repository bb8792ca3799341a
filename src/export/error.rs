//! Reasons why an export failed.

use std::io;
use std::path::{Path, PathBuf};

/// Why posed meshes or a rig could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file name has no ending of a known format.
    #[error("{name:?} does not tell a format: it must end in {endings}")]
    Extension {
        /// Name of the file, without its folder.
        name: String,
        /// Endings that are known, in words.
        endings: &'static str,
    },
    /// The rig has more of something than the format can number.
    #[error("{format} holds at most {limit} {what}, and these are {count}. Posed meshes of any size fit into OBJ")]
    TooLarge {
        /// Name of the format.
        format: &'static str,
        /// What there is too much of, a plural noun.
        what: &'static str,
        /// How many the rig has.
        count: usize,
        /// Most that the format can number.
        limit: usize,
    },
    /// An image could not be encoded.
    #[error("image {image} could not be written as PNG: {reason}")]
    Picture {
        /// Index into `Rig::images`.
        image: usize,
        /// Message of the encoder.
        reason: String,
    },
    /// The name is that of a VRM, and the rig is none.
    #[error("a .vrm needs the data of a VRM, which this file does not have; name it .glb")]
    NoVrm,
    /// A stored file cannot be written again with a part of it changed.
    #[error("the file cannot be kept as it is: {what}")]
    Stored {
        /// What prevents that, a clause.
        what: String,
    },
    /// The export was cancelled.
    #[error("it was cancelled")]
    Cancelled,
    /// The JSON could not be made.
    #[error("the JSON could not be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The folder for the file does not exist.
    #[error("there is no folder {0}; make it first")]
    Folder(PathBuf),
    /// A file could not be written.
    #[error("{path}: {source}")]
    Write {
        /// Path of the file that could not be written.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
}

impl ExportError {
    /// The error for a path whose name ends in none of these endings.
    pub(super) fn extension(path: &Path, endings: &'static str) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self::Extension { name, endings }
    }
}
