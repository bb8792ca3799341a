use glam::{Quat, Vec2};
use proptest::prelude::*;

use super::*;
use crate::gizmo::GizmoSize;
use crate::gizmo::rotate::AxisRotation;
use crate::rig::testing::{any_rigid, any_rotation, any_tree, chain};
use crate::rig::{EulerOrder, forward_kinematics};
use crate::view::Camera;

fn posed(hierarchy: &Hierarchy, pose: &Pose) -> Posed {
    let clip_local = hierarchy.rest_locals().to_vec();
    let world_from_node = forward_kinematics(hierarchy, &clip_local, pose);
    Posed { clip_local, world_from_node, ..Posed::default() }
}

fn targets(hierarchy: &Hierarchy, pose: &Pose, selected: &[NodeIndex], tool: Tool, pivot: Pivot) -> Targets {
    let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
    let posed = posed(hierarchy, pose);
    let options = GizmoOptions {
        tool,
        pivot,
        orientation: Orientation::Local,
        order: EulerOrder::Xyz,
        size: GizmoSize::default(),
    };
    Targets::new(hierarchy, &posed, pose, selected, options, &lens).unwrap()
}

fn applied(pose: &Pose, changed: Vec<PosedJoint>) -> Pose {
    let mut pose = pose.clone();
    pose.set_joints(changed);
    pose
}

fn any_case() -> impl Strategy<Value = (Hierarchy, Pose, Vec<NodeIndex>)> {
    let turns = prop::collection::vec(any_rotation(), 12);
    (any_tree(7..12, any_rigid(1.0)), turns, prop::collection::vec(0_u32..12, 1..5)).prop_map(
        |(hierarchy, turns, some)| {
            let mut pose = Pose::rest(&hierarchy);
            for (node, turn) in hierarchy.nodes().zip(turns) {
                pose.set_user_local(node, Trs::from_rotation(turn));
            }
            let mut selected: Vec<NodeIndex> =
                some.into_iter().map(|i| NodeIndex(i % hierarchy.len() as u32)).collect();
            selected.sort_unstable();
            selected.dedup();
            selected.reverse();
            (hierarchy, pose, selected)
        },
    )
}

proptest! {
    #[test]
    fn all_about_the_active_one_turn_as_one_body(case in any_case(), turn in any_rotation()) {
        let (hierarchy, pose, selected) = case;
        let targets = targets(&hierarchy, &pose, &selected, Tool::Rotate, Pivot::Active);
        let (axis, angle) = turn.to_axis_angle();
        let change = DragChange::Rotate { rotation: AxisRotation { axis, angle }, axis: None };
        let after = applied(&pose, targets.changed(change, targets.frame()));
        let (before, after) = (posed(&hierarchy, &pose), posed(&hierarchy, &after));
        let pivot = targets.frame().origin;
        for node in selected {
            let (was, is) = (before.world_from_node[node.index()], after.world_from_node[node.index()]);
            let wanted = pivot + turn * (was.translation - pivot);
            prop_assert!(is.translation.distance(wanted) < 1e-3, "{node:?} at {} and not at {wanted}", is.translation);
            let turned = Quat::from_mat3(&was.matrix3);
            prop_assert!(Quat::from_mat3(&is.matrix3).angle_between(turn * turned) < 1e-2, "{node:?} is turned once");
        }
    }

    #[test]
    fn each_about_its_own_origin_keeps_its_place_in_its_parent(case in any_case(), angle in -3.0_f32..3.0, axis in 0_usize..3) {
        let (hierarchy, pose, selected) = case;
        let targets = targets(&hierarchy, &pose, &selected, Tool::Rotate, Pivot::Individual);
        let rotation = AxisRotation { axis: targets.frame().axes.col(axis), angle };
        let changed = targets.changed(DragChange::Rotate { rotation, axis: Some(axis) }, targets.frame());
        prop_assert_eq!(changed.len(), selected.len());
        for PosedJoint { node, user_local } in changed {
            let before = pose.user_local(node);
            prop_assert_eq!(user_local.translation, before.translation);
            // The rotation is on the right because it is about the joint's own axis.
            let wanted = before.rotation * Quat::from_axis_angle(Vec3::AXES[axis], angle);
            prop_assert!(user_local.rotation.dot(wanted).abs() > 1.0 - 1e-4, "{node:?}");
        }
    }

    #[test]
    fn a_descendant_is_not_moved_twice(case in any_case(), by in prop::array::uniform3(-1.0_f32..1.0)) {
        let (hierarchy, pose, selected) = case;
        let targets = targets(&hierarchy, &pose, &selected, Tool::Move, Pivot::Active);
        let by = Vec3::from(by);
        let change = DragChange::Move { by, follows_axes: false };
        let after = posed(&hierarchy, &applied(&pose, targets.changed(change, targets.frame())));
        let before = posed(&hierarchy, &pose);
        for node in selected {
            let moved = after.world_from_node[node.index()].translation - before.world_from_node[node.index()].translation;
            prop_assert!(moved.distance(by) < 1e-3, "{node:?} moved by {moved} and not {by}");
        }
    }

    #[test]
    fn all_scale_about_the_active_one(case in any_case(), factor in 0.2_f32..3.0) {
        let (hierarchy, pose, selected) = case;
        let targets = targets(&hierarchy, &pose, &selected, Tool::Scale, Pivot::Active);
        let changed = targets.changed(DragChange::Scale(Vec3::splat(factor)), targets.frame());
        let after = posed(&hierarchy, &applied(&pose, changed));
        let before = posed(&hierarchy, &pose);
        let pivot = targets.frame().origin;
        for node in selected {
            let (was, is) = (before.world_from_node[node.index()].translation, after.world_from_node[node.index()].translation);
            prop_assert!(is.distance(pivot + (was - pivot) * factor) < 1e-3, "{node:?}");
        }
    }
}

