//! What a surface looks like, as far as a rig viewer draws it.

use std::sync::Arc;

use glam::{Vec3, Vec4};

/// Index into `Rig::materials`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialIndex(pub usize);

/// Base colour and how it covers.
#[derive(Clone, Debug)]
pub struct Material {
    /// The file's name; may be empty.
    pub name: String,
    /// Linear RGBA, multiplied with the texture and the vertex colour.
    pub base_color: Vec4,
    /// Base colour texture; its coordinates are the primitive's `tex_coords`.
    pub texture: Option<Texture>,
    /// How alpha covers.
    pub alpha: Alpha,
    /// Draws back faces too, with the normal turned.
    pub is_double_sided: bool,
    /// Perceptual roughness, 0 to 1.
    pub roughness: f32,
    /// 0 to 1.
    pub metallic: f32,
    /// Emitted light, linear RGB, >= 0; may exceed 1.
    pub emission: Vec3,
    /// Drawn without light.
    pub is_unlit: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            texture: None,
            alpha: Alpha::Opaque,
            is_double_sided: false,
            roughness: 1.0,
            metallic: 0.0,
            emission: Vec3::ZERO,
            is_unlit: false,
        }
    }
}

/// How the alpha of the base colour covers what is behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alpha {
    /// Ignored.
    Opaque,
    /// Covers fully where it is at least this, else not at all.
    Mask(f32),
    /// Mixed.
    Blend,
}

/// An image and how it is sampled.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Index into `Rig::images`.
    pub image: usize,
    /// Beyond 0 to 1, horizontally and vertically.
    pub wrap: [Wrap; 2],
    /// Nearest texel instead of a blend, for pixel art.
    pub is_nearest: bool,
}

/// What lies beyond the edge of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The image again, mirrored.
    Mirror,
    /// Its edge.
    Clamp,
}

/// Decoded pixels, 8-bit sRGB with straight alpha, rows from the top.
#[derive(Clone)]
pub struct Image {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// `4 * width * height` bytes.
    pub rgba: Arc<[u8]>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image {}x{}", self.width, self.height)
    }
}
