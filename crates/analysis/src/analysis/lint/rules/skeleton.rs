//! Measurements of names, humanoid bones and their rest pose.

#![expect(clippy::unnecessary_wraps, reason = "all measures are taken in one way, and some may fail")]

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::super::finding::short;
use super::super::{NodeList, Target};
use super::counts::of_nodes;
use super::inventory::Inventory;
use super::{FacingAxis, Measure, Measurement, NamedObjectKind, Rule, StandardPose, measurement::Measurements};
use rigscope_core::matching::{HumanBone, without_namespace};
use rigscope_core::posing::other_side;
use rigscope_core::rig::NodeIndex;
use rigscope_core::text;

const LISTED: usize = 6;
const SCALE_ROUNDING: f32 = 1e-3;
/// Rounding tolerance for rotations, radians.
const TURN_ROUNDING: f32 = 1e-3;

impl Inventory<'_> {
    fn position(&self, bone: &str) -> Option<Vec3> {
        let node = self.humanoid.node(HumanBone::named(bone)?)?;
        Some(self.rest.world_from_node[node.index()].translation)
    }

    /// Returns the horizontal unit vector that points from the right limbs to the left limbs.
    fn left(&self) -> Option<Vec3> {
        let apart = |bone: &str| Some(self.position(&format!("left{bone}"))? - self.position(&format!("right{bone}"))?);
        let sum = [apart("UpperArm"), apart("UpperLeg")].into_iter().flatten().sum::<Vec3>();
        Vec3::new(sum.x, 0.0, sum.z).try_normalize()
    }
}

/// Limbs: first bone, end bone, description.
const LIMBS: [(&str, &str, &str); 4] = [
    ("UpperArm", "LowerArm", "upper arm"),
    ("LowerArm", "Hand", "lower arm"),
    ("UpperLeg", "LowerLeg", "upper leg"),
    ("LowerLeg", "Foot", "lower leg"),
];

pub(super) fn stance(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let left = inventory.left().ok_or("no humanoid arms and legs were found")?;
    if rule.measure == Measure::Front {
        let asked = if rule.axis == FacingAxis::PlusZ { Vec3::Z } else { Vec3::NEG_Z };
        let angle = f64::from(left.cross(Vec3::Y).angle_between(asked).to_degrees());
        let clause = format!(
            "The character looks {angle:.1}° away from {}",
            if rule.axis == FacingAxis::PlusZ { "+Z" } else { "-Z" }
        );
        return Ok(vec![Measurement { value: angle, clause, detail: String::new(), target: Target::File }]);
    }
    let limb = |(side, (from, to, words)): (&str, (&str, &str, &str))| {
        let (start, end) = (inventory.position(&format!("{side}{from}"))?, inventory.position(&format!("{side}{to}"))?);
        let direction = (end - start).try_normalize()?;
        let outward = if side == "left" { left } else { -left };
        let asked = match (words.ends_with("leg"), rule.stance) {
            (true, _) | (_, StandardPose::I) => Vec3::NEG_Y,
            (_, StandardPose::T) => outward,
            (_, StandardPose::A) => outward + Vec3::NEG_Y,
        };
        let node = inventory.humanoid.node(HumanBone::named(&format!("{side}{from}"))?)?;
        Some((f64::from(direction.angle_between(asked).to_degrees()), format!("{side} {words}"), node))
    };
    let limbs = ["left", "right"].into_iter().flat_map(|side| LIMBS.map(|limb| (side, limb)));
    let worst = limbs.filter_map(limb).max_by(|a, b| a.0.total_cmp(&b.0));
    let (angle, words, node) = worst.ok_or("no humanoid arms and legs were found")?;
    let pose = match rule.stance {
        StandardPose::T => "a T-pose",
        StandardPose::A => "an A-pose",
        StandardPose::I => "an I-pose",
    };
    let clause = format!("The {words} is {angle:.1}° off {pose}");
    let target = Target::Nodes(NodeList::new(&inventory.rig.hierarchy, [node]));
    Ok(vec![Measurement { value: angle, clause, detail: format!("the {words}"), target }])
}

pub(super) fn scales(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let (rig, hierarchy) = (inventory.rig, &inventory.rig.hierarchy);
    let is_at_fault = |node: &NodeIndex| {
        let scale = hierarchy.rest(*node).scale;
        if rule.measure == Measure::ScaledJoints {
            (rig.is_joint(*node) || rig.human_bone(*node).is_some())
                && (scale - Vec3::ONE).abs().max_element() > SCALE_ROUNDING
        } else {
            let uneven = scale.max_element() - scale.min_element() > SCALE_ROUNDING * scale.max_element().abs();
            uneven || scale.min_element() <= 0.0
        }
    };
    let nodes: Vec<NodeIndex> =
        hierarchy.nodes().filter(|node| is_at_fault(node) && !rule.excludes(hierarchy.name(*node))).collect();
    Ok(vec![of_nodes(inventory, rule.measure, &nodes)])
}

