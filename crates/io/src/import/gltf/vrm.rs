//! VRM 0 and 1: humanoid bones and front direction. `vrm_rules` validates the other data.

use std::collections::BTreeMap;

use glam::Vec3;
use serde_json::Value;

use super::loader::GltfLoader;
use crate::import::ImportWarning;
use crate::import::warning::short;
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Hierarchy, NodeIndex};

pub(super) const NAMES: [&str; 2] = [ZERO, ONE];
pub(super) const ZERO: &str = "VRM";
pub(super) const ONE: &str = "VRMC_vrm";

impl GltfLoader<'_> {
    /// Returns the node and the name (such as `leftUpperArm`) of each humanoid bone, from the newest VRM version in the
    /// file.
    pub(super) fn human_bones(&self, hierarchy: &Hierarchy) -> Vec<(NodeIndex, String)> {
        let Some((_, extension)) = self.vrm() else { return Vec::new() };
        let bones = extension.get("humanoid").and_then(|h| h.get("humanBones"));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut found = Vec::new();
        for (bone, _) in bones.map(listed).unwrap_or_default() {
            let count = counts.entry(bone).or_default();
            *count = count.saturating_add(1);
        }
        let warn = |code, message| self.report.warn(ImportWarning::new(code, Target::File, message));
        for (bone, count) in counts.into_iter().filter(|(_, count)| *count > 1) {
            let message = format!("The humanoid bone {} is declared {count} times.", short(bone));
            warn(Code::HumanBoneTwice, message);
        }
        for (bone, node) in bones.map(listed).unwrap_or_default() {
            let index = node.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
            if let Some(node) = hierarchy.by_source(index) {
                found.push((node, short(bone)));
            } else {
                let (bone, nodes) = (short(bone), hierarchy.len());
                let reason = format!("it is not one of the {nodes} nodes");
                warn(Code::Malformed, format!("The humanoid bone {bone} was left out: {reason}."));
            }
        }
        found
    }

    /// Returns the front direction of the character: -Z in VRM 0, +Z in VRM 1.
    pub(super) fn front(&self) -> Option<Vec3> {
        self.vrm().map(|(name, _)| if name == ZERO { Vec3::NEG_Z } else { Vec3::Z })
    }

    pub(super) fn vrm_version(&self) -> Option<u8> {
        self.vrm().map(|(name, _)| u8::from(name != ZERO))
    }

    pub(super) fn vrm(&self) -> Option<(&'static str, &Value)> {
        NAMES.into_iter().rev().find_map(|name| Some((name, self.source.document.extensions.get(name)?)))
    }
}

/// Lists bones and their nodes: VRM 0 has an array of `{bone, node}`, VRM 1 an object of `bone: {node}`.
fn listed(bones: &Value) -> Vec<(&str, &Value)> {
    let of_list =
        bones.as_array().into_iter().flatten().filter_map(|b| Some((b.get("bone")?.as_str()?, b.get("node")?)));
    let of_object =
        bones.as_object().into_iter().flatten().filter_map(|(bone, b)| Some((bone.as_str(), b.get("node")?)));
    of_list.chain(of_object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn humanoid_bones_are_read_from_vrm_0_and_vrm_1() {
        let zero = json!([{"bone": "hips", "node": 3, "useDefaultValues": true}, {"bone": 4}, 5]);
        let one = json!({"hips": {"node": 3}, "head": {}, "neck": 7});
        assert_eq!(listed(&zero), [("hips", &json!(3))]);
        assert_eq!(listed(&one), [("hips", &json!(3))]);
        assert!(listed(&json!("x")).is_empty());
    }
}
