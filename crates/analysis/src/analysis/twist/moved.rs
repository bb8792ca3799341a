//! Nodes that move while a joint rotates: its subtree, and constrained nodes that follow it.

use std::ops::Range;

use glam::{Quat, Vec3};

use rigscope_core::rig::{LookAtTarget, NodeIndex, Pose, Posed, Rig, SamplingBuffers, evaluate_pose_into};

/// Disjoint ranges of node indices, in ascending order.
pub(super) struct MovedNodes(Vec<Range<usize>>);

impl MovedNodes {
    /// Collects the nodes that may move with `joint`: its subtree and, if `is_followed`, the subtrees of all constrained nodes.
    pub(super) fn new(rig: &Rig, joint: NodeIndex, is_followed: bool) -> Self {
        let constrained = rig.behaviours().constraints().iter().filter(|_| is_followed).map(|c| c.node);
        let mut all: Vec<Range<usize>> =
            std::iter::once(joint).chain(constrained).map(|node| rig.hierarchy.subtree(node)).collect();
        // Subtrees are nested or disjoint. Sorting puts each subtree before the subtrees nested in it.
        all.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        all.retain(|range| {
            let is_apart = range.start >= end;
            end = end.max(range.end);
            is_apart
        });
        Self(all)
    }

    pub(super) fn contains(&self, node: NodeIndex) -> bool {
        let after = self.0.partition_point(|range| range.start <= node.index());
        after.checked_sub(1).is_some_and(|at| self.0[at].contains(&node.index()))
    }
}

/// Inputs for posing the rig anew for each rotation of a joint, which is necessary if constraints or the look-at follow
/// the joint.
#[derive(Clone, Copy)]
pub(super) struct FollowedPose<'a> {
    pub rig: &'a Rig,
    pub joint: NodeIndex,
    /// Pose at angle 0.
    pub pose: &'a Pose,
    pub posed: &'a Posed,
}

#[derive(Default)]
pub(super) struct RotatedPose {
    pose: Option<Pose>,
    sampling: SamplingBuffers,
    posed: Posed,
}

impl FollowedPose<'_> {
    /// Returns true if an active constraint follows the joint, or if the look-at rotates a head in the joint's subtree.
    pub(super) fn is_followed(rig: &Rig, pose: &Pose, joint: NodeIndex) -> bool {
        let seeks = matches!(pose.face().look_at(), Some(LookAtTarget::Point(_) | LookAtTarget::Camera));
        let head =
            rig.look_at.as_ref().filter(|_| seeks && !pose.disabled_behaviours().look_at).map(|look_at| look_at.head);
        if head.is_some_and(|head| rig.hierarchy.subtree(joint).contains(&head.index())) {
            return true;
        }
        !pose.disabled_behaviours().constraints && rig.behaviours().is_followed(&rig.hierarchy, joint)
    }

    /// Evaluates the pose with the joint rotated by `angle` (radians) about `axis`, which is in the joint's own frame.
    pub(super) fn turned<'m>(&self, axis: Vec3, angle: f32, memory: &'m mut RotatedPose) -> &'m Posed {
        let RotatedPose { pose, sampling, posed } = memory;
        let pose = pose.get_or_insert_with(|| self.pose.clone());
        let mut user_local = *self.pose.user_local(self.joint);
        user_local.rotation *= Quat::from_axis_angle(axis.normalize_or(Vec3::Y), angle);
        pose.set_user_local(self.joint, user_local);
        evaluate_pose_into(self.rig, self.posed, pose, sampling, posed);
        posed
    }
}
