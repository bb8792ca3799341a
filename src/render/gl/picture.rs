//! The offscreen picture: multisampled while it is drawn, resolved into a texture.

use image::RgbaImage;
use three_d::{Context, HasContext, Texture2D, Viewport};

use super::framebuffer::{Framebuffer, Kept};
use super::gpu_texture::GpuTexture;
use crate::render::RenderError;

/// Opaque black, as every picture starts.
const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A picture of one size.
pub struct Picture {
    drawn: Framebuffer,
    resolved: Framebuffer,
    texture: GpuTexture,
    size: [u32; 2],
    samples: u32,
}

impl Picture {
    /// With so many samples a pixel, or as many as the driver has.
    ///
    /// *Errors*: [`RenderError::TooLarge`].
    pub fn new(context: &Context, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        Self::with_levels(context, size, samples, 1)
    }

    /// A picture with so many samples a pixel, whose texture has room for so many levels, which [`Self::make_levels`] fills.
    ///
    /// *Errors*: [`RenderError::TooLarge`].
    pub fn with_levels(context: &Context, size: [u32; 2], samples: u32, levels: u32) -> Result<Self, RenderError> {
        let (max_samples, max_side) = limits(context);
        let wanted = size[0].max(size[1]);
        if wanted > max_side {
            let (wanted, limit) = (wanted as usize, max_side as usize);
            return Err(RenderError::TooLarge { what: "the picture", wanted, limit });
        }
        let texture = GpuTexture::drawn(context, size, levels);
        let resolved = Framebuffer::new(context, size, Kept::In(&texture), Kept::No)?;
        // OpenGL may take one sample for several.
        let stored = if samples > 1 { samples.min(max_samples) } else { 0 };
        let drawn = Framebuffer::new(context, size, Kept::Samples(stored), Kept::Samples(stored))?;
        Ok(Self { drawn, resolved, texture, size, samples })
    }

    /// True for a picture of this size and with so many samples asked for.
    pub fn is_of(&self, size: [u32; 2], samples: u32) -> bool {
        (self.size, self.samples) == (size, samples)
    }

    /// True where so many samples were asked for.
    pub fn has_samples(&self, samples: u32) -> bool {
        self.samples == samples
    }

    pub fn texture(&self) -> &Texture2D {
        self.texture.texture()
    }

    /// Draws into it.
    pub fn write(&self, draw: impl FnOnce() -> Result<(), RenderError>) -> Result<(), RenderError> {
        self.drawn.write(draw)
    }

    /// Draws into a part of it.
    pub fn write_in(&self, part: Viewport, draw: impl FnOnce() -> Result<(), RenderError>) -> Result<(), RenderError> {
        self.drawn.write_in(part, draw)
    }

    /// Forgets what is in front of what, so that what follows lies over everything.
    pub fn clear_depth(&self) {
        self.drawn.clear(None);
    }

    /// Starts anew.
    pub fn clear(&self) {
        self.clear_to(BLACK);
    }

    /// Starts anew with another colour than black.
    pub fn clear_to(&self, color: [f32; 4]) {
        self.drawn.clear(Some(color));
    }

    /// Copies how far away what was drawn is into a framebuffer of the same size.
    pub fn copy_depth_to(&self, depth: &Framebuffer) {
        self.drawn.copy_depth_to(depth);
    }

    /// Makes the drawn picture the one that [`Self::texture`] and [`Self::pixels`] show.
    pub fn resolve(&self) {
        self.drawn.copy_color_to(&self.resolved);
    }

    /// Makes smaller levels of the texture, each pixel the mean of four.
    pub fn make_levels(&self) {
        self.texture.make_levels();
    }

    /// Top row first.
    pub fn pixels(&self) -> RgbaImage {
        let [width, height] = self.size;
        RgbaImage::from_raw(width, height, self.resolved.read()).unwrap_or_else(|| RgbaImage::new(width, height))
    }
}

/// Samples a pixel, a power of two, and pixels a side.
#[expect(unsafe_code, reason = "three-d does not tell these limits")]
fn limits(context: &Context) -> (u32, u32) {
    use three_d::context::{MAX_RENDERBUFFER_SIZE, MAX_SAMPLES, MAX_TEXTURE_SIZE};
    let limit = |name: u32| {
        // SAFETY: reads an integer that every context has.
        let value = unsafe { context.get_parameter_i32(name) };
        u32::try_from(value).unwrap_or(0)
    };
    let samples = limit(MAX_SAMPLES);
    let samples = if samples == 0 { 0 } else { 1 << samples.ilog2() };
    (samples, limit(MAX_RENDERBUFFER_SIZE).min(limit(MAX_TEXTURE_SIZE)))
}
