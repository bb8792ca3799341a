//! Materials with extensions of VRM, as their file has them.

use serde_json::Value;

use super::json::{index, set};
use super::pictures::Pictures;
use crate::export::glb::textures::TRANSFORM;
use crate::rig::VrmMaterial;

/// A material with the written file's textures and sets of coordinates; textures that are not kept are taken out.
pub(super) fn renumbered(source: &VrmMaterial, pictures: &mut Pictures<'_>) -> Value {
    let mut material = serde_json::from_str(&source.json).unwrap_or_default();
    renumber(&mut material, source, pictures);
    material
}

fn renumber(value: &mut Value, source: &VrmMaterial, pictures: &mut Pictures<'_>) {
    let Some(members) = value.as_object_mut() else { return };
    let is_texture = |(key, value): (&String, &Value)| {
        (key.ends_with("Texture") && index(value.get("index")).is_some()).then(|| key.clone())
    };
    let textures: Vec<String> = members.iter().filter_map(is_texture).collect();
    for (_, member) in members.iter_mut().filter(|(key, _)| !textures.contains(key) && *key != "extras") {
        renumber(member, source, pictures);
    }
    for key in textures {
        if placed(&mut value[&key], source, pictures).is_none() {
            pictures.lose(value, &key);
        }
    }
}

/// Numbers a texture and its set of coordinates anew; `None` where either is not kept.
fn placed(texture: &mut Value, source: &VrmMaterial, pictures: &mut Pictures<'_>) -> Option<()> {
    const SET: &str = "texCoord";
    let number = index(texture.get("index"))?;
    let transform = texture.get("extensions").and_then(|extensions| extensions.get(TRANSFORM));
    // The extension's set takes precedence.
    let moved = index(transform.and_then(|transform| transform.get(SET)));
    let set_number = moved.or_else(|| index(texture.get(SET))).unwrap_or(0);
    let place = source.sets.iter().position(|set| set.is_some_and(|set| set as usize == set_number))?;
    let number = pictures.texture_or_none(number)?;
    set(texture, "index", number);
    if place > 0 || texture.get(SET).is_some() {
        set(texture, SET, place);
    }
    if moved.is_some()
        && let Some(transform) = texture.pointer_mut(&format!("/extensions/{TRANSFORM}"))
    {
        set(transform, SET, place);
    }
    Some(())
}
