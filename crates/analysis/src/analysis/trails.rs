//! Trails: paths of joints, vertices and the root over a clip.

use std::sync::Arc;

use glam::{Affine3, Quat, Vec3};

use super::measure::VertexLocation;
use super::seams::{Travel, heading, rotation};
use rigscope_core::actor::{PoseEvaluator, SharedPose, make_unique};
use rigscope_core::rig::{
    ClipMoment, FrameRate, NodeIndex, Pose, PrimitiveIndex, Rig, SamplingBuffers, evaluate, evaluate_into,
};
use rigscope_core::skinning::{Deformed, SkinnedRig, VertexSubset};
use rigscope_core::view::{JointTrail, RootPath, TrailMoment, Trails, VertexSet, VertexTrail};

/// Maximum number of moments at which trails have points. In longer clips, frames are skipped.
pub const MAX_MOMENTS: usize = 1000;
/// Maximum number of nodes to pose, summed over all moments. If vertices are traced, each node counts
/// 1 + [`OF_PALETTE`] times.
const MAX_NODES: usize = 100_000;
const OF_PALETTE: usize = 4;
/// Times that differ by at most this fraction of a frame count as equal.
const SAME_TIME: f32 = 0.03;

/// Input for the trails of a character.
#[derive(Clone, Debug)]
pub struct TrailPlan {
    /// The character, with the weights of one side.
    pub rig: Arc<Rig>,
    /// User pose, applied on top of the clip.
    pub pose: Pose,
    /// Index into `Rig::clips`.
    pub clip: usize,
    /// True if the clip's root is held in place; see [`ClipMoment`].
    pub holds_root: bool,
    /// Start and end of the clip's playback range, seconds.
    pub played_secs: [f32; 2],
    /// Frame rate of the clip.
    pub rate: FrameRate,
    /// Joints to trace. Each is given as a node of the open character and as a node of `rig`.
    pub joints: Vec<(NodeIndex, NodeIndex)>,
    /// Vertices to trace, if any.
    pub skin: Option<TrailedSkin>,
    /// Whether to trace the root.
    pub has_root: bool,
}

/// Vertices to trace, and how they are skinned.
#[derive(Clone, Debug, PartialEq)]
pub struct TrailedSkin {
    /// Vertices of the open character.
    pub vertices: Vec<VertexLocation>,
    /// The character, skinned as it is shown.
    pub skinned: SkinnedRig,
}

impl PartialEq for TrailPlan {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.skin == other.skin && self.moves_as(other)
    }
}

impl TrailPlan {
    /// Returns true if both plans yield the same trails for the joints and the root, provided that their rigs have the
    /// same joints and clips. A plan with vertices never matches a plan without vertices, because it may have fewer
    /// moments.
    pub fn moves_as(&self, other: &Self) -> bool {
        let all =
            |plan: &Self| (plan.clip, plan.holds_root, plan.played_secs, plan.rate, plan.has_root, plan.skin.is_some());
        all(self) == all(other) && self.joints == other.joints && self.pose == other.pose
    }

    /// Returns the moments at which trails have points.
    pub fn moments(&self) -> Vec<TrailMoment> {
        let of_palettes = if self.skin.is_some() { OF_PALETTE } else { 0 };
        let nodes = self.rig.hierarchy.len() * (1 + of_palettes);
        moments(self.rate, self.played_secs, MAX_MOMENTS.min(MAX_NODES / nodes.max(1)))
    }

