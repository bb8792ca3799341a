//! The bytes of the built-in characters' files and of the icon.
//!
//! The files are committed, and a test compares them byte for byte with these functions. So all arithmetic is f64 with
//! `libm`, and nothing depends on hash order, threads or the platform's mathematics.

mod clips;
mod figure;
mod glb;
mod icon;
mod loft;
mod math;
mod mesh;
mod model;
mod rig;
mod sdf;
mod surface_nets;
mod sweep;
mod tube;

/// Returns `figure.glb`: a clothed human with a humanoid skeleton and three clips.
pub fn figure() -> Vec<u8> {
    glb::glb(&figure::figure())
}

/// Returns `tube.glb`: the tube of textbooks, with four joints in a row.
pub fn tube() -> Vec<u8> {
    glb::glb(&tube::tube())
}

/// Side lengths of the desktop icons, pixels; the window uses 256.
pub const ICON_SIZES: [u32; 6] = [16, 32, 48, 128, 256, 512];

/// Returns `icons/SIZE.png`, with `size` x `size` pixels, RGBA.
pub fn icon(size: u32) -> Vec<u8> {
    icon::icon(size)
}
