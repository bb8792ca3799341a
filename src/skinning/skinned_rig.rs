//! A rig together with the way it is skinned.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Centers, Method, Normals, RigSkinning, Skinner, Skinning, UnsupportedSkinning};
use crate::rig::Rig;

/// A rig and how it is skinned. Clones share the rig; equal if rig and centres are shared and the settings are the same.
#[derive(Clone, Debug)]
pub struct SkinnedRig {
    /// The rig, with the weights that are shown.
    pub rig: Arc<Rig>,
    /// Method and settings.
    pub skinning: Skinning,
    /// Centres of rotation for a method that needs them; `None` until they are computed.
    pub centers: Option<Arc<Centers>>,
}

impl SkinnedRig {
    /// A rig by some settings; `centers` are used if the method needs them.
    pub fn new(rig: &Arc<Rig>, skinning: Cow<'_, Skinning>, centers: Option<&Arc<Centers>>) -> Self {
        let centers = centers.filter(|_| skinning.method.needs_centers()).cloned();
        Self { rig: Arc::clone(rig), skinning: skinning.into_owned(), centers }
    }

    /// The same by LBS if the method still lacks its centres of rotation.
    #[must_use]
    pub fn ready(self) -> Self {
        let lacks_centers = self.skinning.method.needs_centers() && self.centers.is_none();
        let method = if lacks_centers { Method::Lbs } else { self.skinning.method };
        Self { skinning: Skinning { method, ..self.skinning }, ..self }
    }

    /// The same for positions alone: normals are not recomputed.
    #[must_use]
    pub fn for_positions(self) -> Self {
        Self { skinning: Skinning { normals: Normals::Transformed, ..self.skinning }, ..self }
    }

    /// Prepares the rig. Missing centres of rotation are computed here, which may take seconds.
    ///
    /// *Errors*: the method cannot skin the rig.
    pub fn skinner(&self) -> Result<Skinner, UnsupportedSkinning> {
        match &self.centers {
            Some(centers) => Skinner::with_centers(&self.rig, &self.skinning, centers),
            None => Skinner::new(&self.rig, &self.skinning),
        }
    }

    /// Settings and centres for skinning single vertices.
    pub fn as_rig_skinning(&self) -> RigSkinning<'_> {
        RigSkinning { skinning: &self.skinning, centers: self.centers.as_ref() }
    }
}

impl PartialEq for SkinnedRig {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
            && self.centers.as_ref().map(Arc::as_ptr) == other.centers.as_ref().map(Arc::as_ptr)
            && self.skinning == other.skinning
    }
}
