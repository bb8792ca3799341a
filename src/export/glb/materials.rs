//! The materials, textures, samplers and images of a rig.

use std::collections::BTreeMap;

use glam::{Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::buffer::GlbBuffer;
use super::document::named;
use crate::export::ExportError;
use crate::export::export_file::left_out;
use crate::export::picture::image_png;
use crate::export::posed_meshes::finite;
use crate::jobs::Progress;
use crate::rig::{Alpha, MapKind, Material, Primitive, Rig, Specular, Texture, Wrap};

const UNLIT: &str = "KHR_materials_unlit";
const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";

/// All materials of the rig in its order, and behind them those that some primitives need without their texture and others with it.
pub(super) struct GlbMaterials<'a> {
    rig: &'a Rig,
    /// Which materials some primitive with texture coordinates has.
    is_textured: Vec<bool>,
    /// The number of each material without its texture.
    untextured: BTreeMap<usize, usize>,
}

impl<'a> GlbMaterials<'a> {
    pub fn new(rig: &'a Rig) -> Self {
        let mut is_textured = vec![false; rig.materials.len()];
        let primitives = || rig.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let with_material = |p: &'a Primitive| Some((p, p.material.filter(|m| m.0 < rig.materials.len())?.0));
        for (primitive, material) in primitives().filter_map(with_material) {
            is_textured[material] |= primitive.tex_coords.is_some() && rig.materials[material].texture.is_some();
        }
        let mut untextured = BTreeMap::new();
        for (primitive, material) in primitives().filter_map(with_material) {
            // A primitive without texture coordinates may not have a texture.
            if is_textured[material] && primitive.tex_coords.is_none() {
                let next = rig.materials.len() + untextured.len();
                untextured.entry(material).or_insert(next);
            }
        }
        Self { rig, is_textured, untextured }
    }

    /// The file's number of a primitive's material.
    pub fn of(&self, primitive: &Primitive) -> Option<usize> {
        let material = primitive.material.filter(|m| m.0 < self.rig.materials.len())?.0;
        let plain = self.untextured.get(&material).filter(|_| primitive.tex_coords.is_none());
        Some(plain.copied().unwrap_or(material))
    }

    /// Some base colour is out of range.
    pub fn is_clamped(&self) -> bool {
        self.rig.materials.iter().any(|m| is_out_of_range(&m.base_color))
    }

    /// What is to be said of materials of which something is not written.
    pub fn looks_left_out(&self) -> Option<String> {
        let has_layers = |m: &Material| m.coat.strength > 0.0 || m.sheen.color != Vec3::ZERO || m.transmission > 0.0;
        let has_more = |m: &&Material| {
            let is_plain = m.maps.iter().next().is_none() && m.specular == Specular::default();
            !is_plain || has_layers(m)
        };
        let count = self.rig.materials.iter().filter(has_more).count();
        let reason = "of materials the base colour with its texture, metal, roughness and emitted light are written";
        left_out(count, "material's further textures and layers", "materials' further textures and layers", reason)
    }

