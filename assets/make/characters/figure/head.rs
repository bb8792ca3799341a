//! Head, neck and ears. Eyelids, lips and lid edges are cut into the mesh.

use glam::DVec3;

use super::super::math::{length, mix, smooth_max, smooth_min, smoothstep, v};
use super::super::mesh::{Mesh, Paint};
use super::super::sdf::{ellipsoid, gradient, round_cone, sphere, strand};
use super::super::surface_nets::{Grid, half_planes, planes, surface_nets};
use super::body::{EYE, EYE_RADIUS};
use super::hair::scalp;
use super::piece::{Material, Piece};

/// Width of the visible edge of the eyelids, metres.
const LID_EDGE: f64 = 0.0013;

/// Builds the left half of the head.
pub fn head() -> Piece {
    let field = |p: DVec3| skin(v(p.x.abs(), p.y, p.z));
    let grid = Grid {
        planes: [
            half_planes(&[(0.056, 0.0040), (0.10, 0.0072)]),
            planes(
                1.315,
                &[(1.46, 0.0180), (1.50, 0.010), (1.533, 0.0052), (1.655, 0.00405), (1.69, 0.010), (1.77, 0.016)],
            ),
            planes(-0.13, &[(-0.042, 0.0180), (0.006, 0.0074), (0.040, 0.0105), (0.125, 0.0047)]),
        ],
        // Spreads the grid planes at the neck, which needs less detail.
        warp: &|q| {
            let spread = mix(1.0, 1.75, smoothstep(1.525, 1.45, q.y));
            v(q.x * spread, q.y, (q.z + 0.02) * spread - 0.02)
        },
        is_half: true,
    };
    let mut mesh = surface_nets(&grid, &field, Paint::Skin);
    paint(&mut mesh, &field);
    Piece::new(Material::Skin, mesh, Box::new(field), true)
}

/// Signed distance to the head, for x >= 0.
fn skin(p: DVec3) -> f64 {
    let bare = smooth_min(skull(p), neck(p), 0.030);
    let with_ear = ear(p, bare);
    face(p, with_ear)
}

fn skull(p: DVec3) -> f64 {
    let cranium = ellipsoid(p, v(0.0, 1.650, -0.016), v(0.0775, 0.094, 0.096));
    let middle = ellipsoid(p, v(0.0, 1.592, 0.020), v(0.0640, 0.086, 0.0725));
    let jaw = round_cone(p, v(0.0440, 1.5600, 0.004), v(0.0120, 1.5160, 0.0640), 0.0220, 0.0165);
    let chin = ellipsoid(p, v(0.0, 1.5145, 0.0715), v(0.0200, 0.0150, 0.0150));
    let head = smooth_min(smooth_min(cranium, middle, 0.040), jaw, 0.030);
    smooth_min(head, chin, 0.022)
}

fn neck(p: DVec3) -> f64 {
    let column = round_cone(p, v(0.0, 1.40, -0.034), v(0.0, 1.545, -0.020), 0.0545, 0.0480);
    let sinew = round_cone(p, v(0.0520, 1.560, -0.026), v(0.0150, 1.420, 0.016), 0.0120, 0.0105);
    let base = ellipsoid(p, v(0.0, 1.386, -0.022), v(0.090, 0.046, 0.066));
    let slope = round_cone(p, v(0.028, 1.438, -0.046), v(0.105, 1.396, -0.032), 0.029, 0.027);
    smooth_min(smooth_min(column, sinew, 0.022), smooth_min(base, slope, 0.03), 0.045)
}

fn ear(p: DVec3, head: f64) -> f64 {
    // Coordinate frame of the ear, which is tilted back and rotated outwards.
    let q = p - v(0.0800, 1.6020, -0.014);
    let q = v(q.x * 0.94 + q.z * 0.34, q.y * 0.98 - q.z * 0.20, q.z * 0.92 - q.x * 0.34 + q.y * 0.18);
    let shell = ellipsoid(q, DVec3::ZERO, v(0.0085, 0.0300, 0.0185));
    let lobe = ellipsoid(q, v(-0.001, -0.0225, 0.0045), v(0.0070, 0.0100, 0.0095));
    let bowl = ellipsoid(q, v(0.0105, 0.0035, 0.0020), v(0.0075, 0.0205, 0.0110));
    let flap = ellipsoid(q, v(0.0020, -0.0040, 0.0150), v(0.0045, 0.0070, 0.0045));
    let ear = smooth_max(smooth_min(shell, lobe, 0.006), -bowl, 0.006);
    smooth_min(head, smooth_min(ear, flap, 0.004), 0.007)
}

