//! Converts polygon corners to triangle vertices. Corners with equal attributes become one vertex.

use super::attributes::Attributes;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Corners {
    /// For each vertex, a corner index in the mesh.
    pub of_vertex: Vec<u32>,
    /// Vertex indices, three per triangle.
    pub indices: Vec<u32>,
}

#[derive(Default)]
pub(super) struct CornerJoiner {
    /// For each point of the mesh, the last primitive that used the point, and that primitive's first vertex at the
    /// point.
    first: Vec<(u32, u32)>,
    part: u32,
    corners: Corners,
    /// For each vertex, the next vertex at the same point.
    next: Vec<u32>,
    of_face: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Maximum number of vertices that a corner is compared with. A broken file may have a million corners at one point.
const MAX_COMPARED: usize = 64;

impl CornerJoiner {
    pub(super) fn new(points: usize) -> Self {
        Self { first: vec![(0, NONE); points], ..Self::default() }
    }

    pub(super) fn begin(&mut self, triangles: usize) {
        self.part = self.part.saturating_add(1);
        self.corners = Corners { of_vertex: Vec::new(), indices: Vec::with_capacity(triangles.saturating_mul(3)) };
        self.next.clear();
    }

    pub(super) fn finish(&mut self) -> Corners {
        std::mem::take(&mut self.corners)
    }

    /// Adds the triangles of one face, whose first corner is `begin`. `corners`: corner indices, three per triangle.
    pub(super) fn add_triangles(&mut self, attributes: &Attributes<'_>, begin: u32, corners: &[u32]) {
        self.of_face.clear();
        for &corner in corners {
            let place = corner.saturating_sub(begin) as usize;
            if self.of_face.len() <= place {
                self.of_face.resize(place.saturating_add(1), NONE);
            }
            let mut vertex = self.of_face.get(place).copied().unwrap_or(NONE);
            if vertex == NONE {
                vertex = self.vertex(attributes, corner);
                self.of_face.get_mut(place).into_iter().for_each(|known| *known = vertex);
            }
            self.corners.indices.push(vertex);
        }
    }

    fn vertex(&mut self, attributes: &Attributes<'_>, corner: u32) -> u32 {
        let new = self.corners.of_vertex.len() as u32;
        let mut last = NONE;
        let first = attributes.point(corner).and_then(|point| self.first.get_mut(point as usize));
        if let Some(first) = first {
            if first.0 != self.part {
                *first = (self.part, NONE);
            }
            let (mut vertex, mut compared) = (first.1, 0_usize);
            while vertex != NONE && compared < MAX_COMPARED {
                let other = self.corners.of_vertex.get(vertex as usize).copied().unwrap_or(NONE);
                if attributes.are_same(corner, other) {
                    return vertex;
                }
                last = vertex;
                vertex = self.next.get(vertex as usize).copied().unwrap_or(NONE);
                compared = compared.saturating_add(1);
            }
            if last == NONE {
                first.1 = new;
            }
        }
        // If the comparison limit was reached, the new vertex is not linked.
        self.next.get_mut(last as usize).filter(|next| **next == NONE).into_iter().for_each(|next| *next = new);
        self.corners.of_vertex.push(corner);
        self.next.push(NONE);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_that_share_everything_are_one_vertex_of_a_primitive() {
        let value = |x: f64| ufbx::Vec3 { x, y: 0.0, z: 0.0 };
        let (points, at) = ([value(0.0), value(1.0), value(2.0), value(3.0)], [0, 1, 2, 2, 1, 3]);
        let (normals, turned) = ([value(1.0), value(2.0)], [0, 0, 0, 1, 0, 0]);
        let attributes = Attributes::from_lists(&at, &points, Some((&turned, &normals)));
        let mut joiner = CornerJoiner::new(4);
        for _ in 0..2 {
            joiner.begin(2);
            joiner.add_triangles(&attributes, 0, &[0, 1, 2]);
            joiner.add_triangles(&attributes, 3, &[3, 4, 5]);
            let corners = joiner.finish();
            assert_eq!((corners.of_vertex, corners.indices), (vec![0, 1, 2, 3, 5], vec![0, 1, 2, 3, 1, 4]));
        }
    }

    #[test]
    fn a_point_of_many_corners_takes_no_square_of_their_number() {
        let value = |x: f64| ufbx::Vec3 { x, y: 0.0, z: 0.0 };
        let count = 150_000;
        let (at, turned): (Vec<u32>, Vec<u32>) = ((vec![0; count]), (0..count as u32).collect());
        let normals: Vec<ufbx::Vec3> = (0..count).map(|i| value(i as f64)).collect();
        let points = [value(0.0)];
        let attributes = Attributes::from_lists(&at, &points, Some((&turned, &normals)));
        let mut joiner = CornerJoiner::new(1);
        joiner.begin(count / 3);
        for begin in (0..count as u32 - 2).step_by(3) {
            joiner.add_triangles(&attributes, begin, &[begin, begin + 1, begin + 2]);
        }
        assert_eq!(joiner.finish().of_vertex.len(), count / 3 * 3);
    }
}
