//! The left shoe: a trainer with a thick sole, and a sock that reaches into the trousers.

use glam::DVec3;

use super::super::math::{cos_deg, sin_deg, smooth_max, smooth_min, v};
use super::super::mesh::{Mesh, Paint};
use super::super::sdf::{ellipsoid, round_cone, strand};
use super::super::surface_nets::{Grid, planes, surface_nets};
use super::piece::{Material, Piece};

const ORIGIN: DVec3 = v(0.110, 0.0, 0.0);
const TOE_OUT: f64 = 6.0;
const SOLE_TOP: f64 = 0.030;

/// Converts a point from model space to the shoe frame: x outwards, y up, z towards the toes.
fn in_shoe(p: DVec3) -> DVec3 {
    let q = p - ORIGIN;
    let (s, c) = (sin_deg(TOE_OUT), cos_deg(TOE_OUT));
    v(q.x * c - q.z * s, q.y, q.z * c + q.x * s)
}

fn from_shoe(q: DVec3) -> DVec3 {
    let (s, c) = (sin_deg(TOE_OUT), cos_deg(TOE_OUT));
    ORIGIN + v(q.x * c + q.z * s, q.y, q.z * c - q.x * s)
}

/// Builds the shoe.
pub fn shoe() -> Piece {
    let field = |p: DVec3| distance(in_shoe(p));
    let grid = Grid {
        planes: [
            planes(-0.065, &[(0.072, 0.0094)]),
            planes(-0.010, &[(0.045, 0.0070), (0.20, 0.0115)]),
            planes(-0.115, &[(0.195, 0.0102)]),
        ],
        warp: &from_shoe,
        is_half: false,
    };
    let mut mesh = surface_nets(&grid, &field, Paint::Shoe);
    paint(&mut mesh, &field);
    Piece::new(Material::Shoes, mesh, Box::new(field), false)
}

fn distance(q: DVec3) -> f64 {
    smooth_min(smooth_min(upper(q), sole(q), 0.004), sock(q), 0.004)
}

/// Signed distance to the footprint in the ground plane: the hull of heel, ball and toes.
fn footprint(q: DVec3) -> f64 {
    let flat = v(q.x, 0.0, q.z);
    let heel = round_cone(flat, v(0.000, 0.0, -0.062), v(0.003, 0.0, 0.085), 0.0345, 0.0440);
    let toes = round_cone(flat, v(0.003, 0.0, 0.085), v(-0.006, 0.0, 0.133), 0.0440, 0.0370);
    smooth_min(heel, toes, 0.02)
}

fn sole(q: DVec3) -> f64 {
    // The toe rises slightly from the ground.
    let spring = 0.010 * ((q.z - 0.10) / 0.07).clamp(0.0, 1.2) * ((q.z - 0.10) / 0.07).clamp(0.0, 1.2);
    let y = q.y - spring;
    smooth_max(footprint(q) - 0.001, (y - SOLE_TOP).max(-y), 0.009)
}

fn upper(q: DVec3) -> f64 {
    let toe = strand(
        q,
        &[(v(-0.004, 0.036, 0.126), 0.0310), (v(0.002, 0.044, 0.085), 0.0380), (v(0.0, 0.062, 0.025), 0.0370)],
        0.01,
    );
    let heel = round_cone(q, v(0.0, 0.046, -0.058), v(0.0, 0.086, -0.040), 0.0330, 0.0360);
    let instep = round_cone(q, v(0.0, 0.066, 0.020), v(0.0, 0.092, -0.022), 0.0370, 0.0400);
    let tongue = round_cone(q, v(0.0, 0.094, 0.018), v(0.0, 0.113, 0.004), 0.0160, 0.0150);
    let body = smooth_min(smooth_min(smooth_min(toe, heel, 0.05), instep, 0.03), tongue, 0.014);
    let body = smooth_max(body, footprint(q) + 0.0025, 0.012);
    let collar = smooth_max(body, q.y - 0.106 + 0.35 * (q.z + 0.03).min(0.0), 0.010);
    let well = ellipsoid(q, v(0.0, 0.122, -0.030), v(0.030, 0.022, 0.036));
    smooth_max(smooth_max(collar, -well, 0.010), SOLE_TOP - 0.014 - q.y, 0.003)
}

fn sock(q: DVec3) -> f64 {
    round_cone(q, v(-0.003, 0.080, -0.028), v(-0.003, 0.150, -0.026), 0.0290, 0.0320)
}

fn paint(mesh: &mut Mesh, field: &dyn Fn(DVec3) -> f64) {
    let over = |old, inside: bool, paint| {
        if inside && old == Paint::Shoe { paint } else { old }
    };
    mesh.cut(field, &|p| sock(in_shoe(p)) - 0.0008, &|old, inside| over(old, inside, Paint::Sock));
    mesh.cut(field, &|p| sole_line(in_shoe(p)), &|old, inside| over(old, inside, Paint::Sole));
    mesh.cut(field, &|p| tongue(in_shoe(p)), &|old, inside| over(old, inside, Paint::ShoeTongue));
    mesh.cut(field, &|p| heel_tab(in_shoe(p)), &|old, inside| over(old, inside, Paint::ShoeAccent));
    for i in 0..4 {
        let middle = 0.070 - 0.0155 * f64::from(i);
        for old in [Paint::Shoe, Paint::ShoeTongue] {
            let front = |p: DVec3| (in_shoe(p).z - middle - 0.0036).max(beside_laces(in_shoe(p)));
            let back = |p: DVec3| in_shoe(p).z - middle + 0.0036;
            mesh.strip(field, [&front, &back], [old, Paint::ShoeLace]);
        }
    }
    let line = |height: f64| move |p: DVec3| p.y - height;
    mesh.strip(field, [&line(0.0125), &line(0.0080)], [Paint::Sole, Paint::SoleLine]);
}

fn sole_line(q: DVec3) -> f64 {
    let spring = 0.010 * ((q.z - 0.10) / 0.07).clamp(0.0, 1.2);
    q.y - SOLE_TOP + 0.001 - spring * 1.3
}

/// Signed distance to the strip from the toe cap to the ankle.
fn tongue(q: DVec3) -> f64 {
    (q.x.abs() - 0.0155).max(q.z - 0.082).max(0.004 - q.z).max(0.05 - q.y)
}

fn heel_tab(q: DVec3) -> f64 {
    (q.x.abs() - 0.017).max(q.z + 0.05)
}

/// Positive outside the strip that the laces cross.
fn beside_laces(q: DVec3) -> f64 {
    (q.x.abs() - 0.0215).max(0.05 - q.y)
}
