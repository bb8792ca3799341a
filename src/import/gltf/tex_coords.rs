//! Which texture coordinates the textures of a material lie by: one set with its transform for the base colour, and one more.

use glam::{Affine2, Vec2};
use gltf::json::mesh::Semantic;

use super::accessor::Expected;
use super::loader::GltfLoader;
use super::looks::NamedTexture;
use super::materials::SurfaceMaterial;
use super::mesh::Described;
use super::schema::Shape;
use crate::import::ImportWarning;
use crate::rig::{CoordSet, Primitive};

/// The sets that the primitives of a material keep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CoordPlan {
    /// `n` of `TEXCOORD_n` of the base colour.
    pub first: u32,
    /// Applied to the first.
    pub transform: Option<Affine2>,
    /// `n` of the others that lie elsewhere.
    pub second: Option<u32>,
}

/// How a texture lies on the coordinates of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextureCoords {
    pub set: CoordSet,
    pub transform: Option<Affine2>,
}

impl CoordPlan {
    /// By the texture that the first set is of, and all the others. Of a third set nothing is kept.
    pub fn new<'a>(main: Option<&NamedTexture>, others: impl Iterator<Item = &'a NamedTexture>) -> Self {
        let Some(main) = main else { return Self::default() };
        let plan = Self { first: main.set, transform: main.transform, second: None };
        let elsewhere = others.filter(|t| plan.on_first(t).is_none()).map(|t| t.set);
        Self { second: elsewhere.min(), ..plan }
    }

    /// Where a texture lies; `None` for one of a set that is not kept.
    pub fn place(&self, texture: &NamedTexture) -> Option<TextureCoords> {
        let first = self.on_first(texture).map(|transform| TextureCoords { set: CoordSet::First, transform });
        let is_second = self.second == Some(texture.set);
        first.or(is_second.then_some(TextureCoords { set: CoordSet::Second, transform: texture.transform }))
    }

    /// From the first coordinates as they are kept to those of a texture, where that is possible; `None` within for no change.
    fn on_first(&self, texture: &NamedTexture) -> Option<Option<Affine2>> {
        if texture.set != self.first {
            return None;
        }
        if texture.transform == self.transform {
            return Some(None);
        }
        let back = self.transform.unwrap_or(Affine2::IDENTITY).inverse();
        let transform = texture.transform.unwrap_or(Affine2::IDENTITY) * back;
        transform.is_finite().then_some(Some(transform))
    }
}

impl GltfLoader<'_> {
    /// Gives a primitive the coordinates of its material's textures; of a surface that shows none the first, for whoever gives it one.
    pub fn add_tex_coords(
        &self,
        primitive: &mut Primitive,
        described: &Described<'_>,
        surface: Option<&mut SurfaceMaterial>,
    ) {
        let count = primitive.positions.len();
        let (mut plan, mut is_shown) = (CoordPlan::default(), false);
        if let Some(surface) = surface {
            (plan, is_shown) = (surface.coords, surface.textures().next().is_some());
            surface.is_used = true;
        }
        primitive.tex_coords = self.coord_set(described, plan.first, is_shown, count);
        if let (Some(transform), Some(uvs)) = (plan.transform, &mut primitive.tex_coords) {
            uvs.iter_mut().for_each(|uv| *uv = transform.transform_point2(*uv));
        }
        primitive.second_tex_coords = plan.second.and_then(|set| self.coord_set(described, set, true, count));
    }

    fn coord_set(&self, described: &Described<'_>, set: u32, is_shown: bool, count: usize) -> Option<Vec<Vec2>> {
        let semantic = Semantic::TexCoords(set);
        if described.accessor(semantic.clone()).is_none() {
            if is_shown {
                self.report.warn(ImportWarning::TexCoordsMissing { place: described.place.clone(), set });
            }
            return None;
        }
        Some(bytemuck::cast_vec(self.attribute::<2>(described, semantic, Expected::exactly(Shape::Vec2, count))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(set: u32, transform: Option<Affine2>) -> NamedTexture {
        NamedTexture { texture: 0, set, transform }
    }

    #[test]
    fn textures_of_one_transform_share_the_coordinates_and_others_are_led_there() {
        let (double, half) = (Affine2::from_scale(Vec2::splat(2.0)), Affine2::from_scale(Vec2::splat(0.5)));
        let others = [texture(0, Some(double)), texture(0, Some(half)), texture(0, None), texture(1, Some(half))];
        let plan = CoordPlan::new(Some(&texture(0, Some(double))), others.iter());
        assert_eq!(plan, CoordPlan { first: 0, transform: Some(double), second: Some(1) });
        let places = others.map(|t| plan.place(&t).map(|c| (c.set, c.transform.map(|t| t.matrix2.x_axis.x))));
        let first = |scale| Some((CoordSet::First, scale));
        assert_eq!(places, [first(None), first(Some(0.25)), first(Some(0.5)), Some((CoordSet::Second, Some(0.5)))]);
        assert_eq!(plan.place(&texture(2, None)), None);
    }

    #[test]
    fn a_transform_that_folds_everything_up_does_not_spoil_the_others() {
        let flat = Affine2::from_scale(Vec2::ZERO);
        let normal = texture(0, None);
        let plan = CoordPlan::new(Some(&texture(0, Some(flat))), [&normal].into_iter());
        assert_eq!(plan.place(&normal), Some(TextureCoords { set: CoordSet::Second, transform: None }));
    }
}
