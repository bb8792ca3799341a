//! Welded meshes: vertices with exactly equal positions form one *point*, identified by its first vertex. Welding
//! connects triangles across texture, normal and material seams, where files split vertices.

use std::ops::Range;
use std::sync::OnceLock;

use glam::Vec3;
use rayon::prelude::*;

use super::{DisjointSets, JaggedArray, Primitive};

/// Maximum number of corners searched per edge, to limit the cost. If both points of an edge have more corners, the
/// triangles at the edge count as having no neighbour across it.
const MAX_CORNERS: usize = 64;

/// Returns, for each vertex, the first vertex with the same position; 0 and -0 are equal.
pub fn weld(positions: &[Vec3]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mask = (positions.len() * 2).next_power_of_two().max(2) - 1;
    let mut table = vec![NONE; mask + 1];
    let first_at = |(vertex, &position): (usize, &Vec3)| {
        let mut slot = hash_bits(position_bits(position)) as usize & mask;
        while table[slot] != NONE && positions[table[slot] as usize] != position {
            slot = (slot + 1) & mask;
        }
        if table[slot] == NONE {
            table[slot] = vertex as u32;
        }
        table[slot]
    };
    positions.iter().enumerate().map(first_at).collect()
}

/// Returns the bits of a position, equal for 0 and -0.
pub fn position_bits(position: Vec3) -> [u32; 3] {
    (position + Vec3::ZERO).to_array().map(f32::to_bits)
}

/// Returns a hash of a position's bits.
pub fn hash_bits(bits: [u32; 3]) -> u64 {
    let mixed =
        bits.into_iter().fold(0_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    mixed ^ (mixed >> 32)
}

/// Points, and edges between points.
#[derive(Clone, Debug, Default)]
pub struct PointGraph {
    /// Edges in ascending order without duplicates. Each edge starts with its lower point.
    pub edges: Vec<[u32; 2]>,
    /// Whether a point is on a border: one of its edges belongs to only one triangle. One entry per point.
    pub is_border: Vec<bool>,
    neighbors: JaggedArray<u32>,
}

impl PointGraph {
    /// Builds the graph of points 0 to `count - 1`; ignores edges from a point to itself. *Cost*: linear.
    pub fn new(count: usize, triangles: impl Iterator<Item = [u32; 3]> + Clone) -> Self {
        let sides = triangles.flat_map(|[a, b, c]| [(a.min(b), a.max(b)), (b.min(c), b.max(c)), (c.min(a), c.max(a))]);
        let higher = JaggedArray::new(count, sides.filter(|(a, b)| a != b));
        let (mut edges, mut is_border, mut ends) = (Vec::new(), vec![false; count], Vec::new());
        for low in 0..count {
            ends.clear();
            ends.extend_from_slice(higher.row(low));
            ends.sort_unstable();
            for same in ends.chunk_by(|a, b| a == b) {
                edges.push([low as u32, same[0]]);
                if same.len() == 1 {
                    is_border[low] = true;
                    is_border[same[0] as usize] = true;
                }
            }
        }
        let neighbors = JaggedArray::new(count, edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]));
        Self { edges, is_border, neighbors }
    }

    /// Returns the points connected to a point by an edge, in ascending order.
    pub fn neighbors(&self, point: u32) -> &[u32] {
        self.neighbors.row(point as usize)
    }
}

/// Numbers the connected components in the order of their first points. Returns the component index of each point, and
/// the number of components. A point without triangles is a component of its own.
pub fn components(count: usize, triangles: impl Iterator<Item = [u32; 3]>) -> (Vec<u32>, usize) {
    let mut sets = DisjointSets::new(count);
    for [a, b, c] in triangles {
        sets.join(a, b);
        sets.join(a, c);
    }
    sets.numbered()
}

/// All primitives of a mesh, welded. Vertex numbers continue from one primitive to the next.
#[derive(Clone, Debug, Default)]
pub struct WeldedMesh {
    /// First vertex number of each primitive, followed by the total number of vertices.
    offsets: Vec<u32>,
    points: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Corners at each point, as `3 * triangle + corner`. Computed on first use.
    corners: OnceLock<JaggedArray<u32>>,
    triangle_neighbors: OnceLock<Vec<[Option<u32>; 3]>>,
}

