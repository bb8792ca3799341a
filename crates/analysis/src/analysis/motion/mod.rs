//! Motion of the skin: measures both sides in every frame of whole clips, and finds the worst clip, frame and joint.
//!
//! Values that [`super::sides`] also measures are bitwise equal to the values that it returns for the same pose.
//!
//! *Source*: N. Frechette (ACL, "Measuring error in animation compression", 2016) calls skinning every frame the most
//! accurate measure of a clip, but too slow. Here, measuring a frame takes only a few times as long as skinning it.

mod at_rest;
mod frames;
mod ranking;
mod regions;
mod surface;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use super::measure::SurfaceDistance;
use super::twist::RankError;
use super::{Topology, deform_positions_into, field, measurable};
pub(super) use frames::{ClipSkin, Frames};
pub use ranking::{RegionLoss, ThinJoint, WorstFrame};
use rigscope_core::actor::{PoseEvaluator, SharedPose};
use rigscope_core::jobs::{Progress, try_map_with};
use rigscope_core::matching::{NodeMatch, VertexMatchError, VertexPairs};
use rigscope_core::rig::{ClipMoment, NodeIndex, Pose, Rig};
use rigscope_core::skinning::{Deformed, Skinner};
use rigscope_core::view::{PerSide, Side};
pub(super) use surface::{FrameBuffers, RestSkin, SideFrame, SkinAtRest, SurfaceMap};
pub use table::{ClipMotionJson, MotionJson, RankedClipJson, ThinJointJson};

/// Maximum number of values to store for all frames; beyond this, frames are skipped.
const MAX_NUMBERS: usize = 1 << 24;

/// One side to measure over clips.
#[derive(Clone)]
pub struct MovedSide {
    /// The rig with the side's weights, prepared for its skinning method.
    pub skinner: Arc<Skinner>,
    /// User pose, applied on top of the clip in every frame.
    pub pose: Pose,
    /// For each clip of [`MotionJob::rig`], the matching clip of this side's rig; `None` plays no clip.
    pub clips: Vec<Option<usize>>,
}

/// Clips and sides to measure.
#[derive(Clone)]
pub struct MotionJob {
    /// The open character, which contains the clips.
    pub rig: Arc<Rig>,
    /// Indices into `Rig::clips` of the clips to measure.
    pub clips: Vec<usize>,
    /// Frame rate that overrides the frame rates of the clips.
    pub rate: Option<f32>,
    /// Sides A and B.
    pub sides: PerSide<MovedSide>,
    /// Vertex pairs of A and B if the sides show different characters; otherwise `None`.
    pub versions: Option<Result<Arc<VertexPairs>, VertexMatchError>>,
}

/// Measurements of several clips over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Motions {
    /// Volume of each side in the file's rest pose, m³.
    pub rest_volume: PerSide<f64>,
    /// Joints of each side's rig whose regions are measured; joints with tiny regions are left out.
    pub joints: PerSide<Vec<NodeIndex>>,
    /// For each of side A's `joints`, the index of the same joint in side B's; `None` if B has no such joint.
    pub counterparts: Vec<Option<usize>>,
    /// For each side, why its regions are not measured; `None` if they are.
    pub region_errors: PerSide<Option<RankError>>,
    /// Why the vertices of A and B could not be matched; `None` if they could.
    pub unmatched: Option<VertexMatchError>,
    /// One entry per requested clip.
    pub clips: Vec<ClipMotion>,
}

/// Measurements of one clip, by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipMotion {
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// Frames per second.
    pub rate: f32,
    /// Interval between measured frames, in frames; above 1 if there are too many frames to measure them all.
    pub step: usize,
    /// Time of each frame, seconds, ascending from 0 to the end of the clip.
    pub times_secs: Vec<f32>,
    /// Distance between A and B in each frame; zero if their vertices are [`Motions::unmatched`].
    pub distances: Vec<SurfaceDistance>,
    /// Measurements of each side.
    pub sides: PerSide<SideMotion>,
}

