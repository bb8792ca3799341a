//! Test kits: expected matrices and points of some poses, for the tests of any engine.
//!
//! *Spaces*: see `README.md` of a kit, which is written from the template in `templates/kit`.

mod arrays;
mod description;
mod sample;

pub use sample::{Kit, KitSample};

use super::numpy_array::npz;
use super::{ExportError, MeshFormat, MissingTextures, PoseFile, PosedMeshes, make_finite};
use arrays::{KitArrays, KitPose};
use description::KitDescription;
use rigscope_core::files::StagedFolder;
use rigscope_core::jobs::Progress;
use rigscope_core::skinning::{Method, Skinner, Skinning};

/// Maximum number of vertices times poses. The arrays then take 200 MB.
const MAX_VERTICES: usize = 4_000_000;

/// Maximum number of nodes and joints times poses.
const MAX_MATRICES: usize = 1_000_000;

/// Methods of a kit, with their names in it.
const METHODS: [(Method, &str); 2] = [(Method::Lbs, "lbs"), (Method::Dqs, "dqs")];

impl Kit<'_> {
    /// Checks the size of the kit. *Errors*: it is too large, as a sentence.
    pub fn check_size(&self) -> Result<(), String> {
        let joints: usize = self.rig.skins.iter().map(|skin| skin.joints.len()).sum();
        let matrices = self.rig.hierarchy.len().saturating_add(joints);
        let count = self.samples.len();
        for (each, most, what) in
            [(self.rig.vertex_count(), MAX_VERTICES, "vertices"), (matrices, MAX_MATRICES, "matrices")]
        {
            if each.saturating_mul(count) > most {
                return Err(format!(
                    "{count} poses of {each} {what} are more than the {most} {what} of the largest kit; \
                     write fewer poses"
                ));
            }
        }
        Ok(())
    }

    /// Writes all files of the kit. Returns the number of coordinates that aren't finite; they are written as 0.
    ///
    /// *Errors*: [`ExportError::Write`], [`ExportError::Json`], [`ExportError::Cancelled`].
    pub fn write(&self, folder: &StagedFolder, progress: &Progress) -> Result<usize, ExportError> {
        progress.enter("Writing the kit", 0, self.samples.len());
        let skinners =
            METHODS.map(|(method, name)| (method, name, Skinner::new(self.rig, &Skinning::new(method)).ok()));
        let mut arrays = KitArrays::new(self.rig, self.samples.len());
        let mut description = KitDescription::new(self);
        let mut odd = 0;
        for sample in self.samples {
            progress.check_cancelled().ok_or(ExportError::Cancelled)?;
            let posed = KitPose::new(self.rig, sample);
            description.add(self.rig, sample, &posed);
            arrays.add_matrices(&posed);
            for (method, name, skinner) in &skinners {
                let Some(skinner) = skinner else { continue };
                let mut deformed = skinner.deform(&posed.posed);
                odd += make_finite(&mut deformed);
                arrays.add_points(self.rig, name, &deformed);
                let meshes = PosedMeshes {
                    rig: self.rig,
                    palettes: &posed.palettes,
                    deformed: &deformed,
                    changed_materials: &[],
                    missing: MissingTextures::Omitted,
                    progress: &Progress::default(),
                };
                let file = MeshFormat::Json.file(meshes, *method, "")?;
                save(folder, &format!("{name}/{}.json", sample.name), &file.bytes)?;
            }
            if sample.moment.is_none() {
                let pose = PoseFile::from_pose(self.rig, &sample.pose).to_json();
                save(folder, &format!("poses/{}.json", sample.name), pose.as_bytes())?;
            }
            progress.add(1);
        }
        let archive = npz(arrays.named()).map_err(|problem| failed("kit.npz", std::io::Error::other(problem)))?;
        save(folder, "kit.npz", &archive)?;
        save(folder, "kit.json", &description.json()?)?;
        for (name, text) in description.texts() {
            save(folder, name, text.as_bytes())?;
        }
        Ok(odd)
    }
}

fn save(folder: &StagedFolder, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
    folder.write(name, bytes).map_err(|source| failed(name, source))
}

fn failed(name: &str, source: std::io::Error) -> ExportError {
    ExportError::Write { path: name.into(), source }
}
