//! Morph targets, as the command line names them.

use std::ops::RangeInclusive;
use std::str::FromStr;

use super::numbers;
use crate::rig::{MorphIndex, Rig};
use crate::text::listed;

/// Amount added to the weight of a morph target: `NAME=V`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MorphWeight {
    pub name: String,
    pub weight: f32,
}

impl FromStr for MorphWeight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        named_weight(text, -100.0..=100.0, "Smile=0.5").map(|(name, weight)| Self { name, weight })
    }
}

/// A name and a weight within a range, split at the last `=`, since names may contain others.
///
/// *Errors*: in words for the user, with an example.
pub(super) fn named_weight(text: &str, range: RangeInclusive<f32>, example: &str) -> Result<(String, f32), String> {
    let parts = text.rsplit_once('=').ok_or_else(|| format!("give a name and a weight, as in {example}"))?;
    Ok((parts.0.to_owned(), numbers::within(parts.1, range, "weight")?))
}

/// Most names that a message lists.
const MAX_NAMES: usize = 10;

/// The morph target with this name.
///
/// *Errors*: none has it; names similar ones, else all.
pub(super) fn find_morph(rig: &Rig, name: &str) -> Result<MorphIndex, String> {
    let names = || rig.morphs().iter().map(|morph| morph.name.as_str());
    rig.morph_named(name).ok_or_else(|| unknown("morph target", name, names()))
}

/// Sentence on a name that nothing of a kind has: with similar names, else all.
pub(super) fn unknown<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = crate::project::near(name, names.clone());
    let all: Vec<&str> = names.collect();
    let known = match (near.as_slice(), all.as_slice()) {
        (_, []) => format!("this file has no {kind}s"),
        ([], all) => format!("there are {}", listed(all, MAX_NAMES)),
        (near, _) => format!("near it are {}", listed(near, MAX_NAMES)),
    };
    format!("There is no {kind} \"{name}\"; {known}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::faces;

    #[test]
    fn a_weight_is_what_stands_behind_the_last_sign_of_equality() {
        let parsed = |name: &str, weight| Ok(MorphWeight { name: name.to_owned(), weight });
        assert_eq!("Smile=0.5".parse(), parsed("Smile", 0.5));
        assert_eq!("a=b=-1".parse(), parsed("a=b", -1.0));
        for bad in ["Smile", "Smile=", "Smile=much", "Smile=nan", "Smile=1e9"] {
            assert!(bad.parse::<MorphWeight>().is_err(), "{bad}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_with_those_near_it_or_else_all_there_are() {
        let many: Vec<String> = (0..12).map(|i| format!("shape {i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let rig = faces(&[&["smileLeft", "smileRight", "Blink"], &["Blink"]]);
        assert_eq!(find_morph(&rig, "Blink"), Ok(MorphIndex(2)));
        let message = |rig: &Rig, name| find_morph(rig, name).unwrap_err();
        assert_eq!(message(&rig, "smile"), "There is no morph target \"smile\"; near it are smileLeft, smileRight");
        assert_eq!(message(&rig, "x"), "There is no morph target \"x\"; there are smileLeft, smileRight, Blink");
        assert!(message(&faces(&[&many]), "x").ends_with("shape 9 and 2 more"));
        assert_eq!(message(&faces(&[]), "x"), "There is no morph target \"x\"; this file has no morph targets");
    }
}
