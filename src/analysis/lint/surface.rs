//! The neighbours of every vertex, across the seams at which a file doubles vertices.

use glam::Vec3;

use crate::rig::Primitive;

/// Vertices at one position are one point here, named by the first of them.
///
/// Built when a rule first asks; the buffers are kept from primitive to primitive.
#[derive(Default)]
pub(super) struct Surface {
    is_built: bool,
    /// The first vertex at the same position, of each vertex.
    first_at: Vec<u32>,
    /// Where the neighbours of each vertex start in `neighbors`; one more at the end. Those of later vertices at a position are empty.
    starts: Vec<u32>,
    neighbors: Vec<u32>,
    table: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Surface {
    /// The next primitive is another one.
    pub fn forget(&mut self) {
        self.is_built = false;
    }

    /// The surface of a primitive.
    pub fn of(&mut self, primitive: &Primitive) -> &Self {
        if !std::mem::replace(&mut self.is_built, true) {
            self.weld(&primitive.positions);
            self.connect(&primitive.indices);
        }
        self
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

    /// Finds equal positions by an open hash table of vertex numbers.
    fn weld(&mut self, positions: &[Vec3]) {
        let mask = (positions.len() * 2).next_power_of_two().max(2) - 1;
        self.table.clear();
        self.table.resize(mask + 1, NONE);
        self.first_at.clear();
        for (vertex, &position) in positions.iter().enumerate() {
            let mut slot = hash(position) & mask;
            while self.table[slot] != NONE && positions[self.table[slot] as usize] != position {
                slot = (slot + 1) & mask;
            }
            if self.table[slot] == NONE {
                self.table[slot] = vertex as u32;
            }
            self.first_at.push(self.table[slot]);
        }
    }

    /// Sorts both directions of all edges by their start (a counting sort), then drops repeated ones.
    fn connect(&mut self, indices: &[u32]) {
        let count = self.len();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for [from, _] in directed_edges(&self.first_at, indices) {
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
        for [from, to] in directed_edges(&self.first_at, indices) {
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

fn directed_edges<'a>(first_at: &'a [u32], indices: &'a [u32]) -> impl Iterator<Item = [u32; 2]> + 'a {
    indices.chunks_exact(3).flat_map(move |t| {
        let [a, b, c] = [t[0], t[1], t[2]].map(|i| first_at[i as usize]);
        [[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]].into_iter().filter(|[from, to]| from != to)
    })
}

/// Equal for equal positions, also for 0 and -0.
fn hash(position: Vec3) -> usize {
    let bits = (position + Vec3::ZERO).to_array().map(f32::to_bits);
    let mixed =
        bits.into_iter().fold(0_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    (mixed ^ (mixed >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_vertices_are_one_point_and_edges_stand_once() {
        let corner = |x: f32, y: f32| Vec3::new(x, y, 0.0);
        // A square of two triangles with four corners, two of them doubled; -0 is 0.
        let positions = [
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(-0.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
        ];
        let square =
            Primitive { positions: positions.to_vec(), indices: vec![0, 1, 2, 3, 4, 5], ..Primitive::default() };
        let mut surface = Surface::default();
        let surface = surface.of(&square);
        assert_eq!(surface.points().collect::<Vec<_>>(), [0, 1, 2, 5]);
        assert_eq!(surface.first_at(4), 2);
        let neighbors = |point| surface.neighbors(point).collect::<Vec<_>>();
        assert_eq!((neighbors(0), neighbors(1), neighbors(5)), (vec![1, 2, 5], vec![0, 2], vec![0, 2]));
        assert_eq!(neighbors(3), []);
    }
}
