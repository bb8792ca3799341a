//! The left eyeball, built from rings around the line of sight.

use glam::DVec3;

use super::super::math::{cos_deg, sin_deg, v};
use super::super::mesh::{Mesh, Paint, Triangle};
use super::super::sdf::sphere;
use super::body::{EYE, EYE_RADIUS};
use super::piece::{Material, Piece};

/// Angle of each ring from the line of sight, degrees, and the paint beyond it.
const RINGS: [(f64, Paint); 12] = [
    (6.0, Paint::Pupil),
    (14.0, Paint::Pupil),
    (20.0, Paint::Iris),
    (26.0, Paint::Iris),
    (30.5, Paint::Iris),
    (34.0, Paint::Limbus),
    (44.0, Paint::EyeWhite),
    (54.0, Paint::EyeWhite),
    (66.0, Paint::EyeWhite),
    (82.0, Paint::EyeWhite),
    (105.0, Paint::EyeWhite),
    (140.0, Paint::EyeWhite),
];
const SPOKES: usize = 28;

/// Builds the left eyeball.
pub fn eye() -> Piece {
    let field = |p: DVec3| sphere(p, EYE, EYE_RADIUS);
    let mut mesh = ball();
    mesh.cut(&field, &glint, &|old, inside| {
        if inside { Paint::Glint } else { old }
    });
    Piece::new(Material::Eyes, mesh, Box::new(field), false).rigid("LeftEye")
}

/// Signed distance to the highlight in the eye. It is above the centre, so that its mirror image also looks right.
fn glint(p: DVec3) -> f64 {
    let q = p - EYE - v(0.0, 0.0050, 0.0);
    ((q.x / 1.15) * (q.x / 1.15) + q.y * q.y).sqrt() - 0.0021 + if q.z < 0.0 { 1.0 } else { 0.0 }
}

fn ball() -> Mesh {
    let mut mesh = Mesh::default();
    let mut push = |angle: f64, spoke: usize| {
        let around = 360.0 * spoke as f64 / SPOKES as f64;
        let across = sin_deg(angle) * EYE_RADIUS;
        mesh.positions.push(EYE + v(across * cos_deg(around), across * sin_deg(around), cos_deg(angle) * EYE_RADIUS));
        mesh.on_plane.push(false);
    };
    push(0.0, 0);
    for (angle, _) in RINGS {
        for spoke in 0..SPOKES {
            push(angle, spoke);
        }
    }
    push(180.0, 0);
    let at = |ring: usize, spoke: usize| 1 + ring * SPOKES + spoke % SPOKES;
    let last = mesh.positions.len() - 1;
    for spoke in 0..SPOKES {
        let mut push = |corners, paint| mesh.triangles.push(Triangle { corners, paint });
        push([0, at(0, spoke), at(0, spoke + 1)], Paint::Pupil);
        push([last, at(RINGS.len() - 1, spoke + 1), at(RINGS.len() - 1, spoke)], Paint::EyeWhite);
        for ring in 0..RINGS.len() - 1 {
            let paint = RINGS[ring + 1].1;
            mesh.push_quad([at(ring, spoke), at(ring + 1, spoke), at(ring + 1, spoke + 1), at(ring, spoke + 1)], paint);
        }
    }
    mesh
}
