//! Weights that jump from one vertex to the next.

use super::Code;
use super::finding::{Findings, Part, counted};
use super::geometry::where_true;
use super::surface::Surface;
use crate::rig::Influences;

/// The share of a vertex's weight that lies on joints which its neighbour does not follow.
const JUMP: f32 = 0.75;
/// Jumps are no style of the mesh as long as no more than one edge in so many has one.
const EDGES_PER_JUMP: usize = 100;
/// A mesh is smooth where at least one vertex in so many follows several joints.
const VERTICES_PER_BLEND: usize = 4;
/// The second weight of a vertex that follows several joints.
const BLEND: f32 = 0.1;

/// Edges whose ends follow different joints, in a mesh whose weights are smooth otherwise. Parts that are rigid by design have as many
/// jumps as they have seams, and no finding.
pub(super) fn jumps(part: &Part<'_>, surface: &mut Surface, findings: &mut Findings) {
    let Some(influences) = part.primitive.influences.as_ref().filter(|i| is_smooth(i)) else { return };
    let surface = surface.of(part.primitive);
    let (mut edges, mut jumps) = (0, 0);
    let mut is_concerned = vec![false; surface.len()];
    for point in surface.points() {
        for neighbor in surface.neighbors(point).filter(|&n| n > point) {
            edges += 1;
            if difference(influences, point, neighbor) > JUMP {
                jumps += 1;
                (is_concerned[point], is_concerned[neighbor]) = (true, true);
            }
        }
    }
    if jumps * EDGES_PER_JUMP <= edges {
        let vertices = where_true(&is_concerned);
        let text = format!("the weights jump across {}", counted(jumps, "edge", "edges"));
        findings.vertices(Code::WeightJump, part, vertices, text);
    }
}

fn is_smooth(influences: &Influences) -> bool {
    let blended = (0..influences.len()).filter(|&v| influences.of(v).nth(1).is_some_and(|(_, w)| w > BLEND));
    blended.count() * VERTICES_PER_BLEND >= influences.len()
}

/// 0 where two vertices follow the same joints alike, 1 where they have none in common.
fn difference(influences: &Influences, a: usize, b: usize) -> f32 {
    let of_b = |joint: usize| influences.of(b).filter(|(j, _)| *j == joint).map(|(_, w)| w).sum::<f32>();
    1.0 - influences.of(a).map(|(joint, weight)| weight.min(of_b(joint))).sum::<f32>()
}
