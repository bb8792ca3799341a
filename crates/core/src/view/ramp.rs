use std::sync::LazyLock;

use glam::{Mat3, Vec3};

/// Colour ramp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ramp {
    /// Sequential, dark to light, with a separate colour for 0.
    Magnitude,
    /// Diverging from "no change" at the centre of the range.
    Diverging,
}

impl Ramp {
    /// Number of colour steps, including both ends.
    pub const STEPS: usize = 256;

    /// Returns the sRGB colour at a fraction of the range. [`Self::Magnitude`] is neutral at 0 and below.
    pub fn color(self, share: f32) -> [u8; 3] {
        self.colors()[Self::step(share)]
    }

    /// Returns the colour of each step, sRGB.
    pub fn colors(self) -> &'static [[u8; 3]; Self::STEPS] {
        match self {
            Self::Magnitude => &MAGNITUDE,
            Self::Diverging => &DIVERGING,
        }
    }

    /// Returns the step for a fraction, rounded up so that the smallest value above 0 differs from 0.
    fn step(share: f32) -> usize {
        let last = (Self::STEPS - 1) as f32;
        (share.clamp(0.0, 1.0) * last - ROUNDING).ceil() as usize
    }
}

/// Values at most this many ramp steps above 0 count as 0.
const ROUNDING: f32 = 0.01;

/// Colour of 0 in [`Ramp::Magnitude`]: clay, slightly darker than the ramp's light end.
const NEUTRAL: [u8; 3] = [0x9A, 0x96, 0x90];

/// Colours of [`Ramp::Magnitude`], with evenly rising lightness.
static MAGNITUDE: LazyLock<[[u8; 3]; Ramp::STEPS]> = LazyLock::new(|| {
    let stops = [0x43_2B_8A, 0x7B_2A_8E, 0xB8_36_7B, 0xE6_5A_55, 0xF7_99_48, 0xFB_D5_6C, 0xFC_FB_C8];
    let mut colors = between(&stops);
    colors[0] = NEUTRAL;
    colors
});

/// Colours of [`Ramp::Diverging`], symmetric in lightness.
static DIVERGING: LazyLock<[[u8; 3]; Ramp::STEPS]> =
    LazyLock::new(|| between(&[0x1D_3F_A6, 0x4E_8B_E0, 0xCF_CC_C6, 0xE0_6C_4B, 0xA0_12_2E]));

/// Interpolates evenly spaced stops in `OKLab`.
fn between(stops: &[u32]) -> [[u8; 3]; Ramp::STEPS] {
    let stops: Vec<Vec3> = stops.iter().map(|&hex| oklab(hex)).collect();
    std::array::from_fn(|step| {
        let at = step as f32 / (Ramp::STEPS - 1) as f32 * (stops.len() - 1) as f32;
        let first = (at as usize).min(stops.len() - 2);
        srgb_from_oklab(stops[first].lerp(stops[first + 1], at - first as f32))
    })
}

/// *Source*: Ottosson, "A perceptual color space for image processing", 2020.
const LMS_FROM_RGB: Mat3 = Mat3::from_cols(
    Vec3::new(0.412_221_47, 0.211_903_5, 0.088_302_46),
    Vec3::new(0.536_332_54, 0.680_699_5, 0.281_718_84),
    Vec3::new(0.051_445_995, 0.107_396_96, 0.629_978_7),
);
const LAB_FROM_LMS: Mat3 = Mat3::from_cols(
    Vec3::new(0.210_454_26, 1.977_998_5, 0.025_904_037),
    Vec3::new(0.793_617_8, -2.428_592_2, 0.782_771_77),
    Vec3::new(-0.004_072_047, 0.450_593_7, -0.808_675_77),
);

fn oklab(hex: u32) -> Vec3 {
    let channel = |shift: u32| (hex >> shift & 255) as f32 / 255.0;
    let linear = |c: f32| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    let rgb = Vec3::new(channel(16), channel(8), channel(0)).map(linear);
    LAB_FROM_LMS * (LMS_FROM_RGB * rgb).map(f32::cbrt)
}

/// Inverses of [`LMS_FROM_RGB`] and [`LAB_FROM_LMS`].
static INVERSES: LazyLock<[Mat3; 2]> = LazyLock::new(|| [LMS_FROM_RGB, LAB_FROM_LMS].map(|matrix| matrix.inverse()));

/// Converts `OKLab` to sRGB, clipped.
pub fn srgb_from_oklab(lab: Vec3) -> [u8; 3] {
    let [rgb_from_lms, lms_from_lab] = &*INVERSES;
    let rgb = *rgb_from_lms * (*lms_from_lab * lab).map(|c| c * c * c);
    let encoded = |c: f32| if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    rgb.to_array().map(|c| (encoded(c).clamp(0.0, 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex([r, g, b]: [u8; 3]) -> u32 {
        u32::from_be_bytes([0, r, g, b])
    }

    #[test]
    fn the_space_is_that_of_its_author() {
        assert_eq!(srgb_from_oklab(Vec3::new(1.0, 0.0, 0.0)), [255; 3]);
        assert_eq!(srgb_from_oklab(Vec3::ZERO), [0; 3]);
        assert_eq!(srgb_from_oklab(Vec3::new(0.627_955, 0.224_863, 0.125_846)), [255, 0, 0], "red");
    }

    #[test]
    fn colours_survive_the_way_to_oklab_and_back() {
        for color in [[0, 0, 0], [255; 3], [0x2E, 0xC4, 0xB6], [255, 0, 0], [1, 2, 3]] {
            assert_eq!(srgb_from_oklab(oklab(hex(color))), color);
        }
        assert!((oklab(0xFF_FF_FF) - Vec3::X).length() < 1e-3, "white is 1, 0, 0");
    }

    #[test]
    fn magnitudes_grow_lighter_evenly_and_zero_is_neutral() {
        let lightness: Vec<f32> = Ramp::Magnitude.colors()[1..].iter().map(|c| oklab(hex(*c)).x).collect();
        let [first, last] = [lightness[0], lightness[lightness.len() - 1]];
        assert!(first < 0.42 && last > 0.95);
        // Compare over many steps, because bytes are rounded.
        let slopes = lightness.windows(33).map(|w| (w[32] - w[0]) / 32.0 * lightness.len() as f32 / (last - first));
        assert!(slopes.clone().all(|slope| (0.6..1.5).contains(&slope)), "{:?}", slopes.collect::<Vec<_>>());
        let zero = Ramp::Magnitude.color(0.0);
        assert_eq!((zero, Ramp::Magnitude.color(-3.0)), (NEUTRAL, NEUTRAL));
        assert_eq!(Ramp::Magnitude.color(1e-6), NEUTRAL, "rounding");
        assert!(oklab(hex(Ramp::Magnitude.color(1e-3))).distance(oklab(hex(zero))) > 0.3);
        assert_eq!(Ramp::Magnitude.color(7.0), Ramp::Magnitude.color(1.0));
    }

    #[test]
    fn no_change_is_light_and_grey_and_the_ends_are_as_dark_as_each_other() {
        let [low, middle, high] = [0.0, 0.5, 1.0].map(|t| oklab(hex(Ramp::Diverging.color(t))));
        let chroma = |lab: Vec3| lab.y.hypot(lab.z);
        assert!(middle.x > 0.8 && chroma(middle) < 0.02, "{middle}");
        assert!((low.x - high.x).abs() < 0.05 && low.x < 0.5, "{low} {high}");
        assert!(low.z < 0.0 && high.y > 0.0 && chroma(low) > 0.12 && chroma(high) > 0.12, "blue and red");
    }
}
