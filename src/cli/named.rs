//! Parses clips, joints, morph targets, expressions and look-at targets given on the command line, and finds them in a
//! rig.

use std::ops::RangeInclusive;

use super::numbers;
use crate::rig::{ExpressionIndex, LookAtTarget, MorphIndex, NodeIndex, Rig, find_known_joints, joint_names};
use crate::text::listed;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedWeight {
    pub name: String,
    pub weight: f32,
}

/// Parses a weight to add to a morph target's weight.
pub(super) fn morph_weight(text: &str) -> Result<NamedWeight, String> {
    named_weight(text, -100.0..=100.0, "Smile=0.5")
}

pub(super) fn expression_weight(text: &str) -> Result<NamedWeight, String> {
    named_weight(text, 0.0..=1.0, "happy=0.5")
}

/// Parses `NAME=WEIGHT`. Splits at the last `=`, because names may contain `=`.
fn named_weight(text: &str, range: RangeInclusive<f32>, example: &str) -> Result<NamedWeight, String> {
    let (name, weight) = text.rsplit_once('=').ok_or_else(|| format!("give a name and a weight, as in {example}"))?;
    Ok(NamedWeight { name: name.to_owned(), weight: numbers::within(range, "weight")(weight)? })
}

/// Parses a look-at target: `X,Y,Z`, `YAW,PITCH` or `camera`.
pub(super) fn look_at(text: &str) -> Result<LookAtTarget, String> {
    if text == "camera" {
        return Ok(LookAtTarget::Camera);
    }
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok(LookAtTarget::Point([x, y, z])),
        Some(&[yaw, pitch]) => Ok(LookAtTarget::Angles { yaw_deg: yaw as f32, pitch_deg: pitch as f32 }),
        _ => Err("give a point as X,Y,Z in metres, two angles as YAW,PITCH in degrees, or camera".to_owned()),
    }
}

/// Finds an item by name or, if no name matches, by number. The error suggests similar names or lists all names.
pub(super) fn find<'a>(
    kind: &str,
    wanted: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, String> {
    let by_name = names.clone().position(|name| name == wanted);
    let by_number = || wanted.parse().ok().filter(|&number: &usize| number < names.clone().count());
    by_name.or_else(by_number).ok_or_else(|| unknown(kind, wanted, names))
}

pub(super) fn find_clip(rig: &Rig, wanted: &str) -> Result<usize, String> {
    find("clip", wanted, rig.clips.iter().map(|clip| clip.name.as_str()))
}

/// Finds a joint by its name in pose files.
pub(super) fn find_joint(rig: &Rig, name: &str) -> Result<NodeIndex, String> {
    let found = find_known_joints(&rig.hierarchy, &[name.to_owned()]).first().copied();
    found.ok_or_else(|| {
        let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
        unknown("joint", name, joint_names(&rig.hierarchy, &joints).iter().map(String::as_str))
    })
}

pub(super) fn find_morph(rig: &Rig, name: &str) -> Result<MorphIndex, String> {
    let names = || rig.morphs().iter().map(|morph| morph.name.as_str());
    rig.morph_named(name).ok_or_else(|| unknown("morph target", name, names()))
}

pub(super) fn find_expression(rig: &Rig, name: &str) -> Result<ExpressionIndex, String> {
    let names = || rig.expressions.iter().map(|expression| expression.name.as_str());
    rig.expression_named(name).ok_or_else(|| unknown("expression", name, names()))
}

const MAX_NAMES: usize = 10;

fn unknown<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
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
    fn weights_and_look_at_targets_are_parsed() {
        let weight = |name: &str, weight| Ok(NamedWeight { name: name.to_owned(), weight });
        assert_eq!(morph_weight("Smile=0.5"), weight("Smile", 0.5));
        assert_eq!(morph_weight("a=b=-1"), weight("a=b", -1.0));
        for bad in ["Smile", "Smile=", "Smile=much", "Smile=nan", "Smile=1e9"] {
            assert!(morph_weight(bad).is_err(), "{bad}");
        }
        assert_eq!(expression_weight("happy=0.5"), weight("happy", 0.5));
        for bad in ["happy", "happy=", "happy=1.5", "happy=-1"] {
            assert!(expression_weight(bad).is_err(), "{bad}");
        }
        assert_eq!(look_at("camera"), Ok(LookAtTarget::Camera));
        assert_eq!(look_at("1, -2,3.5"), Ok(LookAtTarget::Point([1.0, -2.0, 3.5])));
        assert_eq!(look_at("-10,5"), Ok(LookAtTarget::Angles { yaw_deg: -10.0, pitch_deg: 5.0 }));
        for bad in ["", "1", "1,2,3,4", "x,y", "nan,1", "1e400,0,0"] {
            assert!(look_at(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_unknown_name_is_reported_with_similar_ones_or_all() {
        let many: Vec<String> = (0..12).map(|i| format!("shape {i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let rig = faces(&[&["smileLeft", "smileRight", "Blink"], &["Blink"]]);
        assert_eq!(find_morph(&rig, "Blink"), Ok(MorphIndex(2)));
        let message = |rig: &Rig, name| find_morph(rig, name).unwrap_err();
        assert_eq!(message(&rig, "smile"), "There is no morph target \"smile\"; near it are smileLeft, smileRight");
        assert_eq!(message(&rig, "x"), "There is no morph target \"x\"; there are smileLeft, smileRight, Blink");
        assert!(message(&faces(&[&many]), "x").ends_with("shape 9 and 2 more"));
        assert_eq!(message(&faces(&[]), "x"), "There is no morph target \"x\"; this file has no morph targets");
        assert_eq!(
            find_expression(&Rig::default(), "happy").unwrap_err(),
            "There is no expression \"happy\"; this file has no expressions"
        );
    }
}
