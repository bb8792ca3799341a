//! Viewport colours, matching the interface's palette.

pub(super) type Rgb = [f32; 3];

/// Converts 0xRRGGBB to encoded sRGB channels, 0 to 1.
pub(super) const fn srgb(hex: u32) -> Rgb {
    [(hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0]
}

pub(super) fn linear(encoded: Rgb) -> Rgb {
    encoded.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
}

pub(super) fn encoded(light: Rgb) -> Rgb {
    light.map(|c| if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 })
}

/// Colour of the active joint's bone and trail, and of marked vertices.
pub(super) const ACTIVE: Rgb = srgb(0xFF_D1_66);
pub(super) const SELECTED: Rgb = srgb(0xC2_94_3A);
pub(super) const EDGE: Rgb = srgb(0x1B_1D_22);

pub(super) const SIDE_A: Rgb = srgb(0xF2_99_4A);
pub(super) const SIDE_B: Rgb = srgb(0x2E_C4_B6);
