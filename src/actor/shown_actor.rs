//! An actor, and how it is skinned and painted: ready to be drawn.

use std::borrow::Cow;
use std::sync::Arc;

use super::Actor;
use crate::skinning::{Centers, RecomputedNormals, Skinning};
use crate::view::Painted;

/// An actor as a picture shows it.
#[derive(Clone)]
pub struct ShownActor<'a> {
    /// The character, in its pose.
    pub actor: &'a Actor,
    /// How its skin follows its joints, which are those that methods of single joints are of.
    pub skinning: Cow<'a, Skinning>,
    /// Centres of rotation, for a method that needs them; without, each vertex is its own, which is LBS.
    pub centers: Option<&'a Arc<Centers>>,
    /// In place of the normals that skinning turns; of a pose that may be of a moment ago.
    pub normals: Option<&'a RecomputedNormals>,
    /// What is painted over the skin.
    pub painted: Option<&'a Painted>,
}

impl<'a> ShownActor<'a> {
    /// A character without anything painted over it and with the normals that skinning turns.
    pub fn new(actor: &'a Actor, skinning: &'a Skinning) -> Self {
        Self { actor, skinning: Cow::Borrowed(skinning), centers: None, normals: None, painted: None }
    }
}
