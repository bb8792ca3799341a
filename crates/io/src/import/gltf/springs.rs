//! Spring bones and colliders of `VRMC_springBone` 1.0 and VRM 0. `vrm_rules` validates their data.

use std::fmt;

use glam::Vec3;
use serde_json::Value;

use super::loader::GltfLoader;
use super::vrm;
use crate::import::ImportWarning;
use crate::import::products::scaled;
use crate::import::warning::short;
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{
    Collider, ColliderShape, Hierarchy, NodeIndex, RestWorlds, SpringBones, SpringChain, SpringJoint, Springs,
};

/// Distance from a leaf joint to its virtual tail in VRM 0, in metres.
const LEAF_TAIL: f32 = 0.07;

impl GltfLoader<'_> {
    pub(super) fn springs(&self, hierarchy: &Hierarchy) -> SpringBones {
        let extensions = &self.source.document.extensions;
        let mut reader = SpringReader::new(hierarchy);
        let bones = if let Some(springs) = extensions.get(Springs::EXTENSION) {
            reader.one(springs)
        } else {
            let springs = extensions.get(vrm::ZERO).and_then(|vrm| vrm.get("secondaryAnimation"));
            springs.map_or_else(SpringBones::default, |springs| reader.zero(springs))
        };
        if reader.left_out != OmittedSprings::default() {
            let message = format!("Left out of the spring bones: {}.", reader.left_out);
            self.report.warn(ImportWarning::new(Code::Malformed, Target::File, message));
        }
        bones
    }
}

#[derive(Debug, Default, PartialEq)]
struct OmittedSprings {
    /// References to nodes, colliders or collider groups that do not exist.
    references: usize,
    /// Colliders without a known shape.
    shapeless: usize,
    /// Joints that do not descend from the previous joint of their chain.
    loose: usize,
    /// Collider references beyond the simulation limit.
    beyond: usize,
}

impl fmt::Display for OmittedSprings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { references, shapeless, loose, beyond } = self;
        let parts = [
            (*references, ["reference to nothing in the file", "references to nothing in the file"]),
            (*shapeless, ["collider without a known shape", "colliders without a known shape"]),
            (
                *loose,
                ["joint that does not hang on the one before it", "joints that do not hang on the one before them"],
            ),
            (*beyond, ["collider of a chain beyond the limit", "colliders of chains beyond the limit"]),
        ];
        let mut comma = "";
        for (count, [one, many]) in parts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{comma}{count} {}", if count == 1 { one } else { many })?;
            comma = ", ";
        }
        Ok(())
    }
}

struct SpringReader<'a> {
    hierarchy: &'a Hierarchy,
    left_out: OmittedSprings,
    /// Number of collider references that the remaining chains may have. It is limited because each chain may refer to
    /// every collider.
    room: usize,
}

impl<'a> SpringReader<'a> {
    fn new(hierarchy: &'a Hierarchy) -> Self {
        Self { hierarchy, left_out: OmittedSprings::default(), room: Springs::MAX_PAIRS }
    }

    fn known<T>(&mut self, found: Option<T>) -> Option<T> {
        count_lost(&mut self.left_out.references, found)
    }

    fn node(&mut self, value: Option<&Value>) -> Option<NodeIndex> {
        let found = index(value).and_then(|index| self.hierarchy.by_source(index));
        self.known(found)
    }

    /// Returns the colliders of the listed groups in order, without repeating a group.
    fn grouped(&mut self, spring: &Value, groups: &[Vec<usize>]) -> Vec<usize> {
        let mut colliders = Vec::new();
        let mut has_group = vec![false; groups.len()];
        for group in list(spring.get("colliderGroups")) {
            let known = index(Some(group)).and_then(|group| Some((groups.get(group)?, has_group.get_mut(group)?)));
            let Some((group, has_it)) = self.known(known) else { continue };
            if !std::mem::replace(has_it, true) {
                let kept = group.iter().take(self.room);
                self.room = self.room.saturating_sub(group.len());
                let beyond = group.len().saturating_sub(kept.len());
                self.left_out.beyond = self.left_out.beyond.saturating_add(beyond);
                colliders.extend(kept);
            }
        }
        colliders
    }

