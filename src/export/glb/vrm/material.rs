//! Materials with VRM extensions.

use serde_json::Value;

use super::json::{index, set};
use super::pictures::Pictures;
use crate::rig::VrmMaterial;

/// Returns a material with texture indices of the exported file; textures that are not kept are removed.
pub(super) fn renumbered(source: &VrmMaterial, pictures: &mut Pictures<'_>) -> Value {
    let mut material = serde_json::from_str(&source.json).unwrap_or_default();
    renumber(&mut material, pictures);
    material
}

fn renumber(value: &mut Value, pictures: &mut Pictures<'_>) {
    let Some(members) = value.as_object_mut() else { return };
    let is_texture = |(key, value): (&String, &Value)| {
        (key.ends_with("Texture") && index(value.get("index")).is_some()).then(|| key.clone())
    };
    let textures: Vec<String> = members.iter().filter_map(is_texture).collect();
    for (_, member) in members.iter_mut().filter(|(key, _)| !textures.contains(key) && *key != "extras") {
        renumber(member, pictures);
    }
    for key in textures {
        if placed(&mut value[&key], pictures).is_none() {
            pictures.lose(value, &key);
        }
    }
}

/// Renumbers a texture; `None` if it is not kept. `texCoord` stays, since all UV sets are written in file order.
fn placed(texture: &mut Value, pictures: &mut Pictures<'_>) -> Option<()> {
    let number = pictures.texture_or_none(index(texture.get("index"))?)?;
    set(texture, "index", number);
    Some(())
}