    /// The document's lists of materials and of what they need.
    ///
    /// *Errors*: [`ExportError::Picture`], [`ExportError::Cancelled`].
    pub fn json(
        &self,
        buffer: &mut GlbBuffer,
        progress: &Progress,
    ) -> Result<[(&'static str, Vec<Value>); 5], ExportError> {
        let mut textures = GlbTextures::default();
        let all = self.rig.materials.iter().zip(&self.is_textured);
        let texture = |(m, is_textured): (&'a Material, &bool)| (m, m.texture.as_ref().filter(|_| *is_textured));
        let all = all.map(texture).map(|(m, texture)| material(m, texture.map(|t| textures.index(t))));
        let mut list: Vec<Value> = all.collect();
        let mut plain: Vec<_> = self.untextured.iter().map(|(&material, &number)| (number, material)).collect();
        plain.sort_unstable();
        list.extend(plain.iter().map(|&(_, m)| material(&self.rig.materials[m], None)));
        let used = |name: &str| list.iter().any(|m| m["extensions"].get(name).is_some());
        let extensions = [UNLIT, EMISSIVE_STRENGTH].into_iter().filter(|n| used(n)).map(|n| json!(n)).collect();
        Ok([
            ("images", self.images(&textures, buffer, progress)?),
            ("samplers", textures.samplers.0.iter().map(|(wrap, is_nearest)| sampler(*wrap, *is_nearest)).collect()),
            ("textures", textures.list),
            ("materials", list),
            ("extensionsUsed", extensions),
        ])
    }

    fn images(
        &self,
        textures: &GlbTextures,
        buffer: &mut GlbBuffer,
        progress: &Progress,
    ) -> Result<Vec<Value>, ExportError> {
        let image = |&index: &usize| {
            buffer.check()?;
            let view = buffer.view(&image_png(self.rig, index, progress)?);
            Ok(json!({"bufferView": view, "mimeType": "image/png"}))
        };
        textures.images.0.iter().map(image).collect()
    }
}

fn material(source: &Material, texture: Option<usize>) -> Value {
    // Without the texture, most of what its factor scales is not there.
    let is_scaled = |kind| source.maps[kind].is_some();
    let mut pbr = json!({
        "baseColorFactor": clamped(source.base_color).to_array(),
        "metallicFactor": if is_scaled(MapKind::MetallicRoughness) { 0.0 } else { finite(source.metallic).clamp(0.0, 1.0) },
        "roughnessFactor": finite(source.roughness).clamp(0.0, 1.0),
    });
    if let Some(index) = texture {
        pbr["baseColorTexture"] = json!({"index": index});
    }
    let mut material = named(&source.name, json!({"pbrMetallicRoughness": pbr, "doubleSided": source.is_double_sided}));
    match source.alpha {
        Alpha::Opaque => {}
        Alpha::Mask(cutoff) => {
            material["alphaMode"] = json!("MASK");
            material["alphaCutoff"] = json!(finite(cutoff).max(0.0));
        }
        Alpha::Blend => material["alphaMode"] = json!("BLEND"),
    }
    let mut extensions = Map::new();
    // A factor may not exceed 1.
    let emission = if is_scaled(MapKind::Emission) { Vec3::ZERO } else { source.emission };
    let strength = emission.max_element().max(1.0);
    if emission != Vec3::ZERO {
        material["emissiveFactor"] = json!((emission / strength).to_array());
    }
    if source.is_unlit {
        // It has no light to be strong, and the two extensions are not to be mixed.
        extensions.insert(UNLIT.to_owned(), json!({}));
    } else if strength > 1.0 {
        extensions.insert(EMISSIVE_STRENGTH.to_owned(), json!({"emissiveStrength": strength}));
    }
    if !extensions.is_empty() {
        material["extensions"] = extensions.into();
    }
    material
}

/// Different values and the number of each.
struct DistinctValues<T>(Vec<T>);

impl<T> Default for DistinctValues<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> DistinctValues<T> {
    fn index(&mut self, value: T) -> usize {
        self.0.iter().position(|v| *v == value).unwrap_or_else(|| {
            self.0.push(value);
            self.0.len() - 1
        })
    }
}

#[derive(Default)]
struct GlbTextures {
    /// Indices into `Rig::images`.
    images: DistinctValues<usize>,
    samplers: DistinctValues<([Wrap; 2], bool)>,
    list: Vec<Value>,
}

impl GlbTextures {
    fn index(&mut self, texture: &Texture) -> usize {
        let (image, sampler) =
            (self.images.index(texture.image), self.samplers.index((texture.wrap, texture.is_nearest)));
        let value = json!({"source": image, "sampler": sampler});
        self.list.iter().position(|t| *t == value).unwrap_or_else(|| {
            self.list.push(value);
            self.list.len() - 1
        })
    }
}

fn sampler(wrap: [Wrap; 2], is_nearest: bool) -> Value {
    let [s, t] = wrap.map(|w| match w {
        Wrap::Repeat => 10497,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    });
    // NEAREST and NEAREST_MIPMAP_LINEAR, or LINEAR and LINEAR_MIPMAP_LINEAR.
    let (mag, min) = if is_nearest { (9728, 9986) } else { (9729, 9987) };
    json!({"wrapS": s, "wrapT": t, "magFilter": mag, "minFilter": min})
}

/// What is to be said where some colour was out of range.
pub(super) fn clamped_colors(is_clamped: bool) -> Option<String> {
    let reason = "glTF has colours from 0 to 1 only, so larger ones are 1 and smaller ones 0";
    left_out(usize::from(is_clamped), "range of colours", "", reason)
}

/// True where glTF has no such colour.
pub(super) fn is_out_of_range(color: &Vec4) -> bool {
    *color != clamped(*color)
}

/// The nearest colour that glTF has.
pub(super) fn clamped(color: Vec4) -> Vec4 {
    Vec4::from_array(color.to_array().map(|x| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }))
}
