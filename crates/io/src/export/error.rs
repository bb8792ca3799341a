use std::io;
use std::path::{Path, PathBuf};

/// Error from exporting posed meshes or a rig.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file name has no supported extension.
    #[error("{name:?} has no known extension: it must end in {endings}")]
    Extension {
        /// File name without its folder.
        name: String,
        /// Supported extensions, as a phrase.
        endings: &'static str,
    },
    /// The rig exceeds a limit of the format.
    #[error("{format} supports at most {limit} {what}, but there are {count}. OBJ supports posed meshes of any size")]
    TooLarge {
        /// Name of the format.
        format: &'static str,
        /// What exceeds the limit, as a plural noun.
        what: &'static str,
        /// Number of these objects in the rig.
        count: usize,
        /// Limit of the format.
        limit: usize,
    },
    /// An image could not be encoded.
    #[error("image {image} could not be written as PNG: {reason}")]
    Picture {
        /// Index into `Rig::images`.
        image: usize,
        /// Error message from the encoder.
        reason: String,
    },
    /// The file name ends in `.vrm`, but the rig has no VRM data.
    #[error("a .vrm needs the data of a VRM, which this file does not have; name it .glb")]
    NoVrm,
    /// A stored file cannot be rewritten with changes.
    #[error("the file cannot be rewritten: {what}")]
    Stored {
        /// Why the file cannot be rewritten, as a clause.
        what: String,
    },
    /// The export was cancelled.
    #[error("it was cancelled")]
    Cancelled,
    /// The JSON could not be serialized.
    #[error("the JSON could not be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The folder for the file does not exist.
    #[error("folder {0} does not exist: create it first")]
    Folder(PathBuf),
    /// A file could not be written.
    #[error("{path}: {source}")]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error from the operating system.
        source: io::Error,
    },
}

impl ExportError {
    pub(super) fn extension(path: &Path, endings: &'static str) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self::Extension { name, endings }
    }
}
