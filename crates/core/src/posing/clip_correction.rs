use std::sync::Arc;

use glam::Quat;

use super::clip_transfer::mapped;
use crate::rig::{Channel, Clip, Hierarchy, NodeIndex, Pose, Property, Trs};

/// Minimum angle that counts as a rotation, radians.
const NO_ROTATION: f32 = 1e-5;

/// Manual correction of a transferred clip: a constant rotation `D_j` for each listed joint, in the joint's own axes.
/// The joint's world rotation `R_j` in the clip becomes `R_j * D_j`.
///
/// A listed joint's world rotation is corrected only by its own `D_j`, so rolling an upper arm doesn't redirect the
/// hand. Unlisted joints keep their local rotations and follow their parents rigidly. A joint listed with the identity
/// keeps its world rotation even if its parent is corrected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipCorrection(Arc<[(NodeIndex, Quat)]>);

impl ClipCorrection {
    /// Creates a correction from at most one rotation per node; the correction is empty if all rotations are the
    /// identity.
    pub fn new(rotations: impl IntoIterator<Item = (NodeIndex, Quat)>) -> Self {
        let mut rotations: Vec<(NodeIndex, Quat)> =
            rotations.into_iter().map(|(node, rotation)| (node, rotation.normalize())).collect();
        rotations.retain(|(_, rotation)| rotation.is_finite());
        if !rotations.iter().any(|(_, rotation)| rotates(*rotation)) {
            rotations.clear();
        }
        rotations.sort_unstable_by_key(|(node, _)| *node);
        Self(rotations.into())
    }

    /// Returns this correction combined with the rotations of `pose`, which was posed at `time_secs` of `clip`. `clip`
    /// must already be corrected by `self`.
    #[must_use]
    pub fn and_pose(&self, hierarchy: &Hierarchy, clip: &Clip, time_secs: f32, pose: &Pose) -> Self {
        let mut locals: Vec<Quat> = hierarchy.nodes().map(|node| hierarchy.rest(node).rotation).collect();
        for channel in clip.channels.iter().filter(|channel| channel.property == Property::Rotation) {
            let mut sampled = [0.0; 4];
            channel.sample(time_secs, &mut sampled);
            locals[channel.node.index()] = Quat::from_array(sampled);
        }
        let (mut before, mut added) = (Vec::<Quat>::new(), Vec::<Quat>::new());
        let (mut is_listed, mut rotations) = (Vec::<bool>::new(), Vec::new());
        for (node, local) in hierarchy.nodes().zip(locals) {
            let parent = hierarchy.parent(node).map(NodeIndex::index);
            let above = |rotations: &[Quat]| parent.map_or(Quat::IDENTITY, |parent| rotations[parent]);
            before.push(self.rotation(node).unwrap_or_else(|| following(local, above(&before))));
            let carried = following(local, above(&added));
            added.push((carried * pose.user_local(node).rotation).normalize());
            let rotation = before[node.index()] * added[node.index()];
            is_listed.push(rotates(rotation) || parent.is_some_and(|parent| is_listed[parent]));
            if is_listed[node.index()] {
                rotations.push((node, rotation));
            }
        }
        Self::new(rotations)
    }

