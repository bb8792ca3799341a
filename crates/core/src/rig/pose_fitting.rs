//! Fits poses to world matrices. In the *bind* pose, `W_j = B_j = inverse(IB_j)`: the mesh was bound to its joints in
//! this pose, every `T_j` is the identity, and the mesh looks as modelled. The rest pose, defined by the file's local
//! transforms, often differs from the bind pose.

use glam::Affine3;

use super::{Hierarchy, NodeIndex, Pose, Rig, user_local_for_world};

/// A node has reached its target if the relative error of its matrix is at most this.
const REACHED: f32 = 1e-4;

/// A fitted pose and the nodes that miss their target.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPose {
    /// Nearest pose.
    pub pose: Pose,
    /// Nodes that miss their target, parents first. If a node's `Ul_j` would need shear, the node matches only its
    /// target's position. A node with an ancestor of scale 0 is unchanged.
    pub inexact: Vec<NodeIndex>,
}

/// Computes the pose in which nodes reach the given world matrices.
///
/// Solves `Ul_j = inverse(W_p * A_j) * W_j`, parents first, with the `W_p` that the parent *reached*, so that children
/// compensate for the parent's error. *Shapes*: `clip_local` (`A_j`) and `wanted` (`W_j`) have one entry per node. A
/// node with `None` in `wanted` keeps its user transform from `pose`. *Source*: `docs/mathematics.md`, Setting a pose.
/// ```
/// use glam::{Affine3, Vec3};
/// use rigscope_core::rig::{Hierarchy, NodeDescription, Pose, Trs, forward_kinematics, pose_for_world};
///
/// let parent = NodeDescription { children: vec![1], ..NodeDescription::default() };
/// let nodes = Hierarchy::new(&[parent, NodeDescription::default()])?;
/// let clip_local = [Affine3::IDENTITY; 2];
///
/// // The parent moves up, the child stays.
/// let wanted = [Some(Affine3::from_translation(Vec3::Y)), Some(Affine3::IDENTITY)];
/// let fitted = pose_for_world(&nodes, &clip_local, &Pose::rest(&nodes), &wanted);
/// assert!(fitted.inexact.is_empty());
/// assert_eq!(forward_kinematics(&nodes, &clip_local, &fitted.pose)[1], Affine3::IDENTITY);
/// # Ok::<(), rigscope_core::rig::HierarchyError>(())
/// ```
///
/// # Panics
/// Panics if an array is shorter than the hierarchy.
pub fn pose_for_world(
    hierarchy: &Hierarchy,
    clip_local: &[Affine3],
    pose: &Pose,
    wanted: &[Option<Affine3>],
) -> FittedPose {
    let mut fitted = FittedPose { pose: pose.clone(), inexact: Vec::new() };
    let mut world: Vec<Affine3> = Vec::with_capacity(hierarchy.len());
    for node in hierarchy.nodes() {
        let local = clip_local[node.index()];
        let before_user =
            hierarchy.parent(node).map_or_else(|| hierarchy.matrix_from_file(local), |p| world[p.index()] * local);
        let wanted = wanted[node.index()];
        if let Some(user_local) = wanted.and_then(|wanted| user_local_for_world(&before_user, &wanted)) {
            fitted.pose.set_user_local(node, user_local);
        }
        let reached = before_user * fitted.pose.user_local(node).to_affine();
        if wanted.is_some_and(|wanted| !is_near(&reached, &wanted)) {
            fitted.inexact.push(node);
        }
        world.push(reached);
    }
    fitted
}

fn is_near(reached: &Affine3, wanted: &Affine3) -> bool {
    let largest = |m: &Affine3| m.matrix3.to_cols_array().into_iter().fold(0.0, |m: f32, x| m.max(x.abs()));
    let place = reached.translation.distance(wanted.translation);
    let axes = largest(&Affine3::from_mat3(reached.matrix3 - wanted.matrix3));
    axes <= REACHED * largest(wanted) && place <= REACHED * wanted.translation.length().max(largest(wanted))
}