/// A vertex of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshVertex {
    /// Index of the primitive.
    pub primitive: usize,
    /// Index of the vertex in the primitive.
    pub vertex: usize,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Corner {
    /// Index into [`WeldedMesh::triangles`].
    pub triangle: usize,
    /// Corner index, 0 to 2.
    pub corner: usize,
}

impl WeldedMesh {
    /// Welds vertices at equal positions.
    pub fn new<'a>(primitives: impl IntoIterator<Item = &'a Primitive>) -> Self {
        let mut offsets = vec![0];
        let (mut positions, mut triangles) = (Vec::<Vec3>::new(), Vec::new());
        for primitive in primitives {
            let first = positions.len() as u32;
            positions.extend(&primitive.positions);
            offsets.push(positions.len() as u32);
            triangles.extend(primitive.indices.as_chunks().0.iter().map(|t| t.map(|v| v + first)));
        }
        Self { offsets, points: weld(&positions), triangles, ..Self::default() }
    }

    /// Returns the number of vertices, including welded vertices.
    pub fn vertex_count(&self) -> usize {
        self.points.len()
    }

    /// Iterates over the vertex ranges of the primitives.
    pub fn parts(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.offsets.windows(2).map(|w| w[0] as usize..w[1] as usize)
    }

    /// Converts a vertex number to a primitive and the vertex index in that primitive.
    pub fn locate(&self, vertex: usize) -> MeshVertex {
        let primitive = self.offsets.partition_point(|&start| start as usize <= vertex) - 1;
        MeshVertex { primitive, vertex: vertex - self.offsets[primitive] as usize }
    }

    /// Returns the vertex numbers of each triangle, counter-clockwise as seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Iterates over the points of each triangle; a degenerate triangle repeats a point.
    pub fn point_triangles(&self) -> impl Iterator<Item = [u32; 3]> + Clone + '_ {
        self.triangles.iter().map(|triangle| triangle.map(|vertex| self.points[vertex as usize]))
    }

    /// Returns the point of a vertex: the first vertex at its position.
    pub fn point(&self, vertex: usize) -> usize {
        self.points[vertex] as usize
    }

    /// Iterates over the points.
    pub fn points(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.vertex_count()).filter(|&vertex| self.point(vertex) == vertex)
    }

    /// Iterates over the corners at a point, in descending order of triangles. *Cost*: the first call is linear in
    /// triangles.
    pub fn around(&self, point: usize) -> impl ExactSizeIterator<Item = Corner> + '_ {
        let corners = self.corners.get_or_init(|| {
            let vertices = self.triangles.as_flattened().iter().enumerate().rev();
            JaggedArray::new(
                self.vertex_count(),
                vertices.map(|(corner, &vertex)| (self.points[vertex as usize], corner as u32)),
            )
        });
        corners.row(point).iter().map(|&c| Corner { triangle: c as usize / 3, corner: c as usize % 3 })
    }

    /// Returns the three neighbours of each triangle, across the edges that start at its first, second and third
    /// corner; see `triangle_across`. *Cost*: the first call is linear in triangles.
    pub fn triangle_neighbors(&self) -> &[[Option<u32>; 3]] {
        self.triangle_neighbors.get_or_init(|| {
            let of_triangle = |triangle: &[u32; 3]| {
                let [a, b, c] = triangle.map(|vertex| self.point(vertex as usize));
                [[a, b], [b, c], [c, a]].map(|edge| self.triangle_across(edge))
            };
            self.triangles.par_iter().map(of_triangle).collect()
        })
    }

    /// Returns the triangle that contains the reverse edge, from `b` to `a`. `None` unless each direction of the edge
    /// is in exactly one triangle.
    fn triangle_across(&self, [a, b]: [usize; 2]) -> Option<u32> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Creates a square from two primitives with one triangle each, which share two corners. One copy of a shared
    /// corner has -0 instead of 0.
    fn square() -> WeldedMesh {
        let triangle = |corners: [[f32; 2]; 3]| Primitive {
            positions: corners.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        let first = triangle([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
        let second = triangle([[-0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        WeldedMesh::new([&first, &second])
    }

    #[test]
    fn triangles_meet_at_welded_vertices_of_several_primitives() {
        let mesh = square();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!((mesh.points().collect::<Vec<_>>(), mesh.point(4)), (vec![0, 1, 2, 5], 2));
        let around = |vertex| {
            let mut corners: Vec<_> = mesh.around(mesh.point(vertex)).map(|c| (c.triangle, c.corner)).collect();
            corners.sort_unstable();
            corners
        };
        assert_eq!((around(0), around(3)), (vec![(0, 0), (1, 0)], vec![(0, 0), (1, 0)]));
        assert_eq!((around(1), around(4), around(5)), (vec![(0, 1)], vec![(0, 2), (1, 1)], vec![(1, 2)]));
        let located = |primitive, vertex| MeshVertex { primitive, vertex };
        assert_eq!((mesh.locate(2), mesh.locate(3)), (located(0, 2), located(1, 0)));
        assert_eq!(mesh.parts().collect::<Vec<_>>(), [0..3, 3..6]);
        assert_eq!(mesh.triangle_neighbors(), [[None, None, Some(1)], [Some(0), None, None]]);
    }

    #[test]
    fn each_edge_is_listed_once_and_points_without_triangles_have_none() {
        let mesh = square();
        let graph = PointGraph::new(mesh.vertex_count(), mesh.point_triangles());
        assert_eq!(graph.edges, [[0, 1], [0, 2], [0, 5], [1, 2], [2, 5]]);
        assert_eq!([0, 1, 5, 3].map(|point| graph.neighbors(point)), [&[1, 2, 5][..], &[0, 2], &[0, 2], &[]]);
    }

    #[test]
    fn an_open_surface_ends_at_its_border_and_a_closed_one_nowhere() {
        let border = |count, triangles: &[[u32; 3]]| PointGraph::new(count, triangles.iter().copied()).is_border;
        assert_eq!(border(5, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]]), [false, true, true, true, true]);
        assert_eq!(border(4, &[[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]), [false; 4]);
    }

    #[test]
    fn triangles_that_share_a_point_are_one_component() {
        let components = |count, triangles: &[[u32; 3]]| components(count, triangles.iter().copied());
        assert_eq!(components(7, &[[4, 5, 6], [2, 1, 3], [6, 1, 1]]), (vec![0, 1, 1, 1, 1, 1, 1], 2));
        assert_eq!(components(5, &[[4, 3, 2]]), (vec![0, 1, 2, 2, 2], 3));
        assert_eq!(components(0, &[]), (Vec::new(), 0));
    }

    proptest! {
        #[test]
        fn a_neighbor_is_the_only_triangle_with_the_edge_in_the_other_direction(
            triangles in prop::collection::vec([0_u32..6, 0_u32..6, 0_u32..6], 1..12),
        ) {
            let positions = (0..6).map(|i| Vec3::X * i as f32).collect();
            let mesh = WeldedMesh::new([&Primitive { positions, indices: triangles.concat(), ..Primitive::default() }]);
            let with_edge = |from: u32, to: u32| {
                let edges = triangles.iter().enumerate().flat_map(|(t, &[a, b, c])| [(t, a, b), (t, b, c), (t, c, a)]);
                edges.filter(move |&(_, a, b)| (a, b) == (from, to)).map(|(t, ..)| t as u32)
            };
            for (&[a, b, c], neighbors) in triangles.iter().zip(mesh.triangle_neighbors()) {
                for ([from, to], neighbor) in [[a, b], [b, c], [c, a]].into_iter().zip(neighbors) {
                    let opposite: Vec<u32> = with_edge(to, from).collect();
                    let is_plain = from != to && opposite.len() == 1 && with_edge(from, to).count() == 1;
                    prop_assert_eq!(*neighbor, is_plain.then(|| opposite[0]));
                }
            }
        }
    }
}
