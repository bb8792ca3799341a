use glam::Vec3;
use serde_json::{Map, Value, json};

use super::attributes::clamped;
use super::buffer::named;
use super::textures::{CoordSets, GlbTextures, has_shear, rounded};
use crate::export::posed_meshes::finite;
use rigscope_core::rig::{Alpha, Coat, MapKind, Material, Sheen, Specular};

/// Above this reflectance at normal incidence, an index of refraction is too imprecise, and [`MIRROR`] is written
/// instead.
const MAX_BY_IOR: f32 = 0.36;
/// Index of refraction that glTF defines as a perfect mirror, tinted by the specular colour.
const MIRROR: f32 = 0.0;

pub(super) fn material_json<'a>(source: &'a Material, sets: CoordSets, textures: &mut GlbTextures<'a>) -> Value {
    let mut writer = MaterialWriter { source, sets, textures, object: json!({}), extensions: Map::new() };
    writer.base();
    writer.alpha();
    writer.metal();
    writer.mirrored();
    writer.relief();
    writer.emission();
    writer.layers();
    if source.is_unlit {
        writer.extend("KHR_materials_unlit", json!({}));
    }
    let mut object = writer.object;
    if !writer.extensions.is_empty() {
        object["extensions"] = writer.extensions.into();
    }
    named(&source.name, object)
}

struct MaterialWriter<'a, 't> {
    source: &'a Material,
    sets: CoordSets,
    textures: &'t mut GlbTextures<'a>,
    object: Value,
    extensions: Map<String, Value>,
}

impl MaterialWriter<'_, '_> {
    fn map(&mut self, kind: MapKind) -> Option<Value> {
        self.textures.named(self.source, Some(kind), self.sets)
    }

    fn put(&mut self, object: &mut Value, name: &str, kind: MapKind) {
        if let Some(texture) = self.map(kind) {
            object[name] = texture;
        }
    }

    fn extend(&mut self, name: &str, content: Value) {
        self.extensions.insert(name.to_owned(), content);
    }

    /// Returns whether a texture cannot be written. Most callers then omit the texture's factor too.
    fn lacks(&self, kind: MapKind) -> bool {
        self.source.maps[kind].as_ref().is_some_and(has_shear)
    }

    fn base(&mut self) {
        let mut pbr = json!({"baseColorFactor": clamped(self.source.base_color).to_array()});
        if let Some(texture) = self.textures.named(self.source, None, self.sets) {
            pbr["baseColorTexture"] = texture;
        }
        self.object["pbrMetallicRoughness"] = pbr;
        self.object["doubleSided"] = json!(self.source.is_double_sided);
    }

    fn alpha(&mut self) {
        match self.source.alpha {
            Alpha::Opaque => {}
            Alpha::Mask(cutoff) => {
                self.object["alphaMode"] = json!("MASK");
                self.object["alphaCutoff"] = json!(finite(cutoff).max(0.0));
            }
            Alpha::Blend => self.object["alphaMode"] = json!("BLEND"),
        }
    }

    fn metal(&mut self) {
        let metallic = if self.lacks(MapKind::MetallicRoughness) { 0.0 } else { unit(self.source.metallic) };
        let mut pbr = self.object["pbrMetallicRoughness"].take();
        pbr["metallicFactor"] = json!(metallic);
        pbr["roughnessFactor"] = json!(unit(self.source.roughness));
        self.put(&mut pbr, "metallicRoughnessTexture", MapKind::MetallicRoughness);
        self.object["pbrMetallicRoughness"] = pbr;
    }

    fn mirrored(&mut self) {
        let Specular { at_normal, strength } = self.source.specular;
        let at_normal = clamped(at_normal.extend(1.0)).truncate();
        if let Some(texture) = self.map(MapKind::SpecularGlossiness) {
            // The newer extensions have no combined texture of specular colour and glossiness.
            let pbr = &self.object["pbrMetallicRoughness"];
            let mut old = json!({"diffuseFactor": pbr["baseColorFactor"]});
            if let Some(texture) = pbr.get("baseColorTexture") {
                old["diffuseTexture"] = texture.clone();
            }
            old["specularFactor"] = json!(at_normal.to_array());
            old["glossinessFactor"] = json!(1.0 - unit(self.source.roughness));
            old["specularGlossinessTexture"] = texture;
            return self.extend("KHR_materials_pbrSpecularGlossiness", old);
        }
        let max_component = at_normal.max_element();
        let ior = ior(max_component);
        let tint = at_normal / if ior == Some(MIRROR) || max_component == 0.0 { 1.0 } else { max_component };
        let mut specular = json!({});
        if strength != Specular::default().strength {
            specular["specularFactor"] = json!(unit(strength));
        }
        let tint = tint.to_array().map(rounded);
        if tint != [1.0; 3] {
            specular["specularColorFactor"] = json!(tint);
        }
        self.put(&mut specular, "specularTexture", MapKind::Specular);
        self.put(&mut specular, "specularColorTexture", MapKind::SpecularColor);
        if specular != json!({}) {
            self.extend("KHR_materials_specular", specular);
        }
        if let Some(ior) = ior {
            self.extend("KHR_materials_ior", json!({"ior": ior}));
        }
    }

