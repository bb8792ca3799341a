use std::collections::{BTreeMap, BTreeSet};

/// VRM extensions for export. All indices are file numbers, all JSON is unmodified.
#[derive(Debug, Default)]
pub struct VrmBlocks {
    /// Document extensions: name and JSON.
    pub document: BTreeMap<String, String>,
    /// Materials with VRM extensions, by number.
    pub materials: BTreeMap<usize, VrmMaterial>,
    /// Number of materials with `MToon` shading, which is not rendered.
    pub shaded: usize,
    /// Base colour texture of each material, by material number.
    pub base_textures: Vec<Option<usize>>,
    /// Materials whose base colour texture transform is baked into the first texture coordinates.
    pub transformed: BTreeSet<usize>,
    /// JSON of each texture.
    pub textures: Vec<String>,
    /// JSON of each sampler.
    pub samplers: Vec<String>,
    /// Images by number, except unreadable ones.
    pub images: BTreeMap<usize, StoredImage>,
    /// Required extensions.
    pub required: BTreeSet<String>,
}

impl VrmBlocks {
    /// Returns whether a material can be exported unmodified: its textures match the primitives' texture coordinates.
    pub fn keeps_material(&self, material: usize) -> bool {
        self.materials.contains_key(&material) && !self.transformed.contains(&material)
    }
}

/// A material with VRM extensions.
#[derive(Debug, Default)]
pub struct VrmMaterial {
    /// JSON of the material.
    pub json: String,
}

/// An encoded image.
#[derive(Debug, Default)]
pub struct StoredImage {
    /// Name; may be empty.
    pub name: String,
    /// Encoded bytes.
    pub bytes: Vec<u8>,
}
