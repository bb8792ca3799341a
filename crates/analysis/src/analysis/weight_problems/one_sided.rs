//! Weights that differ from the opposite side of a symmetric character.

use std::ops::Range;

use super::far_joints::RestBones;
use super::surface::{RestSurface, cross};
use rigscope_core::jobs::{Progress, try_ranges};
use rigscope_core::posing::Symmetry;
use rigscope_core::rig::NodeIndex;
use rigscope_core::weights::TriangleTree;

/// Maximum distance between a mirror image and the opposite surface, relative to the rig's size.
const NEAR: f32 = 0.004;

/// A point is reported if at least this fraction of its weight differs.
pub(super) const MIN_FRACTION: f32 = 0.4;

/// A character counts as symmetric if at least this fraction of its surface has a mirror image.
const MATCHED: f64 = 0.6;

/// Minimum cosine between the mirrored normal of a point and the normal of the opposite surface.
const ALIKE: f32 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OneSided {
    pub point: u32,
    /// Fraction of the weight that differs, 0 to 1.
    pub share: f32,
    /// Joint with more weight here than its partner has on the opposite side.
    pub joint: NodeIndex,
    /// Joint with less weight here than its partner has on the opposite side.
    pub opposite: NodeIndex,
}

/// Finds points whose weights differ from the weights at their mirror image. Of each pair, only the more doubtful
/// side is returned. The list is empty for asymmetric characters.
pub(super) fn one_sided(
    surface: &RestSurface,
    bones: &RestBones,
    symmetry: Option<&Symmetry>,
    size: f32,
    progress: &Progress,
) -> Option<Vec<OneSided>> {
    let Some(symmetry) = symmetry else { return Some(Vec::new()) };
    let is_skinned = |point: u32| surface.is_skinned[point as usize];
    let triangles = surface.triangles.iter().enumerate().filter(|(_, triangle)| is_skinned(triangle[0]));
    let tree = TriangleTree::new(&surface.rest, &surface.triangles, triangles.map(|(number, _)| number));
    progress.check_cancelled()?;
    let normals = surface.normals(&surface.rest);
    let plane = symmetry.plane();
    let compare = |&point: &u32| {
        let place = surface.rest[point as usize];
        let opposite = tree.nearest(plane.mirrored_point(place), NEAR * size)?;
        let triangle = opposite.triangle as u32;
        let normal = cross(surface.corners(triangle, &surface.rest)).normalize_or_zero();
        if plane.mirrored_vector(normals[point as usize]).dot(normal) < ALIKE {
            return None;
        }
        let corners = surface.triangles[triangle as usize].iter().zip(opposite.shares);
        let weights =
            corners.flat_map(|(&corner, share)| surface.weights(corner).iter().map(move |w| (w.0, w.1 * share)));
        let mirrored = weights.map(|(joint, weight)| (symmetry.partner(joint).unwrap_or(joint), weight));
        let own = surface.weights(point);
        let (share, [joint, opposite], farther) = compared(own, mirrored, |joint| bones.distance(joint, place))?;
        // A left or right joint that has weight only here is more doubtful than a centre joint that has no weight
        // here.
        let has_partner = |joint| symmetry.partner(joint).is_some_and(|partner| partner != joint);
        let is_doubted = match (has_partner(joint), has_partner(opposite)) {
            (true, false) => true,
            (false, true) => false,
            _ => farther >= 0.0,
        };
        let share = if is_doubted { share } else { 0.0 };
        Some(OneSided { point, share, joint, opposite })
    };
    let points: Vec<u32> = surface.used_points().filter(|&point| is_skinned(point)).collect();
    let compared = |range: Range<usize>| Some(points[range].iter().filter_map(compare).collect::<Vec<_>>());
    let matched = try_ranges((points.len(), 1 << 10), progress, compared)?.concat();
    let area =
        |points: &mut dyn Iterator<Item = u32>| points.map(|p| f64::from(surface.areas[p as usize])).sum::<f64>();
    let is_symmetric =
        area(&mut matched.iter().map(|found| found.point)) >= MATCHED * area(&mut points.iter().copied());
    Some(matched.into_iter().filter(|found| is_symmetric && found.share >= MIN_FRACTION).collect())
}

/// Returns the fraction of the weight that differs, the joints with the largest surplus and deficit on this side, and
/// how much larger the mean distance to the joints is on this side than on the other side, in metres. `None` if there
/// are no weights.
fn compared(
    own: &[(NodeIndex, f32)],
    mirrored: impl Iterator<Item = (NodeIndex, f32)>,
    distance: impl Fn(NodeIndex) -> f32,
) -> Option<(f32, [NodeIndex; 2], f32)> {
    let mut more: Vec<(NodeIndex, f32)> = own.to_vec();
    for (joint, weight) in mirrored {
        match more.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, left)) => *left -= weight,
            None => more.push((joint, -weight)),
        }
    }
    let share = more.iter().map(|(_, left)| left.abs()).sum::<f32>() / 2.0;
    // Common weights have equal distances on both sides and cancel.
    let farther: f32 = more.iter().map(|(joint, left)| left * distance(*joint)).sum();
    let by_weight = |a: &&(NodeIndex, f32), b: &&(NodeIndex, f32)| a.1.total_cmp(&b.1);
    let joints = [more.iter().max_by(by_weight)?.0, more.iter().min_by(by_weight)?.0];
    Some((share, joints, farther))
}
