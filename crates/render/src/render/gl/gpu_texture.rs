use three_d::context::{
    COMPARE_REF_TO_TEXTURE, DEPTH_COMPONENT, DEPTH_COMPONENT16, DEPTH_COMPONENT24, LEQUAL, LINEAR,
    LINEAR_MIPMAP_NEAREST, NEAREST, PixelUnpackData, RGBA, RGBA8, SRGB8_ALPHA8, TEXTURE_2D, TEXTURE_BINDING_2D,
    TEXTURE_COMPARE_FUNC, TEXTURE_COMPARE_MODE, TEXTURE_MAG_FILTER, TEXTURE_MIN_FILTER, Texture, UNSIGNED_BYTE,
    UNSIGNED_INT, UNSIGNED_SHORT,
};
use three_d::{Context, HasContext, Interpolation, Texture2D, Wrapping};

use super::convert::int;

const TEXTURE_SRGB_DECODE: u32 = 0x8A48;
const SKIP_DECODE: u32 = 0x8A4A;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Texels {
    /// Sized internal format on the graphics card.
    pub stored: u32,
    pub channels: u32,
    pub kind: u32,
    /// Bytes per uploaded texel, a multiple of 4.
    pub bytes: usize,
}

/// A texture with immutable storage. Each mipmap level can be uploaded row by row, starting with row 0.
pub(crate) struct GpuTexture {
    context: Context,
    texture: Texture2D,
    id: Option<Texture>,
    texels: Texels,
}

impl GpuTexture {
    /// Creates a texture. `parameters` are OpenGL parameter names and values that three-d doesn't support.
    #[expect(unsafe_code, reason = "three-d offers no formats and no levels by themselves")]
    pub(crate) fn new(
        context: &Context,
        [width, height]: [u32; 2],
        levels: u32,
        texels: Texels,
        wrap: [Wrapping; 2],
        parameters: &[(u32, u32)],
    ) -> Self {
        let nearest = Interpolation::Nearest;
        let mut id = None;
        // SAFETY: the callback allocates storage of the given size for the bound texture, sets its parameters and
        // queries its name.
        let texture = unsafe {
            Texture2D::new_unchecked::<[u8; 4]>(
                context,
                width,
                height,
                nearest,
                nearest,
                None,
                wrap[0],
                wrap[1],
                |_| {
                    let size = [width, height].map(u32::cast_signed);
                    context.tex_storage_2d(TEXTURE_2D, levels.cast_signed(), texels.stored, size[0], size[1]);
                    for (name, value) in parameters {
                        context.tex_parameter_i32(TEXTURE_2D, *name, value.cast_signed());
                    }
                    id = context.get_parameter_texture(TEXTURE_BINDING_2D);
                },
            )
        };
        Self { context: context.clone(), texture, id, texels }
    }

    pub(crate) fn drawn(context: &Context, size: [u32; 2], levels: u32) -> Self {
        let texels = Texels { stored: RGBA8, channels: RGBA, kind: UNSIGNED_BYTE, bytes: 4 };
        let smaller = if levels > 1 { LINEAR_MIPMAP_NEAREST } else { LINEAR };
        let filters = [(TEXTURE_MIN_FILTER, smaller), (TEXTURE_MAG_FILTER, LINEAR)];
        Self::new(context, size, levels, texels, [Wrapping::ClampToEdge; 2], &filters)
    }

    /// Creates a texture to which encoded colours are copied. Reads neither decode nor filter them. Requires
    /// `EXT_texture_sRGB_decode`.
    pub(crate) fn drawn_encoded(context: &Context, size: [u32; 2]) -> Self {
        let texels = Texels { stored: SRGB8_ALPHA8, channels: RGBA, kind: UNSIGNED_BYTE, bytes: 4 };
        let parameters =
            [(TEXTURE_MIN_FILTER, NEAREST), (TEXTURE_MAG_FILTER, NEAREST), (TEXTURE_SRGB_DECODE, SKIP_DECODE)];
        Self::new(context, size, 1, texels, [Wrapping::ClampToEdge; 2], &parameters)
    }

    #[expect(unsafe_code, reason = "three-d makes levels of its own textures only")]
    pub(crate) fn make_levels(&self) {
        // SAFETY: fills allocated levels.
        unsafe {
            self.context.bind_texture(TEXTURE_2D, self.id);
            self.context.generate_mipmap(TEXTURE_2D);
        }
    }

    pub(crate) fn for_depth(context: &Context, size: [u32; 2]) -> Self {
        let texels = Texels { stored: DEPTH_COMPONENT24, channels: DEPTH_COMPONENT, kind: UNSIGNED_INT, bytes: 4 };
        Self::new(context, size, 1, texels, [Wrapping::ClampToEdge; 2], &[])
    }

    /// Creates a depth texture for `sampler2DShadow`, which compares before linear filtering.
    pub(crate) fn for_shadow(context: &Context, size: [u32; 2]) -> Self {
        let texels = Texels { stored: DEPTH_COMPONENT16, channels: DEPTH_COMPONENT, kind: UNSIGNED_SHORT, bytes: 2 };
        let parameters = [
            (TEXTURE_MIN_FILTER, LINEAR),
            (TEXTURE_MAG_FILTER, LINEAR),
            (TEXTURE_COMPARE_MODE, COMPARE_REF_TO_TEXTURE),
            (TEXTURE_COMPARE_FUNC, LEQUAL),
        ];
        Self::new(context, size, 1, texels, [Wrapping::ClampToEdge; 2], &parameters)
    }

    #[expect(unsafe_code, reason = "three-d fills textures only as a whole")]
    pub(crate) fn write(&self, level: u32, first_row: usize, [width, rows]: [usize; 2], bytes: &[u8]) {
        assert_eq!(bytes.len(), width * rows * self.texels.bytes, "OpenGL reads as many bytes as the rows have");
        let data = PixelUnpackData::Slice(Some(bytes));
        let (level, texels) = (level.cast_signed(), self.texels);
        let [y, width, rows] = [first_row, width, rows].map(int);
        // SAFETY: OpenGL checks the range against the storage; the slice has exactly the bytes that OpenGL reads.
        unsafe {
            self.context.bind_texture(TEXTURE_2D, self.id);
            self.context.tex_sub_image_2d(TEXTURE_2D, level, 0, y, width, rows, texels.channels, texels.kind, data);
            self.context.bind_texture(TEXTURE_2D, None);
        }
    }

    pub(crate) fn id(&self) -> Option<Texture> {
        self.id
    }

    pub(crate) fn texture(&self) -> &Texture2D {
        &self.texture
    }
}
