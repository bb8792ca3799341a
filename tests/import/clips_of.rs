//! Clips of one file applied to the character of another file.

#![cfg(feature = "fbx")]

use crate::common;

use std::path::Path;

use common::{cases, samples};
use glam::{Quat, Vec3};
use rigscope::import::{Imported, Job, import_file};
use rigscope::posing::{BoneError, transfer_errors, transferred_clips};
use rigscope::rig::{
    Channel, Clip, ClipMoment, Hierarchy, NodeDescription, NodeIndex, Pose, Property, Rig, RigData, Skin, Trs, evaluate,
};

/// Returns the largest distance of a joint from its position in the rig's own clip, over several times, as a fraction
/// of the rig's size.
fn farthest(rig: &Rig, own: usize, other: usize) -> f32 {
    let pose = Pose::rest(&rig.hierarchy);
    let at = |clip, time_secs| evaluate(rig, Some(ClipMoment::new(clip, time_secs)), &pose).world_from_node;
    let apart = [0.0, 0.3, 0.6, 0.9].map(|time_secs| {
        let pairs = at(own, time_secs).into_iter().zip(at(other, time_secs)).zip(rig.hierarchy.nodes());
        let joints = pairs.filter(|(_, node)| rig.is_joint(*node));
        joints.map(|((a, b), _)| a.translation.distance(b.translation)).fold(0.0, f32::max)
    });
    apart.into_iter().fold(0.0, f32::max) / rig.size()
}

#[test]
fn a_walk_goes_from_fbx_to_gltf_and_back_between_other_axes_units_and_rest_poses() {
    let Some(samples) = samples() else { return };
    let open = |name: &str| -> Rig {
        let Imported { rig, .. } = import_file(&samples.join(name), &Job::default()).expect("a sample opens");
        rig
    };
    // Blender converted one file to the other. In the converted file, bones point along Y, the rest pose is the first
    // frame of the walk, and the unit is the centimetre.
    let [gltf, fbx] = ["khronos/CesiumMan/CesiumMan.glb", "fbx/blender42_CesiumMan.fbx"].map(open);
    for (from, onto) in [(&gltf, &fbx), (&fbx, &gltf)] {
        let found = transferred_clips(from, onto);
        assert_eq!((found.clips.len(), found.unmatched.len()), (1, 0));
        let both = onto.clone().with_clips(found.clips);
        // The two walks differ in time by up to one Blender frame, in which a foot moves this far.
        let apart = farthest(&both, 0, 1);
        assert!(apart < 0.03, "{apart} of the size");
    }
}

fn opened(path: &Path) -> Rig {
    import_file(path, &Job::default()).expect("a file opens").rig
}

/// Returns the world positions of all nodes at a time of a clip, with their names.
fn places(rig: &Rig, clip: usize, time_secs: f32) -> Vec<(String, Vec3)> {
    let world = evaluate(rig, Some(ClipMoment::new(clip, time_secs)), &Pose::rest(&rig.hierarchy)).world_from_node;
    rig.hierarchy.nodes().map(|node| (rig.hierarchy.name(node).to_owned(), world[node.index()].translation)).collect()
}

/// Returns the names of each joint's parent and of the joint itself. Joints whose parent isn't a joint are left out.
fn bones(rig: &Rig) -> Vec<[String; 2]> {
    let name = |node: NodeIndex| rig.hierarchy.name(node).to_owned();
    let above = |node| rig.hierarchy.parent(node).filter(|parent| rig.is_joint(*parent));
    rig.hierarchy.nodes().filter_map(|node| Some([name(above(node)?), name(node)])).collect()
}

/// Returns the largest angle between corresponding bones, in degrees, and the name of its joint. The source's bones are
/// first rotated by `turn`; `as_theirs` maps the name of a target joint to that of the source joint.
fn worst_bone(
    (from, from_clip): (&Rig, usize),
    (onto, onto_clip): (&Rig, usize),
    time_secs: f32,
    turn: Quat,
    as_theirs: impl Fn(&str) -> String,
) -> (f32, String) {
    let (theirs, ours) = (places(from, from_clip, time_secs), places(onto, onto_clip, time_secs));
    let place = |places: &[(String, Vec3)], name: &str| Some(places.iter().find(|(other, _)| other == name)?.1);
    let angle = |[head, tail]: &[String; 2]| {
        let ours = place(&ours, tail)? - place(&ours, head)?;
        let theirs = place(&theirs, &as_theirs(tail))? - place(&theirs, &as_theirs(head))?;
        Some(((turn * theirs).angle_between(ours).to_degrees(), tail.clone()))
    };
    bones(onto).iter().filter_map(angle).max_by(|a, b| a.0.total_cmp(&b.0)).expect("bones in common")
}

