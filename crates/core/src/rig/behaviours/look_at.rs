//! Look-at: eyes or facial expressions follow a target. *Source*: `VRMC_vrm` 1.0, `lookAt.md`. Yaw is positive to the
//! character's left and pitch is positive downwards, both in the head's rest space. Import converts VRM 0 to this form.

use std::f64::consts::PI;

use glam::{Affine3, DAffine3, DMat3, DQuat, DVec3, EulerRot, Vec3};

use super::constraint::{WorldCache, turn_from_rest};
use crate::rig::{Hierarchy, LookAtTarget, NodeIndex, Pose, polar_f64};

/// VRM look-at settings of a rig.
#[derive(Clone, Debug, PartialEq)]
pub struct LookAt {
    /// Head node.
    pub head: NodeIndex,
    /// Point between the eyes from which the look-at direction is measured: metres, head space.
    pub offset: Vec3,
    /// Output: eye bones or expressions.
    pub by: LookAtOutput,
    /// Yaw range of an eye towards the nose.
    pub inner: LookAtRange,
    /// Yaw range of an eye away from the nose. Expressions use this range in both directions.
    pub outer: LookAtRange,
    /// Pitch range downwards.
    pub down: LookAtRange,
    /// Pitch range upwards.
    pub up: LookAtRange,
    /// Whether the character faces -Z at rest (VRM 0) instead of +Z.
    pub faces_back: bool,
}

/// Output of a look-at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookAtOutput {
    /// Rotations of the left and the right eye.
    Eyes([Option<NodeIndex>; 2]),
    /// Weights of the expressions `lookUp`, `lookDown`, `lookLeft` and `lookRight`.
    Expressions,
}

/// Maps an angle to an output that grows linearly to `output` at `max_deg` and stays constant beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAtRange {
    /// Angle at which the output reaches its maximum, degrees, > 0.
    pub max_deg: f32,
    /// Maximum output: eye rotation in degrees, or expression weight.
    pub output: f32,
}

impl LookAtRange {
    fn output(self, angle_deg: f64) -> f64 {
        f64::from(self.output) * (angle_deg.abs() / f64::from(self.max_deg)).min(1.0)
    }
}

/// Look-at direction, degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookAtAngles {
    /// Yaw, positive to the character's left.
    pub yaw_deg: f64,
    /// Pitch, positive downwards.
    pub pitch_deg: f64,
}

impl LookAt {
    /// Iterates over the eyes that the look-at rotates.
    pub fn eyes(&self) -> impl Iterator<Item = NodeIndex> {
        let eyes = if let LookAtOutput::Eyes(eyes) = self.by { eyes } else { [None; 2] };
        eyes.into_iter().flatten()
    }

    /// Computes the look-at direction in a pose; `None` without a target.
    pub(super) fn angles(
        &self,
        hierarchy: &Hierarchy,
        pose: &Pose,
        local: &[Affine3],
        worlds: &mut WorldCache,
    ) -> Option<LookAtAngles> {
        let target = match pose.face().look_at()? {
            LookAtTarget::Angles { yaw_deg, pitch_deg } => {
                return Some(LookAtAngles { yaw_deg: yaw_deg.into(), pitch_deg: pitch_deg.into() });
            }
            LookAtTarget::Point(point) => DVec3::from(point),
            LookAtTarget::Camera => pose.camera()?,
        };
        let head = worlds.world(hierarchy, pose, local, self.head);
        let turn = world_rest_rotation(hierarchy, Some(self.head)) * polar_f64(head.matrix3).0.conjugate();
        let to = self.front() * (turn * (target - head.transform_point3(self.offset.as_dvec3())));
        let to = to.try_normalize().unwrap_or(DVec3::Z);
        let (yaw, pitch) = (to.x.atan2(to.z), (-to.y).atan2(to.x.hypot(to.z)));
        Some(LookAtAngles { yaw_deg: yaw.to_degrees(), pitch_deg: pitch.to_degrees() })
    }

    /// Returns the rotation from +Z to the character's front. The rotation is its own inverse.
    fn front(&self) -> DQuat {
        if self.faces_back { DQuat::from_rotation_y(PI) } else { DQuat::IDENTITY }
    }

