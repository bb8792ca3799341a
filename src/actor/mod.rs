//! Characters as sides show them, posed, and the counterparts of their parts in the open character.
//!
//! | type | is |
//! | --- | --- |
//! | [`Actor`] | a character by the weights that it is shown with, its pose, its bones and its hidden parts |
//! | [`Counterparts`] | which node and morph target of the open character is which of another |
//! | [`PosedSkin`] | a skinned rig in a pose, to be picked on |
//! | [`SharedPose`] | world matrices and palettes, which actors that move alike have in common |
//! | [`ShownActor`] | an actor, how it is skinned, what is painted over it and its trails, ready to be drawn |

mod counterparts;
mod pose;
mod posed_skin;
mod shown_actor;
mod skin_point;

use std::sync::Arc;

use glam::{Affine3, Vec3};

use crate::rig::{Bone, Bounds, MorphIndex, NodeIndex, Posed, Rig, bounds_of, heaviest_points};
use crate::view::Hidden;

pub use counterparts::Counterparts;
pub use pose::{Poser, SharedPose, own};
pub use posed_skin::PosedSkin;
pub use shown_actor::{ShownActor, ShownTrails};
pub(crate) use skin_point::{SkinPoint, point_in};

/// A character as it is shown. Clones share everything.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// The character by the weights that it is shown with.
    pub rig: Arc<Rig>,
    /// Pose that the character is shown in.
    pub pose: SharedPose,
    /// Meshes and materials of the character that are not shown.
    pub hidden: Arc<Hidden>,
    /// Bones that can be selected, by the joints of the open character.
    pub bones: Arc<Vec<Bone>>,
    /// Bones that the open character lacks, by the character's own joints.
    pub lone_bones: Arc<Vec<Bone>>,
    /// Counterparts of the open character's parts; `None` for the open character itself.
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

    /// Node of this character for one of the open character.
    pub fn node(&self, open: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.as_ref().map_or(Some(open), |counterparts| counterparts.node(open))
    }

    /// Node of the open character for one of this character.
    pub fn open_node(&self, own: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.as_ref().map_or(Some(own), |counterparts| counterparts.open_node(own))
    }

    /// Morph target of this character for one of the open character.
    pub fn morph(&self, open: MorphIndex) -> Option<MorphIndex> {
        self.counterparts.as_ref().map_or(Some(open), |counterparts| counterparts.morph(open))
    }

    /// World matrix of the character's counterpart of a node of the open one.
    pub fn world_from(&self, open: NodeIndex) -> Option<&Affine3> {
        self.pose.posed.world_from_node.get(self.node(open)?.index())
    }

    /// Bounds of everything that is shown of the character, as posed.
    pub fn bounds(&self) -> Bounds {
        let mut all = bounds_of(&self.rig, &self.pose.posed, |part| self.hidden.shows(&self.rig, part));
        self.framed_heads().for_each(|head| all.add(head));
        all
    }

    /// Points within [`Self::bounds`]: of large meshes evenly sampled vertices, each moved by its heaviest joint.
    pub fn points(&self) -> Vec<Vec3> {
        let mut all = shown_points(&self.rig, &self.pose.posed, &self.hidden);
        all.extend(self.framed_heads());
        all
    }

    fn framed_heads(&self) -> impl Iterator<Item = Vec3> {
        // Bones name joints of the open character.
        let moves = |bone: &&Bone| self.node(bone.joint).is_some_and(|own| is_framed(&self.rig, own));
        let own = framed_heads(&self.rig, &self.lone_bones);
        self.bones.iter().filter(moves).map(|bone| bone.head).chain(own)
    }
}

/// Points of all visible meshes of a rig in a pose: enough vertices to frame them, each moved by its heaviest joint.
pub fn shown_points(rig: &Rig, posed: &Posed, hidden: &Hidden) -> Vec<Vec3> {
    /// Number of vertices sampled of a large mesh, enough for every silhouette.
    const ENOUGH: usize = 50_000;
    let step = rig.vertex_count().div_ceil(ENOUGH).max(1);
    heaviest_points(rig, posed, step, |part| hidden.shows(rig, part))
}

/// Heads of the bones that a picture is framed by: of joints that move vertices, not of pole targets and other controls far off.
pub fn framed_heads<'a>(rig: &'a Rig, bones: &'a [Bone]) -> impl Iterator<Item = Vec3> + 'a {
    bones.iter().filter(|bone| is_framed(rig, bone.joint)).map(|bone| bone.head)
}

/// True for joints that move vertices; of a skeleton without meshes for all.
fn is_framed(rig: &Rig, joint: NodeIndex) -> bool {
    rig.moved_vertices(joint) > 0 || rig.instances.is_empty() && !rig.skins.is_empty()
}