pub(super) fn bone_transforms(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let hierarchy = &inventory.rig.hierarchy;
    let is_at_fault = |node: &NodeIndex| {
        let rest = hierarchy.rest(*node);
        match rule.measure {
            Measure::TurnedBones => rest.rotation.angle_between(glam::Quat::IDENTITY) > TURN_ROUNDING,
            _ => rest.scale.min_element() <= 0.0,
        }
    };
    let nodes: Vec<NodeIndex> = inventory.humanoid.bones().map(|(_, node)| node).filter(is_at_fault).collect();
    if inventory.humanoid.bones().next().is_none() {
        return Err("no humanoid bones are found".to_owned());
    }
    Ok(vec![of_nodes(inventory, rule.measure, &nodes)])
}

pub(super) fn joints_at_fault(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let (rig, hierarchy) = (inventory.rig, &inventory.rig.hierarchy);
    let joints: Vec<NodeIndex> =
        hierarchy.nodes().filter(|node| rig.is_joint(*node) && !rule.excludes(hierarchy.name(*node))).collect();
    let named = |node: &NodeIndex| !hierarchy.is_unnamed(*node);
    let names: BTreeSet<&str> = joints.iter().filter(|node| named(node)).map(|node| hierarchy.name(*node)).collect();
    let mut seen = BTreeSet::new();
    let is_at_fault = |node: &NodeIndex| match rule.measure {
        Measure::Roots => !hierarchy.ancestors(*node).any(|above| rig.is_joint(above)),
        Measure::RepeatedNames => named(node) && !seen.insert(hierarchy.name(*node)),
        _ => named(node) && other_side(hierarchy.name(*node)).is_some_and(|(_, other)| !names.contains(other.as_str())),
    };
    let nodes: Vec<NodeIndex> = joints.iter().copied().filter(is_at_fault).collect();
    Ok(vec![of_nodes(inventory, rule.measure, &nodes)])
}

fn named_objects<'a>(inventory: &'a Inventory<'a>, kind: NamedObjectKind) -> Vec<(Vec<&'a str>, Option<NodeIndex>)> {
    let rig = inventory.rig;
    let hierarchy = &rig.hierarchy;
    match kind {
        NamedObjectKind::Joints | NamedObjectKind::SkinJoints | NamedObjectKind::Nodes => {
            let is_selected = |node: &NodeIndex| match kind {
                NamedObjectKind::Nodes => true,
                NamedObjectKind::SkinJoints => rig.is_joint(*node),
                _ => rig.counts_as_joint(*node),
            };
            let nodes = hierarchy.nodes().filter(|node| is_selected(node) && !hierarchy.is_helper(*node));
            nodes.map(|node| (vec![hierarchy.name(node)], Some(node))).collect()
        }
        NamedObjectKind::Meshes => {
            let parts: BTreeMap<usize, _> = inventory.parts.iter().map(|part| (part.place.instance, part)).collect();
            parts
                .into_values()
                .map(|part| (inventory.primitive_names(part).to_vec(), Some(part.instance.node)))
                .collect()
        }
        NamedObjectKind::Materials | NamedObjectKind::BaseColor => {
            rig.materials.iter().map(|m| (vec![m.name.as_str()], None)).collect()
        }
        NamedObjectKind::Clips => rig.clips.iter().map(|clip| (vec![clip.name.as_str()], None)).collect(),
        NamedObjectKind::Morphs => rig.morphs().iter().map(|morph| (vec![morph.name.as_str()], None)).collect(),
    }
}

pub(super) fn names(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    if rule.kind == NamedObjectKind::SkinJoints && inventory.rig.skins.is_empty() {
        return Ok(Vec::new());
    }
    let things = named_objects(inventory, rule.kind);
    let fits = |names: &[&str], pattern: &super::Pattern| names.iter().any(|name| pattern.fits(name));
    if rule.measure == Measure::OtherNames {
        let others = things.iter().filter(|(names, _)| !rule.names.iter().any(|pattern| fits(names, pattern)));
        let others: Vec<_> = others.filter(|(names, _)| !names.iter().any(|name| rule.excludes(name))).collect();
        let names: Vec<String> = others.iter().take(LISTED).map(|(names, _)| short(names[0])).collect();
        let nodes = others.iter().filter_map(|(_, node)| *node);
        return Ok(vec![listed(inventory, rule, others.len(), &names, nodes)]);
    }
    let (found, missing): (Vec<_>, Vec<_>) =
        rule.names.iter().partition(|pattern| things.iter().any(|(names, _)| fits(names, pattern)));
    let is_asked = rule.measure == Measure::Names && !rule.limits.min.is_empty();
    let (counted, told) = match rule.measure {
        Measure::Names if is_asked => (found, missing),
        Measure::Names => (found.clone(), found),
        _ => (missing.clone(), missing),
    };
    let names: Vec<String> = told.iter().take(LISTED).map(|pattern| pattern.text().to_owned()).collect();
    let mut reading = listed(inventory, rule, counted.len(), &names, std::iter::empty());
    if is_asked {
        reading.clause = format!("The file has {} of the {} names", counted.len(), rule.names.len());
        reading.detail = if names.is_empty() { String::new() } else { format!("not {}", names.join(", ")) };
    }
    Ok(vec![reading])
}