    /// Iterates over the eyes and their `C_j`: `A_j` with its rotation replaced by the look-at rotation.
    pub(super) fn turned(
        &self,
        hierarchy: &Hierarchy,
        local: &[Affine3],
        angles: LookAtAngles,
    ) -> impl Iterator<Item = (NodeIndex, Affine3)> {
        let LookAtAngles { yaw_deg, pitch_deg } = angles;
        let eyes = if let LookAtOutput::Eyes(eyes) = self.by { eyes } else { [None; 2] };
        let to_left = [self.outer, self.inner];
        let to_right = [self.inner, self.outer];
        (0..2).filter_map(move |side| {
            let eye = eyes[side]?;
            let yaw = if yaw_deg > 0.0 { to_left[side].output(yaw_deg) } else { -to_right[side].output(yaw_deg) };
            let pitch = if pitch_deg > 0.0 { self.down.output(pitch_deg) } else { -self.up.output(pitch_deg) };
            let turn = DQuat::from_euler(EulerRot::YXZ, yaw.to_radians(), pitch.to_radians(), 0.0);
            let above = world_rest_rotation(hierarchy, hierarchy.parent(eye));
            let in_parent = above.conjugate() * self.front() * turn * self.front() * above;
            let before = local[eye.index()];
            let onto = in_parent * turn_from_rest(hierarchy, &before, eye).conjugate();
            let matrix3 = (DMat3::from_quat(onto) * before.matrix3.as_dmat3()).as_mat3();
            matrix3.is_finite().then_some((eye, Affine3 { matrix3, ..before }))
        })
    }

    /// Returns the weights of `lookUp`, `lookDown`, `lookLeft` and `lookRight`; `None` if the look-at rotates eyes.
    pub(in crate::rig) fn weights(&self, angles: LookAtAngles) -> Option<[f32; 4]> {
        let LookAtAngles { yaw_deg, pitch_deg } = angles;
        let towards = |range: LookAtRange, angle_deg: f64| {
            if angle_deg > 0.0 { range.output(angle_deg).clamp(0.0, 1.0) as f32 } else { 0.0 }
        };
        (self.by == LookAtOutput::Expressions).then(|| {
            [
                towards(self.up, -pitch_deg),
                towards(self.down, pitch_deg),
                towards(self.outer, yaw_deg),
                towards(self.outer, -yaw_deg),
            ]
        })
    }
}

