use glam::{Affine3, DAffine3, DVec3, Quat, Vec3};

use super::reach::reach;
use crate::rig::{Hierarchy, NodeIndex, Pose, PosedJoint, Trs, rotate_in_world};

/// A joint chain for IK. All joints except the last rotate. Bones keep their lengths except under non-uniform scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IkChain {
    joints: Vec<NodeIndex>,
}

/// Inputs of the solver other than the pose.
#[derive(Clone, Copy, Debug)]
pub struct SolverInputs<'a> {
    /// Node tree of the rig.
    pub hierarchy: &'a Hierarchy,
    /// `C_j` of every node.
    pub clip_local: &'a [Affine3],
    /// Direction in which a straight chain bends, in the axes of the chain's first joint.
    pub bend: Vec3,
}

impl IkChain {
    /// Creates a chain of up to `bones` bones above `end`. The chain stops at a root or at a pinned joint. `None` if
    /// the chain has no bones.
    pub fn new(
        hierarchy: &Hierarchy,
        end: NodeIndex,
        bones: usize,
        is_pinned: impl Fn(NodeIndex) -> bool,
    ) -> Option<Self> {
        let mut joints = vec![end];
        for joint in hierarchy.ancestors(end).take(bones) {
            joints.push(joint);
            if is_pinned(joint) {
                break;
            }
        }
        joints.reverse();
        (joints.len() > 1).then_some(Self { joints })
    }

    /// Returns the joints from the base to the end.
    pub fn joints(&self) -> &[NodeIndex] {
        &self.joints
    }

    /// Rotates the chain so that its end is as close to `target` (world space) as possible, and returns its joints.
    /// Pass the `pose` from the start of a drag, so that errors don't accumulate. `allowed` applies rotation limits.
    pub fn solve_toward(
        &self,
        stand: SolverInputs<'_>,
        pose: &Pose,
        target: Vec3,
        allowed: impl Fn(NodeIndex, Trs) -> Trs,
    ) -> Vec<PosedJoint> {
        let SolverInputs { hierarchy, clip_local, bend } = stand;
        let local = |node: NodeIndex| clip_local[node.index()].as_daffine3();
        let above = self.joints.first().map_or(DAffine3::IDENTITY, |&first| {
            let posed = |node: NodeIndex| local(node) * pose.user_local(node).to_daffine();
            hierarchy.ancestors(first).fold(DAffine3::IDENTITY, |below, node| posed(node) * below)
        });
        let above = DAffine3::from_translation(-hierarchy.anchor()) * above;
        let locals = self.joints.iter().map(|&joint| local(joint)).collect();
        let user_local = self.joints.iter().map(|&joint| *pose.user_local(joint)).collect();
        let solved = PosedChain::new(&self.joints, (above, locals), user_local, bend).solve(target.as_dvec3(), allowed);
        let turned = self.joints.iter().zip(solved.user_local).take(self.joints.len() - 1);
        turned.map(|(&node, user_local)| PosedJoint { node, user_local }).collect()
    }
}

/// Returns the direction in which a chain bends, in the axes of its first joint: as in the rest pose or, if the chain
/// is straight at rest, towards `otherwise` (world space). A chain is straight if its joints deviate from a line by at
/// most `straight`, relative to its length.
pub fn rest_bend(hierarchy: &Hierarchy, joints: &[NodeIndex], straight: f32, otherwise: Vec3) -> Vec3 {
    let Some(&base) = joints.first() else { return otherwise };
    let in_file = |node: NodeIndex| {
        let local = |node: NodeIndex| hierarchy.rest_local(node).as_daffine3();
        hierarchy.ancestors(node).fold(local(node), |below, above| local(above) * below)
    };
    let from_base = in_file(base).inverse();
    let points: Vec<DVec3> = joints.iter().map(|&node| in_file(node).translation).collect();
    let (first, last) = (points[0], points[points.len() - 1]);
    let along = (last - first).normalize_or_zero();
    let off: DVec3 = points.iter().map(|p| (*p - first).reject_from_normalized(along)).sum();
    let is_bent = along != DVec3::ZERO && off.length() > f64::from(straight) * first.distance(last);
    let bend = from_base.transform_vector3(if is_bent { off } else { otherwise.as_dvec3() });
    bend.try_normalize().unwrap_or(DVec3::Z).as_vec3()
}