    /// Computes the trails. Poses at most 100,000 nodes over all moments, because this runs in every frame of a drag.
    pub fn trails(&self) -> Trails {
        let Self { rig, joints, skin, .. } = self;
        let moments = self.moments();
        let skinned: Vec<SkinnedVertex<'_>> = skin.iter().flat_map(|skin| skin.prepared(rig)).collect();
        let mut poser = ClipPoser::new(self, !skinned.is_empty());
        let mut joints: Vec<JointTrail> =
            joints.iter().map(|&(joint, _)| JointTrail { joint, points: Vec::new() }).collect();
        let mut vertices: Vec<VertexTrail> =
            skinned.iter().map(|skinned| VertexTrail { vertex: skinned.vertex.clone(), points: Vec::new() }).collect();
        let mut roots = Vec::new();
        let root = rig.clip_root(self.clip).filter(|_| self.has_root);
        let mut deformed = Deformed::default();
        for moment in &moments {
            let now = poser.pose_at(moment.time_secs);
            let world = &now.posed.world_from_node;
            for (trail, (_, own)) in joints.iter_mut().zip(&self.joints) {
                trail.points.push(world[own.index()].translation);
            }
            for (trail, skinned) in vertices.iter_mut().zip(&skinned) {
                trail.points.push(skinned.position(now, &mut deformed));
            }
            roots.extend(root.map(|root| world[root.index()]));
        }
        let root = root.map(|root| Arc::new(self.root_path(root, &roots)));
        Trails { moments, joints: Arc::new(joints), vertices, root }
    }

    fn root_path(&self, root: NodeIndex, worlds: &[Affine3]) -> RootPath {
        let rig = &self.rig;
        let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).world_from_node[root.index()];
        let ground = (0.0 - rig.hierarchy.anchor().y) as f32;
        let facing =
            |world: &Affine3| Quat::from_rotation_y(heading(rotation(world) * rotation(&rest).inverse())) * rig.front();
        let is_in_place = worlds.first().zip(worlds.last()).is_none_or(|(a, b)| !Travel::between(rig, a, b).moves);
        RootPath {
            root,
            points: worlds.iter().map(|world| Vec3 { y: ground, ..world.translation }).collect(),
            headings: worlds.iter().map(facing).collect(),
            is_in_place,
        }
    }
}

impl TrailedSkin {
    fn prepared<'a>(&'a self, rig: &Rig) -> impl Iterator<Item = SkinnedVertex<'a>> {
        let skinning = self.skinned.as_rig_skinning();
        self.vertices.iter().filter_map(move |place| {
            let part = PrimitiveIndex { instance: place.instance, primitive: place.primitive };
            let vertex = u32::try_from(place.vertex).ok()?;
            let one = VertexSubset::new(rig, part, &[vertex], skinning)?;
            Some(SkinnedVertex { vertex: VertexSet { part, vertices: [vertex].into() }, one })
        })
    }
}

struct SkinnedVertex<'a> {
    vertex: VertexSet,
    one: VertexSubset<'a>,
}

impl SkinnedVertex<'_> {
    /// Returns the vertex's world position in a pose; NaN if the rig has no such vertex.
    fn position(&self, pose: &SharedPose, deformed: &mut Deformed) -> Vec3 {
        let instance = self.vertex.part.instance;
        let weights = pose.posed.morph_weights.get(instance).map_or(&[][..], Vec::as_slice);
        let Some(palette) = pose.palettes.get(instance) else { return Vec3::NAN };
        self.one.deform_into(palette, weights, deformed);
        deformed.positions.first().copied().unwrap_or(Vec3::NAN)
    }
}

struct ClipPoser<'a> {
    plan: &'a TrailPlan,
    has_palettes: bool,
    poser: PoseEvaluator,
    buffers: SamplingBuffers,
    now: SharedPose,
}

impl<'a> ClipPoser<'a> {
    fn new(plan: &'a TrailPlan, has_palettes: bool) -> Self {
        let (poser, buffers, now) = Default::default();
        Self { plan, has_palettes, poser, buffers, now }
    }

    fn pose_at(&mut self, time_secs: f32) -> &SharedPose {
        let &TrailPlan { ref rig, ref pose, clip, holds_root, .. } = self.plan;
        let moment = Some(ClipMoment { clip, time_secs, holds_root });
        if self.has_palettes {
            self.poser.pose_into(rig, moment, pose, &mut self.now);
        } else {
            evaluate_into(rig, moment, pose, &mut self.buffers, make_unique(&mut self.now.posed));
        }
        &self.now
    }
}