fn face(p: DVec3, head: f64) -> f64 {
    if p.z < 0.02 {
        return head;
    }
    let brow = round_cone(p, v(0.0160, 1.6390, 0.0800), v(0.0440, 1.6400, 0.0600), 0.0090, 0.0080);
    let cheek = sphere(p, v(0.0385, 1.5800, 0.0560), 0.0225);
    let jowl = sphere(p, v(0.0330, 1.5500, 0.0460), 0.0220);
    let head = smooth_min(smooth_min(smooth_min(head, brow, 0.016), cheek, 0.026), jowl, 0.020);
    let socket = ellipsoid(p, v(0.0335, 1.6150, 0.0960), v(0.0230, 0.0150, 0.0150));
    let head = smooth_max(head, -socket, 0.020);
    let lids = sphere(p, EYE, EYE_RADIUS + 0.0025);
    let head = smooth_min(head, lids, 0.0090);
    mouth(p, nose(p, head))
}

fn nose(p: DVec3, head: f64) -> f64 {
    let ridge = strand(
        p,
        &[(v(0.0, 1.6300, 0.0790), 0.0080), (v(0.0, 1.6080, 0.0910), 0.0072), (v(0.0, 1.5860, 0.1020), 0.0092)],
        0.006,
    );
    let tip = sphere(p, v(0.0, 1.5838, 0.1022), 0.0110);
    let wing = ellipsoid(p, v(0.0115, 1.5800, 0.0945), v(0.0068, 0.0064, 0.0090));
    let nose = smooth_min(smooth_min(ridge, tip, 0.010), wing, 0.008);
    smooth_min(head, nose, 0.011)
}

fn mouth(p: DVec3, head: f64) -> f64 {
    let mound = ellipsoid(p, v(0.0, 1.5510, 0.0740), v(0.0270, 0.0200, 0.0190));
    let upper = round_cone(p, v(0.0050, 1.5546, 0.0915), v(0.0240, 1.5540, 0.0815), 0.0043, 0.0022);
    let lower = round_cone(p, v(0.0, 1.5438, 0.0910), v(0.0215, 1.5495, 0.0820), 0.0054, 0.0024);
    let dimple = round_cone(p, v(0.0, 1.5730, 0.0990), v(0.0, 1.5600, 0.0990), 0.0018, 0.0028);
    let head = smooth_min(head, mound, 0.018);
    let head = smooth_min(head, smooth_min(upper, lower, 0.0008), 0.0045);
    smooth_max(head, -dimple, 0.006)
}

/// Signed distance to the left eye's opening: two arcs that meet in the corners, the outer one higher.
pub fn opening(p: DVec3) -> f64 {
    let (x, y) = (p.x - EYE.x, p.y - EYE.y);
    let (x, y) = (x * 0.996 + y * 0.087, y * 0.996 - x * 0.087);
    let upper = arc(x + 0.0008, y + 0.0143, 0.0222);
    let lower = arc(x - 0.0010, y - 0.0192, 0.0262);
    smooth_max(upper, lower, 0.0012).max(0.055 - p.z)
}

fn arc(x: f64, y: f64, radius: f64) -> f64 {
    (x * x + y * y).sqrt() - radius
}

/// Signed distance to a nostril on the underside of the nose. It is too small for the grid, so it is painted.
fn nostril(p: DVec3) -> f64 {
    let (x, z) = ((p.x - 0.0066) / 0.0028, (p.z - 0.0985) / 0.0046);
    (((x * x + z * z).sqrt() - 1.0) * 0.003).max(p.y - 1.5770).max(1.5722 - p.y)
}

