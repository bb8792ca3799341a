//! Format and size of an image, without decoding it.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};

use super::bytes::Bytes;
use super::ktx2;
use super::sniff::is_tga;

/// Returns format and size in pixels from an image header. Most files state the size near the beginning; photographs
/// may have a preview before it.
pub(super) fn header(bytes: Bytes<'_>) -> Option<(&'static str, [u32; 2])> {
    const BEGINNING: usize = 1 << 16;
    let of_first = |count: usize| size(&bytes.get(0..count)?.read().ok()?);
    of_first(bytes.len().min(BEGINNING)).or_else(|| of_first(bytes.len()))
}

fn size(bytes: &[u8]) -> Option<(&'static str, [u32; 2])> {
    if bytes.starts_with(ktx2::SIGN) {
        return ktx2::size(bytes).map(|size| ("KTX2", size));
    }
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    if reader.format().is_none() && is_tga(bytes) {
        reader.set_format(ImageFormat::Tga);
    }
    let format = match reader.format()? {
        ImageFormat::Bmp => "BMP",
        ImageFormat::Tga => "TGA",
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::WebP => "WebP",
        _ => return None,
    };
    let (width, height) = reader.into_dimensions().ok()?;
    Some((format, [width, height]))
}
