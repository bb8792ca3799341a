use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::extensions::MTOON;
use super::loader::GltfLoader;
use super::materials::GltfMaterial;
use super::schema::{GltfDocument, valid};
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{StoredImage, VrmBlocks, VrmMaterial};
use rigscope_core::text::counted;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct RawVrmLists {
    materials: Vec<Box<RawValue>>,
    textures: Vec<Box<RawValue>>,
    samplers: Vec<Box<RawValue>>,
}

impl RawVrmLists {
    pub(super) fn of_vrm(json: &[u8], document: &GltfDocument) -> Option<Self> {
        let names = document.extensions.as_object().into_iter().flat_map(serde_json::Map::keys);
        let is_vrm = names.into_iter().any(|name| is_of_vrm(name))
            || (0..document.materials.len()).any(|material| has_extension(document, material));
        if is_vrm { serde_json::from_slice(json).ok() } else { None }
    }
}

fn is_of_vrm(name: &str) -> bool {
    name == super::vrm::ZERO || name.starts_with("VRMC_")
}

fn has_extension(document: &GltfDocument, material: usize) -> bool {
    let extensions = valid(&document.materials, material).and_then(|material| material.extensions.as_ref());
    extensions.is_some_and(|extensions| extensions.others.keys().any(|name| is_of_vrm(name)))
}

impl GltfLoader<'_> {
    pub(super) fn vrm_blocks(&self, texts: RawVrmLists, surfaces: &[GltfMaterial]) -> VrmBlocks {
        let document = self.source.document;
        let extensions = document.extensions.as_object().into_iter().flatten();
        let of_vrm = extensions.filter(|(name, _)| is_of_vrm(name));
        let material = |(number, json): (usize, &RawValue)| (number, VrmMaterial { json: json.get().to_owned() });
        let materials = texts.materials.iter().map(|json| &**json).enumerate();
        let transformed = surfaces.iter().enumerate().filter(|(_, surface)| surface.coords.transform.is_some());
        let json =
            |list: Vec<Box<RawValue>>| list.into_iter().map(|text| String::from(Box::<str>::from(text))).collect();
        let shaded = self.shaded_by_vrm();
        if shaded > 0 {
            let materials = counted(shaded, "material", "materials");
            let shading = format!("MToon, the shading of {materials} of this VRM, is not drawn");
            let message = format!("{shading}; glTF materials are drawn instead.");
            let warning = ImportWarning::new(Code::NotShown, Target::File, message);
            self.report.warn(warning.with_scope(WarningScope::Appearance));
        }
        VrmBlocks {
            shaded,
            document: of_vrm.map(|(name, value)| (name.clone(), value.to_string())).collect(),
            materials: materials.filter(|(number, _)| has_extension(document, *number)).map(material).collect(),
            base_textures: surfaces.iter().map(|surface| surface.texture).collect(),
            transformed: transformed.map(|(number, _)| number).collect(),
            images: self.stored_images(),
            required: document.extensions_required.iter().cloned().collect(),
            textures: json(texts.textures),
            samplers: json(texts.samplers),
        }
    }

    fn shaded_by_vrm(&self) -> usize {
        let document = self.source.document;
        let of_one = (0..document.materials.len()).filter(|material| {
            let extensions = valid(&document.materials, *material).and_then(|material| material.extensions.as_ref());
            extensions.is_some_and(|extensions| extensions.others.contains_key(MTOON))
        });
        let of_zero =
            document.extensions.get(super::vrm::ZERO).and_then(|vrm| vrm.get("materialProperties")?.as_array());
        let is_toon = |material: &&Value| {
            material.get("shader").and_then(Value::as_str).is_some_and(|shader| shader.contains("MToon"))
        };
        of_one.count().max(of_zero.map_or(0, |list| list.iter().filter(is_toon).count()))
    }

    fn stored_images(&self) -> BTreeMap<usize, StoredImage> {
        let images = &self.source.document.images;
        let stored = |number: usize| {
            let encoded = self.encoded(number).ok()?;
            let bytes = encoded.bytes();
            if !self.source.charge(bytes.len() as u64) {
                return None;
            }
            let name = valid(images, number).and_then(|image| image.name.clone()).unwrap_or_default();
            Some((number, StoredImage { name, bytes: bytes.read().ok()?.into_owned() }))
        };
        (0..images.len()).filter_map(stored).collect()
    }
}
