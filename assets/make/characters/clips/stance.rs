//! The starting pose of all clips: hanging arms and relaxed hands.

use super::super::rig::Rig;
use super::pose::Pose;

/// Returns the rest pose with lowered arms and relaxed hands.
pub fn relaxed(rig: &Rig) -> Pose<'_> {
    let mut pose = Pose::rest(rig);
    pose.bend_both("Shoulder", [0.0, 0.0, -4.0]);
    pose.bend_both("UpperArm", [3.0, -3.0, -32.0]);
    pose.bend_both("LowerArm", [13.0, 20.0, 0.0]);
    pose.bend_both("Hand", [4.0, 0.0, 2.0]);
    curl(&mut pose, "Left", 1.0);
    curl(&mut pose, "Right", 1.0);
    pose
}

/// Bends the fingers of a hand. `amount` is 0 as modelled, 1 relaxed, 4 for a fist.
pub fn curl(pose: &mut Pose<'_>, side: &str, amount: f64) {
    for (finger, share) in [("Index", 0.75), ("Middle", 0.95), ("Ring", 1.1), ("Little", 1.2)] {
        for (bone, degrees) in [("Proximal", 13.0), ("Intermediate", 19.0), ("Distal", 10.0)] {
            pose.bend(&format!("{side}{finger}{bone}"), [degrees * share * amount, 0.0, 0.0]);
        }
    }
    for (bone, degrees) in [("Proximal", 6.0), ("Distal", 10.0)] {
        pose.bend(&format!("{side}Thumb{bone}"), [degrees * amount, 0.0, 0.0]);
    }
}
