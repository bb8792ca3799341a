use glam::Vec4;

/// Converts a linear channel to sRGB and clamps it to 0 to 1. *Source*: IEC 61966-2-1.
pub(super) fn srgb(linear: f32) -> f32 {
    let x = linear.clamp(0.0, 1.0);
    if x <= 0.003_130_8 {
        x * 12.92
    } else {
        // Avoids rounding white down to grey.
        (1.055 * x.powf(1.0 / 2.4) - 0.055 + f32::EPSILON).min(1.0)
    }
}

pub(super) fn srgb_bytes(linear: Vec4) -> [u8; 4] {
    let [r, g, b, a] = linear.to_array();
    [srgb(r), srgb(g), srgb(b), a.clamp(0.0, 1.0)].map(|x| (x * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_stays_white() {
        assert_eq!((srgb(0.0), srgb(1.0)), (0.0, 1.0));
    }

    #[test]
    fn ends_stay_and_the_middle_is_brighter() {
        assert_eq!(srgb_bytes(Vec4::new(0.0, 0.5, 1.0, 0.5)), [0, 188, 255, 128]);
        assert_eq!(srgb_bytes(Vec4::new(-1.0, 2.0, 0.003, f32::NAN)), [0, 255, 10, 0]);
    }
}
