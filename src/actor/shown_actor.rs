//! An actor, and how it is skinned and painted: ready to be drawn.

use std::borrow::Cow;
use std::sync::Arc;

use super::Actor;
use crate::skinning::{Centers, RecomputedNormals, Skinning};
use crate::view::{Painted, Side, Trails};

/// An actor as a picture shows it: with a way of skinning, and painted values.
#[derive(Clone)]
pub struct ShownActor<'a> {
    /// The character, in its pose.
    pub actor: &'a Actor,
    /// Way of skinning; methods of single joints name the joints of this actor.
    pub skinning: Cow<'a, Skinning>,
    /// Centres of rotation, for a method that needs them; without them it falls back to LBS.
    pub centers: Option<&'a Arc<Centers>>,
    /// Normals to draw in place of those that skinning turns; they may be of a slightly older pose.
    pub normals: Option<&'a RecomputedNormals>,
    /// Values painted over the skin.
    pub painted: Option<&'a Painted>,
    /// Trails over the clip.
    pub trails: Option<ShownTrails<'a>>,
}

/// Trails of an actor at a moment of the clip.
#[derive(Clone, Copy)]
pub struct ShownTrails<'a> {
    /// Paths of the actor's joints, vertices and root.
    pub trails: &'a Arc<Trails>,
    /// Present time, seconds from the clip's start.
    pub time_secs: f32,
    /// The side that shows the actor, which colours what only this side shows.
    pub side: Side,
}

impl<'a> ShownActor<'a> {
    /// A character without anything painted over it and with the normals that skinning turns.
    pub fn new(actor: &'a Actor, skinning: &'a Skinning) -> Self {
        Self { actor, skinning: Cow::Borrowed(skinning), centers: None, normals: None, painted: None, trails: None }
    }
}
