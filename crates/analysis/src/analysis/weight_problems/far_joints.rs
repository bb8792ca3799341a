//! Regions that follow a joint much farther away than the joints that nearby points follow.

use std::collections::BTreeSet;

use glam::Vec3;

use super::surface::RestSurface;
use rigscope_core::jobs::{Progress, try_map};
use rigscope_core::posing::Symmetry;
use rigscope_core::rig::{DisjointSets, NodeIndex, Posed, Rig, drawn_bones};
use rigscope_core::weights::Segment;

/// A point follows a joint if the joint's weight is at least this.
const MIN_WEIGHT: f32 = 0.2;

/// A joint counts as far if its distance exceeds this many times the distance to the nearest other joint, plus
/// [`MARGIN`].
const TIMES: f32 = 2.0;
/// Extra distance before a joint counts as far, relative to the rig's size.
const MARGIN: f32 = 0.04;

/// Skin of a joint apart from its limb counts as far if its distance exceeds this many times the limb's radius, whatever
/// the thickness of the body there.
const RADII: f32 = 3.0;

/// A point lies at the joint of the other side if it is nearer to it than to its own joint by more than this fraction of
/// the distance between the two. Between the legs, both are equally near.
const BEYOND: f32 = 0.5;

const MAX_OTHERS: usize = 16;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::analysis) struct FarRegion {
    pub joint: NodeIndex,
    /// Nearest of the joints that the region and its neighbours follow.
    pub nearer: NodeIndex,
    /// Mean distance of the region from the joint's bone, metres.
    pub distance: f32,
    /// Distance beyond which the joint counts as far, metres.
    pub limit: f32,
    pub points: Vec<u32>,
}

pub(in crate::analysis) struct RestBones(Vec<Vec<Segment>>);

impl RestBones {
    pub(in crate::analysis) fn new(rig: &Rig, rest: &Posed) -> Self {
        let mut segments = vec![Vec::new(); rig.hierarchy.len()];
        for bone in drawn_bones(rig, rest) {
            segments[bone.joint.index()].push(Segment { head: bone.head, tail: bone.tail });
        }
        for (node, segments) in rig.hierarchy.nodes().zip(&mut segments) {
            if segments.is_empty() {
                let head = rest.world_from_node[node.index()].translation;
                segments.push(Segment { head, tail: head });
            }
        }
        Self(segments)
    }

    pub(in crate::analysis) fn head(&self, joint: NodeIndex) -> Vec3 {
        self.0[joint.index()][0].head
    }

    /// Returns the length of a joint's longest bone, metres; 0 if it has none.
    pub(in crate::analysis) fn length(&self, joint: NodeIndex) -> f32 {
        self.0[joint.index()].iter().map(|segment| segment.head.distance(segment.tail)).fold(0.0, f32::max)
    }

    pub(in crate::analysis) fn distance(&self, joint: NodeIndex, point: Vec3) -> f32 {
        self.0[joint.index()].iter().map(|segment| segment.distance(point)).fold(f32::INFINITY, f32::min)
    }
}

pub(in crate::analysis) fn far_regions(
    surface: &RestSurface,
    bones: &RestBones,
    size: f32,
    progress: &Progress,
) -> Option<Vec<FarRegion>> {
    let mut of_joints: Vec<Vec<u32>> = vec![Vec::new(); bones.0.len()];
    for point in surface.used_points().filter(|&point| surface.is_skinned[point as usize]) {
        heavy(surface, point).for_each(|joint| of_joints[joint.index()].push(point));
    }
    let of_joints: Vec<_> = (0..).map(NodeIndex).zip(of_joints).collect();
    let of_joint = |(joint, points): &(NodeIndex, Vec<u32>)| {
        let joint = *joint;
        let regions = connected(surface, points);
        let limb = radius_of_largest(surface, bones, joint, &regions);
        let margin = MARGIN * size;
        Some(
            regions
                .into_iter()
                .filter_map(|points| far(surface, bones, joint, points, (margin, limb)))
                .collect::<Vec<_>>(),
        )
    };
    Some(try_map(&of_joints, progress, of_joint)?.concat())
}

