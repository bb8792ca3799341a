//! Materials: metallic-roughness and its extensions. Textures are referenced by file index until the images are
//! decoded.

use glam::{Vec3, Vec4};
use gltf::json;
use gltf::json::material::AlphaMode;
use gltf::json::validation::Checked;

use super::loader::GltfLoader;
use super::material_extensions::{MaterialExtensions, NamedTexture};
use super::tex_coords::{CoordPlan, TextureCoords};
use crate::import::ImportWarning;
use crate::import::products::scaled;
use rigscope_core::rig::{Alpha, Coat, MapKind, Material, Sheen, Specular};

#[derive(Default)]
pub(super) struct GltfMaterial {
    pub material: Material,
    pub texture: Option<usize>,
    /// Kind, texture index and UV set of each texture other than the base colour.
    pub maps: Vec<(MapKind, usize, TextureCoords)>,
    pub coords: CoordPlan,
    /// Whether a texture needs a UV set that [`Self::coords`] does not contain.
    pub has_elsewhere: bool,
    pub is_used: bool,
}

impl GltfMaterial {
    pub(super) fn textures(&self) -> impl Iterator<Item = usize> {
        self.texture.into_iter().chain(self.maps.iter().map(|(_, texture, _)| *texture))
    }
}

impl GltfLoader<'_> {
    /// Returns all materials in file order; malformed ones become the default material.
    pub(super) fn surfaces(&self) -> Vec<GltfMaterial> {
        let materials = self.source.document.materials.iter().enumerate();
        let lit = self.lit_by_expressions();
        materials
            .map(|(index, material)| {
                if material.valid().is_none() {
                    self.report.warn(ImportWarning::malformed("Material", index));
                }
                material.valid().map(|m| surface(m, lit.contains(&index))).unwrap_or_default()
            })
            .collect()
    }

    /// Warns, once for all materials, about used materials whose textures need a third UV set.
    pub(super) fn warn_of_ignored_properties(&self, surfaces: &[GltfMaterial]) {
        let count = surfaces.iter().filter(|s| s.is_used && s.has_elsewhere).count();
        if count > 0 {
            let ignored = [("textures by a third set of coordinates", count)];
            self.report.warn(ImportWarning::materials_simplified("textures by two sets", &ignored));
        }
    }
}

fn surface(source: &json::Material, may_be_lit: bool) -> GltfMaterial {
    let pbr = &source.pbr_metallic_roughness;
    let extensions = source.extensions.as_ref();
    let is_unlit = extensions.is_some_and(|e| e.unlit.is_some());
    // Older exporters store the base colour in this extension.
    let old = extensions.and_then(|e| e.pbr_specular_glossiness.as_ref());
    let base = old.map_or(pbr.base_color_texture.as_ref(), |o| o.diffuse_texture.as_ref()).map(NamedTexture::of_info);
    let factor = old.map_or(pbr.base_color_factor.0, |o| o.diffuse_factor.0);
    let mut material = Material {
        name: source.name.clone().unwrap_or_default(),
        base_color: Some(Vec4::from_array(factor)).filter(|c| c.is_finite()).unwrap_or(Vec4::ONE),
        alpha: alpha(source),
        is_double_sided: source.double_sided,
        roughness: unit(pbr.roughness_factor.0, 1.0),
        metallic: unit(pbr.metallic_factor.0, 1.0),
        is_unlit,
        ..Material::default()
    };
    let mut maps = Vec::new();
    let mut add = |kind, texture: Option<NamedTexture>| maps.extend(texture.map(|t| (kind, t)));
    if is_unlit {
        // Unlit materials ignore these textures, but the export needs them.
        add(MapKind::MetallicRoughness, pbr.metallic_roughness_texture.as_ref().map(NamedTexture::of_info));
        plain_maps(source, &mut material, &mut add);
    } else {
        if let Some(old) = old {
            material.metallic = 0.0;
            material.roughness = 1.0 - unit(old.glossiness_factor.0, 1.0);
            material.specular.at_normal = color(Vec3::from_array(old.specular_factor.0));
            add(MapKind::SpecularGlossiness, old.specular_glossiness_texture.as_ref().map(NamedTexture::of_info));
        } else {
            add(MapKind::MetallicRoughness, pbr.metallic_roughness_texture.as_ref().map(NamedTexture::of_info));
            specular(source, &mut material, &mut add);
        }
        plain_maps(source, &mut material, &mut add);
        layers(source, &mut material, &mut add);
    }
    // A texture with factor 0 has no effect.
    maps.retain(|(kind, _)| counts(&material, *kind) || (may_be_lit && *kind == MapKind::Emission));
    let plan = CoordPlan::new(base.as_ref().or(maps.first().map(|(_, first)| first)), maps.iter().map(|(_, t)| t));
    let lies = |(kind, t): &(MapKind, NamedTexture)| Some((*kind, t.texture, plan.place(t)?));
    GltfMaterial {
        texture: base.map(|b| b.texture),
        maps: maps.iter().filter_map(lies).collect(),
        has_elsewhere: !is_unlit && maps.iter().any(|(_, t)| plan.place(t).is_none()),
        coords: plan,
        material,
        is_used: false,
    }
}

