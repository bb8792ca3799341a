//! The figure's colours: flat paints, warmer regions in the face, and ambient occlusion. No colour resembles the orange and teal of sides A and B.

use glam::DVec3;

use super::super::math::{length, mix, smoothstep, v};
use super::super::mesh::Paint;
use super::super::model::linear;

/// Returns the colour of a paint, sRGB.
fn flat(paint: Paint) -> u32 {
    match paint {
        Paint::Skin => 0x00E3_AC8A,
        Paint::Lips => 0x00C2_7868,
        Paint::Mouth => 0x0086_463C,
        Paint::Nostril => 0x0093_5A48,
        Paint::Lash => 0x0033_221D,
        Paint::LidEdge => 0x00B9_806C,
        Paint::Scalp | Paint::Hair => 0x005B_3929,
        Paint::Nail => 0x00EE_C2AC,
        Paint::EyeWhite => 0x00F3_EFE9,
        Paint::Limbus => 0x002B_3642,
        Paint::Iris => 0x005A_7A92,
        Paint::Pupil => 0x0012_1416,
        Paint::Glint => 0x00FF_FFFF,
        Paint::Brow => 0x0049_2D22,
        Paint::Shirt => 0x00EA_E3D6,
        Paint::ShirtBand | Paint::ShirtTrim | Paint::ShoeAccent | Paint::SoleLine => 0x00B0_4A62,
        Paint::ShirtInside => 0x008C_8479,
        Paint::Trousers => 0x0046_5870,
        Paint::TrousersSeam => 0x005C_708A,
        Paint::TrousersInside => 0x002B_3543,
        Paint::Shoe => 0x0084_3C52,
        Paint::ShoeLace | Paint::Sole => 0x00F0_EBE1,
        Paint::ShoeTongue => 0x006B_3044,
        Paint::Sock => 0x00D8_D2C6,
    }
}

/// Returns the linear colour of a surface point. `open` is the ambient occlusion: 1 in the open, 0 in a crevice.
pub fn shade(paint: Paint, p: DVec3, open: f64) -> DVec3 {
    let base = linear(flat(paint));
    let color = match paint {
        Paint::Skin => blush(base, p),
        Paint::Hair | Paint::Scalp => base * mix(0.80, 1.18, smoothstep(1.56, 1.78, p.y)),
        Paint::Iris => base * mix(1.35, 0.75, smoothstep(1.606, 1.624, p.y)),
        _ => base,
    };
    // Tints crevices of the skin with a warm colour.
    let depth = if paint == Paint::Skin { v(0.62, 0.48, 0.44) } else { v(0.52, 0.52, 0.55) };
    color * (depth + (DVec3::ONE - depth) * open)
}

fn blush(skin: DVec3, p: DVec3) -> DVec3 {
    let x = p.x.abs();
    let near = |at: DVec3, radius: f64| 1.0 - smoothstep(0.0, radius, length(v(x, p.y, p.z) - at));
    let cheek = near(v(0.046, 1.583, 0.078), 0.034);
    let nose = near(v(0.0, 1.581, 0.112), 0.022);
    let ear = near(v(0.086, 1.602, -0.016), 0.036);
    let warm = (0.55 * cheek + 0.45 * nose + 0.45 * ear).min(1.0);
    skin * (DVec3::ONE + (v(0.98, 0.66, 0.62) - DVec3::ONE) * warm)
}