    /// Returns the corrected clip.
    pub fn corrected(&self, hierarchy: &Hierarchy, clip: &Clip) -> Clip {
        let is_turned = |channel: &Channel| channel.property == Property::Rotation;
        if self.is_empty() || !clip.channels.iter().any(is_turned) {
            return clip.clone();
        }
        let rotations = self.rotations_at_rest(hierarchy);
        let local = |node: NodeIndex, local: Quat| {
            let above = hierarchy.parent(node).map_or(Quat::IDENTITY, |parent| rotations[parent.index()]);
            // This is linear in the local rotation, so it also holds for tangents.
            self.rotation(node).map_or(local, |rotation| above.inverse() * local * rotation)
        };
        let mut has_channel = vec![false; hierarchy.len()];
        let own = clip.channels.iter().map(|channel| {
            if !is_turned(channel) {
                return channel.clone();
            }
            has_channel[channel.node.index()] = true;
            let corrected = |value: &[f32], _| local(channel.node, Quat::from_slice(value)).to_array().to_vec();
            Channel { values: mapped(channel, corrected), ..channel.clone() }
        });
        let mut channels: Vec<Channel> = own.collect();
        for node in hierarchy.nodes().filter(|node| !has_channel[node.index()]) {
            let rest = hierarchy.rest(node).rotation;
            let corrected = local(node, rest);
            if rotates(rest.inverse() * corrected) {
                channels.push(Channel::linear(node, Property::Rotation, [0.0], corrected.to_array().to_vec()));
            }
        }
        Clip { channels, ..clip.clone() }
    }

    /// Returns `D_j` of every node. An unlisted node has its parent's `D_j`, converted to the node's axes at rest.
    fn rotations_at_rest(&self, hierarchy: &Hierarchy) -> Vec<Quat> {
        let mut rotations = Vec::<Quat>::with_capacity(hierarchy.len());
        for node in hierarchy.nodes() {
            let above = hierarchy.parent(node).map_or(Quat::IDENTITY, |parent| rotations[parent.index()]);
            rotations.push(self.rotation(node).unwrap_or_else(|| following(hierarchy.rest(node).rotation, above)));
        }
        rotations
    }

    fn rotation(&self, node: NodeIndex) -> Option<Quat> {
        let at = self.0.binary_search_by_key(&node, |(listed, _)| *listed).ok()?;
        Some(self.0[at].1)
    }

    /// Transfers the correction to another rig. Joints without a counterpart are dropped.
    #[must_use]
    pub fn carried(&self, node_of: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Self {
        Self::new(self.iter().filter_map(|(node, rotation)| Some((node_of(node)?, rotation))))
    }

    /// Returns whether nothing is corrected.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over joints with their `D_j`, by ascending index.
    pub fn iter(&self) -> impl Iterator<Item = (NodeIndex, Quat)> + '_ {
        self.0.iter().copied()
    }

