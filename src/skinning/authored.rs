//! The skinning method that a file was made for.

use super::Method;
use crate::rig::{AuthoredMethod, Primitive, Rig, Skin};

impl Method {
    /// The skinning method that the file names for its skins; `None` where it names none, or only linear skinning.
    ///
    /// Where skins differ it is [`Self::Painted`], which moves each as its file says. In a rigid skin each vertex has one joint, so that every method
    /// is LBS. A blended skin without weights is linear.
    pub fn authored(rig: &Rig) -> Option<Self> {
        let skinned = || rig.primitives().filter_map(|(instance, part)| Some((part, &rig.skins[instance.skin?])));
        if skinned().all(|(_, skin)| skin.authored == AuthoredMethod::Linear) {
            return None;
        }
        let mut methods = skinned().map(|(primitive, skin)| of_part(primitive, skin));
        let first = methods.next()?;
        Some(if methods.all(|method| method == first) { first } else { Self::Painted })
    }
}

fn of_part(primitive: &Primitive, skin: &Skin) -> Method {
    match skin.authored {
        AuthoredMethod::DualQuaternion => Method::Dqs,
        AuthoredMethod::Blended if !primitive.dq_weights.is_empty() => Method::Painted,
        AuthoredMethod::Linear | AuthoredMethod::Rigid | AuthoredMethod::Blended => Method::Lbs,
    }
}
