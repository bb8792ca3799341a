use crate::jobs::{Progress, try_ranges_with};

pub(super) const CHUNK: usize = 1024;

pub(super) type Row = Vec<(u16, f32)>;

/// Sparse weights by point: each row lists the bones that move the point, ascending and without duplicates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointWeights {
    starts: Vec<u32>,
    bones: Vec<u16>,
    values: Vec<f32>,
}

/// Divides each weight by the sum of the row.
pub(super) fn normalize(row: &mut [(u16, f32)]) {
    let sum: f32 = row.iter().map(|(_, share)| share).sum();
    for (_, share) in row {
        *share /= sum;
    }
}

/// Reusable accumulator for one row.
#[derive(Debug, Default)]
pub(super) struct WeightAccumulator {
    /// Sum by bone; 0 for bones that are not in the row.
    sums: Vec<f32>,
    /// Bones of the row, unsorted, each once.
    bones: Vec<u16>,
}

impl WeightAccumulator {
    /// Adds a row times a factor; values must be finite and >= 0.
    pub(super) fn add(&mut self, row: impl IntoIterator<Item = (u16, f32)>, factor: f32) {
        for (bone, share) in row {
            let (at, part) = (usize::from(bone), share * factor);
            if at >= self.sums.len() {
                self.sums.resize(at + 1, 0.0);
            }
            if part > 0.0 {
                if self.sums[at] == 0.0 {
                    self.bones.push(bone);
                }
                self.sums[at] += part;
            }
        }
    }

    pub(super) fn keep(&mut self, min_weight: f32) {
        let sums = &mut self.sums;
        self.bones.retain(|&bone| {
            let share = &mut sums[usize::from(bone)];
            let is_kept = *share >= min_weight;
            *share = if is_kept { *share } else { 0.0 };
            is_kept
        });
        self.bones.sort_unstable();
        let sum: f32 = self.bones.iter().map(|&bone| sums[usize::from(bone)]).sum();
        self.divide(sum);
    }

    pub(super) fn divide(&mut self, by: f32) {
        self.bones.iter().for_each(|&bone| self.sums[usize::from(bone)] /= by);
    }

    fn drain(&mut self) -> impl Iterator<Item = (u16, f32)> + '_ {
        self.bones.sort_unstable();
        let sums = &mut self.sums;
        self.bones.drain(..).map(|bone| (bone, std::mem::take(&mut sums[usize::from(bone)])))
    }
}

impl PointWeights {
    /// Computes the weights of `count` points on all cores; `make` fills an empty row.
    pub(super) fn computed(
        count: usize,
        progress: &Progress,
        make: impl Fn(usize, &mut WeightAccumulator) + Sync,
    ) -> Option<Self> {
        let chunks = try_ranges_with((count, CHUNK), progress, WeightAccumulator::default, |row, points| {
            let mut chunk = Self::none();
            for point in points {
                make(point, row);
                chunk.push(row.drain());
            }
            Some(chunk)
        })?;
        let entries = chunks.iter().map(|chunk| chunk.bones.len()).sum();
        let mut all = Self {
            starts: Vec::with_capacity(count + 1),
            bones: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
        };
        all.starts.push(0);
        for chunk in chunks {
            let before = all.bones.len() as u32;
            all.starts.extend(chunk.starts[1..].iter().map(|start| start + before));
            all.bones.extend(chunk.bones);
            all.values.extend(chunk.values);
        }
        Some(all)
    }

    /// Creates a matrix from rows. Values must be finite and >= 0; zeros are dropped.
    pub fn from_rows(rows: impl IntoIterator<Item = Vec<(u16, f32)>>) -> Self {
        let mut shares = Self::none();
        for mut row in rows {
            row.retain(|(_, value)| *value > 0.0);
            row.sort_unstable_by_key(|(bone, _)| *bone);
            shares.push(row.into_iter());
        }
        shares
    }

    pub(super) fn none() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    pub(super) fn push(&mut self, row: impl Iterator<Item = (u16, f32)>) {
        for (bone, value) in row {
            self.bones.push(bone);
            self.values.push(value);
        }
        self.starts.push(self.bones.len() as u32);
    }

    /// Returns the weighted sum of rows. If each row sums to 1, the result sums to the sum of the factors.
    pub(super) fn mixed<Row: Iterator<Item = (u16, f32)>>(rows: impl Iterator<Item = (Row, f32)>) -> Vec<(u16, f32)> {
        let mut all: Vec<(u16, f32)> =
            rows.flat_map(|(row, part)| row.map(move |(bone, share)| (bone, share * part))).collect();
        all.sort_by_key(|(bone, _)| *bone);
        all.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1 += if is_same { next.1 } else { 0.0 };
            is_same
        });
        all
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns true if there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entries of a point: indices into [`super::Body::bones`] with weights.
    pub fn row(&self, point: usize) -> impl ExactSizeIterator<Item = (u16, f32)> + Clone + '_ {
        let entries = self.starts[point] as usize..self.starts[point + 1] as usize;
        self.bones[entries.clone()].iter().copied().zip(self.values[entries].iter().copied())
    }

    /// Returns all rows, in point order.
    pub fn rows(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = (u16, f32)> + Clone + '_> {
        (0..self.len()).map(|point| self.row(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_sum_what_is_added_and_begin_anew_for_each_point() {
        let progress = Progress::default();
        let make = |point: usize, row: &mut WeightAccumulator| {
            row.add([(7, 1.0), (2, 0.5)], 0.5);
            row.add([(7, 0.25), (3, 0.0)], 2.0);
            if point % 2 == 1 {
                row.add([(9, 1e-4)], 1.0);
                row.keep(1e-3);
            }
        };
        let shares = PointWeights::computed(3 * CHUNK, &progress, make).unwrap();
        assert_eq!(shares.len(), 3 * CHUNK);
        for (point, row) in shares.rows().enumerate() {
            let expected = if point % 2 == 1 { [(2, 0.2), (7, 0.8)] } else { [(2, 0.25), (7, 1.0)] };
            assert_eq!(row.collect::<Vec<_>>(), expected, "point {point}");
        }
        assert_eq!(PointWeights::computed(3, &Progress::cancelled(), make), None);
    }
}
