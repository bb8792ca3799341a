//! From the bytes of a file to a [`Rig`], or a precise error.
//!
//! `format` is the table of formats, each of which has a folder: `gltf`. Beside them stands what any format needs: bytes and the memory that a
//! file may ask for, files that it refers to, images, influences, and what is said of it.
//!
//! Strict where memory is concerned, tolerant where only looks are: every index, type, stride and range is checked before a byte is read,
//! and nothing is allocated that the file does not pay for with its own size or the memory limit of its [`Job`]. A part that cannot be
//! used (a texture, a primitive, a channel of a clip) is left out or replaced and told as an [`ImportWarning`]; a broken node hierarchy, or
//! a file of which nothing can be shown, is an [`ImportError`].
//!
//! Never read: lights, and all scenes but one. What a file has of these is reported, except `extras`. Attributes of vertices that change no picture here
//! (further sets of texture coordinates and colours) are kept for writing.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

mod about;
mod budget;
mod bytes;
mod concern;
mod decoding;
mod error;
mod fault;
#[cfg(feature = "fbx")]
mod fbx;
mod fbx_warning;
mod file_state;
pub mod format;
mod gltf;
mod image_about;
mod images;
mod influences;
mod job;
mod ktx2;
mod pixels;
mod place;
mod products;
mod report;
mod sniff;
mod spring_faults;
mod tangents;
mod texture_files;
mod uri;

mod warning;

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

pub use about::{About, Extension, ImageAbout, Reading, Space};
pub use concern::Concern;
pub use error::{FbxFault, GlbFault, ImportError};
pub use fault::{
    AccessorFault, ChannelFault, ConstraintFault, GltfRule, PrimitiveFault, Shape, SkinFault, SourceFault,
    TextureFault, Unskinned,
};
pub use fbx_warning::FbxWarning;
pub use file_state::FileState;
pub use gltf::StoredGltf;
use job::Stage;
pub use job::{Job, SceneChoice};
pub use place::Place;
pub use spring_faults::SpringsLeftOut;
pub use warning::ImportWarning;

use crate::files;
use crate::rig::Rig;
use bytes::Bytes;
use error::ReadError;

/// Result of opening a file.
#[derive(Debug)]
pub struct Imported {
    /// Content of the file.
    pub rig: Rig,
    /// Faults of the file, in the order of reading.
    pub warnings: Vec<ImportWarning>,
    /// The file itself and those that it refers to; empty for bytes that came from memory.
    pub files: Vec<FileState>,
    /// Paths of everything that the file names, read or not, wherever it may lie.
    pub named_files: Vec<PathBuf>,
    /// Names of the file's scenes, in its order.
    pub scenes: Vec<String>,
    /// Index into `scenes` of the scene that is shown; `None` in a file without scenes.
    pub scene: Option<usize>,
}

/// Opens a file and the files that it refers to, which must lie in its folder. The format is recognised by content.
///
/// *Errors*: see [`ImportError`].
pub fn import_file(path: &Path, job: &Job) -> Result<Imported, ImportError> {
    let state = FileState::now(path);
    let mut imported = of_file(path, |bytes, folder| import(bytes, Some(folder), job))?;
    imported.files.insert(0, state);
    Ok(imported)
}

/// Says what is in a file, as [`import_file`] opens it, without reading its meshes and images.
///
/// *Errors*: as [`import_file`], except errors that concern only what is shown.
pub fn about_file(path: &Path, job: &Job) -> Result<About, ImportError> {
    of_file(path, |bytes, folder| about(bytes, Some(folder), job))
}

/// Opens a file that is already in memory and refers to no other files.
///
/// *Errors*: as [`import_file`]. A reference to another file is a fault of the part that needs it.
pub fn import_bytes(bytes: &[u8], job: &Job) -> Result<Imported, ImportError> {
    import(Bytes::Memory(bytes), None, job).map_err(|e| e.of(Path::new("")))
}

/// [`about_file`] for a file in memory, as of [`import_bytes`].
///
/// *Errors*: as [`about_file`].
pub fn about_bytes(bytes: &[u8], job: &Job) -> Result<About, ImportError> {
    about(Bytes::Memory(bytes), None, job).map_err(|e| e.of(Path::new("")))
}

/// The parts of a glTF file as they are stored; `None` for a file of another format.
///
/// *Errors*: as [`import_file`], except errors that concern only what is shown.
pub fn stored_file(path: &Path, job: &Job) -> Result<Option<StoredGltf>, ImportError> {
    of_file(path, |bytes, folder| stored(bytes, Some(folder), job))
}

/// [`stored_file`] for a file in memory, as of [`import_bytes`].
///
/// *Errors*: as [`stored_file`].
pub fn stored_bytes(bytes: &[u8], job: &Job) -> Result<Option<StoredGltf>, ImportError> {
    stored(Bytes::Memory(bytes), None, job).map_err(|e| e.of(Path::new("")))
}

fn stored(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Option<StoredGltf>, ReadError> {
    let is_gltf = format::of(bytes)?.name == gltf::FORMAT.name;
    is_gltf.then(|| StoredGltf::read(bytes, folder, job)).transpose()
}

/// Calls `work` with the bytes of a file and its folder.
fn of_file<T>(path: &Path, work: impl FnOnce(Bytes<'_>, &Path) -> Result<T, ReadError>) -> Result<T, ImportError> {
    let (file, length) = open(path)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    work(Bytes::File { file: &file, start: 0, length }, folder).map_err(|e| e.of(path))
}

/// Opens a file that arrives as a stream, such as standard input, and refers to no other files. All of it is kept in memory, within the limit.
///
/// *Errors*: as [`import_bytes`]; [`ImportError::Stream`].
pub fn import_stream(stream: impl Read, job: &Job) -> Result<Imported, ImportError> {
    let bytes = files::read_bounded(stream, job.memory_limit()).map_err(ImportError::Stream)?;
    import_bytes(&bytes, job)
}

/// Opens a file and returns it with its length, bytes.
fn open(path: &Path) -> Result<(File, usize), ImportError> {
    /// Most bytes of a file: a `.glb` gives its length in 32 bits.
    const MOST: u64 = u32::MAX as u64;
    let fault = |source| ImportError::Read { path: path.to_owned(), source };
    let file = files::open(path).map_err(|problem| match path.metadata() {
        Ok(found) if problem.kind() == ErrorKind::InvalidInput => {
            ImportError::NotAFile { path: path.to_owned(), found: files::kind(&found) }
        }
        _ => fault(problem),
    })?;
    let bytes = file.metadata().map_err(fault)?.len();
    match usize::try_from(bytes) {
        Ok(length) if bytes <= MOST => Ok((file, length)),
        _ => Err(ImportError::TooLarge { bytes, limit: MOST }),
    }
}

fn import(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Imported, ReadError> {
    job.advance(Stage::Reading, 0, 1)?;
    (format::of(bytes)?.read)(bytes, folder, job)
}

fn about(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<About, ReadError> {
    (format::of(bytes)?.about)(bytes, folder, job)
}
