//! Facial expressions. *Source*: `VRMC_vrm` 1.0, `expressions.md`; VRM 0 blend-shape groups become expressions.

use std::collections::BTreeMap;
use std::iter::repeat;

use glam::{Affine2, Vec2, Vec3, Vec4};

use crate::rig::{Material, MorphTargetIndex, Pose, Posed, Rig};

/// A named set of morph targets and material changes driven by one weight, 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// Preset or custom name; unique in a rig.
    pub name: String,
    /// Whether the name is one of [`Expression::PRESETS`].
    pub is_preset: bool,
    /// Whether the expression is binary: fully on for weights above 0.5, otherwise off.
    pub is_binary: bool,
    /// Effects on mouth, blink and look-at expressions, in the order of [`Procedural::ALL`].
    pub overrides: [ExpressionOverride; 3],
    /// Morph targets with their weights at expression weight 1.
    pub morphs: Vec<(MorphTargetIndex, f32)>,
    /// Material colours that the expression changes.
    pub colors: Vec<ColorBind>,
    /// Texture transforms that the expression changes.
    pub coords: Vec<CoordBind>,
}

/// Kind of expression that applications animate procedurally and that other expressions can suppress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedural {
    /// Mouth shapes for speech.
    Mouth,
    /// Blinking.
    Blink,
    /// Look directions.
    LookAt,
}

/// Effect of an active expression on procedural expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExpressionOverride {
    /// No effect.
    #[default]
    None,
    /// Suppresses procedural expressions completely.
    Block,
    /// Attenuates procedural expressions in proportion to the weight of the active expression.
    Blend,
}

/// Change of a material colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorBind {
    /// Index into `Rig::materials`.
    pub material: usize,
    /// Colour to change.
    pub color: BoundColor,
    /// Colour at expression weight 1, linear RGBA. Only the base colour uses alpha.
    pub target: Vec4,
}

/// Material colour that an expression can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundColor {
    /// [`Material::base_color`].
    Base,
    /// [`Material::emission`].
    Emission,
}

/// Change of a material's texture transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordBind {
    /// Index into `Rig::materials`.
    pub material: usize,
    /// Texture transform of the base colour texture in the file.
    pub rest: Affine2,
    /// Scale at expression weight 1.
    pub scale: Vec2,
    /// Offset at expression weight 1, in texture coordinates (1 = image size).
    pub offset: Vec2,
}

impl Procedural {
    /// All kinds, in the order of [`Expression::overrides`].
    pub const ALL: [Self; 3] = [Self::Mouth, Self::Blink, Self::LookAt];

    /// Returns the names of the presets of this kind.
    pub fn presets(self) -> &'static [&'static str] {
        match self {
            Self::Mouth => &["aa", "ih", "ou", "ee", "oh"],
            Self::Blink => &["blink", "blinkLeft", "blinkRight"],
            Self::LookAt => &["lookUp", "lookDown", "lookLeft", "lookRight"],
        }
    }
}

impl Expression {
    /// Preset names of the specification.
    pub const PRESETS: [&str; 18] = [
        "happy",
        "angry",
        "sad",
        "relaxed",
        "surprised",
        "neutral",
        "aa",
        "ih",
        "ou",
        "ee",
        "oh",
        "blink",
        "blinkLeft",
        "blinkRight",
        "lookUp",
        "lookDown",
        "lookLeft",
        "lookRight",
    ];

    /// Returns the procedural kind of a preset such as `blink`; `None` for all other expressions.
    pub fn procedural(&self) -> Option<Procedural> {
        Procedural::ALL.into_iter().find(|kind| self.is_preset && kind.presets().contains(&self.name.as_str()))
    }

    fn own_weight(&self, given: f32) -> f32 {
        if self.is_binary { f32::from(given > 0.5) } else { given.clamp(0.0, 1.0) }
    }

