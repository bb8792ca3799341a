use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::actor::SharedPose;
use crate::export::{ExportError, MeshFormat, MissingTextures, PosedMeshes, make_finite, not_finite};
use crate::import::Job;
use crate::skinning::SkinnedRig;
use crate::state::OpenDocument;
use crate::state::save::export::{Export, ExportSummary};
use crate::view::Side;

#[derive(Debug)]
struct MeshExport {
    skinned: SkinnedRig,
    pose: SharedPose,
}

impl Export for MeshExport {
    fn begin(&self) -> &'static str {
        "The posed mesh was"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        let (Self { skinned, pose }, progress) = (self, &*job.progress);
        let SkinnedRig { rig, skinning, .. } = skinned;
        let format = MeshFormat::from_path(path).map_err(|e| e.to_string())?;
        let skinner = skinned.skinner().map_err(|e| e.to_string())?;
        let part_count = rig.parts().count();
        progress.enter("Skinning", 0, part_count);
        let deformed = skinner.deform_all(pose.skin_pose(), progress);
        let mut deformed = deformed.ok_or_else(|| ExportError::Cancelled.to_string())?;
        let odd = make_finite(&mut deformed);
        progress.enter("Writing", 0, part_count + rig.images.len());
        let changed_materials = &pose.posed.materials;
        let missing = MissingTextures::Omitted;
        let (palettes, deformed) = (&pose.palettes[..], &deformed[..]);
        let posed = PosedMeshes { rig, palettes, deformed, changed_materials, missing, progress };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = format.file(posed, skinning.method, &stem).map_err(|e| e.to_string())?;
        let told = (odd > 0).then(|| not_finite(odd)).into_iter().collect();
        ExportSummary::whole(&file, told, path, inputs, job)
    }
}

/// Creates the export of all meshes of a side in the current pose, including hidden ones.
pub(super) fn export(open: &OpenDocument, side: Side) -> Arc<dyn Export> {
    let (actor, stage) = (open.stage.actor(side), &open.stage);
    let skinned = SkinnedRig::new(&actor.rig, stage.skinning_on(side), stage.centers(side));
    Arc::new(MeshExport { skinned, pose: actor.pose.clone() })
}
