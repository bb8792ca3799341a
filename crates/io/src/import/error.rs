use std::io;
use std::path::{Path, PathBuf};

use super::format;
use rigscope_core::files::path_text;
use rigscope_core::rig::HierarchyError;

/// Error from opening a file. Messages explain what failed, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// [`super::Job::progress`] was cancelled.
    #[error("Opening was cancelled.")]
    Cancelled,
    /// The file cannot be read.
    #[error(
        "The file cannot be read: {source}. Check that it exists and that you have permission to read it. {}",
        path_text(path)
    )]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error from the operating system.
        source: std::io::Error,
    },
    /// Standard input or a pipe cannot be read, or exceeds the memory limit.
    #[error("Standard input, or the pipe, cannot be read: {0}.")]
    Stream(std::io::Error),
    /// The path refers to a folder, a pipe or a device.
    #[error(
        "This is {found}, not a file. Choose a {} file, or - for standard input. {}",
        format::endings_in_words(),
        path_text(path)
    )]
    NotAFile {
        /// Path that was opened.
        path: PathBuf,
        /// A folder, a pipe or a device.
        found: &'static str,
    },
    /// The file is too large.
    #[error("The file is too large: it has {bytes} bytes, and the limit is {limit}.")]
    TooLarge {
        /// Size of the file, in bytes.
        bytes: u64,
        /// Maximum size, in bytes.
        limit: u64,
    },
    /// The format is not supported.
    #[error(
        "This is not a {} file: it seems to be {found}. Export it as {}.",
        format::names(),
        format::endings_in_words()
    )]
    UnknownFormat {
        /// Format that the bytes look like.
        found: &'static str,
    },
    /// The content is broken, too large, or has an unsupported version. Contains the message from the format's
    /// importer.
    #[error("{0}")]
    Content(String),
    /// The file alone exceeds the memory limit.
    #[error("The file needs {bytes} bytes of memory before decoding, and the limit is {limit}. Raise --memory-limit.")]
    NoMemoryLeft {
        /// Memory for the file, in bytes.
        bytes: u64,
        /// Memory limit, in bytes.
        limit: u64,
    },
    /// The nodes are not a tree.
    #[error("The node hierarchy is broken: {0}. Repair it in the program that wrote the file.")]
    Hierarchy(#[from] HierarchyError),
    /// A buffer cannot be read, and without it nothing can be shown.
    #[error("Nothing can be shown: buffer {buffer} cannot be used: {reason}.")]
    Buffer {
        /// Index of the buffer in the file.
        buffer: usize,
        /// Why the buffer's data is not available, as a clause.
        reason: String,
    },
    /// Every primitive was left out.
    #[error("Nothing can be shown. {reason}")]
    NothingUsable {
        /// Why the first primitive was left out, as a sentence.
        reason: String,
    },
    /// The file does not have the requested scene.
    #[error("There is no scene \"{wanted}\"; {}", if names.is_empty() { "this file has no scenes.".to_owned() } else { format!("there are {}.", names.join(", ")) })]
    NoScene {
        /// Requested name or number.
        wanted: String,
        /// Names of the scenes in the file.
        names: Vec<String>,
    },
    /// Too many clip files were requested.
    #[error("Too many clip files: {count}; the limit is {limit}. List fewer files.")]
    TooManyClipFiles {
        /// Number of files requested.
        count: usize,
        /// Maximum number of files.
        limit: usize,
    },
    /// No node of the file has a mesh.
    #[error("Nothing can be shown: the file has {meshes} meshes and {nodes} nodes, and no node places a mesh.")]
    Empty {
        /// Number of meshes.
        meshes: usize,
        /// Number of nodes.
        nodes: usize,
    },
}

#[derive(Debug)]
pub(super) enum ReadError {
    Content(ImportError),
    System(io::Error),
}

impl ReadError {
    pub(super) fn for_file(self, path: &Path) -> ImportError {
        match self {
            Self::Content(error) => error,
            Self::System(source) => ImportError::Read { path: path.to_owned(), source },
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl<E: Into<ImportError>> From<E> for ReadError {
    fn from(error: E) -> Self {
        Self::Content(error.into())
    }
}
