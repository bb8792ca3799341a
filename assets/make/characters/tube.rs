//! The built-in tube: the smallest rig that shows every skinning artefact, with closed forms for tests.
//!
//! It lies along +x through y = 1/2, with radius 1/4 m and joints at x = -1, -1/2, 0, 1/2. At each joint except the
//! first, a ring of vertices has weights 1/2 for the joint and 1/2 for its parent. After a twist by θ about x, linear
//! blending gives this ring the radius `cos(θ/2) / 4`.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use super::clips::{self, Pose};
use super::math::{cos_deg, sin_deg, smoothstep, unit, v};
use super::model::{Character, Clip, Primitive, Vertex, color, floats, influences, linear};
use super::rig::Rig;

/// Radius, metres.
const RADIUS: f64 = 0.25;
/// Height of the axis above the ground, metres.
const HEIGHT: f64 = 0.5;
/// Half the length of the straight part, metres.
const STRAIGHT: f64 = 0.75;
/// Number of rings of the straight part on each side of the middle.
const HALF_RINGS: i32 = 60;
/// Number of rings of each rounded end.
const END_RINGS: i32 = 20;
const SEGMENTS: usize = 64;
/// Number of segments in a stripe. One stripe in another colour marks the top.
const STRIPE: usize = 4;
const JOINTS: [(&str, f64); 4] = [("Root", -1.0), ("Near", -0.5), ("Middle", 0.0), ("Far", 0.5)];
/// Length over which the weight changes from a joint to the next one, metres.
const BLEND: f64 = 0.4;

/// Builds the tube with its clips.
pub fn tube() -> Character {
    let mut rig = Rig::default();
    for (i, (name, x)) in JOINTS.iter().enumerate() {
        rig.add_turned(name, i.checked_sub(1), v(*x, HEIGHT, 0.0), &DMat3::IDENTITY);
    }
    let clips = clips(&rig);
    Character { name: "Tube", rig, primitives: vec![surface()], clips }
}

fn clips(rig: &Rig) -> Vec<Clip> {
    let ease = |t: f64| 0.5 - 0.5 * libm::cos(t / 4.0 * std::f64::consts::TAU);
    let posed = |turn: [f64; 3]| {
        let mut pose = Pose::rest(rig);
        pose.bend("Middle", turn);
        pose
    };
    vec![
        clips::sample("twist", 4.0, 32, false, rig, &|t| posed([180.0 * ease(t), 0.0, 0.0])),
        clips::sample("bend", 4.0, 8, true, rig, &|t| posed([0.0, 0.0, 110.0 * ease(t)])),
    ]
}

/// A ring: position on the axis, radius, and normals' components along the axis.
struct Ring {
    x: f64,
    radius: f64,
    lean: f64,
}

fn rings() -> Vec<Ring> {
    let end = |i: i32, side: f64| {
        let angle = 90.0 * f64::from(i) / f64::from(END_RINGS);
        Ring {
            x: side * (STRAIGHT + RADIUS * sin_deg(angle)),
            radius: RADIUS * cos_deg(angle),
            lean: side * sin_deg(angle),
        }
    };
    let straight = |i: i32| Ring { x: STRAIGHT * f64::from(i) / f64::from(HALF_RINGS), radius: RADIUS, lean: 0.0 };
    // Each pole has one vertex per stripe segment, because each triangle there has its own colour.
    let left = (1..END_RINGS).rev().map(|i| end(i, -1.0));
    let right = (1..END_RINGS).map(|i| end(i, 1.0));
    left.chain((-HALF_RINGS..=HALF_RINGS).map(straight)).chain(right).collect()
}

fn surface() -> Primitive {
    let rings = rings();
    let mut primitive = Primitive { material: "Tube", roughness: 0.55, vertices: Vec::new(), indices: Vec::new() };
    // Gives each stripe its own vertices, so that its edges are sharp.
    for stripe in 0..SEGMENTS / STRIPE {
        let first = primitive.vertices.len() as u32;
        for ring in &rings {
            for step in 0..=STRIPE {
                primitive.vertices.push(vertex(ring, stripe, step));
            }
        }
        let row = (STRIPE + 1) as u32;
        for ring in 0..rings.len() as u32 - 1 {
            for step in 0..STRIPE as u32 {
                let at = first + ring * row + step;
                primitive.indices.extend([at, at + 1, at + row + 1, at, at + row + 1, at + row]);
            }
        }
        caps(&mut primitive, stripe, first, rings.len() as u32);
    }
    primitive
}

/// Adds the fans from the poles to the first and last ring of a stripe.
fn caps(primitive: &mut Primitive, stripe: usize, first: u32, rings: u32) {
    let row = (STRIPE + 1) as u32;
    for (side, ring) in [(-1.0, 0), (1.0, rings - 1)] {
        let pole = primitive.vertices.len() as u32;
        let end = Ring { x: side * (STRAIGHT + RADIUS), radius: 0.0, lean: side };
        primitive.vertices.push(vertex(&end, stripe, 0));
        for step in 0..STRIPE as u32 {
            let at = first + ring * row + step;
            primitive.indices.extend(if side > 0.0 { [pole, at, at + 1] } else { [pole, at + 1, at] });
        }
    }
}

fn vertex(ring: &Ring, stripe: usize, step: usize) -> Vertex {
    // The middle of stripe 0 is on top. Angles go from +y to +z, so that corners are counter-clockwise from outside.
    let segment = (stripe * STRIPE + step + SEGMENTS - STRIPE / 2) % SEGMENTS;
    let angle = 360.0 * segment as f64 / SEGMENTS as f64;
    let out = v(0.0, cos_deg(angle), sin_deg(angle));
    let (joints, weights) = influences(&shares(ring.x));
    Vertex {
        position: floats(v(ring.x, HEIGHT, 0.0) + out * ring.radius),
        normal: floats(unit(out * (1.0 - ring.lean * ring.lean).max(0.0).sqrt() + DVec3::X * ring.lean)),
        color: color(linear(match stripe {
            0 => 0x00B0_4A62,
            s if s % 2 == 0 => 0x00EC_E5D8,
            _ => 0x0050_6492,
        })),
        joints,
        weights,
    }
}

fn shares(x: f64) -> BTreeMap<usize, f64> {
    let mut shares = BTreeMap::new();
    let mut rest = 1.0;
    for (joint, next) in (0..JOINTS.len()).zip(JOINTS.iter().skip(1).map(|j| Some(j.1)).chain([None])) {
        let taken = next.map_or(0.0, |at| smoothstep(-0.5 * BLEND, 0.5 * BLEND, x - at));
        shares.insert(joint, rest * (1.0 - taken));
        rest *= taken;
    }
    shares
}
