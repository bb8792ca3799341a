//! The data of a VRM that glTF does not have, as its file has it.

use std::collections::{BTreeMap, BTreeSet};

/// Extensions of VRM for writing the file again. All numbers in them are the file's, and all JSON is as the file writes it.
#[derive(Debug, Default)]
pub struct VrmBlocks {
    /// Extensions of the whole document: name and JSON.
    pub document: BTreeMap<String, String>,
    /// Materials with extensions of VRM, by number.
    pub materials: BTreeMap<usize, VrmMaterial>,
    /// Number of materials that are shaded by `MToon`, which is not drawn.
    pub shaded: usize,
    /// The texture of each material's base colour, by the number of the material.
    pub base_textures: Vec<Option<usize>>,
    /// Materials whose first coordinates are kept with the transform of the base colour's texture.
    pub transformed: BTreeSet<usize>,
    /// JSON of each texture.
    pub textures: Vec<String>,
    /// JSON of each sampler.
    pub samplers: Vec<String>,
    /// Images by number; those that could not be read are left out.
    pub images: BTreeMap<usize, StoredImage>,
    /// Extensions without which the file says that it cannot be shown.
    pub required: BTreeSet<String>,
}

impl VrmBlocks {
    /// True for a material that can be written as its file has it: its own textures fit the coordinates that primitives keep.
    pub fn keeps_material(&self, material: usize) -> bool {
        self.materials.contains_key(&material) && !self.transformed.contains(&material)
    }
}

/// A material with extensions of VRM.
#[derive(Debug, Default)]
pub struct VrmMaterial {
    /// JSON of the material.
    pub json: String,
}

/// An image as a file stores it.
#[derive(Debug, Default)]
pub struct StoredImage {
    /// Name of the image; may be empty.
    pub name: String,
    /// Encoded bytes.
    pub bytes: Vec<u8>,
}
