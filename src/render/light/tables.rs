use three_d::context::{
    FLOAT, LINEAR, RGBA, RGBA8, RGBA16F, TEXTURE_2D, TEXTURE_MAG_FILTER, TEXTURE_MIN_FILTER, UNSIGNED_BYTE,
};
use three_d::{Context, HasContext, Wrapping};

use super::reflectance;
use crate::environment::{EnvironmentLight, LEVELS, SIDE};
use crate::render::gl::gpu_texture::{GpuTexture, Texels};

pub(super) fn reflectance(context: &Context) -> GpuTexture {
    let format = Texels { stored: RGBA8, channels: RGBA, kind: UNSIGNED_BYTE, bytes: 4 };
    texture(context, [reflectance::SIDE; 2], format, reflectance::table().as_flattened())
}

pub(super) fn reflections(context: &Context, light: &EnvironmentLight) -> GpuTexture {
    let format = Texels { stored: RGBA16F, channels: RGBA, kind: FLOAT, bytes: 16 };
    texture(context, [SIDE, LEVELS * SIDE], format, bytemuck::cast_slice(&light.reflections))
}

#[expect(unsafe_code, reason = "three-d sets filters only where it fills textures itself")]
fn texture(context: &Context, [width, height]: [usize; 2], format: Texels, texels: &[u8]) -> GpuTexture {
    let size = [width as u32, height as u32];
    let texture = GpuTexture::new(context, size, 1, format, [Wrapping::ClampToEdge; 2], || {
        for name in [TEXTURE_MIN_FILTER, TEXTURE_MAG_FILTER] {
            // SAFETY: sets a parameter of the bound texture.
            unsafe { context.tex_parameter_i32(TEXTURE_2D, name, LINEAR.cast_signed()) };
        }
    });
    texture.write(0, 0, [width, height], texels);
    texture
}
