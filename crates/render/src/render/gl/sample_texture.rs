use three_d::context::{RGBA8, SRGB8_ALPHA8, TEXTURE_2D_MULTISAMPLE, Texture};
use three_d::{Context, HasContext};

use super::driver::is_software;
use crate::render::RenderError;

pub(crate) struct SampleTexture {
    context: Context,
    id: Texture,
}

impl SampleTexture {
    /// Returns a texture on software drivers and `None` on other drivers. Software drivers recompile their own resolve
    /// shader in each process, but cache our programs.
    pub(crate) fn where_faster(
        context: &Context,
        size: [u32; 2],
        samples: u32,
        is_encoded: bool,
    ) -> Result<Option<Self>, RenderError> {
        // OpenGL ES reads samples only from 3.1 on.
        let is_faster = samples > 1 && !context.version().is_embedded && is_software(context);
        is_faster.then(|| Self::new(context, size, samples, is_encoded)).transpose()
    }

    /// Allocates eight bits per channel. If `is_encoded`, reading a texel decodes sRGB to linear light.
    #[expect(unsafe_code, reason = "three-d has no such textures")]
    fn new(context: &Context, size: [u32; 2], samples: u32, is_encoded: bool) -> Result<Self, RenderError> {
        let format = if is_encoded { SRGB8_ALPHA8 } else { RGBA8 };
        let [samples, format] = [samples, format].map(u32::cast_signed);
        let [width, height] = size.map(u32::cast_signed);
        // SAFETY: creates a texture with storage; nothing stays bound.
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
        // SAFETY: nothing else refers to this texture.
        unsafe { self.context.delete_texture(self.id) };
    }
}