    /// Returns the memory use of the rotations in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// Returns the pose without its rotations, for a clip that already contains them. Translations are converted to the
/// rotated axes.
#[must_use]
pub fn without_rotations(hierarchy: &Hierarchy, pose: &Pose) -> Pose {
    let mut unrotated = pose.clone();
    for node in hierarchy.nodes().filter(|node| pose.is_posed(*node)) {
        let Trs { translation, rotation, scale } = *pose.user_local(node);
        let translation = rotation.inverse() * translation;
        unrotated.set_user_local(node, Trs { translation, rotation: Quat::IDENTITY, scale });
    }
    unrotated
}

/// Returns whether a pose rotates any joint.
pub fn has_rotations(hierarchy: &Hierarchy, pose: &Pose) -> bool {
    hierarchy.nodes().any(|node| pose.is_posed(node) && rotates(pose.user_local(node).rotation))
}

/// Converts the parent's rotation `above` to the node's own axes: `L^-1 * above * L`.
fn following(local: Quat, above: Quat) -> Quat {
    if rotates(above) { local.inverse() * above * local } else { Quat::IDENTITY }
}

fn rotates(rotation: Quat) -> bool {
    2.0 * rotation.xyz().length() > NO_ROTATION
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rig::testing::{any_trs, chain};
    use crate::rig::{ClipMoment, Posed, Rig, RigData, evaluate};

    const JOINTS: usize = 4;

    fn rig(turns: &[Trs]) -> Rig {
        let channel = |joint: usize| {
            let values = (0..3).flat_map(|key| turns[3 * joint + key].rotation.to_array()).collect();
            Channel::linear(NodeIndex(joint as u32), Property::Rotation, [0.0, 1.0, 2.0], values)
        };
        let clip = Clip { duration_secs: 2.0, channels: [0, 2, 3].map(channel).into(), ..Clip::default() };
        let offset = Trs::from_translation(glam::Vec3::new(0.1, 0.5, 0.0));
        Rig::new(RigData { hierarchy: chain(JOINTS, offset), clips: vec![clip], ..RigData::default() })
    }

    fn posed(rig: &Rig, clip: &Clip, time_secs: f32, pose: &Pose) -> Posed {
        let rig = Rig::new(RigData { clips: vec![clip.clone()], ..(**rig).clone() });
        evaluate(&rig, Some(ClipMoment::new(0, time_secs)), pose)
    }

    fn rotations(posed: &Posed) -> Vec<Quat> {
        posed.world_from_node.iter().map(|world| world.to_scale_rotation_translation().1).collect()
    }

    fn close(a: Quat, b: Quat) -> bool {
        a.dot(b).abs() > 1.0 - 1e-5
    }

    proptest! {
        #[test]
        fn a_corrected_clip_shows_the_posed_frame_and_each_joint_keeps_its_rotation_in_its_own_axes(
            turns in prop::collection::vec(any_trs(1.0), 3 * JOINTS), edits in prop::collection::vec(any_trs(1.0), JOINTS),
            second in prop::collection::vec(any_trs(1.0), JOINTS), time in 0.0_f32..2.0) {
            let rig = rig(&turns);
            let hierarchy = &rig.hierarchy;
            let (mut correction, mut clip) = (ClipCorrection::default(), rig.clips[0].clone());
            let rest = Pose::rest(hierarchy);
            for edits in [edits, second] {
                let mut pose = Pose::rest(hierarchy);
                for (node, edit) in hierarchy.nodes().skip(1).zip(&edits) {
                    pose.set_user_local(node, Trs::from_rotation(edit.rotation));
                }
                let wanted = posed(&rig, &clip, time, &pose);
                correction = correction.and_pose(hierarchy, &clip, time, &pose);
                clip = correction.corrected(hierarchy, &rig.clips[0]);
                let shown = posed(&rig, &clip, time, &without_rotations(hierarchy, &pose));
                for (shown, wanted) in rotations(&shown).into_iter().zip(rotations(&wanted)) {
                    prop_assert!(close(shown, wanted), "{shown} {wanted}");
                }
            }
            for key in [0.0, 1.0, 2.0] {
                let [before, after] = [&rig.clips[0], &clip].map(|clip| rotations(&posed(&rig, clip, key, &rest)));
                for (node, (before, after)) in hierarchy.nodes().zip(before.into_iter().zip(after)) {
                    // The second joint has no keys and follows the first.
                    if node.index() != 1 {
                        let rotation = correction.rotation(node).unwrap_or_default();
                        prop_assert!(close(before * rotation, after), "{node:?} at {key}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_rolled_upper_arm_does_not_turn_the_forearm_elsewhere() {
        // Four joints along y; the third bends the elbow by up to 90° about z.
        let mut turns = vec![Trs::IDENTITY; 3 * JOINTS];
        for (key, turn) in turns[6..9].iter_mut().enumerate() {
            turn.rotation = Quat::from_rotation_z(key as f32 * std::f32::consts::FRAC_PI_4);
        }
        let rig = rig(&turns);
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.set_user_local(NodeIndex(1), Trs::from_rotation(Quat::from_rotation_y(0.8)));
        let correction = ClipCorrection::default().and_pose(&rig.hierarchy, &rig.clips[0], 0.0, &pose);
        let clip = correction.corrected(&rig.hierarchy, &rig.clips[0]);
        let bent = posed(&rig, &clip, 2.0, &Pose::rest(&rig.hierarchy));
        let forearm = rotations(&bent)[2] * glam::Vec3::Y;
        assert!(forearm.distance(-glam::Vec3::X) < 1e-5, "{forearm}");
    }

    #[test]
    fn a_joint_that_is_posed_back_into_place_stays_there() {
        let turns: Vec<Trs> =
            (0..3 * JOINTS).map(|key| Trs::from_rotation(Quat::from_rotation_x(0.1 * key as f32))).collect();
        let rig = rig(&turns);
        let turn = Quat::from_rotation_x(0.7);
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.set_user_local(NodeIndex(1), Trs::from_rotation(turn));
        pose.set_user_local(NodeIndex(2), Trs::from_rotation(turn.inverse()));
        let correction = ClipCorrection::default().and_pose(&rig.hierarchy, &rig.clips[0], 0.0, &pose);
        let clip = correction.corrected(&rig.hierarchy, &rig.clips[0]);
        for time in [0.0, 1.0, 2.0] {
            let [before, after] =
                [&rig.clips[0], &clip].map(|clip| rotations(&posed(&rig, clip, time, &Pose::rest(&rig.hierarchy))));
            assert!(close(before[1] * turn, after[1]), "at {time}");
            assert!(close(before[2], after[2]) && close(before[3], after[3]), "at {time}");
        }
    }

    #[test]
    fn a_joint_that_is_not_listed_follows_its_corrected_parent() {
        let turns: Vec<Trs> = (0..3 * JOINTS)
            .map(|key| Trs::from_rotation(Quat::from_rotation_x(0.1 * key as f32) * Quat::from_rotation_z(0.3)))
            .collect();
        let rig = rig(&turns);
        let hierarchy = &rig.hierarchy;
        let rest = Pose::rest(hierarchy);
        let correction = ClipCorrection::new([(NodeIndex(1), Quat::from_rotation_y(0.8))]);
        let clip = correction.corrected(hierarchy, &rig.clips[0]);
        for time in [0.0, 0.5, 2.0] {
            let [before, after] = [&rig.clips[0], &clip].map(|clip| rotations(&posed(&rig, clip, time, &rest)));
            assert!(close(before[1] * Quat::from_rotation_y(0.8), after[1]), "at {time}");
            for child in [2, 3] {
                let local = |worlds: &[Quat]| worlds[child - 1].inverse() * worlds[child];
                assert!(close(local(&before), local(&after)), "{child} at {time}");
            }
        }
        let mut pose = Pose::rest(hierarchy);
        pose.set_user_local(NodeIndex(2), Trs::from_rotation(Quat::from_rotation_z(0.5)));
        let wanted = rotations(&posed(&rig, &clip, 1.0, &pose));
        let clip = correction.and_pose(hierarchy, &clip, 1.0, &pose).corrected(hierarchy, &rig.clips[0]);
        let shown = rotations(&posed(&rig, &clip, 1.0, &rest));
        assert!(shown.into_iter().zip(wanted).all(|(shown, wanted)| close(shown, wanted)));
    }

    #[test]
    fn translations_and_scales_of_the_pose_stay_where_they_are() {
        let rig = rig(&vec![Trs::IDENTITY; 3 * JOINTS]);
        let mut pose = Pose::rest(&rig.hierarchy);
        let edit = Trs {
            translation: glam::Vec3::new(0.3, 0.0, 0.1),
            rotation: Quat::from_rotation_z(0.5),
            scale: glam::Vec3::splat(2.0),
        };
        pose.set_user_local(NodeIndex(2), edit);
        let wanted = posed(&rig, &rig.clips[0], 0.0, &pose);
        let clip = ClipCorrection::default()
            .and_pose(&rig.hierarchy, &rig.clips[0], 0.0, &pose)
            .corrected(&rig.hierarchy, &rig.clips[0]);
        let left = without_rotations(&rig.hierarchy, &pose);
        assert!(has_rotations(&rig.hierarchy, &pose) && !has_rotations(&rig.hierarchy, &left));
        let shown = posed(&rig, &clip, 0.0, &left);
        for (shown, wanted) in shown.world_from_node.iter().zip(&wanted.world_from_node) {
            assert!(shown.abs_diff_eq(*wanted, 1e-5), "{shown} {wanted}");
        }
    }
}
