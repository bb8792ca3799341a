//! The neighbours of each vertex, across the seams at which a file duplicates vertices.

use glam::Vec3;

use super::finding::LintedPrimitive;
use crate::rig::VertexList;
use crate::rig::Welder;

/// The skinned primitives of a mesh, joined: boundaries between materials do not limit what a joint moves.
///
/// Vertices are numbered through all primitives. Those at one position are one point, named by the first. Buffers are reused from mesh to mesh.
#[derive(Default)]
pub(super) struct JoinedSurface<'a> {
    parts: Vec<LintedPrimitive<'a>>,
    /// Number of the first vertex of each part, and at the end that of all vertices.
    offsets: Vec<usize>,
    /// For each vertex, the first one at the same position.
    first_at: Vec<u32>,
    /// Index in `neighbors` of each vertex's first neighbour, and at the end the number of neighbours. Empty for later vertices at a position.
    starts: Vec<u32>,
    neighbors: Vec<u32>,
    /// Index in `higher` of each vertex's first neighbour with a higher number, used while edges are sorted.
    lower_starts: Vec<u32>,
    higher: Vec<u32>,
    welder: Welder,
}

const NONE: u32 = u32::MAX;

impl<'a> JoinedSurface<'a> {
    /// Replaces the mesh by another one.
    pub(super) fn renew(&mut self, parts: Vec<LintedPrimitive<'a>>) {
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

    /// The primitives, in the order of their vertices.
    pub(super) fn parts(&self) -> &[LintedPrimitive<'a>] {
        &self.parts
    }

    /// `(joint, weight)` of a vertex, heaviest first.
    pub(super) fn influences(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let part = self.offsets.partition_point(|&start| start <= vertex) - 1;
        let influences = self.parts[part].primitive.influences.as_ref();
        influences.into_iter().flat_map(move |i| i.of(vertex - self.offsets[part]))
    }

    /// Calls `found` with the point, joint and weight of every influence of at least a given weight.
    pub(super) fn each_influence(&self, least_weight: f32, mut found: impl FnMut(usize, usize, f32)) {
        for (part, &offset) in self.parts.iter().zip(&self.offsets) {
            let Some(influences) = &part.primitive.influences else { continue };
            let slots = influences.joints().iter().zip(influences.weights());
            let mut slots = slots.map(|(&joint, &weight)| (usize::from(joint), weight));
            for vertex in offset..offset + influences.len() {
                let of_vertex = slots.by_ref().take(influences.per_vertex());
                if self.first_at(vertex) == vertex {
                    of_vertex.filter(|slot| slot.1 >= least_weight).for_each(|slot| found(vertex, slot.0, slot.1));
                } else {
                    of_vertex.for_each(drop);
                }
            }
        }
    }

    /// Vertices, given in rising order, grouped by part and numbered within it.
    pub(super) fn by_part(&self, vertices: impl IntoIterator<Item = usize>) -> Vec<(&LintedPrimitive<'a>, VertexList)> {
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

    /// Number of vertices, including duplicates.
    pub(super) fn len(&self) -> usize {
        self.first_at.len()
    }

    /// The vertex that stands for all at its position.
    pub(super) fn first_at(&self, vertex: usize) -> usize {
        self.first_at[vertex] as usize
    }

    /// The vertices that stand for a position each.
    pub(super) fn points(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&v| self.first_at(v) == v)
    }

    /// The points that share an edge with a point, each once.
    pub(super) fn neighbors(&self, point: usize) -> impl Iterator<Item = usize> + '_ {
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

    /// Lists every edge once at its lower end, then at both ends, from lower to higher, so that every list rises.
    fn connect(&mut self) {
        let count = self.len();
        let edges = Edges { parts: &self.parts, offsets: &self.offsets, first_at: &self.first_at };
        let (lower, higher) = (&mut self.lower_starts, &mut self.higher);
        sort_by_start(count, lower, higher, &edges);
        let mut end = 0;
        for low in 0..count {
            let range = lower[low] as usize..lower[low + 1] as usize;
            higher[range.clone()].sort_unstable();
            lower[low] = end as u32;
            let mut last = NONE;
            for i in range {
                let high = higher[i];
                if high != last {
                    higher[end] = high;
                    end += 1;
                }
                last = high;
            }
        }
        lower[count] = end as u32;
        sort_by_start(count, &mut self.starts, &mut self.neighbors, &BothWays { starts: lower, ends: higher });
    }
}

/// Pairs of points that can be iterated repeatedly.
trait Pairs {
    fn each(&self, found: impl FnMut(u32, u32));
}

/// The edges of all triangles, once per triangle: the lower end, then the higher.
struct Edges<'a> {
    parts: &'a [LintedPrimitive<'a>],
    offsets: &'a [usize],
    first_at: &'a [u32],
}

impl Pairs for Edges<'_> {
    fn each(&self, mut found: impl FnMut(u32, u32)) {
        for (part, &offset) in self.parts.iter().zip(self.offsets) {
            let points = &self.first_at[offset..];
            for corners in part.primitive.indices.as_chunks::<3>().0 {
                let [a, b, c] = corners.map(|vertex| points[vertex as usize]);
                for [a, b] in [[a, b], [b, c], [c, a]] {
                    if a != b {
                        found(a.min(b), a.max(b));
                    }
                }
            }
        }
    }
}

/// Edges grouped by their lower end, iterated in both directions.
struct BothWays<'a> {
    starts: &'a [u32],
    ends: &'a [u32],
}

impl Pairs for BothWays<'_> {
    fn each(&self, mut found: impl FnMut(u32, u32)) {
        for (low, range) in (0..).zip(self.starts.windows(2)) {
            for &high in &self.ends[range[0] as usize..range[1] as usize] {
                found(low, high);
                found(high, low);
            }
        }
    }
}

/// Counting sort by the first of each pair, which is below `count`. Writes where the seconds of each first start, with the end of the last, and all
/// seconds in the order in which they are found.
fn sort_by_start(count: usize, starts: &mut Vec<u32>, seconds: &mut Vec<u32>, pairs: &impl Pairs) {
    starts.clear();
    starts.resize(count + 1, 0);
    pairs.each(|first, _| starts[first as usize + 1] += 1);
    let mut total = 0;
    for start in &mut starts[1..] {
        total += std::mem::replace(start, total);
    }
    seconds.clear();
    seconds.resize(total as usize, 0);
    // Each start moves on to the end of its range, which is the start of the next.
    pairs.each(|first, second| {
        let place = &mut starts[first as usize + 1];
        seconds[*place as usize] = second;
        *place += 1;
    });
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
        // A square of two triangles that share two corners; -0 equals 0.
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
