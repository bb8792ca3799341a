//! Smoothness: the Dirichlet energy of each joint's weights over the surface.
//! *Source*: Pinkall and Polthier 1993, "Computing discrete minimal surfaces and their conjugates", equation 7; as
//! a measure of weights: Jacobson et al. 2011, "Bounded biharmonic weights for real-time deformation".

use crate::jobs::{Progress, try_ranges};
use crate::weights::body::Body;
use crate::weights::bone_weights::PointWeights;

/// Number of triangles per partial sum. A fixed size keeps the result independent of the number of cores.
const PIECE: usize = 1 << 14;

/// Minimum ratio of twice a triangle's area to its squared longest edge; thinner triangles have no meaningful gradient.
const THIN: f64 = 1e-6;

/// Returns ∫|∇w|² dA by bone.
pub(super) fn energies(body: &Body, shares: &PointWeights, progress: &Progress) -> Option<Vec<f64>> {
    let pieces = try_ranges((body.triangles.len(), PIECE), progress, |range| {
        let mut sums = vec![0.0; body.bones.len()];
        let mut corners = Vec::new();
        for triangle in &body.triangles[range] {
            add(body, shares, *triangle, &mut corners, &mut sums);
        }
        Some(sums)
    })?;
    let mut sums = vec![0.0; body.bones.len()];
    for piece in pieces {
        sums.iter_mut().zip(piece).for_each(|(sum, part)| *sum += part);
    }
    Some(sums)
}

/// Adds half the cotangent at each corner times the squared difference along the opposite edge.
fn add(body: &Body, shares: &PointWeights, triangle: [u32; 3], corners: &mut Vec<(u16, [f64; 3])>, sums: &mut [f64]) {
    let Some(halves) = half_cotangents(body, triangle) else { return };
    corners.clear();
    for (corner, point) in triangle.into_iter().enumerate() {
        for (bone, share) in shares.row(point as usize) {
            let known = corners.iter().position(|(known, _)| *known == bone);
            let at = known.unwrap_or_else(|| {
                corners.push((bone, [0.0; 3]));
                corners.len() - 1
            });
            corners[at].1[corner] = f64::from(share);
        }
    }
    for (bone, [a, b, c]) in corners.iter() {
        let differences = [b - c, c - a, a - b];
        sums[usize::from(*bone)] += halves.iter().zip(differences).map(|(half, d)| half * d * d).sum::<f64>();
    }
}

fn half_cotangents(body: &Body, triangle: [u32; 3]) -> Option<[f64; 3]> {
    let [a, b, c] = triangle.map(|point| body.points[point as usize].as_dvec3());
    let edges = [c - b, a - c, b - a];
    let doubled_area = edges[0].cross(edges[1]).length();
    let longest = edges.iter().map(|edge| edge.length_squared()).fold(0.0, f64::max);
    let at = |corner: usize| -edges[(corner + 1) % 3].dot(edges[(corner + 2) % 3]) / (2.0 * doubled_area);
    (doubled_area > THIN * longest).then(|| [at(0), at(1), at(2)])
}
