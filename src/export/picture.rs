//! Pictures as PNG.

use std::io::{self, Cursor};
use std::path::Path;

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder as _, ImageFormat, RgbaImage};

use super::mesh_file::ExportError;
use super::write_atomically;
use crate::rig::Rig;

/// Writes a PNG so that the path holds either the old file or the whole new one.
pub fn save_png(picture: &RgbaImage, path: &Path) -> io::Result<()> {
    let mut png = Vec::new();
    picture.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).map_err(io::Error::other)?;
    write_atomically(path, &png)
}

/// One of a rig's images as PNG, all its channels as they are.
///
/// *Errors*: [`ExportError::Picture`].
pub(super) fn image_png(rig: &Rig, image: usize) -> Result<Vec<u8>, ExportError> {
    let mut png = Vec::new();
    let fault = |reason| ExportError::Picture { image, reason };
    let source = rig.images.get(image).ok_or_else(|| fault("there is no such image".to_owned()))?;
    PngEncoder::new(&mut png)
        .write_image(&source.rgba, source.width, source.height, ExtendedColorType::Rgba8)
        .map_err(|e| fault(e.to_string()))?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let picture = RgbaImage::from_pixel(3, 2, image::Rgba([200, 1, 2, 255]));
        save_png(&picture, &path).unwrap();
        assert_eq!(image::open(&path).unwrap().to_rgba8(), picture);
    }
}
