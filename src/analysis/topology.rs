//! Connectivity of the triangles of each mesh, independent of the pose: built once for a rig.

use std::ops::Range;
use std::sync::OnceLock;

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
    corners: OnceLock<CornersOfPoints>,
    neighbours: OnceLock<Vec<[Option<u32>; 3]>>,
}

/// The corners that meet at each point. Sizes and distances do without them.
#[derive(Clone, Debug, Default)]
struct CornersOfPoints {
    /// Index in `corners` of each point's first corner, and at the end the number of corners. Empty for the other vertices of a point.
    starts: Vec<u32>,
    /// Corners by point: three times the triangle's number, plus the corner's.
    corners: Vec<u32>,
}

/// Points at which more corners meet have no neighbours found: the search of each edge goes through all of them.
const MAX_CORNERS: usize = 64;

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
        Self { offsets, points, triangles, ..Self::default() }
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
    ///
    /// *Cost*: of the first call, linear in triangles.
    pub(super) fn around(&self, point: usize) -> impl ExactSizeIterator<Item = Corner> + '_ {
        let CornersOfPoints { starts, corners } =
            self.corners.get_or_init(|| CornersOfPoints::new(&self.points, &self.triangles));
        let range = starts[point] as usize..starts[point + 1] as usize;
        corners[range].iter().map(|&c| Corner { triangle: c as usize / 3, corner: c as usize % 3 })
    }

    /// The neighbours of each triangle over its edges, which start at its first, second and third corner: `None` unless exactly one triangle has the edge in the other
    /// direction, and no other has it in this one.
    ///
    /// *Cost*: linear in triangles, once.
    pub(super) fn neighbours(&self) -> &[[Option<u32>; 3]] {
        self.neighbours.get_or_init(|| {
            let of_triangle = |triangle: &[u32; 3]| {
                let [a, b, c] = triangle.map(|vertex| self.point(vertex as usize));
                [[a, b], [b, c], [c, a]].map(|edge| self.neighbour(edge))
            };
            self.triangles.par_iter().map(of_triangle).collect()
        })
    }

    /// The triangle that has an edge from point `b` to `a`, where one alone has it so and one alone from `a` to `b`.
    fn neighbour(&self, [a, b]: [usize; 2]) -> Option<u32> {
        let (hub, other) = if self.around(a).len() <= self.around(b).len() { (a, b) } else { (b, a) };
        if a == b || self.around(hub).len() > MAX_CORNERS {
            return None;
        }
        let (mut leaving, mut arriving) = ((0, 0), (0, 0));
        for Corner { triangle, corner } in self.around(hub) {
            let point = |corner: usize| self.point(self.triangles[triangle][corner % 3] as usize);
            if point(corner + 1) == other {
                leaving = (leaving.0 + 1, triangle as u32);
            }
            if point(corner + 2) == other {
                arriving = (arriving.0 + 1, triangle as u32);
            }
        }
        let (_, opposite) = if hub == a { arriving } else { leaving };
        (leaving.0 == 1 && arriving.0 == 1).then_some(opposite)
    }
}

impl CornersOfPoints {
    /// Sorts the corners of all triangles by point (a counting sort).
    fn new(points: &[u32], triangles: &[[u32; 3]]) -> Self {
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
        Self { starts, corners }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Primitive;
    use proptest::prelude::*;

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
        assert_eq!(topology.neighbours(), [[None, None, Some(1)], [Some(0), None, None]]);
    }

    proptest! {
        #[test]
        fn a_neighbour_is_the_only_triangle_with_the_edge_in_the_other_direction(
            triangles in prop::collection::vec([0_u32..6, 0_u32..6, 0_u32..6], 1..12),
        ) {
            let positions = (0..6).map(|i| Vec3::X * i as f32).collect();
            let primitive = Primitive { positions, indices: triangles.concat(), ..Primitive::default() };
            let topology = MeshTopology::new(&Mesh { primitives: vec![primitive], ..Mesh::default() });
            let with_edge = |from: u32, to: u32| {
                let edges = triangles.iter().enumerate().flat_map(|(t, &[a, b, c])| [(t, a, b), (t, b, c), (t, c, a)]);
                edges.filter(move |&(_, a, b)| (a, b) == (from, to)).map(|(t, ..)| t as u32)
            };
            for (&[a, b, c], neighbours) in triangles.iter().zip(topology.neighbours()) {
                for ([from, to], neighbour) in [[a, b], [b, c], [c, a]].into_iter().zip(neighbours) {
                    let opposite: Vec<u32> = with_edge(to, from).collect();
                    let is_plain = from != to && opposite.len() == 1 && with_edge(from, to).count() == 1;
                    prop_assert_eq!(*neighbour, is_plain.then(|| opposite[0]));
                }
            }
        }
    }
}
