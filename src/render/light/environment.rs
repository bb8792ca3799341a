//! Environments: a sky and round lights, each symmetric about its own axis. Blurring keeps that symmetry, so reflections of rough surfaces fit into one
//! small table without seams.

use glam::{Mat4, Quat, Vec3, Vec4};

use super::sphere::directions;
use crate::view::Environment;

/// Lights of an environment: two wide ones and two narrow ones.
pub(crate) const LIGHTS: usize = 4;

/// Surroundings of a character that looks along +Z, before they are turned.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    /// Radiances of straight down, straight up and around the horizon; linear RGB.
    pub ground: Vec3,
    pub sky: Vec3,
    pub horizon: Vec3,
    /// Round lights: the first two wide, the others narrow.
    pub lights: [RoundLight; LIGHTS],
    /// The light that casts shadows, from one direction.
    pub key: RoundLight,
}

/// A light around a direction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RoundLight {
    /// Direction towards the light, world space, unit length.
    pub towards: Vec3,
    /// Radiance of the light; of the key light what it adds to a white surface facing it. Linear RGB.
    pub color: Vec3,
}

impl RoundLight {
    fn new(towards: [f32; 3], color: [f32; 3], strength: f32) -> Self {
        Self { towards: Vec3::from(towards).normalize_or(Vec3::Y), color: Vec3::from(color) * strength }
    }
}

/// Shapes of lights by the cosine of the angle from their axis, each 0 to 1.
pub(crate) fn profiles(cosine: f32) -> [f32; 4] {
    [sky(cosine), wide(cosine), narrow(cosine), horizon(cosine)]
}

fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn sky(up: f32) -> f32 {
    smooth(-0.35, 0.95, up)
}

fn wide(cosine: f32) -> f32 {
    smooth(0.62, 0.92, cosine)
}

fn narrow(cosine: f32) -> f32 {
    smooth(0.945, 0.985, cosine)
}

fn horizon(up: f32) -> f32 {
    (-(up / 0.22).powi(2)).exp()
}

impl Surroundings {
    pub(crate) fn new(environment: Environment) -> Self {
        match environment {
            Environment::Studio => Self {
                ground: Vec3::new(0.10, 0.097, 0.095),
                sky: Vec3::new(0.26, 0.265, 0.28),
                horizon: Vec3::new(0.06, 0.06, 0.065),
                lights: [
                    RoundLight::new([-0.80, 0.30, -0.62], [0.90, 0.95, 1.0], 1.9),
                    RoundLight::new([0.82, 0.34, -0.56], [0.90, 0.95, 1.0], 2.2),
                    RoundLight::new([-0.58, 0.55, 0.72], [1.0, 0.98, 0.95], 3.0),
                    RoundLight::new([0.90, 0.15, 0.42], [0.85, 0.92, 1.0], 1.5),
                ],
                key: RoundLight::new([-0.50, 0.72, 0.62], [1.0, 0.975, 0.94], 0.55),
            },
            Environment::Neutral => Self {
                ground: Vec3::splat(0.42),
                sky: Vec3::splat(0.33),
                horizon: Vec3::ZERO,
                lights: [
                    RoundLight::new([-0.35, 0.70, 0.62], [1.0; 3], 0.45),
                    RoundLight::default(),
                    RoundLight::default(),
                    RoundLight::default(),
                ],
                key: RoundLight::new([-0.30, 0.78, 0.55], [1.0; 3], 0.22),
            },
            Environment::Outdoor => Self {
                ground: Vec3::new(0.16, 0.145, 0.12),
                sky: Vec3::new(0.10, 0.20, 0.42),
                horizon: Vec3::new(0.22, 0.25, 0.28),
                lights: [
                    RoundLight::new([-0.60, 0.62, 0.50], [1.0, 0.90, 0.72], 0.35),
                    RoundLight::default(),
                    RoundLight::new([-0.60, 0.62, 0.50], [1.0, 0.90, 0.72], 2.5),
                    RoundLight::default(),
                ],
                key: RoundLight::new([-0.60, 0.62, 0.50], [1.0, 0.93, 0.80], 0.95),
            },
        }
    }

    /// The surroundings turned about the vertical (radians) and brighter by a factor.
    #[must_use]
    pub(crate) fn turned(mut self, angle: f32, factor: f32) -> Self {
        let turn = Quat::from_rotation_y(angle);
        for light in self.lights.iter_mut().chain([&mut self.key]) {
            *light = RoundLight { towards: turn * light.towards, color: light.color * factor };
        }
        [self.ground, self.sky, self.horizon] = [self.ground, self.sky, self.horizon].map(|color| color * factor);
        self
    }

    /// Light from a direction, without the key: linear RGB.
    pub(crate) fn radiance(&self, towards: Vec3) -> Vec3 {
        let [sky, .., horizon] = profiles(towards.y);
        let lights = self.lights.iter().enumerate().map(|(i, light)| {
            let cosine = light.towards.dot(towards);
            light.color * if i < 2 { wide(cosine) } else { narrow(cosine) }
        });
        self.ground + self.sky * sky + self.horizon * horizon + lights.sum::<Vec3>()
    }

    /// Irradiance of the surroundings, without the key, by the normal `n` of a white matt surface: `(n, 1) · M (n, 1)` of each of red, green, blue.
    ///
    /// *Source*: Ramamoorthi and Hanrahan, An Efficient Representation for Irradiance Environment Maps, 2001, equation 12; divided by π.
    pub(crate) fn irradiance(&self) -> [Mat4; 3] {
        const COUNT: usize = 2048;
        let mut coefficients = [Vec3::ZERO; 9];
        for d in directions(COUNT) {
            let radiance = self.radiance(d) * (4.0 * std::f32::consts::PI / COUNT as f32);
            let basis = [
                0.282_095,
                0.488_603 * d.y,
                0.488_603 * d.z,
                0.488_603 * d.x,
                1.092_548 * d.x * d.y,
                1.092_548 * d.y * d.z,
                0.315_392 * (3.0 * d.z * d.z - 1.0),
                1.092_548 * d.x * d.z,
                0.546_274 * (d.x * d.x - d.y * d.y),
            ];
            coefficients.iter_mut().zip(basis).for_each(|(sum, b)| *sum += radiance * b);
        }
        [0, 1, 2].map(|channel| {
            let l = coefficients.map(|c| c[channel] * std::f32::consts::FRAC_1_PI);
            let [c1, c2, c3, c4, c5] = [0.429_043, 0.511_664, 0.743_125, 0.886_227, 0.247_708];
            Mat4::from_cols(
                Vec4::new(c1 * l[8], c1 * l[4], c1 * l[7], c2 * l[3]),
                Vec4::new(c1 * l[4], -c1 * l[8], c1 * l[5], c2 * l[1]),
                Vec4::new(c1 * l[7], c1 * l[5], c3 * l[6], c2 * l[2]),
                Vec4::new(c2 * l[3], c2 * l[1], c2 * l[2], c4 * l[0] - c5 * l[6]),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matt_surface_shows_the_mean_of_what_it_faces_by_the_cosine() {
        for environment in Environment::ALL {
            let around = Surroundings::new(environment).turned(0.7, 1.5);
            let matrices = around.irradiance();
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
