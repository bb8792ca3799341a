//! Multisampled colour that programs can read.

use three_d::context::{RGBA8, SRGB8_ALPHA8, TEXTURE_2D_MULTISAMPLE, Texture};
use three_d::{Context, HasContext};

use super::driver::{is_software, renderer};
use crate::render::RenderError;

/// Colour with several samples per pixel, which programs can read.
pub(crate) struct SampleTexture {
    context: Context,
    id: Texture,
}

impl SampleTexture {
    /// A sample texture; `None` where the driver's own resolve is faster: on all but software drivers, which recompile it in every process but cache our
    /// programs.
    ///
    /// *Errors*: a driver that cannot create more textures.
    pub(crate) fn where_faster(
        context: &Context,
        size: [u32; 2],
        samples: u32,
        is_encoded: bool,
    ) -> Result<Option<Self>, RenderError> {
        // OpenGL ES can read samples only from 3.1 on.
        let is_faster = samples > 1 && !context.version().is_embedded && is_software(&renderer(context));
        is_faster.then(|| Self::new(context, size, samples, is_encoded)).transpose()
    }

    /// A texture with this many samples per pixel, eight bits per channel; `is_encoded`: read values are decoded to linear light.
    ///
    /// *Errors*: a driver that cannot create more textures.
    #[expect(unsafe_code, reason = "three-d has no such textures")]
    fn new(context: &Context, size: [u32; 2], samples: u32, is_encoded: bool) -> Result<Self, RenderError> {
        let format = if is_encoded { SRGB8_ALPHA8 } else { RGBA8 };
        let [samples, format] = [samples, format].map(u32::cast_signed);
        let [width, height] = size.map(u32::cast_signed);
        // SAFETY: makes a texture with storage; nothing is bound afterwards.
        unsafe {
            let id = context.create_texture().map_err(RenderError::Drawing)?;
            context.bind_texture(TEXTURE_2D_MULTISAMPLE, Some(id));
            context.tex_image_2d_multisample(TEXTURE_2D_MULTISAMPLE, samples, format, width, height, true);
            context.bind_texture(TEXTURE_2D_MULTISAMPLE, None);
            Ok(Self { context: context.clone(), id })
        }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn id(&self) -> Texture {
        self.id
    }
}

impl Drop for SampleTexture {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows it.
        unsafe { self.context.delete_texture(self.id) };
    }
}
