use glam::{Affine3, DVec3};

use super::{Hierarchy, NodeIndex, Pose};

/// Computes `W_j` of one node, relative to [`Hierarchy::anchor`], by multiplying `A_j * Ul_j` of the node and all its
/// ancestors. `clip_local` (`A_j`) has one matrix per node. *Cost*: linear in the node's depth. For all nodes, use
/// [`super::forward_kinematics`], which gives the same result up to rounding.
///
/// The loop ends at a node without a parent. Published code that loops `while (p <= 0)` is wrong, because node 0 may be
/// a parent.
/// ```
/// use glam::{Affine3, Vec3};
/// use rigscope_core::rig::{Hierarchy, NodeDescription, NodeIndex, Pose, Trs, world_from_node};
///
/// let rest = Trs { translation: Vec3::X, ..Trs::IDENTITY };
/// let shoulder = NodeDescription { children: vec![1], rest, ..NodeDescription::default() };
/// let elbow = NodeDescription { rest, ..NodeDescription::default() };
/// let arm = Hierarchy::new(&[shoulder, elbow])?;
/// let clip_local = vec![rest.to_affine(); 2];
///
/// let elbow = world_from_node(&arm, &clip_local, &Pose::rest(&arm), NodeIndex(1));
/// assert_eq!(elbow, Affine3::from_translation(Vec3::X * 2.0));
/// # Ok::<(), rigscope_core::rig::HierarchyError>(())
/// ```
pub fn world_from_node(hierarchy: &Hierarchy, clip_local: &[Affine3], pose: &Pose, node: NodeIndex) -> Affine3 {
    if hierarchy.anchor() != DVec3::ZERO {
        let local = |n: NodeIndex| clip_local[n.index()].as_daffine3() * pose.user_local(n).to_daffine();
        let mut world = hierarchy.ancestors(node).fold(local(node), |below, parent| local(parent) * below);
        world.translation -= hierarchy.anchor();
        return world.as_affine3();
    }
    let local = |n: NodeIndex| clip_local[n.index()] * pose.user_local(n).to_affine();
    hierarchy.ancestors(node).fold(local(node), |below, parent| local(parent) * below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::forward_kinematics;
    use crate::rig::testing::{any_tree, any_trs};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_node_is_as_in_the_full_pass(hierarchy in any_tree(7..25, any_trs(1.0)), user in prop::collection::vec(any_trs(1.0), 25)) {
            let clip_local = hierarchy.rest_locals();
            let mut pose = Pose::rest(&hierarchy);
            for node in hierarchy.nodes() {
                pose.set_user_local(node, user[node.index()]);
            }
            let all = forward_kinematics(&hierarchy, clip_local, &pose);
            for node in hierarchy.nodes() {
                let (one, all) = (world_from_node(&hierarchy, clip_local, &pose, node), all[node.index()]);
                // Random scales multiply along a chain, so the tolerance is relative to the size of the summands.
                let size: f32 = hierarchy.ancestors(node).chain([node]).map(|n| {
                    let local = clip_local[n.index()] * pose.user_local(n).to_affine();
                    (local.matrix3.to_cols_array().iter().map(|x| x * x).sum::<f32>().sqrt() + local.translation.length()).max(1.0)
                }).product();
                prop_assert!(one.abs_diff_eq(all, 1e-6 * size), "{node:?}: {one} {all}");
            }
        }
    }
}
