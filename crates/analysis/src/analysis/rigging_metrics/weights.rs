//! Weights of matched vertices, for joints that are matched by name or position.

use std::sync::Arc;

use super::deformation::deformation;
use super::table::WeightMetricsJson;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{MatchSurface, MeshPair, RigMatch, weight_changes};
use rigscope_core::rig::Rig;
use rigscope_core::rows::rounded;

/// Weights above this count as an influence. *Source*: `RigNet`.
const THRESHOLD: f64 = 1e-4;

/// Compares the weights of matched vertices. `None` if cancelled. *Errors*: nothing to compare, with the reason.
pub(super) fn weight_metrics(
    both: &RigMatch<'_>,
    pairs: &[MeshPair<'_>],
    reference: &Arc<Rig>,
    unit: f64,
    progress: &Progress,
) -> Result<Option<WeightMetricsJson>, String> {
    let mut sums = Sums::default();
    for pair in pairs {
        sums.add(pair);
    }
    if sums.vertices == 0 {
        return Err("no vertex with weights has a counterpart in the other file".to_owned());
    }
    let Some(deformation) = deformation(both, pairs, reference, progress)? else { return Ok(None) };
    let fraction = |part: usize, of: usize| if of == 0 { 1.0 } else { rounded(part as f64 / of as f64) };
    Ok(Some(WeightMetricsJson {
        vertices: sums.vertices,
        reference_vertices: weighted_vertices(reference),
        threshold: THRESHOLD,
        precision: fraction(sums.common, sums.judged),
        recall: fraction(sums.common, sums.reference),
        l1: rounded(sums.l1 / sums.vertices as f64),
        poses: deformation.poses,
        mean_deformation: deformation.mean_max.map(|[mean, _]| rounded(mean / unit)),
        max_deformation: deformation.mean_max.map(|[_, max]| rounded(max / unit)),
    }))
}

#[derive(Default)]
struct Sums {
    vertices: usize,
    /// Influences of the judged rig, of the reference, and of both.
    judged: usize,
    reference: usize,
    common: usize,
    /// Sum of the absolute differences of all weights.
    l1: f64,
}

impl Sums {
    /// Adds the vertices of the reference's mesh that have weights and a counterpart.
    fn add(&mut self, pair: &MeshPair<'_>) {
        for vertex in 0..pair.new.vertex_count() {
            let right = influences(&pair.new, vertex);
            let Some(other) = pair.vertices.old_for(vertex).filter(|_| !right.is_empty()) else { continue };
            let own = influences(&pair.old, other);
            self.vertices += 1;
            self.judged += own.len();
            self.reference += right.len();
            self.common += own.iter().filter(|joint| right.contains(joint)).count();
            let changes = weight_changes(&pair.old, &pair.new, other, vertex);
            self.l1 += changes.map(|(_, change)| f64::from(change.abs())).sum::<f64>();
        }
    }
}

/// Returns the shared IDs of the joints that influence a vertex.
fn influences(surface: &MatchSurface<'_>, vertex: usize) -> Vec<u32> {
    let mut sums: Vec<(u32, f32)> = Vec::new();
    for (joint, weight) in surface.weights(vertex) {
        match sums.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += weight,
            None => sums.push((joint, weight)),
        }
    }
    sums.into_iter().filter(|(_, weight)| f64::from(*weight) > THRESHOLD).map(|(joint, _)| joint).collect()
}

/// Returns the number of vertices that a skin moves. Vertices of a mesh count once for each skin.
fn weighted_vertices(rig: &Rig) -> usize {
    let mut drawn: Vec<_> = rig.instances.iter().map(|instance| (instance.mesh, instance.skin)).collect();
    drawn.sort_unstable();
    drawn.dedup();
    let skinned = drawn.into_iter().filter(|(_, skin)| skin.is_some());
    let primitives = skinned.flat_map(|(mesh, _)| &rig.meshes[mesh].primitives);
    let weighted = primitives.filter_map(|primitive| primitive.influences.as_ref()).map(|influences| {
        (0..influences.len())
            .filter(|&vertex| influences.vertex(vertex).any(|(_, weight)| f64::from(weight) > THRESHOLD))
            .count()
    });
    weighted.sum()
}
