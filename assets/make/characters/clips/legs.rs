//! Inverse kinematics of the legs: hip and knee for a position of the ankle.

use glam::DVec3;

use super::super::math::{axes_along, length, quat_from_axes, quat_mul, rotate, turn, unit, v};
use super::pose::{Pose, moved};

/// Target of a foot, relative to its position at rest.
#[derive(Clone, Copy, Default)]
pub struct Foot {
    /// Distance forward, metres.
    pub forward: f64,
    /// Height above the rest position, metres.
    pub lift: f64,
    /// Pitch, degrees. Positive lifts the toes and rotates about the heel; negative rotates about the ball of the foot.
    pub pitch: f64,
    /// Pitch of the toes relative to the foot, degrees.
    pub toes: f64,
}

/// Position of the heel's edge, about which a foot with raised toes rolls. X is unused.
const HEEL: DVec3 = v(0.0, 0.004, -0.075);
/// Position of the toe joint, about which a foot with lowered toes rolls. X is unused.
const BALL: DVec3 = v(0.0, 0.026, 0.090);

/// Poses one leg.
pub fn reach(pose: &mut Pose<'_>, side: &str, foot: Foot) {
    let find = |name: &str| pose.rig.find(&format!("{side}{name}"));
    let [upper, lower, ankle, toes] = ["UpperLeg", "LowerLeg", "Foot", "Toes"].map(find);
    let rest = |joint: usize| pose.rig.place(joint).position;
    let lengths = [length(rest(lower) - rest(upper)), length(rest(ankle) - rest(lower))];
    let target = ankle_at(rest(ankle), foot);
    let hip = pose.place(upper).position;
    let knee = knee_at(hip, target, lengths, moved(pose, 0, DVec3::Z));
    let aim = |from: DVec3, to: DVec3| quat_from_axes(&axes_along(to - from, DVec3::Z));
    pose.set_rotation(upper, aim(hip, knee));
    let reached = knee + unit(target - knee) * lengths[1];
    pose.set_rotation(lower, aim(knee, reached));
    let level = pose.rest_rotation(ankle);
    pose.set_rotation(ankle, quat_mul(turn(DVec3::X, -foot.pitch), level));
    let level = pose.rest_rotation(toes);
    pose.set_rotation(toes, quat_mul(turn(DVec3::X, -foot.pitch - foot.toes), level));
}

fn ankle_at(rest: DVec3, foot: Foot) -> DVec3 {
    let pivot = if foot.pitch > 0.0 { HEEL } else { BALL };
    let pivot = v(rest.x, pivot.y, pivot.z);
    pivot + rotate(turn(DVec3::X, -foot.pitch), rest - pivot) + v(0.0, foot.lift, foot.forward)
}

/// Returns the knee of a leg with these bone lengths. A leg that is too short for its target stays almost straight.
fn knee_at(hip: DVec3, ankle: DVec3, [thigh, shin]: [f64; 2], front: DVec3) -> DVec3 {
    let span = length(ankle - hip).min((thigh + shin) * 0.9985);
    let down = unit(ankle - hip);
    let along = (thigh * thigh - shin * shin + span * span) / (2.0 * span);
    let aside = (thigh * thigh - along * along).max(0.0).sqrt();
    hip + down * along + unit(front - down * front.dot(down)) * aside
}
