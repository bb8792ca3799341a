use glam::{Affine2, Mat2, Vec2, Vec3};
use ufbx::{MaterialMap, UvSet};

use super::from_ufbx::affine;
use super::loader::FbxLoader;
use crate::import::ImportWarning;
use crate::import::products::{product, scaled};
use rigscope_core::rig::{Alpha, MapKind, Material, Primitive};

pub(super) struct FbxMaterial<'a> {
    pub material: Material,
    pub texture: Option<&'a ufbx::Texture>,
    pub maps: Vec<(MapKind, &'a ufbx::Texture)>,
    pub is_used: bool,
}

impl<'a> FbxMaterial<'a> {
    pub(super) fn textures(&self) -> impl Iterator<Item = &'a ufbx::Texture> {
        self.texture.into_iter().chain(self.maps.iter().map(|(_, texture)| *texture))
    }

    /// Returns the UV set that the textures use: the set named by the first texture or, if the mesh lacks that set, the
    /// mesh's first set.
    pub(super) fn tex_coords<'m>(&self, mesh: &'m ufbx::Mesh) -> Option<&'m UvSet> {
        let name = self.textures().next().map(|texture| &*texture.uv_set);
        let named = mesh.uv_sets.iter().find(|set| name == Some(&*set.name));
        named.or_else(|| mesh.uv_sets.iter().next()).filter(|set| set.vertex_uv.exists)
    }

    /// Marks the material as used. Converts UVs to image space, in which v points down, and applies the first texture's
    /// transform.
    pub(super) fn use_by(&mut self, primitive: &mut Primitive) {
        self.is_used = true;
        let moved = self.textures().next().map_or(FLIP, from_uv);
        for uv in primitive.tex_coords.iter_mut().flatten() {
            *uv = moved.transform_point2(*uv);
        }
    }

    /// Returns the transform from a primitive's texture coordinates to those of a texture; `None` for the identity.
    pub(super) fn transform(&self, texture: &ufbx::Texture) -> Option<Affine2> {
        let first = self.textures().next().map_or(FLIP, from_uv);
        let transform = product(&from_uv(texture), &first.inverse());
        Some(transform).filter(|t| t.is_finite() && !t.abs_diff_eq(Affine2::IDENTITY, 1e-6))
    }
}

const FLIP: Affine2 = Affine2 { matrix2: Mat2::from_cols(Vec2::X, Vec2::NEG_Y), translation: Vec2::Y };

fn from_uv(texture: &ufbx::Texture) -> Affine2 {
    if !texture.has_uv_transform {
        return FLIP;
    }
    let m = affine(&texture.uv_to_texture);
    let columns = Mat2::from_cols(m.matrix3.x_axis.truncate(), m.matrix3.y_axis.truncate());
    product(&FLIP, &Affine2::from_mat2_translation(columns, m.translation.truncate()))
}

impl<'a> FbxLoader<'a> {
    pub(super) fn surfaces(&self) -> Vec<FbxMaterial<'a>> {
        let plain = Material { is_double_sided: true, ..Material::default() };
        let plain = FbxMaterial { material: plain, texture: None, maps: Vec::new(), is_used: false };
        self.scene.materials.iter().map(|material| surface(material)).chain([plain]).collect()
    }

    /// Warns about all ignored properties of used materials in a single warning, since most files have many.
    pub(super) fn warn_of_ignored_properties(&self, surfaces: &[FbxMaterial<'_>]) {
        let mut counts: Vec<(&'static str, usize)> = Vec::new();
        let used = self.scene.materials.iter().zip(surfaces).filter(|(_, surface)| surface.is_used);
        for (kind, _) in used.flat_map(|(material, surface)| undrawn(material, surface)).filter(|(_, has)| *has) {
            match counts.iter_mut().find(|(k, _)| *k == kind) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => counts.push((kind, 1)),
            }
        }
        if !counts.is_empty() {
            self.report.warn(ImportWarning::materials_simplified(DRAWN, &counts));
        }
    }
}

