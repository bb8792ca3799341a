//! Arrays for shaders as textures that are read by `texelFetch`: any length, no limit like that of uniforms.

use three_d::{Context, HasContext, Interpolation, Texture2D, TextureDataType, Wrapping};

use super::RenderError;

/// Texels of a row; every OpenGL takes it, and it is a multiple of a joint's 8 texels.
const ROW: usize = 2048;

/// An array of texels of one type, wrapped into rows. `texelAt` in `skinning.glsl` reads it by index.
pub(super) struct DataTexture {
    texture: Texture2D,
    rows: usize,
}

impl DataTexture {
    /// *Errors*: [`RenderError::TooLarge`], naming `what`.
    pub fn new<T: TextureDataType + Clone + Default>(
        context: &Context,
        what: &'static str,
        texels: &[T],
    ) -> Result<Self, RenderError> {
        let rows = texels.len().div_ceil(ROW).max(1);
        let limit = max_texture_side(context);
        if rows > limit {
            return Err(RenderError::TooLarge { what, wanted: texels.len(), limit: limit * ROW });
        }
        let nearest = Interpolation::Nearest;
        let clamp = Wrapping::ClampToEdge;
        let texture = Texture2D::new_empty::<T>(context, ROW as u32, rows as u32, nearest, nearest, None, clamp, clamp);
        let data = Self { texture, rows };
        data.write(texels);
        Ok(data)
    }

    /// True where as many texels need as many rows.
    pub fn fits(&self, texels: usize) -> bool {
        texels.div_ceil(ROW).max(1) == self.rows
    }

    /// Replaces the content by one that [`Self::fits`].
    pub fn write<T: TextureDataType + Clone + Default>(&self, texels: &[T]) {
        debug_assert!(self.fits(texels.len()), "a data texture keeps its number of rows");
        let mut padded = texels.to_vec();
        padded.resize(self.rows * ROW, T::default());
        self.texture.fill(&padded);
    }

    pub fn texture(&self) -> &Texture2D {
        &self.texture
    }
}

/// Largest width and height of a texture.
#[expect(unsafe_code, reason = "three-d does not tell this limit")]
pub(super) fn max_texture_side(context: &Context) -> usize {
    // SAFETY: reads an integer that every context has.
    let side = unsafe { context.get_parameter_i32(three_d::context::MAX_TEXTURE_SIZE) };
    usize::try_from(side).unwrap_or(0).max(ROW)
}