/// Returns points that mostly follow a joint of one side of the body and lie at its partner on the other side, with the
/// joint.
pub(in crate::analysis) fn at_other_side<'a>(
    surface: &'a RestSurface,
    bones: &'a RestBones,
    symmetry: &'a Symmetry,
) -> impl Iterator<Item = (NodeIndex, u32)> + 'a {
    let skinned = surface.used_points().filter(|&point| surface.is_skinned[point as usize]);
    skinned.filter_map(|point| {
        let joint = surface.heaviest(point)?;
        let partner = symmetry.partner(joint)?;
        let [own, other] = [joint, partner].map(|joint| bones.distance(joint, surface.rest[point as usize]));
        let apart = bones.head(joint).distance(bones.head(partner));
        (apart > 0.0 && own - other > BEYOND * apart).then_some((joint, point))
    })
}

/// Returns the mean distance of a joint's largest region from its bone, metres.
fn radius_of_largest(surface: &RestSurface, bones: &RestBones, joint: NodeIndex, regions: &[Vec<u32>]) -> f32 {
    let sum = |points: &Vec<u32>, value: &dyn Fn(Vec3) -> f32| -> f64 {
        let of_point = |&point: &u32| f64::from(surface.areas[point as usize] * value(surface.rest[point as usize]));
        points.iter().map(of_point).sum()
    };
    let areas = regions.iter().map(|points| (sum(points, &|_| 1.0), points));
    let largest = areas.reduce(|a, b| if b.0 > a.0 { b } else { a });
    largest.map_or(0.0, |(area, points)| (sum(points, &|place| bones.distance(joint, place)) / area) as f32)
}

fn heavy(surface: &RestSurface, point: u32) -> impl Iterator<Item = NodeIndex> + '_ {
    surface.weights(point).iter().filter(|(_, weight)| *weight >= MIN_WEIGHT).map(|(joint, _)| *joint)
}

/// Returns the connected components of `points`, which must be in ascending order. The points of each component are in
/// ascending order too.
pub(in crate::analysis) fn connected(surface: &RestSurface, points: &[u32]) -> Vec<Vec<u32>> {
    let mut sets = DisjointSets::new(points.len());
    for (at, &point) in (0..).zip(points) {
        for next in surface.graph.neighbors(point).iter().filter_map(|next| points.binary_search(next).ok()) {
            sets.join(at, next as u32);
        }
    }
    let (set_of, count) = sets.numbered();
    let mut connected = vec![Vec::new(); count];
    set_of.iter().zip(points).for_each(|(&set, &point)| connected[set as usize].push(point));
    connected
}

/// `limb` is the radius of the joint's largest region, metres.
fn far(
    surface: &RestSurface,
    bones: &RestBones,
    joint: NodeIndex,
    points: Vec<u32>,
    (margin, limb): (f32, f32),
) -> Option<FarRegion> {
    let around = points.iter().flat_map(|&point| surface.graph.neighbors(point));
    let others: BTreeSet<NodeIndex> =
        points.iter().chain(around).flat_map(|&point| heavy(surface, point)).filter(|other| *other != joint).collect();
    let others: Vec<NodeIndex> = others.into_iter().take(MAX_OTHERS).collect();
    let (mut all, mut far, mut near) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut of_others = vec![0.0_f64; others.len()];
    for &point in &points {
        let (place, area) = (surface.rest[point as usize], f64::from(surface.areas[point as usize]));
        let mut nearest = f32::INFINITY;
        for (sum, other) in of_others.iter_mut().zip(&others) {
            let distance = bones.distance(*other, place);
            nearest = nearest.min(distance);
            *sum += area * f64::from(distance);
        }
        all += area;
        far += area * f64::from(bones.distance(joint, place));
        near += area * f64::from(nearest);
    }
    let nearer = of_others.iter().zip(&others).min_by(|a, b| a.0.total_cmp(b.0)).map(|(_, other)| *other)?;
    let [distance, near] = [far / all, near / all].map(|mean| mean as f32);
    let limit = (TIMES * near).min(near.max(RADII * limb)) + margin;
    (distance > limit).then_some(FarRegion { joint, nearer, distance, limit, points })
}
