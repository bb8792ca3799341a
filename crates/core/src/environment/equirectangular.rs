//! Equirectangular radiance map with mipmaps, downscaled to the resolution that lighting needs.

use std::f32::consts::{PI, TAU};
use std::io::BufRead;

use glam::Vec3;

use super::radiance_file::RadianceFile;
use super::{EnvironmentError, KeyLight, luminance};
use crate::jobs::Progress;

/// Maximum number of rows; larger images are downscaled. With 256 rows, a pixel is 0.7° wide, about the size of the
/// sun.
const MAX_ROWS: usize = 256;
/// Luminance above this, relative to the mean over all directions, is moved to the key light.
const BRIGHT: f32 = 10.0;
/// Bright light counts as a single source if the mean of its unit directions, weighted by luminance, is longer than
/// this. A uniform disc with an angular radius of 26° just reaches this length.
const ONE_DIRECTION: f32 = 0.95;

/// Radiance in linear RGB. Each mipmap level is half as wide and high as the previous one. The top row is up (+Y), the
/// image centre is −Z, and the centre of the right half is +X.
pub(super) struct EquirectangularMap {
    levels: Vec<Level>,
}

struct Level {
    width: usize,
    height: usize,
    pixels: Vec<Vec3>,
}

impl EquirectangularMap {
    pub(super) fn read(from: impl BufRead, progress: &Progress) -> Result<Self, EnvironmentError> {
        let mut file = RadianceFile::new(from)?;
        let [width, height] = file.size();
        progress.enter("Reading the environment map", 0, height);
        let rows = height.min(MAX_ROWS);
        let mut first = Level::black(2 * rows, rows);
        let mut counts = vec![0_u32; first.pixels.len()];
        for y in 0..height {
            progress.check_cancelled().ok_or(EnvironmentError::Cancelled)?;
            let start = y * first.height / height * first.width;
            for (x, radiance) in file.next_row()?.enumerate() {
                let at = start + x * first.width / width;
                first.pixels[at] += radiance;
                counts[at] += 1;
            }
            progress.add(1);
        }
        first.pixels.iter_mut().zip(counts).for_each(|(sum, count)| *sum /= count as f32);
        let mean = first.mean();
        if mean < f32::MIN_POSITIVE {
            return Err(EnvironmentError::Black);
        }
        first.pixels.iter_mut().for_each(|pixel| *pixel /= mean);
        Ok(Self { levels: vec![first] })
    }

    /// Moves the brightest light, such as the sun, to a key light if it comes from a single direction (see [`BRIGHT`]).
    /// Then builds the smaller levels.
    pub(super) fn take_key(&mut self) -> KeyLight {
        let first = &mut self.levels[0];
        let max_luminance = BRIGHT * first.mean();
        let excess = |pixel: Vec3| pixel * (1.0 - max_luminance / luminance(pixel).max(max_luminance));
        let (mut color, mut towards) = (Vec3::ZERO, Vec3::ZERO);
        for (pixel, direction, fraction) in first.directions() {
            color += excess(pixel) * fraction;
            towards += direction * luminance(excess(pixel)) * fraction;
        }
        let is_one = towards.length() > ONE_DIRECTION * luminance(color) && color != Vec3::ZERO;
        if is_one {
            first.pixels.iter_mut().for_each(|pixel| *pixel -= excess(*pixel));
        }
        while let Some(smaller) = self.levels.last().and_then(Level::halved) {
            self.levels.push(smaller);
        }
        // The factor 4 converts a mean over the sphere (4 π sr) to irradiance / π.
        if is_one {
            KeyLight { towards: towards.normalize_or(Vec3::Y), color: 4.0 * color }
        } else {
            KeyLight::default()
        }
    }

    /// Returns the solid angle, in steradians, of a pixel at the horizon of the largest level.
    pub(super) fn solid_angle(&self) -> f32 {
        let rows = self.levels[0].height as f32;
        (PI / rows).powi(2)
    }

    /// Returns the radiance from a direction, bilinearly interpolated in the nearest mipmap level.
    pub(super) fn radiance(&self, towards: Vec3, level: f32) -> Vec3 {
        let level = &self.levels[(level.round().max(0.0) as usize).min(self.levels.len() - 1)];
        let u = 0.5 + towards.x.atan2(-towards.z) / TAU;
        let v = towards.y.clamp(-1.0, 1.0).acos() / PI;
        level.at(u, v)
    }
}

impl Level {
    fn black(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![Vec3::ZERO; width * height] }
    }

    fn directions(&self) -> impl Iterator<Item = (Vec3, Vec3, f32)> + '_ {
        let edge = |row: usize| (PI * row as f32 / self.height as f32).cos();
        self.pixels.iter().enumerate().map(move |(at, pixel)| {
            let (row, column) = (at / self.width, at % self.width);
            let (sine, cosine) = (PI * (row as f32 + 0.5) / self.height as f32).sin_cos();
            let turn = TAU * ((column as f32 + 0.5) / self.width as f32 - 0.5);
            let direction = Vec3::new(sine * turn.sin(), cosine, -sine * turn.cos());
            (*pixel, direction, 0.5 * (edge(row) - edge(row + 1)) / self.width as f32)
        })
    }

    fn mean(&self) -> f32 {
        self.directions().map(|(pixel, _, fraction)| luminance(pixel) * fraction).sum()
    }

    fn halved(&self) -> Option<Self> {
        if self.height < 2 {
            return None;
        }
        let mut half = Self::black(self.width / 2, self.height / 2);
        for (at, pixel) in half.pixels.iter_mut().enumerate() {
            let (row, column) = (2 * (at / half.width), 2 * (at % half.width));
            let [top, bottom] = [row, row + 1].map(|row| row * self.width + column);
            *pixel = [top, top + 1, bottom, bottom + 1].map(|from| self.pixels[from]).into_iter().sum::<Vec3>() / 4.0;
        }
        Some(half)
    }

    /// Returns the bilinearly interpolated radiance at image coordinates from 0 to 1. Wraps horizontally.
    fn at(&self, u: f32, v: f32) -> Vec3 {
        let [x, y] = [u * self.width as f32 - 0.5, (v * self.height as f32 - 0.5).clamp(0.0, self.height as f32 - 1.0)];
        let [left, top] = [x.floor(), y.floor()];
        let row = |row: usize| {
            let pixel = |x: f32| {
                let column = x.rem_euclid(self.width as f32) as usize;
                self.pixels[row * self.width + column.min(self.width - 1)]
            };
            pixel(left).lerp(pixel(left + 1.0), x - left)
        };
        let top_row = top as usize;
        row(top_row).lerp(row((top_row + 1).min(self.height - 1)), y - top)
    }
}
