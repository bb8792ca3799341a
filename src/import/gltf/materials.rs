//! Materials, as far as a rig viewer draws them: base colour, alpha, and the plain surface factors.

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::material::{AlphaMode, EmissiveFactor, PbrMetallicRoughness};
use gltf::json::validation::Checked;

use super::loader::GltfLoader;
use crate::import::ImportWarning;
use crate::rig::{Alpha, Material};

/// A material, and where its base colour texture lies on the mesh.
#[derive(Default)]
pub(super) struct SurfaceMaterial {
    pub material: Material,
    /// The file's number of the texture.
    pub texture: Option<usize>,
    /// `n` of `TEXCOORD_n`.
    pub tex_coord: u32,
    /// `KHR_texture_transform`, where it changes anything.
    pub transform: Option<UvTransform>,
    /// Some primitive has this material.
    pub is_used: bool,
}

/// Offset, rotation and scale of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UvTransform {
    offset: Vec2,
    /// Cosine and sine.
    turn: Vec2,
    scale: Vec2,
}

impl UvTransform {
    fn new(transform: &TextureTransform) -> Option<Self> {
        let this = Self {
            offset: Vec2::from_array(transform.offset.0),
            turn: Vec2::new(transform.rotation.0.cos(), transform.rotation.0.sin()),
            scale: Vec2::from_array(transform.scale.0),
        };
        let changes = this.offset != Vec2::ZERO || this.turn != Vec2::X || this.scale != Vec2::ONE;
        (changes && this.offset.is_finite() && this.turn.is_finite() && this.scale.is_finite()).then_some(this)
    }

    /// Rotation is counter-clockwise as seen on the image, whose v points down.
    pub fn apply(&self, uv: Vec2) -> Vec2 {
        let (u, v) = (uv.x * self.scale.x, uv.y * self.scale.y);
        let (cos, sin) = (self.turn.x, self.turn.y);
        Vec2::new(cos * u + sin * v + self.offset.x, cos * v - sin * u + self.offset.y)
    }
}

impl GltfLoader<'_> {
    /// All materials in the file's order; a malformed one becomes the default.
    pub fn surfaces(&self) -> Vec<SurfaceMaterial> {
        let materials = self.source.document.materials.iter().enumerate();
        materials
            .map(|(index, material)| {
                if material.valid().is_none() {
                    self.report.warn(ImportWarning::Malformed { kind: "Material", index });
                }
                material.valid().map(surface).unwrap_or_default()
            })
            .collect()
    }

    /// Says what the used materials have beyond what is drawn, in one warning, since most files have it everywhere.
    pub fn warn_of_undrawn_looks(&self, surfaces: &[SurfaceMaterial]) {
        let mut counts: Vec<(&'static str, usize)> = Vec::new();
        // An unlit material has the rest only for readers that do not know of unlit ones.
        let used = |s: &SurfaceMaterial| s.is_used && !s.material.is_unlit;
        let materials = self.source.document.materials.iter().zip(surfaces).filter(|(_, s)| used(s));
        for (kind, _) in materials.filter_map(|(m, _)| m.valid()).flat_map(undrawn).filter(|(_, has)| *has) {
            match counts.iter_mut().find(|(k, _)| *k == kind) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => counts.push((kind, 1)),
            }
        }
        if !counts.is_empty() {
            self.report.warn(ImportWarning::LooksIgnored { materials: counts });
        }
    }
}

