//! What goes into a file: vertices in the file's types, primitives, clips.

use glam::{DQuat, DVec3};

use super::rig::Rig;

/// A vertex in the file's types; weights sum to 1 exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Metres.
    pub position: [f32; 3],
    /// Unit length.
    pub normal: [f32; 3],
    /// Linear, 65535 is 1.
    pub color: [u16; 4],
    /// Joint indices.
    pub joints: [u8; 4],
    /// Parts of the influence, heaviest first.
    pub weights: [f32; 4],
}

/// Triangles of one material.
pub struct Primitive {
    /// Name of the material.
    pub material: &'static str,
    /// Its roughness.
    pub roughness: f64,
    /// Shared corners.
    pub vertices: Vec<Vertex>,
    /// Three a triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

/// Values of one joint over the clip's times.
pub struct Track {
    /// Which joint.
    pub joint: usize,
    /// What moves.
    pub keys: Keys,
}

/// Key values; for a smooth clip each with its slope per second.
pub enum Keys {
    /// Relative to the parent.
    Rotation(Vec<(DQuat, DQuat)>),
    /// Relative to the parent, metres.
    Translation(Vec<(DVec3, DVec3)>),
}

/// A named animation.
pub struct Clip {
    /// Name in the file.
    pub name: &'static str,
    /// `CUBICSPLINE` with the slopes; otherwise `LINEAR`.
    pub is_smooth: bool,
    /// Seconds, rising from 0.
    pub times: Vec<f64>,
    /// The moving joints.
    pub tracks: Vec<Track>,
}

/// A rigged character.
pub struct Character {
    /// Name of the scene and of the mesh node.
    pub name: &'static str,
    /// Its joints.
    pub rig: Rig,
    /// Its surface.
    pub primitives: Vec<Primitive>,
    /// Its animations.
    pub clips: Vec<Clip>,
}

/// Keeps the four heaviest shares, and rounds them so that their sum is exactly 1 in any order of adding:
/// multiples of 1/65536.
pub fn influences(shares: &std::collections::BTreeMap<usize, f64>) -> ([u8; 4], [f32; 4]) {
    const UNITS: f64 = 65536.0;
    let mut heaviest: Vec<(usize, f64)> = shares.iter().map(|(joint, share)| (*joint, *share)).collect();
    heaviest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    heaviest.truncate(4);
    // Engines store weights in a byte: hardly more than one step of it is as good as nothing.
    let all: f64 = heaviest.iter().map(|(_, share)| share).sum();
    heaviest.retain(|(_, share)| share * 254.0 > all);
    let sum: f64 = heaviest.iter().map(|(_, share)| share).sum();
    let mut units: Vec<f64> = heaviest.iter().map(|(_, share)| (share / sum * UNITS).round()).collect();
    let surplus: f64 = units.iter().sum::<f64>() - UNITS;
    if let Some(first) = units.first_mut() {
        *first -= surplus;
    }
    let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
    for (i, ((joint, _), unit)) in heaviest.iter().zip(units).enumerate() {
        joints[i] = *joint as u8;
        weights[i] = (unit / UNITS) as f32;
    }
    (joints, weights)
}

/// Linear colour from an sRGB one as in a style sheet (0xRRGGBB).
pub fn linear(srgb: u32) -> DVec3 {
    let channel = |shift: u32| {
        let s = f64::from(srgb >> shift & 0xff) / 255.0;
        if s <= 0.040_45 { s / 12.92 } else { libm::pow((s + 0.055) / 1.055, 2.4) }
    };
    DVec3::new(channel(16), channel(8), channel(0))
}

/// The file's colour of a linear one.
pub fn color(linear: DVec3) -> [u16; 4] {
    let channel = |c: f64| (c.clamp(0.0, 1.0) * 65535.0).round() as u16;
    [channel(linear.x), channel(linear.y), channel(linear.z), u16::MAX]
}

/// The file's floats; minus zero becomes zero, so that a mirrored zero is the same bits.
pub fn floats(p: DVec3) -> [f32; 3] {
    [p.x as f32 + 0.0, p.y as f32 + 0.0, p.z as f32 + 0.0]
}