fn clip_named(rig: &Rig, name: &str) -> usize {
    rig.clips.iter().position(|clip| clip.name == name).expect("the clip")
}

#[test]
fn limbs_point_as_in_the_source_whatever_the_rest_pose_and_the_axes_are() {
    let Some(cases) = cases() else { return };
    let from = opened(&cases.join("r02_source_tpose_world_axes.glb"));
    for name in ["tpose_bone", "apose_world", "apose_bone"] {
        let onto = opened(&cases.join(format!("r02_target_{name}_axes.glb")));
        let own = onto.clips.len();
        let both = onto.clone().with_clips(transferred_clips(&from, &onto).clips);
        for clip in ["still", "bend"] {
            let number = own + both.clips[own..].iter().position(|c| c.name == clip).expect("the clip");
            let source = (&from, clip_named(&from, clip));
            let worst = worst_bone(source, (&both, number), 1.0, Quat::IDENTITY, str::to_owned);
            assert!(worst.0 < 1.0, "{name}, {clip}: {worst:?} degrees");
        }
    }
}

#[test]
fn the_whole_motion_is_turned_to_where_the_character_faces() {
    let Some(cases) = cases() else { return };
    let [from, onto] = ["v20_vrm1_clip.vrm", "v20_vrm0.vrm"].map(|name| opened(&cases.join(name)));
    let both = onto.clone().with_clips(transferred_clips(&from, &onto).clips);
    let (source, target) = ((&from, clip_named(&from, "go")), (&both, onto.clips.len()));
    let hips = places(target.0, target.1, 1.0).into_iter().find(|(name, _)| name == "D_hips").expect("hips").1;
    assert!((hips.z + 2.0).abs() < 1e-4, "{hips}");
    let turn = Quat::from_rotation_y(std::f32::consts::PI);
    let worst = worst_bone(source, target, 1.0, turn, |name| name.replace("D_", "A_"));
    assert!(worst.0 < 1.0, "{worst:?} degrees");
}

#[test]
fn clips_on_their_own_skeleton_stay_as_they_are() {
    let Some(samples) = samples() else { return };
    for name in
        ["kaykit/Knight.glb", "threejs/RobotExpressive.glb", "khronos/Fox/Fox.glb", "fbx/blender42_CesiumMan.fbx"]
    {
        let Ok(Imported { rig, .. }) = import_file(&samples.join(name), &Job::default()) else { continue };
        let own = rig.clips.len();
        let both = rig.clone().with_clips(transferred_clips(&rig, &rig).clips);
        for clip in &both.clips[own..] {
            let (before, after) = (clip_named(&rig, &clip.name), own + clip_named(&rig, &clip.name));
            let apart = farthest(&both, before, after);
            assert!(apart < 1e-5, "{name}, {}: {apart} of the size", clip.name);
        }
    }
}