/// Signed distance to the outline of the lips, negative inside.
fn lips(p: DVec3) -> f64 {
    let x = p.x;
    let bow = 0.0011 * smoothstep(0.0, 0.0065, x);
    let top = 1.5569 + bow - 0.0026 * (x / 0.0285) * (x / 0.0285);
    let bottom = 1.5399 + 0.0160 * (x / 0.0285) * (x / 0.0285);
    smooth_max(p.y - top, bottom - p.y, 0.0006).max(0.06 - p.z)
}

/// Height above the line between the lips, which rises slightly towards the corners.
fn over_mouth(p: DVec3) -> f64 {
    let t = p.x / 0.0290;
    p.y - 1.5500 - 0.0058 * t * t
}

fn paint(mesh: &mut Mesh, field: &dyn Fn(DVec3) -> f64) {
    let fold = |g: fn(DVec3) -> f64| move |p: DVec3| g(v(p.x.abs(), p.y, p.z));
    mesh.cut(field, &fold(opening), &|old, inside| {
        if inside { Paint::LidEdge } else { old }
    });
    let deep = |p: DVec3| opening(v(p.x.abs(), p.y, p.z)) + LID_EDGE;
    mesh.cut(field, &deep, &|old, inside| {
        if inside { Paint::Lash } else { old }
    });
    mesh.cut(field, &fold(lash), &|old, inside| {
        if inside && old == Paint::Skin { Paint::Lash } else { old }
    });
    mesh.cut(field, &fold(lips), &|old, inside| {
        if inside { Paint::Lips } else { old }
    });
    let below = |p: DVec3| (over_mouth(v(p.x.abs(), p.y, p.z)) - 0.00075).max(p.x.abs() - 0.0305).max(0.06 - p.z);
    let above = |p: DVec3| over_mouth(v(p.x.abs(), p.y, p.z)) + 0.00075;
    for old in [Paint::Lips, Paint::Skin] {
        mesh.strip(field, [&below, &above], [old, Paint::Mouth]);
    }
    mesh.cut(field, &fold(nostril), &|old, inside| if inside { Paint::Nostril } else { old });
    mesh.cut(field, &fold(eyebrow), &|old, inside| {
        if inside { Paint::Brow } else { old }
    });
    mesh.cut(field, &fold(scalp), &|old, inside| {
        if inside && old == Paint::Skin { Paint::Scalp } else { old }
    });
    sink_eye(mesh, field);
}

/// Signed distance to the dark line along the upper lid, which gets thicker outwards.
fn lash(p: DVec3) -> f64 {
    let thickness = 0.0011 + 0.0011 * smoothstep(-0.012, 0.014, p.x - EYE.x);
    let is_upper = (p.y - EYE.y) - 0.12 * (p.x - EYE.x) - 0.0012;
    smooth_max(opening(p) - thickness, -is_upper, 0.001)
}

/// Signed distance to the eyebrow, seen from the front.
fn eyebrow(p: DVec3) -> f64 {
    const STROKE: [(DVec3, f64); 6] = [
        (v(0.0140, 1.6452, 0.0), 0.0030),
        (v(0.0220, 1.6480, 0.0), 0.0037),
        (v(0.0310, 1.6502, 0.0), 0.0037),
        (v(0.0410, 1.6504, 0.0), 0.0031),
        (v(0.0485, 1.6480, 0.0), 0.0025),
        (v(0.0540, 1.6445, 0.0), 0.0017),
    ];
    strand(v(p.x, p.y, 0.0), &STROKE, 0.002).max(0.03 - p.z)
}

/// Moves the skin inside the eye's opening behind the eyeball.
fn sink_eye(mesh: &mut Mesh, field: &dyn Fn(DVec3) -> f64) {
    for p in &mut mesh.positions {
        let depth = smoothstep(-0.2 * LID_EDGE, -0.95 * LID_EDGE, opening(*p));
        if depth > 0.0 {
            let normal = gradient(field, *p);
            *p -= normal * (0.0075 * depth / length(normal));
        }
    }
}
