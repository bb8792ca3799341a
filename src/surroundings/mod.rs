//! Surroundings as light: what a matt surface shows of them, how surfaces of each roughness mirror them, and the light in them that casts shadows.
//!
//! [`EnvironmentMap`] reads them from a file; `render` makes its built-in environments of the same [`SurroundingLight`].

mod error;
mod irradiance;
mod map;
mod mirrored;
mod octahedron;
mod panorama;
mod radiance_file;
mod sphere;

pub use error::EnvironmentError;
pub use irradiance::irradiance;
pub use map::EnvironmentMap;
pub use octahedron::{LEVELS, SIDE, tile_directions};
pub use sphere::{directions, facets};

use glam::{Mat4, Vec3};

/// Light around a character, for shaders. Directions in world space; radiances in linear RGB, by any measure that is the same for all.
#[derive(Clone, Debug)]
pub struct SurroundingLight {
    /// Irradiance without the key, divided by π, by the normal `n`: `(n, 1) · M (n, 1)` of each of red, green, blue.
    pub irradiance: [Mat4; 3],
    /// Blurred reflections without the key: [`LEVELS`] tiles of [`SIDE`] × [`SIDE`] texels one below the other, by roughness in equal steps from 0 to 1. Red,
    /// green, blue and one number that means nothing.
    pub mirrored: Vec<[f32; 4]>,
    /// The light that casts shadows.
    pub key: KeyLight,
}

impl SurroundingLight {
    /// Mean luminance of the light from all directions, with the key.
    pub fn mean_luminance(&self) -> f32 {
        let mean = self.irradiance.map(|m| (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0 + m.w_axis.w);
        luminance(Vec3::from_array(mean) + self.key.color / 4.0)
    }
}

/// A light from one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyLight {
    /// Direction towards the light, world space, unit length.
    pub towards: Vec3,
    /// Radiance that the light adds to a white surface facing it, linear RGB; black where there is no such light.
    pub color: Vec3,
}

/// Brightness of a colour, as the eye weighs red, green and blue.
pub(crate) fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}
