//! Rigid-motion form of forward kinematics, for rotation-only poses.
//!
//! [`super::forward_kinematics`] multiplies local matrices; then `T_j = W_j * IB_j`. If a pose only rotates joints and
//! nothing scales, the local frames cancel, leaving a rotation `Q_j` and a translation `t_j` per joint in skin space:
//!
//! ```text
//! Q_j = Q_p * q_j
//! t_j = t_p + Q_p * x_j - Q_j * x_j        Q = I, t = 0 above the root
//! T_j = [Q_j | t_j]
//! ```
//!
//! `x_j` is the bind position of joint j and `q_j` its rotation in skin axes ([`turn_in_skin`]). By the second line,
//! the joint rotates about its own position, which its *parent* moves: `Q_j x_j + t_j = Q_p x_j + t_p`.
//!
//! # Known errata
//! A well-known note has `t_j = -Q_j x_j + Q_p x_j - Q_p x_p + x_p`. Its last two terms equal `t_p` only if `p` is a
//! root; otherwise the motion of `p`'s ancestors is lost. Its `Q_j = q_j Q_p` is right only if `q_j` rotates about the
//! posed axes. *Source*: `docs/mathematics.md`, Forward kinematics.

use glam::{Affine3, Quat, Vec3};

use super::Hierarchy;

/// A rotation followed by a translation: `v -> rotation * v + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// `Q_j`, unit length.
    pub rotation: Quat,
    /// `t_j`, metres: the displacement of the origin, not of the joint.
    pub translation: Vec3,
}

