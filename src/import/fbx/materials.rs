//! Materials, as far as a rig viewer draws them: base colour, opacity, and the plain surface factors.

use glam::{Vec2, Vec3};
use ufbx::{MaterialMap, UvSet};

use super::convert::affine;
use super::loader::FbxLoader;
use crate::import::ImportWarning;
use crate::rig::{Alpha, Material, Primitive};

/// A material and the texture of its base colour.
pub(super) struct SurfaceMaterial<'a> {
    pub material: Material,
    pub texture: Option<&'a ufbx::Texture>,
    /// Some primitive has this material.
    pub is_used: bool,
}

impl SurfaceMaterial<'_> {
    /// The set of a mesh that the texture lies by: that which it names, else the first.
    pub fn tex_coords<'m>(&self, mesh: &'m ufbx::Mesh) -> Option<&'m UvSet> {
        let name: &str = &self.texture?.uv_set;
        let named = mesh.uv_sets.iter().find(|set| &*set.name == name);
        named.or_else(|| mesh.uv_sets.iter().next()).filter(|set| set.vertex_uv.exists)
    }

    /// Notes a primitive that has it; its texture coordinates become those of the image, v down.
    pub fn use_by(&mut self, primitive: &mut Primitive) {
        self.is_used = true;
        let moved = self.texture.filter(|t| t.has_uv_transform).map(|t| affine(&t.uv_to_texture));
        for uv in primitive.tex_coords.iter_mut().flatten() {
            let moved = moved.map_or(*uv, |m| m.transform_point3(uv.extend(0.0)).truncate());
            *uv = Vec2::new(moved.x, 1.0 - moved.y);
        }
    }
}

impl<'a> FbxLoader<'a> {
    /// All materials in the file's order, and behind them that of meshes without one.
    pub fn surfaces(&self) -> Vec<SurfaceMaterial<'a>> {
        let plain = Material { is_double_sided: true, ..Material::default() };
        let plain = SurfaceMaterial { material: plain, texture: None, is_used: false };
        self.scene.materials.iter().map(|material| surface(material)).chain([plain]).collect()
    }

    /// The materials of a rig: all of the file, and that of meshes without one where some mesh needs it.
    pub fn materials(&self, mut surfaces: Vec<SurfaceMaterial<'_>>) -> Vec<Material> {
        let plain = surfaces.pop().filter(|plain| plain.is_used);
        surfaces.into_iter().chain(plain).map(|surface| surface.material).collect()
    }

    /// Says what the used materials have beyond what is drawn, in one warning, since most files have it everywhere.
    pub fn warn_of_undrawn_looks(&self, surfaces: &[SurfaceMaterial<'_>]) {
        let mut counts: Vec<(&'static str, usize)> = Vec::new();
        let used = self.scene.materials.iter().zip(surfaces).filter(|(_, surface)| surface.is_used);
        for (kind, _) in used.flat_map(|(material, surface)| undrawn(material, surface)).filter(|(_, has)| *has) {
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
fn undrawn(material: &ufbx::Material, surface: &SurfaceMaterial<'_>) -> [(&'static str, bool); 7] {
    let (fbx, pbr) = (&material.fbx, &material.pbr);
    let opacity = opacity_texture(material).filter(|t| !is_same_file(surface.texture, t));
    [
        (
            "normal textures",
            [&pbr.normal_map, &fbx.normal_map, &fbx.bump].into_iter().any(|map| texture(map).is_some()),
        ),
        (
            "metallic or roughness textures",
            [&pbr.metalness, &pbr.roughness].into_iter().any(|map| texture(map).is_some()),
        ),
        ("occlusion textures", texture(&pbr.ambient_occlusion).is_some()),
        ("emissive textures", texture(&pbr.emission_color).is_some()),
        (
            "specular textures",
            [&fbx.specular_color, &fbx.specular_factor].into_iter().any(|map| texture(map).is_some()),
        ),
        ("opacity textures", opacity.is_some()),
        ("further layers of textures", surface.texture.is_some_and(|t| t.file_textures.count > 1)),
    ]
}

fn surface(material: &ufbx::Material) -> SurfaceMaterial<'_> {
    let pbr = &material.pbr;
    let texture = texture(&pbr.base_color).or_else(|| texture(&material.fbx.diffuse_color));
    let alpha = opacity(material);
    let is_cut_out = opacity_texture(material).is_some_and(|t| is_same_file(texture, t));
    SurfaceMaterial {
        material: Material {
            name: material.element.name.to_string(),
            base_color: base_color(material, texture.is_some()).extend(alpha),
            texture: None,
            alpha: if alpha < 1.0 || is_cut_out { Alpha::Blend } else { Alpha::Opaque },
            // The programs that write FBX show both sides of a surface.
            is_double_sided: true,
            roughness: factor(&pbr.roughness, 1.0),
            metallic: if texture_of(&pbr.metalness) { 0.0 } else { factor(&pbr.metalness, 0.0) },
            emission: emission(material),
            is_unlit: material.features.unlit.enabled,
        },
        texture,
        is_used: false,
    }
}

fn texture(map: &MaterialMap) -> Option<&ufbx::Texture> {
    map.texture.as_deref().filter(|_| map.texture_enabled)
}

fn texture_of(map: &MaterialMap) -> bool {
    texture(map).is_some()
}

/// White under a texture, which stands in place of the colour.
fn base_color(material: &ufbx::Material, has_texture: bool) -> Vec3 {
    let map = &material.pbr.base_color;
    let color = if has_texture { Vec3::ONE } else { color(map, 0.8) };
    Vec3::from_array(color.to_array().map(|c| c * factor(&material.pbr.base_factor, 1.0)))
}

/// Nothing where a texture says where light is emitted, since that is not drawn.
fn emission(material: &ufbx::Material) -> Vec3 {
    let pbr = &material.pbr;
    let factor = if pbr.emission_factor.has_value { pbr.emission_factor.value_vec4.x as f32 } else { 1.0 };
    let light = Vec3::from_array(color(&pbr.emission_color, 0.0).to_array().map(|c| c * factor));
    if texture_of(&pbr.emission_color) || !light.is_finite() { Vec3::ZERO } else { light.max(Vec3::ZERO) }
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

/// The physical opacity where there is one. Of the old materials, programs disagree on which property counts: the transparency where it
/// is neither full nor none, else the opacity, else the colour of the transparency, as Blender has it. Nothing is made to vanish altogether.
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
