use glam::Vec3;
use rayon::prelude::*;

use rigscope_core::environment::{directions, facets};

pub(super) const SIDE: usize = 32;

/// Lookup table of the environment BRDF. Columns are the view cosine and rows the roughness, both 0 to 1. Each texel
/// contains a scale and a bias for the reflectance at normal incidence, and the sheen. The bytes encode square roots of
/// these values. *Source*: Karis, Real Shading in Unreal Engine 4, 2013, "environment BRDF", with the height-correlated
/// visibility of glTF 2.0, B.3.
pub(super) fn table() -> Vec<[u8; 4]> {
    let at = |i: usize| i as f32 / (SIDE - 1) as f32;
    let row = |row: usize| {
        let surface = FacetSamples::new(at(row));
        (0..SIDE).map(move |column| encoded(surface.reflected(at(column))))
    };
    (0..SIDE).into_par_iter().flat_map_iter(row).collect()
}

fn encoded(values: [f32; 3]) -> [u8; 4] {
    let [x, y, z] = values.map(|v| (v.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8);
    [x, y, z, 255]
}

struct FacetSamples {
    alpha: f32,
    facets: Vec<Vec3>,
}

impl FacetSamples {
    fn new(roughness: f32) -> Self {
        let alpha = (roughness * roughness).max(1e-3);
        Self { alpha, facets: facets(alpha, 128).collect() }
    }

    fn reflected(&self, facing: f32) -> [f32; 3] {
        let (facing, alpha) = (facing.max(1e-3), self.alpha);
        let view = Vec3::new((1.0 - facing * facing).sqrt(), 0.0, facing);
        let (mut front, mut grazing) = (0.0, 0.0);
        for &half in &self.facets {
            let cosine = view.dot(half);
            let light = (2.0 * cosine * half - view).z;
            if light > 0.0 && cosine > 0.0 {
                let seen = 4.0 * visibility(facing, light, alpha) * light * cosine / half.z;
                let fresnel = (1.0 - cosine).powi(5);
                front += (1.0 - fresnel) * seen;
                grazing += fresnel * seen;
            }
        }
        let count = self.facets.len() as f32;
        [front / count, grazing / count, scattered(view, alpha)]
    }
}

/// Returns the height-correlated Smith visibility, G / (4 · view · light).
fn visibility(view: f32, light: f32, alpha: f32) -> f32 {
    let squared = alpha * alpha;
    let lambda = |a: f32, b: f32| a * (b * b * (1.0 - squared) + squared).sqrt();
    0.5 / (lambda(light, view) + lambda(view, light)).max(1e-6)
}

/// Returns the sheen of white fibres: distribution by Estevez and Kulla 2017, visibility by Neubelt and Pettineo 2013.
fn scattered(view: Vec3, alpha: f32) -> f32 {
    const COUNT: usize = 96;
    let above = directions(COUNT).filter(|d| d.z > 0.0);
    let sum: f32 = above
        .map(|light| {
            let half = (view + light).normalize_or(Vec3::Z);
            let sine = (1.0 - half.z * half.z).max(0.0).sqrt();
            let distribution = (2.0 + 1.0 / alpha) * sine.powf(1.0 / alpha) / std::f32::consts::TAU;
            distribution * light.z / (4.0 * (light.z + view.z - light.z * view.z)).max(1e-4)
        })
        .sum();
    sum * 4.0 * std::f32::consts::PI / COUNT as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_surface_mirrors_all_and_a_rough_one_less() {
        let whole = |facing, roughness| {
            let [front, grazing, _] = FacetSamples::new(roughness).reflected(facing);
            front + grazing
        };
        assert!((whole(0.9, 0.0) - 1.0).abs() < 1e-2 && (whole(0.5, 0.1) - 1.0).abs() < 2e-2);
        assert!(whole(0.7, 1.0) < whole(0.7, 0.5) && whole(0.7, 1.0) > 0.3);
        let [front, ..] = FacetSamples::new(0.2).reflected(1.0);
        assert!(front > 0.97, "nothing grazes from the front: {front}");
    }
}
