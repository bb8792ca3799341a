//! Pictures on disk.

use std::io::{BufWriter, Write};
use std::path::Path;

use image::{ImageFormat, RgbaImage};

use super::RenderError;

/// Writes a PNG so that the path holds either the old file or the whole new one.
///
/// *Errors*: [`RenderError::Write`] where the folder is missing or not writable, or the disk is full.
pub fn save_png(picture: &RgbaImage, path: &Path) -> Result<(), RenderError> {
    let refused = |reason: String| RenderError::Write { reason, path: path.to_owned() };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // A temporary file is private by default; a picture gets what the user's umask says.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(|e| refused(e.to_string()))?;
    let mut png = Vec::new();
    picture.write_to(&mut std::io::Cursor::new(&mut png), ImageFormat::Png).map_err(|e| refused(e.to_string()))?;
    let mut writer = BufWriter::new(file.as_file_mut());
    writer.write_all(&png).and_then(|()| writer.flush()).map_err(|e| refused(e.to_string()))?;
    drop(writer);
    file.persist(path).map_err(|e| refused(e.error.to_string()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back_and_replaces_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        for shade in [10, 200] {
            let picture = RgbaImage::from_pixel(3, 2, image::Rgba([shade, 1, 2, 255]));
            save_png(&picture, &path).unwrap();
            assert_eq!(image::open(&path).unwrap().to_rgba8(), picture);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = save_png(&RgbaImage::new(1, 1), Path::new("/nowhere/at/all/a.png")).unwrap_err();
        assert!(error.to_string().ends_with("/nowhere/at/all/a.png"), "{error}");
    }
}
