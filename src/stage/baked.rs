use super::Stage;
use crate::export::{ExportError, ExportFile, MeshFormat, MissingTextures, PosedMeshes};
use crate::jobs::Progress;
use crate::skinning::Deformed;
use crate::view::Side;

impl Stage {
    /// Exports the open character's posed meshes with side A's weights. `deformed` is indexed by mesh instance and
    /// primitive; `stem` names accompanying files. *Errors*: see [`MeshFormat::file`].
    pub fn export_posed_meshes(
        &self,
        deformed: &[Vec<Deformed>],
        (format, stem): (MeshFormat, &str),
        missing: MissingTextures,
        progress: &Progress,
    ) -> Result<ExportFile, ExportError> {
        let posed = PosedMeshes {
            rig: self.open_on(Side::A),
            palettes: &self.characters.pose().palettes,
            deformed,
            changed_materials: &self.posed().materials,
            missing,
            progress,
        };
        format.file(posed, self.view.sides.a.skinning.method, stem)
    }
}
