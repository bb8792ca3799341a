use std::collections::{BTreeMap, BTreeSet};

/// VRM extensions of a file, for export. All indices are those of the file; the JSON is unmodified.
#[derive(Clone, Debug, Default)]
pub struct VrmBlocks {
    /// JSON of each extension of the whole document, by extension name.
    pub document: BTreeMap<String, String>,
    /// Materials with VRM extensions, by material number.
    pub materials: BTreeMap<usize, VrmMaterial>,
    /// Number of materials with `MToon` shading, which Rigscope doesn't render.
    pub shaded: usize,
    /// Base colour texture of each material, by material number.
    pub base_textures: Vec<Option<usize>>,
    /// Materials whose base colour texture transform has been baked into the first texture coordinates by import.
    pub transformed: BTreeSet<usize>,
    /// JSON of each texture.
    pub textures: Vec<String>,
    /// JSON of each sampler.
    pub samplers: Vec<String>,
    /// Readable images, by image number.
    pub images: BTreeMap<usize, StoredImage>,
    /// Names of the required extensions.
    pub required: BTreeSet<String>,
}

impl VrmBlocks {
    /// Returns whether a VRM material can be exported unmodified, because import hasn't baked its texture transform.
    pub fn keeps_material(&self, material: usize) -> bool {
        self.materials.contains_key(&material) && !self.transformed.contains(&material)
    }
}

/// A material with VRM extensions.
#[derive(Clone, Debug, Default)]
pub struct VrmMaterial {
    /// JSON of the material.
    pub json: String,
}

/// An encoded image.
#[derive(Clone, Debug, Default)]
pub struct StoredImage {
    /// Name; may be empty.
    pub name: String,
    /// Encoded bytes.
    pub bytes: Vec<u8>,
}
