//! Connected regions of weight problems, and their rank.

use glam::Vec3;

use super::far_joints::{FarRegion, RestBones, connected};
use super::layers::Layers;
use super::one_sided::{MIN_FRACTION, OneSided};
use super::poses::RandomPose;
use super::stretch::{EdgeStretch, MAX_STRETCH, WorstStretch};
use super::surface::RestSurface;
use super::{MAX_WEIGHT_PROBLEMS, WeightProblem, WeightProblemKind};
use rigscope_core::rig::NodeIndex;

/// Severities are clamped to this, relative to their limit, so that huge values don't dominate the rank.
const MAX_SEVERE: f32 = 10.0;

#[derive(Clone, Debug)]
struct FlaggedPoint {
    point: u32,
    value: f32,
    pose: Option<u32>,
    joints: Vec<NodeIndex>,
}

struct RegionDraft {
    kind: WeightProblemKind,
    worst: FlaggedPoint,
    points: Vec<u32>,
    area: f32,
    score: f32,
}

pub(super) struct Ranking<'a> {
    surface: &'a RestSurface,
    bones: &'a RestBones,
    drafts: Vec<RegionDraft>,
}

impl<'a> Ranking<'a> {
    pub(super) fn new(surface: &'a RestSurface, bones: &'a RestBones) -> Self {
        Self { surface, bones, drafts: Vec::new() }
    }

    pub(super) fn stretched(&mut self, stretch: &EdgeStretch<'_>) {
        let ends = |([a, b], WorstStretch { ratio, pose }): ([u32; 2], WorstStretch)| {
            let joints = self.parted(a, b);
            [a, b].map(|point| FlaggedPoint { point, value: ratio, pose: Some(pose), joints: joints.clone() })
        };
        let flagged = stretch.overstretched().flat_map(ends).collect();
        self.connect(WeightProblemKind::Stretch, flagged, MAX_STRETCH);
    }

    pub(super) fn crossed(&mut self, layers: &Layers<'_>) {
        let flagged = layers.above_threshold().map(|crossing| FlaggedPoint {
            point: crossing.point,
            value: crossing.depth,
            pose: Some(crossing.pose),
            joints: [crossing.point, crossing.through].iter().filter_map(|&p| self.surface.heaviest(p)).collect(),
        });
        self.connect(WeightProblemKind::Crossing, flagged.collect(), layers.min_depth());
    }

    pub(super) fn one_sided(&mut self, found: Vec<OneSided>) {
        let flagged = found.into_iter().map(|OneSided { point, share, joint, opposite }| FlaggedPoint {
            point,
            value: share,
            pose: None,
            joints: vec![joint, opposite],
        });
        self.connect(WeightProblemKind::OneSided, flagged.collect(), MIN_FRACTION);
    }

    pub(super) fn far(&mut self, found: Vec<FarRegion>) {
        for FarRegion { joint, nearer, distance, limit, points } in found {
            let worst = FlaggedPoint { point: points[0], value: distance, pose: None, joints: vec![joint, nearer] };
            self.add(WeightProblemKind::FarJoint, worst, points, limit);
        }
    }

    /// Returns the joints that pull the ends of an edge apart. The joint farther from the edge comes first.
    fn parted(&self, a: u32, b: u32) -> Vec<NodeIndex> {
        let more = |own: u32, other: u32| {
            let weight = |node: NodeIndex| {
                self.surface.weights(other).iter().find(|(known, _)| *known == node).map_or(0.0, |(_, weight)| *weight)
            };
            let left = self.surface.weights(own).iter().map(|&(node, own)| (node, own - weight(node)));
            left.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node)
        };
        let place = self.surface.rest[a as usize].midpoint(self.surface.rest[b as usize]);
        let mut joints: Vec<NodeIndex> = [more(a, b), more(b, a)].into_iter().flatten().collect();
        joints.sort_by(|x, y| self.bones.distance(*y, place).total_cmp(&self.bones.distance(*x, place)));
        joints.dedup();
        joints
    }

    fn connect(&mut self, kind: WeightProblemKind, mut flagged: Vec<FlaggedPoint>, limit: f32) {
        flagged.sort_by(|a, b| a.point.cmp(&b.point).then(b.value.total_cmp(&a.value)));
        flagged.dedup_by_key(|flagged| flagged.point);
        let points: Vec<u32> = flagged.iter().map(|flagged| flagged.point).collect();
        for points in connected(self.surface, &points) {
            let of_region = points.iter().filter_map(|p| flagged.binary_search_by_key(p, |f| f.point).ok());
            let worse = |a: usize, b: usize| if flagged[b].value > flagged[a].value { b } else { a };
            if let Some(worst) = of_region.reduce(worse) {
                self.add(kind, flagged[worst].clone(), points, limit);
            }
        }
    }

    fn add(&mut self, kind: WeightProblemKind, worst: FlaggedPoint, points: Vec<u32>, limit: f32) {
        let area: f32 = points.iter().map(|&point| self.surface.areas[point as usize]).sum();
        let score = area * (worst.value / limit).min(MAX_SEVERE);
        self.drafts.push(RegionDraft { kind, worst, points, area, score });
    }

    /// Returns the highest-ranking regions and the total number of regions. If a region has no pose yet, it gets the
    /// pose that stretches it most.
    pub(super) fn into_list(mut self, stretch: &EdgeStretch<'_>, poses: &[RandomPose]) -> (Vec<WeightProblem>, usize) {
        let count = self.drafts.len();
        let key = |draft: &RegionDraft| (draft.kind, draft.points[0]);
        self.drafts.sort_by(|a, b| b.score.total_cmp(&a.score).then(key(a).cmp(&key(b))));
        self.drafts.truncate(MAX_WEIGHT_PROBLEMS);
        let stretched = self.stretched_most(stretch);
        let whole: f32 = self.surface.areas.iter().sum();
        let drafts = std::mem::take(&mut self.drafts);
        let problem = |RegionDraft { kind, worst, points, area, .. }: RegionDraft| {
            let pose = worst.pose.or_else(|| {
                let of_points = points.iter().map(|&point| stretched[point as usize]);
                of_points.reduce(WorstStretch::worse).filter(|worst| worst.ratio > 0.0).map(|worst| worst.pose)
            });
            let turns = pose.and_then(|pose| poses.get(pose as usize)).map(|pose| pose.turns.clone());
            let middle = points.iter().map(|&point| self.surface.rest[point as usize]).sum::<Vec3>();
            WeightProblem {
                kind,
                measure: worst.value,
                joints: worst.joints,
                turns: turns.unwrap_or_default(),
                place: middle / points.len() as f32,
                area_fraction: if whole > 0.0 { area / whole } else { 0.0 },
                primitives: self.surface.vertices_at(&points),
            }
        };
        (drafts.into_iter().map(problem).collect(), count)
    }

    fn stretched_most(&self, stretch: &EdgeStretch<'_>) -> Vec<WorstStretch> {
        let mut worst_by_point = vec![WorstStretch::default(); self.surface.len()];
        for (edge, worst) in stretch.worst() {
            for point in edge {
                let known = &mut worst_by_point[point as usize];
                *known = known.worse(worst);
            }
        }
        worst_by_point
    }
}
