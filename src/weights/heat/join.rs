//! Joins points that no weight reached to the nearest surface that has some.

use glam::Vec3;

use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::shares::Shares;
use crate::weights::surface::TriangleTree;

/// Gives each point without shares those of the nearest place with some, so that a buckle follows the belt under it. `None` if cancelled.
pub(super) fn join(body: &Body, shares: &Shares, progress: &Progress) -> Option<Shares> {
    let has_shares = |point: &u32| shares.row(*point as usize).len() > 0;
    let weighted = (0..body.triangles.len()).filter(|&t| body.triangles[t].iter().all(has_shares));
    let tree = TriangleTree::new(&body.points, &body.triangles, weighted);
    let rows = body.by_point_number(progress, |number, point| {
        if shares.row(number).len() > 0 { shares.row(number).collect() } else { nearest(body, shares, &tree, point) }
    })?;
    Some(Shares::from_rows(rows))
}

fn nearest(body: &Body, shares: &Shares, tree: &TriangleTree, point: Vec3) -> Vec<(u16, f32)> {
    let Some(place) = tree.nearest(point, f32::INFINITY) else {
        let nearest = body.distances(point).min_by(|a, b| a.1.total_cmp(&b.1));
        return nearest.map(|(bone, _)| (bone, 1.0)).into_iter().collect();
    };
    let corners = body.triangles[place.triangle].iter().zip(place.shares);
    Shares::mixed(corners.map(|(&corner, share)| (shares.row(corner as usize), share)))
}
