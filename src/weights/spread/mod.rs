//! Spreads weights over a surface from where they are known: the smoothest weights that yield to every pull.
//!
//! For each bone, the shares `x` of the points minimise `Σ w_ij (x_i - x_j)² + Σ s_i (x_i - p_i)²`, with `w` of the [`Network`], and strength `s` and
//! shares `p` of the [`Pull`]s. Since all `w` are positive, shares are not negative and sum to 1 where those of the pulls do.

mod cholesky;
mod dissection;
mod patches;
mod pull;

use glam::Vec3;
use rayon::prelude::*;

use super::shares::{Shares, normalize};
use super::surface::Network;
use crate::jobs::Progress;
use cholesky::{Cholesky, LANES, Lanes, Symmetric, Unsolved};
use patches::Patches;
pub(super) use pull::Pull;

/// Smaller shares are dropped: they are below the rounding of a file's weights.
const LEAST: f64 = 1e-5;

/// Number of points joined to a patch where a factor for all is too large; repeated if need be.
const TOGETHER: usize = 4;

/// Shares of all points, empty where nothing pulls at a piece of the surface. `None` if cancelled.
///
/// *Cost*: one sparse Cholesky factor and a solution for each bone, within 200 MB for the factor. For more points than this allows, patches of points
/// are solved for and the result is smoothed, which is noted.
pub(super) fn spread(
    points: &[Vec3],
    network: &Network,
    pulls: &[Pull],
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<Shares> {
    let mut size = TOGETHER;
    let mut solved = solved(points, network, pulls, progress);
    while solved == Err(Unsolved::TooLarge) {
        let patches = Patches::of(points, network, pulls, size);
        size *= TOGETHER;
        solved = self::solved(&patches.points, &patches.network, &patches.pulls, progress);
        if let Ok(shares) = &solved {
            let (all, few) = (points.len(), patches.points.len());
            notes.push(format!(
                "{all} points are too many to spread weights over at once: {few} patches of them are, then smoothed."
            ));
            return patches.refined(shares, network, pulls, progress);
        }
    }
    solved.ok()
}

fn solved(points: &[Vec3], network: &Network, pulls: &[Pull], progress: &Progress) -> Result<Shares, Unsolved> {
    let free = free_points(network, pulls);
    let order = dissection::order(points, network, free);
    progress.go_on().ok_or(Unsolved::Cancelled)?;
    let mut number = vec![u32::MAX; points.len()];
    for (at, &point) in order.iter().enumerate() {
        number[point as usize] = at as u32;
    }
    let mut system = Symmetric::default();
    for (at, &point) in order.iter().enumerate() {
        let around = network.around(point as usize);
        let diagonal = around.clone().map(|(_, weight)| weight).sum::<f64>() + pulls[point as usize].strength;
        let before = around.map(|(other, weight)| (number[other], -weight)).filter(|(other, _)| *other < at as u32);
        system.push(before, diagonal);
    }
    let factor = Cholesky::of(&system, progress)?;
    let wanted = wanted(network, pulls, &order);
    let bone_count = wanted.iter().flatten().map(|(bone, _)| usize::from(*bone) + 1).max().unwrap_or(0);
    progress.enter("Spreading weights", 0, bone_count);
    let blocks = (0..bone_count).into_par_iter().step_by(LANES).map(|first| {
        progress.go_on()?;
        let mut values = vec![Lanes::default(); order.len()];
        for (value, wanted) in values.iter_mut().zip(&wanted) {
            for (bone, share) in wanted.iter().filter(|(bone, _)| (first..first + LANES).contains(&usize::from(*bone)))
            {
                value[usize::from(*bone) - first] += share;
            }
        }
        factor.solve(&mut values, progress)?;
        progress.add(LANES);
        Some(Shares::from_rows(values.iter().map(|value| {
            let shares = value.iter().enumerate().filter(|(_, share)| **share > LEAST);
            shares.map(|(lane, share)| ((first + lane) as u16, *share as f32)).collect()
        })))
    });
    let blocks: Vec<Shares> = blocks.collect::<Option<_>>().ok_or(Unsolved::Cancelled)?;
    let row = |point: usize| {
        if number[point] == u32::MAX {
            return pulls[point].shares.clone();
        }
        let mut row: Vec<(u16, f32)> = blocks.iter().flat_map(|block| block.row(number[point] as usize)).collect();
        normalize(&mut row);
        row
    };
    Ok(Shares::from_rows((0..points.len()).map(row)))
}

/// Points without known shares on pieces that something pulls at.
fn free_points(network: &Network, pulls: &[Pull]) -> Vec<u32> {
    let (piece, count) = network.pieces();
    let mut is_pulled = vec![false; count];
    for (pull, &piece) in pulls.iter().zip(&piece) {
        is_pulled[piece as usize] |= pull.strength > 0.0;
    }
    let is_free =
        |&point: &u32| is_pulled[piece[point as usize] as usize] && pulls[point as usize].strength.is_finite();
    (0..network.len() as u32).filter(is_free).collect()
}

/// The right-hand side of each free point, by bone.
fn wanted(network: &Network, pulls: &[Pull], order: &[u32]) -> Vec<Vec<(u16, f64)>> {
    let of_point = |&point: &u32| {
        let pull = &pulls[point as usize];
        let known = network.around(point as usize).map(|(other, weight)| (&pulls[other], weight));
        let known = known.filter(|(pull, _)| pull.strength.is_infinite());
        let all = std::iter::once((pull, pull.strength)).chain(known).filter(|(_, strength)| *strength > 0.0);
        all.flat_map(|(pull, strength)| pull.shares.iter().map(move |&(bone, s)| (bone, f64::from(s) * strength)))
            .collect()
    };
    order.iter().map(of_point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of squares along x.
    fn strip(length: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let points = (0..=length).flat_map(|x| [0.0, 1.0].map(|y| Vec3::new(x as f32, y, 0.0))).collect();
        let squares = (0..length).map(|x| 2 * x);
        (points, squares.flat_map(|a| [[a, a + 2, a + 3], [a, a + 3, a + 1]]).collect())
    }

    fn known(bone: u16) -> Pull {
        Pull { strength: f64::INFINITY, shares: vec![(bone, 1.0)] }
    }

    #[test]
    fn between_known_ends_shares_fall_evenly() {
        let (mut points, triangles) = strip(200);
        points.push(Vec3::Z);
        let network = Network::of(&points, &triangles, &Progress::default()).unwrap();
        let mut pulls = vec![Pull::default(); points.len()];
        (pulls[0], pulls[1], pulls[400], pulls[401]) = (known(0), known(0), known(20), known(20));
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
