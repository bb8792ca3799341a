//! Joins points that no weight reached to the nearest surface that has some.

use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::shares::Shares;
use crate::weights::surface::TriangleTree;

/// Gives each point without shares those of the nearest place with some, so that a buckle follows the belt under it. `None` if cancelled.
pub(super) fn join(body: &Body, shares: Shares, progress: &Progress) -> Option<Shares> {
    let has_shares = |point: &u32| shares.row(*point as usize).len() > 0;
    if (0..body.points.len() as u32).all(|point| has_shares(&point)) {
        return Some(shares);
    }
    let weighted = (0..body.triangles.len()).filter(|&t| body.triangles[t].iter().all(has_shares));
    let tree = TriangleTree::new(&body.points, &body.triangles, weighted);
    Shares::made(body.points.len(), progress, |number, row| {
        let point = body.points[number];
        if shares.row(number).len() > 0 {
            row.add(shares.row(number), 1.0);
        } else if let Some(place) = tree.nearest(point, f32::INFINITY) {
            let corners = body.triangles[place.triangle].iter().zip(place.shares);
            corners.for_each(|(&corner, share)| row.add(shares.row(corner as usize), share));
        } else {
            let nearest = body.distances(point).min_by(|a, b| a.1.total_cmp(&b.1));
            row.add(nearest.map(|(bone, _)| (bone, 1.0)), 1.0);
        }
    })
}
