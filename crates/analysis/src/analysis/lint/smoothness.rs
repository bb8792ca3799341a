//! Rule about weights that jump across an edge.

use super::Code;
use super::finding::FindingList;
use super::joints::nearest_above;
use super::surface::JoinedSurface;
use rigscope_core::text::counted;

const JUMP: f32 = 0.75;
/// If a mesh has fewer edges per jump than this, its jumps count as intended.
const EDGES_PER_JUMP: usize = 100;
/// A mesh is smooth if at least one in this many vertices is blended.
const VERTICES_PER_BLEND: usize = 4;
/// Maximum number of influences to compare per vertex; further influences are light.
const HEAVY_SLOTS: usize = 16;
/// A vertex is blended if its second-largest weight exceeds this.
const BLEND: f32 = 0.1;

/// Finds edges at which the weights jump between joints that are far apart in the skeleton, in a mesh whose weights are
/// otherwise smooth. Ignores seams between rigid components, and creases between parent and child or between fingers,
/// because they are intended.
pub(super) fn jumps(surface: &JoinedSurface<'_>, findings: &mut FindingList) {
    if !is_smooth(surface) {
        return;
    }
    let kin = JointRelations::new(surface);
    let heaviest = |vertex: usize| surface.influences(vertex).next().map_or(0, |(joint, _)| joint);
    let heaviest: Vec<usize> = (0..surface.mesh.vertex_count()).map(heaviest).collect();
    let (mut edges, mut jumps) = (0, 0);
    let mut is_concerned = vec![false; surface.mesh.vertex_count()];
    for point in surface.mesh.points() {
        for neighbor in surface.neighbors(point).filter(|&n| n > point) {
            edges += 1;
            if !kin.are_close(heaviest[point], heaviest[neighbor]) && difference(surface, point, neighbor) > JUMP {
                jumps += 1;
                (is_concerned[point], is_concerned[neighbor]) = (true, true);
            }
        }
    }
    if jumps * EDGES_PER_JUMP <= edges {
        let vertices = (0..surface.mesh.vertex_count()).filter(|&v| is_concerned[v]);
        for (part, vertices) in surface.by_part(vertices) {
            let text = format!("the weights jump at {}", counted(vertices.count(), "vertex", "vertices"));
            findings.vertices(Code::WeightJump, part, vertices, text);
        }
    }
}

fn is_smooth(surface: &JoinedSurface<'_>) -> bool {
    let blended =
        (0..surface.mesh.vertex_count()).filter(|&v| surface.influences(v).nth(1).is_some_and(|(_, w)| w > BLEND));
    blended.count() * VERTICES_PER_BLEND >= surface.mesh.vertex_count()
}

/// Returns the difference between two vertices' weights: 0 if they are equal, 1 if they have no joint in common.
fn difference(surface: &JoinedSurface<'_>, a: usize, b: usize) -> f32 {
    let heavy = |vertex| surface.influences(vertex).take(HEAVY_SLOTS);
    let of_b = |joint: usize| heavy(b).filter(|(j, _)| *j == joint).map(|(_, w)| w).sum::<f32>();
    1.0 - heavy(a).map(|(joint, weight)| weight.min(of_b(joint))).sum::<f32>()
}

struct JointRelations {
    /// Nearest ancestor of each joint among the skin's joints, as an index into the skin.
    above: Vec<Option<usize>>,
}

impl JointRelations {
    fn new(surface: &JoinedSurface<'_>) -> Self {
        let part = surface.parts().first();
        let skin = part.and_then(|part| Some((part.hierarchy, part.skin?)));
        Self { above: skin.map(|(hierarchy, skin)| nearest_above(hierarchy, &skin.joints)).unwrap_or_default() }
    }

    /// Returns true for a joint and its parent or grandparent, for siblings, and for two roots.
    fn are_close(&self, a: usize, b: usize) -> bool {
        let above = |joint: Option<usize>| joint.and_then(|j| self.above.get(j).copied().flatten());
        let (parent_a, parent_b) = (above(Some(a)), above(Some(b)));
        parent_a == parent_b
            || [parent_a, above(parent_a)].contains(&Some(b))
            || [parent_b, above(parent_b)].contains(&Some(a))
    }
}
