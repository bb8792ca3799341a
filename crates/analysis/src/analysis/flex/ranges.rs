//! Ranges of motion of human joints, and whole-body poses built from them.

use crate::analysis::twist::{bone_row, name_without_side};
use rigscope_core::matching::HumanBone;
use rigscope_core::rows::{Described, Shape};

rigscope_core::named_enum! {
    /// Motion of a joint.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum FlexAxis {
        /// Bending: of an elbow or a knee about its hinge, of an arm, a leg, the back or the head forwards.
        Flexion = "flexion";
        /// Lifting sideways, away from the body; bending to the left for the back and the head.
        Abduction = "abduction";
        /// Rotation about the bone; positive is inwards for limbs and to the left for the back and the head.
        Twist = "twist";
    }
}

impl Described for FlexAxis {
    fn shape() -> Shape {
        Shape::Word(Self::ALL.map(Self::name).to_vec())
    }
}

/// Lowest and highest angle of each of [`FlexAxis::ALL`], degrees. A joint doesn't move about an axis with the range 0 to
/// 0.
pub(super) type AxisRanges = [[f32; 2]; 3];

pub(super) struct HumanRange {
    /// VRM 1.0 name without the side; for fingers, the end of the name.
    bone: &'static str,
    /// Degrees from the anatomical position: standing, arms hanging, everything straight.
    pub ranges: AxisRanges,
    /// Bones that divide the range among them; empty if it is that of one joint.
    shared_by: &'static [&'static str],
    /// Publication of the range.
    pub source: &'static str,
}

const AAOS: &str = "American Academy of Orthopaedic Surgeons 1965, Joint Motion: Method of Measuring and Recording";
const INMAN: &str = "Inman, Saunders and Abbott 1944, Observations on the function of the shoulder joint";
const KAPANDJI: &str = "Kapandji 1982, The Physiology of the Joints, volume 1";
const POSSELT: &str = "Posselt 1952, Studies in the mobility of the human mandible: hinge movement";

const BACK: &[&str] = &["spine", "chest", "upperChest"];
const NECK: &[&str] = &["neck", "head"];

const fn row(
    bone: &'static str,
    [flexion, abduction, twist]: AxisRanges,
    shared_by: &'static [&'static str],
    source: &'static str,
) -> HumanRange {
    HumanRange { bone, ranges: [flexion, abduction, twist], shared_by, source }
}

