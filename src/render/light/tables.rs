//! Blurred reflections of round lights and the environment BRDF: small textures, made when something is first lit.

use glam::Vec3;
use rayon::prelude::*;
use three_d::context::{LINEAR, RGBA, RGBA8, TEXTURE_2D, TEXTURE_MAG_FILTER, TEXTURE_MIN_FILTER, UNSIGNED_BYTE};
use three_d::{Context, HasContext, Wrapping};

use super::environment::profiles;
use super::reflectance;
use super::sphere::facets;
use crate::render::gl::gpu_texture::{GpuTexture, Texels};

/// Columns by the sine of half the angle from a light's axis, rows by roughness, both from 0 to 1.
const SIZE: [usize; 2] = [64, 16];
/// Microfacets averaged for each texel.
const FACETS: usize = 128;

/// The tables of all environments, which share the shapes of lights.
pub(super) struct Tables {
    pub mirrored: GpuTexture,
    pub reflectance: GpuTexture,
}

impl Tables {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            mirrored: texture(context, SIZE, &mirrored()),
            reflectance: texture(context, [reflectance::SIDE; 2], &reflectance::table()),
        }
    }
}

/// Texture of interpolated bytes.
#[expect(unsafe_code, reason = "three-d sets filters only where it fills textures itself")]
fn texture(context: &Context, [width, height]: [usize; 2], texels: &[[u8; 4]]) -> GpuTexture {
    let format = Texels { stored: RGBA8, channels: RGBA, kind: UNSIGNED_BYTE, bytes: 4 };
    let size = [width as u32, height as u32];
    let texture = GpuTexture::new(context, size, 1, format, [Wrapping::ClampToEdge; 2], || {
        for name in [TEXTURE_MIN_FILTER, TEXTURE_MAG_FILTER] {
            // SAFETY: sets a parameter of the bound texture.
            unsafe { context.tex_parameter_i32(TEXTURE_2D, name, LINEAR.cast_signed()) };
        }
    });
    texture.write(0, 0, [width, height], texels.as_flattened());
    texture
}

/// The shapes of lights as a rough surface mirrors them, seen from the front; square roots as bytes.
///
/// *Source*: Karis, Real Shading in Unreal Engine 4, 2013, "pre-filtered environment map".
fn mirrored() -> Vec<[u8; 4]> {
    let at = |i: usize, count: usize| i as f32 / (count - 1) as f32;
    let row = |row: usize| {
        let roughness = at(row, SIZE[1]);
        let facets: Vec<Vec3> = facets((roughness * roughness).max(1e-3), FACETS).collect();
        (0..SIZE[0]).map(move |column| encoded(blurred(at(column, SIZE[0]), &facets)))
    };
    (0..SIZE[1]).into_par_iter().flat_map_iter(row).collect()
}

fn encoded(shapes: [f32; 4]) -> [u8; 4] {
    shapes.map(|s| (s.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8)
}

/// Blurred reflection of each light shape, by the sine of half the angle between the reflected direction and the light's axis.
fn blurred(half_sine: f32, facets: &[Vec3]) -> [f32; 4] {
    let cosine = 1.0 - 2.0 * half_sine * half_sine;
    let axis = [(1.0 - cosine * cosine).max(0.0).sqrt(), cosine];
    let (mut sums, mut whole) = ([0.0; 4], 0.0);
    for &half in facets {
        // Direction that a viewer in front sees reflected in this facet.
        let light = 2.0 * half.z * half;
        let weight = light.z - 1.0;
        if weight > 0.0 {
            let shapes = profiles(axis[0] * light.x + axis[1] * weight);
            sums.iter_mut().zip(shapes).for_each(|(sum, shape)| *sum += weight * shape);
            whole += weight;
        }
    }
    sums.map(|sum| sum / whole.max(1e-6))
}
