//! Expressions of a face: what each moves and colours, and how expressions suppress each other.
//!
//! *Source*: `VRMC_vrm` 1.0 of the VRM specification, `expressions.md`. Blend-shape groups of VRM 0 are read as the same.

use glam::{Affine2, Vec2, Vec3, Vec4};

use crate::rig::{Material, MorphPlace, Pose, Posed, Rig};

/// An expression of a rig: an index into `Rig::expressions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionIndex(pub u32);

impl ExpressionIndex {
    /// The expression as an index into `Rig::expressions`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What changes together under one name and one weight, 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// Name of the preset, or the file's own name; unique in a rig.
    pub name: String,
    /// True for one of the names that the specification has, [`Expression::PRESETS`].
    pub is_preset: bool,
    /// True where the expression is either on or off: on from weights above 0.5.
    pub is_binary: bool,
    /// What the expression does to expressions of the mouth, blinks and the gaze.
    pub overrides: [Override; 3],
    /// Targets that the expression moves, each with its weight at full expression.
    pub morphs: Vec<(MorphPlace, f32)>,
    /// Colours that the expression changes.
    pub colors: Vec<ColorBind>,
    /// Texture coordinates that the expression moves.
    pub coords: Vec<CoordBind>,
}

/// Expressions that programs make by themselves, and others may suppress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedural {
    /// Shapes of the mouth for speech.
    Mouth,
    /// Blinks.
    Blink,
    /// Directions of the gaze.
    Gaze,
}

/// What an expression does to procedural ones while it has a weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Override {
    /// Nothing.
    #[default]
    None,
    /// Keeps them from being shown.
    Block,
    /// Weakens them by its own weight.
    Blend,
}

/// A colour of a material that an expression changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorBind {
    /// Index into `Rig::materials`.
    pub material: usize,
    /// Colour that is changed.
    pub color: BoundColor,
    /// Colour at full expression, linear RGBA; alpha counts for the base colour alone.
    pub target: Vec4,
}

/// Colours of a material that expressions change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundColor {
    /// [`Material::base_color`].
    Base,
    /// [`Material::emission`].
    Emission,
}

/// Texture coordinates of a material that an expression moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordBind {
    /// Index into `Rig::materials`.
    pub material: usize,
    /// Transform of the base colour's texture in the file.
    pub rest: Affine2,
    /// Scale at full expression.
    pub scale: Vec2,
    /// Offset at full expression, in widths and heights of the image.
    pub offset: Vec2,
}

impl Procedural {
    /// All kinds, in the order of [`Expression::overrides`].
    pub const ALL: [Self; 3] = [Self::Mouth, Self::Blink, Self::Gaze];

    /// Presets of the kind.
    pub fn presets(self) -> &'static [&'static str] {
        match self {
            Self::Mouth => &["aa", "ih", "ou", "ee", "oh"],
            Self::Blink => &["blink", "blinkLeft", "blinkRight"],
            Self::Gaze => &["lookUp", "lookDown", "lookLeft", "lookRight"],
        }
    }
}

impl Expression {
    /// Names that the specification gives a meaning.
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

    /// The kind of a procedural preset.
    pub fn procedural(&self) -> Option<Procedural> {
        Procedural::ALL.into_iter().find(|kind| self.is_preset && kind.presets().contains(&self.name.as_str()))
    }

    /// Weight before others suppress it: as given, or 0 or 1 where the expression is on or off.
    fn own_weight(&self, given: f32) -> f32 {
        if self.is_binary { f32::from(given > 0.5) } else { given.clamp(0.0, 1.0) }
    }

    /// By how much the expression suppresses others of a kind, 0 to 1. It does not those of its own kind.
    fn suppresses(&self, kind: Procedural, weight: f32) -> f32 {
        if self.procedural() == Some(kind) {
            return 0.0;
        }
        match self.overrides[kind as usize] {
            Override::None => 0.0,
            Override::Block => f32::from(weight > 0.0),
            Override::Blend => weight,
        }
    }
}

/// Weights of all expressions as they are shown, given those that are asked for: a procedural expression is weakened by `1 - saturate(sum of what suppresses it)`, and
/// one that is on or off is off where anything suppresses it.
///
/// *Shapes*: `given` and the result have a weight for each expression, 0 to 1.
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

