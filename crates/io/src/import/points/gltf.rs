//! Points of a glTF file with posed meshes: the world positions of its vertices at rest.

use std::path::Path;
use std::sync::Arc;

use rigscope_core::rig::{PointFrame, PointGroup, Pose, evaluate};
use rigscope_core::skinning::{Skinner, Skinning};

use crate::import::{ImportError, Job, import_file};

/// Returns whether the bytes are binary glTF, or JSON with the `asset` that every glTF file has.
pub(super) fn is_gltf(bytes: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Document {
        #[serde(rename = "asset")]
        _asset: serde::de::IgnoredAny,
    }
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    bytes.starts_with(b"glTF") || is_json && serde_json::from_slice::<Document>(bytes).is_ok()
}

pub(super) fn points(path: &Path, job: &Job) -> Result<Vec<PointFrame>, ImportError> {
    let rig = Arc::new(import_file(path, job)?.rig);
    let posed = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
    let skinner = Skinner::new(&rig, &Skinning::default()).map_err(|e| ImportError::Content(e.to_string()))?;
    let groups = skinner.deform(&posed).into_iter().flatten().map(|deformed| PointGroup {
        primitive: None,
        positions: deformed.positions.iter().map(|point| rig.hierarchy.in_file(*point)).collect(),
        normals: deformed.normals.map(|normals| normals.iter().map(|normal| normal.as_dvec3()).collect()),
    });
    Ok(vec![PointFrame { groups: groups.collect(), number: None }])
}