    /// Returns the fraction by which this expression attenuates expressions of `kind`, 0 to 1; 0 if this expression is
    /// of the same kind.
    fn suppresses(&self, kind: Procedural, weight: f32) -> f32 {
        if self.procedural() == Some(kind) {
            return 0.0;
        }
        match self.overrides[kind as usize] {
            ExpressionOverride::None => 0.0,
            ExpressionOverride::Block => f32::from(weight > 0.0),
            ExpressionOverride::Blend => weight,
        }
    }
}

/// Computes the effective weight of each expression, 0 to 1, from its requested weight in `given`. The weight of a
/// procedural expression is multiplied by 1 minus the sum of its attenuations, clamped at 0. A binary expression
/// becomes 0 under any attenuation.
pub fn shown_weights(expressions: &[Expression], given: &[f32]) -> Vec<f32> {
    let mut weights: Vec<f32> = expressions.iter().zip(given).map(|(each, given)| each.own_weight(*given)).collect();
    let left = Procedural::ALL.map(|kind| {
        let suppressed: f32 =
            expressions.iter().zip(&weights).map(|(each, weight)| each.suppresses(kind, *weight)).sum();
        1.0 - suppressed.clamp(0.0, 1.0)
    });
    for (expression, weight) in expressions.iter().zip(&mut weights) {
        let left = expression.procedural().map_or(1.0, |kind| left[kind as usize]);
        *weight *= if expression.is_binary && left < 1.0 { 0.0 } else { left };
    }
    weights
}

/// Adds the pose's expressions to the morph weights of `posed` and evaluates the materials that they change. `look_at`
/// contains the look-at weights if the look-at drives expressions. Allocates nothing if no expression is set.
pub(in crate::rig) fn apply_expressions(rig: &Rig, pose: &Pose, look_at: Option<[f32; 4]>, posed: &mut Posed) {
    posed.expressions.clear();
    posed.materials.clear();
    let is_asked_for = pose.face().expressions().next().is_some() || look_at.is_some();
    if rig.expressions.is_empty() || pose.disabled_behaviours().expressions || !is_asked_for {
        return;
    }
    let mut given = vec![0.0; rig.expressions.len()];
    for (expression, weight) in pose.face().expressions() {
        if let Some(given) = given.get_mut(expression.index()) {
            *given = weight;
        }
    }
    for (name, weight) in Procedural::LookAt.presets().iter().zip(look_at.into_iter().flatten()) {
        if let Some(expression) = rig.expression_named(name) {
            given[expression.index()] = weight;
        }
    }
    let weights = shown_weights(&rig.expressions, &given);
    for (expression, weight) in rig.expressions.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0) {
        for (place, full) in &expression.morphs {
            place.add(weight * full, &mut posed.morph_weights);
        }
    }
    posed.materials = materials(rig, &weights);
    posed.expressions = weights;
}

/// Evaluates the materials that expressions change and returns them with their indices. Each value is the file's value
/// plus the weighted differences between the targets and the file's value.
fn materials(rig: &Rig, weights: &[f32]) -> Vec<(usize, Material)> {
    let shown = || rig.expressions.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    let mut changed: BTreeMap<usize, Material> = BTreeMap::new();
    for (bind, weight) in shown().flat_map(|(expression, weight)| expression.colors.iter().zip(repeat(*weight))) {
        let Some(rest) = rig.materials.get(bind.material) else { continue };
        let now = changed.entry(bind.material).or_insert_with(|| rest.clone());
        match bind.color {
            BoundColor::Base => now.base_color += (bind.target - rest.base_color) * weight,
            BoundColor::Emission => now.emission += (bind.target.truncate() - rest.emission) * weight,
        }
    }
    for now in changed.values_mut() {
        now.base_color = now.base_color.clamp(Vec4::ZERO, Vec4::ONE);
        now.emission = now.emission.max(Vec3::ZERO);
    }
    let mut moves: BTreeMap<usize, (Affine2, Vec2, Vec2)> = BTreeMap::new();
    for (bind, weight) in shown().flat_map(|(expression, weight)| expression.coords.iter().zip(repeat(*weight))) {
        let (scale, offset) = parts(&bind.rest);
        let (_, scales, offsets) = moves.entry(bind.material).or_insert((bind.rest, scale, offset));
        *scales += (bind.scale - scale) * weight;
        *offsets += (bind.offset - offset) * weight;
    }
    for (material, (rest, scale, offset)) in moves {
        let rotation = rest * Affine2::from_scale(parts(&rest).0).inverse();
        let moved = Affine2 { translation: offset, ..rotation } * Affine2::from_scale(scale) * rest.inverse();
        if let Some(of_file) = rig.materials.get(material).filter(|_| moved.is_finite()) {
            changed.entry(material).or_insert_with(|| of_file.clone()).moved_coords = Some(moved);
        }
    }
    changed.into_iter().collect()
}

