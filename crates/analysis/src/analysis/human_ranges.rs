//! Ranges of motion of human joints: the one table for the bend test and for the ranking of joints.

use rigscope_core::matching::HumanBone;

/// Maximum angle in both directions for joints that are not humanoid bones, degrees.
pub(in crate::analysis) const OTHER: f32 = 45.0;

/// Lowest and highest angle of flexion, abduction and twist, degrees. A joint doesn't move about an axis with the range 0 to
/// 0.
pub(in crate::analysis) type AxisRanges = [[f32; 2]; 3];

/// Range of motion of a human bone.
pub(in crate::analysis) struct HumanRange {
    /// VRM 1.0 name without the side; for fingers, the end of the name.
    pub bone: &'static str,
    /// Degrees from the anatomical position: standing, arms hanging, everything straight.
    pub ranges: AxisRanges,
    /// Bones that divide the range among them; empty if it is that of one joint.
    pub shared_by: &'static [&'static str],
    /// Which of the ranges is that of the joint's hinge, as the ranking bends it.
    hinge: Hinge,
    /// Publication of the range.
    pub source: &'static str,
}

const AAOS: &str = "American Academy of Orthopaedic Surgeons 1965, Joint Motion: Method of Measuring and Recording";
const INMAN: &str = "Inman, Saunders and Abbott 1944, Observations on the function of the shoulder joint";
const KAPANDJI: &str = "Kapandji 1982, The Physiology of the Joints, volume 1";
const POSSELT: &str = "Posselt 1952, Studies in the mobility of the human mandible: hinge movement";

const BACK: &[&str] = &["spine", "chest", "upperChest"];
const NECK: &[&str] = &["neck", "head"];

/// How the natural bend axis of a joint relates to the anatomical motions.
#[derive(Clone, Copy)]
enum Hinge {
    Flexion,
    /// A positive bend is a negative flexion: feet and toes bend down.
    Extension,
    Abduction,
}

use Hinge::{Abduction, Extension, Flexion};

const fn row(
    bone: &'static str,
    [flexion, abduction, twist]: AxisRanges,
    shared_by: &'static [&'static str],
    hinge: Hinge,
    source: &'static str,
) -> HumanRange {
    HumanRange { bone, ranges: [flexion, abduction, twist], shared_by, hinge, source }
}

/// Ranges of flexion, abduction and twist, degrees; twist is positive inwards. The shoulder's elevation of 180° is divided
/// between upper arm and collarbone in the ratio 2 to 1 (Inman). Rotation of the forearm is that of the hand, because rigs
/// distribute it from there.
#[rustfmt::skip]
const HUMAN: [HumanRange; 21] = [
    row("spine",            [[-25.0,  80.0], [-35.0,  35.0], [-45.0, 45.0]], BACK, Flexion, AAOS),
    row("chest",            [[-25.0,  80.0], [-35.0,  35.0], [-45.0, 45.0]], BACK, Flexion, AAOS),
    row("upperChest",       [[-25.0,  80.0], [-35.0,  35.0], [-45.0, 45.0]], BACK, Flexion, AAOS),
    row("neck",             [[-45.0,  45.0], [-45.0,  45.0], [-60.0, 60.0]], NECK, Flexion, AAOS),
    row("head",             [[-45.0,  45.0], [-45.0,  45.0], [-60.0, 60.0]], NECK, Flexion, AAOS),
    row("jaw",              [[  0.0,  20.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, POSSELT),
    row("shoulder",         [[-20.0,  20.0], [-10.0,  30.0], [  0.0,  0.0]], &[], Abduction, KAPANDJI),
    row("upperArm",         [[-60.0, 120.0], [-30.0, 120.0], [-90.0, 70.0]], &[], Flexion, INMAN),
    row("lowerArm",         [[  0.0, 150.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("hand",             [[-70.0,  80.0], [-30.0,  20.0], [-80.0, 80.0]], &[], Flexion, AAOS),
    row("ThumbMetacarpal",  [[-20.0,  15.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("ThumbProximal",    [[  0.0,  50.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("ThumbDistal",      [[  0.0,  80.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("Proximal",         [[-45.0,  90.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("Intermediate",     [[  0.0, 100.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("Distal",           [[  0.0,  90.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("upperLeg",         [[-30.0, 120.0], [-30.0,  45.0], [-45.0, 45.0]], &[], Flexion, AAOS),
    row("lowerLeg",         [[  0.0, 135.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, AAOS),
    row("foot",             [[-50.0,  20.0], [  0.0,   0.0], [-15.0, 35.0]], &[], Extension, AAOS),
    row("toes",             [[-70.0,  45.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Extension, AAOS),
    row("eye",              [[  0.0,   0.0], [  0.0,   0.0], [  0.0,  0.0]], &[], Flexion, "none: eyes turn rigidly"),
];

/// Returns the row of a bone; `None` for the hips, which move the whole body.
pub(in crate::analysis) fn human_range(bone: HumanBone) -> Option<&'static HumanRange> {
    bone_row(bone, &HUMAN, |row| row.bone)
}

impl HumanRange {
    /// Returns the ranges if only the bones for which `has` returns true divide them.
    pub(in crate::analysis) fn divided(&self, has: impl Fn(&str) -> bool) -> AxisRanges {
        let count = self.parts(has);
        self.ranges.map(|ends| ends.map(|end| end / count))
    }

    /// Returns the number of bones that divide the range and for which `has` returns true, at least 1.
    pub(in crate::analysis) fn parts(&self, has: impl Fn(&str) -> bool) -> f32 {
        self.shared_by.iter().filter(|bone| has(bone)).count().max(1) as f32
    }

    /// Returns the largest twist in either direction, and the lowest and highest bend about the joint's hinge, degrees.
    /// Twists are symmetric, because their sign differs between rigs. Rigs without twist joints twist the forearm at the
    /// elbow or the wrist, so both have the forearm's twist.
    pub(in crate::analysis) fn twist_and_bend(&self, has: impl Fn(&str) -> bool) -> (f32, [f32; 2]) {
        let [flexion, abduction, twist] = self.divided(has);
        let bend = match self.hinge {
            Flexion => flexion,
            Extension => [-flexion[1], -flexion[0]],
            Abduction => abduction,
        };
        let forearm = HUMAN.iter().find(|row| row.bone == "hand" && self.bone == "lowerArm");
        let [low, high] = forearm.map_or(twist, |hand| hand.ranges[2]);
        (low.abs().max(high), bend)
    }
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
}
