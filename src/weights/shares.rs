//! Weights of points by bone, as a sparse matrix.

/// The bones that move a point, with their shares.
pub(super) type Row = Vec<(u16, f32)>;

/// A sparse matrix of shares: each row holds the bones that move a point, sorted by bone and each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// Index of each point's first entry, and at the end the number of entries.
    starts: Vec<u32>,
    bones: Vec<u16>,
    values: Vec<f32>,
}

/// Divides the shares of a row by their sum, unless that is 0.
pub(super) fn normalize(row: &mut [(u16, f32)]) {
    let sum: f32 = row.iter().map(|(_, share)| share).sum();
    for (_, share) in row {
        *share /= sum;
    }
}

impl Shares {
    /// Shares from rows, in order; values must be finite and >= 0, and zeros are left out.
    pub fn from_rows(rows: impl IntoIterator<Item = Vec<(u16, f32)>>) -> Self {
        let mut shares = Self { starts: vec![0], ..Self::default() };
        for mut row in rows {
            row.retain(|(_, value)| *value > 0.0);
            row.sort_unstable_by_key(|(bone, _)| *bone);
            shares.bones.extend(row.iter().map(|(bone, _)| *bone));
            shares.values.extend(row.iter().map(|(_, value)| *value));
            shares.starts.push(shares.bones.len() as u32);
        }
        shares
    }

    /// The weighted sum of several rows. If each row sums to 1, the result sums to the sum of the factors.
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

    /// Number of points.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// True if there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of a point: positions in [`super::Body::bones`] with their shares.
    pub fn row(&self, point: usize) -> impl ExactSizeIterator<Item = (u16, f32)> + Clone + '_ {
        let entries = self.starts[point] as usize..self.starts[point + 1] as usize;
        self.bones[entries.clone()].iter().copied().zip(self.values[entries].iter().copied())
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = (u16, f32)> + Clone + '_> {
        (0..self.len()).map(|point| self.row(point))
    }
}
