use super::*;
use crate::rig::testing::{any_rotation, any_vector};
use crate::rig::{NodeDescription, RigData, Skin};
use proptest::prelude::*;

fn body(frames: [Quat; 5], names: [&str; 5]) -> Rig {
    let at = [
        Vec3::Y,
        Vec3::new(0.5, 1.5, 0.0),
        Vec3::new(1.0, 1.5, 0.2),
        Vec3::new(-0.5, 1.5, 0.0),
        Vec3::new(-1.0, 1.5, 0.2),
    ];
    let parents = [None, Some(0), Some(1), Some(0), Some(3)];
    let world = |i: usize| Affine3::from_rotation_translation(frames[i], at[i]);
    let nodes: Vec<NodeDescription> = (0..5)
        .map(|i| {
            let local = parents[i].map_or(world(i), |p: usize| world(p).inverse() * world(i));
            NodeDescription {
                name: names[i].to_owned(),
                children: (0..5).filter(|&c| parents[c] == Some(i)).collect(),
                rest: Trs::from_affine(&local),
                ..NodeDescription::default()
            }
        })
        .collect();
    Rig::new(RigData { hierarchy: Hierarchy::new(&nodes).unwrap(), ..RigData::default() })
}

const NAMED: [&str; 5] = ["Hips", "Arm.L", "Hand.L", "Arm.R", "Hand.R"];
const UNNAMED: [&str; 5] = ["a", "b", "c", "d", "e"];

fn any_pose() -> impl Strategy<Value = [Trs; 5]> {
    let scale = prop::array::uniform3(0.5_f32..2.0).prop_map(Vec3::from);
    prop::array::uniform5((any_vector(0.5), any_rotation(), scale))
        .prop_map(|joints| joints.map(|(translation, rotation, scale)| Trs { translation, rotation, scale }))
}

fn posed(rig: &Rig, joints: [Trs; 5]) -> Pose {
    let mut pose = Pose::rest(&rig.hierarchy);
    for (node, user_local) in rig.hierarchy.nodes().zip(joints) {
        pose.set_user_local(node, user_local);
    }
    pose
}

fn partners(rig: &Rig) -> Vec<Option<u32>> {
    let symmetry = Symmetry::find(rig).unwrap();
    rig.hierarchy.nodes().map(|node| symmetry.partner(node).map(|p| p.0)).collect()
}

proptest! {
    #[test]
    fn joints_come_to_stand_as_in_a_mirror(frames in prop::array::uniform5(any_rotation()), turns in prop::array::uniform5(any_rotation()),
        moves in prop::array::uniform5(any_vector(0.5))) {
        let rig = body(frames, NAMED);
        let symmetry = Symmetry::find(&rig).unwrap();
        let joints = std::array::from_fn(|i| Trs { rotation: turns[i], translation: moves[i], ..Trs::IDENTITY });
        let pose = posed(&rig, joints);
        let local = rig.hierarchy.rest_locals();
        let at = |pose: &Pose| forward_kinematics(&rig.hierarchy, local, pose);
        let (before, after) = (at(&pose), at(&symmetry.mirrored_pose(&rig.hierarchy, &pose)));
        for node in rig.hierarchy.nodes() {
            let image = symmetry.plane().mirrored_point(before[node.index()].translation);
            let partner = symmetry.partner(node).unwrap();
            prop_assert!(after[partner.index()].translation.distance(image) < 1e-4);
        }
    }

    #[test]
    fn twice_mirrored_is_as_before(frames in prop::array::uniform5(any_rotation()), joints in any_pose()) {
        let frames = [frames[0], frames[1], frames[2], frames[1], frames[2]];
        let rig = body(frames, NAMED);
        let symmetry = Symmetry::find(&rig).unwrap();
        let pose = posed(&rig, joints.map(|t| Trs { scale: Vec3::splat(t.scale.x), ..t }));
        let twice = symmetry.mirrored_pose(&rig.hierarchy, &symmetry.mirrored_pose(&rig.hierarchy, &pose));
        for node in rig.hierarchy.nodes() {
            let (a, b) = (pose.user_local(node), twice.user_local(node));
            prop_assert!(a.to_affine().abs_diff_eq(b.to_affine(), 1e-4), "{a:?} {b:?}");
        }
    }

    #[test]
    fn factors_along_mirrored_axes_change_sides(joints in any_pose()) {
        let rig = body([Quat::IDENTITY; 5], NAMED);
        let symmetry = Symmetry::find(&rig).unwrap();
        let mirrored = symmetry.mirrored(NodeIndex(1), &joints[1]).unwrap();
        prop_assert_eq!(mirrored.node, NodeIndex(3));
        prop_assert_eq!(mirrored.user_local.scale, joints[1].scale);
        let twice = symmetry.mirrored(mirrored.node, &mirrored.user_local).unwrap();
        prop_assert_eq!(twice.node, NodeIndex(1));
        prop_assert!(twice.user_local.to_affine().abs_diff_eq(joints[1].to_affine(), 1e-5));
    }
}

#[test]
fn partners_are_found_by_name_and_else_by_place() {
    let expected = [Some(0), Some(3), Some(4), Some(1), Some(2)];
    assert_eq!(partners(&body([Quat::IDENTITY; 5], NAMED)), expected);
    assert_eq!(partners(&body([Quat::IDENTITY; 5], UNNAMED)), expected);
}

