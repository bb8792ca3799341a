//! What one side of a picture shows, ready to be drawn.

use std::sync::Arc;

use super::Actor;
use crate::rig::{Posed, Rig};
use crate::skinning::{Centers, Palette, RecomputedNormals};
use crate::view::Painted;

/// One side of a picture, ready to be drawn.
#[derive(Clone, Copy)]
pub struct ShownSide<'a> {
    /// The character, in its pose.
    pub actor: &'a Actor,
    /// Centres of rotation, for a side that is skinned by them; without, each vertex is its own, which is LBS.
    pub centers: Option<&'a Arc<Centers>>,
    /// Normals in place of those that skinning turns; of a pose that may be of a moment ago.
    pub normals: Option<&'a RecomputedNormals>,
    /// Values painted over the skin.
    pub painted: Option<&'a Painted>,
}

impl<'a> ShownSide<'a> {
    /// A character without anything painted over it and with the normals that skinning turns.
    pub fn new(actor: &'a Actor) -> Self {
        Self { actor, centers: None, normals: None, painted: None }
    }

    /// World matrices and morph weights.
    pub fn posed(&self) -> &'a Posed {
        &self.actor.pose.posed
    }

    /// Palettes, one for each mesh instance.
    pub fn palettes(&self) -> &'a [Palette] {
        &self.actor.pose.palettes
    }

    /// The character with other weights than the picture's has, where it is the same but for these.
    pub fn weighted(&self, picture: &Arc<Rig>) -> Option<&'a Arc<Rig>> {
        Some(&self.actor.rig).filter(|rig| self.actor.is_open() && !Arc::ptr_eq(rig, picture))
    }

    /// Another character in place of the picture's.
    pub fn other(&self) -> Option<&'a Actor> {
        Some(self.actor).filter(|actor| !actor.is_open())
    }
}
