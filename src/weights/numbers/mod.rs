//! How good weights are, in numbers: those of a file and computed ones alike.
//!
//! | file | says |
//! | --- | --- |
//! | `slots` | of vertices: influences, sums, what each joint moves |
//! | `energy` | how smoothly the weights of each joint change over the surface |
//! | `locality` | into how many pieces the region of each joint falls |
//! | `balance` | how far the two halves of a symmetric body differ |
//! | `table` | all of it as CSV and JSON |

mod balance;
mod energy;
mod found;
mod locality;
mod slots;
mod table;

use std::collections::BTreeMap;

pub use found::{Balance, InfluenceNumbers, JointNumbers, StoredWeights, WeightNumbers};

use super::body::Body;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Rig};

/// Judges the weights that a rig has, each primitive once; those of a [`crate::rig::WeightSet`] as [`Rig::with_weights`] has them. `stored` is what is known of
/// the weights before import put them right. `None` where the job was cancelled.
///
/// *Cost*: linear in vertices and triangles, on all cores; the same numbers on every machine.
pub fn numbers(rig: &Rig, stored: StoredWeights, progress: &Progress) -> Option<WeightNumbers> {
    /// Of each body: shares, energy, locality, balance.
    const STEPS: usize = 4;
    progress.go_on()?;
    let bodies = Body::of(rig, |_| false);
    progress.enter("Judging weights", 0, bodies.len() * STEPS);
    let mut found = slots::slots(rig, &bodies, progress)?;
    found.sum_error = found.sum_error.max(stored.sum_error);
    found.without += stored.without;
    let place: BTreeMap<NodeIndex, usize> = (0..).zip(&found.joints).map(|(at, row)| (row.joint, at)).collect();
    let mut balance = balance::Sum::default();
    for body in &bodies {
        let shares = body.shares(rig);
        progress.add(1);
        let energies = energy::energies(body, &shares, progress)?;
        progress.add(1);
        let regions = locality::regions(body, &shares, progress)?;
        progress.add(1);
        for ((bone, energy), region) in body.bones.iter().zip(energies).zip(regions) {
            let Some(&at) = place.get(&bone.node) else { continue };
            let row = &mut found.joints[at];
            row.energy += energy;
            row.pieces += region.pieces;
            row.islands += region.islands;
        }
        balance.add(balance::balance(rig, body, &shares, progress)?);
        progress.add(1);
    }
    found.energy = found.joints.iter().map(|row| row.energy).sum();
    found.islands = found.joints.iter().map(|row| row.islands).sum();
    found.balance = balance.mean();
    Some(found)
}

#[cfg(test)]
mod tests;