/// Creates a human with `spine` spine joints, and a clip that bends the last of them. `name` returns a joint's name for
/// a side and a bone.
fn human(spine: usize, name: impl Fn(&str, &str) -> String) -> Rig {
    let mut nodes: Vec<NodeDescription> = Vec::new();
    let mut add = |parent: Option<usize>, name: String, offset: [f32; 3]| {
        let rest = Trs { translation: offset.into(), ..Trs::IDENTITY };
        nodes.push(NodeDescription { name, rest, ..NodeDescription::default() });
        let number = nodes.len() - 1;
        if let Some(parent) = parent {
            nodes[parent].children.push(number);
        }
        number
    };
    let hips = add(None, name("", "hips"), [0.0, 1.0, 0.0]);
    let mut top = hips;
    for bone in ["spine", "chest", "upperChest"].into_iter().take(spine) {
        top = add(Some(top), name("", bone), [0.0, 0.5 / spine as f32, 0.0]);
    }
    let chest = top;
    let neck = add(Some(chest), name("", "neck"), [0.0, 0.1, 0.0]);
    add(Some(neck), name("", "head"), [0.0, 0.1, 0.0]);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        for [bones, offsets] in [
            [["UpperArm", "LowerArm", "Hand"], ["0.2,0.05", "0.3,0", "0.25,0"]],
            [["UpperLeg", "LowerLeg", "Foot"], ["0.1,-0.05", "0,-0.45", "0,-0.4"]],
        ] {
            let mut above = if bones[0] == "UpperArm" { chest } else { hips };
            for (bone, offset) in bones.into_iter().zip(offsets) {
                let (x, y) = offset.split_once(',').expect("two numbers");
                let [x, y]: [f32; 2] = [x, y].map(|number| number.parse().expect("a number"));
                above = add(Some(above), name(side, bone), [sign * x, y, 0.0]);
            }
        }
    }
    let joints: Vec<NodeIndex> = (0..nodes.len() as u32).map(NodeIndex).collect();
    let hierarchy = Hierarchy::new(&nodes).expect("a tree");
    let chest = hierarchy.node_named(&nodes[chest].name).expect("a chest");
    let bend = [Quat::IDENTITY, Quat::from_rotation_x(0.9)].map(|turn| turn.to_array()).concat();
    let channel = Channel::linear(chest, Property::Rotation, [0.0, 1.0], bend);
    let clip = Clip { name: "bow".to_owned(), duration_secs: 1.0, channels: vec![channel], ..Clip::default() };
    let inverse_bind = vec![glam::Affine3::IDENTITY; joints.len()];
    Rig::new(RigData {
        hierarchy,
        skins: vec![Skin { inverse_bind, joints, ..Skin::default() }],
        clips: vec![clip],
        ..RigData::default()
    })
}

/// Returns the name that Unreal uses for a VRM bone.
fn unreal(side: &str, bone: &str) -> String {
    let name = match bone {
        "hips" => "pelvis",
        "spine" => "spine_01",
        "chest" => "spine_02",
        "upperChest" => "spine_03",
        "neck" => "neck_01",
        "UpperArm" => "upperarm",
        "LowerArm" => "lowerarm",
        "Hand" => "hand",
        "UpperLeg" => "thigh",
        "LowerLeg" => "calf",
        "Foot" => "foot",
        other => other,
    };
    if side.is_empty() { name.to_owned() } else { format!("{name}_{}", &side[..1]) }
}

#[test]
fn names_of_other_conventions_match_and_a_longer_spine_shares_the_bend() {
    let from = human(1, |side, bone| format!("{side}{bone}"));
    for joints in [1, 2, 3] {
        let onto = human(joints, unreal);
        let found = transferred_clips(&from, &onto);
        assert_eq!((found.clips.len(), found.matched, found.unmatched.len()), (1, 1, 0));
        assert!(found.is_half_matched);
        let both = onto.clone().with_clips(found.clips);
        let world = evaluate(&both, Some(ClipMoment::new(1, 1.0)), &Pose::rest(&both.hierarchy));
        let turn = |name: &str| {
            let node = both.hierarchy.node_named(name).expect("a joint");
            Quat::from_mat3a(&glam::Mat3A::from(world.world_from_node[node.index()].matrix3)).to_axis_angle().1
        };
        for (number, name) in ["spine_01", "spine_02", "spine_03"].into_iter().take(joints).enumerate() {
            let expected = 0.9 * (number + 1) as f32 / joints as f32;
            assert!((turn(name) - expected).abs() < 1e-3, "{name} of {joints}: {} instead of {expected}", turn(name));
        }
        assert!((turn("head") - 0.9).abs() < 1e-3 && (turn("hand_l") - 0.9).abs() < 1e-3);
    }
}

#[test]
fn arms_and_legs_of_another_body_point_as_in_the_source_and_soles_stay_on_the_ground() {
    let Some(samples) = samples() else { return };
    let [robot, knight] = ["threejs/RobotExpressive.glb", "kaykit/Knight.glb"].map(|name| opened(&samples.join(name)));
    // The robot's arms hang down at rest, and the knight's are spread. Many of the robot's clips don't move the arms.
    let errors = transfer_errors(&robot, &knight, &transferred_clips(&robot, &knight));
    let is_limb = |name: &str| ["upperarm", "upperleg", "lowerleg"].iter().any(|bone| name.starts_with(bone));
    let limbs: Vec<&BoneError> = errors.bones.iter().filter(|bone| is_limb(&bone.joint)).collect();
    assert!(limbs.len() == 6 && limbs.iter().all(|bone| bone.mean < 1.0), "{}", errors.table());
    assert!(errors.soles.is_some_and(|soles| soles.mean < 0.03), "{}", errors.table());
}
