//! Copies materials with VRM extensions, and the textures, samplers and images to which VRM data refers. Only indices
//! change.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::export::glb::buffer::GlbBuffer;
use crate::export::glb::buffer::named;
use crate::export::glb::textures::media_type;
use rigscope_core::rig::{VrmBlocks, VrmMaterial};

pub(in crate::export::glb) type GltfLists = [(&'static str, Vec<Value>); 5];

pub(super) struct VrmImages<'a> {
    blocks: &'a VrmBlocks,
    lists: &'a mut GltfLists,
    buffer: &'a mut GlbBuffer,
    /// Exported index of each imported texture; `None` if its image is unreadable.
    textures: BTreeMap<usize, Option<usize>>,
    images: BTreeMap<usize, Option<usize>>,
    samplers: BTreeMap<usize, Option<usize>>,
    added: Vec<usize>,
    lost: usize,
}

impl<'a> VrmImages<'a> {
    pub(super) fn new(blocks: &'a VrmBlocks, lists: &'a mut GltfLists, buffer: &'a mut GlbBuffer) -> Self {
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

    pub(super) fn material_count(&self) -> usize {
        self.blocks.base_textures.len()
    }

    pub(super) fn is_transformed(&self, material: usize) -> bool {
        self.blocks.transformed.contains(&material)
    }

    pub(super) fn put_material(&mut self, number: usize, material: Value) {
        if let Some(place) = list(self.lists, "materials").get_mut(number) {
            *place = material;
        }
    }

    pub(super) fn lose(&mut self, object: &mut Value, key: &str) {
        self.lost += 1;
        set(object, key, None);
    }

    pub(super) fn texture(&mut self, number: usize) -> Option<usize> {
        let texture = self.texture_or_none(number);
        self.lost += usize::from(texture.is_none());
        texture
    }

    /// Returns the exported index of a texture, adding it if needed; `None` if its image is unreadable.
    pub(super) fn texture_or_none(&mut self, number: usize) -> Option<usize> {
        if let Some(known) = self.textures.get(&number) {
            return *known;
        }
        let texture_index = self.made_texture(number).map(|texture| self.push("textures", texture));
        self.added.extend(texture_index);
        self.textures.insert(number, texture_index);
        texture_index
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
            set(&mut texture, "sampler", self.sampler(sampler));
        }
        has_image.then_some(texture)
    }

    /// Renumbers the `source` of a texture. If the image is unreadable, removes `source` and returns false.
    fn show_image(&mut self, texture: &mut Value) -> bool {
        let image = index(texture.get("source")).and_then(|source| self.image(source));
        set(texture, "source", image);
        image.is_some()
    }

    pub(super) fn image(&mut self, number: usize) -> Option<usize> {
        if let Some(known) = self.images.get(&number) {
            return *known;
        }
        let image = self.blocks.images.get(&number).and_then(|image| {
            let media_type = media_type(&image.bytes)?;
            let view = self.buffer.view(&image.bytes);
            Some(named(&image.name, json!({"bufferView": view, "mimeType": media_type})))
        });
        let image_index = image.map(|image| self.push("images", image));
        self.images.insert(number, image_index);
        image_index
    }

    fn sampler(&mut self, number: usize) -> Option<usize> {
        if let Some(known) = self.samplers.get(&number) {
            return *known;
        }
        let text = self.blocks.samplers.get(number);
        let sampler_index =
            text.and_then(|text| serde_json::from_str(text).ok()).map(|sampler| self.push("samplers", sampler));
        self.samplers.insert(number, sampler_index);
        sampler_index
    }

    fn push(&mut self, name: &str, value: Value) -> usize {
        let list = list(self.lists, name);
        list.push(value);
        list.len() - 1
    }

    pub(super) fn finish(self, names: &mut BTreeSet<String>) -> usize {
        let textures = list(self.lists, "textures");
        self.added.iter().filter_map(|&texture| textures.get(texture)).for_each(|texture| add_names(texture, names));
        self.lost
    }
}

fn list<'a>(lists: &'a mut GltfLists, name: &str) -> &'a mut Vec<Value> {
    let place = lists.iter().position(|(of, _)| *of == name).unwrap_or_default();
    &mut lists[place].1
}

pub(super) fn renumbered(source: &VrmMaterial, images: &mut VrmImages<'_>) -> Value {
    let mut material = serde_json::from_str(&source.json).unwrap_or_default();
    renumber(&mut material, images);
    material
}

fn renumber(value: &mut Value, images: &mut VrmImages<'_>) {
    let Some(members) = value.as_object_mut() else { return };
    let is_texture = |(key, value): (&String, &Value)| {
        (key.ends_with("Texture") && index(value.get("index")).is_some()).then(|| key.clone())
    };
    let textures: Vec<String> = members.iter().filter_map(is_texture).collect();
    for (_, member) in members.iter_mut().filter(|(key, _)| !textures.contains(key) && *key != "extras") {
        renumber(member, images);
    }
    for key in textures {
        if placed(&mut value[&key], images).is_none() {
            images.lose(value, &key);
        }
    }
}

/// Renumbers a texture; `None` if its image is unreadable. `texCoord` stays the same, since all UV sets are written in
/// file order.
fn placed(texture: &mut Value, images: &mut VrmImages<'_>) -> Option<()> {
    let number = images.texture_or_none(index(texture.get("index"))?)?;
    set(texture, "index", Some(number));
    Some(())
}

pub(super) fn add_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(extensions) = members.get("extensions").and_then(Value::as_object) {
                names.extend(extensions.keys().cloned());
            }
            members.values().for_each(|value| add_names(value, names));
        }
        Value::Array(items) => items.iter().for_each(|value| add_names(value, names)),
        _ => {}
    }
}

pub(super) fn index(value: Option<&Value>) -> Option<usize> {
    value?.as_u64().and_then(|number| usize::try_from(number).ok())
}

/// Sets a member, or removes it if `number` is `None`.
pub(super) fn set(object: &mut Value, key: &str, number: Option<usize>) {
    let Some(object) = object.as_object_mut() else { return };
    match number {
        Some(number) => _ = object.insert(key.to_owned(), json!(number)),
        None => _ = object.remove(key),
    }
}
