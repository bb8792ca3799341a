//! Point caches of 3ds Max and Blender: `POINTCACHE2`, version, points, start, rate, samples, then float32.

use rigscope_core::rig::PointFrame;

use super::triples::triples;

pub(super) const MAGIC: &[u8] = b"POINTCACHE2\0";

const HEADER: usize = 32;

pub(super) fn points(bytes: &[u8]) -> Result<Vec<PointFrame>, String> {
    const CUT: &str = "the point cache is cut short";
    let number = |offset: usize| {
        let four = bytes.get(offset..).and_then(|bytes| bytes.first_chunk::<4>())?;
        usize::try_from(i32::from_le_bytes(*four)).ok()
    };
    let (Some(points), Some(samples)) = (number(16), number(28)) else { return Err(CUT.to_owned()) };
    let data = bytes.get(HEADER..).ok_or(CUT)?;
    let length = points.checked_mul(12).and_then(|frame| frame.checked_mul(samples)).ok_or(CUT)?;
    let data = data.get(..length).ok_or(CUT)?;
    let numbers = |frame: &[u8]| {
        let numbers: Vec<f64> =
            frame.as_chunks::<4>().0.iter().map(|four| f64::from(f32::from_le_bytes(*four))).collect();
        triples(&numbers).map(PointFrame::from_positions)
    };
    data.chunks_exact(points.saturating_mul(12).max(1)).map(numbers).collect()
}
