//! Skinning method declared by a file.

use super::Method;
use crate::rig::{AuthoredMethod, Primitive, Rig, Skin};

impl Method {
    /// Returns the method that the file declares for its skins; `None` if none or only linear. If skins differ,
    /// [`Self::WeightedBlend`] skins each as declared. A rigid skin has one joint per vertex, so LBS; a blended skin without
    /// weights is linear.
    pub fn authored(rig: &Rig) -> Option<Self> {
        let skinned = || rig.primitives().filter_map(|(instance, part)| Some((part, &rig.skins[instance.skin?])));
        if skinned().all(|(_, skin)| skin.authored == AuthoredMethod::Linear) {
            return None;
        }
        let mut methods = skinned().map(|(primitive, skin)| of_part(primitive, skin));
        let first = methods.next()?;
        Some(if methods.all(|method| method == first) { first } else { Self::WeightedBlend })
    }
}

fn of_part(primitive: &Primitive, skin: &Skin) -> Method {
    match skin.authored {
        AuthoredMethod::DualQuaternion => Method::Dqs,
        AuthoredMethod::Blended if !primitive.dq_weights.is_empty() => Method::WeightedBlend,
        AuthoredMethod::Linear | AuthoredMethod::Rigid | AuthoredMethod::Blended => Method::Lbs,
    }
}
