use std::io::{Error, Result, Write};

use image::RgbaImage;
use png::{BitDepth, ColorType, Compression, Encoder};

pub(super) fn encoder<'a, W: Write>(
    to: W,
    [width, height]: [u32; 2],
    color: ColorType,
    compression: Compression,
) -> Encoder<'a, W> {
    let mut encoder = Encoder::new(to, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(compression);
    encoder
}

pub(super) fn encode_png(pixels: &[u8], size: [u32; 2], color: ColorType) -> Result<Vec<u8>> {
    let mut png = Vec::new();
    let mut writer = encoder(&mut png, size, color, Compression::Fast).write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(png)
}

/// Adds a band of full-width rows to an image.
pub type AddRows<'a> = dyn FnMut(&RgbaImage) -> Result<()> + 'a;

/// Writes a PNG. `size`: width and height in pixels. `draw` adds bands from top to bottom. *Errors*:
/// the writer or `draw` fails; a size of 0; too few or too many rows.
pub fn write_png(
    to: &mut dyn Write,
    size: [u32; 2],
    draw: &mut dyn FnMut(&mut AddRows<'_>) -> Result<()>,
) -> Result<()> {
    let mut writer = encoder(to, size, ColorType::Rgba, Compression::Fast).write_header()?;
    let mut rows = writer.stream_writer()?;
    draw(&mut |some| rows.write_all(some))?;
    rows.finish()?;
    writer.finish().map_err(Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_one_picture_and_too_few_are_an_error() {
        let whole = RgbaImage::from_fn(7, 5, |x, y| image::Rgba([x as u8, y as u8, 3, 128]));
        let write = |bands: &[[u32; 2]]| {
            let mut bytes = Vec::new();
            write_png(&mut bytes, [7, 5], &mut |add| {
                let part = |&[top, height]: &[u32; 2]| image::imageops::crop_imm(&whole, 0, top, 7, height).to_image();
                bands.iter().try_for_each(|band| add(&part(band)))
            })?;
            Ok::<_, Error>(bytes)
        };
        let bytes = write(&[[0, 2], [2, 1], [3, 2]]).unwrap();
        assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgba8(), whole);
        assert!(write(&[[0, 2]]).is_err());
    }
}
