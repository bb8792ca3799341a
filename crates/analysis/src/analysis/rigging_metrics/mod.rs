//! Metrics of rigging papers: how near the joints and weights of a rig are to those of a reference.
//!
//! *Source*: Xu, Zhou, Kalogerakis, Landreth and Singh 2020, *`RigNet`: Neural Rigging for Articulated Characters*,
//! section 6. The unit of distances is the longest side of the reference's bounding box, to which the authors' code
//! scales a character. Precision and recall of weights are taken over all pairs of vertex and joint.

mod deformation;
mod joint_match;
mod shape_radius;
mod skeleton;
mod table;
mod weights;

pub use table::{JointMetricsJson, RiggingMetricsJson, WeightMetricsJson};

use std::sync::Arc;

use glam::Vec3;

use joint_match::joint_metrics;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{RigMatch, mesh_pairs, rounding_m};
use rigscope_core::rig::Rig;
use rigscope_core::rows::rounded;
use shape_radius::RestTriangles;
use skeleton::Skeleton;
use weights::weight_metrics;

/// Compares a rig with a reference, joint positions and weights, both in the rest pose. Units and axes are aligned by
/// matched joints. `tolerance` is the distance up to which joints count as equal, in units of the longest side of the
/// reference; by default half the local shape diameter at the joint. `None` if cancelled.
///
/// *Errors*: a rig without joints.
pub fn rigging_metrics(
    [judged, reference]: [&Arc<Rig>; 2],
    reference_name: &str,
    tolerance: Option<f64>,
    progress: &Progress,
) -> Result<Option<RiggingMetricsJson>, String> {
    let both = RigMatch::new(judged, reference);
    let anchor = reference.hierarchy.anchor().as_vec3();
    let old = Skeleton::new(judged, |node| both.space.point(both.old.world[node.index()].translation) - anchor);
    let new = Skeleton::new(reference, |node| both.new.world[node.index()].translation - anchor);
    if old.is_empty() || new.is_empty() {
        let which = if new.is_empty() { "reference" } else { "rig" };
        return Err(format!("There is nothing to compare: the {which} has no joints"));
    }
    let unit = longest_side(reference);
    let tolerances = match tolerance {
        Some(fraction) => vec![fraction; new.points.len()],
        None => match RestTriangles::new(reference)?.radii(&new, unit, progress) {
            Some(radii) => radii,
            None => return Ok(None),
        },
    };
    let joints = joint_metrics([&old, &new], &tolerances, unit, &both);
    let pairs = mesh_pairs(&both, &both.mesh_match(), rounding_m(judged), progress);
    let Some(pairs) = pairs else { return Ok(None) };
    let weights = match weight_metrics(&both, &pairs, reference, unit, progress) {
        Ok(Some(weights)) => Ok(weights),
        Ok(None) => return Ok(None),
        Err(reason) => Err(reason),
    };
    let weights_off = weights.as_ref().err().cloned();
    Ok(Some(RiggingMetricsJson {
        reference: reference_name.to_owned(),
        unit_m: rounded(unit),
        joints,
        weights: weights.ok(),
        weights_off,
    }))
}

/// Returns the longest side of the bounding box at rest, metres.
fn longest_side(rig: &Rig) -> f64 {
    let bounds = rig.rest_bounds();
    let side = if bounds.is_empty() { 0.0 } else { Vec3::max_element(bounds.max - bounds.min) };
    f64::from(if side > 0.0 && side.is_finite() { side } else { rig.size() })
}

#[cfg(test)]
mod tests;
