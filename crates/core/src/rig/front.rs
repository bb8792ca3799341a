use std::collections::BTreeMap;

use glam::Vec3;

use super::{Hierarchy, NodeIndex, Posed};

/// Lower-case name fragments of a joint in front and of an ancestor behind it, most reliable pair first. The character
/// faces in the direction from the ancestor to the joint.
const FORWARD: [(&[&str], &[&str]); 2] = [(&["toe", "ball"], &["foot", "ankle"]), (&["eye", "nose", "jaw"], &["head"])];
/// Directions are ignored unless their horizontal length is more than this fraction of their full length.
const MIN_HORIZONTAL: f32 = 0.5;
/// Directions agree if the mean of their unit vectors is at least this long. Even turned-out feet reach 0.9.
const MIN_AGREEMENT: f32 = 0.8;

/// Guesses the character's front, a horizontal world axis, from the names of `joints`. `None` if no names match or the
/// directions of left and right joints disagree.
pub(super) fn guessed(hierarchy: &Hierarchy, rest: &Posed, joints: &[NodeIndex]) -> Option<Vec3> {
    let names: Vec<String> = hierarchy.nodes().map(|node| hierarchy.name(node).to_lowercase()).collect();
    FORWARD.into_iter().find_map(|(tips, bases)| {
        let is_any = |node: NodeIndex, words: &[&str]| words.iter().any(|word| names[node.index()].contains(word));
        let position = |node: NodeIndex| rest.world_from_node[node.index()].translation;
        // Sums the directions per base joint, so that the sideways components of both eyes cancel.
        let mut forward: BTreeMap<NodeIndex, Vec3> = BTreeMap::new();
        for &tip in joints.iter().filter(|&&joint| is_any(joint, tips)) {
            if let Some(base) = hierarchy.ancestors(tip).find(|&node| is_any(node, bases)) {
                *forward.entry(base).or_default() += position(tip) - position(base);
            }
        }
        agreed(forward.into_values())
    })
}

/// Returns the horizontal axis nearest to the mean direction; `None` if the directions disagree.
fn agreed(directions: impl Iterator<Item = Vec3>) -> Option<Vec3> {
    let horizontal = directions.filter_map(|direction| {
        let flat = Vec3::new(direction.x, 0.0, direction.z);
        flat.try_normalize().filter(|_| flat.length() > MIN_HORIZONTAL * direction.length())
    });
    let (sum, count) = horizontal.fold((Vec3::ZERO, 0.0), |(sum, count), unit| (sum + unit, count + 1.0));
    (count > 0.0 && sum.length() >= MIN_AGREEMENT * count)
        .then(|| if sum.x.abs() > sum.z.abs() { Vec3::X * sum.x.signum() } else { Vec3::Z * sum.z.signum() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{NodeDescription, Rig, RigData, Trs};

    fn rig(nodes: &[(&str, Option<usize>, [f32; 3])]) -> Rig {
        let described =
            |(number, &(name, _, translation)): (usize, &(&str, Option<usize>, [f32; 3]))| NodeDescription {
                name: name.to_owned(),
                children: (0..nodes.len()).filter(|&n| nodes[n].1 == Some(number)).collect(),
                rest: Trs::from_translation(translation.into()),
                ..NodeDescription::default()
            };
        let described: Vec<NodeDescription> = nodes.iter().enumerate().map(described).collect();
        Rig::new(RigData { hierarchy: Hierarchy::new(&described).unwrap(), ..RigData::default() })
    }

    fn feet(names: [&str; 4], left: [f32; 3], right: [f32; 3]) -> Rig {
        let [left_foot, left_toe, right_foot, right_toe] = names;
        rig(&[
            ("root", None, [0.0; 3]),
            (left_foot, Some(0), [0.1, 0.1, 0.0]),
            (left_toe, Some(1), left),
            (right_foot, Some(0), [-0.1, 0.1, 0.0]),
            (right_toe, Some(3), right),
        ])
    }

    const MIXAMO: [&str; 4] =
        ["mixamorig:LeftFoot", "mixamorig:LeftToeBase", "mixamorig:RightFoot", "mixamorig:RightToeBase"];

    #[test]
    fn toes_point_forward_whatever_they_are_called() {
        for names in [
            MIXAMO,
            ["J_Bip_L_Foot", "J_Bip_L_ToeBase", "J_Bip_R_Foot", "J_Bip_R_ToeBase"],
            ["foot_l", "ball_l", "foot_r", "ball_r"],
            ["DEF-foot.L", "DEF-toe.L", "DEF-foot.R", "DEF-toe.R"],
            ["Bip01 L Foot", "Bip01 L Toe0", "Bip01 R Foot", "Bip01 R Toe0"],
            ["LeftFoot_103", "LeftToeBase_102", "RightFoot_107", "RightToeBase_106"],
            ["L_Ankle", "L_Toe", "R_Ankle", "R_Toe"],
            ["leftFoot", "leftToes", "rightFoot", "rightToes"],
        ] {
            for (forward, front) in [
                ([0.02, -0.08, -0.12], Vec3::NEG_Z),
                ([0.02, -0.08, 0.12], Vec3::Z),
                ([0.12, -0.08, 0.02], Vec3::X),
                ([-0.12, -0.08, -0.02], Vec3::NEG_X),
            ] {
                assert_eq!(feet(names, forward, forward).front(), front, "{names:?}");
            }
        }
    }

    #[test]
    fn ambiguous_front_defaults_to_z() {
        let back = [0.0, -0.05, -0.12];
        assert_eq!(feet(MIXAMO, back, [0.0, -0.05, 0.12]).front(), Vec3::Z, "left and right disagree");
        assert_eq!(feet(MIXAMO, [0.0, -0.12, -0.03], [0.0, -0.12, -0.03]).front(), Vec3::Z, "mostly down");
        assert_eq!(feet(MIXAMO, [0.0; 3], [0.0; 3]).front(), Vec3::Z, "at one place");
        assert_eq!(feet(["a", "b", "c", "d"], back, back).front(), Vec3::Z, "no names");
        assert_eq!(feet(["leg", "toe", "leg", "toe"], back, back).front(), Vec3::Z, "toes of nothing");
    }

    #[test]
    fn eyes_determine_the_front_if_feet_do_not() {
        let head = |eye: [f32; 2]| {
            rig(&[
                ("Head", None, [0.0, 1.6, 0.0]),
                ("LeftEye", Some(0), [0.06, eye[0], eye[1]]),
                ("RightEye", Some(0), [-0.06, eye[0], eye[1]]),
                ("Foot", None, [0.0; 3]),
                ("Toe", Some(3), [0.0, -0.1, 0.0]),
            ])
        };
        assert_eq!(head([0.05, -0.08]).front(), Vec3::NEG_Z);
        assert_eq!(head([0.08, -0.02]).front(), Vec3::Z, "mostly above the head's joint");
    }

    #[test]
    fn front_of_the_file_takes_precedence() {
        let back = [0.0, -0.05, -0.12];
        let parts = RigData { front: Some(Vec3::X), ..RigData::clone(&feet(MIXAMO, back, back)) };
        assert_eq!(Rig::new(parts).front(), Vec3::X);
    }

    #[test]
    fn perpendicular_feet_do_not_determine_the_front() {
        let (left, right) = ([0.12, -0.05, 0.0], [0.0, -0.05, -0.12]);
        assert_eq!(feet(MIXAMO, left, right).front(), Vec3::Z);
        assert_eq!(feet(MIXAMO, right, right).front(), Vec3::NEG_Z);
    }
}
