//! From the bytes of a file to a [`Rig`], or a precise error: glTF 2.0, as `.glb` or `.gltf`.
//!
//! Strict where memory is concerned, tolerant where only looks are: every index, type, stride and range is checked before a byte is read,
//! and nothing is allocated that the file does not pay for with its own size or the memory limit of its [`Job`]. A part that cannot be
//! used (a texture, a primitive, a channel of a clip) is left out or replaced and told as an [`ImportWarning`]; a broken node hierarchy, or
//! a file of which nothing can be shown, is an [`ImportError`].
//!
//! Left out for good: cameras, lights, all scenes but one, all textures but the base colour's. What a file has of these is told, but for
//! `extras` and what changes no picture here (further sets of texture coordinates and colours).
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
mod accessor;
mod budget;
mod bytes;
mod clips;
mod container;
mod decoding;
mod draco;
mod error;
mod extensions;
mod fault;
mod file_state;
mod influences;
mod instances;
mod job;
mod ktx2;
mod loader;
mod materials;
mod mesh;
mod meshopt;
mod nodes;
mod pixels;
mod schema;
mod skins;
mod sniff;
mod source;
mod textures;
mod topology;
mod vrm;
mod warning;

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

pub use about::{About, Extension, ImageAbout};
pub use error::{GlbFault, ImportError};
pub use extensions::Reading;
pub use fault::{AccessorFault, ChannelFault, PrimitiveFault, SkinFault, SourceFault, TextureFault, Unskinned};
pub use file_state::FileState;
use job::Stage;
pub use job::{Job, SceneChoice};
pub use schema::Shape;
pub use warning::{Concern, ImportWarning, Place};

use crate::files;
use crate::rig::{Rig, RigParts};
use bytes::Bytes;
use container::{Container, SplitError};
use decoding::Decoding;
use loader::Loader;

/// Endings of the names of files that can be opened, in lower case.
pub const EXTENSIONS: [&str; 3] = ["gltf", "glb", "vrm"];

/// A file that was opened.
#[derive(Debug)]
pub struct Imported {
    /// What it holds.
    pub rig: Rig,
    /// What was not as it should be, in the order of reading.
    pub warnings: Vec<ImportWarning>,
    /// The file itself and those that it refers to; empty for bytes that came from memory.
    pub files: Vec<FileState>,
    /// Everything that the file names, read or not, wherever it may lie.
    pub named_files: Vec<PathBuf>,
    /// Names of the file's scenes, in its order.
    pub scenes: Vec<String>,
    /// The one that is shown; `None` in a file without scenes.
    pub scene: Option<usize>,
}

/// Opens a `.glb` or `.gltf`, told apart by content, and the files that it refers to, which must lie in its folder.
///
/// *Errors*: see [`ImportError`]; none leaves anything behind.
pub fn import_file(path: &Path, job: &Job) -> Result<Imported, ImportError> {
    let state = FileState::now(path);
    let mut imported = of_file(path, |bytes, folder| import(bytes, Some(folder), job))?;
    imported.files.insert(0, state);
    Ok(imported)
}

/// Says what is in a file, as [`import_file`] opens it, without reading its meshes and images.
///
/// *Errors*: as [`import_file`], but for what concerns only what is shown.
pub fn about_file(path: &Path, job: &Job) -> Result<About, ImportError> {
    of_file(path, |bytes, folder| about(bytes, Some(folder), job))
}

/// Opens a file that is already in memory and refers to no others.
///
/// *Errors*: as [`import_file`]; references to other files are faults of what needs them.
pub fn import_bytes(bytes: &[u8], job: &Job) -> Result<Imported, ImportError> {
    import(Bytes::Memory(bytes), None, job).map_err(|e| named(e, Path::new("")))
}

/// Says what is in a file in memory: [`about_file`] for what [`import_bytes`] opens.
///
/// *Errors*: as [`about_file`].
pub fn about_bytes(bytes: &[u8], job: &Job) -> Result<About, ImportError> {
    about(Bytes::Memory(bytes), None, job).map_err(|e| named(e, Path::new("")))
}

