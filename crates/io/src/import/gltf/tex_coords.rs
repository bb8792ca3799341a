//! UV sets that a material uses: one for the base colour, with its transform baked in, and at most one more.

use glam::Affine2;

use super::material_extensions::NamedTexture;
use crate::import::products::product;
use rigscope_core::rig::CoordSet;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CoordPlan {
    /// `n` of `TEXCOORD_n` of the base colour texture.
    pub first: u32,
    pub transform: Option<Affine2>,
    /// `n` of `TEXCOORD_n` for textures that cannot use the first set.
    pub second: Option<u32>,
}

/// UV set of a texture, and the texture's transform relative to this set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextureCoords {
    pub set: CoordSet,
    pub transform: Option<Affine2>,
}

/// Maximum cosine of the angle between two axes that are considered orthogonal.
const ROUNDING: f32 = 1e-5;
/// Minimum scale of the base colour's transform. At smaller scales, coordinates with an offset of 1 would keep fewer
/// than four digits.
const MIN_SCALE: f32 = 1e-3;

impl CoordPlan {
    /// Plans the UV sets for the base colour texture `main` and the other textures. If no texture needs a different
    /// set, the second set may be the first set again, without the baked transform.
    pub(super) fn new<'a>(main: Option<&NamedTexture>, others: impl Iterator<Item = &'a NamedTexture> + Clone) -> Self {
        let Some(main) = main else { return Self::default() };
        let plan = Self { first: main.set, transform: main.transform, second: None };
        let elsewhere = others.clone().filter(|t| t.set != plan.first).map(|t| t.set).min();
        let mut again = others.filter(|t| t.set == plan.first && !plan.leads_well(t)).map(|t| t.set);
        Self { second: elsewhere.or_else(|| again.next()), ..plan }
    }

    /// Returns the set and the transform of a texture; `None` if the material does not use the texture's set.
    pub(super) fn place(&self, texture: &NamedTexture) -> Option<TextureCoords> {
        let second = TextureCoords { set: CoordSet::Second, transform: texture.transform };
        let second = (self.second == Some(texture.set)).then_some(second);
        let first = self.on_first(texture);
        if self.leads_well(texture) { first.or(second) } else { second.or(first) }
    }

    /// Returns whether a texture can use the first set: its transform relative to this set must be finite, free of
    /// shear and precise enough.
    fn leads_well(&self, texture: &NamedTexture) -> bool {
        let (Some(own), Some(TextureCoords { transform: Some(led), .. })) = (self.transform, self.on_first(texture))
        else {
            return self.on_first(texture).is_some();
        };
        let [x, y] = [led.matrix2.x_axis, led.matrix2.y_axis];
        let is_sheared = x.dot(y).abs() > ROUNDING * x.length() * y.length();
        let min_scale = own.matrix2.determinant().abs() / own.matrix2.x_axis.length().max(own.matrix2.y_axis.length());
        !is_sheared && min_scale > MIN_SCALE * (1.0 + own.translation.length())
    }

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
    fn textures_without_a_lossless_mapping_keep_the_files_coordinates() {
        let turned = Affine2::from_scale_angle_translation(Vec2::new(2.0, 1.0), 0.3, Vec2::ZERO);
        let tiny = Affine2::from_scale_angle_translation(Vec2::splat(1e-6), 0.0, Vec2::splat(0.5));
        let shift = Affine2::from_translation(Vec2::X);
        let far = Affine2::from_translation(Vec2::splat(1e5));
        for own in [turned, tiny, far] {
            let others = [texture(0, None), texture(0, Some(shift)), texture(0, Some(own))];
            let plan = CoordPlan::new(Some(&texture(0, Some(own))), others.iter());
            let places = others.map(|t| plan.place(&t));
            let second = |transform| Some(TextureCoords { set: CoordSet::Second, transform });
            let same = Some(TextureCoords { set: CoordSet::First, transform: None });
            assert_eq!(places, [second(None), second(Some(shift)), same], "{own:?}");
        }
        let others = [texture(0, None), texture(1, None)];
        let plan = CoordPlan::new(Some(&texture(0, Some(turned))), others.iter());
        assert_eq!(others.map(|t| plan.place(&t).unwrap().set), [CoordSet::First, CoordSet::Second]);
    }

    #[test]
    fn a_transform_that_folds_everything_up_does_not_spoil_the_others() {
        let flat = Affine2::from_scale(Vec2::ZERO);
        let normal = texture(0, None);
        let plan = CoordPlan::new(Some(&texture(0, Some(flat))), [&normal].into_iter());
        assert_eq!(plan.place(&normal), Some(TextureCoords { set: CoordSet::Second, transform: None }));
    }
}
