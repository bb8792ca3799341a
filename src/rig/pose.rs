//! The user's pose: `Ul_j` of every node, what is added to the weights of morph targets, and the face; with it, which behaviours run.

use std::collections::BTreeMap;

use glam::{Affine3, DVec3};

use super::{Face, Hierarchy, MorphIndex, NodeIndex, SpringDrive, SpringTurns, SwitchedOff, Trs};

/// `Ul_j` of every node, the identity until edited, and the weight that the user adds to each morph target, 0 until edited;
/// with them the weights of expressions and the target of the gaze.
///
/// A pose also carries which behaviours run when it is evaluated, and from where its springs go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    user_local: Vec<Trs>,
    /// `Ul_j` as matrices, `None` for the identity: a pose is evaluated far more often than it is edited.
    matrices: Vec<Option<Affine3>>,
    /// Number of nodes that have a matrix.
    posed_nodes: usize,
    /// Morph weights that are not 0.
    morph_weights: BTreeMap<MorphIndex, f32>,
    face: Face,
    switched_off: SwitchedOff,
    /// Position of the camera in the file's coordinates, where the gaze follows it.
    camera: Option<DVec3>,
    spring_drive: SpringDrive,
    spring_turns: Option<SpringTurns>,
}

/// `Ul_j` of one joint, to be set or restored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedJoint {
    /// The joint, as a node.
    pub node: NodeIndex,
    /// `Ul_j` of the joint.
    pub user_local: Trs,
}

/// Squared lengths that differ from 1 by less than this belong to rounded unit quaternions.
const UNIT: f32 = 8e-7;

impl Pose {
    /// The rest pose: every `Ul_j` the identity.
    pub fn rest(hierarchy: &Hierarchy) -> Self {
        Self {
            user_local: vec![Trs::IDENTITY; hierarchy.len()],
            matrices: vec![None; hierarchy.len()],
            posed_nodes: 0,
            morph_weights: BTreeMap::new(),
            face: Face::default(),
            switched_off: SwitchedOff::default(),
            camera: None,
            spring_drive: SpringDrive::default(),
            spring_turns: None,
        }
    }

    /// This pose with some kinds of behaviours switched off, and all others on.
    #[must_use]
    pub fn without(self, switched_off: SwitchedOff) -> Self {
        Self { switched_off, ..self }
    }

    /// What the user edits alone: every kind of behaviours runs, no camera is known, and springs swing from the clip's start, without wind.
    #[must_use]
    pub fn bare(self) -> Self {
        let (switched_off, spring_drive) = (SwitchedOff::default(), SpringDrive::default());
        Self { switched_off, camera: None, spring_drive, spring_turns: None, ..self }
    }

    /// Switches kinds of behaviours off, and all others on.
    pub fn switch_off(&mut self, switched_off: SwitchedOff) {
        self.switched_off = switched_off;
    }

    /// True where the user has posed every node and weighted every morph target and expression as in another pose, whichever behaviours run.
    pub fn has_edits_of(&self, other: &Self) -> bool {
        self.user_local == other.user_local && self.morph_weights == other.morph_weights && self.face == other.face
    }

    /// Weights of expressions, and the target of the gaze.
    pub fn face(&self) -> &Face {
        &self.face
    }

    /// Weights of expressions, and the target of the gaze, to be changed.
    pub fn face_mut(&mut self) -> &mut Face {
        &mut self.face
    }

    /// Position of the camera that the gaze may follow, in the file's coordinates; no part of what the user edits.
    pub fn camera(&self) -> Option<DVec3> {
        self.camera
    }

    /// Sets the position of the camera that the gaze may follow, in the file's coordinates.
    pub fn set_camera(&mut self, camera: Option<DVec3>) {
        self.camera = camera.filter(|camera| camera.is_finite());
    }

    /// Kinds of behaviours that do not run in this pose.
    pub fn switched_off(&self) -> SwitchedOff {
        self.switched_off
    }

    /// This pose with springs that are driven in another way, within its limits.
    #[must_use]
    pub fn driven(self, drive: SpringDrive) -> Self {
        Self { spring_drive: drive.limited(), spring_turns: None, ..self }
    }

    /// What drives springs in this pose.
    pub fn spring_drive(&self) -> SpringDrive {
        self.spring_drive
    }

    /// Turns springs as told in place of a simulation from the clip's start, or no more.
    pub fn set_spring_turns(&mut self, turns: Option<SpringTurns>) {
        self.spring_turns = turns;
    }

    /// Turns of springs that take the place of a simulation.
    pub fn spring_turns(&self) -> Option<&SpringTurns> {
        self.spring_turns.as_ref()
    }

    /// This pose for all of a clip: its springs swing from the clip's start, however they are turned now.
    #[must_use]
    pub fn over_time(&self) -> Self {
        Self { spring_turns: None, ..self.clone() }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.user_local.len()
    }

