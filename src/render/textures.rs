//! A rig's images on the graphics card: sRGB, with mip maps.

use std::borrow::Cow;

use three_d::{Context, HasContext, Interpolation, Mipmap, Texture2D, Wrapping};

use super::data_texture::max_texture_side;
use crate::rig::{Image, Rig, Texture, Wrap};

/// Blurring of slanted surfaces stays away up to this ratio.
const ANISOTROPY: u32 = 8;

/// One texture per image and way of sampling.
#[derive(Default)]
pub(super) struct Textures {
    uploaded: Vec<(Key, Texture2D)>,
}

type Key = (usize, [Wrap; 2], bool);

impl Textures {
    /// Uploads what a material needs and tells where it is; `None` without a texture or for an image of no size.
    pub fn add(&mut self, context: &Context, rig: &Rig, texture: Option<&Texture>) -> Option<usize> {
        let texture = texture?;
        let key = (texture.image, texture.wrap, texture.is_nearest);
        if let Some(known) = self.uploaded.iter().position(|(k, _)| *k == key) {
            return Some(known);
        }
        let image = rig.images.get(texture.image).filter(|i| i.width > 0 && i.height > 0)?;
        self.uploaded.push((key, upload(context, image, texture)));
        Some(self.uploaded.len() - 1)
    }

    /// By the number that [`Self::add`] gave.
    pub fn get(&self, index: Option<usize>) -> Option<&Texture2D> {
        self.uploaded.get(index?).map(|(_, texture)| texture)
    }
}

#[expect(unsafe_code, reason = "three-d offers no sRGB format by itself")]
fn upload(context: &Context, image: &Image, texture: &Texture) -> Texture2D {
    let (width, height, rgba) = fitting(image, max_texture_side(context) as u32);
    let filter = if texture.is_nearest { Interpolation::Nearest } else { Interpolation::Linear };
    let mipmap = Mipmap { max_ratio: anisotropy(context), ..Mipmap::default() };
    let [wrap_s, wrap_t] = texture.wrap.map(wrapping);
    // SAFETY: the callback gives the bound texture the storage that its size and number of levels promise, four bytes a texel.
    let uploaded = unsafe {
        Texture2D::new_unchecked::<[u8; 4]>(context, width, height, filter, filter, Some(mipmap), wrap_s, wrap_t, |t| {
            let levels = t.number_of_mip_maps().cast_signed();
            let format = three_d::context::SRGB8_ALPHA8;
            context.tex_storage_2d(
                three_d::context::TEXTURE_2D,
                levels,
                format,
                width.cast_signed(),
                height.cast_signed(),
            );
        })
    };
    let (texels, _) = rgba.as_chunks::<4>();
    uploaded.fill(texels);
    uploaded
}

/// None for Mesa's software devices, which take seconds for a texture that fills the picture.
#[expect(unsafe_code, reason = "three-d does not tell the name")]
fn anisotropy(context: &Context) -> u32 {
    // SAFETY: reads a string that every context has.
    let renderer = unsafe { context.get_parameter_string(three_d::context::RENDERER) };
    let is_software = ["llvmpipe", "softpipe", "swrast"].iter().any(|name| renderer.contains(name));
    if is_software { 1 } else { ANISOTROPY }
}

/// The pixels, made smaller where the driver does not take so many.
fn fitting(image: &Image, limit: u32) -> (u32, u32, Cow<'_, [u8]>) {
    let (width, height) = (image.width, image.height);
    if width <= limit && height <= limit {
        return (width, height, Cow::Borrowed(&image.rgba));
    }
    log::warn!("an image of {width}x{height} pixels is made smaller: the graphics driver takes {limit} a side");
    let scale = f64::from(limit) / f64::from(width.max(height));
    let side = |n: u32| ((f64::from(n) * scale) as u32).clamp(1, limit);
    let view = image::ImageBuffer::<image::Rgba<u8>, _>::from_raw(width, height, &image.rgba[..]);
    let smaller = view.map(|v| image::imageops::thumbnail(&v, side(width), side(height)));
    smaller.map_or((1, 1, Cow::Owned(vec![255; 4])), |s| (s.width(), s.height(), Cow::Owned(s.into_raw())))
}

fn wrapping(wrap: Wrap) -> Wrapping {
    match wrap {
        Wrap::Repeat => Wrapping::Repeat,
        Wrap::Mirror => Wrapping::MirroredRepeat,
        Wrap::Clamp => Wrapping::ClampToEdge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_image_keeps_its_proportions() {
        let image = Image { width: 64, height: 16, rgba: vec![128; 64 * 16 * 4].into() };
        let (width, height, rgba) = fitting(&image, 32);
        assert_eq!((width, height, rgba.len()), (32, 8, 32 * 8 * 4));
        assert_eq!(fitting(&image, 64).0, 64);
    }
}