type Add<'a> = dyn FnMut(MapKind, Option<NamedTexture>) + 'a;

fn plain_maps(source: &json::Material, material: &mut Material, add: &mut Add<'_>) {
    if let Some(normal) = &source.normal_texture {
        material.normal_scale = if normal.scale.is_finite() { normal.scale } else { 1.0 };
        let extensions = normal.extensions.as_ref().map(|e| &e.others);
        add(MapKind::Normal, Some(NamedTexture::new(normal.index.value(), normal.tex_coord, extensions)));
    }
    if let Some(occlusion) = &source.occlusion_texture {
        material.occlusion_strength = unit(occlusion.strength.0, 1.0);
        let extensions = occlusion.extensions.as_ref().map(|e| &e.others);
        add(MapKind::Occlusion, Some(NamedTexture::new(occlusion.index.value(), occlusion.tex_coord, extensions)));
    }
    let strength = MaterialExtensions(source)
        .extension("KHR_materials_emissive_strength")
        .and_then(|e| e.number("emissiveStrength"));
    let light = scaled(Vec3::from_array(source.emissive_factor.0), strength.unwrap_or(1.0));
    material.emission = if light.is_finite() { light.max(Vec3::ZERO) } else { Vec3::ZERO };
    add(MapKind::Emission, source.emissive_texture.as_ref().map(NamedTexture::of_info));
}

fn specular(source: &json::Material, material: &mut Material, add: &mut Add<'_>) {
    let extensions = MaterialExtensions(source);
    // Values below 1 are invalid, except 0 for a mirror.
    let ior = extensions.extension("KHR_materials_ior").and_then(|e| e.number("ior"));
    let at_normal = ior.map_or(0.04, |ior| if ior == 0.0 { 1.0 } else { Specular::f0_from_ior(ior.max(1.0)) });
    let given = extensions.extension("KHR_materials_specular");
    let tint = given.as_ref().and_then(|e| e.color("specularColorFactor")).unwrap_or(Vec3::ONE);
    let strength = given.as_ref().and_then(|e| e.number("specularFactor")).map_or(1.0, |s| unit(s, 1.0));
    material.specular = Specular { at_normal: color(scaled(tint, at_normal)), strength };
    add(MapKind::Specular, given.as_ref().and_then(|e| e.texture("specularTexture")));
    add(MapKind::SpecularColor, given.as_ref().and_then(|e| e.texture("specularColorTexture")));
}

fn layers(source: &json::Material, material: &mut Material, add: &mut Add<'_>) {
    let extensions = MaterialExtensions(source);
    if let Some(coat) = extensions.extension("KHR_materials_clearcoat") {
        let factor = |name| coat.number(name).map_or(0.0, |f| unit(f, 0.0));
        let normal_scale = coat.texture_scale("clearcoatNormalTexture");
        let (strength, roughness) = (factor("clearcoatFactor"), factor("clearcoatRoughnessFactor"));
        material.coat = Coat { strength, roughness, normal_scale };
        add(MapKind::Coat, coat.texture("clearcoatTexture"));
        add(MapKind::CoatRoughness, coat.texture("clearcoatRoughnessTexture"));
        add(MapKind::CoatNormal, coat.texture("clearcoatNormalTexture"));
    }
    if let Some(sheen) = extensions.extension("KHR_materials_sheen") {
        let tint = sheen.color("sheenColorFactor").unwrap_or_default();
        let roughness = sheen.number("sheenRoughnessFactor").map_or(0.0, |f| unit(f, 0.0));
        material.sheen = Sheen { color: color(tint), roughness };
        add(MapKind::Sheen, sheen.texture("sheenColorTexture"));
        add(MapKind::SheenRoughness, sheen.texture("sheenRoughnessTexture"));
    }
    if let Some(transmission) = extensions.extension("KHR_materials_transmission") {
        material.transmission = transmission.number("transmissionFactor").map_or(0.0, |f| unit(f, 0.0));
        add(MapKind::Transmission, transmission.texture("transmissionTexture"));
    }
}

