//! Groups points of a network into patches where there are too many for an exact solution.

use glam::{DVec3, Vec3};

use super::pull::Pull;
use crate::jobs::Progress;
use crate::weights::body::by_number;
use crate::weights::shares::{Shares, normalize};
use crate::weights::surface::Network;

/// Number of times that the patches' solution is smoothed on the points.
const STEPS: usize = 8;
/// Smaller shares are dropped: patches are not that exact, and each step brings in all bones of the neighbours.
const LEAST: f32 = 1e-3;

/// A network of patches of connected points.
pub(super) struct Patches {
    of_point: Vec<u32>,
    /// The mean of each patch's points.
    pub points: Vec<Vec3>,
    pub network: Network,
    /// Pull of each patch, combined from those of its points.
    pub pulls: Vec<Pull>,
}

impl Patches {
    /// Patches of at most `size` points.
    pub(super) fn of(points: &[Vec3], network: &Network, pulls: &[Pull], size: usize) -> Self {
        let (of_point, count) = patches(network, size);
        let mut sums = vec![(DVec3::ZERO, 0.0); count];
        let mut members = vec![Vec::new(); count];
        for (point, &patch) in of_point.iter().enumerate() {
            let (sum, number) = &mut sums[patch as usize];
            *sum += points[point].as_dvec3();
            *number += 1.0;
            members[patch as usize].push(&pulls[point]);
        }
        let middles: Vec<Vec3> = sums.into_iter().map(|(sum, number)| (sum / number).as_vec3()).collect();
        let mut joins = Vec::new();
        for (point, &patch) in of_point.iter().enumerate() {
            for (other, weight) in network.around(point).filter(|(other, _)| of_point[*other] != patch) {
                let there = of_point[other];
                // Between patches a weight falls off over the distance of their middles, not over a single edge.
                let way = middles[patch as usize].distance(middles[there as usize]);
                let share = f64::from(points[point].distance(points[other]) / way);
                let share = if share.is_finite() { share.min(1.0) } else { 1.0 };
                joins.push((patch, there, weight * share));
            }
        }
        let pulls = members.iter().map(|members| pull(members)).collect();
        Self { of_point, network: Network::of_joins(count, joins), points: middles, pulls }
    }

    /// The shares of points from those of the patches. `None` if cancelled.
    pub(super) fn refined(
        &self,
        shares: &Shares,
        network: &Network,
        pulls: &[Pull],
        progress: &Progress,
    ) -> Option<Shares> {
        let of_point = |point: usize| match &pulls[point] {
            Pull { strength, shares } if strength.is_infinite() => shares.clone(),
            _ => kept(shares.row(self.of_point[point] as usize).collect()),
        };
        let mut shares = Shares::from_rows((0..network.len()).map(of_point));
        for _ in 0..STEPS {
            let rows = by_number(network.len(), progress, |point| relaxed(&shares, network, &pulls[point], point))?;
            shares = Shares::from_rows(rows);
        }
        Some(shares)
    }
}

/// Moves a point's shares half-way to what its neighbours and its pull suggest.
fn relaxed(shares: &Shares, network: &Network, pull: &Pull, point: usize) -> Vec<(u16, f32)> {
    let around = network.around(point);
    let all = around.clone().map(|(_, weight)| weight).sum::<f64>() + pull.strength;
    if !(all > 0.0 && all.is_finite()) || shares.row(point).len() == 0 {
        return shares.row(point).collect();
    }
    let part = |weight: f64| (0.5 * weight / all) as f32;
    let own = shares.row(point).map(|(bone, share)| (bone, share * 0.5));
    let pulled = pull.shares.iter().map(|&(bone, share)| (bone, share * part(pull.strength)));
    let joined = around.flat_map(|(other, weight)| shares.row(other).map(move |(b, share)| (b, share * part(weight))));
    kept(Shares::mixed(std::iter::once((own.chain(pulled).chain(joined), 1.0))))
}

/// The entries of a row that are kept, in no more memory than they need.
fn kept(mut row: Vec<(u16, f32)>) -> Vec<(u16, f32)> {
    row.retain(|(_, share)| *share >= LEAST);
    row.shrink_to_fit();
    normalize(&mut row);
    row
}

/// The patch of each point, each grown from the first point without one, and the number of patches.
fn patches(network: &Network, size: usize) -> (Vec<u32>, usize) {
    let mut patch = vec![u32::MAX; network.len()];
    let mut count = 0;
    for seed in 0..network.len() {
        if patch[seed] != u32::MAX {
            continue;
        }
        patch[seed] = count;
        let mut members = vec![seed];
        let mut at = 0;
        while at < members.len() && members.len() < size {
            for (other, _) in network.around(members[at]) {
                if patch[other] == u32::MAX && members.len() < size {
                    patch[other] = count;
                    members.push(other);
                }
            }
            at += 1;
        }
        count += 1;
    }
    (patch, count as usize)
}

/// Combined pull of all members; of those with known shares alone, if there are any.
fn pull(members: &[&Pull]) -> Pull {
    let is_known = members.iter().any(|pull| pull.strength.is_infinite());
    let weight = |pull: &Pull| if is_known { f64::from(u8::from(pull.strength.is_infinite())) } else { pull.strength };
    let sum: f64 = members.iter().map(|pull| weight(pull)).sum();
    let rows = members.iter().filter(|pull| weight(pull) > 0.0);
    let shares = Shares::mixed(rows.map(|pull| (pull.shares.iter().copied(), (weight(pull) / sum) as f32)));
    Pull { strength: if is_known { f64::INFINITY } else { sum }, shares }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_come_near_to_the_exact_solution() {
        let (rings, sides) = (60_u32, 24_u32);
        let at = |ring: u32, side: u32| ring * sides + side % sides;
        let place = |number: u32| {
            let angle = (number % sides) as f32 / sides as f32 * std::f32::consts::TAU;
            Vec3::new((number / sides) as f32 * 0.1, angle.cos(), angle.sin())
        };
        let points: Vec<Vec3> = (0..(rings + 1) * sides).map(place).collect();
        let squares = (0..rings).flat_map(|ring| (0..sides).map(move |side| (ring, side)));
        let triangles: Vec<[u32; 3]> = squares
            .flat_map(|(r, s)| [[at(r, s), at(r + 1, s), at(r + 1, s + 1)], [at(r, s), at(r + 1, s + 1), at(r, s + 1)]])
            .collect();
        let progress = Progress::default();
        let network = Network::of(&points, &triangles, &progress).unwrap();
        let pull =
            |(point, area): (&Vec3, &f64)| Pull { strength: *area, shares: vec![(u16::from(point.x > 3.0), 1.0)] };
        let pulls: Vec<Pull> = points.iter().zip(&network.areas).map(pull).collect();
        let exact = super::super::spread(&points, &network, &pulls, &mut Vec::new(), &progress).unwrap();
        let patches = Patches::of(&points, &network, &pulls, 4);
        assert!(patches.points.len() < points.len() / 3);
        let coarse =
            super::super::spread(&patches.points, &patches.network, &patches.pulls, &mut Vec::new(), &progress)
                .unwrap();
        let refined = patches.refined(&coarse, &network, &pulls, &progress).unwrap();
        let first = |shares: &Shares, point: usize| shares.row(point).find(|(b, _)| *b == 0).map_or(0.0, |(_, s)| s);
        let errors = (0..points.len()).map(|point| (first(&exact, point) - first(&refined, point)).abs());
        let worst = errors.fold(0.0, f32::max);
        assert!(worst < 0.05, "{worst}");
    }
}
