//! Reverses, in place, the filters applied before compression.

use std::f32::consts::FRAC_1_SQRT_2;

use serde::Deserialize;

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum MeshoptFilter {
    #[default]
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// Reverses a filter. The filter must support elements of `stride` bytes.
pub(super) fn undo(filter: MeshoptFilter, stride: usize, bytes: &mut [u8]) {
    match (filter, stride) {
        (MeshoptFilter::None, _) => {}
        (MeshoptFilter::Octahedral, 4) => each(bytes, octahedral8),
        (MeshoptFilter::Octahedral, _) => each_short(bytes, octahedral16),
        (MeshoptFilter::Quaternion, _) => each_short(bytes, quaternion),
        (MeshoptFilter::Exponential, _) => each(bytes, exponential),
        (MeshoptFilter::Color, 4) => each(bytes, color8),
        (MeshoptFilter::Color, _) => each_short(bytes, color16),
    }
}

fn each(bytes: &mut [u8], undo: impl Fn([u8; 4]) -> [u8; 4]) {
    for element in bytes.as_chunks_mut().0 {
        *element = undo(*element);
    }
}

fn each_short(bytes: &mut [u8], undo: impl Fn([u16; 4]) -> [u16; 4]) {
    for element in bytes.as_chunks_mut().0.as_chunks_mut().0 {
        let shorts: [[u8; 2]; 4] = *element;
        *element = undo(shorts.map(u16::from_le_bytes)).map(u16::to_le_bytes);
    }
}

fn octahedral8([x, y, one, w]: [u8; 4]) -> [u8; 4] {
    let [x, y, z] =
        octahedral([x, y, one].map(|v| f32::from(v.cast_signed())), 127.0).map(|v| (v as i8).cast_unsigned());
    [x, y, z, w]
}

fn octahedral16([x, y, one, w]: [u16; 4]) -> [u16; 4] {
    let signed = [x, y, one].map(|v| f32::from(v.cast_signed()));
    let [x, y, z] = octahedral(signed, 32767.0).map(|v| (v as i16).cast_unsigned());
    [x, y, z, w]
}

/// Decodes an octahedral unit vector and scales it to length `max_value`. `one` is the encoded value of 1.
fn octahedral([x, y, one]: [f32; 3], max_value: f32) -> [f32; 3] {
    let z = one - x.abs() - y.abs();
    let fold = z.min(0.0);
    let x = if x >= 0.0 { x + fold } else { x - fold };
    let y = if y >= 0.0 { y + fold } else { y - fold };
    let scale = max_value / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|v| (v * scale).round())
}

/// Decodes a quaternion without its largest component. The low two bits of `w` are the index of that component; the
/// other bits are the scale.
fn quaternion([x, y, z, w]: [u16; 4]) -> [u16; 4] {
    let scale = FRAC_1_SQRT_2 / f32::from((w | 3).cast_signed());
    let [x, y, z] = [x, y, z].map(|v| f32::from(v.cast_signed()) * scale);
    let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut turned = [largest, x, y, z].map(|v| ((v * 32767.0).round() as i16).cast_unsigned());
    turned.rotate_right(usize::from(w & 3));
    turned
}

/// Decodes a number with an 8-bit exponent and a 24-bit mantissa, both signed.
fn exponential(value: [u8; 4]) -> [u8; 4] {
    let value = i32::from_le_bytes(value);
    let (exponent, mantissa) = (value >> 24, value.wrapping_shl(8) >> 8);
    ((f64::from(mantissa) * f64::from(exponent).exp2()) as f32).to_le_bytes()
}

fn color8([y, co, cg, a]: [u8; 4]) -> [u8; 4] {
    let signed = [co, cg].map(|v| f32::from(v.cast_signed()));
    color(f32::from(y), signed, a.into(), 255.0).map(|v| v as u8)
}

fn color16([y, co, cg, a]: [u16; 4]) -> [u16; 4] {
    let signed = [co, cg].map(|v| f32::from(v.cast_signed()));
    color(f32::from(y), signed, a, 65535.0).map(|v| v as u16)
}

/// Decodes `YCoCg` with alpha. The highest set bit of `a` determines the number of bits.
fn color(y: f32, [co, cg]: [f32; 2], a: u16, max_value: f32) -> [f32; 4] {
    let whole = u16::MAX.checked_shr(a.leading_zeros()).unwrap_or(0);
    let alpha = (a.wrapping_shl(1) & whole) | (a & 1);
    let scale = max_value / f32::from(whole);
    [y + co - cg, y + cg, y - co - cg, f32::from(alpha)].map(|v| (v * scale).round())
}
