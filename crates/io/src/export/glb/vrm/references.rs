//! Renumbers references to meshes, materials and images in the extensions of VRM 0 and VRM 1.

use serde_json::{Value, json};

use super::images::{VrmImages, index, set};
use super::numbers::VrmIndexMap;

/// Maximum length of a list. A reference to a split mesh becomes one item per resulting mesh.
const MAX_ITEMS: usize = 1_000_000;

/// Renumbers the VRM 0 extension. Counts lost expression binds and lost first-person annotations.
pub(super) fn zero(
    block: &mut Value,
    numbers: &VrmIndexMap,
    images: &mut VrmImages<'_>,
    [binds, marks]: [&mut usize; 2],
) {
    let meshes = |mesh| numbers.meshes(mesh);
    let groups = block.pointer_mut("/blendShapeMaster/blendShapeGroups").and_then(Value::as_array_mut);
    for group in groups.into_iter().flatten() {
        *binds += renumber_items(group.get_mut("binds"), "mesh", meshes);
    }
    *marks += renumber_items(block.pointer_mut("/firstPerson/meshAnnotations"), "mesh", meshes);
    if let Some(meta) = block.get_mut("meta") {
        texture(meta, "texture", images);
    }
    let Some(properties) = block.get_mut("materialProperties").and_then(Value::as_array_mut) else { return };
    for (number, of_material) in properties.iter_mut().enumerate() {
        let names: Vec<String> = of_material
            .get("textureProperties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(n, _)| n.clone())
            .collect();
        for name in &names {
            texture(&mut of_material["textureProperties"], name, images);
        }
        if images.is_transformed(number)
            && let Some(vectors) = of_material.get_mut("vectorProperties").and_then(Value::as_object_mut)
        {
            // Offset and scale are baked into the texture coordinates.
            vectors.retain(|name, _| !names.contains(name));
        }
    }
    // VRM 0 has one entry per material, in order.
    if properties.len() == images.material_count() {
        properties.extend(numbers.added_materials().iter().map(|name| unshaded(name)));
        // Added materials may have copies too.
        let copied = numbers.copies().into_values().map(|of| properties.get(of).cloned().unwrap_or(json!({})));
        let copied: Vec<Value> = copied.collect();
        properties.extend(copied);
    }
}

/// Returns the VRM 0 entry of a material without VRM shading.
fn unshaded(name: &str) -> Value {
    json!({
        "name": name, "shader": "VRM_USE_GLTFSHADER", "renderQueue": 2000, "floatProperties": {}, "vectorProperties": {},
        "textureProperties": {}, "keywordMap": {}, "tagMap": {},
    })
}

/// Renumbers a VRM 0 texture, where -1 means no texture. Removes the texture if its image is unreadable.
fn texture(object: &mut Value, key: &str, images: &mut VrmImages<'_>) {
    let Some(number) = index(object.get(key)) else { return };
    set(object, key, images.texture(number));
}

pub(super) fn one(
    block: &mut Value,
    numbers: &VrmIndexMap,
    images: &mut VrmImages<'_>,
    [binds, marks]: [&mut usize; 2],
) {
    let groups = ["preset", "custom"].map(|kind| format!("/expressions/{kind}"));
    for group in groups {
        let expressions = block.pointer_mut(&group).and_then(Value::as_object_mut);
        for (_, expression) in expressions.into_iter().flatten() {
            *binds += renumber_items(expression.get_mut("morphTargetBinds"), "node", |node| numbers.carriers(node));
            for list in ["materialColorBinds", "textureTransformBinds"] {
                *binds += renumber_items(expression.get_mut(list), "material", |material| numbers.materials(material));
            }
        }
    }
    *marks += renumber_items(block.pointer_mut("/firstPerson/meshAnnotations"), "node", |node| numbers.carriers(node));
    let Some(meta) = block.get_mut("meta") else { return };
    let Some(thumbnail) = index(meta.get("thumbnailImage")) else { return };
    match images.image(thumbnail) {
        image @ Some(_) => set(meta, "thumbnailImage", image),
        None => images.lose(meta, "thumbnailImage"),
    }
}

/// Renumbers the index under `key` in each list item. The item becomes one copy per index that `to` returns. Removes
/// items for which `to` returns nothing, keeps items without an index, and returns the number of removed items.
fn renumber_items(list: Option<&mut Value>, key: &str, to: impl Fn(usize) -> Vec<usize>) -> usize {
    let Some(items) = list.and_then(Value::as_array_mut) else { return 0 };
    let mut lost = 0;
    let mut led = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        let Some(number) = index(item.get(key)) else {
            led.push(item);
            continue;
        };
        let mut numbers = to(number);
        numbers.truncate(MAX_ITEMS.saturating_sub(led.len()));
        lost += usize::from(numbers.is_empty());
        led.extend(numbers.into_iter().map(|number| {
            let mut item = item.clone();
            set(&mut item, key, Some(number));
            item
        }));
    }
    *items = led;
    lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::rig_glb;
    use glam::{Vec2, Vec3};
    use rigscope_core::jobs::Progress;
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{
        CoordSet, Image, Material, MaterialIndex, Mesh, MeshInstance, NodeIndex, Primitive, Rig, RigData, Texture, Trs,
        VrmBlocks, Wrap,
    };

    #[test]
    fn copies_of_added_materials_have_their_vrm_entries() {
        let primitive = |tex_coords| Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            indices: vec![0, 1, 2],
            material: Some(MaterialIndex(1)),
            tex_coords,
            ..Primitive::default()
        };
        // A primitive without texture coordinates gets a copy of the material without textures.
        let primitives = vec![primitive(Some(vec![Vec2::ZERO; 3])), primitive(None)];
        let image = Image { width: 1, height: 1, rgba: vec![255; 4].into() };
        let coords = CoordSet::First;
        let texture = Texture { image: 0, wrap: [Wrap::Repeat; 2], is_nearest: false, coords, transform: None };
        let named = |name: &str, texture| Material { name: name.to_owned(), texture, ..Material::default() };
        let properties = json!({"materialProperties": [{"name": "imported"}]}).to_string();
        let blocks = VrmBlocks {
            document: [("VRM".to_owned(), properties)].into(),
            base_textures: vec![None],
            ..VrmBlocks::default()
        };
        let rig = Rig::new(RigData {
            hierarchy: chain(1, Trs::IDENTITY),
            meshes: vec![Mesh { primitives, ..Mesh::default() }],
            instances: vec![MeshInstance { node: NodeIndex(0), mesh: 0, skin: None, morph_weights: Vec::new() }],
            materials: vec![named("imported", None), named("added", Some(texture))],
            images: vec![image],
            vrm_version: Some(0),
            vrm_blocks: Some(blocks.into()),
            ..RigData::default()
        });
        let bytes = rig_glb(&rig, &Progress::default()).unwrap().bytes;
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let document: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        let names =
            |list: &Value| -> Vec<Value> { list.as_array().unwrap().iter().map(|of| of["name"].clone()).collect() };
        assert_eq!(names(&document["extensions"]["VRM"]["materialProperties"]), ["imported", "added", "added"]);
        assert_eq!(names(&document["materials"]).len(), 3);
    }

    #[test]
    fn an_item_is_led_to_every_part_and_lost_without_any() {
        let mut list = json!([{"node": 1, "weight": 0.5}, {"node": 2}, {"node": 3}, {"node": -1}, "x"]);
        let parts = |node| match node {
            1 => vec![7, 8],
            2 => vec![2],
            _ => Vec::new(),
        };
        assert_eq!(renumber_items(Some(&mut list), "node", parts), 1);
        let expected = json!([{"node": 7, "weight": 0.5}, {"node": 8, "weight": 0.5}, {"node": 2}, {"node": -1}, "x"]);
        assert_eq!(list, expected);
        assert_eq!(renumber_items(None, "node", parts), 0);
        assert_eq!(renumber_items(Some(&mut json!({"node": 3})), "node", parts), 0);
    }
}
