use std::iter::repeat_n;
use std::marker::PhantomData;

use three_d::context::{
    FLOAT, MAX_ARRAY_TEXTURE_LAYERS, MAX_TEXTURE_SIZE, NEAREST, PixelUnpackData, R32F, RED, RG, RG32F, RGBA, RGBA8,
    RGBA32F, TEXTURE_2D_ARRAY, TEXTURE_MAG_FILTER, TEXTURE_MIN_FILTER, Texture, UNSIGNED_BYTE,
};
use three_d::{Context, HasContext};

use super::convert::int;
use super::gpu_texture::Texels;
use crate::render::RenderError;

/// Texels per row: a multiple of eight that every OpenGL driver supports.
pub(crate) const ROW: usize = 2048;

pub(crate) trait Texel: bytemuck::Pod {
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

/// An array that is too long for uniforms, stored as texels in rows and layers. `texelAt` in `texels.glsl` reads a
/// texel by index.
pub(crate) struct DataTexture<T> {
    context: Context,
    id: Texture,
    size: Size,
    texel: PhantomData<T>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Size {
    width: usize,
    rows: usize,
    layers: usize,
}

#[derive(Clone, Copy)]
pub(crate) struct TexelsFrom<'a, T> {
    pub data: &'a DataTexture<T>,
    pub start: usize,
}

impl<T: Texel> DataTexture<T> {
    #[expect(unsafe_code, reason = "three-d's texture arrays are filled only as a whole")]
    pub(crate) fn new(context: &Context, what: &'static str, texels: usize) -> Result<Self, RenderError> {
        let max_rows = max_texture_side(context);
        let size = Size::for_texels(texels, max_rows);
        let limit = (ROW * max_rows).saturating_mul(limit(context, MAX_ARRAY_TEXTURE_LAYERS)).min(i32::MAX as usize);
        if texels > limit {
            return Err(RenderError::TooLarge { what, wanted: texels, limit });
        }
        let [width, rows, layers] = [size.width, size.rows, size.layers].map(int);
        // SAFETY: creates a texture and its storage; nothing stays bound.
        unsafe {
            let id = context.create_texture().map_err(RenderError::Drawing)?;
            context.bind_texture(TEXTURE_2D_ARRAY, Some(id));
            context.tex_storage_3d(TEXTURE_2D_ARRAY, 1, T::FORMAT.stored, width, rows, layers);
            for filter in [TEXTURE_MIN_FILTER, TEXTURE_MAG_FILTER] {
                context.tex_parameter_i32(TEXTURE_2D_ARRAY, filter, NEAREST.cast_signed());
            }
            context.bind_texture(TEXTURE_2D_ARRAY, None);
            Ok(Self { context: context.clone(), id, size, texel: PhantomData })
        }
    }

    /// Uploads texels, reusing `previous` if they fit.
    pub(crate) fn filled(
        context: &Context,
        what: &'static str,
        previous: Option<Self>,
        texels: &[T],
    ) -> Result<Self, RenderError> {
        let data = match previous.filter(|previous| previous.fits(texels.len())) {
            Some(previous) => previous,
            None => Self::new(context, what, texels.len())?,
        };
        data.write(0, texels);
        Ok(data)
    }

    fn fits(&self, texels: usize) -> bool {
        Size::for_texels(texels, self.size.rows) == self.size
    }

    /// Writes texels from index `first` on, which must be a multiple of [`ROW`].
    pub(crate) fn write(&self, first: usize, mut texels: &[T]) {
        let mut row = first / ROW;
        while !texels.is_empty() {
            let left_in_layer = self.size.rows - row % self.size.rows;
            let rows = (texels.len() / ROW).min(left_in_layer);
            let [width, rows] = if rows == 0 { [texels.len(), 1] } else { [ROW, rows] };
            let (now, rest) = texels.split_at(width * rows);
            self.write_rows(row, [width, rows], bytemuck::cast_slice(now));
            (row, texels) = (row + rows, rest);
        }
    }

