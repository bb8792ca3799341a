//! Direct solver for sparse symmetric systems with many right-hand sides. Adjacent columns with the same pattern form
//! dense blocks (supernodes), and so do their updates to later columns. Halves of a dissection are factored in
//! parallel. The order of sums does not depend on the number of threads. No existing crate was suitable: none can be
//! cancelled at any time and also gives the same results on every processor. *Source*: Duff and Reid 1983, *The
//! multifrontal solution of indefinite sparse symmetric linear equations*; Liu 1992, *The multifrontal method for
//! sparse matrix solution: theory and practice*; for the sparsity pattern, Davis 2005, *Algorithm 849: a concise sparse
//! Cholesky factorization package*.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::dissection::DissectionBlock;
use crate::jobs::Progress;

pub(super) const LANES: usize = 8;
pub(super) type Lanes = [f64; LANES];

const CHUNK: usize = 64;
const NONE: u32 = u32::MAX;
/// Maximum number of entries of a factor, about 200 MB.
pub(super) const MAX_ENTRIES: usize = 1 << 24;
const AT_ONCE: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolveError {
    Cancelled,
    /// The factor exceeds [`MAX_ENTRIES`].
    TooLarge,
}

#[derive(Debug, Default)]
pub(super) struct Symmetric {
    ends: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Symmetric {
    /// Adds a row: off-diagonal entries in any order, and the diagonal.
    pub(super) fn push(&mut self, beside: impl Iterator<Item = (u32, f64)>, diagonal: f64) {
        for (column, value) in beside {
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

/// Factorization `A = L D Lᵀ` of a positive definite matrix; the diagonal of L is 1.
#[derive(Debug)]
pub(super) struct Cholesky {
    blocks: Vec<FactorBlock>,
}

/// Adjacent columns of L with the same pattern.
#[derive(Debug)]
struct FactorBlock {
    first: usize,
    /// Rows below the block's diagonal, ascending.
    below: Vec<u32>,
    /// Row-major: the block's own rows, then the rows below it, each with an entry per column. The upper triangle is
    /// undefined.
    values: Vec<f64>,
    /// Entries of D for the columns.
    diagonal: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix whose rows are ordered by a dissection. *Errors*: more than [`MAX_ENTRIES`]; cancelled.
    pub(super) fn factor(
        matrix: &Symmetric,
        dissected: &DissectionBlock,
        progress: &Progress,
    ) -> Result<Self, SolveError> {
        let is_wider = shape(matrix, progress)?;
        let factored = Factoring { matrix, is_wider: &is_wider, progress }.part(dissected, 0);
        Ok(Self { blocks: factored.ok_or(SolveError::Cancelled)?.blocks })
    }

    pub(super) fn solve(&self, values: &mut [Lanes], progress: &Progress) -> Option<()> {
        for blocks in self.blocks.chunks(CHUNK) {
            progress.check_cancelled()?;
            for block in blocks {
                block.solve_down(values);
            }
        }
        for blocks in self.blocks.rchunks(CHUNK) {
            progress.check_cancelled()?;
            for block in blocks.iter().rev() {
                block.solve_up(values);
            }
        }
        Some(())
    }
}

impl FactorBlock {
    /// Forward substitution: solves the block's columns and subtracts their contribution from the rows below the block.
    fn solve_down(&self, values: &mut [Lanes]) {
        let width = self.diagonal.len();
        let (own, after) = values[self.first..].split_at_mut(width);
        // Zeros are frequent: most bones are far from most points.
        if own.iter().all(|own| *own == Lanes::default()) {
            return;
        }
        let (own_rows, rows_below) = self.values.split_at(width * width);
        for (at, row) in own_rows.chunks_exact(width).enumerate() {
            let (solved, rest) = own.split_at_mut(at);
            subtract_row(&mut rest[0], row, solved);
        }
        for (&below, row) in self.below.iter().zip(rows_below.chunks_exact(width)) {
            subtract_row(&mut after[below as usize - self.first - width], row, own);
        }
    }

    /// Backward substitution: solves the block's columns from the solved rows below.
    fn solve_up(&self, values: &mut [Lanes]) {
        let width = self.diagonal.len();
        let (own, after) = values[self.first..].split_at_mut(width);
        for (own, diagonal) in own.iter_mut().zip(&self.diagonal) {
            *own = own.map(|value| value / diagonal);
        }
        let (own_rows, rows_below) = self.values.split_at(width * width);
        for (&below, row) in self.below.iter().zip(rows_below.chunks_exact(width)) {
            let solved = &after[below as usize - self.first - width];
            own.iter_mut().zip(row).for_each(|(own, factor)| subtract(own, *factor, solved));
        }
        for (at, row) in own_rows.chunks_exact(width).enumerate().rev() {
            let (rest, solved) = own.split_at_mut(at);
            rest.iter_mut().zip(row).for_each(|(own, factor)| subtract(own, *factor, &solved[0]));
        }
    }
}

fn subtract_row(from: &mut Lanes, factors: &[f64], values: &[Lanes]) {
    let mut rest = *from;
    factors.iter().zip(values).for_each(|(factor, values)| subtract(&mut rest, *factor, values));
    *from = rest;
}

fn subtract(from: &mut Lanes, factor: f64, values: &Lanes) {
    for (from, value) in from.iter_mut().zip(values) {
        *from -= factor * value;
    }
}

struct Factoring<'a> {
    matrix: &'a Symmetric,
    /// True if a column's pattern consists of its own row and all rows of the next column's pattern.
    is_wider: &'a [bool],
    progress: &'a Progress,
}

#[derive(Default)]
struct PartialFactor {
    blocks: Vec<FactorBlock>,
    /// Updates to later columns, by their first column.
    waiting: BTreeMap<u32, Vec<Update>>,
}

/// Dense update of the matrix entries whose row and column are both in `rows`.
struct Update {
    rows: Vec<u32>,
    /// Column-major. The upper triangle is undefined.
    values: Vec<f64>,
}

impl Factoring<'_> {
    fn part(&self, part: &DissectionBlock, first: usize) -> Option<PartialFactor> {
        self.progress.check_cancelled()?;
        let mut factored = PartialFactor::default();
        let mut first = first;
        if let Some([high, low]) = part.halves.as_deref() {
            let after_high = first + high.len;
            let (high, low) = rayon::join(|| self.part(high, first), || self.part(low, after_high));
            factored = high?;
            factored.append(low?);
        }
        let end = first + part.len;
        first = end - part.between;
        while first < end {
            let width = 1 + (first..end - 1).take_while(|&column| self.is_wider[column]).count();
            let updates = factored.taken(first + width);
            let (block, update) = self.block(first..first + width, &updates);
            factored.blocks.push(block);
            if let Some(&column) = update.rows.first() {
                factored.waiting.entry(column).or_default().push(update);
            }
            first += width;
        }
        Some(factored)
    }

    /// Applies all updates to the columns `own` and factors them. Also returns the update that they make to later
    /// columns.
    fn block(&self, own: Range<usize>, updates: &[Update]) -> (FactorBlock, Update) {
        let entries = own.clone().flat_map(|column| self.matrix.row(column).map(|(row, _)| row as u32));
        let filled = entries.chain(updates.iter().flat_map(|update| update.rows.iter().copied()));
        let mut below: Vec<u32> = filled.filter(|&row| row as usize >= own.end).collect();
        below.sort_unstable();
        below.dedup();
        let (width, height) = (own.len(), own.len() + below.len());
        let place = |row: usize| {
            if row < own.end { row - own.start } else { width + below.partition_point(|&other| (other as usize) < row) }
        };
        let mut columns = vec![0.0; width * height];
        let mut rest = vec![0.0; below.len() * below.len()];
        for (column, values) in own.clone().zip(columns.chunks_exact_mut(height)) {
            values[column - own.start] = self.matrix.diagonal[column];
            for (row, value) in self.matrix.row(column).filter(|(row, _)| *row > column) {
                values[place(row)] += value;
            }
        }
        for Update { rows, values } in updates {
            let places: Vec<usize> = rows.iter().map(|&row| place(row as usize)).collect();
            for (at, values) in values.chunks_exact(rows.len()).enumerate() {
                let (to, before) = if places[at] < width {
                    (&mut columns[places[at] * height..][..height], 0)
                } else {
                    (&mut rest[(places[at] - width) * below.len()..][..below.len()], width)
                };
                places[at..].iter().zip(&values[at..]).for_each(|(place, value)| to[place - before] += value);
            }
        }
        let mut diagonal = Vec::with_capacity(width);
        for at in 0..width {
            let (known, column) = columns.split_at_mut(at * height);
            let column = &mut column[at..height];
            eliminate(column, known, height, &diagonal);
            let (on_diagonal, column) = column.split_at_mut(1);
            diagonal.push(on_diagonal[0]);
            for value in column {
                *value /= on_diagonal[0];
            }
        }
        let update = rest.par_chunks_exact_mut(below.len().max(1)).enumerate().with_min_len(AT_ONCE);
        update.for_each(|(at, column)| eliminate(&mut column[at..], &columns, height, &diagonal));
        let values = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let values = values.map(|(row, column)| columns[column * height + row]).collect();
        (FactorBlock { first: own.start, below: below.clone(), values, diagonal }, Update { rows: below, values: rest })
    }
}

impl PartialFactor {
    fn append(&mut self, mut later: Self) {
        self.blocks.append(&mut later.blocks);
        for (column, mut updates) in later.waiting {
            self.waiting.entry(column).or_default().append(&mut updates);
        }
    }

    fn taken(&mut self, end: usize) -> Vec<Update> {
        let mut taken = Vec::new();
        while let Some(first) = self.waiting.first_entry().filter(|first| (*first.key() as usize) < end) {
            taken.append(&mut first.remove());
        }
        taken
    }
}

/// Subtracts the contributions of eliminated columns from a column. `column` starts at the diagonal; `others` have
/// `height` rows.
fn eliminate(column: &mut [f64], others: &[f64], height: usize, diagonal: &[f64]) {
    let rows = height - column.len()..height;
    let factor = |other: &[f64], diagonal: f64| other[0] * diagonal;
    let fours = others.chunks_exact(4 * height).zip(diagonal.chunks_exact(4));
    for (others, diagonal) in fours {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| &others[at * height..][rows.clone()]);
        let [by_a, by_b, by_c, by_d] =
            [(a, diagonal[0]), (b, diagonal[1]), (c, diagonal[2]), (d, diagonal[3])].map(|(o, d)| factor(o, d));
        for ((((value, a), b), c), d) in column.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *value -= a * by_a + b * by_b + c * by_c + d * by_d;
        }
    }
    let done = diagonal.len() / 4 * 4;
    for (other, diagonal) in others[done * height..].chunks_exact(height).zip(&diagonal[done..]) {
        let other = &other[rows.clone()];
        let by = factor(other, *diagonal);
        column.iter_mut().zip(other).for_each(|(value, other)| *value -= other * by);
    }
}

