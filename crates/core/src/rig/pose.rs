use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3, DVec3, Vec3};

use super::{
    DisabledBehaviours, FacePose, Hierarchy, MorphIndex, NodeIndex, PinSet, SpringRotations, SpringSettings, Trs,
};

/// The user's edits: transforms `Ul_j`, added morph weights, expression weights and look-at target. Also holds
/// behaviour settings: disabled kinds, camera position, spring settings, pins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    user_local: Vec<Trs>,
    /// `Ul_j` as matrices, cached because poses are evaluated more often than edited. `None` for the identity. Even
    /// the smallest translation counts, because nodes above may scale it up.
    matrices: Vec<Option<Affine3>>,
    matrix_count: usize,
    morph_weights: BTreeMap<MorphIndex, f32>,
    face: FacePose,
    switched_off: DisabledBehaviours,
    /// Camera position for look-at, file coordinates.
    camera: Option<DVec3>,
    spring_drive: SpringSettings,
    spring_turns: Option<SpringRotations>,
    pins: Option<Arc<PinSet>>,
}

/// User transform of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedJoint {
    /// Joint node.
    pub node: NodeIndex,
    /// User transform, `Ul_j`.
    pub user_local: Trs,
}

/// The squared length of a unit quaternion may differ from 1 by this much because of rounding.
const UNIT: f32 = 8e-7;

impl Pose {
    /// Creates the rest pose: every `Ul_j` is the identity.
    pub fn rest(hierarchy: &Hierarchy) -> Self {
        Self {
            user_local: vec![Trs::IDENTITY; hierarchy.len()],
            matrices: vec![None; hierarchy.len()],
            ..Self::default()
        }
    }

    /// Like [`Self::switch_off`], but returns the changed pose.
    #[must_use]
    pub fn without(self, switched_off: DisabledBehaviours) -> Self {
        Self { switched_off, ..self }
    }

    /// Returns the pose with only the user's edits: all behaviours enabled, no camera, default spring settings, no pins.
    #[must_use]
    pub fn bare(self) -> Self {
        let (switched_off, spring_drive) = (DisabledBehaviours::default(), SpringSettings::default());
        Self { switched_off, camera: None, spring_drive, spring_turns: None, pins: None, ..self }
    }

    /// Disables the given kinds of behaviours and enables all other kinds.
    pub fn switch_off(&mut self, switched_off: DisabledBehaviours) {
        self.switched_off = switched_off;
    }

    /// Returns whether two poses have the same user edits; ignores behaviour settings.
    pub fn has_edits_of(&self, other: &Self) -> bool {
        self.user_local == other.user_local && self.morph_weights == other.morph_weights && self.face == other.face
    }

    /// Returns expression weights and look-at target.
    pub fn face(&self) -> &FacePose {
        &self.face
    }

    /// Returns expression weights and look-at target, mutably.
    pub fn face_mut(&mut self) -> &mut FacePose {
        &mut self.face
    }

    /// Returns the camera position for look-at, file coordinates; not a user edit.
    pub fn camera(&self) -> Option<DVec3> {
        self.camera
    }

    /// Sets the camera position for look-at, file coordinates.
    pub fn set_camera(&mut self, camera: Option<DVec3>) {
        self.camera = camera.filter(|camera| camera.is_finite());
    }

    /// Returns the disabled kinds of behaviours.
    pub fn disabled_behaviours(&self) -> DisabledBehaviours {
        self.switched_off
    }

    /// Returns the pins, which hold joints in place.
    pub fn pins(&self) -> Option<&Arc<PinSet>> {
        self.pins.as_ref()
    }

    /// Sets the pins, which must belong to the same rig as the pose.
    pub fn set_pins(&mut self, pins: Option<Arc<PinSet>>) {
        self.pins = pins;
    }

    /// Sets the spring settings, clamped to their limits, and clears the spring rotations.
    #[must_use]
    pub fn driven(self, drive: SpringSettings) -> Self {
        Self { spring_drive: drive.limited(), spring_turns: None, ..self }
    }

    /// Returns the spring settings.
    pub fn spring_settings(&self) -> SpringSettings {
        self.spring_drive
    }

    /// Sets fixed spring rotations, used instead of the simulation; `None` enables the simulation.
    pub fn set_spring_turns(&mut self, turns: Option<SpringRotations>) {
        self.spring_turns = turns;
    }

