//! Which ways of skinning a rig allows.

use super::{Method, Needs, Skinning};
use crate::rig::Rig;

/// Why a way of skinning cannot serve a rig.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unsuited {
    /// Nothing that the method could change.
    #[error("{} needs a skin, and no mesh of this file has one; every method shows it alike, so choose LBS", .0.full_name())]
    NoSkin(Method),
    /// Nothing to find centres in.
    #[error(
        "centres of rotation are means over triangles, and no skinned mesh of this file has any; choose another method"
    )]
    NoTriangles,
    /// A method of its own for a joint means a mix of LBS and DQS.
    #[error("joints with a method of their own mix LBS and DQS, not {}; clear them, or choose LBS, DQS or Blend", .0.full_name())]
    ByJoint(Method),
}

impl Skinning {
    /// Whether this way of skinning can serve a rig.
    ///
    /// *Errors*: why not, and what to do.
    pub fn check(&self, rig: &Rig) -> Result<(), Unsuited> {
        let method = self.method;
        let needs = method.spec().needs;
        if needs == Needs::Nothing {
            return Ok(());
        }
        let skinned = rig.instances.iter().filter(|i| i.skin.is_some());
        let mut primitives = skinned.flat_map(|i| &rig.meshes[i.mesh].primitives).peekable();
        if primitives.peek().is_none() {
            return Err(Unsuited::NoSkin(method));
        }
        if needs == Needs::Centers && primitives.all(|p| p.indices.is_empty()) {
            return Err(Unsuited::NoTriangles);
        }
        if self.by_joint.is_empty() { Ok(()) } else { Err(Unsuited::ByJoint(method)) }
    }
}
