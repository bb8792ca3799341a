//! Joints and bones at rest, and Chamfer distances between two of these.

use glam::Vec3;
use rayon::prelude::*;

use rigscope_core::rig::{NodeIndex, Rig};
use rigscope_core::weights::Segment;

/// Distance between samples of a bone, in units of the longest side. *Source*: the code of `RigNet`.
const STEP: f64 = 0.005;
/// Maximum number of samples of a bone.
const MAX_SAMPLES: f64 = 1000.0;

/// Joints of a rig at rest.
pub(super) struct Skeleton {
    /// Nodes that a skin lists, in the order of the hierarchy.
    pub nodes: Vec<NodeIndex>,
    /// Position of each joint, metres.
    pub points: Vec<Vec3>,
    /// Parent and child joint of each bone, as indices into `points`. Nodes between joints are skipped.
    pub bones: Vec<[usize; 2]>,
}

impl Skeleton {
    pub(super) fn new(rig: &Rig, place: impl Fn(NodeIndex) -> Vec3) -> Self {
        let nodes: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|node| rig.is_joint(*node)).collect();
        let index = |node: NodeIndex| nodes.binary_search(&node).ok();
        let parent = |node: NodeIndex| rig.hierarchy.ancestors(node).find_map(index);
        let bones = nodes.iter().enumerate().filter_map(|(at, &node)| Some([parent(node)?, at])).collect();
        let points = nodes.iter().map(|&node| place(node)).collect();
        Self { nodes, points, bones }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns the bones as segments; without bones, the joints as segments of zero length.
    fn segments(&self) -> Vec<Segment> {
        if self.bones.is_empty() {
            return self.points.iter().map(|&point| Segment { head: point, tail: point }).collect();
        }
        self.bones.iter().map(|&[head, tail]| Segment { head: self.points[head], tail: self.points[tail] }).collect()
    }
}

/// Chamfer distances between two skeletons, metres: the mean distance of the points of one to the nearest of the other,
/// averaged over both directions.
pub(super) struct ChamferDistances {
    pub joints_to_joints: f64,
    pub joints_to_bones: f64,
    pub bones_to_bones: f64,
}

impl ChamferDistances {
    pub(super) fn new(pair: [&Skeleton; 2], unit: f64) -> Self {
        let segments = pair.map(Skeleton::segments);
        let samples = segments.each_ref().map(|segments| sampled(segments, unit));
        let [a, b] = pair;
        let near_joint = |joints: &[Vec3], point: Vec3| {
            joints.iter().map(|joint| joint.distance(point)).fold(f32::INFINITY, f32::min)
        };
        let near_bone = |bones: &[Segment], point: Vec3| {
            bones.iter().map(|bone| bone.distance(point)).fold(f32::INFINITY, f32::min)
        };
        let both_ways = |a: f64, b: f64| f64::midpoint(a, b);
        Self {
            joints_to_joints: both_ways(
                mean(&a.points, |point| near_joint(&b.points, point)),
                mean(&b.points, |point| near_joint(&a.points, point)),
            ),
            joints_to_bones: both_ways(
                mean(&a.points, |point| near_bone(&segments[1], point)),
                mean(&b.points, |point| near_bone(&segments[0], point)),
            ),
            bones_to_bones: both_ways(
                mean(&samples[0], |point| near_bone(&segments[1], point)),
                mean(&samples[1], |point| near_bone(&segments[0], point)),
            ),
        }
    }
}

/// Returns evenly spaced points on each bone, its ends included.
fn sampled(segments: &[Segment], unit: f64) -> Vec<Vec3> {
    let of_bone = |bone: &Segment| {
        let count = (f64::from(bone.length()) / (STEP * unit)).round().clamp(0.0, MAX_SAMPLES) as u32;
        let bone = *bone;
        (0..=count).map(move |step| bone.head.lerp(bone.tail, step as f32 / count.max(1) as f32))
    };
    segments.iter().flat_map(of_bone).collect()
}

fn mean(points: &[Vec3], distance: impl Fn(Vec3) -> f32 + Sync) -> f64 {
    let distances: Vec<f64> = points.par_iter().map(|&point| f64::from(distance(point))).collect();
    distances.iter().sum::<f64>() / points.len().max(1) as f64
}
