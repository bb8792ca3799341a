//! The `wave` clip: the right arm goes up, waves three times, and comes down.

use super::super::math::{quat_mul, smoothstep, turn};
use super::super::model::Clip;
use super::super::rig::Rig;
use super::curve;
use super::idle::stand;
use super::pose::{Pose, sample};

const SECONDS: f64 = 3.0;

/// Creates the clip.
pub fn wave(rig: &Rig) -> Clip {
    sample("wave", SECONDS, 45, false, rig, &|t| greet(rig, t))
}

fn greet(rig: &Rig, t: f64) -> Pose<'_> {
    let mut pose = stand(rig, t / SECONDS);
    let t = if t < 0.0 { t + SECONDS } else { t };
    let raise = smoothstep(0.0, 0.75, t) * (1.0 - smoothstep(2.2, 2.95, t));
    let fold = smoothstep(0.05, 0.65, t) * (1.0 - smoothstep(2.3, 2.98, t));
    let beat = smoothstep(0.6, 0.85, t) * (1.0 - smoothstep(2.05, 2.3, t));
    let swing = beat * curve::wave((t - 0.7) * 1.9);
    let late = beat * curve::wave((t - 0.7) * 1.9 - 0.12);
    pose.bend("RightShoulder", [0.0, 0.0, -9.0 * raise]);
    // Interpolates between the hanging and the raised arm along the shorter arc.
    let joint = rig.find("RightUpperArm");
    let hanging = pose.joint_rotation(joint);
    let raised = quat_mul(
        quat_mul(turn(glam::DVec3::Z, -32.0 - 4.0 * swing), turn(glam::DVec3::X, 14.0)),
        turn(glam::DVec3::Y, 74.0),
    );
    pose.set_turn(joint, hanging, raised, raise);
    pose.bend("RightLowerArm", [84.0 * fold + 25.0 * swing, 16.0 * fold, 0.0]);
    pose.bend("RightHand", [-10.0 * raise, 0.0, -14.0 * late + 4.0 * raise]);
    open_hand(&mut pose, raise);
    pose.bend("Spine", [0.0, 0.0, 1.6 * raise]);
    pose.bend("Chest", [0.0, -3.0 * raise, 2.0 * raise]);
    pose.bend("Neck", [0.0, -3.0 * raise, -2.0 * raise]);
    pose.bend("Head", [-raise, -4.0 * raise, -4.0 * raise - 1.2 * late]);
    pose
}

fn open_hand(pose: &mut Pose<'_>, amount: f64) {
    super::stance::curl(pose, "Right", -0.95 * amount);
    for (finger, spread) in [("Index", -5.0), ("Ring", 3.0), ("Little", 6.0)] {
        pose.bend(&format!("Right{finger}Proximal"), [-3.0 * amount, 0.0, spread * amount]);
    }
}