    fn one(&mut self, springs: &Value) -> SpringBones {
        let mut bones = SpringBones::default();
        // Collider indices in the rig by index in the file.
        let colliders: Vec<Option<usize>> = list(springs.get("colliders"))
            .map(|value| {
                let node = self.node(value.get("node"))?;
                let shape = count_lost(&mut self.left_out.shapeless, shape(value))?;
                let number = bones.colliders.len();
                bones.colliders.push(Collider { node, shape });
                Some(number)
            })
            .collect();
        let groups: Vec<Vec<usize>> = list(springs.get("colliderGroups"))
            .map(|group| {
                let known = list(group.get("colliders")).filter_map(|number| {
                    let known = index(Some(number)).and_then(|number| colliders.get(number).copied());
                    self.known(known)?
                });
                known.collect()
            })
            .collect();
        let rest = RestWorlds::new(self.hierarchy);
        for spring in list(springs.get("springs")) {
            let center = spring.get("center").and_then(|center| self.node(Some(center)));
            let colliders = self.grouped(spring, &groups);
            let listed: Vec<&Value> = list(spring.get("joints")).collect();
            let nodes: Vec<Option<NodeIndex>> = listed.iter().map(|joint| self.node(joint.get("node"))).collect();
            let pairs = listed.iter().zip(nodes.iter().zip(nodes.iter().skip(1)));
            let joints = pairs.filter_map(|(joint, (node, end))| {
                let (node, end) = ((*node)?, (*end)?);
                let hangs = node != end && self.hierarchy.subtree(node).contains(&end.index());
                count_lost(&mut self.left_out.loose, hangs.then_some(()))?;
                Some(SpringJoint { node, tail: rest.tail(node, end), ..settings(joint, &ONE) })
            });
            let joints = joints.collect();
            bones.chains.push(SpringChain { name: name(spring.get("name")), joints, colliders, center });
        }
        bones
    }

    fn zero(&mut self, springs: &Value) -> SpringBones {
        let mut bones = SpringBones::default();
        let mut groups = Vec::new();
        for group in list(springs.get("colliderGroups")) {
            let first = bones.colliders.len();
            if let Some(node) = self.node(group.get("node")) {
                let spheres = list(group.get("colliders")).map(|value| {
                    let offset = axes(value.get("offset"), Vec3::ZERO);
                    let offset = Vec3 { z: -offset.z, ..offset };
                    let radius = number(value.get("radius"), 0.0).max(0.0);
                    Collider { node, shape: ColliderShape::Sphere { offset, radius, is_inside: false } }
                });
                bones.colliders.extend(spheres);
            }
            groups.push((first..bones.colliders.len()).collect());
        }
        let mut is_taken = vec![false; self.hierarchy.len()];
        for group in list(springs.get("boneGroups")) {
            let center = group.get("center").filter(|center| center.as_i64() != Some(-1));
            let center = center.and_then(|center| self.node(Some(center)));
            let colliders = self.grouped(group, &groups);
            let settings = settings(group, &ZERO);
            let mut joints = Vec::new();
            for root in list(group.get("bones")) {
                let Some(root) = self.node(Some(root)) else { continue };
                let mut path = vec![root];
                // If a joint is already in a chain, its descendants are in that chain too.
                while let Some(node) = path.pop() {
                    if is_taken.get_mut(node.index()).is_some_and(|is_taken| !std::mem::replace(is_taken, true)) {
                        joints.push(settings.ending_below(self.hierarchy, node, LEAF_TAIL));
                        path.extend(self.hierarchy.children(node).iter().rev());
                    }
                }
            }
            let name = name(group.get("comment"));
            bones.chains.push(SpringChain { name, joints, colliders, center });
        }
        bones
    }
}

fn count_lost<T>(lost: &mut usize, found: Option<T>) -> Option<T> {
    *lost = lost.saturating_add(usize::from(found.is_none()));
    found
}

