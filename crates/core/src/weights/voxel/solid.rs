use glam::Vec3;

use super::grid::{VoxelBits, VoxelGrid, middle};
use super::{flood, surface, winding};
use crate::jobs::Progress;

/// The surface of a body and everything it encloses. Only inside cells have data; the grid has one bit per cell.
#[derive(Debug)]
pub(in crate::weights) struct Solid {
    pub frame: VoxelGrid,
    pub bits: VoxelBits,
    /// Grid position of each cell.
    pub cells: Vec<[u16; 3]>,
    before: Vec<u32>,
}

impl Solid {
    /// Fills the space enclosed by triangles and adds the cells of single points, in skin space; clips to the frame.
    pub(crate) fn new(frame: VoxelGrid, points: &[Vec3], triangles: &[[u32; 3]], progress: &Progress) -> Option<Self> {
        let points: Vec<Vec3> = points.iter().map(|&point| frame.to_grid(point)).collect();
        let triangles: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(|point| points[point as usize])).collect();
        let surface = || {
            let mut bits = surface::voxelize_surface(&triangles, frame.size, progress)?;
            for cell in points.iter().filter_map(|&point| frame.cell_at(point)) {
                bits.insert(cell.map(usize::from));
            }
            let outside = flood::outside(&bits);
            Some((bits, outside))
        };
        let (surface, inside) = rayon::join(surface, || winding::inside(&triangles, frame.size, progress));
        let ((mut bits, outside), inside) = (surface?, inside?);
        let last = u64::MAX >> (bits.words_per_row * 64 - frame.size[0]);
        for (at, word) in bits.words.iter_mut().enumerate() {
            let within = if (at + 1).is_multiple_of(bits.words_per_row) { last } else { u64::MAX };
            *word |= (!outside.words[at] | inside.words[at]) & within;
        }
        clear_border(&mut bits);
        Some(Self::from_bits(frame, bits))
    }

    fn from_bits(frame: VoxelGrid, bits: VoxelBits) -> Self {
        let count = |sum: &mut u32, word: &u64| {
            let before = *sum;
            *sum += word.count_ones();
            Some(before)
        };
        let before = bits.words.iter().scan(0, count).collect();
        Self { frame, cells: bits.cells().collect(), before, bits }
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn middle(&self, cell: u32) -> Vec3 {
        middle(self.cells[cell as usize])
    }

    /// Returns the index of the cell at a point; `None` outside.
    pub(crate) fn at(&self, point: Vec3) -> Option<u32> {
        let cell = self.frame.cell_at(point)?.map(usize::from);
        self.bits.has(cell).then(|| self.number(cell))
    }

    pub(crate) fn number(&self, cell: [usize; 3]) -> u32 {
        let (word, bit) = self.bits.place(cell);
        self.before[word] + (self.bits.words[word] & ((1 << bit) - 1)).count_ones()
    }

    /// Calls `visit` with the inside cells among the 26 neighbours.
    pub(crate) fn for_each_neighbour(&self, cell: u32, mut visit: impl FnMut(u32)) {
        let [x, y, z] = self.cells[cell as usize].map(usize::from);
        for z in z - 1..=z + 1 {
            for y in y - 1..=y + 1 {
                let row = self.bits.row(y, z);
                for x in x - 1..=x + 1 {
                    let (at, bit) = (row + x / 64, x % 64);
                    let word = self.bits.words[at];
                    if word >> bit & 1 == 1 {
                        let number = self.before[at] + (word & ((1 << bit) - 1)).count_ones();
                        if number != cell {
                            visit(number);
                        }
                    }
                }
            }
        }
    }

    /// Calls `visit` with the inside cells that share a face.
    pub(crate) fn for_each_beside(&self, cell: u32, mut visit: impl FnMut(u32)) {
        let [x, y, z] = self.cells[cell as usize].map(usize::from);
        for beside in [[x, y, z - 1], [x, y - 1, z], [x - 1, y, z], [x + 1, y, z], [x, y + 1, z], [x, y, z + 1]] {
            let (at, bit) = self.bits.place(beside);
            let word = self.bits.words[at];
            if word >> bit & 1 == 1 {
                visit(self.before[at] + (word & ((1 << bit) - 1)).count_ones());
            }
        }
    }

    /// Returns true if the straight line between two inside points stays inside.
    pub(crate) fn sees(&self, from: Vec3, to: Vec3) -> bool {
        let way = to - from;
        // With steps of half a cell, the line skips hardly more than the corner of a cell.
        let steps = (2.0 * way.abs().max_element()).ceil().max(1.0);
        let step = way / steps;
        let mut point = from;
        for _ in 1..steps as u32 {
            point += step;
            let [x, y, z] = point.to_array().map(|along| along as usize);
            if !self.bits.has([x, y, z]) {
                return false;
            }
        }
        true
    }
}

/// Clears the border, into which rounding may move points. Neighbour visits rely on an empty border.
fn clear_border(bits: &mut VoxelBits) {
    let [width, height, depth] = bits.size;
    for z in 0..depth {
        for y in 0..height {
            let row = bits.row(y, z);
            if y == 0 || z == 0 || y == height - 1 || z == depth - 1 {
                bits.words[row..row + bits.words_per_row].fill(0);
            }
            for x in [0, width - 1] {
                bits.words[row + x / 64] &= !(1 << (x % 64));
            }
        }
    }
}
