//! Posed meshes as files: which formats there are, and what each of them makes.

use std::io;
use std::path::{Path, PathBuf};

use super::{PosedMeshes, glb, mesh_json, obj, ply};
use crate::files::write_together;
use crate::skinning::Method;

/// A format of posed meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Binary glTF 2.0: geometry, materials, textures.
    Glb,
    /// Wavefront OBJ with its MTL and PNG files beside it.
    Obj,
    /// Stanford PLY, binary little endian: geometry and vertex colours.
    Ply,
    /// Positions and normals by the numbers of the glTF file.
    Json,
}

/// Why posed meshes did not become a file.
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
    #[error("{format} holds at most {limit} {what}, and these are {count}. OBJ has no limit")]
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

/// The files of a format, not yet written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshFile {
    /// The file itself.
    pub bytes: Vec<u8>,
    /// What belongs beside it, by name.
    pub beside: Vec<(String, Vec<u8>)>,
    /// What the rig has and the format has not, in words.
    pub left_out: Vec<String>,
}

impl MeshFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Glb, Self::Obj, Self::Ply, Self::Json];

    /// As a file's name ends, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Json => "json",
        }
    }

    /// The format that a file's name tells.
    ///
    /// *Errors*: [`ExportError::Extension`].
    pub fn of(path: &Path) -> Result<Self, ExportError> {
        let extension = path.extension().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|f| extension.eq_ignore_ascii_case(f.extension()))
            .ok_or_else(|| ExportError::extension(path, ".glb, .obj, .ply or .json"))
    }

    /// Posed meshes in this format. `method` is how they were skinned; `stem` begins the names of the files beside.
    ///
    /// *Errors*: [`ExportError::TooLarge`], [`ExportError::Picture`], [`ExportError::Json`].
    pub fn file(self, posed: PosedMeshes<'_>, method: Method, stem: &str) -> Result<MeshFile, ExportError> {
        match self {
            Self::Glb => glb::glb(posed),
            Self::Obj => obj::obj(posed, stem),
            Self::Ply => ply::ply(posed),
            Self::Json => mesh_json::json(posed, method),
        }
    }
}

impl MeshFile {
    /// Where the files go that belong beside the one at `path`.
    pub fn paths_beside(&self, path: &Path) -> Vec<PathBuf> {
        self.beside.iter().map(|(name, _)| path.with_file_name(name)).collect()
    }

    /// Writes all the files, or where one of them cannot be written, none.
    ///
    /// *Errors*: [`ExportError::Folder`], [`ExportError::Write`].
    pub fn write(&self, path: &Path) -> Result<(), ExportError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
            return Err(ExportError::Folder(folder.to_owned()));
        }
        let paths = self.paths_beside(path);
        let beside = paths.iter().zip(&self.beside).map(|(path, (_, bytes))| (&**path, &**bytes));
        let files: Vec<(&Path, &[u8])> = beside.chain([(path, &*self.bytes)]).collect();
        write_together(&files).map_err(|(path, source)| ExportError::Write { path: path.to_owned(), source })
    }
}

/// The words for something that a format has not, or nothing where the rig has none of it.
pub(super) fn left_out(count: usize, one: &str, many: &str, reason: &str) -> Option<String> {
    let what = if count == 1 { one } else { many };
    (count > 0).then(|| format!("{count} {what} left out: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_format() {
        for format in MeshFormat::ALL {
            let path = format!("a.b/c.{}", format.extension().to_uppercase());
            assert_eq!(MeshFormat::of(Path::new(&path)).unwrap(), format);
        }
        for bad in ["a.fbx", "glb", ".glb", "a.json.gz", ""].map(Path::new) {
            let message = MeshFormat::of(bad).unwrap_err().to_string();
            assert!(message.contains(".glb, .obj, .ply or .json"), "{message}");
        }
    }
}