/// Differences between VRM 0 and 1.0: the key of the stiffness, the default drag and the vector notation.
struct SpringSchema {
    stiffness: &'static str,
    default_drag: f32,
    vector: fn(Option<&Value>, Vec3) -> Vec3,
}

const ONE: SpringSchema = SpringSchema { stiffness: "stiffness", default_drag: 0.5, vector: numbers };
// VRM 0 misspells this key.
const ZERO: SpringSchema = SpringSchema { stiffness: "stiffiness", default_drag: 0.4, vector: axes };

fn settings(of: &Value, keys: &SpringSchema) -> SpringJoint {
    SpringJoint {
        node: NodeIndex(0),
        tail: Vec3::ZERO,
        is_leaf: false,
        stiffness: number(of.get(keys.stiffness), 1.0),
        gravity: scaled((keys.vector)(of.get("gravityDir"), Vec3::NEG_Y), number(of.get("gravityPower"), 0.0)),
        drag: number(of.get("dragForce"), keys.default_drag).clamp(0.0, 1.0),
        hit_radius: number(of.get("hitRadius"), 0.0),
    }
}

/// Returns the shape of a VRM 1.0 collider: the shape in its extension if that is valid, otherwise its own shape.
fn shape(collider: &Value) -> Option<ColliderShape> {
    let extended = collider.get("extensions").and_then(|extensions| extensions.get(Springs::EXTENDED_COLLIDER));
    let extended = extended.filter(|extended| extended.get("specVersion").and_then(Value::as_str) == Some("1.0"));
    extended
        .and_then(|extended| parse_shape(extended.get("shape")?, true))
        .or_else(|| parse_shape(collider.get("shape")?, false))
}

fn parse_shape(shape: &Value, is_extended: bool) -> Option<ColliderShape> {
    let named = |key: &str| shape.get(key).filter(|of_kind| of_kind.is_object());
    let point = |of: &Value, key: &str| numbers(of.get(key), Vec3::ZERO);
    let radius = |of: &Value| number(of.get("radius"), 0.0).max(0.0);
    let is_inside = |of: &Value| is_extended && of.get("inside").and_then(Value::as_bool) == Some(true);
    if let Some(sphere) = named("sphere") {
        let (offset, radius, is_inside) = (point(sphere, "offset"), radius(sphere), is_inside(sphere));
        return Some(ColliderShape::Sphere { offset, radius, is_inside });
    }
    if let Some(capsule) = named("capsule") {
        let (offset, tail) = (point(capsule, "offset"), point(capsule, "tail"));
        return Some(ColliderShape::Capsule { offset, tail, radius: radius(capsule), is_inside: is_inside(capsule) });
    }
    let plane = named("plane").filter(|_| is_extended)?;
    Some(ColliderShape::Plane { offset: point(plane, "offset"), normal: numbers(plane.get("normal"), Vec3::Z) })
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn index(value: Option<&Value>) -> Option<usize> {
    value?.as_u64().and_then(|index| usize::try_from(index).ok())
}

fn name(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).map(short).unwrap_or_default()
}

fn number(value: Option<&Value>, default: f32) -> f32 {
    value.and_then(Value::as_f64).map(|number| number as f32).filter(|number| number.is_finite()).unwrap_or(default)
}

fn numbers(value: Option<&Value>, default: Vec3) -> Vec3 {
    let numbers = value.and_then(Value::as_array).filter(|list| list.len() == 3);
    numbers.map_or(default, |list| Vec3::from_array(std::array::from_fn(|axis| number(list.get(axis), 0.0))))
}

