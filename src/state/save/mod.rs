//! Saving and exporting files. Each kind of export has one row in a table here.

pub(super) mod disk;
pub(super) mod export;
mod mesh_export;
pub(super) mod video;
mod weight_export;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{ExportError, MeshFormat, check_rig_name, check_vrm_name, rig_glb};
use crate::import::Job;
use crate::rig::Rig;
use crate::state::{Action, Notice, OpenDocument};
use crate::view::Side;
use export::{Export, ExportSummary};

/// Exports of the open character for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// The posed meshes.
    Mesh(Side),
    Rig,
    /// The other character on side B, without the user's pose.
    RigOfB,
    /// The open file with the weights of side A.
    Weights,
}

pub struct ExportedSpec {
    /// Action that asks for the path.
    pub action: Action,
    pub title: &'static str,
    /// Suffix of the suggested file name. With it, the suggested name doesn't match an input file.
    pub ending: &'static str,
    /// Checks a file name. *Errors*: no format uses this extension.
    pub check_name: fn(&Path) -> Result<(), ExportError>,
}

impl ExportKind {
    pub const ALL: [Self; 5] = [Self::Mesh(Side::A), Self::Mesh(Side::B), Self::Rig, Self::RigOfB, Self::Weights];

    pub fn spec(self) -> ExportedSpec {
        match self {
            Self::Mesh(side) => ExportedSpec {
                action: if side == Side::A { Action::ExportMesh } else { Action::ExportMeshOfB },
                title: "Export the posed mesh, .glb, .obj, .ply or .json",
                ending: "posed.glb",
                check_name: |path| MeshFormat::from_path(path).map(drop),
            },
            Self::Rig => ExportedSpec {
                action: Action::ExportRig,
                title: "Export the rig, .glb",
                ending: "rig.glb",
                check_name: check_rig_name,
            },
            Self::RigOfB => ExportedSpec {
                action: Action::ExportRigOfB,
                title: "Export the rig of side B, .glb",
                ending: "refit.glb",
                check_name: check_rig_name,
            },
            Self::Weights => ExportedSpec {
                action: Action::ExportWeights,
                title: "Export the file with the weights of side A, .glb",
                ending: "weights.glb",
                check_name: check_rig_name,
            },
        }
    }

    /// Creates the export; `None` if there is nothing to export. *Errors*: a notice that explains why the export is
    /// impossible now.
    pub(super) fn export(self, open: &OpenDocument) -> Result<Option<Arc<dyn Export>>, Notice> {
        match self {
            Self::Mesh(side) => Ok(Some(mesh_export::export(open, side))),
            Self::Rig => Ok(Some(Arc::new(RigExport(Arc::clone(open.stage.rig()))))),
            Self::RigOfB => {
                let other = open.stage.other_on(Side::B);
                Ok(other.map(|other| Arc::new(RigExport(Arc::clone(&other.own))) as Arc<dyn Export>))
            }
            Self::Weights => weight_export::export(open),
        }
    }
}

/// The character as in its file, without the user's pose.
#[derive(Debug)]
struct RigExport(Arc<Rig>);

impl Export for RigExport {
    fn begin(&self) -> &'static str {
        "The rig was"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        check_rig_name(path).and_then(|()| check_vrm_name(path, &self.0)).map_err(|e| e.to_string())?;
        let file = rig_glb(&self.0, &job.progress).map_err(|e| e.to_string())?;
        ExportSummary::whole(&file, Vec::new(), path, inputs, job)
    }
}
