//! Arrays for shaders as textures that are read by `texelFetch`: any length, no limit like that of uniforms.

use std::marker::PhantomData;

use three_d::context::{FLOAT, R32F, RED, RG, RG32F, RGBA, RGBA8, RGBA32F, Texture, UNSIGNED_BYTE};
use three_d::{Context, HasContext, Wrapping};

use super::gpu_texture::{GpuTexture, Texels};
use crate::render::RenderError;

/// Texels of a row; every OpenGL takes it, and it is a multiple of a joint's 8 texels.
pub const ROW: usize = 2048;

/// What a data texture may hold.
pub trait Texel: bytemuck::Pod {
    const FORMAT: Texels;
}

impl Texel for f32 {
    const FORMAT: Texels = Texels { stored: R32F, channels: RED, kind: FLOAT, bytes: 4 };
}

impl Texel for [u8; 4] {
    const FORMAT: Texels = Texels { stored: RGBA8, channels: RGBA, kind: UNSIGNED_BYTE, bytes: 4 };
}

impl Texel for [f32; 2] {
    const FORMAT: Texels = Texels { stored: RG32F, channels: RG, kind: FLOAT, bytes: 8 };
}

impl Texel for [f32; 4] {
    const FORMAT: Texels = Texels { stored: RGBA32F, channels: RGBA, kind: FLOAT, bytes: 16 };
}

/// An array of texels of one type, wrapped into rows. `texelAt` in `skinning.glsl` reads it by index.
pub struct DataTexture<T> {
    texture: GpuTexture,
    size: [usize; 2],
    texel: PhantomData<T>,
}

/// What lies in a data texture from a texel on.
#[derive(Clone, Copy)]
pub struct TexelsFrom<'a, T> {
    pub data: &'a DataTexture<T>,
    pub start: usize,
}

impl<T: Texel> DataTexture<T> {
    /// Room for so many texels, not yet filled.
    ///
    /// *Errors*: [`RenderError::TooLarge`], naming `what`.
    pub fn new(context: &Context, what: &'static str, texels: usize) -> Result<Self, RenderError> {
        let [width, rows] = size_for(texels);
        let limit = max_texture_side(context);
        if rows > limit {
            return Err(RenderError::TooLarge { what, wanted: texels, limit: limit * ROW });
        }
        let size = [width as u32, rows as u32];
        let texture = GpuTexture::new(context, size, 1, T::FORMAT, [Wrapping::ClampToEdge; 2], || {});
        Ok(Self { texture, size: [width, rows], texel: PhantomData })
    }

    /// True where so many texels need the same room.
    pub fn fits(&self, texels: usize) -> bool {
        size_for(texels) == self.size
    }

    /// Replaces texels; `first` is a multiple of [`ROW`].
    pub fn write(&self, first: usize, texels: &[T]) {
        let (whole, rest) = texels.split_at(texels.len() / ROW * ROW);
        let row = first / ROW;
        for (row, texels, size) in
            [(row, whole, [ROW, whole.len() / ROW]), (row + whole.len() / ROW, rest, [rest.len(), 1])]
        {
            if !texels.is_empty() {
                self.texture.write(0, row, size, bytemuck::cast_slice(texels));
            }
        }
    }

    pub fn id(&self) -> Option<Texture> {
        self.texture.id()
    }
}

/// Columns and rows: a file may have 100,000 small arrays, none of which needs a whole row.
fn size_for(texels: usize) -> [usize; 2] {
    const STEP: usize = 64;
    [texels.next_multiple_of(STEP).clamp(STEP, ROW), texels.div_ceil(ROW).max(1)]
}

/// Largest width and height of a texture.
#[expect(unsafe_code, reason = "three-d does not tell this limit")]
pub fn max_texture_side(context: &Context) -> usize {
    // SAFETY: reads an integer that every context has.
    let side = unsafe { context.get_parameter_i32(three_d::context::MAX_TEXTURE_SIZE) };
    usize::try_from(side).unwrap_or(0).max(ROW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_array_takes_no_whole_row() {
        assert_eq!([0, 6, 65, ROW, ROW + 1].map(size_for), [[64, 1], [64, 1], [128, 1], [ROW, 1], [ROW, 2]]);
    }
}