/// Adds expressions to the morph weights of a pose, and makes the materials that they change. `gaze` holds the weights of the looking expressions, where the gaze
/// is shown by those.
///
/// Where no expression has a weight, nothing is allocated. *Cost*: linear in expressions and their binds.
pub(in crate::rig) fn express(rig: &Rig, pose: &Pose, gaze: Option<[f32; 4]>, posed: &mut Posed) {
    posed.expressions.clear();
    posed.materials.clear();
    let is_asked_for = pose.face().expressions().next().is_some() || gaze.is_some();
    if rig.expressions.is_empty() || pose.switched_off().expressions || !is_asked_for {
        return;
    }
    let mut given = vec![0.0; rig.expressions.len()];
    for (expression, weight) in pose.face().expressions() {
        if let Some(given) = given.get_mut(expression.index()) {
            *given = weight;
        }
    }
    for (name, weight) in Procedural::Gaze.presets().iter().zip(gaze.into_iter().flatten()) {
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
    materials(rig, &weights, &mut posed.materials);
    posed.expressions = weights;
}

/// The materials that expressions change: the file's colour plus the sum of the ways to the targets, each times its weight; likewise scales and offsets.
fn materials(rig: &Rig, weights: &[f32], changed: &mut Vec<(usize, Material)>) {
    let shown = || rig.expressions.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    for (bind, weight) in
        shown().flat_map(|(expression, weight)| expression.colors.iter().zip(std::iter::repeat(weight)))
    {
        let (Some(rest), Some(now)) = (rig.materials.get(bind.material), changed_material(rig, bind.material, changed))
        else {
            continue;
        };
        match bind.color {
            BoundColor::Base => now.base_color += (bind.target - rest.base_color) * *weight,
            BoundColor::Emission => now.emission += (bind.target.truncate() - rest.emission) * *weight,
        }
    }
    for (_, now) in &mut *changed {
        now.base_color = now.base_color.clamp(Vec4::ZERO, Vec4::ONE);
        now.emission = now.emission.max(Vec3::ZERO);
    }
    let mut moves: Vec<(CoordBind, Vec2, Vec2)> = Vec::new();
    for (bind, weight) in
        shown().flat_map(|(expression, weight)| expression.coords.iter().zip(std::iter::repeat(weight)))
    {
        let (scale, offset) = parts(&bind.rest);
        let steps = ((bind.scale - scale) * *weight, (bind.offset - offset) * *weight);
        match moves.iter_mut().find(|(first, ..)| first.material == bind.material) {
            Some((_, scale, offset)) => (*scale, *offset) = (*scale + steps.0, *offset + steps.1),
            None => moves.push((*bind, steps.0, steps.1)),
        }
    }
    for (bind, scale, offset) in moves {
        let (rest_scale, rest_offset) = parts(&bind.rest);
        let rotation = bind.rest * Affine2::from_scale(rest_scale).inverse();
        let turned = Affine2 { translation: rest_offset + offset, ..rotation };
        let moved = turned * Affine2::from_scale(rest_scale + scale) * bind.rest.inverse();
        if let Some(now) = changed_material(rig, bind.material, changed).filter(|_| moved.is_finite()) {
            now.moved_coords = Some(moved);
        }
    }
}

/// The changed copy of a material, made where there is none yet.
fn changed_material<'a>(rig: &Rig, index: usize, changed: &'a mut Vec<(usize, Material)>) -> Option<&'a mut Material> {
    let at = match changed.iter().position(|(material, _)| *material == index) {
        Some(at) => at,
        None => {
            changed.push((index, rig.materials.get(index)?.clone()));
            changed.len() - 1
        }
    };
    changed.get_mut(at).map(|(_, material)| material)
}

/// Scale and offset of a transform of texture coordinates, which is a scale, a rotation and an offset in that order.
fn parts(transform: &Affine2) -> (Vec2, Vec2) {
    let [x, y] = [transform.matrix2.x_axis, transform.matrix2.y_axis];
    let side = if x.perp_dot(y) < 0.0 { -1.0 } else { 1.0 };
    (Vec2::new(x.length(), side * y.length()), transform.translation)
}
