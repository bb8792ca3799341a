//! Ranges of angles through which the ranking rotates each joint.

use std::collections::{HashMap, HashSet};
use std::f32::consts::{PI, TAU};
use std::str::FromStr;

use glam::{Quat, Vec3};

use super::axes::{Axes, RotationKind, TestRotation};
use crate::analysis::human_ranges::{OTHER, human_range};
use rigscope_core::matching::{HumanBone, Humanoid};
use rigscope_core::posing::Limits;
use rigscope_core::rig::{NodeIndex, Pose, Posed, Property, Rig, Trs};

/// Angle between successive steps of a test, radians.
pub(super) const STEP: f32 = PI / 18.0;

rigscope_core::named_enum! {
    /// Range of angles that the ranking tests.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum TestRange {
        /// Natural range of each humanoid bone; ±45° for other joints.
        #[default]
        Natural = "natural", "Natural range of each human joint; ±45° for other joints";
        /// Twists of ±180° and bends of 0° to 150°.
        Full = "full", "Twists of ±180° and bends of up to 150°, as a stress test";
        /// What the joint's limits allow; the natural range if the joint has no limits.
        Limits = "limits", "What each joint's limits allow; the natural range without limits";
        /// What the clips use; empty for joints that no clip rotates.
        Clips = "clips", "What this file's clips use";
    }
}

impl FromStr for TestRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|range| range.name() == text);
        found.ok_or_else(|| format!("there is no range \"{text}\"; it is natural, full, limits or clips"))
    }
}

/// Lowest and highest angle about each axis, radians; each range contains 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JointRange {
    pub twist: [f32; 2],
    pub bend: [f32; 2],
}

impl JointRange {
    pub(super) const FULL: Self = Self { twist: [-PI, PI], bend: [0.0, PI / 1.2] };

    /// Returns rotations in steps of 10° or less, from the lowest to the highest angle: first twists, then bends.
    pub(super) fn rotations(self) -> Vec<TestRotation> {
        let [twists, bends] = [(RotationKind::Twist, self.twist), (RotationKind::Bend, self.bend)].map(steps);
        twists.into_iter().chain(bends).collect()
    }
}

fn steps((motion, [low, high]): (RotationKind, [f32; 2])) -> Vec<TestRotation> {
    let count = |end: f32| (end.abs() / STEP - 1e-3).ceil().max(0.0) as i32;
    let up_to = |end: f32| (1..=count(end)).map(move |i| end * i as f32 / count(end) as f32);
    let mut below: Vec<f32> = up_to(low.min(0.0)).collect();
    below.reverse();
    below.into_iter().chain([0.0]).chain(up_to(high.max(0.0))).map(|angle| TestRotation { motion, angle }).collect()
}

fn natural_range(bone: Option<HumanBone>, has: impl Fn(&str) -> bool) -> JointRange {
    let row = bone.and_then(human_range);
    let (twist, bend) = row.map_or((OTHER, [-OTHER, OTHER]), |row| row.twist_and_bend(has));
    JointRange { twist: [-twist, twist].map(f32::to_radians), bend: bend.map(f32::to_radians) }
}

/// Ranges of the joints of a rig.
pub(super) struct JointRanges<'a> {
    range: TestRange,
    limits: &'a Limits,
    bones: HashMap<NodeIndex, HumanBone>,
    /// Names of the bones.
    names: HashSet<String>,
    /// Rotations of each node relative to its parent, from the keys of all clips.
    keys: HashMap<NodeIndex, Vec<Quat>>,
}

impl<'a> JointRanges<'a> {
    pub(super) fn new(rig: &Rig, range: TestRange, limits: &'a Limits) -> Self {
        let bones: HashMap<NodeIndex, HumanBone> = match range {
            TestRange::Natural | TestRange::Limits => {
                Humanoid::from_rig(rig).bones().map(|(bone, node)| (node, bone)).collect()
            }
            TestRange::Full | TestRange::Clips => HashMap::new(),
        };
        let mut keys: HashMap<NodeIndex, Vec<Quat>> = HashMap::new();
        if range == TestRange::Clips {
            let channels = rig.clips.iter().flat_map(|clip| &clip.channels);
            for channel in channels.filter(|channel| channel.property == Property::Rotation) {
                let rotations = channel.key_values().map(|key| Quat::from_slice(key).normalize());
                keys.entry(channel.node).or_default().extend(rotations.filter(|rotation| rotation.is_finite()));
            }
        }
        let names = bones.values().map(ToString::to_string).collect();
        Self { range, limits, bones, names, keys }
    }

    /// Returns the range of a joint about its axes, relative to its rotation in `pose`. `posed` must be the evaluation
    /// of `pose`.
    pub(super) fn range(&self, joint: NodeIndex, axes: Axes, (posed, pose): (&Posed, &Pose)) -> JointRange {
        let has = |bone: &str| self.names.contains(bone);
        let natural = || natural_range(self.bones.get(&joint).copied(), has);
        match self.range {
            TestRange::Full => JointRange::FULL,
            TestRange::Natural => natural(),
            TestRange::Limits if self.limits.get(joint).is_none() => natural(),
            TestRange::Limits => self.allowed_range(joint, axes, pose),
            TestRange::Clips => {
                let local = posed.local(pose, joint).to_scale_rotation_translation().1;
                self.used_range(joint, axes, local)
            }
        }
    }

