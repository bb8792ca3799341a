//! The Radiance format: a text header, then rows of RGBE pixels in one of two run-length encodings. *Source*: Ward,
//! Real Pixels, Graphics Gems II, 1991.

use std::io::{self, BufRead, ErrorKind, Read};

use glam::Vec3;

use super::EnvironmentError;

const MAX_HEADER: u64 = 1 << 16;
const MAX_ROWS: usize = 16_384;
/// Radiances are clamped to this value, which is far above the radiance of the sun but small enough that sums stay
/// finite.
const MAX_RADIANCE: f32 = 1e12;

pub(super) struct RadianceFile<R> {
    from: R,
    width: usize,
    height: usize,
    rows_read: usize,
    row: Vec<[u8; 4]>,
}

enum RowFault {
    Read(io::Error),
    Broken,
}

impl From<io::Error> for RowFault {
    fn from(problem: io::Error) -> Self {
        Self::Read(problem)
    }
}

impl<R: BufRead> RadianceFile<R> {
    pub(super) fn new(mut from: R) -> Result<Self, EnvironmentError> {
        let mut header = from.by_ref().take(MAX_HEADER);
        let mut line = || {
            let mut line = Vec::new();
            header.read_until(b'\n', &mut line)?;
            let has_end = line.pop() == Some(b'\n');
            Ok::<_, io::Error>(Some(String::from_utf8_lossy(&line).trim().to_owned()).filter(|_| has_end))
        };
        if !line()?.is_some_and(|first| first.starts_with("#?")) {
            return Err(EnvironmentError::NotRadiance);
        }
        loop {
            let line = line()?.ok_or(EnvironmentError::NoSize)?;
            match line.strip_prefix("FORMAT=") {
                Some(format) if format != "32-bit_rle_rgbe" => {
                    return Err(EnvironmentError::Format(format.chars().take(40).collect()));
                }
                _ if line.is_empty() => break,
                _ => {}
            }
        }
        let [width, height] = line()?.as_deref().and_then(size).ok_or(EnvironmentError::NoSize)?;
        if height == 0 || height > MAX_ROWS || width != 2 * height {
            return Err(EnvironmentError::Size(width, height));
        }
        Ok(Self { from, width, height, rows_read: 0, row: vec![[0; 4]; width] })
    }

    pub(super) fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Reads the next row: pixels from left to right, linear RGB.
    pub(super) fn next_row(&mut self) -> Result<impl Iterator<Item = Vec3> + '_, EnvironmentError> {
        self.rows_read += 1;
        let (row, height) = (self.rows_read, self.height);
        read_row(&mut self.from, &mut self.row).map_err(|fault| match fault {
            RowFault::Read(problem) if problem.kind() == ErrorKind::UnexpectedEof => {
                EnvironmentError::Truncated(row, height)
            }
            RowFault::Read(problem) => EnvironmentError::Read(problem),
            RowFault::Broken => EnvironmentError::Row(row, height),
        })?;
        Ok(self.row.iter().map(|pixel| radiance(*pixel)))
    }
}

fn size(line: &str) -> Option<[usize; 2]> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["-Y", height, "+X", width] = words[..] else { return None };
    Some([width.parse().ok()?, height.parse().ok()?])
}

fn radiance([red, green, blue, exponent]: [u8; 4]) -> Vec3 {
    // The bits of 2^(exponent - 136).
    let unit = f32::from_bits(u32::from(exponent).saturating_sub(9) << 23);
    (Vec3::new(red.into(), green.into(), blue.into()) * unit).min(Vec3::splat(MAX_RADIANCE))
}