/// Does something with a file and the folder that it is in.
fn of_file<T>(path: &Path, work: impl FnOnce(Bytes<'_>, &Path) -> Result<T, SplitError>) -> Result<T, ImportError> {
    let (file, length) = open(path)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    work(Bytes::File { file: &file, start: 0, length }, folder).map_err(|e| named(e, path))
}

fn named(error: SplitError, path: &Path) -> ImportError {
    match error {
        SplitError::Content(error) => error,
        SplitError::Read(source) => ImportError::Read { path: path.to_owned(), source },
    }
}

/// Opens what arrives as a stream, such as standard input, and refers to no other files. All of it is kept in memory, within the limit.
///
/// *Errors*: as [`import_bytes`]; [`ImportError::Stream`].
pub fn import_stream(stream: impl Read, job: &Job) -> Result<Imported, ImportError> {
    let bytes = files::read_bounded(stream, job.memory_limit()).map_err(ImportError::Stream)?;
    import_bytes(&bytes, job)
}

/// A file and its length.
fn open(path: &Path) -> Result<(File, usize), ImportError> {
    /// A `.glb` gives its length in 32 bits.
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

fn import(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Imported, SplitError> {
    job.advance(Stage::Reading, 0, 1)?;
    let Container { json, json_offset, blob, trailing, .. } = container::split(bytes, job.memory_limit())?;
    let document = container::parse(&json, json_offset)?;
    let json_size = json.len();
    // What is needed of it is in the document.
    drop(json);
    job.progress.expect_bytes(bytes.len());
    job.progress.add_bytes(json_size);
    let mut loader = Loader::new(&document, bytes.len(), folder, job);
    // The file, where it is in memory, and the texts of its document.
    let taken = bytes.in_memory().saturating_add(json_size as u64);
    if !loader.charge(taken) {
        return Err(ImportError::NoMemoryLeft { bytes: taken, limit: job.memory_limit() }.into());
    }
    if trailing > 0 {
        loader.warn(ImportWarning::TrailingBytes { count: trailing });
    }
    extensions::warn_of_extensions(&loader, &document);
    loader.load_buffers(blob)?;
    let (scene, scenes) = (loader.scene()?, loader.scene_names());
    let parts = parts(&loader, scene)?;
    job.advance(Stage::Finishing, 0, 1)?;
    let rig = Rig::new(parts);
    let named_files = loader.named_files();
    let (warnings, files) = loader.into_findings();
    Ok(Imported { rig, warnings, files, named_files, scenes, scene })
}

fn about(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<About, SplitError> {
    let Container { json, json_offset, blob, is_binary, .. } = container::split(bytes, job.memory_limit())?;
    let document = container::parse(&json, json_offset)?;
    let mut loader = Loader::new(&document, bytes.len(), folder, job);
    loader.load_buffers(blob)?;
    Ok(about::about(&loader, is_binary))
}

fn parts(loader: &Loader<'_>, scene: Option<usize>) -> Result<RigParts, ImportError> {
    let hierarchy = loader.hierarchy()?;
    let shown = loader.shown(&hierarchy, scene);
    let skins = loader.skins(&hierarchy);
    loader.warn_of_joints_outside(&hierarchy, &shown, &skins);
    let mut surfaces = loader.surfaces();
    let decoding = Decoding::new(loader, &surfaces);
    let placed = std::thread::scope(|scope| {
        decoding.start(scope);
        let placed = loader.placed_meshes(&hierarchy, &shown, &skins, &mut surfaces);
        if placed.is_ok() {
            decoding.finish();
        } else {
            decoding.abandon();
        }
        placed
    })?;
    loader.keep_images(decoding.into_results());
    // What a cancelled import could not read is no fault of the file.
    loader.job.advance(Stage::Geometry, 1, 1)?;
    // A skeleton alone is worth showing; the skeleton of a mesh that cannot be shown would only hide that.
    let has_nothing = hierarchy.is_empty() || loader.has_lost_anything();
    if placed.instances.is_empty() && has_nothing {
        return Err(loader.nothing_shown());
    }
    let images = loader.textures(&mut surfaces)?;
    loader.warn_of_undrawn_looks(&surfaces);
    let clips = loader.clips(&hierarchy)?;
    let human_bones = loader.human_bones(&hierarchy);
    loader.warn_of_cameras_and_lights();
    Ok(RigParts {
        hierarchy,
        skins: skins.list,
        meshes: placed.meshes,
        instances: placed.instances,
        materials: surfaces.into_iter().map(|s| s.material).collect(),
        images,
        clips,
        human_bones,
        front: loader.front(),
    })
}