    /// Fills rows of one layer, or part of one row; `row` counts through all layers.
    #[expect(unsafe_code, reason = "three-d's texture arrays are filled only as a whole")]
    fn write_rows(&self, row: usize, [width, rows]: [usize; 2], bytes: &[u8]) {
        assert_eq!(bytes.len(), width * rows * T::FORMAT.bytes, "OpenGL reads as many bytes as the rows have");
        let data = PixelUnpackData::Slice(Some(bytes));
        let [y, layer, width, rows] = [row % self.size.rows, row / self.size.rows, width, rows].map(int);
        let (context, Texels { channels, kind, .. }) = (&self.context, T::FORMAT);
        // SAFETY: OpenGL checks the range against the storage; the slice has exactly the bytes that OpenGL reads.
        unsafe {
            context.bind_texture(TEXTURE_2D_ARRAY, Some(self.id));
            context.tex_sub_image_3d(TEXTURE_2D_ARRAY, 0, 0, y, layer, width, rows, 1, channels, kind, data);
            context.bind_texture(TEXTURE_2D_ARRAY, None);
        }
    }
}

impl<T> DataTexture<T> {
    pub(crate) fn id(&self) -> Texture {
        self.id
    }
}

impl<T> Drop for DataTexture<T> {
    #[expect(unsafe_code, reason = "what was created here is deleted here")]
    fn drop(&mut self) {
        // SAFETY: nothing else knows this texture.
        unsafe { self.context.delete_texture(self.id) };
    }
}

/// One value per vertex of a rig, ordered by primitive.
pub(crate) struct VertexTexels<T> {
    data: DataTexture<T>,
    starts: Vec<usize>,
}

impl<T: Texel> VertexTexels<T> {
    /// Uploads each primitive's values, truncated or padded with `missing` to its vertex count. Reuses `previous` if
    /// the values fit. *Errors*: more vertices than a texture holds.
    pub(crate) fn new<'a, V: Copy + 'a>(
        context: &Context,
        what: &'static str,
        previous: Option<Self>,
        (values, vertex_counts): (impl Iterator<Item = &'a [V]>, &[usize]),
        (missing, texel): (T, impl Fn(V) -> T),
    ) -> Result<Self, RenderError> {
        let texels = flattened(values, vertex_counts, missing, texel);
        let data = DataTexture::filled(context, what, previous.map(|previous| previous.data), &texels)?;
        let mut end = 0;
        let starts = vertex_counts.iter().map(|count| {
            end += count;
            end - count
        });
        Ok(Self { data, starts: starts.collect() })
    }

    pub(crate) fn id(&self) -> Texture {
        self.data.id
    }

    pub(crate) fn primitive(&self, index: usize) -> Option<TexelsFrom<'_, T>> {
        Some(TexelsFrom { data: &self.data, start: *self.starts.get(index)? })
    }
}

fn flattened<'a, V: Copy + 'a, T: Copy>(
    mut values: impl Iterator<Item = &'a [V]>,
    vertex_counts: &[usize],
    missing: T,
    texel: impl Fn(V) -> T,
) -> Vec<T> {
    let mut texels = Vec::with_capacity(vertex_counts.iter().sum());
    for &count in vertex_counts {
        let values = values.next().unwrap_or_default();
        let values = &values[..count.min(values.len())];
        texels.extend(values.iter().map(|value| texel(*value)));
        texels.extend(repeat_n(missing, count - values.len()));
    }
    texels
}

impl Size {
    /// Uses short rows for small arrays to save memory, because a file may have 100,000 small arrays.
    fn for_texels(texels: usize, max_rows: usize) -> Self {
        const STEP: usize = 64;
        let rows = texels.div_ceil(ROW).max(1);
        let layers = rows.div_ceil(max_rows);
        Self { width: texels.next_multiple_of(STEP).clamp(STEP, ROW), rows: rows.div_ceil(layers), layers }
    }
}

pub(crate) fn max_texture_side(context: &Context) -> usize {
    limit(context, MAX_TEXTURE_SIZE)
}

#[expect(unsafe_code, reason = "three-d does not expose limits")]
pub(crate) fn limit(context: &Context, name: u32) -> usize {
    // SAFETY: reads an integer that every context has.
    let limit = unsafe { context.get_parameter_i32(name) };
    usize::try_from(limit).unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_fit_the_mesh_are_padded_or_cut() {
        let values = [vec![1.0, 2.0], vec![3.0]];
        let flat = |counts: &[usize]| flattened(values.iter().map(Vec::as_slice), counts, -1.0, |v| v);
        assert_eq!(flat(&[1, 2, 1]), [1.0, 3.0, -1.0, -1.0]);
        assert!(flat(&[]).is_empty());
    }

    #[test]
    fn a_small_array_takes_no_whole_row_and_a_long_one_several_layers() {
        let size = |texels| {
            let Size { width, rows, layers } = Size::for_texels(texels, 4);
            [width, rows, layers]
        };
        assert_eq!([0, 6, 65].map(size), [[64, 1, 1], [64, 1, 1], [128, 1, 1]]);
        assert_eq!([ROW, ROW + 1, 4 * ROW].map(size), [[ROW, 1, 1], [ROW, 2, 1], [ROW, 4, 1]]);
        assert_eq!([4 * ROW + 1, 9 * ROW].map(size), [[ROW, 3, 2], [ROW, 3, 3]]);
    }
}