pub(super) fn materials(mut surfaces: Vec<FbxMaterial<'_>>) -> Vec<Material> {
    let plain = surfaces.pop().filter(|plain| plain.is_used);
    surfaces.into_iter().chain(plain).map(|surface| surface.material).collect()
}

const DRAWN: &str = "textures of base colour (and opacity in the same file), normals, roughness (with metallic where one file has both), occlusion and emission";

fn undrawn(material: &ufbx::Material, surface: &FbxMaterial<'_>) -> [(&'static str, bool); 8] {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let opacity = opacity_texture(material).filter(|t| !is_same_file(surface.texture, t));
    let lacks = |kind, maps: &[&MaterialMap]| {
        !surface.maps.iter().any(|(k, _)| *k == kind) && maps.iter().any(|map| texture_of(map))
    };
    [
        ("normal textures", lacks(MapKind::Normal, &[&pbr.normal_map, &fbx.normal_map])),
        ("bump textures", lacks(MapKind::Normal, &[&fbx.bump])),
        ("metallic or roughness textures", lacks(MapKind::MetallicRoughness, &[&pbr.metalness, &pbr.roughness])),
        ("occlusion textures", lacks(MapKind::Occlusion, &[&pbr.ambient_occlusion])),
        ("emissive textures", lacks(MapKind::Emission, &[&pbr.emission_color])),
        (
            "specular textures",
            [&fbx.specular_color, &fbx.specular_factor].into_iter().any(|map| texture(map).is_some()),
        ),
        ("opacity textures", opacity.is_some()),
        ("further layers of textures", surface.texture.is_some_and(|t| t.file_textures.count > 1)),
    ]
}

/// Returns the textures other than the base colour. FBX has separate metalness and roughness textures, but a rig has
/// one combined texture. The roughness texture is used if both are the same file, or if the material has no metalness.
fn maps<'a>(
    material: &'a ufbx::Material,
    base: Option<&ufbx::Texture>,
    surface: &mut Material,
) -> Vec<(MapKind, &'a ufbx::Texture)> {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let roughness = texture(&pbr.roughness).filter(|rough| match texture(&pbr.metalness) {
        Some(metal) => is_same_file(Some(metal), rough),
        None => surface.metallic == 0.0,
    });
    let roughness = roughness.filter(|_| !material.features.roughness_as_glossiness.enabled);
    if roughness.is_some() {
        (surface.roughness, surface.metallic) = (1.0, if texture_of(&pbr.metalness) { 1.0 } else { 0.0 });
    }
    let emission = texture(&pbr.emission_color);
    if emission.is_some() {
        surface.emission = Vec3::splat(emission_factor(material));
    }
    let all = [
        (MapKind::Normal, texture(&pbr.normal_map).or_else(|| texture(&fbx.normal_map))),
        (MapKind::MetallicRoughness, roughness),
        (MapKind::Occlusion, texture(&pbr.ambient_occlusion)),
        (MapKind::Emission, emission.filter(|_| surface.emission != Vec3::ZERO)),
    ];
    let maps = all.into_iter().filter_map(|(kind, texture)| Some((kind, texture?)));
    let mut first: Option<&str> = base.map(|b| &*b.uv_set);
    // All textures must use the same UV set.
    maps.filter(|(_, texture)| *first.get_or_insert(&texture.uv_set) == &*texture.uv_set).collect()
}

fn surface(material: &ufbx::Material) -> FbxMaterial<'_> {
    let pbr = &material.pbr;
    let texture = texture(&pbr.base_color).or_else(|| texture(&material.fbx.diffuse_color));
    let alpha = opacity(material);
    let is_cut_out = opacity_texture(material).is_some_and(|t| is_same_file(texture, t));
    let mut surface = Material {
        name: material.element.name.to_string(),
        base_color: base_color(material, texture.is_some()).extend(alpha),
        texture: None,
        alpha: if alpha < 1.0 || is_cut_out { Alpha::Blend } else { Alpha::Opaque },
        // FBX authoring tools draw both sides.
        is_double_sided: true,
        roughness: factor(&pbr.roughness, 1.0),
        metallic: if texture_of(&pbr.metalness) { 0.0 } else { factor(&pbr.metalness, 0.0) },
        emission: emission(material),
        is_unlit: material.features.unlit.enabled,
        ..Material::default()
    };
    let maps = if surface.is_unlit { Vec::new() } else { maps(material, texture, &mut surface) };
    FbxMaterial { material: surface, texture, maps, is_used: false }
}