fn counts(material: &Material, kind: MapKind) -> bool {
    match kind {
        MapKind::Normal => material.normal_scale != 0.0,
        MapKind::Occlusion => material.occlusion_strength > 0.0,
        MapKind::Emission => material.emission != Vec3::ZERO,
        MapKind::Coat | MapKind::CoatRoughness => material.coat.strength > 0.0,
        MapKind::CoatNormal => material.coat.strength > 0.0 && material.coat.normal_scale != 0.0,
        MapKind::Sheen | MapKind::SheenRoughness => material.sheen.color != Vec3::ZERO,
        MapKind::Specular | MapKind::SpecularColor => material.specular.strength > 0.0,
        MapKind::Transmission => material.transmission > 0.0,
        MapKind::MetallicRoughness | MapKind::SpecularGlossiness => true,
    }
}

fn alpha(source: &json::Material) -> Alpha {
    match source.alpha_mode {
        Checked::Valid(AlphaMode::Mask) => Alpha::Mask(unit(source.alpha_cutoff.unwrap_or_default().0, 0.5)),
        Checked::Valid(AlphaMode::Blend) => Alpha::Blend,
        Checked::Valid(AlphaMode::Opaque) | Checked::Invalid => Alpha::Opaque,
    }
}

fn color(value: Vec3) -> Vec3 {
    if value.is_finite() { value.clamp(Vec3::ZERO, Vec3::ONE) } else { Vec3::ONE }
}

fn unit(value: f32, default: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { default }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(json: &str) -> GltfMaterial {
        surface(&serde_json::from_str(json).unwrap(), false)
    }

    #[test]
    fn an_empty_material_has_the_defaults_of_gltf() {
        let s = parsed("{}");
        assert_eq!((s.material.base_color, s.material.metallic, s.material.roughness), (Vec4::ONE, 1.0, 1.0));
        assert_eq!(
            (s.material.alpha, s.texture, s.coords, s.maps.len()),
            (Alpha::Opaque, None, CoordPlan::default(), 0)
        );
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
        assert_eq!((s.texture, s.coords.first, s.coords.transform), (Some(3), 2, None));
        let glowing =
            r#"{"emissiveFactor":[1,0.5,0],"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4}}"#;
        assert_eq!(parsed(&format!("{glowing}}}")).material.emission, Vec3::new(4.0, 2.0, 0.0));
        let textured = parsed(&format!("{glowing},\"emissiveTexture\":{{\"index\":7}}}}"));
        assert_eq!(textured.maps, [(MapKind::Emission, 7, TextureCoords::default())]);
        let old = parsed(
            r#"{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseTexture":{"index":5},"specularFactor":[0.5,0,0],
            "glossinessFactor":0.25,"specularGlossinessTexture":{"index":6}}}}"#,
        );
        let m = &old.material;
        assert_eq!((old.texture, m.metallic, m.roughness, m.specular.at_normal.x), (Some(5), 0.0, 0.75, 0.5));
        assert_eq!(old.maps, [(MapKind::SpecularGlossiness, 6, TextureCoords::default())]);
    }

    #[test]
    fn layers_are_read_and_textures_of_nothing_are_not() {
        let s = parsed(
            r#"{"emissiveTexture":{"index":1},"occlusionTexture":{"index":2,"strength":0.5},"normalTexture":{"index":3,"scale":-2},
            "extensions":{"KHR_materials_ior":{"ior":2},"KHR_materials_specular":{"specularFactor":0.5,"specularColorFactor":[1,0.5,0]},
            "KHR_materials_clearcoat":{"clearcoatFactor":0.75,"clearcoatRoughnessFactor":0.25,"clearcoatTexture":{"index":4},"clearcoatNormalTexture":{"index":6,"scale":0.5}},
            "KHR_materials_sheen":{"sheenRoughnessFactor":0.5,"sheenColorTexture":{"index":5},"sheenRoughnessTexture":{"index":5}},
            "KHR_materials_transmission":{"transmissionFactor":0.875}}}"#,
        );
        let m = &s.material;
        assert_eq!((m.occlusion_strength, m.normal_scale, m.transmission), (0.5, -2.0, 0.875));
        let ninth = 1.0 / 9.0;
        assert!(
            m.specular.at_normal.abs_diff_eq(Vec3::new(ninth, ninth / 2.0, 0.0), 1e-6) && m.specular.strength == 0.5
        );
        assert_eq!(m.coat, Coat { strength: 0.75, roughness: 0.25, normal_scale: 0.5 });
        let kinds: Vec<_> = s.maps.iter().map(|(kind, texture, _)| (*kind, *texture)).collect();
        assert_eq!(
            kinds,
            [(MapKind::Normal, 3), (MapKind::Occlusion, 2), (MapKind::Coat, 4), (MapKind::CoatNormal, 6)]
        );
    }
}
