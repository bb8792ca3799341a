//! A way of skinning together with what it needs of one primitive, as the kernels take it.

use glam::Vec3;

use super::{Antipodality, Method, Palette, ScaleHandling, Skinning, Stretch};
use crate::rig::Influences;

/// How one primitive is skinned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recipe<'a> {
    pub method: Method,
    pub scale: ScaleHandling,
    pub antipodality: Antipodality,
    /// In place of the primitive's own.
    pub influences: Option<&'a Influences>,
    /// One per vertex, skin space, for [`Method::Cor`]; where there are none, each vertex is its own.
    pub centers: &'a [Vec3],
    /// The share of DQS of each joint of the skin; empty where none has a method of its own.
    pub dqs_shares: &'a [f32],
}

impl From<&Skinning> for Recipe<'_> {
    /// Without what depends on the primitive.
    fn from(skinning: &Skinning) -> Self {
        Self { method: skinning.method, scale: skinning.scale, antipodality: skinning.antipodality, ..Self::default() }
    }
}

impl From<Method> for Recipe<'_> {
    fn from(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

/// How rigid motions are summed, for the methods that do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phases {
    pub stretch: Stretch,
    /// Each quaternion takes the sign that agrees with the pivot's.
    pub checks_signs: bool,
}

impl Phases {
    pub fn new(recipe: &Recipe<'_>, palette: &Palette) -> Self {
        Self {
            stretch: Stretch::new(recipe.scale, palette.uniform_scale()),
            checks_signs: recipe.antipodality == Antipodality::Checked,
        }
    }
}
