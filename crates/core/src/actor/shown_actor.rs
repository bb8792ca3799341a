use std::borrow::Cow;
use std::sync::Arc;

use super::Actor;
use crate::skinning::{Centers, RecomputedNormals, Skinning};
use crate::view::{OverlayValues, Side, Trails};

/// An actor with skinning, overlay and trails, ready for rendering.
#[derive(Clone)]
pub struct ShownActor<'a> {
    /// Posed character.
    pub actor: &'a Actor,
    /// Skinning settings; methods per joint refer to this actor's joints.
    pub skinning: Cow<'a, Skinning>,
    /// Centres of rotation. Without them, methods that need them fall back to LBS.
    pub centers: Option<&'a Arc<Centers>>,
    /// Normals that replace those from skinning; may belong to a slightly older pose.
    pub normals: Option<&'a RecomputedNormals>,
    /// Overlay values.
    pub painted: Option<&'a OverlayValues>,
    /// Trails over the clip.
    pub trails: Option<ShownTrails<'a>>,
}

/// Trails of an actor at a moment of the clip.
#[derive(Clone, Copy)]
pub struct ShownTrails<'a> {
    /// Paths of joints, vertices and root.
    pub trails: &'a Arc<Trails>,
    /// Current time, seconds from the clip's start.
    pub time_secs: f32,
    /// Side that shows the actor, for colours.
    pub side: Side,
}

impl<'a> ShownActor<'a> {
    /// Creates an actor without overlay, trails and replaced normals.
    pub fn new(actor: &'a Actor, skinning: &'a Skinning) -> Self {
        Self { actor, skinning: Cow::Borrowed(skinning), centers: None, normals: None, painted: None, trails: None }
    }
}