fn byte(from: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    from.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn read_row(from: &mut impl Read, row: &mut [[u8; 4]]) -> Result<(), RowFault> {
    let mut first = [0; 4];
    from.read_exact(&mut first)?;
    match first {
        [2, 2, high @ 0..128, low] if usize::from(high) << 8 | usize::from(low) == row.len() => {
            (0..4).try_for_each(|channel| read_channel(from, row, channel))
        }
        _ => read_pixels(from, row, first),
    }
}

fn read_channel(from: &mut impl Read, row: &mut [[u8; 4]], channel: usize) -> Result<(), RowFault> {
    let mut at = 0;
    while at < row.len() {
        let count = byte(from)?;
        let run = if count > 128 { Some(byte(from)?) } else { None };
        let end = at + usize::from(if count > 128 { count - 128 } else { count });
        let pixels = row.get_mut(at..end).filter(|pixels| !pixels.is_empty()).ok_or(RowFault::Broken)?;
        for pixel in pixels {
            pixel[channel] = match run {
                Some(value) => value,
                None => byte(from)?,
            };
        }
        at = end;
    }
    Ok(())
}

/// Reads pixels whose four bytes are stored together. A pixel (1, 1, 1, n) repeats the previous pixel n times; directly
/// after another such pixel, 256 * n times, and so on.
fn read_pixels(from: &mut impl Read, row: &mut [[u8; 4]], first: [u8; 4]) -> Result<(), RowFault> {
    let (mut pixel, mut at, mut times) = (first, 0_usize, 1_usize);
    loop {
        if let [1, 1, 1, count] = pixel {
            let last = *at.checked_sub(1).and_then(|last| row.get(last)).ok_or(RowFault::Broken)?;
            let end = times.checked_mul(count.into()).and_then(|run| run.checked_add(at)).ok_or(RowFault::Broken)?;
            row.get_mut(at..end).ok_or(RowFault::Broken)?.fill(last);
            (at, times) = (end, times.checked_mul(256).ok_or(RowFault::Broken)?);
        } else {
            *row.get_mut(at).ok_or(RowFault::Broken)? = pixel;
            (at, times) = (at + 1, 1);
        }
        if at == row.len() {
            return Ok(());
        }
        from.read_exact(&mut pixel)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(size: &str, pixels: &[u8]) -> Vec<u8> {
        let header = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\n\n{size}\n");
        [header.as_bytes(), pixels].concat()
    }

    fn rows(bytes: &[u8]) -> Result<Vec<Vec<Vec3>>, EnvironmentError> {
        let mut file = RadianceFile::new(bytes)?;
        (0..file.size()[1]).map(|_| Ok(file.next_row()?.collect())).collect()
    }

    fn problem(bytes: &[u8]) -> String {
        rows(bytes).unwrap_err().to_string()
    }

    #[test]
    fn pixels_are_the_same_however_they_are_packed() {
        // One row of 16 x 8 pixels: one dim red pixel, then bright blue.
        let plain = [[[128, 0, 0, 128]; 1].as_flattened(), [[0, 0, 64, 131]; 15].as_flattened()].concat();
        let old = [[128, 0, 0, 128], [0, 0, 64, 131], [1, 1, 1, 14]].concat();
        let new = [2, 2, 0, 16, 1, 128, 143, 0, 144, 0, 1, 0, 143, 64, 1, 128, 143, 131];
        let all = [&plain, &old, &new[..]].map(|row| rows(&file("-Y 8 +X 16", &row.repeat(8))).unwrap());
        assert!(all[0][7][0].abs_diff_eq(Vec3::new(0.5, 0.0, 0.0), 1e-6), "{}", all[0][7][0]);
        assert!(all[0][7][15].abs_diff_eq(Vec3::new(0.0, 0.0, 2.0), 1e-6), "{}", all[0][7][15]);
        assert_eq!((&all[0], &all[0]), (&all[1], &all[2]));
    }

    #[test]
    fn a_file_that_is_no_map_is_an_error_with_its_reason() {
        assert_eq!(problem(b""), "not a Radiance file (.hdr)");
        assert_eq!(problem(b"\x89PNG\r\n"), "not a Radiance file (.hdr)");
        let endless = [b"#?RADIANCE\n".as_slice(), &b"x".repeat(200_000)].concat();
        let no_size = "its header has no line such as \"-Y 1024 +X 2048\"";
        for header in [&endless, &file("+Y 8 +X 16", &[]), &file("-Y -8 +X 16", &[]), &file("-Y 8", &[])] {
            assert_eq!(problem(header), no_size);
        }
        let xyz = b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 8 +X 16\n";
        assert_eq!(problem(xyz), "its colours are of format \"32-bit_rle_xyze\", and only 32-bit_rle_rgbe is read");
        for size in ["-Y 0 +X 0", "-Y 8 +X 8", "-Y 20000 +X 40000", "-Y 9223372036854775807 +X 18446744073709551615"] {
            assert!(problem(&file(size, &[])).starts_with("the image is "), "{size}");
        }
    }

    #[test]
    fn broken_radiance_file_reports_the_row() {
        let row = [[7, 8, 9, 128]; 16].concat();
        assert_eq!(problem(&file("-Y 8 +X 16", &row.repeat(3)[..150])), "it ends in row 3 of 8");
        for broken in [
            // Runs beyond the end of the row, an empty run, a run repeated too often, and a run without a previous
            // pixel.
            &[2, 2, 0, 16, 150, 1][..],
            &[2, 2, 0, 16, 0, 0],
            &[[9, 9, 9, 128], [1, 1, 1, 255]].concat(),
            &[[9, 9, 9, 128], [1, 1, 1, 0]].iter().flatten().copied().chain([1, 1, 1, 0].repeat(9)).collect::<Vec<_>>(),
            &[1, 1, 1, 1],
        ] {
            assert_eq!(problem(&file("-Y 8 +X 16", &[&row, broken].concat())), "row 2 of 8 is broken");
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let row = [2, 2, 0, 16, 1, 128, 143, 0, 144, 0, 1, 0, 143, 64, 1, 128, 143, 131];
        let whole = file("-Y 8 +X 16", &row.repeat(8));
        for at in 0..whole.len() {
            assert!(rows(&whole[..at]).is_err(), "without all after byte {at}");
            for value in [0, 1, 2, 127, 128, 129, 255] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let _ = rows(&bytes);
            }
        }
    }
}
