//! Characters as sides show them: whole and posed, and what of them is what of the open character.
//!
//! | type | is |
//! | --- | --- |
//! | [`Actor`] | a character by the weights that it is shown with, its pose, its bones and its hidden parts |
//! | [`Counterparts`] | which node and morph target of the open character is which of another |
//! | [`SharedPose`] | world matrices and palettes, which actors that move alike have in common |
//! | [`ShownActor`] | an actor, how it is skinned and what is painted over it, ready to be drawn |

mod counterparts;
mod pose;
mod shown_actor;

use std::sync::Arc;

use glam::Affine3;

use crate::rig::{Bone, Bounds, MorphIndex, NodeIndex, Rig, bounds_of};
use crate::view::Hidden;

pub use counterparts::Counterparts;
pub use pose::{Poser, SharedPose, own};
pub use shown_actor::ShownActor;

/// A character as it is shown. Clones share everything.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// The character by the weights that it is shown with.
    pub rig: Arc<Rig>,
    /// Its pose.
    pub pose: SharedPose,
    /// Its meshes and materials that are not shown.
    pub hidden: Arc<Hidden>,
    /// Its bones that can be selected, by the joints of the open character.
    pub bones: Arc<Vec<Bone>>,
    /// Its bones that the open character lacks, by its own joints.
    pub lone_bones: Arc<Vec<Bone>>,
    /// What of the open character is what of this one; `None` for the open character itself.
    pub counterparts: Option<Arc<Counterparts>>,
}

impl Actor {
    /// A character in a pose, with nothing hidden and no bones shown.
    pub fn new(rig: &Arc<Rig>, pose: SharedPose) -> Self {
        Self { rig: Arc::clone(rig), pose, ..Self::default() }
    }

    /// True for the open character, by whichever weights.
    pub fn is_open(&self) -> bool {
        self.counterparts.is_none()
    }

    /// The node of this character that a node of the open one is.
    pub fn node(&self, open: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.as_ref().map_or(Some(open), |counterparts| counterparts.node(open))
    }

    /// The node of the open character that a node of this one is.
    pub fn open_node(&self, own: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.as_ref().map_or(Some(own), |counterparts| counterparts.open_node(own))
    }

    /// The morph target of this character that one of the open character is.
    pub fn morph(&self, open: MorphIndex) -> Option<MorphIndex> {
        self.counterparts.as_ref().map_or(Some(open), |counterparts| counterparts.morph(open))
    }

    /// Where a node of the open character is on this one, world space.
    pub fn world_from(&self, open: NodeIndex) -> Option<&Affine3> {
        self.pose.posed.world_from_node.get(self.node(open)?.index())
    }

    /// Around all that is shown of it, as posed.
    pub fn bounds(&self) -> Bounds {
        let mut all = bounds_of(&self.rig, &self.pose.posed, |part| self.hidden.shows(&self.rig, part));
        if !self.rig.skins.is_empty() {
            self.bones.iter().chain(&*self.lone_bones).for_each(|bone| all.add(bone.head));
        }
        all
    }
}