impl RigidMotion {
    /// No motion.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// Transforms a point.
    pub fn transform_point(self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// Converts the motion to a 3x4 matrix.
    pub fn to_affine(self) -> Affine3 {
        Affine3::from_rotation_translation(self.rotation, self.translation)
    }
}

/// Computes `q_j = r_j * Ul_j.rotation * r_j^-1`, the user rotation in skin axes; `r_j` is the rotation of `B_j`.
/// ```
/// use glam::{Quat, Vec3};
/// use rigscope_core::rig::turn_in_skin;
///
/// // The joint's x axis was bound along the skin's y axis: a twist of the joint is a rotation about y in the skin.
/// let bind_rotation = Quat::from_rotation_arc(Vec3::X, Vec3::Y);
/// let turn = turn_in_skin(bind_rotation, Quat::from_rotation_x(0.5));
/// assert!(turn.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6));
/// ```
pub fn turn_in_skin(bind_rotation: Quat, user_rotation: Quat) -> Quat {
    (bind_rotation * user_rotation * bind_rotation.conjugate()).normalize()
}

/// Computes the skinning motions `[Q_j | t_j]`, world from skin, of a rotation-only pose.
///
/// *Shapes*: `rest_positions` (`x_j`, metres, skin space), `turns` (`q_j`, see [`turn_in_skin`]) and the result have
/// one entry per node. Skin space equals world space in the bind pose. For poses with scale or translated joints, use
/// [`super::forward_kinematics`].
///
/// In this arm, rotations of 90° at shoulder and elbow move the hand from (2, 0, 0) to (-1, 1, 0):
/// ```
/// use glam::{Quat, Vec3};
/// use rigscope_core::rig::{Hierarchy, NodeDescription, rigid_forward_kinematics};
///
/// let shoulder = NodeDescription { children: vec![1], ..NodeDescription::default() };
/// let arm = Hierarchy::new(&[shoulder, NodeDescription::default()])?;
/// let quarter = Quat::from_rotation_z(90_f32.to_radians());
///
/// let motions = rigid_forward_kinematics(&arm, &[Vec3::ZERO, Vec3::X], &[quarter, quarter]);
/// let hand = motions[1].transform_point(Vec3::X * 2.0);
/// assert!(hand.abs_diff_eq(Vec3::new(-1.0, 1.0, 0.0), 1e-6));
/// # Ok::<(), rigscope_core::rig::HierarchyError>(())
/// ```
///
/// # Panics
/// Panics if an array is shorter than the hierarchy.
pub fn rigid_forward_kinematics(hierarchy: &Hierarchy, rest_positions: &[Vec3], turns: &[Quat]) -> Vec<RigidMotion> {
    let mut motions: Vec<RigidMotion> = Vec::with_capacity(hierarchy.len());
    for node in hierarchy.nodes() {
        let parent = hierarchy.parent(node).map_or(RigidMotion::IDENTITY, |p| motions[p.index()]);
        let at = rest_positions[node.index()];
        // Products of many unit quaternions lose unit length.
        let rotation = (parent.rotation * turns[node.index()]).normalize();
        motions.push(RigidMotion { rotation, translation: parent.transform_point(at) - rotation * at });
    }
    motions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::{any_rigid, any_rotation, any_tree, chain, world_at_rest};
    use crate::rig::{Pose, Trs, forward_kinematics};
    use proptest::prelude::*;

    /// Computes `T_j` of a rotation-only pose in both forms; skin space is the world at rest.
    fn both_forms(hierarchy: &Hierarchy, rotations: &[Quat]) -> (Vec<Affine3>, Vec<RigidMotion>) {
        let rest_world = world_at_rest(hierarchy);
        let clip_local: Vec<Affine3> = hierarchy.nodes().map(|n| *hierarchy.rest_local(n)).collect();
        let mut pose = Pose::rest(hierarchy);
        let mut turns = Vec::new();
        for node in hierarchy.nodes() {
            let (rotation, bound) = (rotations[node.index()], rest_world[node.index()]);
            pose.set_user_local(node, Trs::from_rotation(rotation));
            turns.push(turn_in_skin(Quat::from_mat3(&bound.matrix3), rotation));
        }
        let world = forward_kinematics(hierarchy, &clip_local, &pose);
        let matrices = world.iter().zip(&rest_world).map(|(w, b)| *w * b.inverse()).collect();
        let positions: Vec<Vec3> = rest_world.iter().map(|b| b.translation).collect();
        (matrices, rigid_forward_kinematics(hierarchy, &positions, &turns))
    }

    fn difference(a: &Affine3, b: &Affine3) -> f32 {
        (a.matrix3 - b.matrix3)
            .to_cols_array()
            .into_iter()
            .chain((a.translation - b.translation).to_array())
            .fold(0.0, |m, x| m.max(x.abs()))
    }

    proptest! {
        #[test]
        fn rigid_motions_go_where_the_matrices_go_however_deep(hierarchy in any_tree(7..30, any_rigid(1.0)), rotations in prop::collection::vec(any_rotation(), 30)) {
            let (matrices, motions) = both_forms(&hierarchy, &rotations);
            let depth = hierarchy.nodes().map(|n| hierarchy.ancestors(n).count()).max();
            prop_assert!(depth >= Some(6), "{depth:?}");
            for (node, (matrix, motion)) in matrices.iter().zip(&motions).enumerate() {
                let off = difference(matrix, &motion.to_affine());
                prop_assert!(off < 5e-5, "node {node}: {off}");
            }
        }

        #[test]
        fn a_joint_goes_where_its_parent_takes_it(hierarchy in any_tree(7..20, any_rigid(1.0)),
            rotations in prop::collection::vec(any_rotation(), 20)) {
            let (_, motions) = both_forms(&hierarchy, &rotations);
            let rest = world_at_rest(&hierarchy);
            for node in hierarchy.nodes() {
                let at = rest[node.index()].translation;
                let parent = hierarchy.parent(node).map_or(RigidMotion::IDENTITY, |p| motions[p.index()]);
                prop_assert!(motions[node.index()].transform_point(at).distance(parent.transform_point(at)) < 2e-5);
            }
        }
    }

    /// Computes the erroneous recursion in the module documentation: `Q_j` is right, `t_j` is wrong.
    fn as_printed(hierarchy: &Hierarchy, x: &[Vec3], turns: &[Quat]) -> Vec<RigidMotion> {
        let mut motions: Vec<RigidMotion> = Vec::new();
        for node in hierarchy.nodes() {
            let i = node.index();
            let (parent_rotation, parent_at) = hierarchy
                .parent(node)
                .map_or((Quat::IDENTITY, Vec3::ZERO), |p| (motions[p.index()].rotation, x[p.index()]));
            let rotation = parent_rotation * turns[i];
            let translation = -(rotation * x[i]) + parent_rotation * x[i] - parent_rotation * parent_at + parent_at;
            motions.push(RigidMotion { rotation, translation });
        }
        motions
    }

    #[test]
    fn the_printed_recursion_forgets_the_grandparents() {
        let hierarchy = chain(5, Trs { translation: Vec3::X, ..Trs::IDENTITY });
        let positions: Vec<Vec3> = world_at_rest(&hierarchy).iter().map(|m| m.translation).collect();
        let turns = vec![Quat::from_rotation_z(0.5); 5];
        let right = rigid_forward_kinematics(&hierarchy, &positions, &turns);
        let printed = as_printed(&hierarchy, &positions, &turns);
        let apart: Vec<f32> = (0..5).map(|i| right[i].translation.distance(printed[i].translation)).collect();
        // For a root and its children, the parent's translation is x_p - Q_p x_p.
        assert!(apart[0] < 1e-6 && apart[1] < 1e-6, "{apart:?}");
        // For other nodes, the translation differs, because the parent's ancestors also moved the parent.
        for (joint, &apart) in apart.iter().enumerate().skip(2) {
            let p = joint - 1;
            let assumed = positions[p] - right[p].rotation * positions[p];
            assert!(apart > 0.1, "joint {joint} is {apart} off");
            assert!((apart - assumed.distance(right[p].translation)).abs() < 1e-5, "just what is missing of t_p");
        }
        // The error is visible: the joint detaches from its parent's bone.
        let elbow = printed[2].transform_point(positions[2]);
        assert!(elbow.distance(printed[1].transform_point(positions[2])) > 0.1);
    }
}
