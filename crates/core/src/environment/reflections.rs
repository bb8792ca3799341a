use glam::{Mat3, Vec3};

use super::equirectangular::EquirectangularMap;
use super::{LEVELS, SIDE, facets, tile_directions};
use crate::jobs::{Progress, try_map};

const FACETS: usize = 64;

/// Computes the tiles of [`super::EnvironmentLight::reflections`], with one progress step per tile. `None` if
/// cancelled. *Source*: Karis, Real Shading in Unreal Engine 4, 2013, "pre-filtered environment map"; Křivánek and
/// Colbert, Real-time Shading with Filtered Importance Sampling, 2008.
pub(super) fn reflections(map: &EquirectangularMap, progress: &Progress) -> Option<Vec<[f32; 4]>> {
    progress.enter("Blurring the environment map", 0, LEVELS);
    let directions = tile_directions();
    let mut texels = Vec::with_capacity(LEVELS * SIDE * SIDE);
    for level in 0..LEVELS {
        let rays = rays(level as f32 / (LEVELS - 1) as f32, map.solid_angle());
        let texel = |towards: &Vec3| {
            let frame = frame(*towards);
            let light: Vec3 = rays.iter().map(|ray| map.radiance(frame * ray.towards, ray.level) * ray.weight).sum();
            Some(light.extend(0.0).to_array())
        };
        texels.extend(try_map(&directions, progress, texel)?);
        progress.add(1);
    }
    Some(texels)
}

/// Sampled direction of reflected light, for a viewer who looks along −Z.
struct ReflectedRay {
    towards: Vec3,
    weight: f32,
    /// Mipmap level whose pixels match the ray's solid angle.
    level: f32,
}

fn rays(roughness: f32, pixel: f32) -> Vec<ReflectedRay> {
    let alpha = (roughness * roughness).max(1e-3);
    let mut rays: Vec<ReflectedRay> = facets(alpha, FACETS)
        .filter_map(|half| {
            let towards = 2.0 * half.z * half - Vec3::Z;
            let density =
                (alpha / (1.0 + (alpha * alpha - 1.0) * half.z * half.z)).powi(2) / (4.0 * std::f32::consts::PI);
            let level = 0.5 * (1.0 / (FACETS as f32 * density * pixel)).log2();
            (towards.z > 0.0).then_some(ReflectedRay { towards, weight: towards.z, level: level + 1.0 })
        })
        .collect();
    let whole: f32 = rays.iter().map(|ray| ray.weight).sum();
    for ray in &mut rays {
        ray.weight /= whole;
    }
    rays
}

fn frame(towards: Vec3) -> Mat3 {
    let (across, up) = towards.any_orthonormal_pair();
    Mat3::from_cols(across, up, towards)
}
