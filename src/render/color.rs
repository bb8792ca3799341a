//! Colours of the picture, as in the interface's palette.

/// Red, green, blue from 0 to 1.
pub(super) type Rgb = [f32; 3];

/// A colour 0xRRGGBB, sRGB encoded.
pub(super) const fn srgb(hex: u32) -> Rgb {
    [(hex >> 16 & 255) as f32 / 255.0, (hex >> 8 & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0]
}

/// Linear light of an sRGB-encoded colour.
pub(super) fn linear(encoded: Rgb) -> Rgb {
    encoded.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
}

/// The sRGB encoding of linear light.
pub(super) fn encoded(light: Rgb) -> Rgb {
    light.map(|c| if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 })
}

/// Colour of the active joint: its bone, its trail, and the marked vertices.
pub(super) const ACTIVE: Rgb = srgb(0xFF_D1_66);
/// Colour of selected joints other than the active one.
pub(super) const SELECTED: Rgb = srgb(0xC2_94_3A);
/// Colour of the edges of bones, dots and lines.
pub(super) const EDGE: Rgb = srgb(0x1B_1D_22);

/// Colour of side A everywhere.
pub(super) const SIDE_A: Rgb = srgb(0xF2_99_4A);
/// Colour of side B everywhere.
pub(super) const SIDE_B: Rgb = srgb(0x2E_C4_B6);
