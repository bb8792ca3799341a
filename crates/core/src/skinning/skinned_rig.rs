use std::borrow::Cow;
use std::sync::Arc;

use super::{Centers, Method, Normals, RigSkinning, Skinner, Skinning, UnsupportedSkinning};
use crate::rig::Rig;

/// A rig with its skinning settings. Clones share the rig; equality compares rig and centres by pointer.
#[derive(Clone, Debug)]
pub struct SkinnedRig {
    /// Rig with the displayed weights.
    pub rig: Arc<Rig>,
    /// Method and settings.
    pub skinning: Skinning,
    /// Centres of rotation for a method that needs them; `None` until they are computed.
    pub centers: Option<Arc<Centers>>,
}

impl SkinnedRig {
    /// Combines a rig with settings; uses `centers` if the method needs them.
    pub fn new(rig: &Arc<Rig>, skinning: Cow<'_, Skinning>, centers: Option<&Arc<Centers>>) -> Self {
        let centers = centers.filter(|_| skinning.method.needs_centers()).cloned();
        Self { rig: Arc::clone(rig), skinning: skinning.into_owned(), centers }
    }

    /// Falls back to LBS while the method's centres of rotation are missing.
    #[must_use]
    pub fn ready(self) -> Self {
        let lacks_centers = self.skinning.method.needs_centers() && self.centers.is_none();
        let method = if lacks_centers { Method::Lbs } else { self.skinning.method };
        Self { skinning: Skinning { method, ..self.skinning }, ..self }
    }

    /// Turns off recomputed normals, which positions don't need.
    #[must_use]
    pub fn for_positions(self) -> Self {
        Self { skinning: Skinning { normals: Normals::Transformed, ..self.skinning }, ..self }
    }

    /// Prepares the rig; may take seconds to compute missing centres. *Errors*: the method cannot skin the rig.
    pub fn skinner(&self) -> Result<Skinner, UnsupportedSkinning> {
        match &self.centers {
            Some(centers) => Skinner::with_centers(&self.rig, &self.skinning, centers),
            None => Skinner::new(&self.rig, &self.skinning),
        }
    }

    /// Borrows settings and centres.
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