fn texture(map: &MaterialMap) -> Option<&ufbx::Texture> {
    map.texture.as_deref().filter(|_| map.texture_enabled)
}

fn texture_of(map: &MaterialMap) -> bool {
    texture(map).is_some()
}

/// Returns the base colour in linear RGB; white if a texture replaces it.
fn base_color(material: &ufbx::Material, has_texture: bool) -> Vec3 {
    let map = &material.pbr.base_color;
    let color = if has_texture { Vec3::ONE } else { color(map, 0.8) };
    Vec3::from_array(color.to_array().map(|c| c * factor(&material.pbr.base_factor, 1.0)))
}

/// Returns the emission in linear RGB; black if there is an emission texture, whose factor [`maps`] sets.
fn emission(material: &ufbx::Material) -> Vec3 {
    let pbr = &material.pbr;
    let light = scaled(color(&pbr.emission_color, 0.0), emission_factor(material));
    if texture_of(&pbr.emission_color) || !light.is_finite() { Vec3::ZERO } else { light.max(Vec3::ZERO) }
}

fn emission_factor(material: &ufbx::Material) -> f32 {
    let map = &material.pbr.emission_factor;
    let factor = if map.has_value { map.value_vec4.x as f32 } else { 1.0 };
    if factor.is_finite() { factor.max(0.0) } else { 1.0 }
}

fn color(map: &MaterialMap, grey: f32) -> Vec3 {
    let value = &map.value_vec4;
    let value = Vec3::new(value.x as f32, value.y as f32, value.z as f32);
    if map.has_value && value.is_finite() { value.max(Vec3::ZERO) } else { Vec3::splat(grey) }
}

fn factor(map: &MaterialMap, default: f32) -> f32 {
    let value = map.value_vec4.x as f32;
    if map.has_value && value.is_finite() { value.clamp(0.0, 1.0) } else { default }
}

/// Returns the opacity, greater than 0 and at most 1. Programs disagree about which property of classic materials
/// stores it. Like Blender, this uses the transparency factor unless it is 0 or 1, then `Opacity`, then the transparent
/// colour.
fn opacity(material: &ufbx::Material) -> f32 {
    let valid = |value: f32| Some(value).filter(|v| v.is_finite() && *v > 0.0 && *v <= 1.0);
    let pbr = &material.pbr.opacity;
    if pbr.has_value {
        return valid(pbr.value_vec4.x as f32).unwrap_or(1.0);
    }
    let fbx = &material.fbx;
    let transparency = fbx.transparency_factor.value_vec4.x;
    if fbx.transparency_factor.has_value && transparency > 0.0 && transparency < 1.0 {
        return valid((1.0 - transparency) as f32).unwrap_or(1.0);
    }
    if let Some(property) = material.element.props.props.iter().find(|p| &*p.name == "Opacity") {
        return valid(property.value_vec4.x as f32).unwrap_or(1.0);
    }
    let color = fbx.transparency_color.value_vec4.x;
    if fbx.transparency_color.has_value && transparency > 0.0 {
        valid((1.0 - color) as f32).unwrap_or(1.0)
    } else {
        1.0
    }
}

fn opacity_texture(material: &ufbx::Material) -> Option<&ufbx::Texture> {
    let fbx = &material.fbx;
    [&material.pbr.opacity, &fbx.transparency_color, &fbx.transparency_factor].into_iter().find_map(texture)
}

fn is_same_file(base: Option<&ufbx::Texture>, other: &ufbx::Texture) -> bool {
    base.is_some_and(|base| base.has_file && other.has_file && base.file_index == other.file_index)
}
