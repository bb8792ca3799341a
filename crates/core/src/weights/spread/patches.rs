//! Approximate solution on patches of points, for meshes too large for an exact one.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::blocks::Blocks;
use super::pulls::WeightSources;
use crate::jobs::Progress;
use crate::rig::JaggedArray;
use crate::weights::bone_weights::PointWeights;
use crate::weights::surface::Network;

/// Smoothing step sizes. None exceeds 1, so weights stay within the range of their inputs. Together they damp
/// point-to-point variation like eight steps of 0.5.
const STEPS: [f64; 4] = [1.0, 1.0, 0.9, 0.5];
/// Minimum weight in a row. Patches are inexact, and without a minimum, each smoothing step would add all bones of the
/// neighbours.
const MIN_WEIGHT: f32 = 1e-3;

pub(super) struct Patches {
    of_point: Vec<u32>,
    /// Mean position of each patch.
    pub points: Vec<Vec3>,
    pub network: Network,
    /// Combined pulls of each patch's points.
    pub pulls: WeightSources,
}

impl Patches {
    pub(super) fn new(
        points: &[Vec3],
        network: &Network,
        pulls: &WeightSources,
        size: usize,
        progress: &Progress,
    ) -> Option<Self> {
        let (of_point, count) = patches(network, size);
        let members = JaggedArray::new(count, (0..).zip(&of_point).map(|(point, &patch): (u32, _)| (patch, point)));
        let middle = |patch: usize| {
            let members = members.row(patch);
            let sum: DVec3 = members.iter().map(|&point| points[point as usize].as_dvec3()).sum();
            (sum / members.len() as f64).as_vec3()
        };
        let middles: Vec<Vec3> = (0..count).into_par_iter().map(middle).collect();
        let of_patch = |patch: usize, joins: &mut Vec<(u32, f64)>| {
            for &point in members.row(patch) {
                for (other, weight) in network.around(point as usize) {
                    let there = of_point[other] as usize;
                    if there != patch {
                        // Weights fall off over the distance between patch centres, not over a single edge.
                        let way = middles[patch].distance(middles[there]);
                        let share = f64::from(points[point as usize].distance(points[other]) / way);
                        let share = if share.is_finite() { share.min(1.0) } else { 1.0 };
                        joins.push((there as u32, weight * share));
                    }
                }
            }
        };
        let network = Network::joined(count, of_patch);
        Some(Self { pulls: combined(&members, count, pulls, progress)?, of_point, network, points: middles })
    }

    pub(super) fn refined(
        &self,
        shares: &PointWeights,
        network: &Network,
        pulls: &WeightSources,
        progress: &Progress,
    ) -> Option<PointWeights> {
        let mut blocks = Blocks::computed(network.len(), progress, |point, sum| {
            if pulls.strengths[point].is_infinite() {
                sum.add_entries(pulls.shares.row(point), 1.0);
            } else {
                sum.add_entries(shares.row(self.of_point[point] as usize), 1.0);
                sum.keep(MIN_WEIGHT);
            }
        })?;
        for step in STEPS {
            blocks = relaxed(&blocks, step, network, pulls, progress)?;
        }
        blocks.shares(network.len(), progress)
    }
}

/// Moves each point's weights by a fraction `step` towards the weighted mean of its neighbours and pulls.
fn relaxed(
    blocks: &Blocks,
    step: f64,
    network: &Network,
    pulls: &WeightSources,
    progress: &Progress,
) -> Option<Blocks> {
    Blocks::computed(network.len(), progress, |point, sum| {
        let (around, strength) = (network.around(point), pulls.strengths[point]);
        let all = around.clone().map(|(_, weight)| weight).sum::<f64>() + strength;
        if !(all > 0.0 && all.is_finite()) || blocks.row(point).len() == 0 {
            return sum.add(blocks.row(point), 1.0);
        }
        let part = |weight: f64| (step * weight / all) as f32;
        if step < 1.0 {
            sum.add(blocks.row(point), (1.0 - step) as f32);
        }
        sum.add_entries(pulls.shares.row(point), part(strength));
        around.for_each(|(other, weight)| sum.add(blocks.row(other), part(weight)));
        sum.keep(MIN_WEIGHT);
    })
}

/// Returns the patch of each point, and the number of patches. Each patch grows from the first unassigned point.
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

/// Combines the pulls of each patch's points; uses only points with known weights if there are any.
fn combined(
    members: &JaggedArray<u32>,
    count: usize,
    pulls: &WeightSources,
    progress: &Progress,
) -> Option<WeightSources> {
    let members = |patch: usize| members.row(patch).iter().map(|&point| point as usize);
    let sum = |patch: usize| members(patch).map(|point| pulls.strengths[point]).sum::<f64>();
    let strengths: Vec<f64> = (0..count).into_par_iter().map(sum).collect();
    let shares = PointWeights::computed(count, progress, |patch, row| {
        let all = strengths[patch];
        let part = |strength: f64| {
            if all.is_infinite() { f32::from(u8::from(strength.is_infinite())) } else { (strength / all) as f32 }
        };
        for point in members(patch).filter(|&point| pulls.strengths[point] > 0.0) {
            row.add(pulls.shares.row(point), part(pulls.strengths[point]));
        }
        row.keep(0.0);
    })?;
    Some(WeightSources { strengths, shares })
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
        let network = Network::new(&points, &triangles, &progress).unwrap();
        let shares = PointWeights::from_rows(points.iter().map(|point| vec![(u16::from(point.x > 3.0), 1.0)]));
        let pulls = WeightSources { strengths: network.areas.clone(), shares };
        let exact = super::super::spread(&points, &network, &pulls, &mut Vec::new(), &progress).unwrap();
        let patches = Patches::new(&points, &network, &pulls, 4, &progress).unwrap();
        assert!(patches.points.len() < points.len() / 3);
        let coarse =
            super::super::spread(&patches.points, &patches.network, &patches.pulls, &mut Vec::new(), &progress)
                .unwrap();
        let refined = patches.refined(&coarse, &network, &pulls, &progress).unwrap();
        let first =
            |shares: &PointWeights, point: usize| shares.row(point).find(|(b, _)| *b == 0).map_or(0.0, |(_, s)| s);
        let errors = (0..points.len()).map(|point| (first(&exact, point) - first(&refined, point)).abs());
        let worst = errors.fold(0.0, f32::max);
        assert!(worst < 0.05, "{worst}");
    }
}
