use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};

use crate::matching::{HumanBone, Humanoid};
use crate::rig::Posed;

const SIDES: [&str; 3] = ["UpperLeg", "Shoulder", "UpperArm"];
/// Rotations this close to a quarter turn snap to it, radians. The tolerance is large because the rest pose may be in
/// mid-step.
const QUARTER_REACH: f32 = 0.44;
const MIN_HORIZONTAL: f32 = 0.5;

/// Returns the rotation about the vertical from the first character's front to the second's; the identity if unknown.
pub(super) fn turn_between(humans: &[Humanoid; 2], rest: [&Posed; 2]) -> Quat {
    let fronts = [0, 1].map(|side| front(&humans[side], rest[side]));
    let [Some(theirs), Some(ours)] = fronts else { return Quat::IDENTITY };
    about_vertical(ours.x.atan2(ours.z) - theirs.x.atan2(theirs.z))
}

pub(super) fn about_vertical(angle: f32) -> Quat {
    let quarters = (angle / FRAC_PI_2).round();
    let is_quarter = (angle - quarters * FRAC_PI_2).abs() < QUARTER_REACH;
    match (is_quarter, quarters.rem_euclid(4.0) as u8) {
        (true, 0) => Quat::IDENTITY,
        (true, 2) => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        (true, _) => Quat::from_rotation_y(quarters * FRAC_PI_2),
        (false, _) => Quat::from_rotation_y(angle),
    }
}

/// Returns the character's front: the horizontal direction perpendicular to the mean direction from right to left
/// joints.
fn front(human: &Humanoid, rest: &Posed) -> Option<Vec3> {
    let place = |side: &str, bone: &str| {
        let node = human.node(HumanBone::named(&format!("{side}{bone}"))?)?;
        Some(rest.world_from_node[node.index()].translation)
    };
    let across = SIDES.into_iter().filter_map(|bone| (place("left", bone)? - place("right", bone)?).try_normalize());
    let sum: Vec3 = across.clone().sum();
    let forward = sum.cross(Vec3::Y);
    (forward.length() > MIN_HORIZONTAL * across.count() as f32).then(|| forward.try_normalize()).flatten()
}
