//! The neighbours of every vertex, across the seams at which a file doubles vertices.

use glam::Vec3;

use super::finding::LintedPrimitive;
use crate::analysis::weld::Welder;
use crate::rig::VertexList;

/// The skinned primitives of a mesh, joined: its materials are no borders of what a joint moves.
///
/// Vertices are numbered through all of them. Those at one position are one point here, named by the first. The buffers are kept from mesh
/// to mesh.
#[derive(Default)]
pub(super) struct JoinedSurface<'a> {
    parts: Vec<LintedPrimitive<'a>>,
    /// Number of the first vertex of each part; one more at the end.
    offsets: Vec<usize>,
    /// The first vertex at the same position, of each vertex.
    first_at: Vec<u32>,
    /// Where the neighbours of each vertex start in `neighbors`; one more at the end. Those of later vertices at a position are empty.
    starts: Vec<u32>,
    neighbors: Vec<u32>,
    welder: Welder,
}

const NONE: u32 = u32::MAX;

impl<'a> JoinedSurface<'a> {
    /// Takes another mesh.
    pub fn renew(&mut self, parts: Vec<LintedPrimitive<'a>>) {
        self.parts = parts;
        self.offsets.clear();
        self.offsets.push(0);
        let mut end = 0;
        self.offsets.extend(self.parts.iter().map(|p| {
            end += p.primitive.positions.len();
            end
        }));
        self.weld();
        self.connect();
    }

    /// The primitives, in the order of the vertices.
    pub fn parts(&self) -> &[LintedPrimitive<'a>] {
        &self.parts
    }

    /// `(joint, weight)` of a vertex, heaviest first.
    pub fn influences(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let part = self.offsets.partition_point(|&start| start <= vertex) - 1;
        let influences = self.parts[part].primitive.influences.as_ref();
        influences.into_iter().flat_map(move |i| i.of(vertex - self.offsets[part]))
    }

    /// Vertices that are given in rising order, each with the part that it is in and its number there.
    pub fn by_part(&self, vertices: impl IntoIterator<Item = usize>) -> Vec<(&LintedPrimitive<'a>, VertexList)> {
        let mut lists = vec![VertexList::default(); self.parts.len()];
        let mut part = 0;
        for vertex in vertices {
            while vertex >= self.offsets[part + 1] {
                part += 1;
            }
            lists[part].push(vertex - self.offsets[part]);
        }
        self.parts.iter().zip(lists).filter(|(_, list)| !list.is_empty()).collect()
    }

    /// Number of vertices, doubled ones included.
    pub fn len(&self) -> usize {
        self.first_at.len()
    }

    /// The vertex that stands for all at the same position.
    pub fn first_at(&self, vertex: usize) -> usize {
        self.first_at[vertex] as usize
    }

    /// The vertices that stand for a position.
    pub fn points(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&v| self.first_at(v) == v)
    }

    /// The points that share an edge with one, each once.
    pub fn neighbors(&self, point: usize) -> impl Iterator<Item = usize> + '_ {
        self.neighbors[self.range(point)].iter().map(|&n| n as usize)
    }

    fn range(&self, point: usize) -> std::ops::Range<usize> {
        self.starts[point] as usize..self.starts[point + 1] as usize
    }

    fn weld(&mut self) {
        let mut placed: Vec<Vec3> = Vec::new();
        let positions: &[Vec3] = match self.parts.as_slice() {
            [one] => &one.primitive.positions,
            several => {
                placed.extend(several.iter().flat_map(|p| &p.primitive.positions));
                &placed
            }
        };
        self.welder.weld(positions, &mut self.first_at);
    }

    /// Sorts both directions of all edges by their start (a counting sort), then drops repeated ones.
    fn connect(&mut self) {
        let count = self.len();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for [from, _] in directed_edges(&self.parts, &self.offsets, &self.first_at) {
            self.starts[from as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.neighbors.clear();
        self.neighbors.resize(total as usize, 0);
        // Filled from the end of each range: afterwards every start is where it belongs.
        for [from, to] in directed_edges(&self.parts, &self.offsets, &self.first_at) {
            self.starts[from as usize] -= 1;
            self.neighbors[self.starts[from as usize] as usize] = to;
        }
        self.drop_repeated();
    }

    fn drop_repeated(&mut self) {
        let mut end = 0;
        for point in 0..self.len() {
            let range = self.range(point);
            self.neighbors[range.clone()].sort_unstable();
            self.starts[point] = end as u32;
            let mut last = NONE;
            for i in range {
                let neighbor = self.neighbors[i];
                if neighbor != last {
                    self.neighbors[end] = neighbor;
                    end += 1;
                }
                last = neighbor;
            }
        }
        let count = self.len();
        self.starts[count] = end as u32;
        self.neighbors.truncate(end);
    }
}

fn directed_edges<'a>(
    parts: &'a [LintedPrimitive<'_>],
    offsets: &'a [usize],
    first_at: &'a [u32],
) -> impl Iterator<Item = [u32; 2]> + 'a {
    parts.iter().zip(offsets).flat_map(move |(part, &offset)| {
        part.primitive.indices.chunks_exact(3).flat_map(move |t| {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| first_at[offset + i as usize]);
            [[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]].into_iter().filter(|[from, to]| from != to)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Hierarchy, Mesh, Primitive};

    #[test]
    fn doubled_vertices_are_one_point_across_primitives_and_edges_stand_once() {
        let corner = |x: f32, y: f32| Vec3::new(x, y, 0.0);
        let triangle = |positions: [Vec3; 3]| Primitive {
            positions: positions.to_vec(),
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        // A square of two triangles that share two corners; -0 is 0.
        let first = triangle([corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0)]);
        let second = triangle([corner(-0.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)]);
        let (hierarchy, mesh) = (Hierarchy::default(), Mesh::default());
        let part = |primitive| LintedPrimitive { hierarchy: &hierarchy, mesh: &mesh, primitive, skin: None };
        let mut surface = JoinedSurface::default();
        surface.renew(vec![part(&first), part(&second)]);
        assert_eq!(surface.points().collect::<Vec<_>>(), [0, 1, 2, 5]);
        assert_eq!(surface.first_at(4), 2);
        let neighbors = |point| surface.neighbors(point).collect::<Vec<_>>();
        assert_eq!((neighbors(0), neighbors(1), neighbors(5)), (vec![1, 2, 5], vec![0, 2], vec![0, 2]));
        assert!(neighbors(3).is_empty());
        let lists: Vec<Vec<u32>> = surface.by_part([1, 3, 5]).iter().map(|(_, list)| list.first().to_vec()).collect();
        assert_eq!(lists, [vec![1], vec![0, 2]]);
    }
}
