use std::ops::{Index, IndexMut};
use std::sync::Arc;

use glam::{Affine2, Vec3, Vec4};

/// Index into `Rig::materials`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialIndex(pub usize);

/// Surface material, following the model of glTF 2.0, appendix B, and its extensions. Factors are 0 to 1.
#[derive(Clone, Debug)]
pub struct Material {
    /// Name in the file; may be empty.
    pub name: String,
    /// Base colour, linear RGBA, multiplied by texture and vertex colour.
    pub base_color: Vec4,
    /// Base colour texture, sampled at the primitive's `tex_coords` without a further transform.
    pub texture: Option<Texture>,
    /// All other textures. Each is multiplied by its factor in this struct.
    pub maps: Maps,
    /// Textures that could not be read. A missing base colour texture is replaced by a checker in `texture`.
    pub missing: Vec<MissingTexture>,
    /// How the alpha of the base colour is used.
    pub alpha: Alpha,
    /// Whether back faces are drawn, with flipped normals.
    pub is_double_sided: bool,
    /// Perceptual roughness, 0 to 1.
    pub roughness: f32,
    /// Metalness, 0 to 1.
    pub metallic: f32,
    /// Emitted light, linear RGB, >= 0; may exceed 1.
    pub emission: Vec3,
    /// Scale of x and y in the [`MapKind::Normal`] texture.
    pub normal_scale: f32,
    /// Strength of [`MapKind::Occlusion`], 0 to 1.
    pub occlusion_strength: f32,
    /// Specular reflection of dielectrics.
    pub specular: Specular,
    /// Clear coat.
    pub coat: Coat,
    /// Sheen of cloth fibres.
    pub sheen: Sheen,
    /// Fraction of light transmitted instead of scattered, 0 to 1.
    pub transmission: f32,
    /// Whether lighting is ignored.
    pub is_unlit: bool,
    /// Texture transform applied by facial expressions; `None` for materials as imported.
    pub moved_coords: Option<Affine2>,
}

/// Specular reflection of a dielectric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Specular {
    /// Reflectance at normal incidence (F0), linear RGB, 0 to 1.
    pub at_normal: Vec3,
    /// Reflectance at grazing angles (F90), 0 to 1.
    pub strength: f32,
}

/// Clear coat layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coat {
    /// Strength, 0 to 1.
    pub strength: f32,
    /// Perceptual roughness, 0 to 1.
    pub roughness: f32,
    /// Scale of x and y in the coat's normal texture.
    pub normal_scale: f32,
}

/// Sheen of fibres, such as cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sheen {
    /// Colour, linear RGB, 0 to 1.
    pub color: Vec3,
    /// Perceptual roughness, 0 to 1.
    pub roughness: f32,
}

impl Specular {
    /// Computes the reflectance at normal incidence from an index of refraction.
    pub fn f0_from_ior(ior: f32) -> f32 {
        ((ior - 1.0) / (ior + 1.0)).powi(2)
    }
}

impl Default for Specular {
    fn default() -> Self {
        Self { at_normal: Vec3::splat(0.04), strength: 1.0 }
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            texture: None,
            maps: Maps::default(),
            missing: Vec::new(),
            alpha: Alpha::Opaque,
            is_double_sided: false,
            roughness: 1.0,
            metallic: 0.0,
            emission: Vec3::ZERO,
            normal_scale: 1.0,
            occlusion_strength: 1.0,
            specular: Specular::default(),
            coat: Coat::default(),
            sheen: Sheen::default(),
            transmission: 0.0,
            is_unlit: false,
            moved_coords: None,
        }
    }
}

crate::named_enum! {
    /// What a texture is used for, other than base colour.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum MapKind {
        /// Tangent-space normals, +Y up (green).
        Normal = "normal";
        /// Green: roughness; blue: metallic.
        MetallicRoughness = "metallic-roughness";
        /// F0 in RGB, glossiness in alpha, replacing metallic-roughness; scaled by [`Specular::at_normal`] and
        /// roughness.
        SpecularGlossiness = "specular-glossiness";
        /// Red: ambient occlusion, the fraction of ambient light that reaches the surface.
        Occlusion = "occlusion";
        /// Emission colour.
        Emission = "emissive";
        /// Red: clear coat strength.
        Coat = "clearcoat";
        /// Green: clear coat roughness.
        CoatRoughness = "clearcoat roughness";
        /// Tangent-space normals of the clear coat, +Y up (green).
        CoatNormal = "clearcoat normal";
        /// Sheen colour.
        Sheen = "sheen colour";
        /// Alpha: sheen roughness.
        SheenRoughness = "sheen roughness";
        /// Alpha: specular strength.
        Specular = "specular";
        /// Specular colour.
        SpecularColor = "specular colour";
        /// Red: transmission.
        Transmission = "transmission";
    }
}

impl MapKind {
    /// Returns whether the channels are linear data instead of sRGB colours.
    pub fn is_data(self) -> bool {
        !matches!(self, Self::SpecularGlossiness | Self::Emission | Self::Sheen | Self::SpecularColor)
    }
}

/// Textures of a material other than its base colour texture, by kind.
#[derive(Clone, Debug, Default)]
pub struct Maps([Option<Texture>; MapKind::ALL.len()]);

impl Maps {
    /// Iterates over existing textures with their kinds.
    pub fn iter(&self) -> impl Iterator<Item = (MapKind, &Texture)> {
        MapKind::ALL.into_iter().zip(&self.0).filter_map(|(kind, texture)| Some((kind, texture.as_ref()?)))
    }
}

impl Index<MapKind> for Maps {
    type Output = Option<Texture>;

    fn index(&self, kind: MapKind) -> &Option<Texture> {
        &self.0[kind as usize]
    }
}

impl IndexMut<MapKind> for Maps {
    fn index_mut(&mut self, kind: MapKind) -> &mut Option<Texture> {
        &mut self.0[kind as usize]
    }
}

/// Alpha mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alpha {
    /// Alpha is ignored.
    Opaque,
    /// Opaque where alpha reaches the cutoff, otherwise invisible.
    Mask(f32),
    /// Blended by alpha.
    Blend,
}

/// An image with its sampling parameters.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Index into `Rig::images`.
    pub image: usize,
    /// Wrap modes of u and v.
    pub wrap: [Wrap; 2],
    /// Whether to use nearest-neighbour filtering, for pixel art.
    pub is_nearest: bool,
    /// Texture coordinate set.
    pub coords: CoordSet,
    /// Transform from `coords` to image coordinates; `None` for the identity.
    pub transform: Option<Affine2>,
}

/// A texture whose image could not be read.
#[derive(Clone, Debug)]
pub struct MissingTexture {
    /// What the texture is used for; `None` for base colour.
    pub kind: Option<MapKind>,
    /// Path of the image file as written in the model, with slashes; `None` if the image is not a file.
    pub file: Option<String>,
    /// Sampling parameters; the image index is meaningless.
    pub texture: Texture,
}

/// Texture coordinate set of a primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoordSet {
    /// `Primitive::tex_coords`.
    #[default]
    First,
    /// `Primitive::second_tex_coords`.
    Second,
}

/// Texture wrap mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// Repeats the image.
    #[default]
    Repeat,
    /// Repeats the image, mirroring every second copy.
    Mirror,
    /// Extends the edge colour.
    Clamp,
}

/// Decoded image: 8 bits per channel, straight alpha, top row first; sRGB unless [`MapKind::is_data`].
#[derive(Clone)]
pub struct Image {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// RGBA bytes, `4 * width * height`.
    pub rgba: Arc<[u8]>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image {}x{}", self.width, self.height)
    }
}
