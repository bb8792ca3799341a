//! Refines any weights: smooths, symmetrises, prunes, limits and normalises, in this order.

mod symmetry;

use super::body::{Body, map_indices};
use super::bone_weights::{PointWeights, Row, normalize};
use super::spec::{WeightResult, WeightingResult};
use super::surface::Network;
use super::vertex_influences::vertex_influences;
use super::weighting::WeightRefinement;
use crate::jobs::Progress;
use crate::rig::{Influences, Rig, WeightSet};
use symmetry::MirroredHalves;

/// Refines the weights of a rig. `None` if cancelled; otherwise the result is the same on every machine.
///
/// Weights that need no change stay bit-identical. Vertices at the same position with equal weights keep equal weights.
pub fn refine(
    rig: &Rig,
    weights: &WeightSet,
    refinement: &WeightRefinement,
    progress: &Progress,
) -> Option<WeightResult> {
    let rig = rig.with_weights(weights);
    let mut computed = WeightResult { weights: WeightSet::from_rig(&rig), notes: Vec::new() };
    if refinement.smoothing == 0 && !refinement.is_symmetric {
        for (mesh, primitive, own) in WeightSet::from_rig(&rig).iter() {
            computed.weights.set(mesh, primitive, trimmed(own, *refinement, progress)?);
        }
        return Some(computed);
    }
    for body in Body::from_rig(&rig, |_| false) {
        let WeightingResult { shares, notes } = refined(&rig, &body, body.shares(&rig), *refinement, false, progress)?;
        computed.notes.extend(notes);
        for part in &body.parts {
            computed.weights.set(part.mesh, part.primitive, vertex_influences(&rig, (&body, part), &shares));
        }
    }
    Some(computed)
}

/// Refines the weights of a body's points. If `evens_halves` is true, also symmetrises a symmetric body and adds a
/// note.
pub(super) fn refined(
    rig: &Rig,
    body: &Body,
    mut shares: PointWeights,
    refinement: WeightRefinement,
    evens_halves: bool,
    progress: &Progress,
) -> Option<WeightingResult> {
    let mut notes = Vec::new();
    if refinement.smoothing > 0 {
        shares = smooth(body, shares, refinement.smoothing, progress)?;
    }
    let mirror = if refinement.is_symmetric {
        MirroredHalves::mirror(rig, body, &mut notes)
    } else if evens_halves {
        MirroredHalves::mirror(rig, body, &mut Vec::new())
    } else {
        None
    };
    let halves = match mirror {
        Some(mirror) => Some(MirroredHalves::new(mirror, body, progress)?),
        None => None,
    };
    let mut halves = halves.filter(|halves| refinement.is_symmetric || halves.are_alike(body));
    if halves.is_some() && !refinement.is_symmetric {
        notes.push("Body and skeleton are symmetric: both halves have the same weights.".to_owned());
    }
    if let Some(halves) = &mut halves {
        shares = halves.mean(body, &shares, &mut notes, progress)?;
    }
    let shares = PointWeights::computed(body.points.len(), progress, |point, row| {
        let trimmed = |point: usize| {
            let mut row: Row = shares.row(point).collect();
            trim(&mut row, refinement);
            row
        };
        row.add(halves.as_ref().map_or_else(|| trimmed(point), |halves| halves.even(point, trimmed)), 1.0);
    })?;
    Some(WeightingResult { shares, notes })
}

/// Prunes and limits influences; returns an unchanged copy if there is nothing to drop.
fn trimmed(own: &Influences, refinement: WeightRefinement, progress: &Progress) -> Option<Influences> {
    let rows = map_indices(own.len(), progress, |vertex| {
        let used = own.vertex(vertex).filter(|(_, weight)| *weight > 0.0);
        let mut row: Vec<(u16, f32)> = used.map(|(joint, weight)| (joint as u16, weight)).collect();
        let is_trimmed = trim(&mut row, refinement);
        (row, is_trimmed)
    })?;
    let (rows, is_trimmed): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    Some(if is_trimmed.contains(&true) { Influences::from_rows(&rows) } else { own.clone() })
}

/// Smoothing drops weights below this, so that rows do not grow without bound.
const MIN_SMOOTHED: f32 = 1e-5;

/// In each step, moves each point's weights halfway to the mean of its neighbours. Cotangent weights make the mean
/// independent of the triangulation.
fn smooth(body: &Body, mut shares: PointWeights, times: u8, progress: &Progress) -> Option<PointWeights> {
    let network = Network::new(&body.points, &body.triangles, progress)?;
    for step in 0..times {
        progress.enter("Smoothing", usize::from(step), usize::from(times));
        shares = PointWeights::computed(network.len(), progress, |point, row| {
            let around = network.around(point);
            if around.len() == 0 {
                return row.add(shares.row(point), 1.0);
            }
            let stiffness: f64 = around.clone().map(|(_, weight)| weight).sum();
            row.add(shares.row(point), 0.5);
            around.for_each(|(other, weight)| row.add(shares.row(other), (0.5 * weight / stiffness) as f32));
            row.keep(MIN_SMOOTHED);
        })?;
    }
    Some(shares)
}

/// Drops influences that are too small or beyond the limit, then normalises; the heaviest influence always stays. Among
/// equal weights, those with lower bone indices stay, so that the order of slots does not matter. Returns false if
/// there is nothing to drop.
fn trim(row: &mut Vec<(u16, f32)>, refinement: WeightRefinement) -> bool {
    let max = refinement.max.map_or(usize::MAX, |max| usize::from(max).max(1));
    if row.len() <= max && row.iter().all(|(_, share)| *share >= refinement.prune) || row.len() < 2 {
        return false;
    }
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let kept = row.iter().take(max).take_while(|(_, share)| *share >= refinement.prune).count();
    row.truncate(kept.max(1));
    normalize(row);
    true
}
