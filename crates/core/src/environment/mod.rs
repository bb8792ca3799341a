//! Environment lighting: diffuse irradiance, reflections by roughness, and a key light that casts shadows.

mod equirectangular;
mod error;
mod irradiance;
mod map;
mod octahedron;
mod radiance_file;
mod reflections;
mod sphere;

pub use error::EnvironmentError;
pub use irradiance::irradiance;
pub use map::EnvironmentMap;
pub use octahedron::{LEVELS, SIDE, tile_directions};
pub use sphere::{directions, facets};

use glam::{Mat4, Vec3};

/// Precomputed lighting for shaders. Directions are in world space. Radiances are in linear RGB and share an arbitrary
/// scale.
#[derive(Clone, Debug)]
pub struct EnvironmentLight {
    /// Matrices `M` for red, green, blue: `(n, 1) · M (n, 1)` is irradiance / π at normal `n`, without the key light.
    pub irradiance: [Mat4; 3],
    /// Blurred reflections without the key light: [`LEVELS`] tiles of [`SIDE`] × [`SIDE`] texels, one per roughness, in
    /// equal steps from 0 to 1. A texel is RGB plus an unused component.
    pub reflections: Vec<[f32; 4]>,
    /// Directional light that casts shadows.
    pub key: KeyLight,
}

impl EnvironmentLight {
    /// Returns the mean luminance over all directions, including the key light.
    pub fn mean_luminance(&self) -> f32 {
        let mean = self.irradiance.map(|m| (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0 + m.w_axis.w);
        luminance(Vec3::from_array(mean) + self.key.color / 4.0)
    }
}

/// A directional light.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyLight {
    /// Direction towards the light, world space, unit length.
    pub towards: Vec3,
    /// Radiance that the light adds to a white surface facing it, linear RGB; black if there is no key light.
    pub color: Vec3,
}

/// Computes the relative luminance of a linear RGB colour (Rec. 709).
pub fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}
