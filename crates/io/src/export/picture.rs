use std::io::{self, Cursor};
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageBuffer, Rgba, RgbaImage};
use png::ColorType;

use super::ExportError;
use super::png_rows::{encode_png, write_png};
use super::posed_meshes::step;
use rigscope_core::files::byte_count;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Image, Rig};
use rigscope_core::text::counted;

/// Image file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// PNG, lossless.
    Png,
    /// JPEG, lossy and without transparency.
    Jpeg,
    /// WebP, lossless, usually smaller than PNG.
    WebP,
}

/// JPEG quality from 0 to 100, high enough to avoid visible fringes around grid lines and bones.
const JPEG_QUALITY: u8 = 92;

const WEBP_SIDE: u32 = 16_383;
/// Maximum size of the uncompressed pixels in memory, in bytes.
const MAX_BYTES: u64 = 1 << 30;

impl ImageKind {
    /// Returns the format for a file name's extension, or PNG if there is no extension. *Errors*:
    /// [`ExportError::Extension`].
    pub fn from_path(path: &Path) -> Result<Self, ExportError> {
        let Some(extension) = path.extension() else { return Ok(Self::Png) };
        let endings = [("png", Self::Png), ("jpg", Self::Jpeg), ("jpeg", Self::Jpeg), ("webp", Self::WebP)];
        let known = endings.into_iter().find(|(ending, _)| extension.eq_ignore_ascii_case(ending));
        let format = known.map(|(_, format)| format);
        format.ok_or_else(|| ExportError::extension(path, ".png, .jpg, .jpeg or .webp"))
    }

    /// Checks that the format supports transparency. *Errors*: a message for the user.
    pub fn check_transparency(self) -> Result<(), String> {
        match self {
            Self::Png | Self::WebP => Ok(()),
            Self::Jpeg => {
                Err("A JPEG has no transparent background; choose a name that ends in .png or .webp".to_owned())
            }
        }
    }

    /// Checks a size in pixels. PNG has no memory limit, because it is written incrementally. *Errors*: a message for
    /// the user.
    pub fn check_size(self, [width, height]: [u32; 2]) -> Result<(), String> {
        let longest = width.max(height);
        let bytes = 4 * u64::from(width) * u64::from(height);
        match self {
            Self::WebP if longest > WEBP_SIDE => {
                Err(format!("WebP supports at most {WEBP_SIDE} pixels per side; choose a name that ends in .png"))
            }
            Self::Jpeg | Self::WebP if bytes > MAX_BYTES => Err(format!(
                "{width} x {height} pixels are {} at once, more than {}; choose a name that ends in .png, which is written in parts",
                byte_count(bytes),
                byte_count(MAX_BYTES)
            )),
            _ => Ok(()),
        }
    }

    /// Encodes an image. *Errors*: the image has more pixels than the format supports.
    pub fn encode(self, picture: &RgbaImage) -> io::Result<Vec<u8>> {
        let mut bytes = Cursor::new(Vec::new());
        match self {
            Self::Png => write_png(&mut bytes, picture.dimensions().into(), &mut |add| add(picture))?,
            Self::WebP => {
                picture.write_with_encoder(WebPEncoder::new_lossless(&mut bytes)).map_err(io::Error::other)?;
            }
            Self::Jpeg => {
                let opaque = DynamicImage::from(picture.clone()).into_rgb8();
                let encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
                opaque.write_with_encoder(encoder).map_err(io::Error::other)?;
            }
        }
        Ok(bytes.into_inner())
    }
}

/// Returns the media type and the bytes of a thumbnail whose sides have at most `max_side` pixels: a WebP if
/// `keeps_alpha`, otherwise a JPEG. *Errors*: the encoder fails, for example on an image without pixels.
pub fn small_image(image: &Image, max_side: u32, keeps_alpha: bool) -> io::Result<(&'static str, Vec<u8>)> {
    let Image { width, height, rgba } = image;
    let pixels = ImageBuffer::<Rgba<u8>, _>::from_raw(*width, *height, &**rgba);
    let pixels = pixels.ok_or_else(|| io::Error::other("fewer pixels than its size says"))?;
    let scale = f64::from(max_side) / f64::from((*width).max(*height).max(1));
    let [small_width, small_height] = [width, height].map(|side| (f64::from(*side) * scale).round().max(1.0) as u32);
    let small = if scale < 1.0 {
        image::imageops::thumbnail(&pixels, small_width, small_height)
    } else {
        ImageBuffer::from_fn(*width, *height, |x, y| *pixels.get_pixel(x, y))
    };
    let (kind, format) = if keeps_alpha { ("image/webp", ImageKind::WebP) } else { ("image/jpeg", ImageKind::Jpeg) };
    Ok((kind, format.encode(&small)?))
}

