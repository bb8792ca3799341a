//! Contents of a file: vertices in the file's types, primitives, clips.

use glam::{DQuat, DVec3};

use super::rig::Rig;

/// A vertex in the file's types. Its weights sum to exactly 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position, metres.
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
    /// Linear colour; 65535 is 1.
    pub color: [u16; 4],
    /// Joint indices.
    pub joints: [u8; 4],
    /// Weights of the joints, heaviest first.
    pub weights: [f32; 4],
}

/// Triangles of one material.
pub struct Primitive {
    /// Name of the material.
    pub material: &'static str,
    /// Roughness of the material.
    pub roughness: f64,
    /// Vertices that triangles share.
    pub vertices: Vec<Vertex>,
    /// Three indices per triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

/// Keys of one joint, at the clip's times.
pub struct Track {
    /// Index of the joint.
    pub joint: usize,
    /// Animated property and its keys.
    pub keys: Keys,
}

/// Key values, each with its slope per second (used in smooth clips).
pub enum Keys {
    /// Rotations relative to the parent.
    Rotation(Vec<(DQuat, DQuat)>),
    /// Translations relative to the parent, metres.
    Translation(Vec<(DVec3, DVec3)>),
}

/// A named animation.
pub struct Clip {
    /// Name in the file.
    pub name: &'static str,
    /// True for `CUBICSPLINE` with the slopes, false for `LINEAR`.
    pub is_smooth: bool,
    /// Times of the keys in ascending order from 0, seconds.
    pub times: Vec<f64>,
    /// Tracks of the animated joints.
    pub tracks: Vec<Track>,
}

/// A rigged character.
pub struct Character {
    /// Name of the scene and of the mesh node.
    pub name: &'static str,
    /// Joints of the character.
    pub rig: Rig,
    /// Surface, as primitives.
    pub primitives: Vec<Primitive>,
    /// Animation clips.
    pub clips: Vec<Clip>,
}

/// Keeps the four heaviest weights, and rounds them to multiples of 1/65536, so that they sum to exactly 1 in any
/// order.
pub fn influences(shares: &std::collections::BTreeMap<usize, f64>) -> ([u8; 4], [f32; 4]) {
    const UNITS: f64 = 65536.0;
    let mut heaviest: Vec<(usize, f64)> = shares.iter().map(|(joint, share)| (*joint, *share)).collect();
    heaviest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    heaviest.truncate(4);
    // Drops weights of hardly more than 1/255, because engines store weights in bytes.
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

/// Converts an sRGB colour, 0xRRGGBB, to a linear one.
pub fn linear(srgb: u32) -> DVec3 {
    let channel = |shift: u32| {
        let s = f64::from(srgb >> shift & 0xff) / 255.0;
        if s <= 0.040_45 { s / 12.92 } else { libm::pow((s + 0.055) / 1.055, 2.4) }
    };
    DVec3::new(channel(16), channel(8), channel(0))
}

/// Converts a linear colour to the type of the file.
pub fn color(linear: DVec3) -> [u16; 4] {
    let channel = |c: f64| (c.clamp(0.0, 1.0) * 65535.0).round() as u16;
    [channel(linear.x), channel(linear.y), channel(linear.z), u16::MAX]
}

/// Converts to the floats of the file. Replaces minus zero by zero, so that mirrored zeros have the same bits.
pub fn floats(p: DVec3) -> [f32; 3] {
    [p.x as f32 + 0.0, p.y as f32 + 0.0, p.z as f32 + 0.0]
}
