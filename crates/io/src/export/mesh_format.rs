use std::path::Path;

use super::{ExportError, ExportFile, PosedMeshes, glb, mesh_json, obj, ply};
use rigscope_core::skinning::Method;

/// File format of posed meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Binary glTF 2.0: geometry, materials, textures.
    Glb,
    /// Wavefront OBJ with MTL and PNG files.
    Obj,
    /// Stanford PLY, binary little endian: geometry and vertex colours.
    Ply,
    /// Positions and normals of each primitive, with its node, mesh and primitive indices in the file.
    Json,
}

impl MeshFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Glb, Self::Obj, Self::Ply, Self::Json];

    /// Returns the file name extension without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Json => "json",
        }
    }

    /// Returns the format for a file name extension. *Errors*: [`ExportError::Extension`].
    pub fn from_path(path: &Path) -> Result<Self, ExportError> {
        let extension = path.extension().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|f| extension.eq_ignore_ascii_case(f.extension()))
            .ok_or_else(|| ExportError::extension(path, ".glb, .obj, .ply or .json"))
    }

    /// Exports posed meshes. `method`: skinning method that posed them; `stem`: prefix for the names of additional
    /// files. *Errors*: [`ExportError::TooLarge`], [`ExportError::Picture`], [`ExportError::Json`],
    /// [`ExportError::Cancelled`].
    pub fn file(self, posed: PosedMeshes<'_>, method: Method, stem: &str) -> Result<ExportFile, ExportError> {
        match self {
            Self::Glb => glb::posed_glb(posed),
            Self::Obj => obj::obj(posed, stem),
            Self::Ply => ply::ply(posed),
            Self::Json => mesh_json::json(posed, method),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_comes_from_the_file_name() {
        for format in MeshFormat::ALL {
            let path = format!("a.b/c.{}", format.extension().to_uppercase());
            assert_eq!(MeshFormat::from_path(Path::new(&path)).unwrap(), format);
        }
        for bad in ["a.fbx", "glb", ".glb", "a.json.gz", ""].map(Path::new) {
            let message = MeshFormat::from_path(bad).unwrap_err().to_string();
            assert!(message.contains(".glb, .obj, .ply or .json"), "{message}");
        }
    }
}
