//! *Source*: `VRMC_vrm-1.0`, `VRMC_springBone-1.0` and `VRMC_node_constraint-1.0` of the VRM specification. Optional
//! lists may be empty although the schemas forbid it: the specification's own samples have empty lists.

use std::collections::HashSet;

use super::at::JsonCursor;
use super::scene::Scene;
use crate::import::gltf::constraints;
use rigscope_core::rig::{Behaviours, Constraint, Expression, NodeIndex};

const COLORS: [&str; 6] = ["color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor"];
const AIM_AXES: [&str; 6] = ["PositiveX", "NegativeX", "PositiveY", "NegativeY", "PositiveZ", "NegativeZ"];
const LICENCE: &str = "https://vrm.dev/licenses/1.0/";

pub(super) fn meta(vrm: &JsonCursor<'_>, scene: &Scene<'_>) {
    version(vrm);
    let meta = vrm.needed("meta");
    meta.needed("name").filled_text();
    let authors = meta.needed("authors");
    if authors.items().inspect(JsonCursor::filled_text).count() == 0 && authors.is_there() {
        authors.report("names nobody");
    }
    meta.needed("licenseUrl").one_of(&[LICENCE]);
    meta.get("thumbnailImage").index(scene.document.images.len(), "images");
    for key in ["version", "copyrightInformation", "contactInformation", "thirdPartyLicenses", "otherLicenseUrl"] {
        meta.get(key).text();
    }
    for reference in meta.get("references").items() {
        reference.text();
    }
    for key in [
        "allowExcessivelyViolentUsage",
        "allowExcessivelySexualUsage",
        "allowPoliticalOrReligiousUsage",
        "allowAntisocialOrHateUsage",
        "allowRedistribution",
    ] {
        meta.get(key).truth();
    }
    meta.get("avatarPermission").one_of(&["onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"]);
    meta.get("commercialUsage").one_of(&["personalNonProfit", "personalProfit", "corporation"]);
    meta.get("creditNotation").one_of(&["required", "unnecessary"]);
    meta.get("modification").one_of(&["prohibited", "allowModification", "allowModificationRedistribution"]);
}

fn version(extension: &JsonCursor<'_>) {
    extension.needed("specVersion").one_of(&["1.0"]);
}

pub(super) fn expressions(vrm: &JsonCursor<'_>, scene: &Scene<'_>) {
    let all = vrm.get("expressions");
    for (name, each) in all.get("preset").entries() {
        if !Expression::PRESETS.contains(&name) {
            each.report("is no preset; expressions of other names are custom");
        }
        expression(&each, scene);
    }
    for (name, each) in all.get("custom").entries() {
        if Expression::PRESETS.contains(&name) {
            each.report("has the name of a preset");
        }
        expression(&each, scene);
    }
}

fn expression(expression: &JsonCursor<'_>, scene: &Scene<'_>) {
    for bind in expression.get("morphTargetBinds").items() {
        let (node, index) = (bind.needed("node"), bind.needed("index"));
        let morphs = node.index(scene.nodes(), "nodes").map(|found| scene.morphs_of_node(found));
        match morphs {
            Some(None) => node.report("has no mesh"),
            Some(Some(morphs)) => _ = index.index(morphs, "morph targets"),
            None => {}
        }
        bind.needed("weight").within(&(0.0..=1.0));
    }
    let materials = scene.document.materials.len();
    for bind in expression.get("materialColorBinds").items() {
        bind.needed("material").index(materials, "materials");
        bind.needed("type").one_of(&COLORS);
        bind.needed("targetValue").numbers(4);
    }
    for bind in expression.get("textureTransformBinds").items() {
        bind.needed("material").index(materials, "materials");
        bind.get("scale").numbers(2);
        bind.get("offset").numbers(2);
    }
    expression.get("isBinary").truth();
    for key in ["overrideBlink", "overrideLookAt", "overrideMouth"] {
        expression.get(key).one_of(&["none", "block", "blend"]);
    }
}

pub(super) fn look_at(vrm: &JsonCursor<'_>) {
    let look_at = vrm.get("lookAt");
    look_at.get("type").one_of(&["bone", "expression"]);
    look_at.get("offsetFromHeadBone").numbers(3);
    for key in ["rangeMapHorizontalInner", "rangeMapHorizontalOuter", "rangeMapVerticalDown", "rangeMapVerticalUp"] {
        let range = look_at.get(key);
        range.get("inputMaxValue").within(&(0.0..=180.0));
        range.get("outputScale").number();
    }
}

pub(super) fn first_person(vrm: &JsonCursor<'_>, scene: &Scene<'_>) {
    for mesh in vrm.get("firstPerson").get("meshAnnotations").items() {
        let node = mesh.needed("node");
        if node.index(scene.nodes(), "nodes").is_some_and(|found| scene.morphs_of_node(found).is_none()) {
            node.report("has no mesh");
        }
        mesh.needed("type").one_of(&["auto", "both", "thirdPersonOnly", "firstPersonOnly"]);
    }
}

