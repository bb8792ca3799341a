//! Ranges of angles through which the ranking rotates each joint.

use std::collections::HashMap;
use std::f32::consts::{PI, TAU};
use std::str::FromStr;

use glam::{Quat, Vec3};

use super::axes::{Axes, RotationKind, TestRotation};
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

/// A bone's name, its maximum twist, and its lowest and highest bend. Angles are in degrees.
type NaturalRow = (&'static str, f32, [f32; 2]);

/// Ranges of motion of human joints. Bones have their VRM 1.0 names, minus the side. Positive bends bend the joint
/// further in the direction of its hinge. Twists are symmetric, because their sign differs between rigs.
///
/// *Source*: American Academy of Orthopaedic Surgeons, *Joint Motion: Method of Measuring and Recording* (1965), for neck
/// and back (divided among their joints), upper arm, forearm, wrist, fingers, hip, knee, ankle and toes; Kapandji,
/// *Physiology of the Joints*, for the collarbone. Rigs without twist joints twist the forearm at the wrist, so the
/// hand has the forearm's twist.
#[rustfmt::skip]
const NATURAL: [NaturalRow; 24] = [
    ("spine",              20.0, [-15.0, 40.0]),
    ("chest",              20.0, [-15.0, 40.0]),
    ("upperChest",         20.0, [-15.0, 40.0]),
    ("neck",               40.0, [-30.0, 30.0]),
    ("head",               40.0, [-30.0, 30.0]),
    ("jaw",                 0.0, [  0.0, 30.0]),
    ("eye",                 0.0, [-30.0, 30.0]),
    ("shoulder",           10.0, [-10.0, 30.0]),
    ("upperArm",           90.0, [-60.0, 120.0]),
    ("lowerArm",           80.0, [  0.0, 150.0]),
    ("hand",               80.0, [-70.0, 80.0]),
    ("thumbMetacarpal",     0.0, [-15.0, 50.0]),
    ("thumbProximal",       0.0, [  0.0, 50.0]),
    ("thumbDistal",         0.0, [  0.0, 80.0]),
    ("indexProximal",       0.0, [-45.0, 90.0]),
    ("middleProximal",      0.0, [-45.0, 90.0]),
    ("ringProximal",        0.0, [-45.0, 90.0]),
    ("littleProximal",      0.0, [-45.0, 90.0]),
    ("Intermediate",        0.0, [  0.0, 100.0]),
    ("Distal",              0.0, [  0.0, 90.0]),
    ("upperLeg",           45.0, [-30.0, 120.0]),
    ("lowerLeg",           15.0, [  0.0, 135.0]),
    ("foot",               35.0, [-20.0, 50.0]),
    ("toes",                0.0, [-40.0, 70.0]),
];

/// Maximum angle in both directions for joints that are not humanoid bones, degrees.
pub(in crate::analysis) const OTHER: f32 = 45.0;

fn natural_range(bone: Option<HumanBone>) -> JointRange {
    let row = bone.and_then(|bone| bone_row(bone, &NATURAL, |row| row.0));
    let (twist, bend) = row.map_or((OTHER, [-OTHER, OTHER]), |row| (row.1, row.2));
    JointRange { twist: [-twist, twist].map(f32::to_radians), bend: bend.map(f32::to_radians) }
}

/// Returns the name of a bone without its side, such as `UpperArm` or `spine`.
pub(in crate::analysis) fn name_without_side(bone: HumanBone) -> String {
    let name = bone.to_string();
    let core = name.strip_prefix("left").or_else(|| name.strip_prefix("right")).unwrap_or(&name);
    core.to_owned()
}

/// Finds the row of a bone in a table. Rows have the bone's name without the side, or, starting with a capital, the end of
/// the names of several bones, such as `Distal`.
pub(in crate::analysis) fn bone_row<T>(bone: HumanBone, rows: &[T], name: impl Fn(&T) -> &'static str) -> Option<&T> {
    let core = name_without_side(bone);
    let is_row = |row: &&T| core.eq_ignore_ascii_case(name(row));
    let ends_so = |row: &&T| name(row).starts_with(char::is_uppercase) && core.ends_with(name(row));
    rows.iter().find(is_row).or_else(|| rows.iter().find(ends_so))
}

/// Ranges of the joints of a rig.
pub(super) struct JointRanges<'a> {
    range: TestRange,
    limits: &'a Limits,
    bones: HashMap<NodeIndex, HumanBone>,
    /// Rotations of each node relative to its parent, from the keys of all clips.
    keys: HashMap<NodeIndex, Vec<Quat>>,
}

impl<'a> JointRanges<'a> {
    pub(super) fn new(rig: &Rig, range: TestRange, limits: &'a Limits) -> Self {
        let bones = match range {
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
        Self { range, limits, bones, keys }
    }

    /// Returns the range of a joint about its axes, relative to its rotation in `pose`. `posed` must be the evaluation
    /// of `pose`.
    pub(super) fn range(&self, joint: NodeIndex, axes: Axes, (posed, pose): (&Posed, &Pose)) -> JointRange {
        let natural = || natural_range(self.bones.get(&joint).copied());
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
    fn every_natural_range_is_that_of_a_bone() {
        let row = |bone| bone_row(bone, &NATURAL, |row| row.0);
        let rows: Vec<_> = HumanBone::all().filter_map(row).map(|row| row.0).collect();
        for (name, ..) in NATURAL {
            assert!(rows.contains(&name), "{name}");
        }
        let named = |name: &str| degrees(natural_range(HumanBone::named(name)));
        assert_eq!(named("leftLowerArm"), [[-80.0, 80.0], [0.0, 150.0]]);
        assert_eq!(named("rightIndexIntermediate"), [[0.0, 0.0], [0.0, 100.0]]);
        assert_eq!(named("leftThumbDistal"), [[0.0, 0.0], [0.0, 80.0]], "not that of the other fingers");
        assert_eq!(named("head"), [[-40.0, 40.0], [-30.0, 30.0]]);
        assert_eq!(degrees(natural_range(None)), [[-45.0, 45.0]; 2]);
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
