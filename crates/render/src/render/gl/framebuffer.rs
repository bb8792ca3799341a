//! Reusable framebuffers; three-d creates one per pass.

use three_d::context::{
    COLOR_ATTACHMENT0, COLOR_BUFFER_BIT, DEPTH_ATTACHMENT, DEPTH_BUFFER_BIT, DEPTH_COMPONENT24, DRAW_FRAMEBUFFER,
    FRAMEBUFFER, Framebuffer as FramebufferId, NEAREST, NONE, PixelPackData, READ_FRAMEBUFFER, RENDERBUFFER, RGBA,
    RGBA8, Renderbuffer, SAMPLES, SRGB8_ALPHA8, TEXTURE_2D, TEXTURE_2D_MULTISAMPLE, UNSIGNED_BYTE,
};
use three_d::{Context, HasContext, Viewport};

use super::convert::int;
use super::gpu_texture::GpuTexture;
use super::sample_texture::SampleTexture;
use crate::render::RenderError;

/// Framebuffer with colour and depth attachments of equal size. Attached textures must outlive the framebuffer.
pub(crate) struct Framebuffer {
    context: Context,
    id: FramebufferId,
    storage: Vec<Renderbuffer>,
    size: [u32; 2],
}

#[derive(Clone, Copy)]
pub(crate) enum Attachment<'a> {
    None,
    /// A renderbuffer with this number of samples per pixel (0 means one). It can be copied, but not sampled.
    Samples(u32),
    /// Like `Samples`, but the driver encodes colours as sRGB while encoding is enabled.
    EncodedSamples(u32),
    Texture(&'a GpuTexture),
    SampleTexture(&'a SampleTexture),
}

impl Framebuffer {
    /// Creates a framebuffer with 8-bit colour channels and 24-bit depth. `size` is in pixels.
    #[expect(unsafe_code, reason = "three-d makes a framebuffer for every pass")]
    pub(crate) fn new(
        context: &Context,
        size: [u32; 2],
        color: Attachment<'_>,
        depth: Attachment<'_>,
    ) -> Result<Self, RenderError> {
        let failed = RenderError::Drawing;
        let [width, height] = size.map(u32::cast_signed);
        let parts = [(color, COLOR_ATTACHMENT0, RGBA8), (depth, DEPTH_ATTACHMENT, DEPTH_COMPONENT24)];
        // SAFETY: creates a framebuffer and its storage; nothing stays bound.
        unsafe {
            let id = context.create_framebuffer().map_err(failed)?;
            let mut made = Self { context: context.clone(), id, storage: Vec::new(), size };
            context.bind_framebuffer(FRAMEBUFFER, Some(id));
            for (kept, attachment, format) in parts {
                match kept {
                    Attachment::None => {}
                    Attachment::Texture(texture) => {
                        context.framebuffer_texture_2d(FRAMEBUFFER, attachment, TEXTURE_2D, texture.id(), 0);
                    }
                    Attachment::SampleTexture(texture) => {
                        let (kind, id) = (TEXTURE_2D_MULTISAMPLE, Some(texture.id()));
                        context.framebuffer_texture_2d(FRAMEBUFFER, attachment, kind, id, 0);
                    }
                    Attachment::Samples(samples) | Attachment::EncodedSamples(samples) => {
                        let is_encoded = matches!(kept, Attachment::EncodedSamples(_));
                        let format = if is_encoded { SRGB8_ALPHA8 } else { format };
                        let storage = context.create_renderbuffer().map_err(failed)?;
                        made.storage.push(storage);
                        context.bind_renderbuffer(RENDERBUFFER, Some(storage));
                        let samples = samples.cast_signed();
                        context.renderbuffer_storage_multisample(RENDERBUFFER, samples, format, width, height);
                        context.framebuffer_renderbuffer(FRAMEBUFFER, attachment, RENDERBUFFER, Some(storage));
                    }
                }
            }
            if matches!(color, Attachment::None) {
                // Older drivers need this to render depth alone.
                context.draw_buffers(&[NONE]);
            }
            context.bind_renderbuffer(RENDERBUFFER, None);
            context.bind_framebuffer(FRAMEBUFFER, None);
            Ok(made)
        }
    }

    /// Returns the number of samples per pixel, which is at least the requested number.
    #[expect(unsafe_code, reason = "three-d does not query samples")]
    pub(crate) fn samples(&self) -> u32 {
        // SAFETY: reads an integer of a live framebuffer.
        let samples = unsafe {
            self.context.bind_framebuffer(FRAMEBUFFER, Some(self.id));
            let samples = self.context.get_parameter_i32(SAMPLES);
            self.context.bind_framebuffer(FRAMEBUFFER, None);
            samples
        };
        u32::try_from(samples).unwrap_or(0).max(1)
    }

    pub(crate) fn whole(&self) -> Viewport {
        Viewport::new_at_origo(self.size[0], self.size[1])
    }

    #[expect(unsafe_code, reason = "three-d binds its own framebuffers only")]
    pub(crate) fn write_in<T>(&self, part: Viewport, draw: impl FnOnce() -> T) -> T {
        // SAFETY: binds a live framebuffer.
        unsafe { self.context.bind_framebuffer(DRAW_FRAMEBUFFER, Some(self.id)) };
        self.context.set_scissor(part.into());
        draw()
    }

    pub(crate) fn write<T>(&self, draw: impl FnOnce() -> T) -> T {
        self.write_in(self.whole(), draw)
    }

    #[expect(unsafe_code, reason = "three-d clears its own framebuffers only")]
    pub(crate) fn clear(&self, color: Option<[f32; 4]>) {
        let context = &self.context;
        context.set_scissor(self.whole().into());
        // SAFETY: clears a live framebuffer.
        unsafe {
            context.bind_framebuffer(DRAW_FRAMEBUFFER, Some(self.id));
            context.depth_mask(true);
            context.clear_depth_f32(1.0);
            if let Some([red, green, blue, alpha]) = color {
                context.color_mask(true, true, true, true);
                context.clear_color(red, green, blue, alpha);
            }
            context.clear(DEPTH_BUFFER_BIT | color.map_or(0, |_| COLOR_BUFFER_BIT));
        }
    }

    pub(crate) fn copy_color_to(&self, other: &Self) {
        self.copy_to(other, COLOR_BUFFER_BIT);
    }

    pub(crate) fn copy_depth_to(&self, other: &Self) {
        self.copy_to(other, DEPTH_BUFFER_BIT);
    }

    #[expect(unsafe_code, reason = "three-d copies its own framebuffers only")]
    fn copy_to(&self, other: &Self, what: u32) {
        let (context, [width, height]) = (&self.context, self.size.map(u32::cast_signed));
        // The scissor box also clips blits.
        context.set_scissor(other.whole().into());
        // SAFETY: both framebuffers are live, and OpenGL checks their sizes.
        unsafe {
            context.bind_framebuffer(READ_FRAMEBUFFER, Some(self.id));
            context.bind_framebuffer(DRAW_FRAMEBUFFER, Some(other.id));
            context.blit_framebuffer(0, 0, width, height, 0, 0, width, height, what, NEAREST);
        }
    }

    /// Reads the colours, RGBA8, top row first. Requires one sample per pixel.
    #[expect(unsafe_code, reason = "three-d reads its own framebuffers only")]
    pub(crate) fn read(&self) -> Vec<u8> {
        let [width, height] = self.size.map(|side| side as usize);
        let mut pixels = vec![0; width * height * 4];
        let data = PixelPackData::Slice(Some(&mut pixels));
        // SAFETY: tightly packed rows of four bytes per pixel; the slice has room for all.
        unsafe {
            self.context.bind_framebuffer(READ_FRAMEBUFFER, Some(self.id));
            self.context.read_pixels(0, 0, int(width), int(height), RGBA, UNSIGNED_BYTE, data);
        }
        let mut rows: Vec<&[u8]> = pixels.chunks_exact((width * 4).max(1)).collect();
        rows.reverse();
        rows.concat()
    }
}

impl Drop for Framebuffer {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else refers to these objects.
        unsafe {
            self.context.delete_framebuffer(self.id);
            for &storage in &self.storage {
                self.context.delete_renderbuffer(storage);
            }
        }
    }
}
