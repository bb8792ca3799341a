//! Retarget pose: the target posed so that its limbs have the source's directions.

use glam::{Affine3, DQuat, DVec3};

use crate::rig::{NodeIndex, polar_f64};

/// World matrices of a rig's nodes in a pose, if known.
pub(super) type NodeMatrices = Vec<Option<Affine3>>;

/// Maximum angle from the source's direction at which trunk and feet keep their own, radians. Different proportions
/// alone may cause such an angle.
const OWN_SHAPE: f64 = 0.52;
/// Angle up to which local bone directions count as equal, radians.
const SAME_DIRECTION: f64 = 0.05;
/// Maximum angle between joint axes that a different rest pose can explain, radians.
const SAME_CONVENTION: f64 = 1.05;
const SAME_CONVENTION_PERCENT: usize = 70;
/// Maximum angle between corresponding bones of skeletons in the same pose, radians.
const ONE_POSE: f64 = 0.44;
const ONE_POSE_PERCENT: usize = 90;
const ROUNDING: f64 = 1e-3;
/// Minimum length of the mean of the unit vectors to a joint's children; a shorter mean defines no direction.
const MIN_AGREEMENT: f64 = 0.3;

pub(super) struct PairedJoint {
    pub nodes: [NodeIndex; 2],
    /// Index of the nearest paired ancestor.
    pub above: Option<usize>,
    /// Index of the joint that the bone points to, if known from humanoid bones.
    pub tip: Option<usize>,
    pub part: LimbKind,
    /// Joints that an arm or leg bone without `tip` points to, such as palms, by skeleton.
    pub own_tips: [Vec<NodeIndex>; 2],
}

/// Kind of limb; it determines how a joint adopts the source's pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimbKind {
    Arm,
    Leg,
    /// Flat on the ground at rest, independent of the shins.
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
    /// World rotations of each joint in source and target. Those of the source are first turned to the target's front.
    turns: Vec<[DQuat; 2]>,
    /// World directions of each joint's bone in source and target. Those of the source are first turned to the target's
    /// front.
    aims: Vec<Option<[DVec3; 2]>>,
}

/// Returns the rotation from target to source axes of each joint. With equal axis conventions, it is the identity
/// except for limbs with different bone directions; otherwise it comes from the retarget pose. `turn` rotates the
/// source to the target's front.
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
    /// Computes axes in the retarget pose: limbs swing to the source's bone directions, parents first.
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

    /// Returns whether 90 % of the leg bones agree, or of all bones if there are no legs. Then neither skeleton is in
    /// mid-step.
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

/// Returns the directions from joints to the tips of their bones or, without a tip, the mean directions to their
/// children.
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