/// Returns the scale and the offset of a texture transform, which scales, then rotates, then offsets.
fn parts(transform: &Affine2) -> (Vec2, Vec2) {
    let [x, y] = [transform.matrix2.x_axis, transform.matrix2.y_axis];
    let side = if x.perp_dot(y) < 0.0 { -1.0 } else { 1.0 };
    (Vec2::new(x.length(), side * y.length()), transform.translation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::faces;
    use crate::rig::{DisabledBehaviours, ExpressionIndex, RigData, evaluate};
    use proptest::prelude::*;

    fn expression(name: &str, overrides: [ExpressionOverride; 3]) -> Expression {
        let is_preset = Expression::PRESETS.contains(&name);
        Expression { name: name.to_owned(), is_preset, overrides, ..Expression::default() }
    }

    const NONE: [ExpressionOverride; 3] = [ExpressionOverride::None; 3];

    #[test]
    fn blends_weaken_by_their_sum_and_blocks_keep_away() {
        let blends = [ExpressionOverride::None, ExpressionOverride::Blend, ExpressionOverride::None];
        let blocks = [ExpressionOverride::Block, ExpressionOverride::None, ExpressionOverride::None];
        let all = [
            expression("happy", blends),
            expression("sad", blends),
            expression("angry", blocks),
            expression("blink", NONE),
            expression("aa", NONE),
            expression("lookUp", NONE),
        ];
        assert_eq!(shown_weights(&all, &[0.25, 0.25, 0.0, 1.0, 0.5, 1.0]), [0.25, 0.25, 0.0, 0.5, 0.5, 1.0]);
        assert_eq!(shown_weights(&all, &[0.75, 0.5, 0.01, 0.5, 0.5, 1.0]), [0.75, 0.5, 0.01, 0.0, 0.0, 1.0]);
        assert_eq!(shown_weights(&all, &[2.0, -1.0, 0.0, 0.0, 1.0, 0.5]), [1.0, 0.0, 0.0, 0.0, 1.0, 0.5], "0 to 1");
    }

    #[test]
    fn binary_expressions_suppress_fully_and_are_suppressed_fully() {
        let mut angry =
            expression("angry", [ExpressionOverride::None, ExpressionOverride::Blend, ExpressionOverride::None]);
        angry.is_binary = true;
        let mut blink = expression("blink", NONE);
        blink.is_binary = true;
        let happy =
            expression("happy", [ExpressionOverride::None, ExpressionOverride::Blend, ExpressionOverride::None]);
        let all = [angry, blink, happy];
        assert_eq!(shown_weights(&all, &[0.5, 0.51, 0.0]), [0.0, 1.0, 0.0], "0.5 is off and suppresses nothing");
        assert_eq!(shown_weights(&all, &[0.51, 1.0, 0.0]), [1.0, 0.0, 0.0]);
        assert_eq!(shown_weights(&all, &[0.0, 1.0, 0.125]), [0.0, 0.0, 0.125], "no half of what is on or off");
    }

    #[test]
    fn a_kind_does_not_suppress_itself_and_a_name_alone_makes_no_preset() {
        let blocks = [ExpressionOverride::None, ExpressionOverride::Block, ExpressionOverride::None];
        let all = [expression("blink", blocks), expression("blinkLeft", NONE)];
        assert_eq!(shown_weights(&all, &[1.0, 0.5]), [1.0, 0.5]);
        let custom = Expression { is_preset: false, ..expression("blink", NONE) };
        assert_eq!(shown_weights(&[expression("happy", blocks), custom], &[1.0, 1.0]), [1.0, 1.0]);
    }

    proptest! {
        #[test]
        fn weights_stay_between_none_and_what_is_asked_for(given in prop::collection::vec(-1.0_f32..2.0, 18), kinds in prop::collection::vec(0_usize..3, 54)) {
            let of = |number: usize| [ExpressionOverride::None, ExpressionOverride::Block, ExpressionOverride::Blend][kinds[number]];
            let all: Vec<Expression> = Expression::PRESETS.iter().enumerate()
                .map(|(at, name)| expression(name, [0, 1, 2].map(|kind| of(3 * at + kind)))).collect();
            for (given, shown) in given.iter().zip(shown_weights(&all, &given)) {
                prop_assert!((0.0..=given.clamp(0.0, 1.0)).contains(&shown));
            }
        }
    }

    fn face() -> Rig {
        let mut parts = RigData::clone(&faces(&[&["Smile", "Blink"]]));
        parts.instances[0].morph_weights = vec![0.0, 0.25];
        let rest = Affine2::from_scale_angle_translation(Vec2::new(2.0, 1.0), 0.0, Vec2::new(0.5, 0.0));
        let base_color = Vec4::new(0.5, 0.5, 0.5, 1.0);
        parts.materials = vec![Material { base_color, emission: Vec3::X, ..Material::default() }];
        let place = |target| MorphTargetIndex { instance: 0, target };
        let color = |color, target| ColorBind { material: 0, color, target };
        parts.expressions = vec![
            Expression {
                morphs: vec![(place(0), 0.5), (place(1), 1.0)],
                colors: vec![
                    color(BoundColor::Base, Vec4::new(1.0, 0.5, 0.0, 1.0)),
                    color(BoundColor::Emission, Vec4::new(0.0, 2.0, 0.0, 1.0)),
                ],
                ..expression("happy", NONE)
            },
            Expression {
                morphs: vec![(place(0), 1.0)],
                coords: vec![CoordBind { material: 0, rest, scale: Vec2::new(4.0, 1.0), offset: Vec2::new(0.5, 1.0) }],
                ..expression("sad", NONE)
            },
        ];
        Rig::new(parts)
    }

    #[test]
    fn expressions_add_to_targets_and_go_part_of_the_way_to_colours() {
        let rig = face();
        let mut pose = Pose::rest(&rig.hierarchy);
        let rest = evaluate(&rig, None, &pose);
        assert!(rest.materials.is_empty() && rest.expressions.is_empty());
        pose.face_mut().set_expression(ExpressionIndex(0), 0.5);
        pose.face_mut().set_expression(ExpressionIndex(1), 0.25);
        pose.set_morph_weight(rig.morph_named("Smile").unwrap(), 0.125);
        let posed = evaluate(&rig, None, &pose);
        assert_eq!(posed.morph_weights, [vec![0.125 + 0.25 + 0.25, 0.25 + 0.5]]);
        let material = posed.material(0).unwrap();
        assert_eq!(material.base_color, Vec4::new(0.75, 0.5, 0.25, 1.0));
        assert_eq!(material.emission, Vec3::new(0.5, 1.0, 0.0));
        // The texture coordinates include the rest transform. Scale 2 becomes 2.5, offset (0.5, 0) becomes (0.5, 0.25).
        let moved = material.moved_coords.unwrap();
        let baked = |uv: Vec2| Vec2::new(2.0 * uv.x + 0.5, uv.y);
        let uv = Vec2::new(0.3, 0.7);
        assert!(moved.transform_point2(baked(uv)).abs_diff_eq(Vec2::new(2.5 * uv.x + 0.5, uv.y + 0.25), 1e-6));
        let off = DisabledBehaviours { expressions: true, ..DisabledBehaviours::default() };
        let posed = evaluate(&rig, None, &pose.without(off));
        assert_eq!((posed.morph_weights, posed.materials.len()), (vec![vec![0.125, 0.25]], 0));
    }
}