/// Returns `B_j = inverse(IB_j)` of each node, skin from joint; `None` for nodes that are not joints or have a singular
/// `IB_j`. If a joint is in several skins, the first valid matrix applies.
pub fn bind_matrices(rig: &Rig) -> Vec<Option<Affine3>> {
    let mut bind = vec![None; rig.hierarchy.len()];
    for skin in &rig.skins {
        for (joint, inverse_bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let matrix = inverse_bind.as_daffine3().inverse().as_affine3();
            bind[joint.index()] = bind[joint.index()].or_else(|| matrix.is_finite().then_some(matrix));
        }
    }
    bind
}

/// Computes the bind pose, `W_j = B_j`, at the clip moment at which `clip_local` ([`super::Posed::clip_local`]) was
/// evaluated. Nodes that are not joints keep their user transform from `pose`. For unreachable matrices, see
/// [`FittedPose::inexact`].
pub fn bind_pose(rig: &Rig, clip_local: &[Affine3], pose: &Pose) -> FittedPose {
    let in_world = |bind: Option<Affine3>| bind.map(|bind| rig.hierarchy.matrix_from_file(bind));
    let wanted: Vec<Option<Affine3>> = bind_matrices(rig).into_iter().map(in_world).collect();
    pose_for_world(&rig.hierarchy, clip_local, pose, &wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::{any_rigid, any_tree, any_trs, chain, largest, world_at_rest};
    use crate::rig::{RigData, Skin, Trs, evaluate, forward_kinematics};
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    fn posed(hierarchy: &Hierarchy, user: &[Trs]) -> Pose {
        let mut pose = Pose::rest(hierarchy);
        for node in hierarchy.nodes() {
            pose.set_user_local(node, user[node.index()]);
        }
        pose
    }

    fn off(a: &Affine3, b: &Affine3) -> f32 {
        largest(a.matrix3 - b.matrix3).max(a.translation.distance(b.translation))
    }

    fn bound_rig(hierarchy: Hierarchy, bind: &[Trs]) -> Rig {
        let joints: Vec<NodeIndex> = hierarchy.nodes().filter(|n| n.index() % 2 == 1).collect();
        let inverse_bind = joints.iter().map(|j| bind[j.index()].to_affine().inverse()).collect();
        let skins = vec![Skin { joints, inverse_bind, ..Skin::default() }];
        Rig::new(RigData { hierarchy, skins, ..RigData::default() })
    }

    proptest! {
        #[test]
        fn a_pose_comes_back_from_its_world_matrices(hierarchy in any_tree(7..20, any_rigid(1.0)),
            user in prop::collection::vec(any_rigid(1.0), 20)) {
            let (clip_local, pose) = (hierarchy.rest_locals(), posed(&hierarchy, &user));
            let world = forward_kinematics(&hierarchy, clip_local, &pose);
            let wanted: Vec<Option<Affine3>> = world.iter().copied().map(Some).collect();
            let fitted = pose_for_world(&hierarchy, clip_local, &Pose::rest(&hierarchy), &wanted);
            prop_assert_eq!(&fitted.inexact, &[]);
            for node in hierarchy.nodes() {
                let (found, set) = (fitted.pose.user_local(node).to_affine(), pose.user_local(node).to_affine());
                prop_assert!(off(&found, &set) < 5e-5, "{node:?}: {}", off(&found, &set));
            }
        }

        #[test]
        fn the_world_at_rest_is_the_rest_pose(hierarchy in any_tree(7..20, any_rigid(1.0)), user in prop::collection::vec(any_trs(1.0), 20)) {
            let wanted: Vec<Option<Affine3>> = world_at_rest(&hierarchy).into_iter().map(Some).collect();
            let fitted = pose_for_world(&hierarchy, hierarchy.rest_locals(), &posed(&hierarchy, &user), &wanted);
            for node in hierarchy.nodes() {
                prop_assert!(off(&fitted.pose.user_local(node).to_affine(), &Affine3::IDENTITY) < 5e-5);
            }
        }

        #[test]
        fn the_bind_pose_makes_every_skinning_matrix_the_identity(hierarchy in any_tree(7..20, any_rigid(1.0)),
            bind in prop::collection::vec(any_rigid(2.0), 20), user in prop::collection::vec(any_rigid(1.0), 20)) {
            let rig = bound_rig(hierarchy, &bind);
            let before = posed(&rig.hierarchy, &user);
            let clip_local = rig.hierarchy.rest_locals();
            let fitted = bind_pose(&rig, clip_local, &before);
            prop_assert_eq!(&fitted.inexact, &[]);
            let world = evaluate(&rig, None, &fitted.pose).world_from_node;
            let skin = &rig.skins[0];
            for (joint, inverse_bind) in skin.joints.iter().zip(&skin.inverse_bind) {
                let t = world[joint.index()] * *inverse_bind;
                prop_assert!(off(&t, &Affine3::IDENTITY) < 2e-5, "{joint:?}: {}", off(&t, &Affine3::IDENTITY));
            }
            for node in rig.hierarchy.nodes().filter(|n| !rig.is_joint(*n)) {
                prop_assert_eq!(fitted.pose.user_local(node), before.user_local(node));
            }
        }
    }

    #[test]
    fn shear_is_reported_and_compensated_in_the_children() {
        let uneven = Trs { scale: Vec3::new(1.0, 3.0, 1.0), ..Trs::IDENTITY };
        let hierarchy = chain(3, Trs::from_translation(Vec3::X));
        let clip_local = vec![uneven.to_affine(), Affine3::IDENTITY, Affine3::IDENTITY];
        let turned = Affine3::from_rotation_translation(Quat::from_rotation_z(0.5), Vec3::Y);
        // The first node keeps its scale, the second needs shear, and the third is a child of the second.
        let reachable = uneven.to_affine() * turned;
        let fitted =
            pose_for_world(&hierarchy, &clip_local, &Pose::rest(&hierarchy), &[None, Some(turned), Some(reachable)]);
        assert_eq!(fitted.inexact.first(), Some(&NodeIndex(1)));
        let world = forward_kinematics(&hierarchy, &clip_local, &fitted.pose);
        assert!(world[1].translation.distance(turned.translation) < 1e-6, "the place is right");
        assert!(off(&world[1], &turned) > 0.1);
        assert!(world[2].translation.distance(reachable.translation) < 1e-5);
    }

    #[test]
    fn node_below_a_zero_scale_is_skipped_with_a_warning() {
        let hierarchy = chain(2, Trs::IDENTITY);
        let clip_local = vec![Affine3::from_scale(Vec3::ZERO), Affine3::IDENTITY];
        let rest = Pose::rest(&hierarchy);
        let fitted = pose_for_world(&hierarchy, &clip_local, &rest, &[None, Some(Affine3::IDENTITY)]);
        assert_eq!((fitted.pose, fitted.inexact), (rest, vec![NodeIndex(1)]));
    }

    #[test]
    fn the_first_skin_that_has_an_inverse_binds() {
        let hierarchy = chain(1, Trs::IDENTITY);
        let skin =
            |inverse_bind| Skin { joints: vec![NodeIndex(0)], inverse_bind: vec![inverse_bind], ..Skin::default() };
        let skins = vec![
            skin(Affine3::from_scale(Vec3::ZERO)),
            skin(Affine3::from_translation(Vec3::X)),
            skin(Affine3::from_translation(Vec3::Y)),
        ];
        let rig = Rig::new(RigData { hierarchy, skins, ..RigData::default() });
        assert_eq!(bind_matrices(&rig), [Some(Affine3::from_translation(-Vec3::X))]);
    }
}
