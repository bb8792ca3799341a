//! Pictures on disk.

use std::io::{self, Cursor};
use std::path::Path;

use image::{ImageFormat, RgbaImage};

use super::write_atomically;

/// Writes a PNG so that the path holds either the old file or the whole new one.
pub fn save_png(picture: &RgbaImage, path: &Path) -> io::Result<()> {
    let mut png = Vec::new();
    picture.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).map_err(io::Error::other)?;
    write_atomically(path, &png)
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
