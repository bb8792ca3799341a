//! Materials: base colour, reflection, and textures that vary them over the surface.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use glam::{Affine2, Vec3, Vec4};

/// Index into `Rig::materials`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialIndex(pub usize);

/// Base colour, coverage and reflection, by the model of glTF 2.0, appendix B, and its extensions.
#[derive(Clone, Debug)]
pub struct Material {
    /// The file's name; may be empty.
    pub name: String,
    /// Linear RGBA, multiplied with the texture and the vertex colour.
    pub base_color: Vec4,
    /// Base colour texture; its coordinates are the primitive's `tex_coords` as they are.
    pub texture: Option<Texture>,
    /// Textures other than the base colour's, each multiplied with its factor.
    pub maps: Maps,
    /// Textures that the file names and that cannot be read. In place of the base colour's, `texture` is a checker.
    pub missing: Vec<MissingTexture>,
    /// How the alpha of the base colour covers.
    pub alpha: Alpha,
    /// True where back faces are drawn too, with the normal turned.
    pub is_double_sided: bool,
    /// Perceptual roughness, 0 to 1.
    pub roughness: f32,
    /// Metalness, 0 to 1.
    pub metallic: f32,
    /// Emitted light, linear RGB, >= 0; may exceed 1.
    pub emission: Vec3,
    /// Factor on the tilt of normals by [`MapKind::Normal`].
    pub normal_scale: f32,
    /// How much [`MapKind::Occlusion`] counts, 0 to 1.
    pub occlusion_strength: f32,
    /// Reflection of a dielectric (a surface that is not metal).
    pub specular: Specular,
    /// Clear coat over the surface.
    pub coat: Coat,
    /// Light that fibres scatter sideways.
    pub sheen: Sheen,
    /// Share of the light that goes through instead of being scattered, 0 to 1.
    pub transmission: f32,
    /// True where the surface is drawn without light.
    pub is_unlit: bool,
    /// Further transform of the texture coordinates, which an expression of the face makes; `None` in files.
    pub moved_coords: Option<Affine2>,
}

/// Reflection of a dielectric (a surface that is not metal).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Specular {
    /// Reflectance at normal incidence, linear RGB, 0 to 1.
    pub at_normal: Vec3,
    /// Strength of the reflection at grazing angles, 0 to 1.
    pub strength: f32,
}

/// A clear layer over a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coat {
    /// Strength of the coat, 0 to 1.
    pub strength: f32,
    /// Perceptual roughness of the coat, 0 to 1.
    pub roughness: f32,
    /// Factor on the tilt of normals by the coat's normal texture.
    pub normal_scale: f32,
}

/// Light that fibres scatter sideways.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sheen {
    /// Colour of the sheen, linear RGB, 0 to 1.
    pub color: Vec3,
    /// Perceptual roughness of the sheen, 0 to 1.
    pub roughness: f32,
}

impl Specular {
    /// Reflectance at normal incidence for an index of refraction.
    pub fn of_ior(ior: f32) -> f32 {
        ((ior - 1.0) / (ior + 1.0)).powi(2)
    }
}

impl Default for Specular {
    /// Reflection for an index of refraction of 1.5.
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

/// What a texture other than the base colour's stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MapKind {
    /// Normals in tangent space, green up.
    Normal,
    /// Green: roughness; blue: metallic.
    MetallicRoughness,
    /// Specular colour at normal incidence, with glossiness in alpha, in place of metalness and roughness. The factors are [`Specular::at_normal`] and the roughness.
    SpecularGlossiness,
    /// Red: ambient occlusion, the share of ambient light that arrives.
    Occlusion,
    /// Emitted light.
    Emission,
    /// Red: strength of the coat.
    Coat,
    /// Green: roughness of the coat.
    CoatRoughness,
    /// Normals of the coat in tangent space, green up.
    CoatNormal,
    /// Colour of the sheen.
    Sheen,
    /// Alpha: roughness of the sheen.
    SheenRoughness,
    /// Alpha: strength of the specular reflection.
    Specular,
    /// Colour of the specular reflection.
    SpecularColor,
    /// Red: share of light that goes through.
    Transmission,
}

impl MapKind {
    /// All kinds, in the order of [`Maps`].
    pub const ALL: [Self; 13] = [
        Self::Normal,
        Self::MetallicRoughness,
        Self::SpecularGlossiness,
        Self::Occlusion,
        Self::Emission,
        Self::Coat,
        Self::CoatRoughness,
        Self::CoatNormal,
        Self::Sheen,
        Self::SheenRoughness,
        Self::Specular,
        Self::SpecularColor,
        Self::Transmission,
    ];

    /// Name of the kind in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::MetallicRoughness => "metallic-roughness",
            Self::SpecularGlossiness => "specular-glossiness",
            Self::Occlusion => "occlusion",
            Self::Emission => "emissive",
            Self::Coat => "clearcoat",
            Self::CoatRoughness => "clearcoat roughness",
            Self::CoatNormal => "clearcoat normal",
            Self::Sheen => "sheen colour",
            Self::SheenRoughness => "sheen roughness",
            Self::Specular => "specular",
            Self::SpecularColor => "specular colour",
            Self::Transmission => "transmission",
        }
    }

    /// True where channels are plain numbers; false where they are colours in sRGB.
    pub fn is_data(self) -> bool {
        !matches!(self, Self::SpecularGlossiness | Self::Emission | Self::Sheen | Self::SpecularColor)
    }
}

/// The textures of a material other than the base colour's.
#[derive(Clone, Debug, Default)]
pub struct Maps([Option<Texture>; MapKind::ALL.len()]);

impl Maps {
    /// Textures that the material has, with their kinds.
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

/// How the alpha of the base colour covers what is behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alpha {
    /// Alpha is ignored.
    Opaque,
    /// Opaque where alpha is at least this, else invisible.
    Mask(f32),
    /// Colours are mixed by alpha.
    Blend,
}

/// An image and how it is sampled.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Index into `Rig::images`.
    pub image: usize,
    /// Wrapping beyond 0 to 1, horizontally and vertically.
    pub wrap: [Wrap; 2],
    /// True for the nearest texel instead of a blend, for pixel art.
    pub is_nearest: bool,
    /// Texture coordinates that the texture uses.
    pub coords: CoordSet,
    /// Transform from those coordinates to the image's; `None` for none.
    pub transform: Option<Affine2>,
}

/// A texture that cannot be read.
#[derive(Clone, Debug)]
pub struct MissingTexture {
    /// Use of the texture; `None` for the base colour.
    pub kind: Option<MapKind>,
    /// Name of the image file as the model gives it, with slashes; `None` for an image that is no file.
    pub file: Option<String>,
    /// Sampling and coordinates; its image is not to be used.
    pub texture: Texture,
}

/// Texture coordinates of a primitive that a texture uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoordSet {
    /// `Primitive::tex_coords`.
    #[default]
    First,
    /// `Primitive::second_tex_coords`.
    Second,
}

/// What a texture shows beyond its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// The image repeated.
    #[default]
    Repeat,
    /// The image repeated, mirrored every other time.
    Mirror,
    /// The colour of the edge.
    Clamp,
}

/// Decoded pixels, 8 bits a channel with straight alpha, rows from the top: sRGB, or numbers where [`MapKind::is_data`].
#[derive(Clone)]
pub struct Image {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// RGBA bytes, `4 * width * height` of them.
    pub rgba: Arc<[u8]>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image {}x{}", self.width, self.height)
    }
}
