//! The pose in which two skeletons are compared: the second one's bones point where those of the first do.

use glam::{Affine3, DQuat, DVec3};

use crate::rig::{NodeIndex, polar_f64};

/// World matrices of a rig's nodes in one pose; `None` where that is unknown.
pub(super) type Stand = Vec<Option<Affine3>>;

/// Bones of the trunk and feet keep the direction of their own rest pose up to this angle from the other's, radians: where hips, shoulders and soles
/// are is a matter of proportions.
const OWN_SHAPE: f64 = 0.52;
/// Local bone directions that differ by less than this, radians, count as the same.
const SAME_DIRECTION: f64 = 0.05;
/// Joint axes that differ by less than this, radians, may come from another rest pose.
const SAME_CONVENTION: f64 = 1.05;
/// Percentage of bones with the same local direction from which both skeletons follow one convention of axes.
const SAME_CONVENTION_PERCENT: usize = 70;
/// Bones whose directions differ by less than this, radians, are in one pose.
const ONE_POSE: f64 = 0.44;
/// Percentage of bones that must be in one pose for the skeletons to be.
const ONE_POSE_PERCENT: usize = 90;
/// Least angle by which axes are corrected, radians.
const ROUNDING: f64 = 1e-3;
/// Minimum length of the mean of unit vectors from a joint to its children for it to count as a direction.
const MIN_AGREEMENT: f64 = 0.3;

/// A joint of both skeletons.
pub(super) struct PairedJoint {
    pub nodes: [NodeIndex; 2],
    /// Index of the nearest such joint above it.
    pub above: Option<usize>,
    /// Index of the joint that its bone points to, where the bones of humans tell.
    pub tip: Option<usize>,
    pub part: BodyPart,
    /// Joints of each skeleton that an arm or leg points to where these are not paired, such as several palms and a hand.
    pub own_tips: [Vec<NodeIndex>; 2],
}

/// Part of the body that a joint belongs to, by how it takes the source's pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyPart {
    /// Arms and fingers, whose bones point where the source's do.
    Arm,
    /// Thighs and shins, whose bones point where the source's do.
    Leg,
    /// Feet stand flat on the ground at rest, whatever the direction of the shins is.
    Foot,
    /// Shoulders keep the direction of their own rest pose.
    Shoulder,
    /// Hips, spine, neck, head.
    Trunk,
    /// Not a humanoid bone.
    Other,
}

impl BodyPart {
    pub(super) fn is_limb(self) -> bool {
        matches!(self, Self::Arm | Self::Leg)
    }
}

/// Comparison of two skeletons in one pose each.
struct Comparison<'a> {
    joints: &'a [PairedJoint],
    /// World rotations of both skeletons' joints, the first one's turned to the second.
    turns: Vec<[DQuat; 2]>,
    /// World directions of the joints' bones, the first one's turned to the second.
    aims: Vec<Option<[DVec3; 2]>>,
}

/// For each joint, the rotation from the second skeleton's axes to the first one's.
///
/// Where both follow one convention of axes, rotations are the same but for limbs whose bones lie otherwise in their axes. Else axes are compared in
/// the retarget pose.
///
/// *Shapes*: `turn` rotates the first skeleton's stand to face as the second one's.
pub(super) fn axes(joints: &[PairedJoint], stands: [&Stand; 2], turn: DQuat) -> Vec<Option<DQuat>> {
    let known: Vec<Option<[DQuat; 2]>> = joints.iter().map(|joint| rotations(joint, stands, turn)).collect();
    let turns = known.iter().map(|turns| turns.unwrap_or_default()).collect();
    let comparison = Comparison { joints, turns, aims: aims(joints, stands, turn) };
    let posed = comparison.posed();
    let same = comparison.same_convention(&posed);
    // Where both are in one pose, trunks and feet that point elsewhere are of another shape; else they may be in another pose.
    let is_one_pose = comparison.is_one_pose();
    let takes_posed = |number: usize| !same || (is_one_pose && !joints[number].part.is_limb());
    let made = (0..joints.len()).map(|number| {
        known[number]?;
        Some(if takes_posed(number) { posed[number] } else { comparison.corrected(number, posed[number]) })
    });
    made.collect()
}

impl Comparison<'_> {
    /// Axes in the retarget pose: limbs are swung so that their bones have the same directions, parents first.
    fn posed(&self) -> Vec<DQuat> {
        let mut swings: Vec<DQuat> = Vec::with_capacity(self.joints.len());
        for (number, joint) in self.joints.iter().enumerate() {
            let above = joint.above.map(|above| (swings[above], self.joints[above].part.is_limb()));
            let inherited = above.map_or(DQuat::IDENTITY, |(swing, _)| swing);
            let is_flat = joint.part == BodyPart::Foot && angle(inherited) < OWN_SHAPE;
            let is_bent =
                |theirs: DVec3, ours: DVec3| joint.part != BodyPart::Shoulder && theirs.angle_between(ours) > OWN_SHAPE;
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

    /// Directions of a joint's bone in the joint's own axes.
    fn local(&self, number: usize) -> Option<[DVec3; 2]> {
        let [theirs, ours] = self.aims[number]?;
        Some([self.turns[number][0].inverse() * theirs, self.turns[number][1].inverse() * ours])
    }

    /// True where the bones of legs, or all bones of skeletons without legs, point to nearly the same directions: nobody is in mid-step.
    fn is_one_pose(&self) -> bool {
        let has_legs = self.joints.iter().any(|joint| joint.part == BodyPart::Leg);
        let angles: Vec<f64> = (0..self.joints.len())
            .filter(|&number| self.joints[number].part == BodyPart::Leg || !has_legs)
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

    /// Axes of a joint of skeletons of one convention.
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

fn rotations(joint: &PairedJoint, stands: [&Stand; 2], turn: DQuat) -> Option<[DQuat; 2]> {
    let [theirs, ours] = [0, 1].map(|side| stands[side][joint.nodes[side].index()].as_ref().map(rotation));
    Some([turn * theirs?, ours?])
}

/// Directions from joints to the tips of their bones, else the mean of those to the joints below them.
fn aims(joints: &[PairedJoint], stands: [&Stand; 2], turn: DQuat) -> Vec<Option<[DVec3; 2]>> {
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

/// The rotation of a matrix, without its scale and shear.
pub(super) fn rotation(matrix: &Affine3) -> DQuat {
    let (rotation, _) = polar_f64(matrix.matrix3.as_dmat3());
    if rotation.is_finite() { rotation } else { DQuat::IDENTITY }
}
