use crate::rig::{Hierarchy, Pose, Trs};

/// Interpolates from the pose `from` (`share` 0) to the pose `to` (`share` 1): rotations by slerp along the shorter
/// arc, everything else linearly. If `share` is above 0, the look-at target comes from `to`. At 0 and 1, the result
/// equals `from` and `to` exactly.
/// ```
/// use glam::Quat;
/// use rigscope_core::posing::blend;
/// use rigscope_core::rig::{Hierarchy, NodeDescription, NodeIndex, Pose, Trs};
///
/// let nodes = Hierarchy::new(&[NodeDescription::default()])?;
/// let rest = Pose::rest(&nodes);
/// let mut bent = rest.clone();
/// bent.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_x(1.0)));
/// let half = blend(&nodes, &rest, &bent, 0.5);
/// assert!(half.user_local(NodeIndex(0)).rotation.abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6));
/// # Ok::<(), rigscope_core::rig::HierarchyError>(())
/// ```
/// # Panics
/// Panics if either pose belongs to a smaller hierarchy.
pub fn blend(hierarchy: &Hierarchy, from: &Pose, to: &Pose, share: f32) -> Pose {
    if share <= 0.0 {
        return from.clone();
    }
    let mut pose = to.clone();
    if share < 1.0 {
        for node in hierarchy.nodes() {
            let (from, to) = (from.user_local(node), to.user_local(node));
            if from != to {
                pose.set_user_local(node, between(from, to, share));
            }
        }
        for (morph, _) in from.morph_weights().chain(to.morph_weights()) {
            let (from, to) = (from.morph_weight(morph), to.morph_weight(morph));
            pose.set_morph_weight(morph, from + (to - from) * share);
        }
        let (from, to) = (from.face(), to.face());
        for (expression, _) in from.expressions().chain(to.expressions()) {
            let (from, to) = (from.expression(expression), to.expression(expression));
            pose.face_mut().set_expression(expression, from + (to - from) * share);
        }
    }
    pose
}

fn between(from: &Trs, to: &Trs, share: f32) -> Trs {
    Trs {
        translation: from.translation.lerp(to.translation, share),
        rotation: from.rotation.slerp(to.rotation, share),
        scale: from.scale.lerp(to.scale, share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::MorphIndex;
    use crate::rig::testing::{any_rigid, any_tree, any_trs, apart};
    use proptest::prelude::*;

    fn pose(hierarchy: &Hierarchy, user: &[Trs]) -> Pose {
        let mut pose = Pose::rest(hierarchy);
        hierarchy.nodes().zip(user).for_each(|(node, &user)| pose.set_user_local(node, user));
        pose
    }

    #[test]
    fn weights_of_morph_targets_go_straight_from_one_to_the_other() {
        let hierarchy = Hierarchy::default();
        let (mut a, mut b) = (Pose::rest(&hierarchy), Pose::rest(&hierarchy));
        a.set_morph_weight(MorphIndex(0), 1.0);
        a.set_morph_weight(MorphIndex(1), 1.0);
        b.set_morph_weight(MorphIndex(1), 0.5);
        b.set_morph_weight(MorphIndex(2), -1.0);
        let at = blend(&hierarchy, &a, &b, 0.25);
        assert_eq!([0, 1, 2].map(|morph| at.morph_weight(MorphIndex(morph))), [0.75, 0.875, -0.25]);
        assert_eq!((blend(&hierarchy, &a, &b, 0.0), blend(&hierarchy, &a, &b, 1.0)), (a, b));
    }

    proptest! {
        #[test]
        fn the_ends_of_a_blend_are_exactly_its_two_poses(hierarchy in any_tree(7..12, any_rigid(1.0)), a in prop::collection::vec(any_trs(1.0), 12),
            b in prop::collection::vec(any_trs(1.0), 12)) {
            let (a, b) = (pose(&hierarchy, &a), pose(&hierarchy, &b));
            prop_assert_eq!(&blend(&hierarchy, &a, &b, 0.0), &a);
            prop_assert_eq!(&blend(&hierarchy, &a, &b, 1.0), &b);
        }

        #[test]
        fn every_joint_goes_the_short_way_at_constant_speed(hierarchy in any_tree(7..12, any_rigid(1.0)),
            b in prop::collection::vec(any_rigid(1.0), 12), share in 0.0_f32..1.0) {
            let (a, b) = (Pose::rest(&hierarchy), pose(&hierarchy, &b));
            let between = blend(&hierarchy, &a, &b, share);
            for node in hierarchy.nodes() {
                let [from, at, to] = [&a, &between, &b].map(|p| p.user_local(node).rotation);
                prop_assert!((apart(from, at) - share * apart(from, to)).abs() < 2e-3);
            }
        }
    }
}