    /// Returns the fixed spring rotations; `None` if springs are simulated.
    pub fn spring_turns(&self) -> Option<&SpringRotations> {
        self.spring_turns.as_ref()
    }

    /// Copies the pose without its fixed spring rotations, so that springs are simulated from the clip's start.
    #[must_use]
    pub fn over_time(&self) -> Self {
        Self { spring_turns: None, ..self.clone() }
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.user_local.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.user_local.is_empty()
    }

    /// Returns `Ul_j` of a node.
    pub fn user_local(&self, node: NodeIndex) -> &Trs {
        &self.user_local[node.index()]
    }

    pub(super) fn user_matrix(&self, node: NodeIndex) -> Option<&Affine3> {
        self.matrices[node.index()].as_ref()
    }

    /// Sets `Ul_j` and normalizes its rotation; ignores non-finite transforms and zero rotations. A transform that was
    /// read from a pose is stored bit-identically, so undo is exact.
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
            self.matrix_count -= usize::from(matrix.is_some());
            let has_effect = user_local.translation != Vec3::ZERO || !user_local.is_identity();
            *matrix = has_effect.then(|| user_local.to_affine());
            self.matrix_count += usize::from(matrix.is_some());
        }
    }

    /// Sets `Ul_j` of several joints; see [`Self::set_user_local`].
    pub fn set_joints(&mut self, joints: impl IntoIterator<Item = PosedJoint>) {
        joints.into_iter().for_each(|joint| self.set_user_local(joint.node, joint.user_local));
    }

    /// Returns whether the user transformed this node, by more than rounding errors.
    pub fn is_posed(&self, node: NodeIndex) -> bool {
        !self.user_local[node.index()].is_identity()
    }

    pub(super) fn has_matrices(&self) -> bool {
        self.matrix_count > 0
    }

    /// Returns whether the user changed any node, morph or expression, or set a look-at target.
    pub fn is_any_posed(&self) -> bool {
        let is_any_node_posed = || self.user_local.iter().any(|user_local| !user_local.is_identity());
        !self.morph_weights.is_empty() || !self.face.is_empty() || is_any_node_posed()
    }

    /// Returns the weight that the user adds to a morph.
    pub fn morph_weight(&self, morph: MorphIndex) -> f32 {
        self.morph_weights.get(&morph).copied().unwrap_or(0.0)
    }

    /// Sets the weight added to a morph. Non-finite weights are ignored.
    pub fn set_morph_weight(&mut self, morph: MorphIndex, weight: f32) {
        if weight == 0.0 {
            self.morph_weights.remove(&morph);
        } else if weight.is_finite() {
            self.morph_weights.insert(morph, weight);
        }
    }

    /// Iterates over morphs with a non-zero added weight.
    pub fn morph_weights(&self) -> impl Iterator<Item = (MorphIndex, f32)> + '_ {
        self.morph_weights.iter().map(|(morph, weight)| (*morph, *weight))
    }

    /// Clears the added weights of all morphs.
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
        fn undo_restores_a_pose_exactly(trs in any_trs(2.0), length in 0.1_f32..10.0) {
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
    fn the_smallest_translation_counts_below_a_large_scale() {
        let large = Trs { scale: Vec3::splat(1e6), ..Trs::IDENTITY };
        let hierarchy = crate::rig::testing::build_chain(&[large, Trs::IDENTITY]);
        let mut pose = Pose::rest(&hierarchy);
        pose.set_user_local(NodeIndex(1), Trs::from_translation(Vec3::X * 5e-7));
        let worlds = crate::rig::forward_kinematics(&hierarchy, hierarchy.rest_locals(), &pose);
        assert!((worlds[1].translation.x - 0.5).abs() < 1e-6, "{}", worlds[1].translation);
        assert!(!pose.is_any_posed(), "editors don't show rounding errors");
    }

    #[test]
    fn a_transform_without_a_rotation_is_ignored() {
        let hierarchy = chain(1, Trs::IDENTITY);
        let mut pose = Pose::rest(&hierarchy);
        pose.set_user_local(NodeIndex(0), Trs { rotation: glam::Quat::from_array([0.0; 4]), ..Trs::IDENTITY });
        assert_eq!(pose, Pose::rest(&hierarchy));
    }
}
