//! Lint: oddities of a rig, with their place, why they matter and what to do.
//!
//! A rule reads the [`Rig`] and adds findings; it changes nothing and knows no other rule. What import has already fixed can no longer be found in
//! the rig: [`crate::state`] turns import warnings into findings with the same codes.
//!
//! Thresholds are chosen so that rigs which people use without trouble have no errors or warnings. All rules together are linear in vertices and triangles.

mod baseline;
mod binds;
mod clips;
mod finding;
mod geometry;
mod islands;
mod joints;
mod place;
mod policy;
pub mod report;
pub mod rules;
mod smoothness;
mod springs;
mod suppressions;
mod surface;
mod transforms;
mod weights;

use std::collections::HashSet;

pub use baseline::{Baseline, Forgiven, Stale};
pub use place::{Spot, spots};
pub use policy::{Contract, JointDemand, Judged, NameFilter, Policy, Tolerance, limit_rules};
pub use suppressions::Suppressed;

pub use crate::findings::{BrokenRule, Code, Explanation, Finding, NodeList, Severity, Target};
use crate::jobs::Progress;
use crate::rig::Rig;
use finding::LintedPrimitive;
pub(super) use finding::{FindingList, short};
use surface::JoinedSurface;

/// Rules that look at the whole rig and not at its vertices.
const RIG_RULES: [fn(&Rig, &mut FindingList); 21] = [
    joints::roots,
    joints::too_many,
    joints::names,
    joints::far_from_skin,
    binds::singular,
    binds::scaled,
    binds::sheared,
    binds::unlike_rest,
    transforms::joint_scales,
    transforms::scale_zero,
    transforms::armature_scale,
    transforms::stray_meshes,
    transforms::skinned_nodes,
    transforms::constraint_circles,
    transforms::idle_twist_helpers,
    springs::springs,
    clips::unmoving,
    clips::same,
    clips::before_start,
    clips::late_start,
    clips::rotation_keys,
];

/// Rules about one primitive.
const PART_RULES: [fn(&LintedPrimitive<'_>, &mut FindingList); 4] =
    [weights::slots, weights::stored_order, geometry::triangles, geometry::unused_vertices];

/// Rules about how weights change over the skinned surface of a mesh.
const SURFACE_RULES: [fn(&JoinedSurface<'_>, &mut FindingList); 2] = [smoothness::jumps, islands::islands];

/// All findings of a rig, in the order of the rules; `None` if cancelled.
///
/// *Cost*: linear in vertices and triangles, about a quarter of a second for a million vertices. `progress` is asked between rules and between meshes.
pub fn lint(rig: &Rig, progress: &Progress) -> Option<Vec<Finding>> {
    let mut findings = FindingList::default();
    joints::unused(rig, progress, &mut findings)?;
    for rule in RIG_RULES {
        progress.go_on()?;
        rule(rig, &mut findings);
    }
    for parts in parts_by_mesh(rig) {
        for (part, rule) in parts.iter().flat_map(|part| PART_RULES.map(|rule| (part, rule))) {
            progress.go_on()?;
            rule(part, &mut findings);
        }
        let has_weights = |part: &LintedPrimitive<'_>| part.skin.is_some() && part.primitive.influences.is_some();
        let surface = JoinedSurface::new(parts.into_iter().filter(has_weights).collect());
        for rule in SURFACE_RULES {
            progress.go_on()?;
            rule(&surface, &mut findings);
        }
    }
    Some(findings.into_list())
}

/// Primitives of each mesh of the file, each once, however many meshes of the rig came from it.
fn parts_by_mesh(rig: &Rig) -> impl Iterator<Item = Vec<LintedPrimitive<'_>>> {
    let mut seen = HashSet::new();
    let mut skins = vec![None; rig.meshes.len()];
    for (mesh, skin) in rig.instances.iter().filter_map(|i| Some((i.mesh, i.skin?))) {
        skins[mesh].get_or_insert(&rig.skins[skin]);
    }
    rig.meshes.iter().zip(skins).map(move |(mesh, skin)| {
        let news = mesh.primitives.iter().filter(|p| seen.insert((mesh.source, p.source)));
        news.map(|primitive| LintedPrimitive { hierarchy: &rig.hierarchy, mesh, primitive, skin }).collect()
    })
}
