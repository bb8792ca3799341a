//! Random poses within the natural range of joints, the same in every run.

use std::collections::HashSet;
use std::f32::consts::{FRAC_PI_4, TAU};

use glam::{Quat, Vec3};

use rigscope_core::posing::{JointLimits, Limits};
use rigscope_core::rig::{NodeIndex, Pose, Rig, Trs};

/// Maximum rotation of joints without limits: 45° about any axis.
const NATURAL: f32 = FRAC_PI_4;

/// Number of poses that rotate each joint alone, if the budget allows it.
const ALONE: usize = 4;

/// Number of poses that rotate many joints, if the budget allows it.
const TOGETHER: usize = 32;

/// In poses that rotate many joints, one joint in this many rotates.
const ONE_OF: u64 = 4;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RandomPose {
    pub turns: Vec<(NodeIndex, Quat)>,
}

impl RandomPose {
    pub(super) fn pose(&self, rig: &Rig) -> Pose {
        rest_pose_with_rotations(rig, &self.turns)
    }
}

pub(in crate::analysis) fn rest_pose_with_rotations(rig: &Rig, turns: &[(NodeIndex, Quat)]) -> Pose {
    let mut pose = Pose::rest(&rig.hierarchy);
    for &(node, rotation) in turns {
        pose.set_user_local(node, Trs { rotation, ..Trs::IDENTITY });
    }
    pose
}

/// Returns the joints that no constraint turns.
pub(in crate::analysis) fn unconstrained_joints(rig: &Rig) -> Vec<NodeIndex> {
    let constrained: HashSet<NodeIndex> = rig.behaviours().constraints().iter().map(|c| c.node).collect();
    let is_free = |node: &NodeIndex| rig.is_joint(*node) && !constrained.contains(node);
    rig.hierarchy.nodes().filter(is_free).collect()
}

/// Creates up to `max_poses` poses: first poses that rotate a single unconstrained joint, then poses that rotate many
/// joints. If there are too many joints, joints that are far apart in node order share poses. A joint's rotations
/// depend only on its index and limits.
pub(super) fn random_poses(rig: &Rig, limits: &Limits, max_poses: usize) -> Vec<RandomPose> {
    let joints = unconstrained_joints(rig);
    if joints.is_empty() {
        return Vec::new();
    }
    let together = TOGETHER.min(max_poses / 4);
    let alone = (joints.len() * ALONE).min(max_poses.max(1) - together);
    let mut poses = vec![RandomPose::default(); alone + together];
    let rounds = (0..ALONE).flat_map(|round| joints.iter().map(move |&joint| (joint, round)));
    for (at, (joint, round)) in rounds.enumerate() {
        let pose = &mut poses[at % alone];
        if pose.turns.iter().all(|(other, _)| *other != joint) {
            pose.turns.push((joint, turn(joint, round, limits)));
        }
    }
    for (round, pose) in poses[alone..].iter_mut().enumerate() {
        let round = ALONE + round;
        let is_turned = |joint: &NodeIndex| Random::new(*joint, round + TOGETHER).next().is_multiple_of(ONE_OF);
        pose.turns.extend(joints.iter().filter(|joint| is_turned(joint)).map(|&j| (j, turn(j, round, limits))));
    }
    poses
}

fn turn(joint: NodeIndex, round: usize, limits: &Limits) -> Quat {
    let random = &mut Random::new(joint, round);
    if let Some(limits) = limits.get(joint) {
        return within(limits, random);
    }
    let (z, around) = (random.between(-1.0, 1.0), random.between(0.0, TAU));
    let across = (1.0 - z * z).max(0.0).sqrt();
    let axis = Vec3::new(across * around.cos(), across * around.sin(), z);
    Quat::from_axis_angle(axis.normalize_or(Vec3::Z), random.between(0.5, 1.0) * NATURAL)
}

fn within(limits: &JointLimits, random: &mut Random) -> Quat {
    let angles = limits.axes.map(|freedom| {
        let range = freedom.range().unwrap_or(-NATURAL..=NATURAL);
        random.between(*range.start(), *range.end())
    });
    limits.order.rotation(Vec3::from(angles))
}

/// Seeded random number generator. *Source*: Steele, Lea and Flood 2014, `SplitMix64`.
pub(in crate::analysis) struct Random(u64);

impl Random {
    pub(in crate::analysis) fn new(joint: NodeIndex, round: usize) -> Self {
        Self(((joint.index() as u64) << 20) + round as u64)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(in crate::analysis) fn between(&mut self, from: f32, to: f32) -> f32 {
        let share = (self.next() >> 40) as f32 / (1_u64 << 24) as f32;
        from + (to - from) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine3;
    use rigscope_core::posing::AxisLimit;
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{RigData, Skin};

    fn rig(joints: usize) -> Rig {
        let hierarchy = chain(joints, Trs::IDENTITY);
        let all: Vec<NodeIndex> = hierarchy.nodes().collect();
        let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; joints], joints: all, ..Skin::default() };
        Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() })
    }

    #[test]
    fn every_joint_turns_alone_by_no_more_than_its_range() {
        let rig = rig(5);
        let poses = random_poses(&rig, &Limits::default(), 1000);
        assert_eq!(poses.len(), 5 * ALONE + TOGETHER);
        assert!(poses[..20].iter().all(|pose| pose.turns.len() == 1));
        let turns = poses.iter().flat_map(|pose| &pose.turns);
        let angles: Vec<f32> = turns.map(|(_, turn)| turn.angle_between(Quat::IDENTITY)).collect();
        assert!(angles.iter().all(|angle| (0.4 * NATURAL..NATURAL + 1e-3).contains(angle)), "{angles:?}");
        assert_eq!(poses, random_poses(&rig, &Limits::default(), 1000));
    }

    #[test]
    fn limits_hold_in_every_pose() {
        let rig = rig(3);
        let mut limits = Limits::default();
        let bend = AxisLimit::Limited { min: 0.5, max: 2.0 };
        let knee =
            JointLimits { axes: [bend, AxisLimit::Locked(0.0), AxisLimit::Locked(0.1)], ..JointLimits::default() };
        limits.set(NodeIndex(1), knee);
        let turns = random_poses(&rig, &limits, 1000).into_iter().flat_map(|pose| pose.turns);
        let of_knee: Vec<Quat> = turns.filter(|(node, _)| *node == NodeIndex(1)).map(|(_, turn)| turn).collect();
        assert!(of_knee.len() > ALONE && of_knee.iter().all(|turn| knee.allows(*turn)));
    }

    #[test]
    fn few_poses_turn_all_joints() {
        let poses = random_poses(&rig(100), &Limits::default(), 24);
        assert_eq!(poses.len(), 24);
        let mut turned: Vec<NodeIndex> = poses[..18].iter().flat_map(|p| &p.turns).map(|(node, _)| *node).collect();
        turned.sort_unstable();
        turned.dedup();
        assert_eq!(turned.len(), 100);
    }
}
