//! Motions of joints, and whole-body poses.

use crate::analysis::human_ranges::{human_range, name_without_side};
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

/// Whole-body poses within the ranges of [`human_range`]. Arms and legs that a pose doesn't name stay as at rest.
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
        let count = range.parts(has);
        Some(angles.map(|angle| angle / count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
