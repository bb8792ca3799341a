//! The built-in characters and the icon, as the bytes of their files.
//!
//! The files are committed, and a test holds them to these functions byte for byte: all arithmetic is f64 with `libm`,
//! nothing depends on hash order, threads or the platform's mathematics.

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

/// `figure.glb`: a clothed human with a humanoid skeleton and three clips.
pub fn figure() -> Vec<u8> {
    glb::glb(&figure::figure())
}

/// `tube.glb`: the test piece of the textbooks, four joints in a row.
pub fn tube() -> Vec<u8> {
    glb::glb(&tube::tube())
}

/// Sizes of the icon for desktops, pixels a side; the window has that of 256.
pub const ICON_SIZES: [u32; 6] = [16, 32, 48, 128, 256, 512];

/// `icons/SIZE.png`: `size` x `size` pixels, RGBA.
pub fn icon(size: u32) -> Vec<u8> {
    icon::icon(size)
}
