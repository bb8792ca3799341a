use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec3;

use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::surface::{TriangleTree, normals};

pub(in crate::weights) const MAX_TRIED_BONES: usize = 8;
const EQUALLY_NEAR: f32 = 1e-4;
/// A bone counts as inside if the sine of its elevation above the surface is at most this; the margin allows for
/// inexact normals at edges.
pub(in crate::weights) const GRAZING: f32 = 0.17;

#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct VisibleBones {
    /// Equally near bones, at least one.
    pub bones: Vec<u16>,
    /// Metres.
    pub distance: f32,
}

/// Finds the nearest bones that each point sees; `piece` maps points to components.
pub(super) fn seen(
    body: &Body,
    piece: &[u32],
    pieces: usize,
    progress: &Progress,
) -> Option<Vec<Option<VisibleBones>>> {
    let tree = TriangleTree::new(&body.points, &body.triangles, 0..body.triangles.len());
    let outward = outward(body, piece, pieces, progress)?;
    let sights = body.by_point_number(progress, |number, point| {
        let is_seen = |target: Vec3| {
            let way = target - point;
            way.dot(outward[number]) <= GRAZING * way.length() && !tree.is_crossed(point, target)
        };
        nearest_where(body, point, is_seen)
    })?;
    Some(sights)
}

/// Returns the nearest bones regardless of occlusion; `None` if the point is not finite.
pub(super) fn nearest(body: &Body, point: Vec3) -> Option<VisibleBones> {
    nearest_where(body, point, |_| true)
}

fn nearest_where(body: &Body, point: Vec3, is_seen: impl Fn(Vec3) -> bool) -> Option<VisibleBones> {
    let mut seen: Option<VisibleBones> = None;
    for (looked, (bone, distance)) in nearest_first(body.distances(point)).enumerate() {
        let is_equal = seen.as_ref().is_some_and(|seen| distance <= seen.distance * (1.0 + EQUALLY_NEAR));
        if !is_equal && (seen.is_some() || looked >= MAX_TRIED_BONES) {
            break;
        }
        if is_seen(body.bones[usize::from(bone)].nearest(point)) {
            seen.get_or_insert_with(|| VisibleBones { bones: Vec::new(), distance }).bones.push(bone);
        }
    }
    seen
}

/// Returns the bones at finite distances, nearest first; bones at equal distances are in index order. Sorts lazily.
pub(in crate::weights) fn nearest_first(
    distances: impl Iterator<Item = (u16, f32)>,
) -> impl Iterator<Item = (u16, f32)> {
    // Bit patterns of non-negative floats sort like their values.
    let keys = distances.filter(|(_, distance)| distance.is_finite());
    let keys = keys.map(|(bone, distance)| Reverse(u64::from(distance.to_bits()) << 16 | u64::from(bone)));
    let mut all = Vec::with_capacity(keys.size_hint().1.unwrap_or_default());
    all.extend(keys);
    let mut heap: BinaryHeap<Reverse<u64>> = all.into();
    std::iter::from_fn(move || heap.pop().map(|Reverse(key)| (key as u16, f32::from_bits((key >> 16) as u32))))
}

/// Approximate maximum number of points per component that vote on whether the component is inside out.
const VOTERS: usize = 10_000;

/// Returns outward normals: reverses the normals of a component if, for most voting points, the nearest bone is
/// outside.
pub(in crate::weights) fn outward(body: &Body, piece: &[u32], pieces: usize, progress: &Progress) -> Option<Vec<Vec3>> {
    let mut normals = normals(&body.points, &body.triangles);
    let mut sizes = vec![0; pieces];
    for &piece in piece {
        sizes[piece as usize] += 1;
    }
    let is_inside = body.by_point_number(progress, |number, point| {
        if number % (1 + sizes[piece[number] as usize] / VOTERS) != 0 {
            return None;
        }
        let distance = |(_, distance): &(u16, f32)| *distance;
        let (bone, _) = body.distances(point).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some(normals[number].dot(body.bones[usize::from(bone)].nearest(point) - point) <= 0.0)
    })?;
    let mut votes = vec![0_i64; pieces];
    for (is_inside, &piece) in is_inside.into_iter().zip(piece) {
        votes[piece as usize] += is_inside.map_or(0, |is_inside| if is_inside { 1 } else { -1 });
    }
    for (normal, _) in normals.iter_mut().zip(piece).filter(|(_, piece)| votes[**piece as usize] < 0) {
        *normal = -*normal;
    }
    Some(normals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_of_equally_near_ones_the_lower_number() {
        let distances = [(3, 2.0), (1, f32::INFINITY), (2, 0.5), (0, 2.0), (4, 0.0)];
        let sorted: Vec<(u16, f32)> = nearest_first(distances.into_iter()).collect();
        assert_eq!(sorted, [(4, 0.0), (2, 0.5), (0, 2.0), (3, 2.0)]);
    }
}
