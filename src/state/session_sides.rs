//! The two sides of a comparison, as a session file has them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize};

use crate::export::{joint_names, joints_found};
use crate::rig::Hierarchy;
use crate::skinning::{Antipodality, InfluenceLimit, JointMethod, Method, Normals, ScaleHandling, Skinning};
use crate::view::{Compare, Ghost, Layout, Overlay, Wipe};

/// A way of skinning; joints by the names that pose files call them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SideFile {
    method: Method,
    scale: ScaleHandling,
    antipodality: Antipodality,
    normals: Normals,
    influences: InfluenceLimit,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    by_joint: BTreeMap<String, JointMethod>,
}

impl SideFile {
    fn new(skinning: &Skinning, hierarchy: &Hierarchy) -> Self {
        let (joints, methods): (Vec<_>, Vec<_>) = skinning.by_joint.iter().copied().unzip();
        Self {
            method: skinning.method,
            scale: skinning.scale,
            antipodality: skinning.antipodality,
            normals: skinning.normals,
            influences: skinning.influences,
            by_joint: joint_names(hierarchy, &joints).into_iter().zip(methods).collect(),
        }
    }

    /// Joints that the character lacks are left out, and added to `unknown`.
    fn skinning(&self, hierarchy: &Hierarchy, unknown: &mut BTreeSet<String>) -> Skinning {
        let found = joints_found(hierarchy, self.by_joint.keys());
        let mut by_joint = BTreeMap::new();
        for ((name, method), node) in self.by_joint.iter().zip(found) {
            match node {
                Some(node) => _ = by_joint.insert(node, *method),
                None => _ = unknown.insert(name.clone()),
            }
        }
        Skinning {
            method: self.method,
            scale: self.scale,
            antipodality: self.antipodality,
            normals: self.normals,
            influences: self.influences,
            by_joint: by_joint.into_iter().collect(),
        }
    }
}

/// Both sides and how they share the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompareFile {
    layout: Layout,
    a: SideFile,
    b: SideFile,
    b_is_rest: bool,
    wipe: Wipe,
    ghost: Ghost,
    #[serde(deserialize_with = "known_overlays")]
    overlays: [Option<Overlay>; 2],
    ranges: [Option<[f32; 2]>; 2],
    is_clay: bool,
}

impl Default for CompareFile {
    fn default() -> Self {
        Self::new(&Skinning::default(), &Compare::default(), &Hierarchy::default())
    }
}

impl CompareFile {
    /// Side A and the rest, of a character.
    pub fn new(a: &Skinning, compare: &Compare, hierarchy: &Hierarchy) -> Self {
        Self {
            layout: compare.layout,
            a: SideFile::new(a, hierarchy),
            b: SideFile::new(&compare.b, hierarchy),
            b_is_rest: compare.b_is_rest,
            wipe: compare.wipe,
            ghost: compare.ghost,
            overlays: compare.overlays,
            ranges: compare.ranges,
            is_clay: compare.is_clay,
        }
    }

    /// Side A and the rest, for a character; names of joints that it lacks are added to `unknown`.
    pub fn sides(&self, hierarchy: &Hierarchy, unknown: &mut BTreeSet<String>) -> (Skinning, Compare) {
        let is_usable = self.wipe.angle.is_finite() && self.wipe.offset.is_finite();
        let compare = Compare {
            layout: self.layout,
            b: self.b.skinning(hierarchy, unknown),
            b_is_rest: self.b_is_rest,
            wipe: if is_usable { self.wipe } else { Wipe::default() },
            ghost: self.ghost,
            is_blinking: false,
            overlays: self.overlays,
            ranges: self.ranges.map(|r| r.filter(|[low, high]| low < high && low.is_finite() && high.is_finite())),
            is_clay: self.is_clay,
        };
        (self.a.skinning(hierarchy, unknown), compare)
    }
}

/// An overlay that a later version has is left out; see `Session::parse`, which tells.
fn known_overlays<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Option<Overlay>; 2], D::Error> {
    let names = <[Option<String>; 2]>::deserialize(deserializer)?;
    Ok(names.map(|name| name?.parse().ok()))
}
