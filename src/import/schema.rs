//! The part of glTF's JSON that is read, as serde types.
//!
//! Nodes and scenes must have the form that glTF defines, else the file is refused. Everything else is [`Lenient`]: one malformed
//! material, clip or primitive spoils itself and nothing else. The `gltf` crate's own types are not used: they refuse a file as a whole,
//! and their readers can panic on files that they call valid.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// An object of the file, or the fact that it does not have the form that glTF defines.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Lenient<T> {
    Valid(T),
    Malformed(IgnoredAny),
}

impl<T> Lenient<T> {
    pub fn valid(&self) -> Option<&T> {
        match self {
            Self::Valid(value) => Some(value),
            Self::Malformed(_) => None,
        }
    }
}

/// A list that the file's indices point into.
pub(super) type List<T> = Vec<Lenient<T>>;

/// The object at an index, if it exists in the form that glTF defines.
pub(super) fn valid<T>(list: &[Lenient<T>], index: usize) -> Option<&T> {
    list.get(index)?.valid()
}

/// Names of the extensions of an object; what they hold is read only where a type here says so.
#[derive(Default)]
pub(super) struct Extensions(BTreeSet<String>);

impl Extensions {
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The first name, in alphabetical order, that contains a text.
    pub fn find(&self, text: &str) -> Option<&str> {
        self.0.iter().map(String::as_str).find(|name| name.contains(text))
    }
}

impl<'de> Deserialize<'de> for Extensions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Extensions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of extensions")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Extensions, A::Error> {
                let mut names = BTreeSet::new();
                while let Some((name, IgnoredAny)) = map.next_entry()? {
                    names.insert(name);
                }
                Ok(Extensions(names))
            }
        }

        deserializer.deserialize_map(Names)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(super) struct Document {
    pub asset: Option<Asset>,
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: List<Mesh>,
    pub skins: List<Skin>,
    pub animations: List<Animation>,
    pub materials: List<Material>,
    pub textures: List<Texture>,
    pub images: List<Image>,
    pub samplers: List<TextureSampler>,
    pub accessors: List<Accessor>,
    pub buffer_views: List<BufferView>,
    pub buffers: List<Buffer>,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub version: String,
    pub min_version: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Node {
    pub name: Option<String>,
    pub children: Vec<usize>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub matrix: Option<[f32; 16]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub weights: Vec<f32>,
    pub camera: Option<IgnoredAny>,
    pub extensions: Extensions,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub name: Option<String>,
    pub primitives: List<Primitive>,
    #[serde(default)]
    pub weights: Vec<f32>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u32,
    #[serde(default)]
    pub targets: List<BTreeMap<String, usize>>,
    #[serde(default)]
    pub extensions: Extensions,
}

fn triangles() -> u32 {
    4
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub name: Option<String>,
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Animation {
    pub name: Option<String>,
    pub channels: List<Channel>,
    pub samplers: List<Sampler>,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Pbr,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
    pub extensions: MaterialExtensions,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Pbr {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f32>,
    pub roughness_factor: Option<f32>,
    pub metallic_roughness_texture: Option<IgnoredAny>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Option<IgnoredAny>,
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    pub specular_glossiness: Option<SpecularGlossiness>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SpecularGlossiness {
    pub diffuse_factor: Option<[f32; 4]>,
    pub diffuse_texture: Option<TextureInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: usize,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<TextureTransform>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TextureTransform {
    pub offset: Option<[f32; 2]>,
    pub rotation: f32,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Texture {
    pub sampler: Option<usize>,
    pub source: Option<usize>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TextureSampler {
    pub mag_filter: Option<u32>,
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Image {
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: Shape,
    #[serde(default)]
    pub normalized: bool,
    pub sparse: Option<Sparse>,
}

/// How many components an element has.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub enum Shape {
    /// One.
    Scalar,
    /// Two.
    Vec2,
    /// Three.
    Vec3,
    /// Four.
    Vec4,
    /// Two columns of two.
    Mat2,
    /// Three columns of three.
    Mat3,
    /// Four columns of four.
    Mat4,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub count: usize,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(default)]
    pub byte_stride: usize,
    #[serde(default)]
    pub extensions: Extensions,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: usize,
    #[serde(default)]
    pub extensions: Extensions,
}