    /// True for the pose of a rig without nodes.
    pub fn is_empty(&self) -> bool {
        self.user_local.is_empty()
    }

    /// `Ul_j` of a node.
    pub fn user_local(&self, node: NodeIndex) -> &Trs {
        &self.user_local[node.index()]
    }

    /// `Ul_j` of a node as a matrix; `None` for the identity.
    pub(super) fn user_matrix(&self, node: NodeIndex) -> Option<&Affine3> {
        self.matrices[node.index()].as_ref()
    }

    /// Sets `Ul_j` with its rotation normalised; a transform that is not finite or has no rotation is ignored.
    ///
    /// A transform read from a pose is set again without a change in its last digit, so that undo restores it exactly.
    #[inline]
    pub fn set_user_local(&mut self, node: NodeIndex, user_local: Trs) {
        let square = user_local.rotation.length_squared();
        let is_finite = user_local.translation.extend(square).is_finite() && user_local.scale.extend(0.0).is_finite();
        if is_finite && square > 1e-12 {
            let is_unit = (square - 1.0).abs() < UNIT;
            let rotation = if is_unit { user_local.rotation } else { user_local.rotation * square.sqrt().recip() };
            let user_local = Trs { rotation, ..user_local };
            self.user_local[node.index()] = user_local;
            let matrix = &mut self.matrices[node.index()];
            self.posed_nodes -= usize::from(matrix.is_some());
            *matrix = (!user_local.is_identity()).then(|| user_local.to_affine());
            self.posed_nodes += usize::from(matrix.is_some());
        }
    }

    /// Sets `Ul_j` of several joints, each as by [`Self::set_user_local`].
    pub fn set_joints(&mut self, joints: impl IntoIterator<Item = PosedJoint>) {
        joints.into_iter().for_each(|joint| self.set_user_local(joint.node, joint.user_local));
    }

    /// True where the user moved this node.
    pub fn is_posed(&self, node: NodeIndex) -> bool {
        self.matrices[node.index()].is_some()
    }

    /// True where the user moved any node.
    pub(super) fn is_any_node_posed(&self) -> bool {
        self.posed_nodes > 0
    }

    /// True where the user moved any node, morph target, expression or the gaze.
    pub fn is_any_posed(&self) -> bool {
        !self.morph_weights.is_empty() || !self.face.is_empty() || self.is_any_node_posed()
    }

    /// Weight that the user adds to that of a morph.
    pub fn morph_weight(&self, morph: MorphIndex) -> f32 {
        self.morph_weights.get(&morph).copied().unwrap_or(0.0)
    }

    /// Sets the weight added to that of a morph; a number that is not finite is ignored.
    pub fn set_morph_weight(&mut self, morph: MorphIndex, weight: f32) {
        if weight == 0.0 {
            self.morph_weights.remove(&morph);
        } else if weight.is_finite() {
            self.morph_weights.insert(morph, weight);
        }
    }

    /// The morphs that the user moved, with the weight added to each, never 0.
    pub fn morph_weights(&self) -> impl Iterator<Item = (MorphIndex, f32)> + '_ {
        self.morph_weights.iter().map(|(morph, weight)| (*morph, *weight))
    }

    /// Removes the user's weights of all morphs.
    pub fn clear_morph_weights(&mut self) {
        self.morph_weights.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::{any_trs, chain};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_a_pose_has_had_is_set_again_exactly(trs in any_trs(2.0), length in 0.1_f32..10.0) {
            let mut pose = Pose::rest(&chain(1, Trs::IDENTITY));
            pose.set_user_local(NodeIndex(0), Trs { rotation: trs.rotation * length, ..trs });
            let before = pose.clone();
            pose.set_user_local(NodeIndex(0), *before.user_local(NodeIndex(0)));
            prop_assert_eq!(pose, before);
        }
    }

    #[test]
    fn a_pose_is_posed_until_its_last_node_is_back() {
        let mut pose = Pose::rest(&chain(2, Trs::IDENTITY));
        let turned = Trs::from_rotation(glam::Quat::from_rotation_x(0.5));
        let [first, second] = [0, 1].map(NodeIndex);
        let mut is_posed_with = |node, user_local| {
            pose.set_user_local(node, user_local);
            pose.is_any_posed()
        };
        assert!(is_posed_with(first, turned) && is_posed_with(first, turned) && is_posed_with(second, turned));
        assert!(is_posed_with(first, Trs::IDENTITY) && !is_posed_with(second, Trs::IDENTITY));
        assert!(!is_posed_with(second, Trs::IDENTITY));
    }

    #[test]
    fn a_transform_without_a_rotation_is_ignored() {
        let hierarchy = chain(1, Trs::IDENTITY);
        let mut pose = Pose::rest(&hierarchy);
        pose.set_user_local(NodeIndex(0), Trs { rotation: glam::Quat::from_array([0.0; 4]), ..Trs::IDENTITY });
        assert_eq!(pose, Pose::rest(&hierarchy));
    }
}