#[test]
fn ways_along_euler_axes_are_along_the_parent_and_scale_is_along_the_joint() {
    let hierarchy = crate::rig::testing::chain(1, Trs::from_rotation(Quat::from_rotation_x(0.4)));
    let mut pose = Pose::rest(&hierarchy);
    pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_y(0.9) * Quat::from_rotation_z(0.7)));
    let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
    let axes = |tool, orientation| {
        let options = GizmoOptions {
            tool,
            orientation,
            order: EulerOrder::Xyz,
            pivot: Pivot::Active,
            size: GizmoSize::default(),
        };
        Targets::new(&hierarchy, &posed(&hierarchy, &pose), &pose, &[NodeIndex(0)], options, &lens)
            .unwrap()
            .frame()
            .axes
    };
    assert_eq!(axes(Tool::Move, Orientation::Gimbal), axes(Tool::Move, Orientation::Parent));
    assert_eq!(axes(Tool::Scale, Orientation::World), axes(Tool::Scale, Orientation::Local));
    assert_ne!(axes(Tool::Rotate, Orientation::Gimbal), axes(Tool::Rotate, Orientation::Parent));
}

#[test]
fn every_joint_takes_the_other_space_even_where_the_active_one_has_the_same_axes_in_both() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let (own, below) = (Quat::from_rotation_z(0.7), NodeIndex(1));
    let mut pose = Pose::rest(&hierarchy);
    pose.set_user_local(below, Trs::from_rotation(own));
    let targets = targets(&hierarchy, &pose, &[below, NodeIndex(0)], Tool::Rotate, Pivot::Individual);
    let turned = |frame: &GizmoFrame| {
        let rotation = AxisRotation { axis: frame.axes.col(0), angle: 0.5 };
        let after = applied(&pose, targets.changed(DragChange::Rotate { rotation, axis: Some(0) }, frame));
        after.user_local(below).rotation
    };
    let mut frame = *targets.frame();
    let about_x = Quat::from_rotation_x(0.5);
    assert!(turned(&frame).angle_between(own * about_x) < 1e-3);
    frame.swap_axes();
    assert!(turned(&frame).angle_between(about_x * own) < 1e-3, "about the world's");
}
