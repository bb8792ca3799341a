//! The 52 blend shapes driven by `ARKit`'s face tracking.

use std::collections::HashSet;

use crate::rig::Rig;
use crate::rows::rows;

#[rustfmt::skip]
const NAMES: [&str; 52] = [
    "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight",
    "cheekPuff", "cheekSquintLeft", "cheekSquintRight",
    "eyeBlinkLeft", "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight", "eyeLookInLeft", "eyeLookInRight",
    "eyeLookOutLeft", "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight", "eyeSquintLeft", "eyeSquintRight",
    "eyeWideLeft", "eyeWideRight",
    "jawForward", "jawLeft", "jawOpen", "jawRight",
    "mouthClose", "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft", "mouthFrownRight", "mouthFunnel",
    "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthPressLeft", "mouthPressRight", "mouthPucker",
    "mouthRight", "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft",
    "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight", "tongueOut",
];

rows! {
    /// `ARKit` blend shapes of a rig, found by name.
    pub(super) struct Arkit {
        /// Number of `ARKit` blend shapes that have a morph target or expression.
        pub found: usize,
        /// Blend shapes without a morph target or expression.
        pub missing: Vec<&'static str>,
    }
}

impl Arkit {
    /// Compares a rig with `ARKit`'s blend shapes. Returns `None` if no name matches.
    pub(super) fn from_rig(rig: &Rig) -> Option<Self> {
        let morphs = rig.morphs().iter().map(|morph| morph.name.as_str());
        Self::named(morphs.chain(rig.expressions.iter().map(|expression| expression.name.as_str())))
    }

    fn named<'a>(names: impl Iterator<Item = &'a str>) -> Option<Self> {
        let known: HashSet<String> = names.map(plain).collect();
        let missing: Vec<&str> = NAMES.into_iter().filter(|name| !known.contains(&plain(name))).collect();
        let found = NAMES.len() - missing.len();
        (found > 0).then_some(Self { found, missing })
    }
}

/// Normalises a name: removes the mesh name, expands short side suffixes and converts to lower case.
fn plain(name: &str) -> String {
    let own = name.rsplit(['.', ':', '/']).next().unwrap_or(name).to_lowercase();
    let side = |short, long| own.strip_suffix(short).map(|rest| format!("{rest}{long}"));
    side("_l", "left").or_else(|| side("_r", "right")).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_behind_a_mesh_and_with_short_sides() {
        assert_eq!(NAMES.iter().collect::<HashSet<_>>().len(), 52);
        assert!(NAMES.is_sorted());
        assert_eq!(Arkit::named(["Smile", "jaw"].into_iter()), None);
        let found = Arkit::named(["JawOpen", "Face.cheekPuff", "eyeBlink_L", "eyeBlink_L"].into_iter()).unwrap();
        assert_eq!((found.found, found.missing.len()), (3, 49));
        assert!(!found.missing.contains(&"eyeBlinkLeft") && found.missing.contains(&"tongueOut"));
        assert_eq!(Arkit::named(NAMES.into_iter()), Some(Arkit { found: 52, missing: Vec::new() }));
    }
}
