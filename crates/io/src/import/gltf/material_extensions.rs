use glam::{Affine2, Vec2, Vec3};
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::{self, texture};
use serde_json::{Map, Value};

use crate::import::products::product;

pub(super) struct MaterialExtensions<'a>(pub &'a json::Material);

pub(super) struct MaterialExtension<'a>(&'a Map<String, Value>);

impl<'a> MaterialExtensions<'a> {
    pub(super) fn extension(&self, name: &str) -> Option<MaterialExtension<'a>> {
        self.0.extensions.as_ref()?.others.get(name)?.as_object().map(MaterialExtension)
    }
}

impl MaterialExtension<'_> {
    pub(super) fn number(&self, name: &str) -> Option<f32> {
        self.0.get(name)?.as_f64().map(|n| n as f32)
    }

    pub(super) fn color(&self, name: &str) -> Option<Vec3> {
        serde_json::from_value(self.0.get(name)?.clone()).ok().map(Vec3::from_array)
    }

    pub(super) fn texture_scale(&self, name: &str) -> f32 {
        let scale = self.0.get(name).and_then(|texture| texture.get("scale")?.as_f64());
        scale.map(|s| s as f32).filter(|s| s.is_finite()).unwrap_or(1.0)
    }

    pub(super) fn texture(&self, name: &str) -> Option<NamedTexture> {
        let info: texture::Info = serde_json::from_value(self.0.get(name)?.clone()).ok()?;
        Some(NamedTexture::of_info(&info))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedTexture {
    /// Texture index in the file.
    pub texture: usize,
    /// `n` of `TEXCOORD_n`.
    pub set: u32,
    /// `KHR_texture_transform`, unless it is the identity.
    pub transform: Option<Affine2>,
}

impl NamedTexture {
    pub(super) fn new(texture: usize, set: u32, extensions: Option<&Map<String, Value>>) -> Self {
        let given = extensions.and_then(|e| serde_json::from_value(e.get("KHR_texture_transform")?.clone()).ok());
        Self::moved(texture, set, given.as_ref())
    }

    pub(super) fn of_info(info: &texture::Info) -> Self {
        let given = info.extensions.as_ref().and_then(|e| e.texture_transform.as_ref());
        Self::moved(info.index.value(), info.tex_coord, given)
    }

    fn moved(texture: usize, set: u32, given: Option<&TextureTransform>) -> Self {
        let set = given.and_then(|t| t.tex_coord).unwrap_or(set);
        Self { texture, set, transform: given.and_then(transform) }
    }
}

/// Converts a texture transform. A positive rotation is counter-clockwise in the image, where v points down.
fn transform(given: &TextureTransform) -> Option<Affine2> {
    let (scale, offset) = (Vec2::from_array(given.scale.0), Vec2::from_array(given.offset.0));
    let transform = product(
        &Affine2::from_scale_angle_translation(Vec2::ONE, -given.rotation.0, offset),
        &Affine2::from_scale(scale),
    );
    Some(transform).filter(|t| t.is_finite() && *t != Affine2::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texture_coordinates_are_scaled_turned_and_moved() {
        let json = r#"{"offset":[10,20],"rotation":1.5707963267948966,"scale":[2,3]}"#;
        let transform = transform(&serde_json::from_str(json).unwrap()).unwrap();
        assert!(transform.transform_point2(Vec2::new(1.0, 0.0)).distance(Vec2::new(10.0, 18.0)) < 1e-5);
        assert!(transform.transform_point2(Vec2::new(0.0, 1.0)).distance(Vec2::new(13.0, 20.0)) < 1e-5);
    }
}
