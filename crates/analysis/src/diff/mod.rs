//! Compares two versions of a rig.
//!
//! [`rigscope_core::matching`] pairs nodes, meshes, vertices, clips and morph targets of both versions; [`diff`] reports
//! how the pairs differ.
//!
//! Each change is reported once, without its consequences: joints are compared relative to their parents, meshes as
//! they are bound (in whichever coordinates), clips and rest poses as they are drawn (by whichever nodes). The order of
//! joints, vertices, triangles and clips doesn't matter. Cameras, tangents and names of humanoid bones are not
//! compared.

mod binds;
mod change;
mod clip_motion;
mod clips;
mod drawn;
mod joints;
mod materials;
mod meshes;
mod moments;
mod morphs;
mod motion;
mod topology;
mod vrm;

pub use change::{
    Change, ChangeJson, ChangeKind, ChangeLocation, ChangeMeasure, ChangedObject, RigDiff, RigVersion, Tolerances,
    rounded,
};

use clips::ClipVersions;
use drawn::DrawnComparison;
use joints::RestComparison;
use materials::MaterialMatch;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{MeshPair, RigMatch, SpaceMapping, mesh_pairs};
use rigscope_core::rig::Rig;

/// Returns the changes from one version of a rig to another. Returns `None` if cancelled.
pub fn diff(old: &Rig, new: &Rig, tolerances: &Tolerances, progress: &Progress) -> Option<RigDiff> {
    let both = RigMatch::new(old, new);
    let meshes = both.mesh_match();
    let pairs = mesh_pairs(&both, &meshes, tolerances.distance_m, progress)?;
    let drawn = DrawnComparison::new(&both, &meshes, &pairs);
    let rest = RestComparison::new(&both, &drawn, tolerances);
    let mut changes = joints::joint_changes(&both, &meshes, &rest, tolerances);
    changes.extend(units_or_axes(&both, &pairs));
    changes.extend(binds::bind_changes(&both, &pairs, &rest, tolerances));
    changes.extend(meshes::instance_changes(&both, &meshes, &pairs, tolerances));
    let materials = MaterialMatch::between(old, new, tolerances);
    for pair in &pairs {
        progress.check_cancelled()?;
        changes.extend(meshes::geometry_changes(&both, pair, &materials, tolerances));
    }
    changes.extend(meshes::weight_changes_by_joint(&both, &pairs, tolerances));
    let morphs = morphs::match_morphs(&both, &pairs, tolerances);
    changes.extend(morphs::morph_changes(&both, &pairs, &morphs, tolerances));
    progress.enter("Comparing clips", 0, old.clips.len());
    // A reparented joint moves differently even with the same keys and rest pose. Only the new parent is reported.
    let is_reparented = both.joints.pairs().any(|(from, to)| both.is_reparented(from, to));
    let is_rest_alike = rest.is_all_alike() && !is_reparented;
    let is_skeleton_same = drawn.is_skeleton_same(&both);
    let versions = ClipVersions { both: &both, drawn: &drawn, morphs: &morphs, is_rest_alike, is_skeleton_same };
    changes.extend(clips::clip_changes(&versions, tolerances, progress)?);
    changes.extend(materials.changes(tolerances));
    changes.extend(vrm::constraint_changes(&both));
    changes.extend(vrm::vrm_changes(old, new));
    let rounding = pairs.iter().map(|pair| meshes::rounding(pair, tolerances)).fold(0.0, f32::max);
    Some(RigDiff::new(changes, rounding))
}

fn units_or_axes(both: &RigMatch<'_>, pairs: &[MeshPair<'_>]) -> Option<Change> {
    let describe = |what: &str, space: &SpaceMapping| {
        let factor = if space.factor == 1.0 {
            String::new()
        } else {
            format!(" times {}", change::rounded(f64::from(space.factor)))
        };
        let degrees = space.angle().to_degrees().round();
        let turn = if degrees > 0.0 { format!(" turned by {degrees}°") } else { String::new() };
        (!space.is_same()).then(|| format!("{what}{factor}{turn}"))
    };
    let joints = SpaceMapping { factor: both.joint_factor, ..SpaceMapping::SAME };
    if both.space.is_same() && joints.is_same() {
        // A change in the mesh's own coordinates is compensated for when drawing, so it's invisible.
        return None;
    }
    if both.space.is_same() {
        let joints = describe("joints", &joints)?;
        let change = Change::new(ChangeKind::LocalTransforms, "everything");
        return Some(change.now(format!("drawn the same, {joints}")));
    }
    let mesh = pairs.iter().map(MeshPair::space).find(|space| !space.is_same()).unwrap_or(SpaceMapping::SAME);
    let spaces = [("scene", both.space), ("joints", joints), ("meshes", mesh)];
    let descriptions: Vec<String> = spaces.iter().filter_map(|(what, space)| describe(what, space)).collect();
    (!descriptions.is_empty()).then(|| Change::new(ChangeKind::UnitsOrAxes, "everything").now(descriptions.join(", ")))
}
