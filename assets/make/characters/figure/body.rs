//! Shared proportions: joint positions of the left half, the coordinate frame of the arm, the fingers.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::DVec3;

use super::super::math::{cos_deg, sin_deg, v};

/// Joints on the mirror plane, from the hips up.
pub const SPINE: [(&str, DVec3); 6] = [
    ("Hips", v(0.0, 0.955, 0.0)),
    ("Spine", v(0.0, 1.055, -0.004)),
    ("Chest", v(0.0, 1.17, -0.010)),
    ("UpperChest", v(0.0, 1.29, -0.018)),
    ("Neck", v(0.0, 1.445, -0.026)),
    ("Head", v(0.0, 1.525, -0.010)),
];
/// End of the head bone.
pub const CROWN: DVec3 = v(0.0, 1.75, -0.010);
/// Hinge of the jaw, between the ears.
pub const JAW: DVec3 = v(0.0, 1.575, 0.012);
/// Centre of the left eyeball.
pub const EYE: DVec3 = v(0.0335, 1.6155, 0.0665);
/// Radius of an eyeball, metres.
pub const EYE_RADIUS: f64 = 0.0190;
/// Inner end of the left collar bone.
pub const COLLAR: DVec3 = v(0.028, 1.392, -0.005);
/// Left shoulder joint, the origin of the arm frame.
pub const SHOULDER: DVec3 = v(0.170, 1.374, -0.020);
/// Left hip, knee, ankle and ball of the foot.
pub const LEG: [DVec3; 4] =
    [v(0.092, 0.925, -0.002), v(0.100, 0.505, 0.004), v(0.108, 0.088, -0.028), v(0.119, 0.026, 0.090)];
/// Tip of the left shoe.
pub const TOE_TIP: DVec3 = v(0.125, 0.022, 0.165);

/// Distance of the elbow from the shoulder along the arm, metres.
pub const ELBOW: f64 = 0.268;
/// Distance of the wrist from the shoulder along the arm, metres.
pub const WRIST: f64 = 0.512;

/// First axis of the arm frame: along the arm, 45° down.
pub const ALONG: DVec3 = v(FRAC_1_SQRT_2, -FRAC_1_SQRT_2, 0.0);
/// Second axis of the arm frame: towards the back of the hand. The third axis is +Z.
pub const BACK: DVec3 = v(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0);

/// Converts a point from the arm frame to model space.
pub fn arm_point(q: DVec3) -> DVec3 {
    SHOULDER + ALONG * q.x + BACK * q.y + v(0.0, 0.0, q.z)
}

/// Converts a direction from the arm frame to model space.
pub fn arm_direction(q: DVec3) -> DVec3 {
    ALONG * q.x + BACK * q.y + v(0.0, 0.0, q.z)
}

/// Converts a point from model space to the arm frame.
pub fn in_arm(p: DVec3) -> DVec3 {
    let q = p - SHOULDER;
    v(q.dot(ALONG), q.dot(BACK), q.z)
}

/// A finger or the thumb, in the arm frame.
pub struct Finger {
    pub name: &'static str,
    /// The three joints and the tip.
    pub points: [DVec3; 4],
    /// Radii at the points.
    pub radii: [f64; 4],
    /// Direction from the back of the finger, on the nail's side.
    pub nail: DVec3,
}

/// Returns the index, middle, ring and little finger.
pub fn fingers() -> [Finger; 4] {
    [
        finger("Index", v(0.092, -0.001, 0.0315), 7.0, [0.043, 0.027, 0.0205], [0.0098, 0.0090, 0.0081, 0.0070]),
        finger("Middle", v(0.096, 0.000, 0.0095), 1.5, [0.047, 0.030, 0.0215], [0.0099, 0.0092, 0.0083, 0.0071]),
        finger("Ring", v(0.092, -0.001, -0.0125), -4.0, [0.043, 0.028, 0.0210], [0.0095, 0.0088, 0.0079, 0.0068]),
        finger("Little", v(0.082, -0.004, -0.0325), -11.0, [0.034, 0.022, 0.0185], [0.0085, 0.0077, 0.0069, 0.0060]),
    ]
}

fn finger(name: &'static str, knuckle: DVec3, spread: f64, lengths: [f64; 3], radii: [f64; 4]) -> Finger {
    let mut points = [v(WRIST, 0.0, 0.0) + knuckle; 4];
    // Bends each joint a little towards the palm, because a relaxed hand is never flat.
    for (i, bend) in [5.0, 14.0, 22.0].into_iter().enumerate() {
        let level = v(cos_deg(spread), 0.0, sin_deg(spread));
        points[i + 1] = points[i] + (level * cos_deg(bend) - v(0.0, sin_deg(bend), 0.0)) * lengths[i];
    }
    Finger { name, points, radii, nail: v(sin_deg(22.0), cos_deg(22.0), 0.0) }
}

/// Returns the thumb, whose first joint is in the ball of the hand.
pub fn thumb() -> Finger {
    let base = v(WRIST, 0.0, 0.0);
    Finger {
        name: "Thumb",
        points: [
            base + v(0.016, -0.007, 0.020),
            base + v(0.048, -0.017, 0.043),
            base + v(0.077, -0.024, 0.061),
            base + v(0.103, -0.029, 0.071),
        ],
        radii: [0.0150, 0.0118, 0.0104, 0.0086],
        nail: v(-0.25, 0.82, 0.51),
    }
}
