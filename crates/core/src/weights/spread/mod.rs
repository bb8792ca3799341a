//! Spreads weights over a surface: finds the smoothest weights under "pulls" towards targets at some points.
//! For each bone, the weights `x` of the points minimise `Σ w_ij (x_i - x_j)² + Σ s_i (x_i - p_i)²`, with `w` from
//! the [`Network`], strengths `s` and target weights `p` from the [`WeightSources`]. All `w` are positive, so weights
//! are not negative, and they sum to 1 if the target weights do.

mod blocks;
mod cholesky;
mod dissection;
mod patches;
mod pulls;

use glam::Vec3;

use super::bone_weights::PointWeights;
use super::surface::Network;
use crate::jobs::{Progress, try_ranges};
use crate::rig::JaggedArray;
use cholesky::{Cholesky, LANES, Lanes, MAX_ENTRIES, SolveError, Symmetric};
use patches::Patches;
pub(super) use pulls::WeightSources;

/// Minimum weight in the result. Smaller weights are below the precision of files.
const MIN_WEIGHT: f64 = 1e-5;

/// Expected number of factor entries for n points, divided by `n log2(n)`: 31/8 on a square grid (George 1973).
const ENTRIES_PER_POINT: f64 = 3.5;

/// Points per patch in the first attempt with patches. Each further attempt multiplies the points per patch by this
/// number.
const TOGETHER: usize = 4;