/// A chain in a pose.
pub(in crate::rig) struct PosedChain<'a> {
    joints: &'a [NodeIndex],
    /// World matrix of the chain's parent.
    above: DAffine3,
    /// `C_j` of each joint.
    locals: Vec<DAffine3>,
    user_local: Vec<Trs>,
    /// `W_j` of each joint.
    world: Vec<DAffine3>,
    bend: Vec3,
    length: f64,
}

/// The pose that brings a chain's end closest to its target.
pub(in crate::rig) struct ChainPose {
    /// `Ul_j` of each joint of the chain; the last is unchanged.
    pub(in crate::rig) user_local: Vec<Trs>,
    /// Vector from the end to the target, world space.
    pub(in crate::rig) left: DVec3,
}

impl<'a> PosedChain<'a> {
    /// `bend` is in the axes of the first joint.
    pub(in crate::rig) fn new(
        joints: &'a [NodeIndex],
        (above, locals): (DAffine3, Vec<DAffine3>),
        user_local: Vec<Trs>,
        bend: Vec3,
    ) -> Self {
        let world = vec![DAffine3::IDENTITY; joints.len()];
        let mut limb = Self { joints, above, locals, user_local, world, bend, length: 0.0 };
        limb.place_from(0);
        limb.length = limb.bone_lengths().sum();
        limb
    }

    /// Returns the minimum and maximum distance between base and end that the chain allows without joint limits.
    pub(in crate::rig) fn range(&self) -> [f64; 2] {
        let longest = self.bone_lengths().fold(0.0, f64::max);
        [(2.0 * longest - self.length).max(0.0), self.length]
    }

    pub(in crate::rig) fn base(&self) -> DVec3 {
        self.world[0].translation
    }

    fn bone_lengths(&self) -> impl Iterator<Item = f64> + '_ {
        self.world.windows(2).map(|w| w[0].translation.distance(w[1].translation))
    }

    /// Rotates the chain so that its end is as close to `target` as possible. A chain whose end is at the target is not
    /// changed. `allowed` applies rotation limits.
    pub(in crate::rig) fn solve(mut self, target: DVec3, allowed: impl Fn(NodeIndex, Trs) -> Trs) -> ChainPose {
        /// Maximum number of solver rounds. One round suffices without non-uniform scale and joint limits.
        const MAX_ROUNDS: usize = 24;
        let mut best = ChainPose { left: target - self.end(), user_local: self.user_local.clone() };
        if best.left.length() <= 1e-6 * self.length || self.joints.len() < 2 {
            return best;
        }
        // Rotating the whole chain first preserves its plane, and thus the axes of hinges.
        self.turn(0, [self.end() - self.base(), target - self.base()], &allowed);
        let bend = self.world[0].transform_vector3(self.bend.as_dvec3()).as_vec3();
        for round in 0..MAX_ROUNDS {
            let before = self.end().distance(target);
            if round % 2 == 0 {
                self.follow(target, bend, &allowed);
            } else {
                self.aim(target, &allowed);
            }
            let left = target - self.end();
            if left.length() < best.left.length() {
                best = ChainPose { left, user_local: self.user_local.clone() };
            }
            let distance = left.length();
            if distance < 1e-6 * self.length || (round > 4 && (before - distance).abs() < 1e-6 * self.length) {
                break;
            }
        }
        best
    }

    fn before_user(&self, i: usize) -> DAffine3 {
        (if i == 0 { self.above } else { self.world[i - 1] }) * self.locals[i]
    }

    fn place_from(&mut self, first: usize) {
        for i in first..self.joints.len() {
            self.world[i] = self.before_user(i) * self.user_local[i].to_daffine();
        }
    }

    fn end(&self) -> DVec3 {
        self.world[self.world.len() - 1].translation
    }

    fn turn(&mut self, i: usize, [from, to]: [DVec3; 2], allowed: impl Fn(NodeIndex, Trs) -> Trs) {
        let Some(turn) = arc(from, to) else { return };
        let turned = rotate_in_world(&self.user_local[i], &self.before_user(i).as_affine3(), turn);
        self.user_local[i] = allowed(self.joints[i], turned);
        self.place_from(i);
    }

    fn follow(&mut self, target: DVec3, bend: Vec3, allowed: impl Fn(NodeIndex, Trs) -> Trs) {
        // Relative to the base, single precision suffices.
        let base = self.base();
        let points: Vec<Vec3> = self.world.iter().map(|w| (w.translation - base).as_vec3()).collect();
        let points = reach(&points, (target - base).as_vec3(), bend);
        for i in 0..self.joints.len() - 1 {
            let at = self.world[i].translation;
            let wanted = base + points[i + 1].as_dvec3();
            self.turn(i, [self.world[i + 1].translation - at, wanted - at], &allowed);
        }
    }

    /// Runs one pass of cyclic coordinate descent: from the end upwards, each joint rotates the end towards the target.
    fn aim(&mut self, target: DVec3, allowed: impl Fn(NodeIndex, Trs) -> Trs) {
        for i in (0..self.joints.len() - 1).rev() {
            let at = self.world[i].translation;
            self.turn(i, [self.end() - at, target - at], &allowed);
        }
    }
}

