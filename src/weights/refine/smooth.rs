//! Weights smoothed along the surface.

use crate::jobs::Progress;
use crate::weights::body::{Body, by_number};
use crate::weights::shares::{Shares, normalize};
use crate::weights::surface::Network;

/// Smaller shares are dropped, so that rows do not grow without end.
const LEAST: f32 = 1e-5;

/// Moves each point half-way to the mean of its neighbours, `times` times. Neighbours are weighted by cotangents, so that the shape counts and not
/// its triangulation; nothing passes through the air. `None` if cancelled.
pub(super) fn smooth(body: &Body, mut shares: Shares, times: u8, progress: &Progress) -> Option<Shares> {
    let network = Network::of(&body.points, &body.triangles, progress)?;
    for step in 0..times {
        progress.enter("Smoothing", usize::from(step), usize::from(times));
        let rows = by_number(network.len(), progress, |point| smoothed(&network, &shares, point))?;
        shares = Shares::from_rows(rows);
    }
    Some(shares)
}

fn smoothed(network: &Network, shares: &Shares, point: usize) -> Vec<(u16, f32)> {
    let around = network.around(point);
    let stiffness: f64 = around.clone().map(|(_, weight)| weight).sum();
    if around.len() == 0 {
        return shares.row(point).collect();
    }
    let neighbours = around.map(|(other, weight)| (shares.row(other), (0.5 * weight / stiffness) as f32));
    let mut row = Shares::mixed(std::iter::once((shares.row(point), 0.5)).chain(neighbours));
    row.retain(|(_, share)| *share >= LEAST);
    normalize(&mut row);
    row
}
