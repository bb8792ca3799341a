//! The gaze: how eyes, or expressions of the face, follow a target.
//!
//! *Source*: `VRMC_vrm` 1.0 of the VRM specification, `lookAt.md`. Yaw is positive to the character's left, pitch is positive downwards, both in the space of the
//! head as it is at rest. What VRM 0 has is read as the same.

use std::f64::consts::PI;

use glam::{Affine3, DAffine3, DMat3, DQuat, DVec3, EulerRot, Vec3};

use super::constraint::{Worlds, turn_from_rest};
use crate::rig::{GazeTarget, Hierarchy, NodeIndex, Pose, polar_f64};

/// How a rig's eyes follow a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Gaze {
    /// The head.
    pub head: NodeIndex,
    /// Point between the eyes from which the direction to the target is taken; metres, in the space of the head.
    pub offset: Vec3,
    /// What shows the gaze.
    pub by: GazeBy,
    /// Range of the eye towards the nose.
    pub inner: GazeRange,
    /// Range of the eye away from the nose, and of the expressions to both sides.
    pub outer: GazeRange,
    /// Range downwards.
    pub down: GazeRange,
    /// Range upwards.
    pub up: GazeRange,
    /// True where the character faces -Z at rest, as in VRM 0; false for +Z.
    pub faces_back: bool,
}

/// What shows a gaze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GazeBy {
    /// The left and the right eye turn.
    Eyes([Option<NodeIndex>; 2]),
    /// The expressions `lookUp`, `lookDown`, `lookLeft` and `lookRight`.
    Expressions,
}

/// Output for an angle: it grows in proportion up to `output` at `most_deg`, and then stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeRange {
    /// Angle of full output, degrees, above 0.
    pub most_deg: f32,
    /// Full output: degrees of an eye, or the weight of an expression.
    pub output: f32,
}

impl GazeRange {
    fn of(self, angle_deg: f64) -> f64 {
        f64::from(self.output) * (angle_deg.abs() / f64::from(self.most_deg)).min(1.0)
    }
}

/// Direction of a gaze, degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GazeAngles {
    /// Turn to the character's left.
    pub yaw_deg: f64,
    /// Turn downwards.
    pub pitch_deg: f64,
}

impl Gaze {
    /// The eyes that the gaze turns.
    pub fn eyes(&self) -> impl Iterator<Item = NodeIndex> {
        let eyes = if let GazeBy::Eyes(eyes) = self.by { eyes } else { [None; 2] };
        eyes.into_iter().flatten()
    }

    /// Direction in which the gaze goes in a pose; `None` where the pose has no target.
    pub(super) fn angles(
        &self,
        hierarchy: &Hierarchy,
        pose: &Pose,
        local: &[Affine3],
        worlds: &mut Worlds,
    ) -> Option<GazeAngles> {
        let target = match pose.face().gaze()? {
            GazeTarget::Angles { yaw_deg, pitch_deg } => {
                return Some(GazeAngles { yaw_deg: yaw_deg.into(), pitch_deg: pitch_deg.into() });
            }
            GazeTarget::Point(point) => DVec3::from(point),
            GazeTarget::Camera => pose.camera()?,
        };
        let head = worlds.of(hierarchy, pose, local, self.head);
        let turn = world_rest_rotation(hierarchy, Some(self.head)) * polar_f64(head.matrix3).0.conjugate();
        let to = self.front() * (turn * (target - head.transform_point3(self.offset.as_dvec3())));
        let to = to.try_normalize().unwrap_or(DVec3::Z);
        let (yaw, pitch) = (to.x.atan2(to.z), (-to.y).atan2(to.x.hypot(to.z)));
        Some(GazeAngles { yaw_deg: yaw.to_degrees(), pitch_deg: pitch.to_degrees() })
    }

    /// Rotation between +Z and the character's front, which is its own inverse.
    fn front(&self) -> DQuat {
        if self.faces_back { DQuat::from_rotation_y(PI) } else { DQuat::IDENTITY }
    }

    /// `C_j` of both eyes: `A_j` with the rotation of the gaze.
    pub(super) fn turned(
        &self,
        hierarchy: &Hierarchy,
        local: &[Affine3],
        angles: GazeAngles,
    ) -> impl Iterator<Item = (NodeIndex, Affine3)> {
        let GazeAngles { yaw_deg, pitch_deg } = angles;
        let eyes = if let GazeBy::Eyes(eyes) = self.by { eyes } else { [None; 2] };
        let to_left = [self.outer, self.inner];
        let to_right = [self.inner, self.outer];
        (0..2).filter_map(move |side| {
            let eye = eyes[side]?;
            let yaw = if yaw_deg > 0.0 { to_left[side].of(yaw_deg) } else { -to_right[side].of(yaw_deg) };
            let pitch = if pitch_deg > 0.0 { self.down.of(pitch_deg) } else { -self.up.of(pitch_deg) };
            let turn = DQuat::from_euler(EulerRot::YXZ, yaw.to_radians(), pitch.to_radians(), 0.0);
            let above = world_rest_rotation(hierarchy, hierarchy.parent(eye));
            let in_parent = above.conjugate() * self.front() * turn * self.front() * above;
            let before = local[eye.index()];
            let onto = in_parent * turn_from_rest(hierarchy, &before, eye).conjugate();
            let matrix3 = (DMat3::from_quat(onto) * before.matrix3.as_dmat3()).as_mat3();
            matrix3.is_finite().then_some((eye, Affine3 { matrix3, ..before }))
        })
    }

    /// Weights of the expressions up, down, left and right; `None` where eyes turn instead.
    pub(in crate::rig) fn weights(&self, angles: GazeAngles) -> Option<[f32; 4]> {
        let GazeAngles { yaw_deg, pitch_deg } = angles;
        let towards = |range: GazeRange, angle_deg: f64| {
            if angle_deg > 0.0 { range.of(angle_deg).clamp(0.0, 1.0) as f32 } else { 0.0 }
        };
        (self.by == GazeBy::Expressions).then(|| {
            [
                towards(self.up, -pitch_deg),
                towards(self.down, pitch_deg),
                towards(self.outer, yaw_deg),
                towards(self.outer, -yaw_deg),
            ]
        })
    }
}

/// Rotation of a node at rest, in the world; none for what is above the roots.
fn world_rest_rotation(hierarchy: &Hierarchy, node: Option<NodeIndex>) -> DQuat {
    let mut world = DAffine3::IDENTITY;
    let mut above = node;
    while let Some(node) = above {
        world = hierarchy.rest_local(node).as_daffine3() * world;
        above = hierarchy.parent(node);
    }
    if world.matrix3 == DMat3::IDENTITY { DQuat::IDENTITY } else { polar_f64(world.matrix3).0 }
}
