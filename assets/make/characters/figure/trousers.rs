//! The trousers: hips, and two legs that taper to a turned-up hem, with a side seam.

use glam::DVec3;

use super::super::loft::{Loft, section};
use super::super::math::{smooth_min, v};
use super::super::mesh::{Mesh, Paint};
use super::super::sdf::ellipsoid;
use super::super::surface_nets::{Grid, half_planes, planes, surface_nets};
use super::piece::{Material, Piece};

/// Height of the hem, metres.
pub const HEM: f64 = 0.072;

/// Builds the left half of the trousers.
pub fn trousers() -> Piece {
    let shape = Trousers::new();
    let field = move |p: DVec3| shape.distance(v(p.x.abs(), p.y, p.z));
    let grid = Grid {
        planes: [
            half_planes(&[(0.20, 0.0156)]),
            planes(0.05, &[(0.13, 0.0150), (0.42, 0.0235), (0.60, 0.0135), (0.80, 0.0225), (1.06, 0.0190)]),
            planes(-0.15, &[(0.15, 0.0155)]),
        ],
        warp: &|q| q,
        is_half: true,
    };
    let mut mesh = surface_nets(&grid, &field, Paint::Trousers);
    paint(&mut mesh, &field);
    Piece::new(Material::Trousers, mesh, Box::new(field), true)
}

/// Returns a leg along y. The first direction of its sections is z, the second x.
pub fn leg() -> Loft {
    Loft::new(
        &[
            section(HEM, -0.022, 0.1085, 0.0580, 0.0520),
            section(0.150, -0.022, 0.1075, 0.0555, 0.0500),
            section(0.260, -0.020, 0.1060, 0.0585, 0.0525),
            section(0.370, -0.013, 0.1045, 0.0635, 0.0565),
            section(0.450, -0.003, 0.1025, 0.0630, 0.0570),
            section(0.515, 0.006, 0.1000, 0.0650, 0.0590),
            section(0.600, 0.007, 0.0970, 0.0715, 0.0650),
            section(0.720, 0.003, 0.0930, 0.0840, 0.0750),
            section(0.830, -0.004, 0.0890, 0.0940, 0.0810),
            section(0.920, -0.008, 0.0830, 0.0960, 0.0740),
        ],
        2.15,
        0.012,
    )
}

struct Trousers {
    hips: Loft,
    leg: Loft,
}

impl Trousers {
    fn new() -> Self {
        // Columns: height, then centre and radii. The first direction is z, the second x.
        let hips = Loft::new(
            &[
                section(0.815, -0.010, 0.0, 0.0750, 0.0950),
                section(0.860, -0.010, 0.0, 0.0980, 0.1460),
                section(0.920, -0.009, 0.0, 0.1020, 0.1540),
                section(0.980, -0.006, 0.0, 0.0970, 0.1440),
                section(1.030, -0.002, 0.0, 0.0880, 0.1280),
            ],
            2.2,
            0.030,
        );
        Self { hips, leg: leg() }
    }

    fn distance(&self, p: DVec3) -> f64 {
        let left = self.leg.distance(v(p.y, p.z, p.x));
        // Includes both legs, so that the crotch is rounded.
        let right = self.leg.distance(v(p.y, p.z, -p.x));
        let hips = self.hips.distance(v(p.y, p.z, p.x));
        let seat = ellipsoid(p, v(0.068, 0.880, -0.056), v(0.068, 0.074, 0.060));
        smooth_min(smooth_min(smooth_min(left, right, 0.020), hips, 0.035), seat, 0.035)
    }
}

fn paint(mesh: &mut Mesh, field: &dyn Fn(DVec3) -> f64) {
    // The side seam, which shows the twist of a leg.
    let leg = leg();
    let beside = |p: DVec3, width: f64| {
        let s = leg.at(p.y);
        (p.z - s.centre[0] - width).max(s.centre[1] - p.x).max(p.y - 0.93)
    };
    mesh.strip(field, [&|p| beside(p, 0.0035), &|p| beside(p, -0.0035)], [Paint::Trousers, Paint::TrousersSeam]);
    mesh.cut(field, &|p| p.y - HEM - 0.006, &|old, inside| {
        if inside { Paint::TrousersInside } else { old }
    });
}
