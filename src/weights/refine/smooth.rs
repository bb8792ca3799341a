//! Weights smoothed along the surface.

use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::shares::Shares;
use crate::weights::surface::Network;

/// Smaller shares are dropped, so that rows do not grow without end.
const LEAST: f32 = 1e-5;

/// Moves each point half-way to the mean of its neighbours, `times` times. Neighbours are weighted by cotangents, so that the shape counts and not
/// its triangulation; nothing passes through the air. `None` if cancelled.
pub(super) fn smooth(body: &Body, mut shares: Shares, times: u8, progress: &Progress) -> Option<Shares> {
    let network = Network::of(&body.points, &body.triangles, progress)?;
    for step in 0..times {
        progress.enter("Smoothing", usize::from(step), usize::from(times));
        shares = Shares::made(network.len(), progress, |point, row| {
            let around = network.around(point);
            if around.len() == 0 {
                return row.add(shares.row(point), 1.0);
            }
            let stiffness: f64 = around.clone().map(|(_, weight)| weight).sum();
            row.add(shares.row(point), 0.5);
            around.for_each(|(other, weight)| row.add(shares.row(other), (0.5 * weight / stiffness) as f32));
            row.keep(LEAST);
        })?;
    }
    Some(shares)
}
