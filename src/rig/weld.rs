//! Welding of vertices with equal positions, which files split at texture, normal and material seams.

use glam::Vec3;

const NONE: u32 = u32::MAX;

#[derive(Default)]
pub(crate) struct Welder {
    table: Vec<u32>,
}

impl Welder {
    /// Writes, for each vertex, the first vertex with the same position.
    pub(crate) fn weld(&mut self, positions: &[Vec3], first_at: &mut Vec<u32>) {
        let mask = (positions.len() * 2).next_power_of_two().max(2) - 1;
        self.table.clear();
        self.table.resize(mask + 1, NONE);
        first_at.clear();
        for (vertex, &position) in positions.iter().enumerate() {
            let mut slot = hash(position) & mask;
            while self.table[slot] != NONE && positions[self.table[slot] as usize] != position {
                slot = (slot + 1) & mask;
            }
            if self.table[slot] == NONE {
                self.table[slot] = vertex as u32;
            }
            first_at.push(self.table[slot]);
        }
    }
}

/// Hash of a position; 0 and -0 are equal.
fn hash(position: Vec3) -> usize {
    let bits = (position + Vec3::ZERO).to_array().map(f32::to_bits);
    let mixed =
        bits.into_iter().fold(0_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    (mixed ^ (mixed >> 32)) as usize
}