fn axes(value: Option<&Value>, default: Vec3) -> Vec3 {
    value.map_or(default, |value| Vec3::from_array(["x", "y", "z"].map(|axis| number(value.get(axis), 0.0))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::Trs;
    use rigscope_core::rig::testing::chain;
    use serde_json::json;

    fn row() -> Hierarchy {
        chain(4, Trs::from_translation(Vec3::Y * 0.1))
    }

    #[test]
    fn a_chain_of_vrm_1_swings_with_all_joints_but_its_last() {
        let hierarchy = row();
        let mut reader = SpringReader::new(&hierarchy);
        let bones = reader.one(&json!({
            "colliders": [
                {"node": 0, "shape": {"sphere": {"radius": 0.5}}},
                {"node": 9, "shape": {"sphere": {}}},
                {"node": 1, "shape": {"sphere": {}}, "extensions": {"VRMC_springBone_extended_collider":
                    {"specVersion": "1.0", "shape": {"plane": {"normal": [0, 1, 0]}}}}},
            ],
            "colliderGroups": [{"colliders": [0, 1, 2, 7]}],
            "springs": [{"name": "hair", "colliderGroups": [0, 3], "center": 0, "joints": [
                {"node": 1, "gravityDir": [1, 0, 0], "gravityPower": 2, "dragForce": 0.25}, {"node": 3, "stiffness": 4}]}],
        }));
        let spring = SpringJoint {
            node: NodeIndex(1),
            tail: Vec3::Y * 0.2,
            is_leaf: false,
            stiffness: 1.0,
            gravity: Vec3::X * 2.0,
            drag: 0.25,
            hit_radius: 0.0,
        };
        let [chain] = &bones.chains[..] else { panic!("{bones:?}") };
        assert_eq!((&chain.joints[..], &chain.colliders[..]), (&[spring][..], &[0, 1][..]));
        assert_eq!((chain.center, chain.name.as_str()), (Some(NodeIndex(0)), "hair"));
        let plane = ColliderShape::Plane { offset: Vec3::ZERO, normal: Vec3::Y };
        assert_eq!(bones.colliders[1], Collider { node: NodeIndex(1), shape: plane });
        assert_eq!(reader.left_out, OmittedSprings { references: 3, ..OmittedSprings::default() });
    }

    #[test]
    fn excess_colliders_of_every_chain_are_dropped_with_a_warning() {
        let hierarchy = row();
        let mut reader = SpringReader::new(&hierarchy);
        let sphere = json!({"node": 0, "shape": {"sphere": {}}});
        let spring = json!({"colliderGroups": [0], "joints": [{"node": 1}, {"node": 2}]});
        let bones = reader.one(&json!({
            "colliders": [sphere], "colliderGroups": [{"colliders": vec![0; 100_000]}], "springs": vec![spring; 15],
        }));
        let count: usize = bones.chains.iter().map(|chain| chain.colliders.len()).sum();
        assert_eq!((count, reader.left_out.beyond), (Springs::MAX_PAIRS, 500_000));
    }

    #[test]
    fn a_bone_group_of_vrm_0_takes_every_descendant_and_ends_beyond_the_last() {
        let hierarchy = row();
        let mut reader = SpringReader::new(&hierarchy);
        let bones = reader.zero(&json!({
            "boneGroups": [{"bones": [2, 1], "center": -1, "stiffiness": 2, "gravityDir": {"y": -1}, "gravityPower": 3,
                "colliderGroups": [0]}, {"bones": [1]}],
            "colliderGroups": [{"node": 0, "colliders": [{"offset": {"x": 1, "y": 2, "z": 3}, "radius": 0.5}]}],
        }));
        let joints: Vec<(u32, f32)> = bones.chains[0].joints.iter().map(|j| (j.node.0, j.tail.y)).collect();
        assert_eq!(joints, [(2, 0.1), (3, LEAF_TAIL), (1, 0.1)]);
        let first = bones.chains[0].joints[0];
        assert_eq!((first.stiffness, first.gravity, first.drag), (2.0, Vec3::NEG_Y * 3.0, 0.4));
        assert!(bones.chains[1].joints.is_empty(), "of several groups the first counts");
        let sphere = ColliderShape::Sphere { offset: Vec3::new(1.0, 2.0, -3.0), radius: 0.5, is_inside: false };
        assert_eq!(bones.colliders, [Collider { node: NodeIndex(0), shape: sphere }]);
    }
}
