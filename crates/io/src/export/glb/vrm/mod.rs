//! VRM data for export: the original extensions, renumbered. Nodes and materials keep their indices. Meshes may move to
//! a different node, get a new index or be split; textures and images are written again.

mod images;
mod numbers;
mod references;
mod shapes;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::buffer::GlbBuffer;
use crate::export::export_file::left_out;
pub(super) use images::GltfLists;
use images::{VrmImages, add_names, renumbered};
pub(super) use numbers::VrmIndexMap;
use rigscope_core::rig::{VrmBlocks, VrmMaterial};

#[derive(Default)]
pub(super) struct VrmOutput {
    pub document: Map<String, Value>,
    pub used: BTreeSet<String>,
    pub losses: Vec<String>,
}

/// Renumbers VRM data and adds referenced objects. Materials from VRM data replace their entries in the material list.
pub(super) fn keep(
    blocks: &VrmBlocks,
    numbers: &VrmIndexMap,
    lists: &mut GltfLists,
    buffer: &mut GlbBuffer,
) -> VrmOutput {
    let mut kept = VrmOutput::default();
    let mut images = VrmImages::new(blocks, lists, buffer);
    let (mut bent, mut malformed) = (0, 0);
    for (&number, source) in &blocks.materials {
        if blocks.keeps_material(number) {
            let mut material = renumbered(source, &mut images);
            malformed += shapes::remove_malformed_extensions(&mut material);
            add_names(&material, &mut kept.used);
            images.put_material(number, material);
        } else {
            bent += 1;
        }
    }
    let (mut binds, mut marks) = (0, 0);
    for (name, text) in &blocks.document {
        let Ok(mut block) = serde_json::from_str::<Value>(text) else { continue };
        let lost = shapes::remove_malformed(name, &mut block);
        kept.losses.extend(lost.iter().map(|member| format!("{member} left out: it is not valid VRM data")));
        if !block.is_object() {
            continue;
        }
        match &**name {
            "VRM" => references::zero(&mut block, numbers, &mut images, [&mut binds, &mut marks]),
            "VRMC_vrm" => references::one(&mut block, numbers, &mut images, [&mut binds, &mut marks]),
            "VRMC_springBone" | "VRMC_vrm_animation" => {}
            _ => {
                kept.losses.push(format!("{name} left out: it is not known which of its numbers are those of what"));
                continue;
            }
        }
        add_names(&block, &mut kept.used);
        kept.used.insert(name.clone());
        kept.document.insert(name.clone(), block);
    }
    let lost_textures = images.finish(&mut kept.used);
    let reason = "the scene does not show their meshes";
    kept.losses.extend(left_out(binds, "bind of an expression", "binds of expressions", reason));
    kept.losses.extend(left_out(marks, "first-person annotation", "first-person annotations", reason));
    let reason = "their images cannot be read, or lie by coordinates that are not kept";
    kept.losses.extend(left_out(lost_textures, "texture of VRM", "textures of VRM", reason));
    let reason = "they are not valid VRM data";
    kept.losses.extend(left_out(malformed, "extension of a material", "extensions of materials", reason));
    let reason = "the transform of their textures is baked into the texture coordinates";
    kept.losses.extend(left_out(bent, "VRM shading of a material", "VRM shadings of materials", reason));
    kept
}

pub(super) fn posed_loss(blocks: Option<&VrmBlocks>) -> Option<String> {
    let blocks = blocks?;
    let mut names: BTreeSet<String> = blocks.document.keys().cloned().collect();
    let values = blocks.document.values().chain(blocks.materials.values().map(|VrmMaterial { json }| json));
    for value in values.filter_map(|text| serde_json::from_str(text).ok()) {
        add_names(&value, &mut names);
    }
    names.retain(|name| name.starts_with("VRM"));
    let names: Vec<String> = names.into_iter().collect();
    Some(format!("{} left out: posed meshes have no joints and only glTF's own shading", names.join(", ")))
}
