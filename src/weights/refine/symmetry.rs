//! The same weights on both halves of a body.

use crate::jobs::Progress;
use crate::posing::Symmetry;
use crate::rig::Rig;
use crate::weights::body::Body;
use crate::weights::mirror::BodyMirror;
use crate::weights::shares::Shares;
use crate::weights::surface::TriangleTree;

/// The surface on the other half lies within this share of the body's size of where it would be.
const TOLERANCE: f32 = 0.005;

/// Of each point the mean of its own shares and those of its mirror image on the surface, with the bones of the other side. Points without image keep
/// theirs, which is told. `None` where the job was cancelled.
pub(super) fn symmetric(
    rig: &Rig,
    body: &Body,
    shares: Shares,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<Shares> {
    let Some(mirror) = Symmetry::found(rig).and_then(|symmetry| BodyMirror::new(body, &symmetry)) else {
        notes.push("No joints stand left and right of each other: weights are not made symmetric.".to_owned());
        return Some(shares);
    };
    let tree = TriangleTree::new(&body.points, &body.triangles, 0..body.triangles.len());
    let reach = TOLERANCE * body.size();
    let rows = body.by_point_number(progress, |number, point| {
        let own = shares.row(number);
        let Some(image) = tree.nearest(mirror.image(point), reach) else { return (own.collect(), false) };
        let corners = body.triangles[image.triangle].iter().zip(image.shares);
        let opposite = Shares::mixed(corners.map(|(&corner, share)| (shares.row(corner as usize), share)));
        let mirrored: Vec<(u16, f32)> =
            opposite.into_iter().map(|(bone, share)| (mirror.partner(bone).unwrap_or(bone), share)).collect();
        let own: Vec<(u16, f32)> = own.collect();
        (Shares::mixed([own, mirrored].into_iter().map(|row| (row.into_iter(), 0.5))), true)
    })?;
    let kept = rows.iter().filter(|(_, has_image)| !has_image).count();
    if kept > 0 {
        notes.push(format!(
            "{kept} of {} points have no surface opposite of them and keep their own weights.",
            body.points.len()
        ));
    }
    Some(Shares::from_rows(rows.into_iter().map(|(row, _)| row)))
}
