//! The posed meshes as files.

use super::Stage;
use crate::export::{ExportError, ExportFile, MeshFormat, MissingTextures, PosedMeshes};
use crate::jobs::Progress;
use crate::skinning::Deformed;
use crate::view::Side;

impl Stage {
    /// Posed meshes of the open character as a file of a format, with the weights of side A. `deformed` holds positions and normals by mesh instance and primitive; `stem` begins the names of files
    /// beside the main one.
    ///
    /// *Errors*: as [`MeshFormat::file`].
    pub fn baked(
        &self,
        deformed: &[Vec<Deformed>],
        (format, stem): (MeshFormat, &str),
        missing: MissingTextures,
        progress: &Progress,
    ) -> Result<ExportFile, ExportError> {
        let posed = PosedMeshes {
            rig: self.open_on(Side::A),
            palettes: self.palettes(),
            deformed,
            changed_materials: &self.posed().materials,
            missing,
            progress,
        };
        format.file(posed, self.view.sides.a.skinning.method, stem)
    }
}
