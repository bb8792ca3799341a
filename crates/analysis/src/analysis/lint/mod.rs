//! Lint: rules that find problems in a rig.
//!
//! Rules read the [`Rig`] and add findings, independently of each other. Importers report their corrections under the
//! same codes. Thresholds are chosen so that rigs that work in practice get no errors or warnings.

mod baseline;
mod binds;
mod clips;
mod finding;
mod geometry;
mod islands;
mod joints;
mod project_rules;
pub mod report;
pub mod rules;
mod smoothness;
mod spot;
mod springs;
mod suppressions;
mod surface;
mod transforms;
mod weights;

use std::collections::HashSet;

pub use baseline::{Baseline, FileBaseline, UnusedEntry};
pub use project_rules::{
    FilteredFindings, NameFilter, ProjectRules, RequiredJoint, RequiredSkeleton, Tolerance, limit_rules,
};
pub use spot::{FindingLocation, finding_locations};
pub use suppressions::SuppressedFinding;

use finding::LintedPrimitive;
pub(super) use finding::{FindingList, short};
pub use rigscope_core::findings::{BrokenRule, Code, Explanation, Finding, NodeList, Severity, Target};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::Rig;
use surface::JoinedSurface;

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

const PART_RULES: [fn(&LintedPrimitive<'_>, &mut FindingList); 4] =
    [weights::slots, weights::stored_order, geometry::triangles, geometry::unused_vertices];

const SURFACE_RULES: [fn(&JoinedSurface<'_>, &mut FindingList); 2] = [smoothness::jumps, islands::islands];

/// Returns all findings of a rig in the order of the rules; `None` if cancelled.
/// *Cost*: linear in vertices and triangles, about 0.25 s for a million vertices.
pub fn lint(rig: &Rig, progress: &Progress) -> Option<Vec<Finding>> {
    let mut findings = FindingList::default();
    joints::unused(rig, progress, &mut findings)?;
    for rule in RIG_RULES {
        progress.check_cancelled()?;
        rule(rig, &mut findings);
    }
    for parts in parts_by_mesh(rig) {
        for (part, rule) in parts.iter().flat_map(|part| PART_RULES.map(|rule| (part, rule))) {
            progress.check_cancelled()?;
            rule(part, &mut findings);
        }
        let has_weights = |part: &LintedPrimitive<'_>| part.skin.is_some() && part.primitive.influences.is_some();
        let surface = JoinedSurface::new(parts.into_iter().filter(has_weights).collect());
        for rule in SURFACE_RULES {
            progress.check_cancelled()?;
            rule(&surface, &mut findings);
        }
    }
    Some(findings.into_list())
}

/// Returns the primitives of each mesh in the file. The importer may have split a file mesh into several rig meshes; it
/// counts once.
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
