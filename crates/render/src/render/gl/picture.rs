use image::RgbaImage;
use three_d::context::{MAX_RENDERBUFFER_SIZE, MAX_SAMPLES};
use three_d::{Context, HasContext, Texture2D};

use super::data_texture::{limit, max_texture_side};
use super::framebuffer::{Attachment, Framebuffer};
use super::gpu_texture::GpuTexture;
use super::sample_mean::SampleMean;
use super::sample_texture::SampleTexture;
use crate::render::RenderError;

pub(crate) struct OffscreenImage {
    pub drawn: Framebuffer,
    /// Shader that resolves the samples; `None` where the driver's resolve is faster.
    mean: Option<SampleMean>,
    /// Framebuffer for the resolved texture; `None` with one sample per pixel, in which case the image is rendered
    /// directly into the texture.
    resolved: Option<Framebuffer>,
    texture: GpuTexture,
    size: [u32; 2],
    pub samples: u32,
    context: Context,
    /// True if colours blend in linear light and are encoded on write.
    encodes_light: bool,
}

impl OffscreenImage {
    pub(crate) fn new(context: &Context, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        Self::create(context, (size, samples), 1, false)
    }

    /// Creates an image in which translucent surfaces blend in linear light, if the driver supports it.
    pub(crate) fn with_linear_blending(context: &Context, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        Self::create(context, (size, samples), 1, true)
    }

    pub(crate) fn with_levels(
        context: &Context,
        size: [u32; 2],
        samples: u32,
        levels: u32,
    ) -> Result<Self, RenderError> {
        Self::create(context, (size, samples), levels, false)
    }

    fn create(
        context: &Context,
        (size, samples): ([u32; 2], u32),
        levels: u32,
        blends_linearly: bool,
    ) -> Result<Self, RenderError> {
        let limit = self::limit(context, MAX_RENDERBUFFER_SIZE).min(max_texture_side(context));
        let wanted = size[0].max(size[1]) as usize;
        if wanted > limit {
            return Err(RenderError::TooLarge { what: "the image", wanted, limit });
        }
        let encodes_light = blends_linearly && can_encode(context);
        if encodes_light {
            stop_encoding(context);
        }
        let texture = if encodes_light {
            GpuTexture::drawn_encoded(context, size)
        } else {
            GpuTexture::drawn(context, size, levels)
        };
        // OpenGL may allocate several samples if one is requested, so request zero.
        let max_samples = 1 << self::limit(context, MAX_SAMPLES).ilog2();
        let stored = if samples > 1 { samples.min(max_samples) } else { 0 };
        let readable = SampleTexture::where_faster(context, size, stored, encodes_light)?;
        let color = match &readable {
            Some(readable) => Attachment::SampleTexture(readable),
            None if stored == 0 => Attachment::Texture(&texture),
            None if encodes_light => Attachment::EncodedSamples(stored),
            None => Attachment::Samples(stored),
        };
        let resolved = if stored == 0 {
            None
        } else {
            Some(Framebuffer::new(context, size, Attachment::Texture(&texture), Attachment::None)?)
        };
        let drawn = Framebuffer::new(context, size, color, Attachment::Samples(stored))?;
        let mean = readable.map(|readable| SampleMean::new(context, readable, drawn.samples())).transpose()?;
        Ok(Self { drawn, mean, resolved, texture, size, samples, context: context.clone(), encodes_light })
    }

    pub(crate) fn encodes_light(&self) -> bool {
        self.encodes_light
    }

    /// Runs `work` with linear-light blending and sRGB encoding on write, if the image supports it.
    #[expect(unsafe_code, reason = "three-d does not encode")]
    pub(crate) fn encoding<T>(&self, work: impl FnOnce() -> T) -> T {
        if !self.encodes_light {
            return work();
        }
        // SAFETY: switches state that this context has, see `can_encode`.
        unsafe { self.context.enable(FRAMEBUFFER_SRGB) };
        let done = work();
        stop_encoding(&self.context);
        done
    }

    pub(crate) fn is_for(&self, size: [u32; 2], samples: u32) -> bool {
        (self.size, self.samples) == (size, samples)
    }

    pub(crate) fn texture(&self) -> &Texture2D {
        self.texture.texture()
    }

    /// Resolves the samples, in linear light if the driver can encode sRGB. The samples are already tone mapped and
    /// encoded, so highlights beyond white are averaged as white. This keeps high-contrast edges smooth. If all samples
    /// of a pixel are equal, its bytes stay the same.
    pub(crate) fn resolve(&self) {
        let Some(resolved) = &self.resolved else { return };
        self.encoding(|| match &self.mean {
            Some(mean) => mean.draw_into(resolved),
            None => self.drawn.copy_color_to(resolved),
        });
    }

    /// Resolves the samples with the driver's blit. Returns true if [`Self::resolve`] uses the shader instead.
    #[cfg(test)]
    pub(crate) fn resolve_by_driver(&self) -> bool {
        if let Some(resolved) = &self.resolved {
            self.encoding(|| self.drawn.copy_color_to(resolved));
        }
        self.mean.is_some()
    }

    pub(crate) fn make_levels(&self) {
        self.texture.make_levels();
    }

    /// Returns the pixels, top row first.
    pub(crate) fn pixels(&self) -> RgbaImage {
        let [width, height] = self.size;
        let shown = self.resolved.as_ref().unwrap_or(&self.drawn);
        RgbaImage::from_raw(width, height, shown.read()).unwrap_or_else(|| RgbaImage::new(width, height))
    }
}

/// Disables sRGB encoding, which OpenGL ES enables by default.
#[expect(unsafe_code, reason = "three-d does not encode")]
fn stop_encoding(context: &Context) {
    // SAFETY: switches state that this context has, see `can_encode`.
    unsafe { context.disable(FRAMEBUFFER_SRGB) };
}

const FRAMEBUFFER_SRGB: u32 = 0x8DB9;

/// Returns true if sRGB encoding can be switched on and off. Otherwise, encoded colours are blended.
fn can_encode(context: &Context) -> bool {
    let has = |name: &str| context.supported_extensions().contains(name);
    (!context.version().is_embedded || has("GL_EXT_sRGB_write_control")) && has("GL_EXT_texture_sRGB_decode")
}
