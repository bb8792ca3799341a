//! Posed characters as displayed on the two sides, and how their nodes correspond to those of the open character.

mod boxed_vertices;
mod counterparts;
mod pose;
mod posed_skin;
mod skin_point;

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Affine3, Vec3};

use crate::rig::{Bone, Bounds, MorphIndex, NodeIndex, Posed, Rig, bounds_of, heaviest_points};
use crate::skinning::{Centers, RecomputedNormals, Skinning};
use crate::view::{HiddenItems, OverlayValues, Side, Trails};

pub use boxed_vertices::boxed_vertices;
pub use counterparts::Counterparts;
pub use pose::{PoseEvaluator, SharedPose, make_unique};
pub use posed_skin::PosedSkin;
pub use skin_point::{SkinPoint, point_in};

/// A displayed character. Clones share all data.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// Rig with the displayed weights.
    pub rig: Arc<Rig>,
    /// Displayed pose.
    pub pose: SharedPose,
    /// Hidden meshes and materials.
    pub hidden: Arc<HiddenItems>,
    /// Selectable bones. [`Bone::joint`] is a node of the open character.
    pub bones: Arc<Vec<Bone>>,
    /// Bones without a counterpart in the open character. [`Bone::joint`] is a node of this character.
    pub unmatched_bones: Arc<Vec<Bone>>,
    /// Counterparts of the open character's nodes in this character; `None` if this is the open character.
    pub counterparts: Option<Arc<Counterparts>>,
}

impl Actor {
    /// Creates an actor with no hidden items or bones.
    pub fn new(rig: &Arc<Rig>, pose: SharedPose) -> Self {
        Self { rig: Arc::clone(rig), pose, ..Self::default() }
    }

    /// Returns whether this is the open character, regardless of its weights.
    pub fn is_open(&self) -> bool {
        self.counterparts.is_none()
    }

    /// Returns this character's counterpart of a node of the open character.
    pub fn node(&self, open: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.as_ref().map_or(Some(open), |counterparts| counterparts.node(open))
    }

    /// Returns the open character's node that corresponds to a node of this character.
    pub fn open_node(&self, own: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.as_ref().map_or(Some(own), |counterparts| counterparts.open_node(own))
    }

    /// Returns this character's counterpart of a morph of the open character.
    pub fn morph(&self, open: MorphIndex) -> Option<MorphIndex> {
        self.counterparts.as_ref().map_or(Some(open), |counterparts| counterparts.morph(open))
    }

    /// Returns the world matrix of this character's counterpart of a node of the open character.
    pub fn world_from(&self, open: NodeIndex) -> Option<&Affine3> {
        self.pose.posed.world_from_node.get(self.node(open)?.index())
    }

    /// Returns the bounds of all visible meshes and of the bones to frame, in the current pose.
    pub fn bounds(&self) -> Bounds {
        let mut all = bounds_of(&self.rig, &self.pose.posed, &|part| self.hidden.shows(&self.rig, part));
        self.framed_heads().for_each(|head| all.add(head));
        all
    }

    /// Returns points for framing: sampled vertices, each moved by its heaviest joint only, and the heads of bones.
    pub fn points(&self) -> Vec<Vec3> {
        let mut all = shown_points(&self.rig, &self.pose.posed, &self.hidden);
        all.extend(self.framed_heads());
        all
    }

    fn framed_heads(&self) -> impl Iterator<Item = Vec3> {
        let moves = |bone: &&Bone| self.node(bone.joint).is_some_and(|own| is_framed(&self.rig, own));
        let own = framed_heads(&self.rig, &self.unmatched_bones);
        self.bones.iter().filter(moves).map(|bone| bone.head).chain(own)
    }
}

/// Samples visible vertices for framing. Each moves with its heaviest joint only.
pub fn shown_points(rig: &Rig, posed: &Posed, hidden: &HiddenItems) -> Vec<Vec3> {
    const ENOUGH: usize = 50_000;
    let step = rig.vertex_count().div_ceil(ENOUGH).max(1);
    heaviest_points(rig, posed, step, |part| hidden.shows(rig, part))
}

/// Iterates over the heads of bones that move vertices, for framing. This excludes controls such as distant pole
/// targets. If a rig has skins but no meshes, all bones are included.
pub fn framed_heads<'a>(rig: &'a Rig, bones: &'a [Bone]) -> impl Iterator<Item = Vec3> + 'a {
    bones.iter().filter(|bone| is_framed(rig, bone.joint)).map(|bone| bone.head)
}

fn is_framed(rig: &Rig, joint: NodeIndex) -> bool {
    rig.moved_vertices(joint) > 0 || rig.instances.is_empty() && !rig.skins.is_empty()
}

/// An actor with skinning, overlay and trails, ready for rendering.
#[derive(Clone)]
pub struct ShownActor<'a> {
    /// Posed character.
    pub actor: &'a Actor,
    /// Skinning settings; per-joint methods refer to this actor's joints.
    pub skinning: Cow<'a, Skinning>,
    /// Centres of rotation; without them, methods that need them fall back to LBS.
    pub centers: Option<&'a Arc<Centers>>,
    /// Recomputed normals, which replace the skinned normals; they may lag slightly behind the pose.
    pub normals: Option<&'a RecomputedNormals>,
    /// Overlay values.
    pub painted: Option<&'a OverlayValues>,
    /// Motion trails.
    pub trails: Option<ShownTrails<'a>>,
}

/// Trails of an actor, with the current time in the clip.
#[derive(Clone, Copy)]
pub struct ShownTrails<'a> {
    /// Paths of joints, vertices and the root.
    pub trails: &'a Arc<Trails>,
    /// Current time, seconds from the clip's start.
    pub time_secs: f32,
    /// Side that shows the actor; it determines the colours.
    pub side: Side,
}

impl<'a> ShownActor<'a> {
    /// Creates an actor with no overlay, trails, replacement normals or centres of rotation.
    pub fn new(actor: &'a Actor, skinning: &'a Skinning) -> Self {
        Self { actor, skinning: Cow::Borrowed(skinning), centers: None, normals: None, painted: None, trails: None }
    }
}