/// Returns the media type and the bytes of a rig image: the original file if it is a PNG or JPEG that the import
/// downscaled, otherwise a new PNG.
pub(super) fn encoded_image(
    rig: &Rig,
    image: usize,
    progress: &Progress,
) -> Result<(&'static str, Vec<u8>), ExportError> {
    match full_image(rig, image) {
        Some((kind, bytes)) => Ok((kind, bytes.to_vec())),
        None => Ok(("image/png", image_png(rig, image, progress)?)),
    }
}

fn full_image(rig: &Rig, image: usize) -> Option<(&'static str, &[u8])> {
    let bytes = rig.full_images.get(&image)?;
    let kinds: [(&[u8], &str); 2] = [(b"\x89PNG", "image/png"), (b"\xFF\xD8\xFF", "image/jpeg")];
    let (_, kind) = kinds.into_iter().find(|(start, _)| bytes.starts_with(start))?;
    Some((kind, bytes))
}

pub(super) fn shrunk(rig: &Rig) -> Option<String> {
    let count = rig.full_images.keys().filter(|image| full_image(rig, **image).is_none()).count();
    (count > 0).then(|| format!("{} written smaller than in the file", counted(count, "image is", "images are")))
}

/// Encodes a rig image as PNG, losslessly. *Errors*: [`ExportError::Picture`], [`ExportError::Cancelled`].
pub fn image_png(rig: &Rig, image: usize, progress: &Progress) -> Result<Vec<u8>, ExportError> {
    step(progress)?;
    let fault = |reason| ExportError::Picture { image, reason };
    let source = rig.images.get(image).ok_or_else(|| fault("there is no such image".to_owned()))?;
    let texels = source.rgba.as_chunks::<4>().0;
    // Dropping the alpha channel of an opaque image saves a quarter of the bytes.
    let opaque = texels.iter().all(|t| t[3] == 255).then(|| without_alpha(texels));
    let (bytes, kind) = match &opaque {
        Some(rgb) => (&**rgb, ColorType::Rgb),
        None => (&*source.rgba, ColorType::Rgba),
    };
    encode_png(bytes, [source.width, source.height], kind).map_err(|e| fault(e.to_string()))
}

fn without_alpha(texels: &[[u8; 4]]) -> Vec<u8> {
    let mut rgb = vec![0; texels.len() * 3];
    for (to, &[red, green, blue, _]) in rgb.as_chunks_mut::<3>().0.iter_mut().zip(texels) {
        *to = [red, green, blue];
    }
    rgb
}

#[cfg(test)]
mod tests {
    use image::ImageFormat;

    use super::*;

    #[test]
    fn image_is_encoded_in_the_format_of_its_file_name() {
        let picture = RgbaImage::from_pixel(16, 8, image::Rgba([200, 1, 2, 255]));
        for (name, format) in [
            ("a.png", ImageFormat::Png),
            ("a", ImageFormat::Png),
            ("a.JPG", ImageFormat::Jpeg),
            ("a.jpeg", ImageFormat::Jpeg),
            ("a.webp", ImageFormat::WebP),
        ] {
            let bytes = ImageKind::from_path(Path::new(name)).unwrap().encode(&picture).unwrap();
            assert_eq!(image::guess_format(&bytes).unwrap(), format, "{name}");
            let pixels = image::load_from_memory(&bytes).unwrap().into_rgba8();
            let is_near = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= if format == ImageFormat::Jpeg { 3 } else { 0 };
            assert!(pixels.len() == picture.len() && pixels.iter().zip(picture.iter()).all(is_near), "{name}");
        }
    }

    #[test]
    fn a_small_image_keeps_its_shape_and_its_colours() {
        let rgba: Vec<u8> = (0..64 * 16).flat_map(|i| [if i % 64 < 32 { 250 } else { 10 }, 100, 0, 128]).collect();
        let image = Image { width: 64, height: 16, rgba: rgba.into() };
        for (max_side, size) in [(16, (16, 4)), (64, (64, 16)), (500, (64, 16)), (1, (1, 1))] {
            for (keeps_alpha, kind, alpha) in [(true, "image/webp", 128), (false, "image/jpeg", 255)] {
                let (named, bytes) = small_image(&image, max_side, keeps_alpha).unwrap();
                let small = image::load_from_memory(&bytes).unwrap().into_rgba8();
                assert_eq!((named, small.dimensions(), small.get_pixel(0, 0)[3]), (kind, size, alpha));
                assert!(max_side < 16 || small.get_pixel(0, 0)[0] > 240);
            }
        }
        assert!(small_image(&Image { width: 0, height: 0, rgba: Vec::new().into() }, 64, false).is_err());
    }

    #[test]
    fn a_name_of_another_format_is_refused() {
        for bad in ["a.bmp", "a.gif", "a.png.txt"] {
            let message = ImageKind::from_path(Path::new(bad)).unwrap_err().to_string();
            assert!(message.contains(bad) && message.contains(".png, .jpg, .jpeg or .webp"), "{message}");
        }
    }
}