/// Measurements of one side over a clip, one value per frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideMotion {
    /// Volume, m³; see [`super::measure::SurfaceSize::volume`].
    pub volume: Vec<f64>,
    /// Smallest ratio of any triangle's area to its area in the file's rest pose; 1 if there are no triangles.
    pub min_area_ratio: Vec<f32>,
    /// Number of flipped triangles. A triangle is flipped if it faces away from its rest normal, as transformed by the
    /// joint that dominates most of its corners.
    pub flipped: Vec<u32>,
    /// Volume of each joint's region relative to the file's rest pose; NaN if the region has no volume. Each frame has
    /// one value for each of [`Motions::joints`].
    pub regions: Vec<f32>,
    /// Maximum change in each value of `regions` if the region's openings were capped differently, in the same order.
    pub uncertainties: Vec<f32>,
}

/// Measures all clips of a job in parallel. Returns `None` if cancelled or if a rig exceeds [`super::MAX_VERTICES`].
/// *Cost*: a few times the cost of skinning both sides in each frame. Results don't depend on the number of cores.
pub fn motions(job: &MotionJob, progress: &Progress) -> Option<Motions> {
    let rigs = job.sides.each_ref().map(|side| side.skinner.rig());
    measurable(rigs.a).and(measurable(rigs.b))?;
    progress.check_cancelled()?;
    let bench = MotionBench::new(job, progress)?;
    let joints = bench.at_rest.each_ref().map(|skin| skin.joints().to_vec());
    let numbers = 2 * joints.iter().map(Vec::len).sum::<usize>() + 32;
    let clips = Frames::of_clips(&job.rig, &job.clips, job.rate, MAX_NUMBERS / numbers);
    let times: Vec<Vec<f32>> = clips.iter().map(|frames| frames.times_secs()).collect();
    progress.begin(times.iter().map(Vec::len).sum());
    let moments = clips.iter().zip(&times);
    let moments = moments.flat_map(|(of, times)| times.iter().map(|&time_secs| ClipMoment::new(of.clip, time_secs)));
    let moments: Vec<ClipMoment> = moments.collect();
    let measured = |worker: &mut MotionBuffers, moment: &ClipMoment| {
        let frame = bench.frame(*moment, worker);
        progress.add(1);
        Some(frame)
    };
    let frames: Vec<Frame> = try_map_with(&moments, progress, MotionBuffers::default, measured)?;
    let mut frames = frames.into_iter();
    let of_clip = |(about, times_secs): (&Frames, Vec<f32>)| {
        let mut motion = ClipMotion {
            clip: about.clip,
            rate: about.rate.per_sec,
            step: about.step,
            times_secs,
            distances: Vec::new(),
            sides: PerSide::default(),
        };
        frames.by_ref().take(motion.times_secs.len()).for_each(|frame| motion.push(frame));
        motion
    };
    Some(Motions {
        rest_volume: bench.at_rest.each_ref().map(SkinAtRest::volume),
        region_errors: bench.at_rest.each_ref().map(SkinAtRest::regions_off),
        counterparts: job.counterparts(&joints),
        joints,
        unmatched: job.versions.as_ref().and_then(|versions| versions.as_ref().err().cloned()),
        clips: clips.iter().zip(times).map(of_clip).collect(),
    })
}

impl MotionJob {
    fn shares_pose(&self) -> bool {
        let PerSide { a, b } = &self.sides;
        self.versions.is_none() && a.pose == b.pose && a.clips == b.clips
    }

    fn counterparts(&self, joints: &PerSide<Vec<NodeIndex>>) -> Vec<Option<usize>> {
        let rigs = self.sides.each_ref().map(|side| side.skinner.rig());
        let nodes = self.versions.as_ref().map(|_| NodeMatch::between(rigs.a, rigs.b));
        let on_b: HashMap<NodeIndex, usize> =
            joints.b.iter().enumerate().map(|(index, joint)| (*joint, index)).collect();
        let same = |&joint: &NodeIndex| nodes.as_ref().map_or(Some(joint), |nodes| nodes.new_for(joint));
        joints.a.iter().map(|joint| on_b.get(&same(joint)?).copied()).collect()
    }

