//! Textures, samplers and images that data of VRM refers to, as the file stores them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::json::{add_names, index, set};
use crate::export::glb::buffer::GlbBuffer;
use crate::export::glb::document::named;
use crate::export::glb::media_type::media_type;
use crate::rig::VrmBlocks;

/// Lists of the document that data of VRM refers to and adds to.
pub(in crate::export::glb) type Lists = [(&'static str, Vec<Value>); 5];

/// The lists of the document while data of VRM adds to them.
pub(super) struct Pictures<'a> {
    blocks: &'a VrmBlocks,
    lists: &'a mut Lists,
    buffer: &'a mut GlbBuffer,
    /// Numbers in the written file by those of the read file; `None` for what is not kept.
    textures: BTreeMap<usize, Option<usize>>,
    images: BTreeMap<usize, Option<usize>>,
    samplers: BTreeMap<usize, Option<usize>>,
    /// Textures that were added.
    added: Vec<usize>,
    lost: usize,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(blocks: &'a VrmBlocks, lists: &'a mut Lists, buffer: &'a mut GlbBuffer) -> Self {
        let mut textures = BTreeMap::new();
        for (number, material) in list(lists, "materials").iter().enumerate() {
            let source = blocks.base_textures.get(number).copied().flatten();
            let written = index(material.pointer("/pbrMetallicRoughness/baseColorTexture/index"));
            if let (false, Some(source), Some(written)) = (blocks.keeps_material(number), source, written) {
                textures.insert(source, Some(written));
            }
        }
        let (images, samplers, added) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        Self { blocks, lists, buffer, textures, images, samplers, added, lost: 0 }
    }

    /// Number of the file's materials.
    pub(super) fn material_count(&self) -> usize {
        self.blocks.base_textures.len()
    }

    /// True for a material whose first coordinates have the transform of its textures.
    pub(super) fn is_transformed(&self, material: usize) -> bool {
        self.blocks.transformed.contains(&material)
    }

    pub(super) fn put_material(&mut self, number: usize, material: Value) {
        if let Some(place) = list(self.lists, "materials").get_mut(number) {
            *place = material;
        }
    }

    /// Takes out a member that refers to a picture that is not kept.
    pub(super) fn lose(&mut self, object: &mut Value, key: &str) {
        self.lost += 1;
        _ = object.as_object_mut().and_then(|object| object.remove(key));
    }

    /// A texture in the written file; one that is not kept counts as lost.
    pub(super) fn texture(&mut self, number: usize) -> Option<usize> {
        let texture = self.texture_or_none(number);
        self.lost += usize::from(texture.is_none());
        texture
    }

    /// A texture in the written file, added where it is not there yet; `None` where no image of it can be read.
    pub(super) fn texture_or_none(&mut self, number: usize) -> Option<usize> {
        if let Some(known) = self.textures.get(&number) {
            return *known;
        }
        let made = self.made_texture(number).map(|texture| self.push("textures", texture));
        self.added.extend(made);
        self.textures.insert(number, made);
        made
    }

    fn made_texture(&mut self, number: usize) -> Option<Value> {
        let mut texture: Value = serde_json::from_str(self.blocks.textures.get(number)?).ok()?;
        let mut has_image = self.show_image(&mut texture);
        let extensions = texture.get("extensions").and_then(Value::as_object).into_iter().flatten();
        let names: Vec<String> = extensions.map(|(name, _)| name.clone()).collect();
        for name in names {
            let extension = &mut texture["extensions"][&name];
            if extension.get("source").is_some() {
                has_image |= self.show_image(extension);
            }
        }
        if let Some(sampler) = index(texture.get("sampler")) {
            match self.sampler(sampler) {
                Some(sampler) => set(&mut texture, "sampler", sampler),
                None => _ = texture.as_object_mut().and_then(|texture| texture.remove("sampler")),
            }
        }
        has_image.then_some(texture)
    }

    /// Numbers the `source` of a texture anew; false, and without it, where it cannot be read.
    fn show_image(&mut self, texture: &mut Value) -> bool {
        let image = index(texture.get("source")).and_then(|source| self.image(source));
        match image {
            Some(image) => set(texture, "source", image),
            None => _ = texture.as_object_mut().and_then(|texture| texture.remove("source")),
        }
        image.is_some()
    }

    /// An image in the written file, added where it is not there yet.
    pub(super) fn image(&mut self, number: usize) -> Option<usize> {
        if let Some(known) = self.images.get(&number) {
            return *known;
        }
        let made = self.blocks.images.get(&number).and_then(|image| {
            let media_type = media_type(&image.bytes)?;
            let view = self.buffer.view(&image.bytes);
            Some(named(&image.name, json!({"bufferView": view, "mimeType": media_type})))
        });
        let made = made.map(|image| self.push("images", image));
        self.images.insert(number, made);
        made
    }

    fn sampler(&mut self, number: usize) -> Option<usize> {
        if let Some(known) = self.samplers.get(&number) {
            return *known;
        }
        let text = self.blocks.samplers.get(number);
        let made = text.and_then(|text| serde_json::from_str(text).ok()).map(|sampler| self.push("samplers", sampler));
        self.samplers.insert(number, made);
        made
    }

    fn push(&mut self, name: &str, value: Value) -> usize {
        let list = list(self.lists, name);
        list.push(value);
        list.len() - 1
    }

    /// Adds the extensions of the added textures to names, and returns the number of textures and images that are lost.
    pub(super) fn finish(self, names: &mut BTreeSet<String>) -> usize {
        let textures = list(self.lists, "textures");
        self.added.iter().filter_map(|&texture| textures.get(texture)).for_each(|texture| add_names(texture, names));
        self.lost
    }
}

/// A list of the document by name.
fn list<'a>(lists: &'a mut Lists, name: &str) -> &'a mut Vec<Value> {
    let place = lists.iter().position(|(of, _)| *of == name).unwrap_or_default();
    &mut lists[place].1
}