fn world_rest_rotation(hierarchy: &Hierarchy, node: Option<NodeIndex>) -> DQuat {
    let chain = node.into_iter().flat_map(|node| std::iter::once(node).chain(hierarchy.ancestors(node)));
    let world = chain.fold(DAffine3::IDENTITY, |world, node| hierarchy.rest_local(node).as_daffine3() * world);
    if world.matrix3 == DMat3::IDENTITY { DQuat::IDENTITY } else { polar_f64(world.matrix3).0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::any_rotation;
    use crate::rig::{DisabledBehaviours, NodeDescription, Posed, Rig, RigData, Trs, evaluate};
    use glam::Quat;
    use proptest::prelude::*;

    const HEAD: NodeIndex = NodeIndex(0);
    const LEFT: NodeIndex = NodeIndex(1);
    const RIGHT: NodeIndex = NodeIndex(2);

    fn head(rests: [Quat; 3], faces_back: bool) -> Rig {
        let at = |translation, rotation| Trs { translation, rotation, ..Trs::IDENTITY };
        let node = |rest| NodeDescription { rest, ..NodeDescription::default() };
        let hierarchy = Hierarchy::new(&[
            NodeDescription { children: vec![1, 2], ..node(at(Vec3::Y, rests[0])) },
            node(at(Vec3::X * 0.03, rests[1])),
            node(at(Vec3::X * -0.03, rests[2])),
        ])
        .unwrap();
        let range = |max_deg, output| LookAtRange { max_deg, output };
        let look_at = LookAt {
            head: HEAD,
            offset: rests[0].inverse() * Vec3::new(0.0, 0.1, 0.0),
            by: LookAtOutput::Eyes([Some(LEFT), Some(RIGHT)]),
            inner: range(90.0, 9.0),
            outer: range(90.0, 18.0),
            down: range(60.0, 6.0),
            up: range(60.0, 12.0),
            faces_back,
        };
        Rig::new(RigData { hierarchy, look_at: Some(look_at), ..RigData::default() })
    }

    fn looking(rig: &Rig, target: LookAtTarget) -> Posed {
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.face_mut().set_look_at(Some(target));
        evaluate(rig, None, &pose)
    }

    fn angles(yaw_deg: f32, pitch_deg: f32) -> LookAtTarget {
        LookAtTarget::Angles { yaw_deg, pitch_deg }
    }

    fn turn(rig: &Rig, posed: &Posed, eye: NodeIndex) -> [f32; 2] {
        let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let back = if rig.look_at.as_ref().is_some_and(|look_at| look_at.faces_back) { -1.0 } else { 1.0 };
        let turn = posed.world_from_node[eye.index()].matrix3 * rest.world_from_node[eye.index()].matrix3.inverse();
        let to = turn * (Vec3::Z * back);
        [(to.x * back).atan2(to.z * back).to_degrees(), (-to.y).asin().to_degrees()]
    }

    fn is_near(a: [f32; 2], b: [f32; 2]) -> bool {
        (a[0] - b[0]).abs() < 1e-3 && (a[1] - b[1]).abs() < 1e-3
    }

    #[test]
    fn each_eye_has_its_range_inwards_and_outwards_and_both_up_and_down() {
        let rig = head([Quat::IDENTITY; 3], false);
        for (target, left, right) in [
            (angles(45.0, 0.0), [9.0, 0.0], [4.5, 0.0]),
            (angles(-45.0, 0.0), [-4.5, 0.0], [-9.0, 0.0]),
            (angles(0.0, 30.0), [0.0, 3.0], [0.0, 3.0]),
            (angles(0.0, -30.0), [0.0, -6.0], [0.0, -6.0]),
            (angles(400.0, -90.0), [18.0, -12.0], [9.0, -12.0]),
        ] {
            let posed = looking(&rig, target);
            assert!(is_near(turn(&rig, &posed, LEFT), left), "{target:?}: {:?}", turn(&rig, &posed, LEFT));
            assert!(is_near(turn(&rig, &posed, RIGHT), right), "{target:?}: {:?}", turn(&rig, &posed, RIGHT));
        }
    }

    #[test]
    fn a_point_is_seen_from_between_the_eyes_and_the_head_may_turn() {
        for back in [false, true] {
            let rig = head([Quat::IDENTITY; 3], back);
            let front = if back { -1.0 } else { 1.0 };
            let seen = |point| looking(&rig, LookAtTarget::Point(point)).look_at.unwrap();
            let ahead = seen([0.0, 1.1, front * 2.0]);
            assert!(ahead.yaw_deg.abs() < 1e-4 && ahead.pitch_deg.abs() < 1e-4);
            // If a character faces +Z, its left is +X.
            let left = seen([front, 1.1, front]);
            assert!((left.yaw_deg - 45.0).abs() < 1e-4, "{left:?}");
            let down = seen([0.0, 0.1, front]);
            assert!((down.pitch_deg - 45.0).abs() < 1e-4, "{down:?}");
            let mut pose = Pose::rest(&rig.hierarchy);
            pose.set_user_local(HEAD, Trs::from_rotation(Quat::from_rotation_y(0.5)));
            pose.face_mut().set_look_at(Some(LookAtTarget::Point([0.0, 1.1, front])));
            let turned = evaluate(&rig, None, &pose).look_at.unwrap();
            assert!((turned.yaw_deg + f64::from(0.5_f32.to_degrees())).abs() < 1e-4, "{turned:?}");
        }
    }

    #[test]
    fn a_camera_is_a_target_once_its_place_is_known_and_the_switch_stops_the_eyes() {
        let rig = head([Quat::IDENTITY; 3], false);
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.face_mut().set_look_at(Some(LookAtTarget::Camera));
        assert!(evaluate(&rig, None, &pose).replaced.is_empty());
        pose.set_camera(Some(DVec3::new(1.0, 1.1, 1.0)));
        let posed = evaluate(&rig, None, &pose);
        assert_eq!((posed.look_at.map(|look_at| look_at.yaw_deg.round()), posed.replaced.len()), (Some(45.0), 2));
        let off = DisabledBehaviours { look_at: true, ..DisabledBehaviours::default() };
        let posed = evaluate(&rig, None, &pose.without(off));
        assert_eq!((posed.look_at, posed.replaced.len()), (None, 0));
    }

    #[test]
    fn expressions_look_to_one_side_and_one_height() {
        let rig = head([Quat::IDENTITY; 3], false);
        let mut look_at = rig.look_at.clone().unwrap();
        let to = |look_at: &LookAt, yaw_deg, pitch_deg| look_at.weights(LookAtAngles { yaw_deg, pitch_deg });
        assert_eq!(to(&look_at, 10.0, 10.0), None);
        look_at.by = LookAtOutput::Expressions;
        [look_at.outer.output, look_at.up.output, look_at.down.output] = [1.0, 0.5, 3.0];
        assert_eq!(to(&look_at, 45.0, -30.0), Some([0.25, 0.0, 0.5, 0.0]));
        assert_eq!(to(&look_at, -90.0, 60.0), Some([0.0, 1.0, 0.0, 1.0]), "no more than all");
    }

    proptest! {
        #[test]
        fn rest_rotations_change_nothing_that_is_seen(rests in prop::array::uniform3(any_rotation()), yaw in -90.0_f32..90.0, pitch in -60.0_f32..60.0, back: bool) {
            let (plain, odd) = (head([Quat::IDENTITY; 3], back), head(rests, back));
            let target = angles(yaw, pitch);
            let (a, b) = (looking(&plain, target), looking(&odd, target));
            for eye in [LEFT, RIGHT] {
                let (a, b) = (turn(&plain, &a, eye), turn(&odd, &b, eye));
                prop_assert!((a[0] - b[0]).abs() < 0.02 && (a[1] - b[1]).abs() < 0.02, "{:?} {:?}", a, b);
            }
            let point = LookAtTarget::Point([0.4, 1.3, if back { -0.7 } else { 0.7 }]);
            let (a, b) = (looking(&plain, point).look_at.unwrap(), looking(&odd, point).look_at.unwrap());
            prop_assert!((a.yaw_deg - b.yaw_deg).abs() < 1e-3 && (a.pitch_deg - b.pitch_deg).abs() < 1e-3);
        }
    }
}
