//! Built-in environments: a sky and round lights, each symmetric about its own axis. Blurring keeps the symmetry,
//! so each rough reflection is a function of one angle.

use std::sync::OnceLock;

use glam::Vec3;
use rayon::prelude::*;

use super::shapes::{BlurredLights, profiles};
use rigscope_core::environment::{EnvironmentLight, KeyLight, LEVELS, irradiance, tile_directions};
use rigscope_core::view::Environment;

pub(crate) const LIGHTS: usize = 4;

/// Environment oriented for a character that faces +Z.
#[derive(Clone, Debug)]
pub(crate) struct BuiltInEnvironment {
    /// Linear RGB radiance in every direction.
    pub ground: Vec3,
    /// Linear RGB radiance that is added towards the zenith.
    pub sky: Vec3,
    /// Linear RGB radiance that is added around the horizon.
    pub horizon: Vec3,
    /// Round lights, which cast no shadows. Each has the direction of its axis and the colour at its centre. The first
    /// two are wide, the others narrow.
    pub lights: [KeyLight; LIGHTS],
    /// Directional light that casts shadows.
    pub key: KeyLight,
}

fn light(towards: [f32; 3], color: [f32; 3], strength: f32) -> KeyLight {
    KeyLight { towards: Vec3::from(towards).normalize_or(Vec3::Y), color: Vec3::from(color) * strength }
}

impl BuiltInEnvironment {
    pub(crate) fn new(environment: Environment) -> Self {
        match environment {
            Environment::Studio => Self {
                ground: Vec3::new(0.10, 0.097, 0.095),
                sky: Vec3::new(0.26, 0.265, 0.28),
                horizon: Vec3::new(0.06, 0.06, 0.065),
                lights: [
                    light([-0.80, 0.30, -0.62], [0.90, 0.95, 1.0], 1.9),
                    light([0.82, 0.34, -0.56], [0.90, 0.95, 1.0], 2.2),
                    light([-0.58, 0.55, 0.72], [1.0, 0.98, 0.95], 3.0),
                    light([0.90, 0.15, 0.42], [0.85, 0.92, 1.0], 1.5),
                ],
                key: light([-0.50, 0.72, 0.62], [1.0, 0.975, 0.94], 0.55),
            },
            Environment::Neutral => Self {
                ground: Vec3::splat(0.42),
                sky: Vec3::splat(0.33),
                horizon: Vec3::ZERO,
                lights: [
                    light([-0.35, 0.70, 0.62], [1.0; 3], 0.45),
                    KeyLight::default(),
                    KeyLight::default(),
                    KeyLight::default(),
                ],
                key: light([-0.30, 0.78, 0.55], [1.0; 3], 0.22),
            },
            Environment::Outdoor => Self {
                ground: Vec3::new(0.16, 0.145, 0.12),
                sky: Vec3::new(0.10, 0.20, 0.42),
                horizon: Vec3::new(0.22, 0.25, 0.28),
                lights: [
                    light([-0.60, 0.62, 0.50], [1.0, 0.90, 0.72], 0.35),
                    KeyLight::default(),
                    light([-0.60, 0.62, 0.50], [1.0, 0.90, 0.72], 2.5),
                    KeyLight::default(),
                ],
                key: light([-0.60, 0.62, 0.50], [1.0, 0.93, 0.80], 0.95),
            },
        }
    }

    /// Returns the linear RGB radiance from a direction, without the key light.
    pub(crate) fn radiance(&self, towards: Vec3) -> Vec3 {
        self.seen(towards, profiles)
    }

    fn seen(&self, towards: Vec3, shapes: impl Fn(f32) -> [f32; 4]) -> Vec3 {
        let [sky, .., horizon] = shapes(towards.y);
        let lights = self.lights.iter().enumerate().map(|(i, light)| {
            let [_, wide, narrow, _] = shapes(light.towards.dot(towards));
            light.color * if i < 2 { wide } else { narrow }
        });
        self.ground + self.sky * sky + self.horizon * horizon + lights.sum::<Vec3>()
    }

    fn light(&self) -> EnvironmentLight {
        let directions = tile_directions();
        let tile = |level: usize| -> Vec<[f32; 4]> {
            let shapes = BlurredLights::new(level as f32 / (LEVELS - 1) as f32);
            let reflections = |towards: &Vec3| self.seen(*towards, |cosine| shapes.at(cosine)).extend(0.0).to_array();
            directions.iter().map(reflections).collect()
        };
        let tiles: Vec<Vec<[f32; 4]>> = (0..LEVELS).into_par_iter().map(tile).collect();
        let irradiance = irradiance(|towards| self.radiance(towards));
        EnvironmentLight { irradiance, reflections: tiles.concat(), key: self.key }
    }
}

pub(crate) fn built_in(environment: Environment) -> &'static EnvironmentLight {
    static KNOWN: [OnceLock<EnvironmentLight>; Environment::ALL.len()] =
        [const { OnceLock::new() }; Environment::ALL.len()];
    KNOWN[environment as usize].get_or_init(|| BuiltInEnvironment::new(environment).light())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::environment::directions;

    #[test]
    fn a_matt_surface_shows_the_mean_of_what_it_faces_by_the_cosine() {
        for environment in Environment::ALL {
            let around = BuiltInEnvironment::new(environment);
            let matrices = around.light().irradiance;
            for n in directions(40) {
                let facing: Vec<(f32, Vec3)> =
                    directions(20_000).map(|d| (d.dot(n).max(0.0), around.radiance(d))).collect();
                let whole: f32 = facing.iter().map(|(cosine, _)| cosine).sum();
                let mean = facing.iter().map(|&(cosine, light)| light * cosine).sum::<Vec3>() / whole;
                let normal = n.extend(1.0);
                let found = Vec3::from_array(matrices.map(|m| normal.dot(m * normal)));
                assert!(((found - mean) / mean).abs().max_element() < 0.05, "{environment:?} {n}: {found} for {mean}");
            }
        }
    }
}
