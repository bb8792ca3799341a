//! Compares a file before and after its weights are replaced. Everything else must be equal.

use std::path::Path;

use rigscope::export::reweighted_glb;
use rigscope::import::{Imported, Job, RawGltf, import_bytes, raw_gltf_from_bytes, raw_gltf_from_path};
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, Rig, WeightSet};
use serde_json::Value;

use super::glb::split;

/// A file before and after replacing its weights.
pub struct Kept {
    pub before: Value,
    /// Binary chunk of the original file; empty if it has none.
    pub before_binary: Vec<u8>,
    pub after: Value,
    pub after_binary: Vec<u8>,
    pub imported: Imported,
    pub told: Vec<String>,
    /// Bytes of the file with new weights.
    pub bytes: Vec<u8>,
}

impl Kept {
    /// Replaces the weights in the bytes of a file.
    pub fn of_bytes(bytes: &[u8], rig: &Rig, weights: &WeightSet) -> Self {
        Self::new(raw_gltf_from_bytes(bytes, &Job::default()).unwrap().unwrap(), rig, weights)
    }

    /// Replaces the weights in a file; `None` if it isn't glTF.
    pub fn of_file(path: &Path, rig: &Rig, weights: &WeightSet) -> Option<Self> {
        Some(Self::new(raw_gltf_from_path(path, &Job::default()).unwrap()?, rig, weights))
    }

    fn new(stored: RawGltf, rig: &Rig, weights: &WeightSet) -> Self {
        let before = serde_json::from_str(&stored.json).unwrap();
        let before_binary = stored.binary.clone().unwrap_or_default();
        let file = reweighted_glb(stored, rig, weights, &Progress::default()).unwrap();
        let (after, after_binary) = split(&file.bytes);
        let imported = import_bytes(&file.bytes, &Job::default()).unwrap();
        let after_binary = after_binary.to_vec();
        Self { before, before_binary, after, after_binary, imported, told: file.left_out, bytes: file.bytes }
    }

    /// Asserts that the document changed only where weights require it: in joint and weight attributes, and by additions at the end of lists.
    pub fn assert_same_but_for_weights(&self, name: &str) {
        let old: Vec<&String> = self.before.as_object().unwrap().keys().collect();
        for key in old {
            let (before, after) = (&self.before[key], &self.after[key]);
            match key.as_str() {
                "accessors" | "bufferViews" => assert_grown(name, before, after),
                "buffers" => {
                    let mut same = after.clone();
                    same[0]["byteLength"] = before[0]["byteLength"].clone();
                    assert_eq!(&same, before, "{name}: buffers");
                }
                "meshes" => assert_eq!(without_weights(after), without_weights(before), "{name}: meshes"),
                _ => assert_eq!(after, before, "{name}: {key}"),
            }
        }
        let length = self.before_binary.len();
        assert!(self.after_binary[..length] == self.before_binary[..], "{name}: bytes");
    }

    /// Asserts that the reopened file has the rig and the new weights, with the tolerance `within`.
    pub fn assert_opens_as(&self, name: &str, rig: &Rig, weights: &WeightSet, within: f32) {
        let wanted = rig.with_weights(weights);
        assert_eq!(self.imported.rig.meshes.len(), wanted.meshes.len(), "{name}: meshes");
        for (found, wanted) in self.imported.rig.meshes.iter().zip(&wanted.meshes) {
            for (found, wanted) in found.primitives.iter().zip(&wanted.primitives) {
                assert!(found.positions == wanted.positions && found.indices == wanted.indices, "{name}: shape");
                assert!(found.morph_targets.len() == wanted.morph_targets.len(), "{name}: morph targets");
                let (Some(found), Some(wanted)) = (&found.influences, &wanted.influences) else {
                    assert_eq!(found.influences.is_some(), wanted.influences.is_some(), "{name}: skinned");
                    continue;
                };
                (0..wanted.len()).for_each(|vertex| assert_near(name, found, wanted, vertex, within));
            }
        }
    }
}

fn assert_near(name: &str, found: &Influences, wanted: &Influences, vertex: usize, within: f32) {
    let weight = |influences: &Influences, joint: usize| -> f32 {
        influences.vertex(vertex).filter(|(of, _)| *of == joint).map(|(_, weight)| weight).sum()
    };
    for (joint, _) in wanted.vertex(vertex).chain(found.vertex(vertex)) {
        let (found, wanted) = (weight(found, joint), weight(wanted, joint));
        assert!((found - wanted).abs() <= within, "{name}: vertex {vertex}, joint {joint}: {found} for {wanted}");
    }
}

fn assert_grown(name: &str, before: &Value, after: &Value) {
    let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
    assert_eq!(&after[..before.len()], before.as_slice(), "{name}: what was in a list");
}

/// Returns meshes without the attributes that depend on weights.
fn without_weights(meshes: &Value) -> Value {
    let is_kept = |name: &String| !name.starts_with("JOINTS_") && !name.starts_with("WEIGHTS_");
    let mut meshes = meshes.clone();
    for primitive in
        meshes.as_array_mut().unwrap().iter_mut().filter_map(|mesh| mesh["primitives"].as_array_mut()).flatten()
    {
        for pointer in ["/attributes", "/extensions/KHR_draco_mesh_compression/attributes"] {
            if let Some(attributes) = primitive.pointer_mut(pointer).and_then(Value::as_object_mut) {
                attributes.retain(|name, _| is_kept(name));
            }
        }
    }
    meshes
}
