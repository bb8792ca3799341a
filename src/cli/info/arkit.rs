//! The 52 blend shapes driven by `ARKit`'s face tracking.

use std::collections::HashSet;

use crate::matching::{ARKIT_SHAPES, arkit_shape};
use crate::rig::Rig;
use crate::rows::rows;

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
        let known: HashSet<&str> = names.filter_map(arkit_shape).collect();
        let missing: Vec<&str> = ARKIT_SHAPES.into_iter().filter(|name| !known.contains(name)).collect();
        let found = known.len();
        (found > 0).then_some(Self { found, missing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_and_missing_shapes_are_counted() {
        assert_eq!(Arkit::named(["Smile", "jaw"].into_iter()), None);
        let found = Arkit::named(["JawOpen", "Face.cheekPuff", "eyeBlink_L", "eyeBlink_L"].into_iter()).unwrap();
        assert_eq!((found.found, found.missing.len()), (3, 49));
        assert!(!found.missing.contains(&"eyeBlinkLeft") && found.missing.contains(&"tongueOut"));
        assert_eq!(Arkit::named(ARKIT_SHAPES.into_iter()), Some(Arkit { found: 52, missing: Vec::new() }));
    }
}
