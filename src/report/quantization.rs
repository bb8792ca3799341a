//! Quantisation to 16-bit integers, encoded as base64. This halves the size, with an error of a thousandth of a pixel.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::Vec3;

use crate::rig::Bounds;

/// Integer that represents the end of the range.
pub(super) const MAX: f32 = 32767.0;

/// Quantisation range of vectors. All axes have the same range.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuantizedRange {
    pub center: Vec3,
    /// Distance from the centre to the end of the range along each axis; never 0.
    pub reach: f32,
}

impl QuantizedRange {
    pub(super) fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        let bounds: Bounds = points.into_iter().collect();
        if bounds.is_empty() {
            return Self { center: Vec3::ZERO, reach: 1.0 };
        }
        let (center, reach) =
            (bounds.min * 0.5 + bounds.max * 0.5, (bounds.max * 0.5 - bounds.min * 0.5).max_element());
        Self {
            center: if center.is_finite() { center } else { Vec3::ZERO },
            reach: if reach.is_finite() { reach.max(1e-6) } else { 1.0 },
        }
    }

    pub(super) fn quantize(self, point: Vec3) -> [i16; 3] {
        ((point - self.center) / self.reach).to_array().map(whole)
    }

    pub(super) fn point(self, whole: [i16; 3]) -> Vec3 {
        self.center + Vec3::from_array(whole.map(dequantize)) * self.reach
    }
}

pub(super) fn whole(share: f32) -> i16 {
    (share.clamp(-1.0, 1.0) * MAX).round() as i16
}

/// Inverse of [`whole`].
pub(super) fn dequantize(whole: i16) -> f32 {
    f32::from(whole) / MAX
}

/// Encodes numbers as little-endian `i16` in base64.
pub(super) fn signed(numbers: impl IntoIterator<Item = i16>) -> String {
    STANDARD.encode(numbers.into_iter().flat_map(i16::to_le_bytes).collect::<Vec<u8>>())
}

/// Encodes numbers as little-endian `u16` in base64.
pub(super) fn unsigned(numbers: impl IntoIterator<Item = u16>) -> String {
    STANDARD.encode(numbers.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>())
}

pub(super) fn bytes(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_comes_back_within_half_a_step() {
        let points = [Vec3::new(-3.0, 2.0, 7.1), Vec3::new(5.0, 2.5, -9.3), Vec3::ONE];
        let range = QuantizedRange::from_points(points);
        for point in points {
            let off = (range.point(range.quantize(point)) - point).abs().max_element();
            assert!(off <= range.reach / MAX * 0.501, "{off}");
        }
        let one = QuantizedRange::from_points([Vec3::X]);
        assert_eq!(one.point(one.quantize(Vec3::X)), Vec3::X);
        let far = QuantizedRange::from_points([Vec3::splat(f32::MAX), Vec3::splat(-f32::MAX)]);
        assert!(far.center.is_finite() && far.reach == f32::MAX);
        assert_eq!(QuantizedRange::from_points([]).reach, 1.0);
        assert_eq!(QuantizedRange::from_points([Vec3::splat(f32::INFINITY)]).quantize(Vec3::NAN), [0; 3]);
        assert_eq!((unsigned([1, 0x201]), signed([-1])), ("AQABAg==".to_owned(), "//8=".to_owned()));
    }
}
