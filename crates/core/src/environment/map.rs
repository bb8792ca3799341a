use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::equirectangular::EquirectangularMap;
use super::reflections::reflections;
use super::{EnvironmentError, EnvironmentLight, irradiance};
use crate::files;
use crate::jobs::Progress;

/// Mipmap level used to compute irradiance. A small level suffices, because irradiance varies slowly.
const IRRADIANCE_LEVEL: f32 = 2.0;

/// Lighting from an environment map, including the key light, scaled to a mean luminance of 1 over all directions. Two
/// maps are equal only if they are the same object.
#[derive(Debug)]
pub struct EnvironmentMap {
    path: PathBuf,
    /// Lighting, with the image centre in direction −Z.
    pub light: EnvironmentLight,
}

impl PartialEq for EnvironmentMap {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl EnvironmentMap {
    /// Reads an equirectangular Radiance file (.hdr), twice as wide as high. Memory use is low even for large files.
    ///
    /// *Errors*: [`EnvironmentError`].
    pub fn read(path: &Path, progress: &Progress) -> Result<Self, EnvironmentError> {
        let light = Self::read_light(BufReader::with_capacity(1 << 16, files::open(path)?), progress)?;
        Ok(Self { path: path.to_owned(), light })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a grey map, for tests.
    ///
    /// # Panics
    /// Never, because the data is valid.
    #[cfg(any(test, feature = "testing"))]
    pub fn grey() -> Self {
        let file = b"#?RADIANCE\n\n-Y 1 +X 2\n\x40\x40\x40\x80\x40\x40\x40\x80";
        let light = Self::read_light(&file[..], &Progress::default()).expect("a whole file");
        Self { path: PathBuf::from("grey.hdr"), light }
    }

    fn read_light(from: impl BufRead, progress: &Progress) -> Result<EnvironmentLight, EnvironmentError> {
        let mut map = EquirectangularMap::read(from, progress)?;
        let key = map.take_key();
        let irradiance = irradiance(|towards| map.radiance(towards, IRRADIANCE_LEVEL));
        let reflections = reflections(&map, progress).ok_or(EnvironmentError::Cancelled)?;
        Ok(EnvironmentLight { irradiance, reflections, key })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::{LEVELS, SIDE, luminance, tile_directions};
    use super::*;

    fn light(pixel: impl Fn(usize, usize) -> [u8; 4]) -> Result<EnvironmentLight, EnvironmentError> {
        let mut file = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 32 +X 64\n".to_vec();
        for y in 0..32 {
            (0..64).for_each(|x| file.extend(pixel(x, y)));
        }
        EnvironmentMap::read_light(&file[..], &Progress::default())
    }

    fn shown(light: &EnvironmentLight, normal: Vec3) -> Vec3 {
        let n = normal.extend(1.0);
        Vec3::from_array(light.irradiance.map(|m| n.dot(m * n)))
    }

    fn tiles(light: &EnvironmentLight) -> Vec<Vec<(Vec3, Vec3)>> {
        assert_eq!(light.reflections.len(), LEVELS * SIDE * SIDE);
        let texel = |(towards, texel): (&Vec3, &[f32; 4])| (*towards, Vec3::from_slice(texel));
        let directions = tile_directions();
        light.reflections.chunks(SIDE * SIDE).map(|tile| directions.iter().zip(tile).map(texel).collect()).collect()
    }

    #[test]
    fn a_map_of_one_colour_is_that_colour_everywhere_and_as_bright_as_any() {
        for exponent in [90, 128, 160] {
            let light = light(|_, _| [64, 128, 32, exponent]).unwrap();
            let color = Vec3::new(0.5, 1.0, 0.25) / luminance(Vec3::new(0.5, 1.0, 0.25));
            for normal in super::super::directions(40) {
                assert!(shown(&light, normal).abs_diff_eq(color, 0.01), "{}", shown(&light, normal));
            }
            for (_, reflections) in tiles(&light).concat() {
                assert!(reflections.abs_diff_eq(color, 1e-3), "{reflections}");
            }
            assert_eq!(light.key.color, Vec3::ZERO);
        }
    }

    #[test]
    fn a_bright_place_lights_its_side_and_is_reflected_from_there_the_less_sharply_the_rougher() {
        let wide = |x: usize, y: usize| (40..56).contains(&x) && (8..24).contains(&y);
        let light = light(|x, y| if wide(x, y) { [200, 200, 200, 132] } else { [20, 20, 20, 128] }).unwrap();
        assert_eq!(light.key.color, Vec3::ZERO);
        let [bright, dim] = [Vec3::X, Vec3::NEG_X].map(|normal| luminance(shown(&light, normal)));
        assert!(bright > 5.0 * dim, "{bright} and {dim}");
        let mut last = f32::INFINITY;
        for tile in tiles(&light) {
            let (towards, reflections) = tile.into_iter().max_by(|a, b| a.1.x.total_cmp(&b.1.x)).unwrap();
            assert!(towards.x > 0.7, "{towards}");
            assert!(reflections.x <= last + 1e-3, "{reflections} after {last}");
            last = reflections.x;
        }
    }

    #[test]
    fn the_sun_casts_shadows_and_is_taken_out_of_the_rest() {
        let sun = |x: usize, y: usize| x == 0 && y == 7;
        let light = light(|x, y| if sun(x, y) { [200, 180, 100, 150] } else { [20, 20, 30, 128] }).unwrap();
        assert!(light.key.towards.dot(Vec3::new(0.0, 0.72, 0.69)) > 0.98, "{}", light.key.towards);
        assert!(light.key.color.x > light.key.color.z, "{}", light.key.color);
        let rest =
            tiles(&light).concat().into_iter().map(|(_, reflections)| luminance(reflections)).fold(0.0, f32::max);
        assert!(rest < 15.0, "{rest}");
        let whole = luminance(light.key.color) / 4.0;
        assert!((0.5..1.0).contains(&whole), "{whole} of the light");
    }

    #[test]
    fn black_is_no_light_and_a_cancelled_map_is_none() {
        assert!(matches!(light(|_, _| [0; 4]), Err(EnvironmentError::Black)));
        assert!(matches!(light(|_, _| [255, 255, 255, 0]), Err(EnvironmentError::Black)));
        let file = b"#?RADIANCE\n\n-Y 1 +X 2\n\x40\x40\x40\x80\x40\x40\x40\x80";
        let stopped = EnvironmentMap::read_light(&file[..], &Progress::cancelled());
        assert!(matches!(stopped, Err(EnvironmentError::Cancelled)));
    }

    #[test]
    fn a_file_that_is_not_there_is_named_by_the_system() {
        let problem = EnvironmentMap::read(Path::new("/nowhere/a.hdr"), &Progress::default()).unwrap_err();
        assert!(matches!(problem, EnvironmentError::Read(_)), "{problem}");
    }
}
