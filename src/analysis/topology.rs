//! Connectivity of the triangles of each mesh, independent of the pose: built once for a rig.

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;

use crate::rig::{Mesh, Rig, Welder};

/// The triangles around each vertex of a rig, across the seams at which a file duplicates vertices.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    meshes: Vec<MeshTopology>,
}

impl Topology {
    /// Welds and connects all meshes on all cores.
    ///
    /// *Cost*: linear, about 0.1 s for a million vertices.
    pub fn new(rig: &Rig) -> Self {
        Self { meshes: rig.meshes.par_iter().map(MeshTopology::new).collect() }
    }

    /// Topology of a mesh, by its position in `Rig::meshes`.
    pub(super) fn mesh(&self, mesh: usize) -> &MeshTopology {
        &self.meshes[mesh]
    }
}

/// The primitives of a mesh, joined, with vertices numbered through all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct MeshTopology {
    /// Number of the first vertex of each primitive, and at the end that of all vertices.
    offsets: Vec<u32>,
    /// For each vertex, the first one at the same position; together they are one point.
    points: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Index in `corners` of each point's first corner, and at the end the number of corners. Empty for the other vertices of a point.
    starts: Vec<u32>,
    /// Corners by point: three times the triangle's number, plus the corner's.
    corners: Vec<u32>,
}

/// A vertex of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeshVertex {
    /// Position in the list of the mesh's primitives.
    pub primitive: usize,
    /// Number of the vertex within the primitive.
    pub vertex: usize,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Corner {
    /// Position in [`MeshTopology::triangles`].
    pub triangle: usize,
    /// Corner of the triangle, 0 to 2.
    pub corner: usize,
}

impl MeshTopology {
    fn new(mesh: &Mesh) -> Self {
        let mut offsets = vec![0];
        let (mut positions, mut triangles) = (Vec::<Vec3>::new(), Vec::new());
        for primitive in &mesh.primitives {
            let first = positions.len() as u32;
            positions.extend(&primitive.positions);
            offsets.push(positions.len() as u32);
            triangles.extend(primitive.indices.as_chunks().0.iter().map(|t| t.map(|v| v + first)));
        }
        let mut points = Vec::new();
        Welder::default().weld(&positions, &mut points);
        let (starts, corners) = corners(&points, &triangles);
        Self { offsets, points, triangles, starts, corners }
    }

    /// Number of vertices, including duplicates.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// The vertices of each primitive.
    pub(super) fn parts(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.offsets.windows(2).map(|w| w[0] as usize..w[1] as usize)
    }

    /// Primitive of a vertex of the mesh, and its number there.
    pub(super) fn place(&self, vertex: usize) -> MeshVertex {
        let primitive = self.offsets.partition_point(|&start| start as usize <= vertex) - 1;
        MeshVertex { primitive, vertex: vertex - self.offsets[primitive] as usize }
    }

    /// Triangles as vertex numbers, counter-clockwise seen from outside.
    pub(super) fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The vertex that stands for all at the same position: a point.
    pub(super) fn point(&self, vertex: usize) -> usize {
        self.points[vertex] as usize
    }

    /// The corners that meet at a point.
    pub(super) fn around(&self, point: usize) -> impl ExactSizeIterator<Item = Corner> + '_ {
        let corners = &self.corners[self.starts[point] as usize..self.starts[point + 1] as usize];
        corners.iter().map(|&c| Corner { triangle: c as usize / 3, corner: c as usize % 3 })
    }
}

/// Sorts the corners of all triangles by point (a counting sort).
fn corners(points: &[u32], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let at = || triangles.as_flattened().iter().map(|&v| points[v as usize] as usize).enumerate();
    let mut starts = vec![0; points.len() + 1];
    at().for_each(|(_, point)| starts[point] += 1);
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let mut corners = vec![0; total as usize];
    // Filled from the end of each range, so that afterwards every start is right.
    for (corner, point) in at() {
        starts[point] -= 1;
        corners[starts[point] as usize] = corner as u32;
    }
    (starts, corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Primitive;

    #[test]
    fn triangles_meet_at_doubled_vertices_of_several_primitives() {
        let triangle = |corners: [[f32; 2]; 3]| Primitive {
            positions: corners.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        let first = triangle([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
        let second = triangle([[-0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let topology = MeshTopology::new(&Mesh { primitives: vec![first, second], ..Mesh::default() });
        assert_eq!(topology.triangles(), [[0, 1, 2], [3, 4, 5]]);
        let around = |vertex| {
            let mut corners: Vec<_> = topology.around(topology.point(vertex)).map(|c| (c.triangle, c.corner)).collect();
            corners.sort_unstable();
            corners
        };
        assert_eq!((around(0), around(3)), (vec![(0, 0), (1, 0)], vec![(0, 0), (1, 0)]));
        assert_eq!((around(1), around(4), around(5)), (vec![(0, 1)], vec![(0, 2), (1, 1)], vec![(1, 2)]));
        let place = |primitive, vertex| MeshVertex { primitive, vertex };
        assert_eq!((topology.place(2), topology.place(3)), (place(0, 2), place(1, 0)));
        assert_eq!(topology.parts().collect::<Vec<_>>(), [0..3, 3..6]);
    }
}