/// Returns the weights of all points; rows are empty in components without pulls. If the exact solution would need too
/// much memory, solves for patches of points, smooths the result and appends a note. *Cost*: a sparse Cholesky factor
/// of up to 200 MB, and a solution per bone.
pub(super) fn spread(
    points: &[Vec3],
    network: &Network,
    pulls: &WeightSources,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<PointWeights> {
    let mut size = TOGETHER;
    let mut solved = solved(points, network, pulls, progress);
    while solved == Err(SolveError::TooLarge) {
        let patches = Patches::new(points, network, pulls, size, progress)?;
        size *= TOGETHER;
        solved = self::solved(&patches.points, &patches.network, &patches.pulls, progress);
        if let Ok(shares) = &solved {
            let (all, few) = (points.len(), patches.points.len());
            notes.push(format!(
                "{all} points are too many for an exact solution: solved in {few} patches, then smoothed."
            ));
            return patches.refined(shares, network, pulls, progress);
        }
    }
    solved.ok()
}

fn solved(
    points: &[Vec3],
    network: &Network,
    pulls: &WeightSources,
    progress: &Progress,
) -> Result<PointWeights, SolveError> {
    let (piece, count) = network.components();
    let free = free_points(&piece, count, pulls);
    if expected_entries(&free, &piece, count) > MAX_ENTRIES as f64 {
        return Err(SolveError::TooLarge);
    }
    let (order, dissected) = dissection::order(points, network, free);
    progress.check_cancelled().ok_or(SolveError::Cancelled)?;
    let mut number = vec![u32::MAX; points.len()];
    for (at, &point) in order.iter().enumerate() {
        number[point as usize] = at as u32;
    }
    let mut system = Symmetric::default();
    for &point in &order {
        let around = network.around(point as usize);
        let diagonal = around.clone().map(|(_, weight)| weight).sum::<f64>() + pulls.strengths[point as usize];
        let beside = around.map(|(other, weight)| (number[other], -weight)).filter(|(other, _)| *other != u32::MAX);
        system.push(beside, diagonal);
    }
    let factor = Cholesky::factor(&system, &dissected, progress)?;
    let wanted = wanted(network, pulls, &order);
    let bone_count = pulls.shares.rows().flatten().map(|(bone, _)| usize::from(bone) + 1).max().unwrap_or(0);
    progress.enter("Spreading weights", 0, bone_count);
    let blocks = try_ranges((bone_count, LANES), progress, |bones| {
        let first = bones.start;
        let mut values = vec![Lanes::default(); order.len()];
        for (at, value) in values.iter_mut().enumerate() {
            for &(bone, share) in wanted.row(at).iter().filter(|(bone, _)| bones.contains(&usize::from(*bone))) {
                value[usize::from(bone) - first] += share;
            }
        }
        factor.solve(&mut values, progress)?;
        progress.add(bones.len());
        let mut block = PointWeights::none();
        for value in &values {
            let shares = value.iter().enumerate().filter(|(_, share)| **share > MIN_WEIGHT);
            block.push(shares.map(|(lane, share)| ((first + lane) as u16, *share as f32)));
        }
        Some(block)
    });
    let blocks: Vec<PointWeights> = blocks.ok_or(SolveError::Cancelled)?;
    let solved = PointWeights::computed(points.len(), progress, |point, row| match number[point] {
        u32::MAX => row.add(pulls.shares.row(point), 1.0),
        at => {
            for block in &blocks {
                row.add(block.row(at as usize), 1.0);
            }
            row.keep(0.0);
        }
    });
    solved.ok_or(SolveError::Cancelled)
}

/// Returns the points to solve for: those without known weights, in components with pulls.
fn free_points(piece: &[u32], count: usize, pulls: &WeightSources) -> Vec<u32> {
    let mut is_pulled = vec![false; count];
    for (strength, &piece) in pulls.strengths.iter().zip(piece) {
        is_pulled[piece as usize] |= *strength > 0.0;
    }
    let is_free =
        |&point: &u32| is_pulled[piece[point as usize] as usize] && pulls.strengths[point as usize].is_finite();
    (0..piece.len() as u32).filter(is_free).collect()
}

/// Estimates the number of entries in the factor, so that a factor that would be far too large is never started.
fn expected_entries(points: &[u32], piece: &[u32], count: usize) -> f64 {
    let mut sizes = vec![0_u32; count];
    for &point in points {
        sizes[piece[point as usize] as usize] += 1;
    }
    let entries = |&size: &u32| ENTRIES_PER_POINT * f64::from(size) * f64::from(size.max(1)).log2();
    sizes.iter().map(entries).sum()
}

fn wanted(network: &Network, pulls: &WeightSources, order: &[u32]) -> JaggedArray<(u16, f64)> {
    JaggedArray::filled(order.len(), |at, row| {
        let point = order[at] as usize;
        let known = network.around(point).filter(|(other, _)| pulls.strengths[*other].is_infinite());
        for (other, strength) in std::iter::once((point, pulls.strengths[point])).chain(known) {
            row.extend(pulls.shares.row(other).map(|(bone, share)| (bone, f64::from(share) * strength)));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(length: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let points = (0..=length).flat_map(|x| [0.0, 1.0].map(|y| Vec3::new(x as f32, y, 0.0))).collect();
        let squares = (0..length).map(|x| 2 * x);
        (points, squares.flat_map(|a| [[a, a + 2, a + 3], [a, a + 3, a + 1]]).collect())
    }

    #[test]
    fn between_known_ends_shares_fall_evenly() {
        let (mut points, triangles) = strip(200);
        points.push(Vec3::Z);
        let network = Network::new(&points, &triangles, &Progress::default()).unwrap();
        let known =
            |point: usize| [(0, 0), (1, 0), (400, 20), (401, 20)].into_iter().find(|(known, _)| *known == point);
        let strengths = (0..points.len()).map(|point| known(point).map_or(0.0, |_| f64::INFINITY)).collect();
        let rows = (0..points.len()).map(|point| known(point).map(|(_, bone)| (bone, 1.0)).into_iter().collect());
        let pulls = WeightSources { strengths, shares: PointWeights::from_rows(rows) };
        let shares = spread(&points, &network, &pulls, &mut Vec::new(), &Progress::default()).unwrap();
        for (point, place) in points.iter().enumerate().take(402) {
            let row: Vec<(u16, f32)> = shares.row(point).collect();
            let second = place.x / 200.0;
            let of = |bone: u16| row.iter().find(|(b, _)| *b == bone).map_or(0.0, |(_, share)| *share);
            assert!((of(20) - second).abs() < 1e-4 && (of(0) + of(20) - 1.0).abs() < 1e-6, "{point}: {row:?}");
        }
        assert_eq!(shares.row(402).len(), 0, "nothing pulls at a piece of its own");
        assert!(spread(&points, &network, &pulls, &mut Vec::new(), &Progress::cancelled()).is_none());
    }
}