/// What is not drawn of a material, and whether it has that.
fn undrawn(material: &json::Material) -> [(&'static str, bool); 4] {
    let EmissiveFactor(emission) = material.emissive_factor;
    [
        ("normal textures", material.normal_texture.is_some()),
        ("metallic-roughness textures", material.pbr_metallic_roughness.metallic_roughness_texture.is_some()),
        ("occlusion textures", material.occlusion_texture.is_some()),
        // The factor scales the texture, and is 0 where the file gives none.
        ("emissive textures", material.emissive_texture.is_some() && emission.iter().any(|&e| e != 0.0)),
    ]
}

fn surface(source: &json::Material) -> SurfaceMaterial {
    let pbr = &source.pbr_metallic_roughness;
    // Older exports keep the base colour here.
    let old = source.extensions.as_ref().and_then(|e| e.pbr_specular_glossiness.as_ref());
    let info = old.map_or(pbr.base_color_texture.as_ref(), |o| o.diffuse_texture.as_ref());
    let factor = old.map_or(pbr.base_color_factor.0, |o| o.diffuse_factor.0);
    let transform = info.and_then(|i| i.extensions.as_ref()?.texture_transform.as_ref());
    SurfaceMaterial {
        material: Material {
            name: source.name.clone().unwrap_or_default(),
            base_color: Some(Vec4::from_array(factor)).filter(|c| c.is_finite()).unwrap_or(Vec4::ONE),
            texture: None,
            alpha: alpha(source),
            is_double_sided: source.double_sided,
            roughness: unit(pbr.roughness_factor.0, 1.0),
            metallic: if old.is_some() { 0.0 } else { metallic(pbr) },
            emission: emission(source),
            is_unlit: source.extensions.as_ref().is_some_and(|e| e.unlit.is_some()),
        },
        texture: info.map(|i| i.index.value()),
        tex_coord: transform.and_then(|t| t.tex_coord).or(info.map(|i| i.tex_coord)).unwrap_or(0),
        transform: transform.and_then(UvTransform::new),
        is_used: false,
    }
}

/// Nothing where a texture says where light is emitted, since that is not drawn.
fn emission(source: &json::Material) -> Vec3 {
    let extensions = source.extensions.as_ref().map(|e| &e.others);
    let strength = extensions.and_then(|e| e.get("KHR_materials_emissive_strength")?.get("emissiveStrength")?.as_f64());
    let strength = strength.unwrap_or(1.0) as f32;
    let light = Vec3::from_array(source.emissive_factor.0.map(|e| e * strength));
    if source.emissive_texture.is_none() && light.is_finite() { light.max(Vec3::ZERO) } else { Vec3::ZERO }
}

fn alpha(source: &json::Material) -> Alpha {
    match source.alpha_mode {
        Checked::Valid(AlphaMode::Mask) => Alpha::Mask(unit(source.alpha_cutoff.unwrap_or_default().0, 0.5)),
        Checked::Valid(AlphaMode::Blend) => Alpha::Blend,
        Checked::Valid(AlphaMode::Opaque) | Checked::Invalid => Alpha::Opaque,
    }
}

/// The factor scales a texture that is not read; most such textures are not metal anywhere.
fn metallic(pbr: &PbrMetallicRoughness) -> f32 {
    if pbr.metallic_roughness_texture.is_some() { 0.0 } else { unit(pbr.metallic_factor.0, 1.0) }
}

fn unit(value: f32, default: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { default }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(json: &str) -> SurfaceMaterial {
        surface(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn an_empty_material_has_the_defaults_of_gltf() {
        let s = parsed("{}");
        assert_eq!((s.material.base_color, s.material.metallic, s.material.roughness), (Vec4::ONE, 1.0, 1.0));
        assert_eq!((s.material.alpha, s.texture, s.transform), (Alpha::Opaque, None, None));
    }

    #[test]
    fn factors_modes_and_extensions_are_read() {
        let s = parsed(
            r#"{"name":"m","doubleSided":true,"alphaMode":"MASK","alphaCutoff":0.25,"extensions":{"KHR_materials_unlit":{}},
            "pbrMetallicRoughness":{"baseColorFactor":[0.5,1,1,1],"metallicFactor":0.25,"roughnessFactor":7,
            "baseColorTexture":{"index":3,"texCoord":1,"extensions":{"KHR_texture_transform":{"texCoord":2}}}}}"#,
        );
        let m = &s.material;
        assert_eq!((m.name.as_str(), m.is_double_sided, m.alpha, m.is_unlit), ("m", true, Alpha::Mask(0.25), true));
        assert_eq!((m.base_color.x, m.metallic, m.roughness), (0.5, 0.25, 1.0));
        assert_eq!((s.texture, s.tex_coord, s.transform), (Some(3), 2, None));
        let glowing =
            r#"{"emissiveFactor":[1,0.5,0],"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4}}"#;
        assert_eq!(parsed(&format!("{glowing}}}")).material.emission, Vec3::new(4.0, 2.0, 0.0));
        assert_eq!(parsed(&format!("{glowing},\"emissiveTexture\":{{\"index\":0}}}}")).material.emission, Vec3::ZERO);
        let old = parsed(r#"{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseTexture":{"index":5}}}}"#);
        assert_eq!((old.texture, old.material.metallic), (Some(5), 0.0));
    }

    #[test]
    fn texture_coordinates_are_scaled_turned_and_moved() {
        let json = r#"{"offset":[10,20],"rotation":1.5707963267948966,"scale":[2,3]}"#;
        let transform = UvTransform::new(&serde_json::from_str(json).unwrap()).unwrap();
        assert!(transform.apply(Vec2::new(1.0, 0.0)).distance(Vec2::new(10.0, 18.0)) < 1e-5);
        assert!(transform.apply(Vec2::new(0.0, 1.0)).distance(Vec2::new(13.0, 20.0)) < 1e-5);
    }
}