/// Returns the moments at two times (seconds) and at the frames between them. Skips frames if there are more than
/// `max_moments` moments.
fn moments(rate: FrameRate, [from, to]: [f32; 2], max_moments: usize) -> Vec<TrailMoment> {
    let end = |time_secs: f32| {
        let frame = rate.frame(time_secs);
        let is_frame = (rate.time_secs(frame) - time_secs).abs() * rate.per_sec <= SAME_TIME;
        TrailMoment { time_secs, frame: is_frame.then_some(frame) }
    };
    let is_between = |moment: &TrailMoment| {
        let [after, before] = [moment.time_secs - from, to - moment.time_secs];
        after.min(before) * rate.per_sec > SAME_TIME
    };
    let (first, last) = (rate.frame(from), rate.frame(to));
    let step = (last.saturating_sub(first) as usize).div_ceil(max_moments.saturating_sub(2).max(1)).max(1);
    let first = first.checked_next_multiple_of(step as u32).unwrap_or(u32::MAX);
    let frames = (first..=last).step_by(step);
    let inner = frames.map(|frame| TrailMoment { time_secs: rate.time_secs(frame), frame: Some(frame) });
    let last = (to > from).then(|| end(to));
    std::iter::once(end(from)).chain(inner.filter(is_between)).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{Channel, Clip, Property, RigData, Trs};

    const RATE: FrameRate = FrameRate::new(24.0);
    const LENGTH: f32 = 0.5;

    /// Returns a chain of joints that are 0.5 m apart along X. Within 1 s, the first joint rotates once about Y and
    /// moves 2 m along Z.
    fn turning() -> Arc<Rig> {
        let times: Arc<[f32]> = (0..=24).map(|frame| frame as f32 / 24.0).collect();
        let turn = |time: &f32| Quat::from_rotation_y(TAU * time).to_array();
        let channel = |property, values| Channel::linear(NodeIndex(0), property, Arc::clone(&times), values);
        let turns = channel(Property::Rotation, times.iter().flat_map(turn).collect());
        let way = times.iter().flat_map(|time| [0.0, 0.25, 2.0 * time]).collect();
        let clip = |channels| Clip { duration_secs: 1.0, channels, ..Clip::default() };
        let goes = channel(Property::Translation, way);
        let rest = Trs::from_translation(Vec3::X * LENGTH);
        Arc::new(Rig::new(RigData {
            hierarchy: chain(3, rest),
            clips: vec![clip(vec![turns.clone()]), clip(vec![turns, goes])],
            ..RigData::default()
        }))
    }

    fn plan(clip: usize) -> TrailPlan {
        let rig = turning();
        let joints = [1, 2].map(|joint| (NodeIndex(joint), NodeIndex(joint))).to_vec();
        let pose = Pose::rest(&rig.hierarchy);
        let played_secs = [0.0, 1.0];
        TrailPlan { rig, pose, clip, holds_root: false, played_secs, rate: RATE, joints, skin: None, has_root: true }
    }

    #[test]
    fn rotating_joint_traces_a_circle() {
        let mut plan = plan(0);
        let trails = plan.trails();
        assert_eq!(trails.moments.len(), 25);
        let axis = Vec3::X * LENGTH;
        for (trail, radius) in trails.joints.iter().zip([LENGTH, 2.0 * LENGTH]) {
            for (number, (point, moment)) in trail.points.iter().zip(&trails.moments).enumerate() {
                let angle = TAU * moment.time_secs;
                let wanted = axis + Vec3::new(angle.cos(), 0.0, -angle.sin()) * radius;
                assert!(point.distance(wanted) < 1e-5, "{point} at {number}, not {wanted}");
            }
        }
        plan.pose.set_user_local(NodeIndex(1), Trs { rotation: Quat::from_rotation_y(TAU / 4.0), ..Trs::IDENTITY });
        let bent = plan.trails();
        let radius = LENGTH * 2.0_f32.sqrt();
        assert!(bent.joints[1].points.iter().all(|point| (point.distance(axis) - radius).abs() < 1e-5));
        assert_eq!(bent.joints[0], trails.joints[0]);
    }

    #[test]
    fn plans_move_alike_where_their_points_are_at_the_same_moments() {
        let (plan, mut skinned) = (plan(1), plan(1));
        // Plans are equal only if they share a rig, and `plan` creates a new rig in each call.
        skinned.rig = Arc::clone(&plan.rig);
        assert!(plan.moves_as(&skinned) && plan == skinned);
        skinned.skin = Some(TrailedSkin {
            vertices: Vec::new(),
            skinned: SkinnedRig::new(
                &plan.rig,
                std::borrow::Cow::Owned(rigscope_core::skinning::Skinning::default()),
                None,
            ),
        });
        assert!(!plan.moves_as(&skinned) && plan != skinned);
        let mut posed = plan.clone();
        posed.pose.set_user_local(NodeIndex(1), Trs::from_translation(Vec3::X));
        assert!(!plan.moves_as(&posed));
    }

    #[test]
    fn trails_are_where_the_pose_is() {
        let plan = plan(1);
        let trails = plan.trails();
        for (number, moment) in trails.moments.iter().enumerate() {
            let moment = ClipMoment::new(1, moment.time_secs);
            let posed = evaluate(&plan.rig, Some(moment), &plan.pose);
            for trail in trails.joints.iter() {
                assert_eq!(trail.points[number], posed.world_from_node[trail.joint.index()].translation);
            }
        }
    }

    #[test]
    fn the_root_goes_over_the_ground_and_turns() {
        let path = |clip| plan(clip).trails().root.unwrap();
        let moving = path(1);
        assert!(!moving.is_in_place && path(0).is_in_place);
        for (number, (point, heading)) in moving.points.iter().zip(&moving.headings).enumerate() {
            let time = number as f32 / 24.0;
            assert!(point.distance(Vec3::Z * 2.0 * time) < 1e-5, "{point} at {number}");
            let wanted = Quat::from_rotation_y(TAU * time) * Vec3::Z;
            assert!(heading.distance(wanted) < 1e-4, "{heading} at {number}, not {wanted}");
        }
    }

    #[test]
    fn a_part_between_frames_begins_and_ends_with_points_that_are_no_frames() {
        let frames = |part| moments(RATE, part, 1000).iter().map(|moment| moment.frame).collect::<Vec<_>>();
        let some = |frames: std::ops::RangeInclusive<u32>| frames.map(Some).collect::<Vec<_>>();
        assert_eq!(frames([0.25, 0.5]), some(6..=12));
        assert_eq!(frames([0.26, 0.49]), [vec![None], some(7..=11), vec![None]].concat());
        assert_eq!(frames([0.5, 0.5]), [Some(12)]);
        let times = moments(RATE, [0.26, 0.49], 1000);
        assert_eq!((times[0].time_secs, times[6].time_secs), (0.26, 0.49));
        assert!(times.windows(2).all(|pair| pair[0].time_secs < pair[1].time_secs));
    }

    #[test]
    fn long_clips_and_large_rigs_have_fewer_points() {
        for (to, max_moments) in [(1.0, 3), (100.0, 1000), (1e6, 1000), (f32::MAX, 1000), (3.0, 0)] {
            let moments = moments(RATE, [0.0, to], max_moments);
            assert!(moments.len() <= max_moments.max(3), "{} of {max_moments}", moments.len());
            assert_eq!((moments[0].time_secs, moments.last().unwrap().time_secs), (0.0, to));
        }
        assert!(moments(RATE, [1e30, 1e35], 1000).len() < 4, "beyond the numbers of frames");
        let thirds = moments(RATE, [0.0, 1.0], 11);
        assert_eq!(thirds.iter().map(|m| m.frame.unwrap()).collect::<Vec<_>>(), [0, 3, 6, 9, 12, 15, 18, 21, 24]);
    }
}
