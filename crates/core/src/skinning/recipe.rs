//! Kernel inputs for skinning one primitive.

use glam::Vec3;

use super::dq_blend_weight::DqBlendWeight;
use super::spec::MethodSpec;
use super::summing::BlendOptions;
use super::{Antipodality, JointBlendWeights, Method, Palette, ScaleHandling, Skinning, mixed};
use crate::rig::Influences;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SkinningRecipe<'a> {
    pub method: Method,
    pub scale: ScaleHandling,
    pub antipodality: Antipodality,
    /// Overrides the primitive's own influences.
    pub influences: Option<&'a Influences>,
    /// Centres of rotation for [`Method::Cor`], one per vertex, skin space; if empty, each vertex is its own centre.
    pub centers: &'a [Vec3],
    /// See [`super::default_blend_weight`].
    pub default_blend_weight: f32,
    /// See [`super::joint_blend_weights`].
    pub joint_weights: &'a [JointBlendWeights],
    /// DQ blend weights, one per vertex; empty if unused.
    pub dq_weights: &'a [f32],
}

impl<'a> SkinningRecipe<'a> {
    pub(super) fn spec(&self) -> &'static MethodSpec {
        if self.joint_weights.is_empty() { self.method.spec() } else { &mixed::SPEC }
    }

    pub(super) fn summing(&self, palette: &Palette) -> BlendOptions {
        BlendOptions::new(self.scale, self.antipodality, palette)
    }

    pub(super) fn dq_blend_weight(&self) -> DqBlendWeight<'a> {
        DqBlendWeight { default: self.default_blend_weight, joints: self.joint_weights }
    }
}

impl From<&Skinning> for SkinningRecipe<'_> {
    fn from(skinning: &Skinning) -> Self {
        Self { scale: skinning.scale, antipodality: skinning.antipodality, ..Self::from(skinning.method) }
    }
}

impl From<Method> for SkinningRecipe<'_> {
    fn from(method: Method) -> Self {
        Self { method, default_blend_weight: method.dq_blend_weight(), ..Self::default() }
    }
}
