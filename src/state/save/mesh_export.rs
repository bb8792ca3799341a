use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{ExportError, MeshFormat, MissingTextures, PosedMeshes, make_finite, not_finite};
use crate::import::Job;
use crate::skinning::{SkinPose, Skinning, palettes};
use crate::state::inspect::twist::test_pose;
use crate::state::save::export::{Export, ExportSummary};
use crate::state::{OpenDocument, TestPose};
use crate::view::Side;

#[derive(Debug)]
struct MeshExport {
    from: TestPose,
    skinning: Skinning,
}

impl Export for MeshExport {
    fn begin(&self) -> &'static str {
        "The posed mesh was"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        let (Self { from, skinning }, progress) = (self, &*job.progress);
        let format = MeshFormat::from_path(path).map_err(|e| e.to_string())?;
        let skinner = from.skinner(skinning).map_err(|e| e.to_string())?;
        let palettes = palettes(&from.rig, &from.posed);
        let part_count = from.rig.parts().count();
        progress.enter("Skinning", 0, part_count);
        let pose = SkinPose { posed: &from.posed, palettes: &palettes };
        let deformed = skinner.deform_all(pose, progress);
        let mut deformed = deformed.ok_or_else(|| ExportError::Cancelled.to_string())?;
        let odd = make_finite(&mut deformed);
        progress.enter("Writing", 0, part_count + from.rig.images.len());
        let changed_materials = &from.posed.materials;
        let missing = MissingTextures::Omitted;
        let (palettes, deformed) = (&palettes[..], &deformed[..]);
        let posed = PosedMeshes { rig: &from.rig, palettes, deformed, changed_materials, missing, progress };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = format.file(posed, skinning.method, &stem).map_err(|e| e.to_string())?;
        let told = (odd > 0).then(|| not_finite(odd)).into_iter().collect();
        ExportSummary::whole(&file, told, path, inputs, job)
    }
}

/// Creates the export of all meshes of a side in the current pose, including hidden ones.
pub(super) fn export(open: &OpenDocument, side: Side) -> Arc<dyn Export> {
    let from = TestPose {
        rig: Arc::clone(&open.stage.actor(side).rig),
        posed: Arc::clone(&open.stage.actor(side).pose.posed),
        centers: open.stage.centers(side).cloned(),
        ..test_pose(&open.stage, side)
    };
    Arc::new(MeshExport { from, skinning: open.stage.skinning_on(side).into_owned() })
}
