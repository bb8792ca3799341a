use super::grid::VoxelBits;

/// Returns the air around a body: cells connected to a corner of the grid by steps that avoid `walls`. The corner must
/// be free.
pub(super) fn outside(walls: &VoxelBits) -> VoxelBits {
    let mut outside = VoxelBits::none(walls.size);
    let [_, height, depth] = walls.size;
    outside.insert([0, 0, 0]);
    let mut is_waiting = vec![false; height * depth];
    let mut waiting = vec![(0, 0)];
    while let Some((y, z)) = waiting.pop() {
        is_waiting[z * height + y] = false;
        fill_row(walls, &mut outside, walls.row(y, z));
        let beside = [(y.wrapping_sub(1), z), (y + 1, z), (y, z.wrapping_sub(1)), (y, z + 1)];
        for (to_y, to_z) in beside.into_iter().filter(|(y, z)| *y < height && *z < depth) {
            if spill(walls, &mut outside, walls.row(y, z), walls.row(to_y, to_z)) && !is_waiting[to_z * height + to_y] {
                is_waiting[to_z * height + to_y] = true;
                waiting.push((to_y, to_z));
            }
        }
    }
    outside
}

/// Copies the reached cells of a row to an adjacent row; returns true if any are new.
fn spill(walls: &VoxelBits, outside: &mut VoxelBits, from: usize, to: usize) -> bool {
    let mut is_new = false;
    for word in 0..walls.words_per_row {
        let reached = outside.words[from + word] & !walls.words[to + word];
        is_new |= reached & !outside.words[to + word] != 0;
        outside.words[to + word] |= reached;
    }
    is_new
}

/// Spreads the reached cells of a row up to the walls on both sides.
fn fill_row(walls: &VoxelBits, outside: &mut VoxelBits, row: usize) {
    let last = (walls.size[0] - 1) % 64;
    let free = |word: usize| {
        let within = if word + 1 == walls.words_per_row { u64::MAX >> (63 - last) } else { u64::MAX };
        !walls.words[row + word] & within
    };
    let mut carried = 0;
    for word in 0..walls.words_per_row {
        let filled = filled_upwards(outside.words[row + word] | carried & free(word), free(word));
        outside.words[row + word] = filled;
        carried = filled >> 63;
    }
    let mut carried = 0;
    for word in (0..walls.words_per_row).rev() {
        let free = free(word);
        let seeds = outside.words[row + word] | carried << 63 & free;
        let filled = filled_upwards(seeds.reverse_bits(), free.reverse_bits()).reverse_bits();
        outside.words[row + word] = filled;
        carried = filled & 1;
    }
}

/// Returns the seeds and the free bits above each, up to the first blocked bit. The carry of an addition passes through
/// exactly these bits.
fn filled_upwards(seeds: u64, free: u64) -> u64 {
    let carried = free.wrapping_add(seeds);
    free & (free ^ carried) | seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn air_goes_around_corners_and_not_through_walls() {
        let size = [140, 9, 9];
        let mut walls = VoxelBits::none(size);
        let on_box = |x: usize, y: usize, z: usize| {
            let within = |at: usize, low: usize, high: usize| (low..=high).contains(&at);
            let edge = x == 3 || x == 130 || y == 2 || y == 6 || z == 2 || z == 6;
            within(x, 3, 130) && within(y, 2, 6) && within(z, 2, 6) && edge
        };
        let cells = || (0..140).flat_map(|x| (0..9).flat_map(move |y| (0..9).map(move |z| [x, y, z])));
        cells().filter(|[x, y, z]| on_box(*x, *y, *z)).for_each(|cell| walls.insert(cell));
        let air = outside(&walls);
        let within = 126 * 3 * 3;
        assert_eq!(air.cells().count(), 140 * 9 * 9 - walls.cells().count() - within);
        let (word, bit) = walls.place([70, 2, 4]);
        walls.words[word] ^= 1 << bit;
        assert_eq!(
            outside(&walls).cells().count(),
            140 * 9 * 9 - walls.cells().count(),
            "a hole lets the air in everywhere"
        );
    }

    #[test]
    fn every_run_with_a_seed_is_filled() {
        assert_eq!(filled_upwards(0b0000_0101, 0b0110_1111), 0b0000_1111);
        assert_eq!(filled_upwards(1 << 62, u64::MAX << 61), 0b11 << 62);
        assert_eq!(filled_upwards(0, 0b1110), 0);
    }
}
