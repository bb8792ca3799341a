//! The T-shirt: a loose body with sleeves, hollow openings, a collar, a chest band and hems.

use glam::DVec3;

use super::super::loft::{Loft, section};
use super::super::math::{cos_deg, sin_deg, smooth_max, smooth_min, v};
use super::super::mesh::{Mesh, Paint};
use super::super::sdf::round_cone;
use super::super::surface_nets::{Grid, half_planes, planes, surface_nets};
use super::body::{SHOULDER, in_arm};
use super::piece::{Material, Piece};

/// Distance of the sleeve's end along the arm, metres.
pub const SLEEVE: f64 = 0.172;
/// Radius of the sleeve's end, metres.
pub const SLEEVE_RADIUS: f64 = 0.0650;
/// Height of the hem, metres.
pub const HEM: f64 = 0.896;

/// Builds the left half of the shirt.
pub fn shirt() -> Piece {
    let shape = Shirt::new();
    let field = move |p: DVec3| shape.distance(v(p.x.abs(), p.y, p.z));
    let grid = Grid {
        planes: [
            half_planes(&[(0.36, 0.0160)]),
            planes(0.862, &[(0.93, 0.0100), (1.16, 0.0185), (1.50, 0.0132)]),
            planes(-0.17, &[(0.16, 0.0155)]),
        ],
        warp: &|q| q,
        is_half: true,
    };
    let mut mesh = surface_nets(&grid, &field, Paint::Shirt);
    paint(&mut mesh, &field);
    Piece::new(Material::Shirt, mesh, Box::new(field), true)
}

/// Returns the trunk along y. The first direction of its sections is z, the second x.
pub fn body() -> Loft {
    Loft::new(
        &[
            section(HEM, -0.010, 0.0, 0.1240, 0.1770),
            section(0.940, -0.009, 0.0, 0.1200, 0.1715),
            section(1.020, -0.004, 0.0, 0.1080, 0.1570),
            section(1.100, 0.000, 0.0, 0.1020, 0.1470),
            section(1.190, 0.001, 0.0, 0.1080, 0.1510),
            section(1.275, -0.003, 0.0, 0.1150, 0.1600),
            section(1.330, -0.012, 0.0, 0.1080, 0.1530),
            section(1.382, -0.022, 0.0, 0.0900, 0.1220),
            section(1.420, -0.028, 0.0, 0.0760, 0.0930),
            section(1.490, -0.034, 0.0, 0.0620, 0.0660),
        ],
        2.35,
        0.012,
    )
}

/// The shirt's distance field, for x >= 0.
pub struct Shirt {
    body: Loft,
}

impl Shirt {
    /// Creates the shirt.
    pub fn new() -> Self {
        Self { body: body() }
    }

    fn distance(&self, p: DVec3) -> f64 {
        let sleeve = round_cone(in_arm(p), v(SLEEVE + 0.010, 0.0, 0.0), v(SLEEVE + 0.06, 0.0, 0.0), 0.0455, 0.066);
        let open = smooth_max(self.solid(p), -sleeve, 0.010);
        smooth_max(open, p.y - slanted(p), 0.004)
    }

    fn solid(&self, p: DVec3) -> f64 {
        let body = self.body.distance(v(p.y, p.z, p.x));
        let shoulder = round_cone(p, v(0.070, 1.390, -0.030), SHOULDER + v(-0.010, -0.006, 0.0), 0.046, 0.0480);
        smooth_min(smooth_min(body, shoulder, 0.050), sleeve(p), 0.034)
    }

    /// Returns the neckline's point at an angle, where the cloth meets the slanted plane that ends it.
    pub fn neckline(&self, angle: f64) -> DVec3 {
        let at = |reach: f64| {
            let (x, z) = (reach * sin_deg(angle), reach * cos_deg(angle) - 0.026);
            v(x, slanted(v(x, 0.0, z)), z)
        };
        let (mut inside, mut outside) = (0.03, 0.14);
        for _ in 0..40 {
            let reach = 0.5 * (inside + outside);
            let p = at(reach);
            if self.solid(v(p.x.abs(), p.y, p.z)) < 0.0 {
                inside = reach;
            } else {
                outside = reach;
            }
        }
        at(inside - 0.001)
    }
}

fn sleeve(p: DVec3) -> f64 {
    let q = in_arm(p);
    let tube = round_cone(q, v(0.0, 0.0, 0.0), v(SLEEVE + 0.05, 0.0, 0.0), 0.0530, SLEEVE_RADIUS + 0.0025);
    smooth_max(tube, q.x - SLEEVE, 0.010)
}

/// Height of the plane that ends the shirt at the neck. It is lower in front, below the throat.
fn slanted(p: DVec3) -> f64 {
    let front = p.z + 0.026;
    let beside = (p.x.abs() - 0.070).max(0.0);
    // The plane rises steeply at the sides, to stay clear of the shoulders.
    1.4405 - 0.26 * front - 2.4 * front.max(0.0) * front.max(0.0) + 30.0 * beside * beside
}

fn paint(mesh: &mut Mesh, field: &dyn Fn(DVec3) -> f64) {
    let hollow = |old, inside: bool| if inside { Paint::ShirtInside } else { old };
    mesh.cut(field, &in_sleeve, &hollow);
    mesh.cut(field, &|p| slanted(p) - 0.003 - p.y, &hollow);
    mesh.cut(field, &|p| p.y - HEM - 0.004, &hollow);
    for (top, bottom) in [(1.272, 1.228), (1.213, 1.203)] {
        mesh.strip(field, [&|p| (p.y - top).max(on_sleeve(p)), &|p| p.y - bottom], [Paint::Shirt, Paint::ShirtBand]);
    }
}

/// Signed distance to the hollow at a sleeve's end.
fn in_sleeve(p: DVec3) -> f64 {
    let q = in_arm(p);
    let reach = (q.y * q.y + q.z * q.z).sqrt();
    let hollow = (reach - 0.0545).max(SLEEVE - 0.06 - q.x);
    hollow.min((SLEEVE - 0.006 - q.x).max(reach - 0.1))
}

/// Positive on the sleeves, which the chest bands don't cover.
fn on_sleeve(p: DVec3) -> f64 {
    let q = in_arm(p);
    let reach = (q.y * q.y + q.z * q.z).sqrt();
    (0.072 - reach).min(q.x - 0.03)
}
