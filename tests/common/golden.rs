//! Golden images in `tests/golden` and their tolerances.

use std::path::PathBuf;

use image::RgbaImage;

/// Tolerance for differences between an image and its golden image.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// Maximum difference of a channel (0 to 255) that counts as equal.
    pub per_channel: u8,
    /// Maximum number of pixels with larger differences.
    pub pixels: usize,
}

/// Returns the tolerance for a renderer; all tests use it.
///
/// Golden images come from Mesa's software renderer. With it, rounding differs between CPUs in a few edge pixels. Other drivers have other sample positions,
/// which changes every edge.
pub fn tolerance(renderer: &str) -> Tolerance {
    if is_software(renderer) {
        Tolerance { per_channel: 3, pixels: 40 }
    } else {
        Tolerance { per_channel: 12, pixels: 1600 }
    }
}

fn is_software(renderer: &str) -> bool {
    ["llvmpipe", "softpipe", "swrast"].iter().any(|name| renderer.contains(name))
}

/// Describes the difference from the golden image; `None` if it is within the tolerance.
pub fn difference(kept: &RgbaImage, new: &RgbaImage, tolerance: Tolerance) -> Option<String> {
    if kept.dimensions() != new.dimensions() {
        return Some(format!("{:?} became {:?}", kept.dimensions(), new.dimensions()));
    }
    let distance =
        |a: &image::Rgba<u8>, b: &image::Rgba<u8>| a.0.iter().zip(b.0).map(|(&x, y)| x.abs_diff(y)).max().unwrap_or(0);
    let off = kept.pixels().zip(new.pixels()).filter(|(a, b)| distance(a, b) > tolerance.per_channel).count();
    (off > tolerance.pixels).then(|| format!("{off} pixels differ by more than {}", tolerance.per_channel))
}

pub fn path(name: &str) -> PathBuf {
    PathBuf::from(rigscope_tests::ROOT).join("tests/golden").join(format!("{name}.png"))
}

/// Compares with `tests/golden/NAME.png`. `UPDATE_GOLDEN=1` replaces the golden image instead.
pub fn assert_golden(name: &str, new: &RgbaImage, renderer: &str) {
    let path = path(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        new.save(&path).unwrap();
        return;
    }
    let kept = image::open(&path).unwrap_or_else(|e| panic!("{}: {e}; UPDATE_GOLDEN=1 makes it", path.display()));
    if let Some(wrong) = difference(&kept.to_rgba8(), new, tolerance(renderer)) {
        let shown = std::env::temp_dir().join(format!("{name}.new.png"));
        new.save(&shown).unwrap();
        panic!("{name}: {wrong}; the new picture is {}", shown.display());
    }
}
