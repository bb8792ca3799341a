//! The `idle` clip: breathing, and weight that shifts from one leg to the other.

use super::super::math::v;
use super::super::model::Clip;
use super::super::rig::Rig;
use super::curve::wave;
use super::legs::{Foot, reach};
use super::pose::{Pose, sample};
use super::stance::relaxed;

const SECONDS: f64 = 4.0;

/// Creates the clip.
pub fn idle(rig: &Rig) -> Clip {
    sample("idle", SECONDS, 16, true, rig, &|t| stand(rig, t / SECONDS))
}

/// Returns the pose at a phase of the loop, which has one weight shift and two breaths.
pub fn stand(rig: &Rig, phase: f64) -> Pose<'_> {
    let mut pose = relaxed(rig);
    let sway = wave(phase);
    let breath = wave(2.0 * phase - 0.1);
    pose.shift_hips(v(0.010 * sway, -0.0075 - 0.0012 * breath, -0.004));
    pose.bend("Hips", [1.0, 1.2 * sway, -0.9 * sway]);
    pose.bend("Spine", [0.5 + 0.3 * breath, -0.5 * sway, 0.9 * sway]);
    pose.bend("Chest", [-0.9 * breath, -0.4 * sway, 0.4 * sway]);
    pose.bend("UpperChest", [-0.8 * breath, 0.0, 0.0]);
    pose.bend("Neck", [1.0 * breath, 0.8 * wave(phase - 0.12), 0.0]);
    pose.bend("Head", [0.4 * breath - 1.0, 1.6 * wave(phase - 0.15), -0.6 * sway]);
    pose.bend_both("Shoulder", [0.0, 0.0, 0.9 * breath]);
    pose.bend_both("UpperArm", [0.6 * breath, 0.0, -0.9 * breath]);
    pose.bend_both("LowerArm", [0.8 * wave(2.0 * phase - 0.25), 0.0, 0.0]);
    for side in ["Left", "Right"] {
        reach(&mut pose, side, Foot::default());
    }
    pose
}
