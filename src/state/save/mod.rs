//! Saving and exporting files; each export has one row here.

pub(super) mod disk;
pub(super) mod export;
mod mesh_export;
mod rig_export;
pub(super) mod video;
mod weight_export;

use std::path::Path;
use std::sync::Arc;

use crate::export::{ExportError, MeshFormat, check_rig_name};
use crate::state::{Action, Notice, OpenDocument};
use crate::view::Side;
use export::Export;

/// Exports of the open character for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// The posed meshes of a side.
    Mesh(Side),
    /// The whole rig.
    Rig,
    /// The open file with the weights of side A.
    Weights,
}

/// Texts and checks of an export.
pub struct ExportedSpec {
    /// Action that asks for the path.
    pub action: Action,
    /// Title of the dialog.
    pub title: &'static str,
    /// Suffix of a suggested name; no open file has it.
    pub ending: &'static str,
    /// Checks a file name. *Errors*: this export has no format with the extension.
    pub check_name: fn(&Path) -> Result<(), ExportError>,
}

impl Exported {
    /// All exports, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Mesh(Side::A), Self::Mesh(Side::B), Self::Rig, Self::Weights];

    /// Texts on the export.
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
            Self::Weights => ExportedSpec {
                action: Action::ExportWeights,
                title: "Export the file with the weights of side A, .glb",
                ending: "weights.glb",
                check_name: check_rig_name,
            },
        }
    }

    /// Creates the export of the current state; `None` if there is nothing to export.
    ///
    /// *Errors*: a notice on why it cannot be exported now.
    pub(super) fn export(self, open: &OpenDocument) -> Result<Option<Arc<dyn Export>>, Notice> {
        match self {
            Self::Mesh(side) => Ok(Some(mesh_export::export(open, side))),
            Self::Rig => Ok(Some(rig_export::export(open))),
            Self::Weights => weight_export::export(open),
        }
    }
}
