use glam::Affine3;

use super::dispatch::skin_surface;
use super::recipe::SkinningRecipe;
use super::tangents::{skin_tangents, turned};
use super::{Deformed, Method, Palette, Surface, morphed, normal_matrix};
use crate::rig::{Influences, Primitive};

/// Skins a surface.
///
/// # Panics
/// Panics if the palette has fewer joints than [`Influences::joint_count`], or if the numbers of influences and
/// vertices differ. Import and [`super::palettes`] ensure both.
/// ```
/// use glam::{Affine3, Quat, Vec3};
/// use rigscope_core::rig::Influences;
/// use rigscope_core::skinning::{JointTransform, Method, Palette, Surface, skin};
///
/// let still = JointTransform::new(Affine3::IDENTITY, Vec3::ZERO);
/// let turned = JointTransform::new(Affine3::from_quat(Quat::from_rotation_x(std::f32::consts::PI)), Vec3::ZERO);
/// let palette = Palette::from(vec![still, turned]);
/// let half_and_half = Influences::new(2, vec![0, 1], vec![0.5, 0.5]);
/// let surface = Surface { positions: &[Vec3::Y], ..Surface::default() };
///
/// let radius = |method| skin(method, &palette, &half_and_half, surface).positions[0].length();
/// assert!(radius(Method::Lbs) < 1e-6, "the candy wrapper");
/// assert!((radius(Method::Dqs) - 1.0).abs() < 1e-6);
/// ```
pub fn skin(method: Method, palette: &Palette, influences: &Influences, surface: Surface<'_>) -> Deformed {
    let mut deformed = Deformed::default();
    skin_into(method, palette, influences, surface, &mut deformed);
    deformed
}

/// Like [`skin`], but reuses the buffers of `deformed`: allocates nothing if the last surface in it was at least as
/// large.
///
/// # Panics
/// Panics under the same conditions as [`skin`].
pub fn skin_into(
    method: Method,
    palette: &Palette,
    influences: &Influences,
    surface: Surface<'_>,
    deformed: &mut Deformed,
) {
    skin_by(method.into(), palette, influences, surface, deformed);
}

fn skin_by(
    recipe: SkinningRecipe<'_>,
    palette: &Palette,
    influences: &Influences,
    surface: Surface<'_>,
    deformed: &mut Deformed,
) {
    deformed.fit(surface);
    let normals = deformed.normals.as_deref_mut().unwrap_or_default();
    skin_surface(recipe, palette, influences, surface, (&mut deformed.positions, normals));
    if let (Some(tangents), Some(skinned)) = (surface.tangents, deformed.tangents.as_deref_mut()) {
        skin_tangents(recipe, palette, influences, tangents, skinned);
    }
}

/// Morphs and skins one primitive of a mesh instance with the instance's palette; missing `morph_weights` count as 0.
pub fn deform(primitive: &Primitive, palette: &Palette, morph_weights: &[f32], method: Method) -> Deformed {
    let mut deformed = Deformed::default();
    deform_into(primitive, palette, morph_weights, method, &mut deformed);
    deformed
}

/// Like [`deform`], reusing buffers.
pub fn deform_into(
    primitive: &Primitive,
    palette: &Palette,
    morph_weights: &[f32],
    method: Method,
    deformed: &mut Deformed,
) {
    deform_by(method.into(), primitive, palette, morph_weights, (SkinnedArrays::All, deformed));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkinnedArrays {
    All,
    /// Arrays for rendering; `has_tangents` is set only if the material has a normal texture.
    Drawn {
        has_tangents: bool,
    },
    Positions,
}

pub(super) fn deform_by(
    recipe: SkinningRecipe<'_>,
    primitive: &Primitive,
    palette: &Palette,
    morph_weights: &[f32],
    (arrays, deformed): (SkinnedArrays, &mut Deformed),
) {
    let morphed = morphed(primitive, morph_weights);
    let Surface { positions, normals, tangents } = morphed.surface();
    let surface = Surface {
        positions,
        normals: normals.filter(|_| arrays != SkinnedArrays::Positions),
        tangents: match arrays {
            SkinnedArrays::All => tangents,
            // Tangents are not morphed, because shaders make them orthogonal to the morphed normal.
            SkinnedArrays::Drawn { has_tangents: true } => primitive.drawn_tangents(),
            SkinnedArrays::Drawn { .. } | SkinnedArrays::Positions => None,
        },
    };
    deform_surface(recipe, primitive, palette, surface, deformed);
}

/// Like [`deform_into`], but for positions only; about twice as fast.
pub fn deform_positions_into(
    primitive: &Primitive,
    palette: &Palette,
    morph_weights: &[f32],
    method: Method,
    deformed: &mut Deformed,
) {
    deform_by(method.into(), primitive, palette, morph_weights, (SkinnedArrays::Positions, deformed));
}

fn deform_surface(
    recipe: SkinningRecipe<'_>,
    primitive: &Primitive,
    palette: &Palette,
    surface: Surface<'_>,
    deformed: &mut Deformed,
) {
    // A mesh with influences but no skin moves rigidly with its node, as does a skin with one joint.
    let influences = recipe.influences.or(primitive.influences.as_ref()).filter(|_| palette.joints.len() > 1);
    let dq_weights = if recipe.method == Method::WeightedBlend { &primitive.dq_weights[..] } else { &[] };
    let recipe = SkinningRecipe { dq_weights, ..recipe };
    match (influences, palette.joints.first()) {
        (Some(influences), _) => skin_by(recipe, palette, influences, surface, deformed),
        (None, Some(joint)) => transform_into(&joint.matrix, surface, deformed),
        (None, None) => transform_into(&Affine3::IDENTITY, surface, deformed),
    }
}

fn transform_into(matrix: &Affine3, surface: Surface<'_>, deformed: &mut Deformed) {
    deformed.fit(surface);
    let turn = normal_matrix(matrix.matrix3);
    for (moved, &position) in deformed.positions.iter_mut().zip(surface.positions) {
        *moved = matrix.transform_point3(position);
    }
    for (moved, &normal) in deformed.normals.iter_mut().flatten().zip(surface.normals.unwrap_or_default()) {
        *moved = (turn * normal).normalize_or_zero();
    }
    for (moved, &tangent) in deformed.tangents.iter_mut().flatten().zip(surface.tangents.unwrap_or_default()) {
        *moved = turned(matrix.matrix3, tangent);
    }
}
