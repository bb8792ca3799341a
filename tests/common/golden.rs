//! Golden images in `tests/golden` and their tolerances.

use std::path::PathBuf;

use image::RgbaImage;

/// How far a picture may be from the kept one.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// Difference of one channel, of 255, that still counts as equal.
    pub per_channel: u8,
    /// Pixels that may differ by more.
    pub pixels: usize,
}

/// The one place of thresholds.
///
/// All kept pictures are Mesa's software device's. There, rounding differs between CPUs in a few edge pixels; other drivers place their
/// samples elsewhere, which moves every edge.
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

/// Describes the difference of a picture from the kept one; `None` where it is within the tolerance.
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

/// Compares with `tests/golden/NAME.png`; `UPDATE_GOLDEN=1` keeps the new picture instead.
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