/// Ranges of flexion, abduction and twist, degrees. The shoulder's elevation of 180° is divided between upper arm and
/// collarbone in the ratio 2 to 1 (Inman). Rotation of the forearm is tested at the hand, because rigs distribute it
/// from there.
#[rustfmt::skip]
const HUMAN: [HumanRange; 21] = [
    row("spine",            [[-25.0,  80.0], [-35.0,  35.0], [-45.0, 45.0]], BACK, AAOS),
    row("chest",            [[-25.0,  80.0], [-35.0,  35.0], [-45.0, 45.0]], BACK, AAOS),
    row("upperChest",       [[-25.0,  80.0], [-35.0,  35.0], [-45.0, 45.0]], BACK, AAOS),
    row("neck",             [[-45.0,  45.0], [-45.0,  45.0], [-60.0, 60.0]], NECK, AAOS),
    row("head",             [[-45.0,  45.0], [-45.0,  45.0], [-60.0, 60.0]], NECK, AAOS),
    row("jaw",              [[  0.0,  20.0], [  0.0,   0.0], [  0.0,  0.0]], &[], POSSELT),
    row("shoulder",         [[-20.0,  20.0], [-10.0,  30.0], [  0.0,  0.0]], &[], KAPANDJI),
    row("upperArm",         [[-60.0, 120.0], [-30.0, 120.0], [-70.0, 70.0]], &[], INMAN),
    row("lowerArm",         [[  0.0, 150.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("hand",             [[-70.0,  80.0], [-30.0,  20.0], [-80.0, 80.0]], &[], AAOS),
    row("ThumbMetacarpal",  [[  0.0,  15.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("ThumbProximal",    [[  0.0,  50.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("ThumbDistal",      [[  0.0,  80.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("Proximal",         [[-45.0,  90.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("Intermediate",     [[  0.0, 100.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("Distal",           [[  0.0,  90.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("upperLeg",         [[-30.0, 120.0], [-30.0,  45.0], [-45.0, 45.0]], &[], AAOS),
    row("lowerLeg",         [[  0.0, 135.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("foot",             [[-50.0,  20.0], [  0.0,   0.0], [-15.0, 35.0]], &[], AAOS),
    row("toes",             [[-70.0,  45.0], [  0.0,   0.0], [  0.0,  0.0]], &[], AAOS),
    row("eye",              [[  0.0,   0.0], [  0.0,   0.0], [  0.0,  0.0]], &[], "none: eyes turn rigidly"),
];

/// Returns the row of a bone; `None` for the hips, which move the whole body.
pub(super) fn human_range(bone: HumanBone) -> Option<&'static HumanRange> {
    bone_row(bone, &HUMAN, |row| row.bone)
}

impl HumanRange {
    /// Returns the ranges if only the bones for which `has` returns true divide them.
    pub(super) fn divided(&self, has: impl Fn(&str) -> bool) -> AxisRanges {
        let count = self.shared_by.iter().filter(|bone| has(bone)).count().max(1) as f32;
        self.ranges.map(|ends| ends.map(|end| end / count))
    }
}

/// A bone's name without the side, or with it if only that side moves, and its flexion, abduction and twist in degrees.
/// Angles of back and neck are those of all their joints together.
type PosedBone = (&'static str, [f32; 3]);

/// A pose of the whole body.
pub(super) struct WholeBodyPose {
    pub name: &'static str,
    pub bones: &'static [PosedBone],
}

const FIST: &[PosedBone] = &[
    ("Proximal", [85.0, 0.0, 0.0]),
    ("Intermediate", [95.0, 0.0, 0.0]),
    ("Distal", [70.0, 0.0, 0.0]),
    ("ThumbMetacarpal", [10.0, 0.0, 0.0]),
    ("ThumbProximal", [35.0, 0.0, 0.0]),
    ("ThumbDistal", [50.0, 0.0, 0.0]),
];

/// Whole-body poses within the ranges of [`HUMAN`]. Arms and legs that a pose doesn't name stay as at rest.
pub(super) const WHOLE_BODY: [WholeBodyPose; 10] = [
    WholeBodyPose { name: "T", bones: &[("upperArm", [0.0, 90.0, 0.0]), ("lowerArm", [0.0; 3])] },
    WholeBodyPose { name: "A", bones: &[("upperArm", [0.0, 45.0, 0.0]), ("lowerArm", [0.0; 3])] },
    WholeBodyPose {
        name: "arms up",
        bones: &[("shoulder", [0.0, 30.0, 0.0]), ("upperArm", [0.0, 120.0, 0.0]), ("lowerArm", [10.0, 0.0, 0.0])],
    },
    WholeBodyPose {
        name: "arms crossed",
        bones: &[("shoulder", [15.0, 0.0, 0.0]), ("upperArm", [60.0, -10.0, 40.0]), ("lowerArm", [100.0, 0.0, 0.0])],
    },
    WholeBodyPose {
        name: "deep squat",
        bones: &[
            ("upperLeg", [115.0, 25.0, 0.0]),
            ("lowerLeg", [130.0, 0.0, 0.0]),
            ("foot", [20.0, 0.0, 0.0]),
            ("spine", [30.0, 0.0, 0.0]),
            ("upperArm", [70.0, 10.0, 0.0]),
        ],
    },
    WholeBodyPose {
        name: "seated",
        bones: &[
            ("upperLeg", [90.0, 5.0, 0.0]),
            ("lowerLeg", [90.0, 0.0, 0.0]),
            ("upperArm", [20.0, 10.0, 0.0]),
            ("lowerArm", [60.0, 0.0, 0.0]),
        ],
    },
    WholeBodyPose {
        name: "kneeling",
        bones: &[
            ("upperLeg", [0.0, 5.0, 0.0]),
            ("lowerLeg", [95.0, 0.0, 0.0]),
            ("foot", [-40.0, 0.0, 0.0]),
            ("upperArm", [10.0, 10.0, 0.0]),
        ],
    },
    WholeBodyPose { name: "head turned and tilted", bones: &[("neck", [15.0, 25.0, 50.0])] },
    WholeBodyPose { name: "fist", bones: FIST },
    WholeBodyPose {
        name: "wide stride",
        bones: &[
            ("leftUpperLeg", [60.0, 0.0, 0.0]),
            ("leftLowerLeg", [20.0, 0.0, 0.0]),
            ("rightUpperLeg", [-30.0, 0.0, 0.0]),
            ("rightLowerLeg", [30.0, 0.0, 0.0]),
            ("rightFoot", [-20.0, 0.0, 0.0]),
            ("leftUpperArm", [-30.0, 10.0, 0.0]),
            ("rightUpperArm", [40.0, 10.0, 0.0]),
            ("leftLowerArm", [30.0, 0.0, 0.0]),
            ("rightLowerArm", [50.0, 0.0, 0.0]),
            ("spine", [5.0, 0.0, 15.0]),
        ],
    },
];

impl WholeBodyPose {
    /// Returns the angles of a bone, degrees; `None` if the pose doesn't move it. A bone of the back or the neck gets its
    /// part of the angles of all.
    pub(super) fn angles(&self, bone: HumanBone, has: impl Fn(&str) -> bool) -> Option<[f32; 3]> {
        let range = human_range(bone)?;
        let (name, core) = (bone.to_string(), name_without_side(bone));
        let is_named = |row: &&PosedBone| {
            name == row.0 || core.eq_ignore_ascii_case(row.0) || range.bone == row.0 || range.shared_by.contains(&row.0)
        };
        let (_, angles) = self.bones.iter().find(is_named)?;
        let count = range.shared_by.iter().filter(|bone| has(bone)).count().max(1) as f32;
        Some(angles.map(|angle| angle / count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> HumanBone {
        HumanBone::named(name).unwrap()
    }

    #[test]
    fn every_bone_but_the_hips_has_a_row_with_a_source_and_every_row_is_that_of_a_bone() {
        for bone in HumanBone::all() {
            assert_eq!(human_range(bone).is_none(), bone.to_string() == "hips", "{bone}");
        }
        for row in &HUMAN {
            assert!(
                HumanBone::all().any(|bone| human_range(bone).is_some_and(|found| found.bone == row.bone)),
                "{}",
                row.bone
            );
            assert!(
                row.source.len() > 5 && row.ranges.iter().all(|[low, high]| *low <= 0.0 && *high >= 0.0),
                "{}",
                row.bone
            );
        }
        assert_eq!(human_range(named("leftThumbDistal")).unwrap().ranges[0], [0.0, 80.0], "not that of the fingers");
        assert_eq!(human_range(named("rightIndexIntermediate")).unwrap().ranges[0], [0.0, 100.0]);
    }

    #[test]
    fn joints_of_the_back_divide_its_range() {
        let spine = human_range(named("spine")).unwrap();
        assert_eq!(spine.divided(|_| true)[1][1] * 3.0, 35.0);
        assert_eq!(spine.divided(|bone| bone == "spine")[0], [-25.0, 80.0]);
    }

    #[test]
    fn whole_body_poses_stay_within_the_ranges() {
        for pose in &WHOLE_BODY {
            let mut moved = 0;
            for bone in HumanBone::all() {
                let Some(angles) = pose.angles(bone, |_| true) else { continue };
                moved += 1;
                let ranges = human_range(bone).unwrap().divided(|_| true);
                for (angle, [low, high]) in angles.into_iter().zip(ranges) {
                    assert!((low..=high).contains(&angle), "{}: {bone} {angle}", pose.name);
                }
            }
            let expected = pose
                .bones
                .iter()
                .filter(|(name, _)| {
                    HumanBone::all().any(|bone| bone.to_string().to_lowercase().ends_with(&name.to_lowercase()))
                })
                .count();
            assert!(moved >= expected && expected == pose.bones.len(), "{}: {moved}", pose.name);
        }
    }
}