pub(super) fn springs(springs: &JsonCursor<'_>, scene: &Scene<'_>) {
    version(springs);
    let colliders = springs.get("colliders");
    let collider_count = colliders.items().inspect(|each| collider(each, scene)).count();
    let mut groups = 0_usize;
    for group in springs.get("colliderGroups").items() {
        groups = groups.saturating_add(1);
        for each in group.needed("colliders").items() {
            each.index(collider_count, "colliders");
        }
    }
    let mut taken = HashSet::new();
    for spring in springs.get("springs").items() {
        for each in spring.get("colliderGroups").items() {
            each.index(groups, "collider groups");
        }
        spring.get("center").index(scene.nodes(), "nodes");
        chain(&spring, scene, &mut taken);
    }
}

fn collider(collider: &JsonCursor<'_>, scene: &Scene<'_>) {
    collider.needed("node").index(scene.nodes(), "nodes");
    let shape = collider.needed("shape");
    let [sphere, capsule] = ["sphere", "capsule"].map(|kind| shape.get(kind));
    if shape.is_there() && sphere.is_there() == capsule.is_there() {
        shape.report("must be a sphere or a capsule");
    }
    for each in [&sphere, &capsule] {
        each.get("offset").numbers(3);
        each.get("radius").within(&(0.0..=f64::INFINITY));
    }
    capsule.get("tail").numbers(3);
}

/// Checks a chain: each joint must descend from the previous one, and no other chain may contain the joint or a node
/// between the two.
fn chain(spring: &JsonCursor<'_>, scene: &Scene<'_>, taken: &mut HashSet<NodeIndex>) {
    let joints = spring.needed("joints");
    let mut above: Option<NodeIndex> = None;
    let mut count = 0_usize;
    for joint in joints.items() {
        count = count.saturating_add(1);
        for key in ["hitRadius", "stiffness", "gravityPower"] {
            joint.get(key).within(&(0.0..=f64::INFINITY));
        }
        joint.get("gravityDir").numbers(3);
        joint.get("dragForce").within(&(0.0..=1.0));
        let node = joint.needed("node");
        let found = node.index(scene.nodes(), "nodes").and_then(|index| scene.hierarchy.by_source(index));
        let Some(found) = found else { continue };
        let hangs = above.is_none_or(|above| above != found && scene.hierarchy.subtree(above).contains(&found.index()));
        if !hangs {
            node.report("does not hang on the joint before it");
        }
        let between =
            scene.hierarchy.ancestors(found).take_while(|between| hangs && above.is_some_and(|a| a != *between));
        // Reports one fault per joint: a chain that contains a node usually contains its ancestors too.
        if std::iter::once(found).chain(between).any(|node| !taken.insert(node)) && hangs {
            node.report("is in two chains");
        }
        above = Some(found);
    }
    if count == 0 && joints.is_there() {
        joints.report("is empty");
    }
}

pub(super) fn constraints<'a>(top: &JsonCursor<'a>, scene: &Scene<'a>) {
    let mut read = Vec::new();
    for (number, value) in scene.node_extensions(Constraint::EXTENSION) {
        constraint(&top.in_node(number, Some(value)), number, scene);
        let found = scene.hierarchy.by_source(number);
        read.extend(found.and_then(|node| Some(constraints::constraint(value, node, scene.hierarchy).ok()?.0)));
    }
    // A constraint whose source is its own node is reported separately.
    read.retain(|constraint| constraint.source != constraint.node);
    for node in Behaviours::new(scene.hierarchy, &read).circular() {
        let number = scene.hierarchy.source(*node);
        top.in_node(number, None).report("depends on itself, directly or through other constraints");
    }
}

fn constraint(extension: &JsonCursor<'_>, node: usize, scene: &Scene<'_>) {
    version(extension);
    let constraint = extension.needed("constraint");
    let kinds = ["roll", "aim", "rotation"].map(|kind| constraint.get(kind));
    let mut given = kinds.iter().filter(|kind| kind.is_there());
    let (first, second) = (given.next(), given.next());
    if constraint.is_there() && (first.is_none() || second.is_some()) {
        constraint.report("must be one of roll, aim, rotation");
    }
    let [roll, aim, _] = &kinds;
    roll.needed("rollAxis").one_of(&["X", "Y", "Z"]);
    aim.needed("aimAxis").one_of(&AIM_AXES);
    let Some(first) = first else { return };
    first.get("weight").within(&(0.0..=1.0));
    let source = first.needed("source");
    if source.index(scene.nodes(), "nodes") == Some(node) {
        source.report("is the node itself");
    }
}
