//! Clothing layers: a point just above another surface sees the bones beneath that surface and moves with it.

use glam::Vec3;

use super::nearness::WeightedBoneDistances;
use crate::jobs::Progress;
use crate::weights::body::Body;
use crate::weights::bone_weights::{PointWeights, WeightAccumulator};
use crate::weights::heat::{GRAZING, MAX_TRIED_BONES, VisibleBones, nearest_first, outward};
use crate::weights::surface::{TriangleTree, closest_barycentric};
use crate::weights::voxel::Solid;

/// A surface that crosses the line from a point to a bone within this fraction of the line is a layer beneath the
/// point, not an occluder.
const CLOSE: f32 = 0.6;
/// Maximum distance at which a layer drives the point above it, relative to the point's distance from the bone. Up to
/// half of this distance, the layer drives the point fully.
const FOLLOWED: f32 = 0.3;
/// Surfaces whose weights overlap by no more than this move independently.
const UNLIKE: f32 = 0.5;
/// Surfaces whose weights overlap by at least this move fully together.
const ALIKE: f32 = 0.9;
const LAYERS: usize = 3;
const EQUALLY_NEAR: f32 = 1e-4;

#[derive(Clone, Debug)]
pub(super) struct LayeredVisibility {
    pub seen: VisibleBones,
    pub beneath: Option<LayerBeneath>,
}

/// Closest point on another component just beneath a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerBeneath {
    triangle: u32,
    /// Distance from the point to the layer, relative to the distance to the bone.
    share: f32,
    place: [f32; 3],
}

/// Finds the bones that each point sees through its layers; `piece` maps points to components. A line of sight must
/// not leave the body between limbs. A bone beneath deep layers counts as farther away, so that a coat prefers an
/// unobstructed bone.
pub(super) fn visible_bones(
    body: &Body,
    solid: &Solid,
    nearness: &WeightedBoneDistances,
    piece: &[u32],
    pieces: usize,
    progress: &Progress,
) -> Option<Vec<Option<LayeredVisibility>>> {
    let tree = TriangleTree::new(&body.points, &body.triangles, 0..body.triangles.len());
    let outward = outward(body, piece, pieces, progress)?;
    let piece_of = |triangle: usize| piece[body.triangles[triangle][0] as usize];
    body.by_point_number(progress, |number, point| {
        let mut best: Option<(f32, LayeredVisibility)> = None;
        for (bone, distance) in nearest_first(nearness.distances(point)).take(MAX_TRIED_BONES) {
            if best.as_ref().is_some_and(|(min_distance, _)| distance > min_distance * (1.0 + EQUALLY_NEAR)) {
                break;
            }
            let target = nearness.nearest(bone, point);
            let way = target - point;
            if way.dot(outward[number]) > GRAZING * way.length() {
                continue;
            }
            let (mut first, mut deepest): (Option<(usize, f32)>, f32) = (None, 0.0);
            let is_hidden = tree.any_crossing(point, target, |triangle, share| {
                if share >= CLOSE || piece_of(triangle) == piece[number] {
                    return true;
                }
                deepest = deepest.max(share);
                if first.is_none_or(|(_, nearest)| share < nearest) {
                    first = Some((triangle, share));
                }
                false
            });
            if is_hidden || first.is_some() && leads_through_air(solid, point, target) {
                continue;
            }
            let facing = nearness.facing(bone, point, outward[number]);
            let counted = distance * facing / ((1.0 - deepest) * (1.0 - deepest));
            match &mut best {
                Some((min_distance, sight)) if counted >= *min_distance => {
                    if counted <= *min_distance * (1.0 + EQUALLY_NEAR) {
                        sight.seen.bones.push(bone);
                    }
                }
                best => {
                    let beneath =
                        first.map(|(triangle, share)| LayerBeneath::new(body, triangle, share, point + way * share));
                    *best = Some((
                        counted,
                        LayeredVisibility { seen: VisibleBones { bones: vec![bone], distance: way.length() }, beneath },
                    ));
                }
            }
        }
        best.map(|(_, sight)| sight)
    })
}

/// Returns true if the line between two inside points leaves the solid, which means that it leads to another limb, not
/// to a layer.
fn leads_through_air(solid: &Solid, from: Vec3, to: Vec3) -> bool {
    let [from, to] = [from, to].map(|place| solid.frame.to_grid(place));
    [from, to].into_iter().all(|place| solid.at(place).is_some()) && !solid.sees(from, to)
}

/// Blends each layer's weights with those of the surface beneath, whose influence falls with its distance.
pub(super) fn blend_with_layers_beneath(
    body: &Body,
    own: PointWeights,
    beneath: &[Option<LayerBeneath>],
    progress: &Progress,
) -> Option<PointWeights> {
    let layers = LAYERS.min(beneath.iter().flatten().count());
    if layers == 0 {
        return Some(own);
    }
    let mut shares = own.clone();
    for _ in 0..layers {
        shares = PointWeights::computed(beneath.len(), progress, |number, row| match &beneath[number] {
            None => row.add(own.row(number), 1.0),
            Some(beneath) => beneath.mix(body, &shares, own.row(number), row),
        })?;
    }
    Some(shares)
}

impl LayerBeneath {
    fn new(body: &Body, triangle: usize, share: f32, place: Vec3) -> Self {
        let corners = body.triangles[triangle].map(|corner| body.points[corner as usize]);
        Self { triangle: triangle as u32, share, place: closest_barycentric(corners, place) }
    }

    /// Blends a point's weights with those of the surface beneath. The nearer and more similar that row, the more it
    /// counts; dissimilar rows belong to components that merely intersect.
    fn mix(
        &self,
        body: &Body,
        shares: &PointWeights,
        own: impl Iterator<Item = (u16, f32)> + Clone,
        row: &mut WeightAccumulator,
    ) {
        let corners = body.triangles[self.triangle as usize].iter().zip(self.place);
        let there = PointWeights::mixed(corners.map(|(&corner, place)| (shares.row(corner as usize), place)));
        let of = |bone: u16| there.iter().find(|(other, _)| *other == bone).map_or(0.0, |(_, share)| *share);
        let alike: f32 = own.clone().map(|(bone, share)| share.min(of(bone))).sum();
        let near = (2.0 * (1.0 - self.share / FOLLOWED)).clamp(0.0, 1.0);
        let part = near * ((alike - UNLIKE) / (ALIKE - UNLIKE)).clamp(0.0, 1.0);
        row.add(own, 1.0 - part);
        row.add(there, part);
        row.keep(0.0);
    }
}