    fn relief(&mut self) {
        if let Some(mut normal) = self.map(MapKind::Normal) {
            normal["scale"] = json!(finite(self.source.normal_scale));
            self.object["normalTexture"] = normal;
        }
        if let Some(mut occlusion) = self.map(MapKind::Occlusion) {
            occlusion["strength"] = json!(unit(self.source.occlusion_strength));
            self.object["occlusionTexture"] = occlusion;
        }
    }

    fn emission(&mut self) {
        let emission = if self.lacks(MapKind::Emission) { Vec3::ZERO } else { self.source.emission.map(finite) };
        // glTF forbids emissive factors above 1.
        let strength = emission.max_element().max(1.0);
        if emission != Vec3::ZERO {
            self.object["emissiveFactor"] = json!((emission / strength).to_array());
        }
        if let Some(texture) = self.map(MapKind::Emission) {
            self.object["emissiveTexture"] = texture;
        }
        if strength > 1.0 {
            self.extend("KHR_materials_emissive_strength", json!({"emissiveStrength": strength}));
        }
    }

    fn layers(&mut self) {
        let Material { coat, sheen, transmission, .. } = *self.source;
        if coat != Coat::default() {
            let mut layer =
                json!({"clearcoatFactor": unit(coat.strength), "clearcoatRoughnessFactor": unit(coat.roughness)});
            self.put(&mut layer, "clearcoatTexture", MapKind::Coat);
            self.put(&mut layer, "clearcoatRoughnessTexture", MapKind::CoatRoughness);
            if let Some(mut normal) = self.map(MapKind::CoatNormal) {
                normal["scale"] = json!(finite(coat.normal_scale));
                layer["clearcoatNormalTexture"] = normal;
            }
            self.extend("KHR_materials_clearcoat", layer);
        }
        if sheen != Sheen::default() {
            let tint = clamped(sheen.color.extend(1.0)).truncate().to_array();
            let mut layer = json!({"sheenColorFactor": tint, "sheenRoughnessFactor": unit(sheen.roughness)});
            self.put(&mut layer, "sheenColorTexture", MapKind::Sheen);
            self.put(&mut layer, "sheenRoughnessTexture", MapKind::SheenRoughness);
            self.extend("KHR_materials_sheen", layer);
        }
        if transmission > 0.0 {
            let mut layer = json!({"transmissionFactor": unit(transmission)});
            self.put(&mut layer, "transmissionTexture", MapKind::Transmission);
            self.extend("KHR_materials_transmission", layer);
        }
    }
}

/// Returns the index of refraction for a reflectance at normal incidence; `None` for the default.
fn ior(at_normal: f32) -> Option<f32> {
    let root = f64::from(at_normal).sqrt();
    let ior = rounded(((1.0 + root) / (1.0 - root)) as f32);
    let is_usual = (at_normal - Specular::default().at_normal.x).abs() < 1e-6;
    (!is_usual).then_some(if at_normal > MAX_BY_IOR { MIRROR } else { ior })
}

fn unit(x: f32) -> f32 {
    finite(x).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_of_refraction_that_is_read_again_is_the_same() {
        assert_eq!((ior(0.04), ior(0.5), ior(1.0)), (None, Some(MIRROR), Some(MIRROR)));
        for step in (0..=36).filter(|step| *step != 4) {
            let at_normal = step as f32 * 0.01;
            let first = ior(at_normal).unwrap();
            let read = Specular::f0_from_ior(first);
            assert!((read - at_normal).abs() < 1e-6, "{at_normal} became {read}");
            assert_eq!(ior(read), Some(first));
        }
    }
}
