//! Weights smoothed along the surface.

use rayon::prelude::*;

use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::shares::{Shares, normalize};
use crate::weights::surface::Network;

/// Points between two questions whether to go on.
const CHUNK: usize = 1024;
/// Smaller shares are left out, so that rows do not grow without end.
const LEAST: f32 = 1e-5;

/// Takes each point half-way to the mean of its neighbours, so many times. The neighbours count by the cotangent weights of the surface, so that the shape
/// counts and not its triangles; nothing passes through the air. `None` where the job was cancelled.
pub(super) fn smooth(body: &Body, mut shares: Shares, times: u8, progress: &Progress) -> Option<Shares> {
    let network = Network::of(&body.points, &body.triangles, progress)?;
    for step in 0..times {
        progress.enter("Smoothing", usize::from(step), usize::from(times));
        let chunks = (0..network.len()).into_par_iter().step_by(CHUNK).map(|first| {
            progress.go_on()?;
            let points = first..network.len().min(first + CHUNK);
            Some(points.map(|point| smoothed(&network, &shares, point)).collect::<Vec<_>>())
        });
        let rows = chunks.collect::<Option<Vec<_>>>()?;
        shares = Shares::from_rows(rows.into_iter().flatten());
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