/// Returns for each column whether its pattern consists of its own row and all rows of the next column's pattern.
fn shape(matrix: &Symmetric, progress: &Progress) -> Result<Vec<bool>, SolveError> {
    let n = matrix.diagonal.len();
    let mut above = vec![NONE; n];
    let mut seen: Vec<u32> = (0..n as u32).collect();
    let mut counts = vec![0_u32; n];
    let mut entries = 0;
    for row in 0..n {
        if row % CHUNK == 0 {
            progress.check_cancelled().ok_or(SolveError::Cancelled)?;
        }
        if entries > MAX_ENTRIES {
            return Err(SolveError::TooLarge);
        }
        for (column, _) in matrix.row(row).filter(|(column, _)| *column < row) {
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
    let is_wider = |column: usize| {
        above[column] as usize == column + 1 && counts[column] == counts.get(column + 1).map_or(0, |count| count + 1)
    };
    Ok((0..n).map(is_wider).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn solution_reproduces_the_right_hand_side(
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
                matrix.push((0..30).filter(|&c| c != row && values[c] != 0.0).map(|c| (c as u32, values[c])), values[row]);
            }
            let mut values: Vec<Lanes> = wanted.iter().map(|&value| [value; LANES]).collect();
            let progress = Progress::default();
            Cholesky::factor(&matrix, &DissectionBlock { len: 30, between: 30, halves: None }, &progress).unwrap().solve(&mut values, &progress).unwrap();
            for (row, wanted) in dense.iter().zip(&wanted) {
                let got: f64 = row.iter().zip(&values).map(|(a, x)| a * x[LANES - 1]).sum();
                prop_assert!((got - wanted).abs() < 1e-9, "{got} {wanted}");
            }
        }
    }
}
