//! Lint: what is odd in a rig, with its place, why it matters and what to do.
//!
//! A rule reads the [`Rig`] and pushes findings; it changes nothing and knows no other rule. What import has already put right cannot be
//! found in a rig any more: [`crate::state`] makes findings with the same codes from what import says.
//!
//! Thresholds are chosen so that rigs which people use without trouble have no errors and no warnings. All rules together are linear in
//! vertices and triangles.

mod binds;
mod clips;
mod code;
mod finding;
mod geometry;
mod islands;
mod joints;
pub mod report;
mod smoothness;
mod surface;
mod transforms;
mod weights;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

pub use code::{Code, Severity};
pub use finding::{Finding, NodeList, Target};

use crate::rig::Rig;
use finding::{Findings, Part};
use surface::Surface;

/// Rules that look at the whole rig.
const RIG_RULES: [fn(&Rig, &mut Findings); 12] = [
    joints::unused,
    joints::roots,
    joints::too_many,
    joints::names,
    binds::singular,
    binds::scaled,
    binds::sheared,
    binds::unlike_rest,
    transforms::joint_scales,
    transforms::skinned_nodes,
    clips::unmoving,
    clips::rotation_keys,
];

/// Rules that look at one primitive.
const PART_RULES: [fn(&Part<'_>, &mut Surface, &mut Findings); 5] = [
    |part, _, findings| weights::slots(part, findings),
    |part, _, findings| geometry::triangles(part, findings),
    |part, _, findings| geometry::unused_vertices(part, findings),
    smoothness::jumps,
    islands::islands,
];

/// All findings of a rig, in the order of the rules; `None` where it was cancelled.
///
/// *Cost*: linear in vertices and triangles, about a second for a million vertices. `cancel` is read between rules.
pub fn lint(rig: &Rig, cancel: &AtomicBool) -> Option<Vec<Finding>> {
    let mut findings = Findings::default();
    let is_cancelled = || cancel.load(Ordering::Relaxed);
    for rule in RIG_RULES {
        if is_cancelled() {
            return None;
        }
        rule(rig, &mut findings);
    }
    let mut surface = Surface::default();
    for part in parts(rig) {
        surface.forget();
        for rule in PART_RULES {
            if is_cancelled() {
                return None;
            }
            rule(&part, &mut surface, &mut findings);
        }
    }
    Some(findings.list)
}

/// Every primitive of the file once, however many meshes here have come from it.
fn parts(rig: &Rig) -> impl Iterator<Item = Part<'_>> {
    let mut seen = HashSet::new();
    let skin_of = |mesh: usize| {
        let mut instances = rig.instances.iter().filter(move |i| i.mesh == mesh);
        instances.find_map(|i| i.skin).map(|s| &rig.skins[s])
    };
    let meshes = rig.meshes.iter().enumerate().map(move |(index, mesh)| (mesh, skin_of(index)));
    let all = meshes.flat_map(|(mesh, skin)| mesh.primitives.iter().map(move |primitive| (mesh, primitive, skin)));
    all.filter(move |(mesh, primitive, _)| seen.insert((mesh.source, primitive.source)))
        .map(|(mesh, primitive, skin)| Part { hierarchy: &rig.hierarchy, mesh, primitive, skin })
}
