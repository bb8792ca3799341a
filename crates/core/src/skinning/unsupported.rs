use super::{Method, MethodRequirement, Skinning, default_blend_weight};
use crate::rig::{Primitive, Rig, Skin};

/// Why a rig doesn't support skinning settings.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum UnsupportedSkinning {
    /// The rig has no skin.
    #[error("{} needs a skin, but no mesh in this file has one; all methods give the same result, so choose LBS", .0.full_name())]
    NoSkin(Method),
    /// No vertex has a DQ blend weight.
    #[error("no vertex of this file has a DQ blend weight; choose lbs or dqs, or blend with one weight for all")]
    NoDqWeights,
    /// No skinned mesh has triangles, which centres of rotation need.
    #[error(
        "centres of rotation are computed from triangles, but no skinned mesh in this file has any; choose another method"
    )]
    NoTriangles,
    /// The method cannot be combined with methods per joint, which mix LBS and DQS.
    #[error("methods per joint combine LBS and DQS, not {}; remove them, or choose LBS, DQS or Blend", .0.full_name())]
    ByJoint(Method),
}

impl Skinning {
    /// Checks whether a rig supports these settings. *Errors*: why it doesn't, and what to do.
    pub fn check(&self, rig: &Rig) -> Result<(), UnsupportedSkinning> {
        let method = self.method;
        let needs = method.spec().needs;
        if needs == MethodRequirement::Nothing {
            return Ok(());
        }
        let skinned = rig.instances.iter().filter_map(|i| Some((&rig.meshes[i.mesh].primitives, &rig.skins[i.skin?])));
        if needs == MethodRequirement::DqWeights {
            let is_painted = |primitive: &Primitive| !primitive.dq_weights.is_empty();
            let has_shares = |(primitives, skin): (&Vec<Primitive>, &Skin)| {
                primitives.iter().any(is_painted) || default_blend_weight(method, Some(skin)) > 0.0
            };
            return if skinned.clone().any(has_shares) { Ok(()) } else { Err(UnsupportedSkinning::NoDqWeights) };
        }
        let mut primitives = skinned.flat_map(|(primitives, _)| primitives).peekable();
        if primitives.peek().is_none() {
            return Err(UnsupportedSkinning::NoSkin(method));
        }
        if needs == MethodRequirement::Centers && primitives.all(|p| p.indices.is_empty()) {
            return Err(UnsupportedSkinning::NoTriangles);
        }
        if self.by_joint.is_empty() { Ok(()) } else { Err(UnsupportedSkinning::ByJoint(method)) }
    }
}
