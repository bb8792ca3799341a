//! The `walk` clip: walking on the spot, with feet on fixed paths.

use super::super::math::{mix, smoothstep, v};
use super::super::model::Clip;
use super::super::rig::Rig;
use super::curve::{looped, wave};
use super::legs::{Foot, reach};
use super::pose::{Pose, sample};
use super::stance::relaxed;

const SECONDS: f64 = 1.1;
/// Fraction of the cycle during which a foot is on the ground.
const STANCE: f64 = 0.61;
/// Forward position at which the foot lands, relative to rest, metres.
const FRONT: f64 = 0.275;
/// Forward position at which the foot leaves the ground, relative to rest, metres.
const BEHIND: f64 = -0.290;

/// Creates the clip.
pub fn walk(rig: &Rig) -> Clip {
    sample("walk", SECONDS, 32, false, rig, &|t| step(rig, t / SECONDS))
}

/// Returns the pose at a phase of the cycle. The left heel lands at 0, the right heel at 1/2.
fn step(rig: &Rig, phase: f64) -> Pose<'_> {
    let mut pose = relaxed(rig);
    // The body is lowest just after a heel lands and highest above the straight leg, and shifts over the standing foot.
    let bob = -0.0105 - 0.0105 * wave(2.0 * phase + 0.11);
    let over = wave(phase + 0.01);
    pose.shift_hips(v(0.017 * over, bob, 0.010 + 0.006 * wave(2.0 * phase + 0.4)));
    let swing = libm::cos(phase * std::f64::consts::TAU);
    pose.bend("Hips", [3.0, -6.0 * swing, 2.6 * wave(phase + 0.02)]);
    pose.bend("Spine", [1.0, 4.0 * swing, -2.4 * wave(phase + 0.02)]);
    pose.bend("Chest", [1.0, 5.5 * swing, -0.9 * over]);
    pose.bend("UpperChest", [0.5 * wave(2.0 * phase), 4.0 * swing, 0.0]);
    pose.bend("Neck", [-1.5, -3.0 * swing, 0.3 * over]);
    pose.bend("Head", [-2.5 + 0.8 * wave(2.0 * phase + 0.3), -4.0 * swing, 0.4 * over]);
    arms(&mut pose, phase);
    for (side, offset) in [("Left", 0.0), ("Right", 0.5)] {
        reach(&mut pose, side, foot_at(phase + offset));
    }
    pose
}

/// Swings each arm with the opposite leg. The forearm follows with a delay.
fn arms(pose: &mut Pose<'_>, phase: f64) {
    for (side, offset, sign) in [("Left", 0.5, 1.0), ("Right", 0.0, -1.0)] {
        let ahead = libm::cos((phase + offset - 0.02) * std::f64::consts::TAU);
        let late = libm::cos((phase + offset - 0.09) * std::f64::consts::TAU);
        pose.bend(&format!("{side}UpperArm"), [20.0 * ahead - 4.0, sign * 4.0 * ahead, sign * 2.0]);
        pose.bend(&format!("{side}LowerArm"), [9.0 + 11.0 * late, 0.0, 0.0]);
        pose.bend(&format!("{side}Hand"), [-3.0 * late, 0.0, sign * 3.0 * late]);
    }
}

fn foot_at(phase: f64) -> Foot {
    let phase = phase - phase.floor();
    // Heel strike, flat, heel off, toe off, swing through, reach.
    let pitch = looped(
        &[
            (0.0, 19.0),
            (0.07, 4.0),
            (0.12, 0.0),
            (0.30, 0.0),
            (0.40, -6.0),
            (0.50, -24.0),
            (0.61, -52.0),
            (0.70, -44.0),
            (0.80, -14.0),
            (0.90, 12.0),
            (0.96, 20.0),
        ],
        phase,
    );
    let planted = 1.0 - smoothstep(0.63, 0.82, phase);
    let toes = (-pitch).clamp(0.0, 60.0) * planted;
    if phase < STANCE {
        return Foot { forward: mix(FRONT, BEHIND, phase / STANCE), lift: 0.0, pitch, toes };
    }
    let t = (phase - STANCE) / (1.0 - STANCE);
    // A Hermite curve whose end slopes equal the speed of the ground.
    let speed = (BEHIND - FRONT) / STANCE * (1.0 - STANCE);
    let (t2, t3) = (t * t, t * t * t);
    let forward = BEHIND * (2.0 * t3 - 3.0 * t2 + 1.0)
        + FRONT * (3.0 * t2 - 2.0 * t3)
        + speed * (t3 - 2.0 * t2 + t)
        + speed * (t3 - t2);
    let lift = 0.042 * 4.0 * t * (1.0 - t) * (1.6 - 0.9 * t);
    Foot { forward, lift, pitch, toes }
}