/// The character leans, so its middle joints are off the plane. Nodes are stored parents first, so the sword comes
/// before the head.
#[test]
fn joints_above_both_sides_are_in_the_middle_wherever_they_rest() {
    let rig = leaning_body();
    assert_eq!(partners(&rig), [Some(0), Some(1), Some(3), Some(2), None, Some(5)]);
}

#[test]
fn numbers_that_run_the_other_way_round_do_not_pair_a_shoulder_with_a_hand() {
    let names = ["Hips", "arm_L_3", "arm_L_2", "arm_L_1", "arm_R_1", "arm_R_2", "arm_R_3"];
    let parents = [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)];
    let expected = [Some(0), Some(4), Some(5), Some(6), Some(1), Some(2), Some(3)];
    for bend in [0.0, 0.4] {
        let bound = [0.0, 0.2, 0.5, 0.8, -0.2, -0.5, -0.8].map(|x| Vec3::new(x, 1.0, 0.0));
        let nodes: Vec<NodeDescription> = (0..names.len())
            .map(|i| NodeDescription {
                name: names[i].to_owned(),
                children: (0..names.len()).filter(|&c| parents[c] == Some(i)).collect(),
                rest: Trs {
                    translation: bound[i] - parents[i].map_or(Vec3::ZERO, |parent: usize| bound[parent]),
                    rotation: Quat::from_rotation_z(if i == 2 { bend } else { 0.0 }),
                    ..Trs::IDENTITY
                },
                ..NodeDescription::default()
            })
            .collect();
        let hierarchy = Hierarchy::new(&nodes).unwrap();
        let joints = (0..names.len()).map(|source| hierarchy.by_source(source).unwrap()).collect();
        let inverse_bind = bound.iter().map(|&at| Affine3::from_translation(-at)).collect();
        let skins = vec![Skin { joints, inverse_bind, ..Skin::default() }];
        let rig = Rig::new(RigData { hierarchy, skins, ..RigData::default() });
        assert_eq!(partners(&rig), expected, "one arm bent by {bend} at rest");
    }
}

fn leaning_body() -> Rig {
    let names = ["Hips", "Chest", "Arm.L", "Arm.R", "Head", "Sword"];
    let parents = [None, Some(0), Some(1), Some(1), Some(1), Some(3)];
    let at = [[0.2, 1.0, 0.0], [0.1, 0.4, 0.0], [0.3, 0.1, 0.0], [-0.9, 0.1, 0.0], [-0.298, 0.4, 0.0], [0.0, 0.3, 0.7]];
    let nodes: Vec<NodeDescription> = (0..names.len())
        .map(|i| NodeDescription {
            name: names[i].to_owned(),
            children: (0..names.len()).filter(|&c| parents[c] == Some(i)).collect(),
            rest: Trs::from_translation(at[i].into()),
            ..NodeDescription::default()
        })
        .collect();
    Rig::new(RigData { hierarchy: Hierarchy::new(&nodes).unwrap(), ..RigData::default() })
}

#[test]
fn the_plane_lies_half_way_between_the_sides() {
    let symmetry = Symmetry::find(&body([Quat::IDENTITY; 5], NAMED)).unwrap();
    assert_eq!(symmetry.plane(), Plane { normal: Vec3::X, offset: 0.0 });
    let symmetry = Symmetry::find(&body([Quat::IDENTITY; 5], UNNAMED)).unwrap();
    assert_eq!(symmetry.plane(), Plane { normal: Vec3::X, offset: 0.0 });
}

#[test]
fn a_plane_of_ones_own_pairs_what_stands_across_it() {
    let rig = body([Quat::IDENTITY; 5], UNNAMED);
    let symmetry = Symmetry::across(&rig, Plane { normal: Vec3::Y, offset: 1.0 });
    assert_eq!(symmetry.partner(NodeIndex(0)), Some(NodeIndex(0)), "in the plane");
    assert_eq!(symmetry.partner(NodeIndex(1)), None, "nothing stands opposite");
}

#[test]
fn a_rig_without_sides_has_no_symmetry() {
    let nodes = vec![NodeDescription { name: "one".to_owned(), ..NodeDescription::default() }];
    let rig = Rig::new(RigData { hierarchy: Hierarchy::new(&nodes).unwrap(), ..RigData::default() });
    assert!(Symmetry::find(&rig).is_none());
}

#[test]
fn a_chosen_plane_goes_through_the_root_or_the_world() {
    let frames = [Quat::IDENTITY; 5];
    let across = |names, axis, through| {
        let chosen = Symmetry::chosen(&body(frames, names), MirrorPlane::Across { axis, through });
        chosen.map(|s| (s.plane().normal, s.plane().offset))
    };
    assert_eq!(across(NAMED, 0, MirrorOrigin::World), Some((Vec3::X, 0.0)));
    assert_eq!(across(NAMED, 1, MirrorOrigin::Root), Some((Vec3::Y, 1.0)), "the hips stand a metre high");
    assert_eq!(across(UNNAMED, 0, MirrorOrigin::Root), Some((Vec3::X, 0.0)));
    assert_eq!(across(UNNAMED, 1, MirrorOrigin::Root), None, "nothing pairs with what is above");
    let auto = Symmetry::chosen(&body(frames, UNNAMED), MirrorPlane::Auto).unwrap();
    assert_eq!(auto.plane(), Symmetry::find(&body(frames, UNNAMED)).unwrap().plane());
}
