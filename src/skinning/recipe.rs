//! A way of skinning with everything that it needs for one primitive, as the kernels take it.

use glam::Vec3;

use super::dqs_share::DqsShare;
use super::spec::MethodSpec;
use super::summing::Summing;
use super::{Antipodality, JointShare, Method, Palette, ScaleHandling, Skinning, mixed};
use crate::rig::Influences;

/// How one primitive is skinned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recipe<'a> {
    pub method: Method,
    pub scale: ScaleHandling,
    pub antipodality: Antipodality,
    /// Influences that replace the primitive's own.
    pub influences: Option<&'a Influences>,
    /// Centres of rotation for [`Method::Cor`], one per vertex, skin space; empty where each vertex is its own.
    pub centers: &'a [Vec3],
    /// DQS share of vertices without a painted one; see [`super::unpainted_share`].
    pub unpainted_share: f32,
    /// How each joint changes the DQS share; see [`super::joint_shares`].
    pub joint_shares: &'a [JointShare],
    /// Painted DQS shares, one per vertex; empty where there are none, or the method ignores them.
    pub dq_weights: &'a [f32],
}

impl<'a> Recipe<'a> {
    /// Specification of the method; that of the mix where joints have methods of their own.
    pub(super) fn spec(&self) -> &'static MethodSpec {
        if self.joint_shares.is_empty() { self.method.spec() } else { &mixed::SPEC }
    }

    pub(super) fn summing(&self, palette: &Palette) -> Summing {
        Summing::new(self.scale, self.antipodality, palette)
    }

    pub(super) fn dqs_share(&self) -> DqsShare<'a> {
        DqsShare { unpainted: self.unpainted_share, joints: self.joint_shares }
    }
}

impl From<&Skinning> for Recipe<'_> {
    /// A recipe with the settings of a way of skinning, without the data of a primitive.
    fn from(skinning: &Skinning) -> Self {
        Self { scale: skinning.scale, antipodality: skinning.antipodality, ..Self::from(skinning.method) }
    }
}

impl From<Method> for Recipe<'_> {
    fn from(method: Method) -> Self {
        Self { method, unpainted_share: method.dqs_share(), ..Self::default() }
    }
}
