//! Sparse symmetric systems of equations, solved directly for many right-hand sides.
//!
//! Written here because it is short, can be cancelled at every row, and rounds the same on every processor; no available crate does all that.
//!
//! *Source*: Davis 2005, *Algorithm 849: a concise sparse Cholesky factorization package*.

use crate::jobs::Progress;

/// Number of right-hand sides solved at once.
pub(super) const LANES: usize = 8;
/// One value for each right-hand side.
pub(super) type Lanes = [f64; LANES];

/// Rows between two checks for cancellation.
const CHUNK: usize = 64;
const NONE: u32 = u32::MAX;
/// Most entries of a factor: 200 MB.
pub(super) const MOST_ENTRIES: usize = 1 << 24;

/// Why there is no factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsolved {
    /// The job was cancelled.
    Cancelled,
    /// The factor would take too much memory.
    TooLarge,
}

/// The lower half of a symmetric matrix, by rows.
#[derive(Debug, Default)]
pub(super) struct Symmetric {
    /// Index after the last entry of each row.
    ends: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Symmetric {
    /// Adds a row: the entries before the diagonal, in any order, and the diagonal's.
    pub(super) fn push(&mut self, before: impl Iterator<Item = (u32, f64)>, diagonal: f64) {
        for (column, value) in before {
            self.columns.push(column);
            self.values.push(value);
        }
        self.ends.push(self.columns.len() as u32);
        self.diagonal.push(diagonal);
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let first = row.checked_sub(1).map_or(0, |above| self.ends[above] as usize);
        let range = first..self.ends[row] as usize;
        self.columns[range.clone()].iter().map(|&column| column as usize).zip(self.values[range].iter().copied())
    }
}

/// `A = L D Lᵀ` for a positive definite matrix, with ones on the diagonal of L.
#[derive(Debug)]
pub(super) struct Cholesky {
    /// Index of each column's first entry in L, and at the end the number of entries.
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix, unless the factor has more entries than memory may hold.
    pub(super) fn of(matrix: &Symmetric, progress: &Progress) -> Result<Self, Unsolved> {
        let n = matrix.diagonal.len();
        let (above, starts) = shape(matrix, progress)?;
        let mut factor =
            Self { rows: vec![0; starts[n]], values: vec![0.0; starts[n]], diagonal: matrix.diagonal.clone(), starts };
        let mut ends: Vec<usize> = factor.starts[..n].to_vec();
        let mut seen: Vec<u32> = (0..n as u32).collect();
        let mut sums = vec![0.0; n];
        let (mut path, mut reached) = (Vec::new(), Vec::new());
        for row in 0..n {
            if row % CHUNK == 0 {
                progress.go_on().ok_or(Unsolved::Cancelled)?;
            }
            for (column, value) in matrix.row(row) {
                sums[column] += value;
                let mut at = column;
                while seen[at] != row as u32 && at != row {
                    seen[at] = row as u32;
                    path.push(at);
                    at = above[at] as usize;
                }
                reached.extend(path.drain(..).rev());
            }
            // Each column comes after those that fill it in.
            while let Some(column) = reached.pop() {
                let sum = std::mem::take(&mut sums[column]);
                let known = factor.starts[column]..ends[column];
                for (&below, value) in factor.rows[known.clone()].iter().zip(&factor.values[known]) {
                    sums[below as usize] -= value * sum;
                }
                let value = sum / factor.diagonal[column];
                factor.diagonal[row] -= value * sum;
                (factor.rows[ends[column]], factor.values[ends[column]]) = (row as u32, value);
                ends[column] += 1;
            }
        }
        Ok(factor)
    }

    /// Replaces right-hand sides by solutions; `None` if cancelled.
    pub(super) fn solve(&self, values: &mut [Lanes], progress: &Progress) -> Option<()> {
        for column in 0..values.len() {
            if column % CHUNK == 0 {
                progress.go_on()?;
            }
            let own = values[column];
            // Most bones are far from most points.
            if own == Lanes::default() {
                continue;
            }
            for (row, factor) in self.column(column) {
                subtract(&mut values[row], factor, &own);
            }
        }
        for column in (0..values.len()).rev() {
            if column % CHUNK == 0 {
                progress.go_on()?;
            }
            let mut own = values[column].map(|value| value / self.diagonal[column]);
            for (row, factor) in self.column(column) {
                subtract(&mut own, factor, &values[row]);
            }
            values[column] = own;
        }
        Some(())
    }

    fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[column]..self.starts[column + 1];
        self.rows[range.clone()].iter().map(|&row| row as usize).zip(self.values[range].iter().copied())
    }
}

fn subtract(from: &mut Lanes, factor: f64, values: &Lanes) {
    for (from, value) in from.iter_mut().zip(values) {
        *from -= factor * value;
    }
}

/// The elimination tree of the factor, and where each of its columns starts.
fn shape(matrix: &Symmetric, progress: &Progress) -> Result<(Vec<u32>, Vec<usize>), Unsolved> {
    let n = matrix.diagonal.len();
    let mut above = vec![NONE; n];
    let mut seen: Vec<u32> = (0..n as u32).collect();
    let mut counts = vec![0_usize; n];
    let mut entries = 0;
    for row in 0..n {
        if row % CHUNK == 0 {
            progress.go_on().ok_or(Unsolved::Cancelled)?;
        }
        if entries > MOST_ENTRIES {
            return Err(Unsolved::TooLarge);
        }
        for (column, _) in matrix.row(row) {
            let mut at = column;
            while at != row && seen[at] != row as u32 {
                if above[at] == NONE {
                    above[at] = row as u32;
                }
                counts[at] += 1;
                entries += 1;
                seen[at] = row as u32;
                at = above[at] as usize;
            }
        }
    }
    let mut starts = vec![0];
    let mut end = 0;
    starts.extend(counts.iter().map(|count| {
        end += count;
        end
    }));
    Ok((above, starts))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_solved_gives_back_the_right_hand_side(
            joins in prop::collection::vec((0_usize..30, 0_usize..30, 0.1_f64..5.0), 0..90),
            pulls in prop::collection::vec(0.01_f64..2.0, 30),
            wanted in prop::collection::vec(-1.0_f64..1.0, 30),
        ) {
            let mut dense = vec![vec![0.0; 30]; 30];
            for (row, pull) in pulls.iter().enumerate() {
                dense[row][row] += pull;
            }
            for &(a, b, weight) in joins.iter().filter(|(a, b, _)| a != b) {
                dense[a][a] += weight;
                dense[b][b] += weight;
                dense[a][b] -= weight;
                dense[b][a] -= weight;
            }
            let mut matrix = Symmetric::default();
            for (row, values) in dense.iter().enumerate() {
                matrix.push((0..row).filter(|&c| values[c] != 0.0).map(|c| (c as u32, values[c])), values[row]);
            }
            let mut values: Vec<Lanes> = wanted.iter().map(|&value| [value; LANES]).collect();
            let progress = Progress::default();
            Cholesky::of(&matrix, &progress).unwrap().solve(&mut values, &progress).unwrap();
            for (row, wanted) in dense.iter().zip(&wanted) {
                let got: f64 = row.iter().zip(&values).map(|(a, x)| a * x[LANES - 1]).sum();
                prop_assert!((got - wanted).abs() < 1e-9, "{got} {wanted}");
            }
        }
    }
}