    /// Steps from 0 in both directions as far as the limits allow.
    fn allowed_range(&self, joint: NodeIndex, axes: Axes, pose: &Pose) -> JointRange {
        let user = *pose.user_local(joint);
        let is_allowed = |axis: Vec3, angle: f32| {
            let turned = user.rotation * Quat::from_axis_angle(axis, angle);
            let kept = self.limits.keep(joint, Trs { rotation: turned, ..user }).rotation;
            kept.dot(turned).abs() > 1.0 - 1e-5
        };
        let end = |axis: Vec3, end: f32| {
            let mut allowed = 0.0;
            for step in steps((RotationKind::Twist, [0.0, end.abs()])) {
                let angle = step.angle * end.signum();
                if !is_allowed(axis, angle) {
                    break;
                }
                allowed = angle;
            }
            allowed
        };
        let JointRange { twist, bend } = JointRange::FULL;
        JointRange {
            twist: twist.map(|angle| end(axes.twist, angle)),
            bend: [end(axes.bend, -bend[1]), end(axes.bend, bend[1])],
        }
    }

    fn used_range(&self, joint: NodeIndex, axes: Axes, local: Quat) -> JointRange {
        let keys = self.keys.get(&joint).map_or(&[][..], Vec::as_slice);
        let about = |axis: Vec3| {
            keys.iter().fold([0.0_f32; 2], |[low, high], key| {
                let turn = local.inverse() * *key;
                let angle = 2.0 * turn.xyz().dot(axis).atan2(turn.w);
                let angle = if angle > PI {
                    angle - TAU
                } else if angle < -PI {
                    angle + TAU
                } else {
                    angle
                };
                [low.min(angle), high.max(angle)]
            })
        };
        JointRange { twist: about(axes.twist), bend: about(axes.bend) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::posing::{AxisLimit, JointLimits};
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{Channel, Clip, RigData, evaluate};

    const AXES: Axes = Axes { twist: Vec3::Y, bend: Vec3::X };

    fn degrees(range: JointRange) -> [[f32; 2]; 2] {
        [range.twist, range.bend].map(|ends| ends.map(|angle| (angle.to_degrees() * 10.0).round() / 10.0))
    }

    fn angle_range(rig: &Rig, range: TestRange, limits: &Limits) -> [[f32; 2]; 2] {
        let pose = Pose::rest(&rig.hierarchy);
        let posed = evaluate(rig, None, &pose);
        degrees(JointRanges::new(rig, range, limits).range(NodeIndex(1), AXES, (&posed, &pose)))
    }

    #[test]
    fn natural_ranges_are_those_of_the_hinges() {
        let named = |name: &str| degrees(natural_range(HumanBone::named(name), |_| true));
        assert_eq!(named("leftLowerArm"), [[-80.0, 80.0], [0.0, 150.0]], "the hand's twist");
        assert_eq!(named("leftHand"), [[-80.0, 80.0], [-70.0, 80.0]]);
        assert_eq!(named("rightIndexIntermediate"), [[0.0, 0.0], [0.0, 100.0]]);
        assert_eq!(named("leftThumbDistal"), [[0.0, 0.0], [0.0, 80.0]], "not that of the other fingers");
        assert_eq!(named("leftFoot"), [[-35.0, 35.0], [-20.0, 50.0]], "feet bend down");
        assert_eq!(named("leftShoulder"), [[0.0, 0.0], [-10.0, 30.0]], "collarbones are lifted");
        assert_eq!(named("head"), [[-30.0, 30.0], [-22.5, 22.5]], "half of the range of neck and head");
        assert_eq!(degrees(natural_range(HumanBone::named("head"), |bone| bone == "head"))[0], [-60.0, 60.0]);
        assert_eq!(degrees(natural_range(None, |_| true)), [[-45.0, 45.0]; 2]);
    }

    #[test]
    fn limits_and_clips_bound_the_angles() {
        let rest = Quat::from_rotation_z(1.0);
        let mut parts = RigData { hierarchy: chain(3, Trs::from_rotation(rest)), ..RigData::default() };
        let turned = |angle: f32| (rest * Quat::from_rotation_y(angle.to_radians())).to_array();
        let turns = [-20.0, 35.0].map(turned).concat();
        let channel = Channel::linear(NodeIndex(1), Property::Rotation, [0.0, 1.0], turns);
        parts.clips = vec![Clip { channels: vec![channel], duration_secs: 1.0, ..Clip::default() }];
        let rig = Rig::new(parts);
        assert_eq!(angle_range(&rig, TestRange::Clips, &Limits::default()), [[-20.0, 35.0], [0.0, 0.0]]);
        assert_eq!(angle_range(&rig, TestRange::Full, &Limits::default()), [[-180.0, 180.0], [0.0, 150.0]]);
        assert_eq!(angle_range(&rig, TestRange::Limits, &Limits::default()), [[-45.0, 45.0]; 2]);
        let mut limits = Limits::default();
        let limited = AxisLimit::Limited { min: -30_f32.to_radians(), max: 60_f32.to_radians() };
        limits.set(
            NodeIndex(1),
            JointLimits { axes: [AxisLimit::Locked(0.0), limited, AxisLimit::Locked(0.0)], ..JointLimits::default() },
        );
        assert_eq!(angle_range(&rig, TestRange::Limits, &limits), [[-30.0, 60.0], [0.0, 0.0]]);
    }

    #[test]
    fn the_full_range_has_37_twists_and_16_bends() {
        let turns = JointRange::FULL.rotations();
        let count = |motion| turns.iter().filter(|turn| turn.motion == motion).count();
        assert_eq!((count(RotationKind::Twist), count(RotationKind::Bend)), (37, 16));
        assert_eq!((turns[0].angle, turns[18].angle, turns[36].angle), (-PI, 0.0, PI));
        let odd = steps((RotationKind::Bend, [-0.2, 0.0]));
        assert_eq!(odd.iter().map(|turn| turn.angle).collect::<Vec<_>>(), [-0.2, -0.1, 0.0]);
    }
}
