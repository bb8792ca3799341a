//! Retarget pose: the target rig posed so that its limbs point in the same directions as the source's limbs.

use glam::{Affine3, DQuat, DVec3};

use crate::rig::{NodeIndex, polar_f64};

/// World matrices of a rig's nodes in a pose, if known.
pub(super) type NodeMatrices = Vec<Option<Affine3>>;

/// Trunk and feet keep their own direction if it is within this angle of the source's direction, radians. Different
/// proportions alone may cause such an angle.
const OWN_SHAPE: f64 = 0.52;
/// Local bone directions within this angle, in radians, count as equal.
const SAME_DIRECTION: f64 = 0.05;
/// Largest angle between joint axes that a different rest pose can explain, radians.
const SAME_CONVENTION: f64 = 1.05;
const SAME_CONVENTION_PERCENT: usize = 70;
/// Two skeletons are in the same pose if most of their corresponding bones are within this angle, radians.
const ONE_POSE: f64 = 0.44;
const ONE_POSE_PERCENT: usize = 90;
const ROUNDING: f64 = 1e-3;
/// A joint's bone has no mean direction if the mean of the unit vectors to the joint's children is shorter than this.
const MIN_AGREEMENT: f64 = 0.3;

pub(super) struct PairedJoint {
    pub nodes: [NodeIndex; 2],
    /// Index of the nearest paired ancestor.
    pub above: Option<usize>,
    /// Index of the joint that the bone points to, if known from humanoid bones.
    pub tip: Option<usize>,
    pub part: LimbKind,
    /// For each skeleton, the joints that an arm or leg bone without a `tip` points to, such as palms.
    pub own_tips: [Vec<NodeIndex>; 2],
}

/// Kind of limb, which determines how a joint adopts the source's pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimbKind {
    Arm,
    Leg,
    /// Stays flat on the ground at rest, whatever the direction of the shin.
    Foot,
    /// Keeps its own rest direction.
    Shoulder,
    Trunk,
    Other,
}

impl LimbKind {
    pub(super) fn is_limb(self) -> bool {
        matches!(self, Self::Arm | Self::Leg)
    }
}

struct RotationComparison<'a> {
    joints: &'a [PairedJoint],
    /// World rotations of each joint in source and target; the source is rotated to the target's front.
    turns: Vec<[DQuat; 2]>,
    /// World directions of each joint's bone in source and target; the source is rotated to the target's front.
    aims: Vec<Option<[DVec3; 2]>>,
}

/// Returns each joint's rotation from target axes to source axes. If both rigs use the same axis convention, the
/// rotation is the identity except for limbs whose bone directions differ; otherwise it comes from the retarget pose.
/// `turn` rotates the source to the target's front.
pub(super) fn axes(joints: &[PairedJoint], stands: [&NodeMatrices; 2], turn: DQuat) -> Vec<Option<DQuat>> {
    let known: Vec<Option<[DQuat; 2]>> = joints.iter().map(|joint| rotations(joint, stands, turn)).collect();
    let turns = known.iter().map(|turns| turns.unwrap_or_default()).collect();
    let comparison = RotationComparison { joints, turns, aims: aims(joints, stands, turn) };
    let posed = comparison.posed();
    let same = comparison.same_convention(&posed);
    // If both rest poses are the same, trunks and feet differ only in shape. Otherwise their poses may differ, too.
    let is_one_pose = comparison.is_one_pose();
    let takes_posed = |number: usize| !same || (is_one_pose && !joints[number].part.is_limb());
    let made = (0..joints.len()).map(|number| {
        known[number]?;
        Some(if takes_posed(number) { posed[number] } else { comparison.corrected(number, posed[number]) })
    });
    made.collect()
}