    fn distance(&self, surfaces: &PerSide<Vec<Vec<Deformed>>>) -> SurfaceDistance {
        let rig = self.sides.a.skinner.rig();
        let PerSide { a, b } = surfaces;
        match &self.versions {
            None => SurfaceDistance::between(rig, a, b),
            Some(Ok(pairs)) => SurfaceDistance::from_field(rig, &field::distances(pairs, [a, b])[0]),
            Some(Err(_)) => SurfaceDistance::default(),
        }
    }
}

impl ClipMotion {
    fn push(&mut self, Frame { distance, sides }: Frame) {
        self.distances.push(distance);
        let PerSide { a, b } = sides;
        for (motion, side) in self.sides.iter_mut().zip([a, b]) {
            motion.volume.push(side.volume);
            motion.min_area_ratio.push(side.min_area_ratio);
            motion.flipped.push(side.flipped);
            motion.regions.extend(side.regions.iter().map(|left| left.ratio));
            motion.uncertainties.extend(side.regions.iter().map(|left| left.uncertainty));
        }
    }
}

struct MotionBench<'a> {
    job: &'a MotionJob,
    at_rest: PerSide<SkinAtRest<'a>>,
    shares_pose: bool,
}

struct Frame {
    distance: SurfaceDistance,
    sides: PerSide<SideFrame>,
}

#[derive(Default)]
struct MotionBuffers {
    posers: PerSide<PoseEvaluator>,
    poses: PerSide<SharedPose>,
    surfaces: PerSide<Vec<Vec<Deformed>>>,
    place: FrameBuffers,
}

impl<'a> MotionBench<'a> {
    fn new(job: &'a MotionJob, progress: &Progress) -> Option<Self> {
        let PerSide { a, b } = job.sides.each_ref().map(|side| &*side.skinner);
        let topology = Arc::new(Topology::new(a.rig()));
        progress.check_cancelled()?;
        // If both sides show one character with different weights, both use the regions of A, so that the same triangles are compared.
        let topology_of_b = if job.versions.is_none() { None } else { Some(Arc::new(Topology::new(b.rig()))) };
        let (rest_of_a, rest_of_b) = rayon::join(
            || RestSkin::new(a, &topology),
            || RestSkin::new(b, topology_of_b.as_deref().unwrap_or(&topology)),
        );
        let map_of_a = Arc::new(SurfaceMap::new(&rest_of_a, topology, progress)?);
        progress.check_cancelled()?;
        let map_of_b = match topology_of_b {
            None => Arc::clone(&map_of_a),
            Some(topology) => Arc::new(SurfaceMap::new(&rest_of_b, topology, progress)?),
        };
        let (a, b) = rayon::join(|| SkinAtRest::new(rest_of_a, map_of_a), || SkinAtRest::new(rest_of_b, map_of_b));
        let at_rest = PerSide { a, b };
        Some(Self { job, at_rest, shares_pose: job.shares_pose() })
    }

    fn frame(&self, moment: ClipMoment, worker: &mut MotionBuffers) -> Frame {
        let MotionBuffers { posers, poses, surfaces, place } = worker;
        let posed = |side: Side| if self.shares_pose { Side::A } else { side };
        for side in Side::ALL {
            let MovedSide { skinner, pose, clips } = &self.job.sides[side];
            if posed(side) == side {
                let clip = clips.get(moment.clip).copied().flatten();
                let moment = clip.map(|clip| ClipMoment { clip, ..moment });
                posers[side].pose_into(skinner.rig(), moment, pose, &mut poses[side]);
            }
            deform_positions_into(skinner, poses[posed(side)].skin_pose(), &mut surfaces[side]);
        }
        let sides = PerSide::from_fn(|side| self.at_rest[side].frame(&surfaces[side], &poses[posed(side)], place));
        Frame { distance: self.job.distance(surfaces), sides }
    }
}
