//! The left arm and hand, from below the sleeve to the fingertips.

use glam::DVec3;

use super::super::loft::{Loft, section};
use super::super::math::{mix, smooth_max, smooth_min, smoothstep, v};
use super::super::mesh::Paint;
use super::super::sdf::{ellipsoid, round_cone, strand};
use super::super::surface_nets::{Grid, planes, surface_nets};
use super::body::{ELBOW, Finger, WRIST, arm_point, fingers, in_arm, thumb};
use super::piece::{Material, Piece};

/// Builds the arm.
pub fn arm() -> Piece {
    let shape = Arm::new();
    let nails: Vec<Finger> = fingers().into_iter().chain([thumb()]).collect();
    let field = move |p: DVec3| shape.distance(in_arm(p));
    // Uses a fine grid for the hand, and spreads the same planes across the arm.
    let warp = |q: DVec3| {
        let spread = mix(2.1, 1.0, smoothstep(WRIST - 0.10, WRIST + 0.01, q.x));
        arm_point(v(q.x, q.y * spread, q.z * spread))
    };
    let grid = Grid {
        planes: [
            planes(-0.03, &[(0.20, 0.015), (0.33, 0.0095), (0.44, 0.0135), (WRIST + 0.01, 0.0075), (0.73, 0.0054)]),
            planes(-0.060, &[(0.032, 0.0049)]),
            planes(-0.068, &[(0.090, 0.0049)]),
        ],
        warp: &warp,
        is_half: false,
    };
    let mut mesh = surface_nets(&grid, &field, Paint::Skin);
    for finger in &nails {
        mesh.cut(&field, &|p| nail(in_arm(p), finger), &|old, inside| {
            if inside { Paint::Nail } else { old }
        });
    }
    Piece::new(Material::Skin, mesh, Box::new(field), false)
}

/// Signed distance to the outline of a nail, on the back of a finger's last bone.
fn nail(q: DVec3, finger: &Finger) -> f64 {
    let (base, tip, radius) = (finger.points[2], finger.points[3], finger.radii[3]);
    let along = tip - base;
    let long = along.dot(along).sqrt();
    let forward = along / long;
    let r = q - base;
    let (a, up) = (r.dot(forward), r.dot(finger.nail));
    let aside = r.dot(forward.cross(finger.nail));
    let (x, y) = ((a - long + 0.30 * radius) / (1.20 * radius), aside / (0.78 * radius));
    let rounded = (x * x * x * x + y * y * y * y).sqrt().sqrt();
    ((rounded - 1.0) * 0.72 * radius).max(0.15 * radius - up).max(0.4 * long - a)
}

struct Arm {
    limb: Loft,
    fingers: [Finger; 4],
    thumb: Finger,
}

impl Arm {
    fn new() -> Self {
        // Columns: position along the arm, then centre and radii. The first direction is towards the back of the hand,
        // the second towards the thumb.
        let limb = Loft::new(
            &[
                section(-0.025, 0.000, 0.000, 0.034, 0.034),
                section(0.030, 0.000, 0.000, 0.0475, 0.0475),
                section(0.100, 0.000, 0.002, 0.0465, 0.0480),
                section(0.180, 0.000, 0.001, 0.0420, 0.0435),
                section(ELBOW - 0.02, 0.000, -0.001, 0.0385, 0.0385),
                section(ELBOW + 0.03, 0.000, 0.000, 0.0390, 0.0400),
                section(0.335, 0.001, 0.001, 0.0375, 0.0400),
                section(0.420, 0.001, 0.001, 0.0295, 0.0345),
                section(WRIST - 0.02, 0.000, 0.000, 0.0225, 0.0285),
                section(WRIST + 0.01, -0.001, 0.000, 0.0210, 0.0290),
                section(WRIST + 0.04, -0.003, 0.000, 0.0185, 0.0360),
                section(WRIST + 0.075, -0.003, -0.001, 0.0160, 0.0415),
                section(WRIST + 0.098, -0.004, -0.001, 0.0130, 0.0400),
            ],
            2.3,
            0.016,
        );
        Self { limb, fingers: fingers(), thumb: thumb() }
    }

    fn distance(&self, q: DVec3) -> f64 {
        let limb = self.limb.distance(q);
        if q.x < WRIST - 0.05 {
            return smooth_min(limb, elbow(q), 0.020);
        }
        let w = q - v(WRIST, 0.0, 0.0);
        let ball = round_cone(w, v(0.012, -0.009, 0.014), v(0.048, -0.013, 0.026), 0.0135, 0.0130);
        let heel = round_cone(w, v(0.012, -0.008, -0.016), v(0.062, -0.008, -0.027), 0.0115, 0.0110);
        let palm = smooth_min(smooth_min(limb, ball, 0.014), heel, 0.016);
        let hollow = ellipsoid(w, v(0.058, -0.0245, -0.002), v(0.030, 0.0085, 0.020));
        let palm = smooth_max(palm, -hollow, 0.012);
        let mut hand = smooth_min(palm, strand(q, &points(&self.thumb), 0.006), 0.018);
        for finger in &self.fingers {
            let knuckle = ellipsoid(q, finger.points[0] + v(0.002, 0.0075, 0.0), v(0.011, 0.0055, 0.0075));
            let finger = smooth_min(strand(q, &points(finger), 0.004), knuckle, 0.008);
            hand = smooth_min(hand, smooth_min(palm, finger, 0.012), 0.0018);
        }
        hand
    }
}

fn elbow(q: DVec3) -> f64 {
    ellipsoid(q, v(ELBOW - 0.002, 0.004, -0.029), v(0.022, 0.016, 0.014))
}

fn points(finger: &Finger) -> Vec<(DVec3, f64)> {
    finger
        .points
        .into_iter()
        .zip(finger.radii)
        .enumerate()
        .map(|(i, (p, r))| {
            // Moves the last sphere back, so that it ends at the fingertip.
            if i == 3 { (p - (p - finger.points[2]) * (r / 0.021 * 0.6), r) } else { (p, r) }
        })
        .collect()
}