impl RotationComparison<'_> {
    /// Computes the axes in the retarget pose, which swings limbs to the source's bone directions, parents first.
    fn posed(&self) -> Vec<DQuat> {
        let mut swings: Vec<DQuat> = Vec::with_capacity(self.joints.len());
        for (number, joint) in self.joints.iter().enumerate() {
            let above = joint.above.map(|above| (swings[above], self.joints[above].part.is_limb()));
            let inherited = above.map_or(DQuat::IDENTITY, |(swing, _)| swing);
            let is_flat = joint.part == LimbKind::Foot && angle(inherited) < OWN_SHAPE;
            let is_bent =
                |theirs: DVec3, ours: DVec3| joint.part != LimbKind::Shoulder && theirs.angle_between(ours) > OWN_SHAPE;
            swings.push(match self.aims[number] {
                Some([theirs, ours]) if joint.part.is_limb() || is_bent(theirs, ours) => {
                    DQuat::from_rotation_arc(inherited * ours, theirs) * inherited
                }
                None if above.is_some_and(|(_, is_limb)| is_limb) && !is_flat => inherited,
                _ => DQuat::IDENTITY,
            });
        }
        let axes = swings.iter().zip(&self.turns).map(|(swing, [theirs, ours])| theirs.inverse() * *swing * *ours);
        axes.collect()
    }

    fn local(&self, number: usize) -> Option<[DVec3; 2]> {
        let [theirs, ours] = self.aims[number]?;
        Some([self.turns[number][0].inverse() * theirs, self.turns[number][1].inverse() * ours])
    }

    /// Returns whether at least 90 % of the leg bones (of all bones if there are no legs) have similar directions in
    /// both skeletons, which means that neither skeleton is in mid-step.
    fn is_one_pose(&self) -> bool {
        let has_legs = self.joints.iter().any(|joint| joint.part == LimbKind::Leg);
        let angles: Vec<f64> = (0..self.joints.len())
            .filter(|&number| self.joints[number].part == LimbKind::Leg || !has_legs)
            .filter_map(|number| self.aims[number].map(|[theirs, ours]| theirs.angle_between(ours)))
            .collect();
        100 * angles.iter().filter(|angle| **angle < ONE_POSE).count() >= ONE_POSE_PERCENT * angles.len()
    }

    fn same_convention(&self, posed: &[DQuat]) -> bool {
        let is_same = |number: usize, [theirs, ours]: [DVec3; 2]| {
            theirs.angle_between(ours) < SAME_DIRECTION && angle(posed[number]) < SAME_CONVENTION
        };
        let known: Vec<bool> =
            (0..self.joints.len()).filter_map(|number| Some(is_same(number, self.local(number)?))).collect();
        100 * known.iter().filter(|same| **same).count() >= SAME_CONVENTION_PERCENT * known.len().max(1)
    }

    fn corrected(&self, number: usize, posed: DQuat) -> DQuat {
        let local = self.local(number);
        let apart = local.map_or(0.0, |[theirs, ours]| theirs.angle_between(ours));
        match local {
            Some([theirs, ours]) if self.joints[number].part.is_limb() && apart > ROUNDING => {
                DQuat::from_rotation_arc(ours, theirs)
            }
            _ if apart > SAME_DIRECTION && angle(posed) > SAME_CONVENTION => posed,
            _ => DQuat::IDENTITY,
        }
    }
}

fn angle(rotation: DQuat) -> f64 {
    2.0 * rotation.xyz().length().atan2(rotation.w.abs())
}

fn rotations(joint: &PairedJoint, stands: [&NodeMatrices; 2], turn: DQuat) -> Option<[DQuat; 2]> {
    let [theirs, ours] = [0, 1].map(|side| stands[side][joint.nodes[side].index()].as_ref().map(rotation));
    Some([turn * theirs?, ours?])
}

/// Returns the directions of each joint's bone in both skeletons: to the tip or, without a tip, the mean direction to
/// the children.
fn aims(joints: &[PairedJoint], stands: [&NodeMatrices; 2], turn: DQuat) -> Vec<Option<[DVec3; 2]>> {
    let place = |number: usize| {
        let [theirs, ours] = [0, 1].map(|side| stands[side][joints[number].nodes[side].index()]);
        Some([turn * theirs?.translation.as_dvec3(), ours?.translation.as_dvec3()])
    };
    let directions = |head: usize, tail: usize| {
        let (heads, tails) = (place(head)?, place(tail)?);
        let [theirs, ours] = [0, 1].map(|side| (tails[side] - heads[side]).try_normalize());
        Some([theirs?, ours?])
    };
    let mut sums = vec![([DVec3::ZERO; 2], 0); joints.len()];
    for (number, joint) in joints.iter().enumerate() {
        let Some(above) = joint.above else { continue };
        if let Some([theirs, ours]) = directions(above, number) {
            let (sum, count) = &mut sums[above];
            *sum = [sum[0] + theirs, sum[1] + ours];
            *count += 1;
        }
    }
    let mean = |([theirs, ours], count): ([DVec3; 2], usize)| {
        let agrees = |sum: DVec3| sum.length() > MIN_AGREEMENT * count as f64;
        (count > 0 && agrees(theirs) && agrees(ours)).then(|| [theirs.normalize(), ours.normalize()])
    };
    let own = |number: usize| {
        let heads = place(number)?;
        let direction = |side: usize| {
            let tips = joints[number].own_tips[side].iter().filter_map(|tip| stands[side][tip.index()]);
            let tips = tips.map(|tip| tip.translation.as_dvec3());
            let turned = tips.map(|tip| if side == 0 { turn * tip } else { tip });
            turned.filter_map(|tip| (tip - heads[side]).try_normalize()).sum::<DVec3>().try_normalize()
        };
        Some([direction(0)?, direction(1)?])
    };
    let aim = |(joint, sum): (usize, _)| {
        joints[joint].tip.and_then(|tip| directions(joint, tip)).or_else(|| mean(sum)).or_else(|| own(joint))
    };
    sums.into_iter().enumerate().map(aim).collect()
}

pub(super) fn rotation(matrix: &Affine3) -> DQuat {
    let (rotation, _) = polar_f64(matrix.matrix3.as_dmat3());
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}
