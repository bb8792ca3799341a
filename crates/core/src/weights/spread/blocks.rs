//! Sparse rows stored in blocks of bones, so that sums of long rows vectorise.

use fixedbitset::FixedBitSet;

use crate::jobs::{Progress, try_ranges_with};
use crate::weights::bone_weights::{CHUNK, PointWeights};

const LANES: usize = 8;
/// Weights of consecutive bones, starting at a multiple of [`LANES`].
type WeightBlock = [f32; LANES];

/// Sparse rows of weights, one per point. Each row stores its non-zero blocks, ascending.
pub(super) struct Blocks {
    chunks: Vec<Chunk>,
}

struct Chunk {
    starts: Vec<u32>,
    numbers: Vec<u16>,
    blocks: Vec<WeightBlock>,
}

#[derive(Default)]
pub(super) struct BlockSum {
    /// Sums by block index; 0 for blocks that are not in the row.
    sums: Vec<WeightBlock>,
    is_in_row: FixedBitSet,
}

impl Blocks {
    /// Computes the rows of `count` points on all cores; `make` fills an empty row.
    pub(super) fn computed(
        count: usize,
        progress: &Progress,
        make: impl Fn(usize, &mut BlockSum) + Sync,
    ) -> Option<Self> {
        let chunks = try_ranges_with((count, CHUNK), progress, BlockSum::default, |sum, points| {
            let mut chunk = Chunk { starts: vec![0], numbers: Vec::new(), blocks: Vec::new() };
            for point in points {
                make(point, sum);
                sum.drain_to(&mut chunk);
            }
            Some(chunk)
        });
        Some(Self { chunks: chunks? })
    }

    pub(super) fn row(&self, point: usize) -> impl ExactSizeIterator<Item = (u16, &WeightBlock)> {
        let (chunk, at) = (&self.chunks[point / CHUNK], point % CHUNK);
        let blocks = chunk.starts[at] as usize..chunk.starts[at + 1] as usize;
        chunk.numbers[blocks.clone()].iter().copied().zip(&chunk.blocks[blocks])
    }

    pub(super) fn shares(&self, count: usize, progress: &Progress) -> Option<PointWeights> {
        PointWeights::computed(count, progress, |point, row| {
            for (number, block) in self.row(point) {
                let entry = |(lane, &share): (usize, &f32)| (number * LANES as u16 + lane as u16, share);
                row.add(block.iter().enumerate().map(entry), 1.0);
            }
        })
    }
}

impl BlockSum {
    pub(super) fn add<'a>(&mut self, row: impl Iterator<Item = (u16, &'a WeightBlock)>, factor: f32) {
        for (number, block) in row {
            let sum = self.block(number);
            for (sum, share) in sum.iter_mut().zip(block) {
                *sum += share * factor;
            }
        }
    }

    pub(super) fn add_entries(&mut self, row: impl Iterator<Item = (u16, f32)>, factor: f32) {
        for (bone, share) in row {
            self.block(bone / LANES as u16)[usize::from(bone) % LANES] += share * factor;
        }
    }

    fn block(&mut self, number: u16) -> &mut WeightBlock {
        let at = usize::from(number);
        if at >= self.sums.len() {
            self.sums.resize(at + 1, WeightBlock::default());
            self.is_in_row.grow(at + 1);
        }
        self.is_in_row.insert(at);
        &mut self.sums[at]
    }

    pub(super) fn keep(&mut self, min_weight: f32) {
        let mut all = 0.0;
        self.for_each(|share| {
            *share = if *share >= min_weight { *share } else { 0.0 };
            all += *share;
        });
        if all > 0.0 {
            self.for_each(|share| *share /= all);
        }
    }

    fn for_each(&mut self, mut change: impl FnMut(&mut f32)) {
        for number in self.is_in_row.ones() {
            self.sums[number].iter_mut().for_each(&mut change);
        }
    }

    fn drain_to(&mut self, chunk: &mut Chunk) {
        for number in self.is_in_row.ones() {
            let block = std::mem::take(&mut self.sums[number]);
            if block != WeightBlock::default() {
                chunk.numbers.push(number as u16);
                chunk.blocks.push(block);
            }
        }
        chunk.starts.push(chunk.blocks.len() as u32);
        self.is_in_row.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_add_up_to_the_bit_as_single_entries_do() {
        let row = |seed: u32| {
            let bones = (0..200_u32).filter(move |bone| (bone * 7 + seed) % 11 < 4 || seed == 2);
            bones.map(move |bone| (bone as u16 * 40, 0.001 + (bone * seed % 97) as f32 / 97.0)).collect()
        };
        let rows = PointWeights::from_rows((1..4).map(row));
        let progress = Progress::default();
        let parts = [0.5, 0.3, 0.007];
        let known = PointWeights::computed(2 * CHUNK + 1, &progress, |_, sum| {
            (0..3).for_each(|at| sum.add(rows.row(at), parts[at]));
            sum.keep(1e-2);
        });
        let blocks = Blocks::computed(3, &progress, |at, sum| sum.add_entries(rows.row(at), 1.0)).unwrap();
        assert_eq!(blocks.shares(3, &progress).unwrap(), rows);
        let sums = Blocks::computed(2 * CHUNK + 1, &progress, |_, sum| {
            sum.add(blocks.row(0), parts[0]);
            sum.add_entries(rows.row(1), parts[1]);
            sum.add(blocks.row(2), parts[2]);
            sum.keep(1e-2);
        });
        assert_eq!(sums.unwrap().shares(2 * CHUNK + 1, &progress), known);
        assert!(Blocks::computed(3, &Progress::cancelled(), |_, _| {}).is_none());
    }
}
