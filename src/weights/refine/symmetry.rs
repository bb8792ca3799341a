//! The same weights on both halves of a body.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::jobs::Progress;
use crate::posing::{Plane, Symmetry};
use crate::rig::{NodeIndex, Rig};
use crate::weights::body::{Body, BodyBone};
use crate::weights::shares::Shares;
use crate::weights::surface::TriangleTree;

/// The surface on the other half lies within this share of the body's size of where it would be.
const TOLERANCE: f32 = 0.005;
/// Cosine from which a plane lies along an axis.
const ALONG_AXIS: f32 = 0.999;

/// Of each point the mean of its own shares and those of its mirror image on the surface, with the bones of the other side. Points without image keep
/// theirs, which is told. `None` where the job was cancelled.
pub(super) fn symmetric(
    rig: &Rig,
    body: &Body,
    shares: Shares,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<Shares> {
    let partners = Symmetry::found(rig).map(|symmetry| partners(body, &symmetry)).unwrap_or_default();
    let Some(plane) = plane(&body.bones, &partners) else {
        notes.push("No joints stand left and right of each other: weights are not made symmetric.".to_owned());
        return Some(shares);
    };
    let tree = TriangleTree::new(&body.points, &body.triangles, 0..body.triangles.len());
    let reach = TOLERANCE * body.size();
    let rows = body.by_point_number(progress, |number, point| {
        let own = shares.row(number);
        let Some(image) = tree.nearest(plane.mirrored_point(point), reach) else { return (own.collect(), false) };
        let corners = body.triangles[image.triangle].iter().zip(image.shares);
        let opposite = Shares::mixed(corners.map(|(&corner, share)| (shares.row(corner as usize), share)));
        let mirrored: Vec<(u16, f32)> =
            opposite.into_iter().map(|(bone, share)| (partners[usize::from(bone)], share)).collect();
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

/// The bone opposite of each; itself where there is none.
fn partners(body: &Body, symmetry: &Symmetry) -> Vec<u16> {
    let number: BTreeMap<NodeIndex, u16> = (0..).zip(&body.bones).map(|(at, bone)| (bone.node, at)).collect();
    let partner = |own: u16, bone: &BodyBone| {
        symmetry.partner(bone.node).and_then(|partner| number.get(&partner).copied()).unwrap_or(own)
    };
    (0..).zip(&body.bones).map(|(own, bone)| partner(own, bone)).collect()
}

/// Half-way between the bones and their partners as they were bound, which need not be as they are at rest. `None` without any.
fn plane(bones: &[BodyBone], partners: &[u16]) -> Option<Plane> {
    let head = |bone: &BodyBone| bone.segments.first().map_or(Vec3::ZERO, |segment| segment.head);
    let pairs = bones.iter().zip(partners).map(|(bone, &partner)| [head(bone), head(&bones[usize::from(partner)])]);
    let pairs: Vec<[Vec3; 2]> = pairs.filter(|[a, b]| a.is_finite() && b.is_finite() && a != b).collect();
    let widest = pairs.iter().map(|[a, b]| *a - *b).max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    let turned = pairs.iter().map(|[a, b]| (*a - *b) * widest.dot(*a - *b).signum());
    let normal = turned.sum::<Vec3>().try_normalize()?;
    let axis = Vec3::AXES.into_iter().find(|axis| axis.dot(normal).abs() > ALONG_AXIS);
    let normal = axis.unwrap_or(normal);
    let middle: f32 = pairs.iter().map(|[a, b]| normal.dot((*a + *b) * 0.5)).sum();
    Some(Plane { normal, offset: middle / pairs.len() as f32 })
}
