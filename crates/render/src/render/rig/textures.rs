use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use three_d::context::{
    LINEAR, LINEAR_MIPMAP_LINEAR, NEAREST, NEAREST_MIPMAP_LINEAR, RGBA, RGBA8, SRGB8_ALPHA8, TEXTURE_MAG_FILTER,
    TEXTURE_MAX_ANISOTROPY_EXT, TEXTURE_MIN_FILTER, UNSIGNED_BYTE,
};
use three_d::{Context, HasContext, Wrapping};

use super::mipmaps::{level_count, levels};
use super::upload::{SLICE, UploadBudget, Wake};
use crate::render::gl::data_texture::max_texture_side;
use crate::render::gl::driver::is_software;
use crate::render::gl::gpu_texture::{GpuTexture, Texels};
use rigscope_core::rig::{Image, Rig, Texture, Wrap};

const ANISOTROPY: u32 = 8;

/// Maximum number of computed mipmap levels that wait for upload. It limits memory use.
const WAITING_LEVELS: usize = 4;

/// One texture per image and sampler state, shown once complete. Colours are stored as sRGB, data as is.
#[derive(Default)]
pub(super) struct GpuTextures {
    list: Vec<TextureEntry>,
    by_key: HashMap<SamplerKey, usize>,
    arriving: Option<PendingTexture>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SamplerKey {
    image: usize,
    wrap: [Wrap; 2],
    is_nearest: bool,
    is_data: bool,
}

struct TextureEntry {
    key: SamplerKey,
    texture: Option<GpuTexture>,
    is_complete: bool,
}

struct PendingTexture {
    levels: Receiver<MipLevel>,
    current: Option<(MipLevel, usize)>,
}

struct MipLevel {
    texture: usize,
    number: u32,
    count: u32,
    image: Image,
}

impl TextureEntry {
    fn upload_slice(&mut self, context: &Context, level: &MipLevel, row: usize) -> usize {
        let texture = self.texture.get_or_insert_with(|| storage(context, self.key, level));
        let [width, height] = [level.image.width, level.image.height].map(|side| side as usize);
        let rows = (SLICE / (4 * width)).clamp(1, height - row);
        let bytes = &level.image.rgba[4 * width * row..4 * width * (row + rows)];
        texture.write(level.number, row, [width, rows], bytes);
        row + rows
    }
}

impl GpuTextures {
    /// Registers a material texture and returns its index, or `None` for an empty image.
    pub(super) fn add(&mut self, rig: &Rig, texture: &Texture, is_data: bool) -> Option<usize> {
        let key = SamplerKey { image: texture.image, wrap: texture.wrap, is_nearest: texture.is_nearest, is_data };
        rig.images.get(texture.image).filter(|i| i.width > 0 && i.height > 0)?;
        let number = *self.by_key.entry(key).or_insert(self.list.len());
        if number == self.list.len() {
            self.list.push(TextureEntry { key, texture: None, is_complete: false });
        }
        Some(number)
    }

    /// Starts computing mipmaps of the registered images on another thread.
    pub(super) fn prepare(&mut self, context: &Context, rig: &Arc<Rig>, wake: &Wake) {
        if self.list.is_empty() {
            return;
        }
        let (sender, levels) = sync_channel(WAITING_LEVELS);
        let images: Vec<_> =
            self.list.iter().filter_map(|e| Some((rig.images.get(e.key.image)?.clone(), e.key.is_data))).collect();
        let limit = max_texture_side(context) as u32;
        let wake = Arc::clone(wake);
        let made = std::thread::Builder::new().name("mipmaps".to_owned()).spawn(move || {
            // Stop when the receiver is dropped, because another rig was opened.
            images.into_iter().enumerate().try_for_each(|(texture, (image, is_data))| {
                let image = fitting(image, limit);
                let count = level_count(image.width, image.height);
                (0..).zip(self::levels(image, is_data)).try_for_each(|(number, image)| {
                    sender.send(MipLevel { texture, number, count, image }).map(|()| wake())
                })
            })
        });
        match made {
            Ok(_) => self.arriving = Some(PendingTexture { levels, current: None }),
            Err(e) => log::error!("the textures are not shown: no thread could be started: {e}"),
        }
    }

