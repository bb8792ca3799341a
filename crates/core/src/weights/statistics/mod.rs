mod balance;
mod energy;
mod slots;
mod table;
mod weight_numbers;

use std::collections::{BTreeMap, BTreeSet};

pub use table::{JointWeightsJson, WeightNumbersJson};

pub use weight_numbers::{InfluenceStatistics, JointWeightStatistics, StoredWeights, WeightStatistics, WeightSymmetry};

use super::body::Body;
use super::bone_weights::PointWeights;
use super::leak::{leak, leak_score};
use super::regions::Regions;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig};

/// Measures a rig's weights, each primitive once. To measure a [`crate::rig::WeightSet`], pass the result of
/// [`Rig::with_weights`]. `stored` describes faults that import has already fixed. `None` if cancelled; otherwise the
/// result is the same on every machine.
///
/// *Cost*: linear in vertices and triangles, plus the cost of [`leak()`]; runs on all cores.
pub fn weight_statistics(rig: &Rig, stored: StoredWeights, progress: &Progress) -> Option<WeightStatistics> {
    const STEPS: usize = 3;
    progress.check_cancelled()?;
    let bodies = Body::from_rig(rig, |_| false);
    progress.enter("Judging weights", 0, bodies.len() * STEPS);
    let mut found = slots::slots(rig, &bodies, progress)?;
    found.sum_error = found.sum_error.max(stored.sum_error);
    found.without += stored.without;
    let place: BTreeMap<NodeIndex, usize> = (0..).zip(&found.joints).map(|(at, row)| (row.joint, at)).collect();
    let mut balance = balance::BalanceSum::default();
    let (mut leaking, mut points) = (0.0, 0);
    for body in &bodies {
        let shares = body.shares(rig);
        progress.add(1);
        balance.add(balance::balance(rig, body, &shares, progress)?);
        progress.add(1);
        let of_surface = || Some((energy::energies(body, &shares, progress)?, regions(body, &shares, progress)?));
        let (of_surface, leak) = rayon::join(of_surface, || leak(body, &shares, None, progress));
        let ((energies, regions), leak) = (of_surface?, leak?);
        for ((bone, energy), region) in body.bones.iter().zip(energies).zip(regions) {
            let Some(&at) = place.get(&bone.node) else { continue };
            let row = &mut found.joints[at];
            row.energy += energy;
            row.components += region.components;
            row.islands += region.islands;
        }
        leaking += f64::from(leak_score(&leak)) * body.points.len() as f64;
        points += body.points.len();
    }
    found.energy = found.joints.iter().map(|row| row.energy).sum();
    found.islands = found.joints.iter().map(|row| row.islands).sum();
    found.leak = leaking / points.max(1) as f64;
    found.balance = balance.mean();
    Some(found)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RegionCounts {
    components: usize,
    islands: usize,
}

fn regions(body: &Body, shares: &PointWeights, progress: &Progress) -> Option<Vec<RegionCounts>> {
    let pieces = Regions::new(body, shares, progress)?.pieces;
    let mut regions = vec![RegionCounts::default(); body.bones.len()];
    for piece in &pieces {
        regions[usize::from(piece.bone)].components += 1;
        regions[usize::from(piece.bone)].islands += 1;
    }
    for first in pieces.into_iter().collect::<BTreeSet<_>>() {
        regions[usize::from(first.bone)].islands -= 1;
    }
    Some(regions)
}

#[cfg(test)]
mod tests;
