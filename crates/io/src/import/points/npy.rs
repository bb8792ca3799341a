//! Arrays of `NumPy`. *Source*: NEP 1, "A simple file format for `NumPy` arrays".

use glam::DVec3;

use rigscope_core::rig::PointFrame;

use super::triples::triples;

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Arrays of points have up to three dimensions: frames, vertices and coordinates.
const MAX_DIMENSIONS: usize = 3;

/// Numbers in C order.
pub(super) struct NumpyArray {
    pub shape: Vec<usize>,
    pub numbers: Vec<f64>,
}

impl NumpyArray {
    /// Returns the points of an array of shape (V, 3) or (F, V, 3). *Errors*: it has another shape, as a clause.
    pub(super) fn frames(&self) -> Result<Vec<PointFrame>, String> {
        let points: Vec<DVec3> = match self.shape[..] {
            [_, 3] | [_, _, 3] => triples(&self.numbers)?,
            _ => return Err(format!("the array has the shape {:?}; write (V, 3) or (F, V, 3)", self.shape)),
        };
        let per_frame = match self.shape[..] {
            [_, vertices, 3] => vertices,
            _ => points.len(),
        };
        Ok(points.chunks(per_frame.max(1)).map(|frame| PointFrame::from_positions(frame.to_vec())).collect())
    }
}

/// Reads an array of floating-point numbers. *Errors*: why not, as a clause.
pub(super) fn array(bytes: &[u8]) -> Result<NumpyArray, String> {
    const CUT: &str = "the .npy file is cut short";
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is not a .npy file")?;
    let (&[major, _], rest) = rest.split_first_chunk::<2>().ok_or(CUT)?;
    let (length, rest) = if major == 1 {
        let (length, rest) = rest.split_first_chunk::<2>().ok_or(CUT)?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>().ok_or(CUT)?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    let (header, data) = rest.split_at_checked(length).ok_or(CUT)?;
    let header = String::from_utf8_lossy(header);
    let value = |key: &str| header.split_once(&format!("'{key}':")).map(|(_, value)| value.trim_start());
    let kind = value("descr").and_then(|value| value.split('\'').nth(1)).ok_or("its header has no 'descr'")?;
    let is_fortran = value("fortran_order").is_some_and(|value| value.starts_with("True"));
    let shape = value("shape").and_then(|value| value.strip_prefix('(')?.split(')').next());
    let parsed = |text: &str| text.split(',').map(str::trim).filter(|t| !t.is_empty()).map(str::parse).collect();
    let shape: Vec<usize> = shape.map(parsed).and_then(Result::ok).ok_or("its header has no 'shape'")?;
    if shape.len() > MAX_DIMENSIONS {
        return Err(format!("the array has more than {MAX_DIMENSIONS} dimensions"));
    }
    let count =
        shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size)).ok_or("its shape is too large")?;
    let numbers = numbers(kind, data)?;
    if numbers.len() < count {
        return Err(format!("the array has {} numbers for the shape {shape:?}", numbers.len()));
    }
    let mut numbers = numbers;
    numbers.truncate(count);
    let array = NumpyArray { shape, numbers };
    Ok(if is_fortran { array.in_c_order() } else { array })
}

fn numbers(kind: &str, data: &[u8]) -> Result<Vec<f64>, String> {
    let is_big = kind.starts_with('>');
    let short = |bytes: &[u8; 2]| half(if is_big { u16::from_be_bytes(*bytes) } else { u16::from_le_bytes(*bytes) });
    let wide = |bytes: &[u8; 8]| if is_big { f64::from_be_bytes(*bytes) } else { f64::from_le_bytes(*bytes) };
    let single =
        |bytes: &[u8; 4]| f64::from(if is_big { f32::from_be_bytes(*bytes) } else { f32::from_le_bytes(*bytes) });
    match kind.trim_start_matches(['<', '>', '=', '|']) {
        "f8" => Ok(data.as_chunks::<8>().0.iter().map(wide).collect()),
        "f4" => Ok(data.as_chunks::<4>().0.iter().map(single).collect()),
        "f2" => Ok(data.as_chunks::<2>().0.iter().map(short).collect()),
        _ => Err(format!("its numbers are of the type {kind}; write float32 or float64")),
    }
}

/// Converts a half-precision number.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    let size = match exponent {
        0 => fraction * (-14_f64).exp2(),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * f64::from(exponent.saturating_sub(15)).exp2(),
    };
    if bits >> 15 == 1 { -size } else { size }
}

impl NumpyArray {
    /// Reorders numbers whose first index changes fastest.
    fn in_c_order(self) -> Self {
        let mut numbers = Vec::with_capacity(self.numbers.len());
        for mut at in 0..self.numbers.len() {
            let (mut place, mut stride) = (0_usize, self.numbers.len());
            // The last index changes fastest in C order, and has the largest stride here.
            for &size in self.shape.iter().rev() {
                stride = stride.checked_div(size).unwrap_or(0);
                place = place.saturating_add(at.checked_rem(size).unwrap_or(0).saturating_mul(stride));
                at = at.checked_div(size).unwrap_or(0);
            }
            numbers.push(self.numbers.get(place).copied().unwrap_or(f64::NAN));
        }
        Self { numbers, ..self }
    }
}
