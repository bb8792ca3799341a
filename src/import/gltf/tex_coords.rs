//! Which texture coordinates the textures of a material lie by: one set with its transform for the base colour, and one more.

use glam::Affine2;

use super::looks::NamedTexture;
use crate::import::products::product;
use crate::rig::CoordSet;

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
        let is_second = self.second == Some(texture.set);
        let second = TextureCoords { set: CoordSet::Second, transform: texture.transform };
        self.on_first(texture).or(is_second.then_some(second))
    }

    /// On the first coordinates as they are kept, where that is possible.
    fn on_first(&self, texture: &NamedTexture) -> Option<TextureCoords> {
        let first = |transform| TextureCoords { set: CoordSet::First, transform };
        match (texture.set == self.first, self.transform) {
            (false, _) => None,
            (true, same) if texture.transform == same => Some(first(None)),
            (true, None) => Some(first(texture.transform)),
            (true, Some(own)) => {
                let transform = product(&texture.transform.unwrap_or(Affine2::IDENTITY), &own.inverse());
                transform.is_finite().then_some(first(Some(transform)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

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
