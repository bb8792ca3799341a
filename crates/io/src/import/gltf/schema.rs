//! The parts of glTF's JSON that are read. Types from `gltf::json` are used where they are suitable. Except for nodes
//! and scenes, a malformed object affects only itself ([`Lenient`]). The `gltf` crate's `Root` would reject the whole
//! file, and its readers can panic even on validated files.

use std::collections::BTreeMap;

use gltf::json::validation::{Checked, USize64};
use gltf::json::{Buffer, Camera, Image, Index, Material, Node, Skin, Texture, accessor, extensions, mesh, texture};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

pub(super) use gltf::json::accessor::Type as Shape;
pub(super) use gltf::json::buffer::View;

/// An object in the file, or `None` if the object is malformed.
pub(super) struct Lenient<T>(Option<T>);

impl<T> Lenient<T> {
    pub(super) fn valid(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // This fails only on invalid JSON. An untagged enum would work too, but cannot contain the crate's `extras`.
        let json = <&RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(json.get()).ok()))
    }
}

pub(super) type List<T> = Vec<Lenient<T>>;

pub(super) fn valid<T>(list: &[Lenient<T>], index: usize) -> Option<&T> {
    list.get(index)?.valid()
}

/// Converts an index, which the `gltf` crate has truncated to 32 bits. Callers check its range.
pub(super) fn number<T>(index: Option<Index<T>>) -> Option<usize> {
    index.map(|i| i.value())
}

/// Converts a size or offset. Saturates: a value above `usize::MAX` is beyond the end of any buffer anyway.
pub(super) fn size(size: USize64) -> usize {
    usize::try_from(size.0).unwrap_or(usize::MAX)
}

/// Returns the alphabetically first extension whose name contains `text`.
pub(super) fn extension<'a>(names: Option<&'a Map<String, Value>>, text: &str) -> Option<&'a str> {
    names?.keys().map(String::as_str).filter(|name| name.contains(text)).min()
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GltfDocument {
    pub asset: Option<Asset>,
    pub scene: Option<usize>,
    pub scenes: Vec<GltfScene>,
    pub nodes: Vec<Node>,
    pub meshes: List<GltfMesh>,
    pub skins: List<Skin>,
    pub cameras: List<Camera>,
    pub animations: List<Animation>,
    pub materials: List<Material>,
    pub textures: List<Texture>,
    pub images: List<Image>,
    pub samplers: List<texture::Sampler>,
    pub accessors: List<Accessor>,
    pub buffer_views: List<View>,
    pub buffers: List<Buffer>,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub extensions: Value,
}

/// Replaces the `gltf` crate's type, which rejects files whose copyright is a number.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub version: String,
    pub min_version: Option<String>,
    #[serde(default)]
    pub generator: Value,
    #[serde(default)]
    pub extras: ParsedExtras,
}

/// Replaces the `gltf` crate's type, which requires `nodes` even for an empty scene.
#[derive(Deserialize)]
pub(super) struct GltfScene {
    #[serde(default)]
    pub name: Value,
    #[serde(default)]
    pub nodes: Vec<usize>,
    #[serde(default)]
    pub extras: Option<Box<RawValue>>,
}

/// Replaces the `gltf` crate's type, which rejects the whole mesh for one malformed primitive.
#[derive(Deserialize)]
pub(super) struct GltfMesh {
    pub name: Option<String>,
    pub primitives: List<GltfPrimitive>,
    #[serde(default)]
    pub weights: Vec<f32>,
    #[serde(default)]
    pub extras: ParsedExtras,
}

/// `extras`: their JSON, and what is read of it.
#[derive(Default)]
pub(super) struct ParsedExtras {
    pub text: Option<Box<RawValue>>,
    pub known: Lenient<KnownExtras>,
}

impl<'de> Deserialize<'de> for ParsedExtras {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Option::<Box<RawValue>>::deserialize(deserializer)?;
        let known = text.as_ref().and_then(|text| serde_json::from_str(text.get()).ok());
        Ok(Self { text, known: Lenient(known) })
    }
}

/// Rigscope's own data and morph target names, which some exporters store on primitives (glTF 2.0, 3.7.2.2).
#[derive(Deserialize)]
pub(super) struct KnownExtras {
    #[serde(rename = "targetNames", default)]
    pub target_names: List<String>,
    #[serde(default)]
    pub rigscope: Lenient<OwnExtras>,
}

#[derive(Deserialize)]
pub(super) struct OwnExtras {
    /// Suppressed findings: an object that maps finding codes to reasons, if well-formed.
    pub allow: Option<Value>,
}

pub(super) type Attributes = BTreeMap<Checked<mesh::Semantic>, usize>;

/// Replaces the `gltf` crate's type, which loses unknown modes, morphed colours and morphed UVs, and rejects all
/// targets if one is malformed.
#[derive(Deserialize)]
pub(super) struct GltfPrimitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u32,
    #[serde(default)]
    pub targets: List<Attributes>,
    pub extensions: Option<extensions::mesh::Primitive>,
    #[serde(default)]
    pub extras: ParsedExtras,
}

fn triangles() -> u32 {
    mesh::TRIANGLES
}

/// Replaces the `gltf` crate's types, which lose unknown paths and interpolations, require target nodes, and reject all
/// channels if one is malformed.
#[derive(Deserialize)]
pub(super) struct Animation {
    pub name: Option<String>,
    pub channels: List<GltfChannel>,
    pub samplers: List<Sampler>,
    #[serde(default)]
    pub extras: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct GltfChannel {
    pub sampler: usize,
    pub target: GltfTarget,
}

#[derive(Deserialize)]
pub(super) struct GltfTarget {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}

/// Like [`Sparse`] and [`SparseIndices`], replaces the `gltf` crate's type in order to keep unknown component types.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: Checked<Shape>,
    #[serde(default)]
    pub normalized: bool,
    #[serde(default)]
    pub min: Lenient<Vec<f64>>,
    #[serde(default)]
    pub max: Lenient<Vec<f64>>,
    pub sparse: Option<Sparse>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub count: usize,
    pub indices: SparseIndices,
    pub values: accessor::sparse::Values,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_object_spoils_only_itself() {
        let json = r#"{"asset":{"version":"2.0","copyright":2026},"buffers":[{"byteLength":4,"extras":"any"},{"byteLength":-4},7,null],
            "bufferViews":[{"buffer":0,"byteLength":4,"target":1,"extras":[1],"extensions":{"B":{},"A_meshopt":3}}],
            "textures":[{"extensions":{"T":null}}],"nodes":[{"extras":1e999}]}"#;
        let document: GltfDocument = serde_json::from_str(json).unwrap();
        assert!(document.buffers.iter().map(|b| b.valid().is_some()).eq([true, false, false, false]));
        let names = valid(&document.buffer_views, 0).and_then(|v| v.extensions.as_ref()).map(|e| &e.others);
        assert_eq!((extension(names, ""), extension(names, "B")), (Some("A_meshopt"), Some("B")));
        assert_eq!((extension(names, "_x"), extension(None, "")), (None, None));
        assert!(valid(&document.textures, 0).is_some() && valid(&document.textures, 1).is_none());
    }
}
