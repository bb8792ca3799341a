//! The posed meshes of a side as a file.

use std::path::PathBuf;
use std::sync::Arc;

use super::disk::refuse_to_replace;
use super::{AppState, Arrived, Notice, NoticeKind, PathUse, Request, TestPose};
use crate::export::{ExportError, ExportFile, MeshFormat, PosedMeshes, make_finite, not_finite};
use crate::jobs::Progress;
use crate::skinning::{SkinPose, Skinning, palettes};
use crate::view::Side;

/// What is to be skinned and written, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshExport {
    /// The character as it is posed.
    pub from: TestPose,
    /// How its skin follows.
    pub skinning: Skinning,
    /// Where to; its ending tells the format.
    pub path: PathBuf,
    /// The files of the open character, which must not be written over.
    pub inputs: Vec<PathBuf>,
}

impl MeshExport {
    /// Skins and writes: what is to be told of it; `None` where it was cancelled, and then no file was replaced.
    pub fn run(self, progress: &Progress) -> Option<Arrived> {
        let notice = match self.write(progress) {
            Ok(notice) => notice,
            Err(_) if progress.is_cancelled() => return None,
            Err(problem) => {
                let text = format!("The posed mesh was not exported: {problem}");
                Notice { kind: NoticeKind::Error, text }
            }
        };
        Some(Arrived::Notice(notice))
    }

    fn write(&self, progress: &Progress) -> Result<Notice, String> {
        let Self { from, skinning, path, inputs } = self;
        let cancelled = || ExportError::Cancelled.to_string();
        let format = MeshFormat::of(path).map_err(|e| e.to_string())?;
        refuse_to_replace(path, inputs)?;
        let skinner = from.skinner(skinning).map_err(|e| e.to_string())?;
        let palettes = palettes(&from.rig, &from.posed);
        let part_count = from.rig.parts().count();
        progress.enter("Skinning", 0, part_count);
        let pose = SkinPose { posed: &from.posed, palettes: &palettes };
        let mut deformed = skinner.deform_all(pose, progress).ok_or_else(cancelled)?;
        let odd = make_finite(&mut deformed);
        progress.enter("Writing", 0, part_count + from.rig.images.len());
        let posed = PosedMeshes { rig: &from.rig, palettes: &palettes, deformed: &deformed, progress };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = format.file(posed, skinning.method, &stem).map_err(|e| e.to_string())?;
        file.paths_beside(path).iter().try_for_each(|beside| refuse_to_replace(beside, inputs))?;
        progress.go_on().ok_or_else(cancelled)?;
        file.write(path).map_err(|e| e.to_string())?;
        Ok(self.told(&file, odd))
    }

    fn told(&self, file: &ExportFile, odd: usize) -> Notice {
        let mut lines = vec![format!("The posed mesh was saved as {} ({}).", self.path.display(), file.size())];
        lines.extend((odd > 0).then(|| not_finite(odd)));
        lines.extend(file.left_out.iter().cloned());
        let kind = if lines.len() > 1 { NoticeKind::Warning } else { NoticeKind::Done };
        Notice { kind, text: lines.join("\n") }
    }
}

impl AppState {
    /// The request for a place; its suggested name is not that of the file that is open.
    pub(super) fn mesh_target(&self, side: Side) -> Request {
        self.ask_for_path(PathUse::SaveMesh(side), Some("posed.glb"))
    }

    /// The request to write the meshes of a side as it shows them now, those too that are hidden.
    pub(super) fn export_mesh(&self, side: Side, path: PathBuf) -> Request {
        let from = TestPose {
            rig: Arc::clone(&self.actor(side).rig),
            posed: Arc::clone(&self.actor(side).pose.posed),
            centers: self.centers(side).cloned(),
            ..self.test_pose(side)
        };
        let (skinning, inputs) = (self.skinning_on(side), self.inputs());
        Request::ExportMesh(Box::new(MeshExport { from, skinning, path, inputs }))
    }
}