    /// Uploads computed mipmap levels. Waits for missing levels only if the budget is unlimited. Returns true if this
    /// call completed at least one texture.
    pub(super) fn upload(&mut self, context: &Context, budget: &UploadBudget) -> bool {
        let mut is_any_complete = false;
        while !budget.is_spent() {
            let Some(arriving) = &mut self.arriving else { break };
            let next = match arriving.current.take() {
                Some(current) => Ok(current),
                None if budget.is_limited() => arriving.levels.try_recv().map(|level| (level, 0)),
                None => arriving.levels.recv().map(|level| (level, 0)).map_err(TryRecvError::from),
            };
            match next {
                Ok((level, row)) => {
                    let entry = &mut self.list[level.texture];
                    let end = entry.upload_slice(context, &level, row);
                    entry.is_complete = end == level.image.height as usize && level.number + 1 == level.count;
                    is_any_complete |= entry.is_complete;
                    arriving.current = Some((level, end)).filter(|(l, end)| *end < l.image.height as usize);
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.arriving = None,
            }
        }
        is_any_complete
    }

    pub(super) fn is_uploading(&self) -> bool {
        self.arriving.is_some()
    }

    pub(super) fn get(&self, index: usize) -> Option<&GpuTexture> {
        let entry = self.list.get(index).filter(|e| e.is_complete)?;
        entry.texture.as_ref()
    }
}

fn storage(
    context: &Context,
    SamplerKey { wrap, is_nearest, is_data, .. }: SamplerKey,
    first: &MipLevel,
) -> GpuTexture {
    let texels =
        Texels { stored: if is_data { RGBA8 } else { SRGB8_ALPHA8 }, channels: RGBA, kind: UNSIGNED_BYTE, bytes: 4 };
    let filters = if is_nearest { [NEAREST_MIPMAP_LINEAR, NEAREST] } else { [LINEAR_MIPMAP_LINEAR, LINEAR] };
    let size = [first.image.width, first.image.height];
    let mut parameters = vec![(TEXTURE_MIN_FILTER, filters[0]), (TEXTURE_MAG_FILTER, filters[1])];
    parameters.extend(anisotropy(context).map(|degree| (TEXTURE_MAX_ANISOTROPY_EXT, degree)));
    GpuTexture::new(context, size, first.count, texels, wrap.map(wrapping), &parameters)
}

/// Returns the degree of anisotropic filtering. Returns `None` without driver support, and on software drivers, where
/// such filtering takes seconds.
fn anisotropy(context: &Context) -> Option<u32> {
    let extensions = context.supported_extensions();
    let names = ["GL_EXT_texture_filter_anisotropic", "GL_ARB_texture_filter_anisotropic"];
    let is_known = names.iter().any(|name| extensions.contains(*name));
    (is_known && !is_software(context)).then_some(ANISOTROPY)
}

fn fitting(image: Image, limit: u32) -> Image {
    let (width, height) = (image.width, image.height);
    if width <= limit && height <= limit {
        return image;
    }
    log::warn!("an image of {width}x{height} pixels is downscaled: the graphics driver's limit is {limit} per side");
    let scale = f64::from(limit) / f64::from(width.max(height));
    let side = |n: u32| ((f64::from(n) * scale) as u32).clamp(1, limit);
    let view = image::ImageBuffer::<image::Rgba<u8>, _>::from_raw(width, height, &image.rgba[..]);
    let smaller = view.map(|v| image::imageops::thumbnail(&v, side(width), side(height)));
    smaller.map_or(Image { width: 1, height: 1, rgba: vec![255; 4].into() }, |s| Image {
        width: s.width(),
        height: s.height(),
        rgba: s.into_raw().into(),
    })
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
        let smaller = fitting(image.clone(), 32);
        assert_eq!((smaller.width, smaller.height, smaller.rgba.len()), (32, 8, 32 * 8 * 4));
        assert_eq!(fitting(image, 64).width, 64);
    }
}