/// Returns the smallest rotation between two directions; `None` if one is zero.
fn arc(from: DVec3, to: DVec3) -> Option<Quat> {
    let (from, to) = (from.try_normalize()?, to.try_normalize()?);
    Some(glam::DQuat::from_rotation_arc(from, to).as_quat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::forward_kinematics;
    use crate::rig::testing::{any_even_parent, any_rigid, any_rotation, any_vector, build_chain};
    use glam::EulerRot;
    use proptest::prelude::*;

    fn any_chain() -> impl Strategy<Value = (Hierarchy, Pose)> {
        let bone = (any_rigid(1.0), any_rotation()).prop_filter("too short", |b| b.0.translation.length() > 0.3);
        prop::collection::vec(bone, 3..8).prop_map(|bones| {
            let hierarchy = build_chain(&bones.iter().map(|bone| bone.0).collect::<Vec<_>>());
            let mut pose = Pose::rest(&hierarchy);
            for (node, bone) in hierarchy.nodes().zip(&bones) {
                pose.set_user_local(node, Trs::from_rotation(bone.1));
            }
            (hierarchy, pose)
        })
    }

    struct Pulled {
        before: Vec<Vec3>,
        after: Vec<Vec3>,
    }

    impl Pulled {
        fn lengths(points: &[Vec3]) -> impl Iterator<Item = f32> {
            points.windows(2).map(|p| p[0].distance(p[1]))
        }

        fn reach(&self) -> f32 {
            Self::lengths(&self.before).sum()
        }
    }

    fn pulled(hierarchy: &Hierarchy, clip_local: &[Affine3], pose: &Pose, target: impl Fn(&[Vec3]) -> Vec3) -> Pulled {
        let end = NodeIndex(hierarchy.len() as u32 - 1);
        let chain = IkChain::new(hierarchy, end, usize::MAX, |n| n.0 == 1).unwrap();
        let points = |pose: &Pose| -> Vec<Vec3> {
            forward_kinematics(hierarchy, clip_local, pose)[1..].iter().map(|w| w.translation).collect()
        };
        let before = points(pose);
        let stand = SolverInputs { hierarchy, clip_local, bend: Vec3::Z };
        let mut posed = pose.clone();
        for PosedJoint { node, user_local } in chain.solve_toward(stand, pose, target(&before), |_, t| t) {
            let was = pose.user_local(node);
            assert_eq!((user_local.translation, user_local.scale), (was.translation, was.scale), "only rotations");
            posed.set_user_local(node, user_local);
        }
        Pulled { before, after: points(&posed) }
    }

    proptest! {
        #[test]
        fn the_end_comes_to_a_target_in_reach_and_bones_keep_their_lengths((hierarchy, pose) in any_chain(), even in any_even_parent(),
            toward in any_vector(1.0), share in 0.1_f32..0.97) {
            let mut clip_local = hierarchy.rest_locals().to_vec();
            clip_local[0] = even;
            let goal = |points: &[Vec3]| {
                let lengths: Vec<f32> = Pulled::lengths(points).collect();
                let total: f32 = lengths.iter().sum();
                let nearest = (2.0 * lengths.iter().copied().fold(0.0, f32::max) - total).max(0.0);
                points[0] + toward.normalize_or(Vec3::X) * (nearest + (total - nearest) * share)
            };
            let pulled = pulled(&hierarchy, &clip_local, &pose, goal);
            let missed = pulled.after[pulled.after.len() - 1].distance(goal(&pulled.before));
            prop_assert!(missed < 1e-3 * pulled.reach(), "{missed} of {}", pulled.reach());
            for (a, b) in Pulled::lengths(&pulled.before).zip(Pulled::lengths(&pulled.after)) {
                prop_assert!((a - b).abs() < 1e-4 * pulled.reach());
            }
            prop_assert!(pulled.before[0].distance(pulled.after[0]) < 1e-6 * pulled.reach(), "the first joint stays");
        }

        #[test]
        fn out_of_reach_the_chain_is_straight((hierarchy, pose) in any_chain(), toward in any_vector(1.0)) {
            let toward = toward.normalize_or(Vec3::X);
            let pulled = pulled(&hierarchy, hierarchy.rest_locals(), &pose, |points| points[0] + toward * 100.0);
            let end = pulled.after[pulled.after.len() - 1];
            prop_assert!((end - pulled.after[0]).length() > pulled.reach() * 0.9999, "{} {}", (end - pulled.after[0]).length(), pulled.reach());
        }
    }

    #[test]
    fn a_chain_ends_at_its_length_at_a_pin_and_at_the_root() {
        let hierarchy = crate::rig::testing::chain(6, Trs::IDENTITY);
        let joints = |bones, pin: u32| {
            let chain = IkChain::new(&hierarchy, NodeIndex(4), bones, |n| n.0 == pin);
            chain.map(|c| c.joints().iter().map(|n| n.0).collect::<Vec<_>>())
        };
        assert_eq!(joints(2, 99), Some(vec![2, 3, 4]));
        assert_eq!(joints(10, 99), Some(vec![0, 1, 2, 3, 4]));
        assert_eq!(joints(10, 3), Some(vec![3, 4]));
        assert_eq!(joints(0, 99), None);
        assert_eq!(IkChain::new(&hierarchy, NodeIndex(0), 3, |_| false), None);
    }

    #[test]
    fn limits_are_kept_and_the_rest_of_the_chain_does_what_it_can() {
        let hierarchy = crate::rig::testing::chain(4, Trs::from_translation(Vec3::Y));
        let clip_local = hierarchy.rest_locals();
        let pose = Pose::rest(&hierarchy);
        let chain = IkChain::new(&hierarchy, NodeIndex(3), 3, |_| false).unwrap();
        let stand = SolverInputs { hierarchy: &hierarchy, clip_local, bend: Vec3::Z };
        let target = Vec3::new(0.0, 2.0, 2.0);
        let hinge =
            |node: NodeIndex, user: Trs| if node.0 == 1 { Trs { rotation: Quat::IDENTITY, ..user } } else { user };
        let turned = chain.solve_toward(stand, &pose, target, hinge);
        assert_eq!(turned.iter().map(|t| t.node.0).collect::<Vec<_>>(), [0, 1, 2], "the end itself does not turn");
        let angles =
            turned.iter().map(|t| t.user_local.rotation.to_euler(EulerRot::XYZ).0.to_degrees()).collect::<Vec<_>>();
        assert!(angles[1].abs() < 1e-3, "{angles:?}");
        let mut posed = pose;
        posed.set_joints(turned);
        let end = forward_kinematics(&hierarchy, clip_local, &posed)[3].translation;
        assert!(end.distance(target) < 1e-2, "{end}");
    }
}
