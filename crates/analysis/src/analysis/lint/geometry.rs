//! Rules about triangles and vertices, except for weights.

use super::Code;
use super::finding::{FindingList, LintedPrimitive};
use rigscope_core::rig::{Primitive, VertexList};
use rigscope_core::text::counted;

/// A triangle has zero area if its height is at most this fraction of its longest edge. Single precision can't
/// distinguish smaller areas from 0.
const FLAT: f32 = 1e-6;

pub(super) fn triangles(part: &LintedPrimitive<'_>, findings: &mut FindingList) {
    let positions = &part.primitive.positions;
    let mut count = 0;
    let mut is_concerned = vec![false; positions.len()];
    for triangle in part.primitive.indices.chunks_exact(3) {
        let corners = [triangle[0], triangle[1], triangle[2]].map(|i| i as usize);
        let [a, b, c] = corners.map(|i| positions[i]);
        let (ab, ac) = (b - a, c - a);
        let longest = ab.length_squared().max(ac.length_squared()).max(b.distance_squared(c));
        if ab.cross(ac).length() <= FLAT * longest {
            count += 1;
            for corner in corners {
                is_concerned[corner] = true;
            }
        }
    }
    let vertices = where_true(&is_concerned);
    let text = format!("{} without area", counted(count, "triangle", "triangles"));
    findings.vertices(Code::ZeroArea, part, vertices, text);
}

pub(super) fn unused_vertices(part: &LintedPrimitive<'_>, findings: &mut FindingList) {
    let mut is_unused = vec![true; part.primitive.positions.len()];
    let Primitive { indices, lines, points, .. } = part.primitive;
    for &index in indices.iter().chain(lines).chain(points) {
        is_unused[index as usize] = false;
    }
    let vertices = where_true(&is_unused);
    let text = format!("{} not in use", counted(vertices.count(), "vertex", "vertices"));
    findings.vertices(Code::UnusedVertices, part, vertices, text);
}

fn where_true(flags: &[bool]) -> VertexList {
    flags.iter().enumerate().filter(|(_, is)| **is).map(|(vertex, _)| vertex).collect()
}
