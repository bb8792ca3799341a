//! Refines any weights: smoothed, made symmetric, pruned, limited and normalised, in this order; then both halves drop the same influences.

mod smooth;
mod symmetry;
mod trim;

use super::body::{Body, by_number};
use super::computed::Computed;
use super::of_vertices::{of_rows, of_vertices};
use super::recipe::Refinement;
use super::shares::{Row, Shares};
use super::spec::MadeShares;
use crate::jobs::Progress;
use crate::rig::{Influences, Rig, WeightSet};
use smooth::smooth;
use symmetry::Halves;
use trim::trim;

/// The refined weights of a rig with those of a set; the same on every machine.
///
/// Weights with nothing to refine stay equal to the bit; vertices at one position that had equal weights have equal weights again. `None` if cancelled.
pub fn refine(rig: &Rig, weights: &WeightSet, refinement: &Refinement, progress: &Progress) -> Option<Computed> {
    let rig = rig.with_weights(weights);
    let mut computed = Computed { weights: WeightSet::from_rig(&rig), notes: Vec::new() };
    if refinement.smoothing == 0 && !refinement.is_symmetric {
        for (mesh, primitive, own) in WeightSet::from_rig(&rig).iter() {
            computed.weights.set(mesh, primitive, trimmed(own, *refinement, progress)?);
        }
        return Some(computed);
    }
    for body in Body::of(&rig, |_| false) {
        let MadeShares { shares, notes } = refined(&rig, &body, body.shares(&rig), *refinement, false, progress)?;
        computed.notes.extend(notes);
        for part in &body.parts {
            computed.weights.set(part.mesh, part.primitive, of_vertices(&rig, (&body, part), &shares));
        }
    }
    Some(computed)
}

/// Refined shares of the points of a body. Where `evens_halves` is true and body and skeleton are symmetric, both halves get the same shares, which
/// is noted. `None` if cancelled.
pub(super) fn refined(
    rig: &Rig,
    body: &Body,
    mut shares: Shares,
    refinement: Refinement,
    evens_halves: bool,
    progress: &Progress,
) -> Option<MadeShares> {
    let mut notes = Vec::new();
    if refinement.smoothing > 0 {
        shares = smooth(body, shares, refinement.smoothing, progress)?;
    }
    let mirror = if refinement.is_symmetric {
        Halves::mirror(rig, body, &mut notes)
    } else if evens_halves {
        Halves::mirror(rig, body, &mut Vec::new())
    } else {
        None
    };
    let halves = match mirror {
        Some(mirror) => Some(Halves::new(mirror, body, progress)?),
        None => None,
    };
    let mut halves = halves.filter(|halves| refinement.is_symmetric || halves.are_alike(body));
    if halves.is_some() && !refinement.is_symmetric {
        notes.push("Body and skeleton are symmetric: both halves have the same weights.".to_owned());
    }
    if let Some(halves) = &mut halves {
        shares = halves.mean(body, &shares, &mut notes, progress)?;
    }
    let shares = Shares::made(body.points.len(), progress, |point, row| {
        let trimmed = |point: usize| {
            let mut row: Row = shares.row(point).collect();
            trim(&mut row, refinement);
            row
        };
        row.add(halves.as_ref().map_or_else(|| trimmed(point), |halves| halves.even(point, trimmed)), 1.0);
    })?;
    Some(MadeShares { shares, notes })
}

/// Influences pruned and limited; unchanged where there is nothing to leave out. `None` if cancelled.
fn trimmed(own: &Influences, refinement: Refinement, progress: &Progress) -> Option<Influences> {
    let rows = by_number(own.len(), progress, |vertex| {
        let used = own.of(vertex).filter(|(_, weight)| *weight > 0.0);
        let mut row: Vec<(u16, f32)> = used.map(|(joint, weight)| (joint as u16, weight)).collect();
        let is_trimmed = trim(&mut row, refinement);
        (row, is_trimmed)
    })?;
    let (rows, is_trimmed): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    Some(if is_trimmed.contains(&true) { of_rows(&rows) } else { own.clone() })
}
