//! Errors that prevent a file from being opened.

use std::io;
use std::path::{Path, PathBuf};

use super::{ImportWarning, SourceFault, format};
use crate::rig::HierarchyError;

/// Reason why a file could not be opened. Messages say what failed, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// [`super::Job::progress`] was cancelled.
    #[error("Opening was cancelled.")]
    Cancelled,
    /// The file cannot be read.
    #[error("The file cannot be read: {source}. Check that it exists and that you have permission to read it. {}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// Standard input or a pipe cannot be read, or has more bytes than the memory limit.
    #[error("Standard input, or the pipe, cannot be read: {0}.")]
    Stream(std::io::Error),
    /// The path leads to a folder, a pipe or a device.
    #[error("This is {found}, not a file. Choose a {} file, or - for standard input. {}", format::endings_in_words(), path.display())]
    NotAFile {
        /// Path that was opened.
        path: PathBuf,
        /// What the path leads to: a folder, a pipe or a device.
        found: &'static str,
    },
    /// The file is too large.
    #[error("The file is too large: it has {bytes} bytes, and the limit is {limit}.")]
    TooLarge {
        /// Size of the file, bytes.
        bytes: u64,
        /// Largest size that can be opened, bytes.
        limit: u64,
    },
    /// The format is not supported.
    #[error(
        "This is not a {} file: it seems to be {found}. Export it as {}.",
        format::names(),
        format::endings_in_words()
    )]
    UnknownFormat {
        /// Format that the bytes resemble.
        found: &'static str,
    },
    /// The GLB container is broken.
    #[error("The binary glTF file is broken: {0}. Fetch or export it again.")]
    Glb(#[from] GlbFault),
    /// The JSON cannot be parsed.
    #[error("The glTF JSON is broken at line {line}, column {column}: {reason}. Export the file again.")]
    Json {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// Message of the parser.
        reason: String,
    },
    /// The JSON is text in another encoding, such as Latin-1.
    #[error("The glTF JSON is not UTF-8 at byte {offset} of the file. Save it as UTF-8, or export the file again.")]
    NotUtf8 {
        /// Byte within the file, from 0.
        offset: usize,
    },
    /// The file is glTF of a version before 2.
    #[error(
        "glTF {found} is not read; convert it to 2.0, for example with gltf-pipeline -i OLD.gltf -o NEW.glb, and open that."
    )]
    OldVersion {
        /// Version in the file.
        found: String,
    },
    /// The file is glTF of an unknown newer version.
    #[error("The file is glTF {found}, and glTF 2.0 is read. Export it again as 2.0.")]
    Version {
        /// Version in the file.
        found: String,
    },
    /// The JSON would take far more memory than its size suggests.
    #[error("The glTF JSON has {count} {what}; at most {limit} can be opened.")]
    TooManyValues {
        /// `objects` or `values`.
        what: &'static str,
        /// Number of objects or values.
        count: usize,
        /// Largest number that can be opened.
        limit: usize,
    },
    /// The file alone exceeds the memory limit.
    #[error("The file needs {bytes} bytes of memory before decoding, and the limit is {limit}. Raise --memory-limit.")]
    NoMemoryLeft {
        /// Memory that the file takes, bytes.
        bytes: u64,
        /// Memory limit, bytes.
        limit: u64,
    },
    /// The FBX file cannot be read.
    #[error(transparent)]
    Fbx(#[from] FbxFault),
    /// The nodes are not a tree.
    #[error("The node hierarchy is broken: {0}. Repair it in the program that wrote the file.")]
    Hierarchy(#[from] HierarchyError),
    /// A buffer without data leaves nothing to show.
    #[error("Nothing can be shown: buffer {buffer} cannot be used: {fault}.")]
    Buffer {
        /// Index of the buffer in the file.
        buffer: usize,
        /// Fault of the buffer's data.
        fault: SourceFault,
    },
    /// Every primitive was left out.
    #[error("Nothing can be shown. {reason}")]
    NothingUsable {
        /// Why the first primitive was left out, as a sentence.
        reason: Box<ImportWarning>,
    },
    /// The file does not have the requested scene.
    #[error("There is no scene \"{wanted}\"; {}", if names.is_empty() { "this file has no scenes.".to_owned() } else { format!("there are {}.", names.join(", ")) })]
    NoScene {
        /// Requested name or number.
        wanted: String,
        /// Names of the scenes in the file.
        names: Vec<String>,
    },
    /// Clips were requested from too many files.
    #[error("The clips of {count} other files are asked for; at most {limit} can be had at once. Name fewer files.")]
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

/// Fault of the GLB container.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlbFault {
    /// The file is shorter than the 12 bytes of its header.
    #[error("its header is cut short, {actual} of 12 bytes are there")]
    Header {
        /// Size of the file, bytes.
        actual: usize,
    },
    /// The container has a version other than 2.
    #[error("its container has version {found}, expected 2")]
    Version {
        /// Version in the header.
        found: u32,
    },
    /// The file is shorter than its header says.
    #[error("it is cut short, {actual} of {expected} bytes are there")]
    Length {
        /// Size that the header promises, bytes.
        expected: usize,
        /// Bytes left in the file.
        actual: usize,
    },
    /// A chunk ends beyond the file.
    #[error("the chunk at byte {offset} promises {expected} bytes, but {actual} are left")]
    Chunk {
        /// Start of the chunk's header, bytes from the start of the file.
        offset: usize,
        /// Size that the chunk promises, bytes.
        expected: usize,
        /// Bytes that are left in the file.
        actual: usize,
    },
    /// The first chunk is not JSON.
    #[error("its first chunk is not JSON")]
    NoJson,
}

/// Why an FBX file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FbxFault {
    /// The file is truncated or not valid FBX.
    #[error("The FBX file is broken: {reason}. Fetch or export it again.")]
    Broken {
        /// Message of the FBX reader.
        reason: String,
    },
    /// The FBX version is not supported.
    #[error("This version of FBX is not read ({reason}). Export the file again as FBX 2011 to 2020, binary or text.")]
    Version {
        /// Message of the FBX reader.
        reason: String,
    },
    /// The file takes more memory than the limit.
    #[error("The FBX file needs more memory than the limit of {limit} bytes. Raise --memory-limit.")]
    Memory {
        /// Memory limit, bytes.
        limit: u64,
    },
}

#[derive(Debug)]
pub(super) enum ReadError {
    Content(ImportError),
    System(io::Error),
}

impl ReadError {
    pub(super) fn of(self, path: &Path) -> ImportError {
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