pub(super) fn listed(
    inventory: &Inventory<'_>,
    rule: &Rule,
    count: usize,
    names: &[String],
    nodes: impl Iterator<Item = NodeIndex>,
) -> Measurement {
    let more = count.saturating_sub(names.len());
    let more = if more == 0 || names.is_empty() { String::new() } else { format!(" and {more} more") };
    let detail = names.join(", ") + &more;
    let list = NodeList::new(&inventory.rig.hierarchy, nodes);
    let target = if list.count() == 0 { Target::File } else { Target::Nodes(list) };
    let names = if detail.is_empty() { String::new() } else { format!(": {detail}") };
    let clause = format!("The file has {}{names}", rule.measure.phrase(count as f64));
    Measurement { value: count as f64, clause, detail, target }
}

fn required_bones(rule: &Rule) -> Vec<HumanBone> {
    let in_scheme = |bone: &HumanBone| bone.name_in(rule.scheme).is_some();
    if rule.bones.is_empty() { HumanBone::all().filter(in_scheme).collect() } else { rule.bones.clone() }
}

fn bone_name(rule: &Rule, bone: HumanBone) -> String {
    bone.name_in(rule.scheme).unwrap_or_else(|| bone.to_string())
}

pub(super) fn missing_bones(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let missing: Vec<HumanBone> =
        required_bones(rule).into_iter().filter(|bone| inventory.humanoid.node(*bone).is_none()).collect();
    let names: Vec<String> = missing.iter().take(LISTED).map(|bone| bone_name(rule, *bone)).collect();
    Ok(vec![listed(inventory, rule, missing.len(), &names, std::iter::empty())])
}

pub(super) fn misplaced_bones(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let (rig, humanoid) = (inventory.rig, &inventory.humanoid);
    if humanoid.bones().next().is_none() {
        return Err("no humanoid bones are found".to_owned());
    }
    let hips = HumanBone::named("hips").and_then(|bone| humanoid.node(bone));
    let is_at_fault = |bone: HumanBone, node: NodeIndex| match (rule.measure, rule.below) {
        (Measure::SplitBones, _) => {
            Some(node) != hips && !rig.hierarchy.ancestors(node).any(|above| Some(above) == hips)
        }
        (Measure::LaterChildren, _) => is_later_child(inventory, bone, node),
        (_, Some(below)) => humanoid.node(below).is_none_or(|below| !rig.hierarchy.ancestors(node).any(|n| n == below)),
        (_, None) => {
            let expected = bone.ancestors().find(|above| humanoid.node(*above).is_some());
            humanoid.above(rig, bone) != expected
        }
    };
    let all = if rule.measure == Measure::LaterChildren { HumanBone::all().collect() } else { required_bones(rule) };
    let nodes = all.into_iter().filter_map(|bone| Some((bone, humanoid.node(bone)?)));
    let nodes: Vec<NodeIndex> = nodes.filter(|(bone, node)| is_at_fault(*bone, *node)).map(|(_, node)| node).collect();
    Ok(vec![of_nodes(inventory, rule.measure, &nodes)])
}

fn is_later_child(inventory: &Inventory<'_>, bone: HumanBone, node: NodeIndex) -> bool {
    let name = bone.to_string();
    let is_of_limb = ["LowerArm", "Hand", "LowerLeg", "Foot"].iter().any(|end| name.ends_with(end));
    let above = bone.parent().and_then(|above| inventory.humanoid.node(above));
    is_of_limb && above.is_some_and(|above| inventory.rig.hierarchy.children(above).first() != Some(&node))
}

pub(super) fn bone_names(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let hierarchy = &inventory.rig.hierarchy;
    let names: BTreeSet<&str> = hierarchy.nodes().map(|node| without_namespace(hierarchy.name(node))).collect();
    let asked: Vec<String> = required_bones(rule).into_iter().filter_map(|bone| bone.name_in(rule.scheme)).collect();
    let missing: Vec<String> = asked.iter().filter(|name| !names.contains(name.as_str())).cloned().collect();
    if asked.is_empty() {
        return Err("the scheme has none of these bones".to_owned());
    }
    let found = asked.len() - missing.len();
    let value = 100.0 * found as f64 / asked.len() as f64;
    let detail = if missing.is_empty() { String::new() } else { format!("not {}", text::listed(&missing, LISTED)) };
    let clause = format!("The file has {found} of the {} names, {detail}", asked.len());
    Ok(vec![Measurement {
        value,
        clause: clause.trim_end_matches([',', ' ']).to_owned(),
        detail,
        target: Target::File,
    }])
}
