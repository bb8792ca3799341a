//! Converts the bytes of a file to a [`Rig`], or returns a precise error.
//!
//! `format` is the table of formats; each format has a module such as `gltf`. The other modules are shared by all
//! formats.
//!
//! Imports are strict about memory and tolerant about appearance. Every index, type, stride and range is checked before
//! a byte is read, and the file's own size or the memory limit of the [`Job`] bounds every allocation. An unusable
//! texture, primitive or channel is left out or replaced, with an [`ImportWarning`]. A broken node hierarchy, or a file
//! with nothing to show, is an [`ImportError`].
//!
//! Lights and additional scenes are reported but not read. Vertex attributes that are not rendered, such as additional
//! UV and colour sets, are kept for export, and so are the `extras` of the asset, the shown scene, nodes, meshes,
//! primitives, skins, materials, clips and cameras. Other `extras`, such as those of textures, are neither kept nor
//! reported.
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

mod budget;
mod bytes;
mod decoding;
mod error;
#[cfg(feature = "fbx")]
mod fbx;
mod file_info;
mod file_state;
pub mod format;
mod gltf;
mod images;
mod influences;
mod job;
mod ktx2;
mod pixels;
mod points;
mod products;
mod report;
mod sniff;
mod tangents;
mod texture_files;
mod uri;
mod warning;

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

pub use error::ImportError;
pub use file_info::{Extension, ExtensionSupport, FileInfo, FileSpace, ImageInfo};
pub use file_state::FileState;
pub use gltf::RawGltf;
use job::Stage;
pub use job::{Job, SceneChoice};
pub use points::{POINT_ENDINGS, matrices_from_path, points_from_path};
pub use warning::{ImportWarning, WarningScope};

use bytes::Bytes;
use error::ReadError;
use rigscope_core::files;
use rigscope_core::rig::Rig;

/// Result of an import.
#[derive(Debug)]
pub struct Imported {
    /// Content of the file.
    pub rig: Rig,
    /// Warnings in reading order, then one for all downscaled images and one for each rule of the format that is
    /// violated.
    pub warnings: Vec<ImportWarning>,
    /// States of the file and of the files it references; empty for an import from memory.
    pub files: Vec<FileState>,
    /// Paths of all files that the file references, whether read or not.
    pub named_files: Vec<PathBuf>,
    /// Scene names in file order.
    pub scenes: Vec<String>,
    /// Index into `scenes` of the scene that is shown; `None` if there are no scenes.
    pub scene: Option<usize>,
}

/// Imports a file and the files in its folder that it references. Detects the format from the content.
pub fn import_file(path: &Path, job: &Job) -> Result<Imported, ImportError> {
    let state = FileState::now(path);
    let mut imported = with_file(path, |bytes, folder| import(bytes, Some(folder), job))?;
    imported.files.insert(0, state);
    Ok(imported)
}

/// Returns metadata without reading meshes and images. *Errors*: as [`import_file`], but a file with nothing to show is
/// valid.
pub fn file_info_from_path(path: &Path, job: &Job) -> Result<FileInfo, ImportError> {
    with_file(path, |bytes, folder| file_info(bytes, Some(folder), job))
}

/// Imports a file in memory. It cannot reference other files; content in other files causes a warning or an error.
pub fn import_bytes(bytes: &[u8], job: &Job) -> Result<Imported, ImportError> {
    import(Bytes::Memory(bytes), None, job).map_err(|e| e.for_file(Path::new("")))
}

/// Like [`file_info_from_path`], for a file in memory.
pub fn file_info_from_bytes(bytes: &[u8], job: &Job) -> Result<FileInfo, ImportError> {
    file_info(Bytes::Memory(bytes), None, job).map_err(|e| e.for_file(Path::new("")))
}

/// Returns the unmodified content of a glTF file; `None` for other formats. *Errors*: as [`import_file`], but a file
/// with nothing to show is valid.
pub fn raw_gltf_from_path(path: &Path, job: &Job) -> Result<Option<RawGltf>, ImportError> {
    with_file(path, |bytes, folder| raw_gltf(bytes, Some(folder), job))
}

/// Like [`raw_gltf_from_path`], for a file in memory.
pub fn raw_gltf_from_bytes(bytes: &[u8], job: &Job) -> Result<Option<RawGltf>, ImportError> {
    raw_gltf(Bytes::Memory(bytes), None, job).map_err(|e| e.for_file(Path::new("")))
}

fn raw_gltf(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Option<RawGltf>, ReadError> {
    let is_gltf = format::detect(bytes)?.name == gltf::FORMAT.name;
    is_gltf.then(|| RawGltf::read(bytes, folder, job)).transpose()
}

fn with_file<T>(path: &Path, work: impl FnOnce(Bytes<'_>, &Path) -> Result<T, ReadError>) -> Result<T, ImportError> {
    let (file, length) = open(path)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    work(Bytes::File { file: &file, start: 0, length }, folder).map_err(|e| e.for_file(path))
}

/// Imports from a stream, which cannot reference other files. Reads the whole stream into memory, within the memory
/// limit. *Errors*: as [`import_bytes`]; [`ImportError::Stream`].
pub fn import_stream(stream: impl Read, job: &Job) -> Result<Imported, ImportError> {
    let bytes = files::read_bounded(stream, job.memory_limit()).map_err(ImportError::Stream)?;
    import_bytes(&bytes, job)
}

fn open(path: &Path) -> Result<(File, usize), ImportError> {
    /// Maximum file size in bytes. The header of a `.glb` stores the length in 32 bits.
    const MAX_BYTES: u64 = u32::MAX as u64;
    let fault = |source| ImportError::Read { path: path.to_owned(), source };
    let file = files::open(path).map_err(|problem| match path.metadata() {
        Ok(found) if problem.kind() == ErrorKind::InvalidInput => {
            ImportError::NotAFile { path: path.to_owned(), found: files::kind(&found) }
        }
        _ => fault(problem),
    })?;
    let bytes = file.metadata().map_err(fault)?.len();
    match usize::try_from(bytes) {
        Ok(length) if bytes <= MAX_BYTES => Ok((file, length)),
        _ => Err(ImportError::TooLarge { bytes, limit: MAX_BYTES }),
    }
}

fn import(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Imported, ReadError> {
    job.advance(Stage::Reading, 0, 1)?;
    (format::detect(bytes)?.read)(bytes, folder, job)
}

fn file_info(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<FileInfo, ReadError> {
    (format::detect(bytes)?.file_info)(bytes, folder, job)
}
