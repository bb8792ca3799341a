//! A skeleton that a project requires, so that clips, attachments and code can find their joints.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};

use super::super::finding::{FindingList, short};
use super::super::{Code, NodeList, Target};
use rigscope_core::rig::{Hierarchy, NodeIndex, Rig, Trs};

/// Joints that every rig of a project must have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequiredSkeleton {
    /// Required joints, by name.
    pub joints: BTreeMap<String, RequiredJoint>,
    /// Tolerance for rest poses.
    pub tolerance: Tolerance,
    /// True if a skin may have other joints.
    pub allows_others: bool,
}

/// Requirements for a named joint; a `None` field allows any value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequiredJoint {
    /// Name of the joint's parent in the file; empty if the joint must not have a parent.
    pub parent: Option<String>,
    /// Translation at rest, relative to the parent, metres.
    pub translation: Option<Vec3>,
    /// Rotation at rest, relative to the parent.
    pub rotation: Option<Quat>,
    /// Scale at rest.
    pub scale: Option<Vec3>,
}

/// Largest allowed differences from the required rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Distance, metres.
    pub translation: f32,
    /// Angle between rotations, radians.
    pub rotation: f32,
    /// Difference in scale factor, per axis.
    pub scale: f32,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { translation: 1e-3, rotation: 0.5_f32.to_radians(), scale: 1e-3 }
    }
}

impl RequiredSkeleton {
    /// Requires the joints of a rig, with their parents and rest poses. Skips joints whose names are not unique.
    pub fn from_rig(rig: &Rig) -> Self {
        let demand = |(name, nodes): (&str, Vec<NodeIndex>)| {
            let &[node] = nodes.as_slice() else { return None };
            let Trs { translation, rotation, scale } = *rig.hierarchy.rest(node);
            let parent = parent(&rig.hierarchy, node).map_or("", |above| rig.hierarchy.name(above)).to_owned();
            let [translation, scale] = [translation, scale].map(Some);
            Some((
                name.to_owned(),
                RequiredJoint { parent: Some(parent), translation, rotation: Some(rotation), scale },
            ))
        };
        let joints = by_name(rig, |node| rig.is_joint(node)).into_iter().filter_map(demand).collect();
        Self { joints, ..Self::default() }
    }

    pub(super) fn check(&self, rig: &Rig, findings: &mut FindingList) {
        // A root above the skeleton need not be a joint of a skin.
        let (joints, nodes) = (by_name(rig, |node| rig.is_joint(node)), by_name(rig, |_| true));
        for (name, demand) in &self.joints {
            match joints.get(name.as_str()).or_else(|| nodes.get(name.as_str())).map(Vec::as_slice) {
                None => missing(name, demand, rig, &nodes, findings),
                Some(&[node]) => self.check_joint(node, demand, &rig.hierarchy, findings),
                Some(several) => {
                    let message = format!("{} nodes are called \"{}\".", several.len(), short(name));
                    let target = Target::Nodes(NodeList::new(&rig.hierarchy, several.iter().copied()));
                    findings.push(Code::RequiredJointAmbiguous, message, target);
                }
            }
        }
        if !self.allows_others {
            self.check_others(rig, findings);
        }
    }

    fn check_joint(&self, node: NodeIndex, demand: &RequiredJoint, hierarchy: &Hierarchy, findings: &mut FindingList) {
        let name = short(hierarchy.name(node));
        let target = || Target::Nodes(NodeList::new(hierarchy, [node]));
        let above = parent(hierarchy, node).map_or("", |above| hierarchy.name(above));
        if let Some(wanted) = demand.parent.as_deref().filter(|wanted| *wanted != above) {
            let message = format!("\"{name}\" is {}, not {}.", below(above), below(wanted));
            findings.push(Code::RequiredJointParent, message, target());
        }
        let off = self.off_rest(demand, hierarchy.rest(node));
        if !off.is_empty() {
            let message = format!("\"{name}\" rests elsewhere: {}.", off.join(", "));
            findings.push(Code::RequiredJointRest, message, target());
        }
    }

    fn off_rest(&self, demand: &RequiredJoint, rest: &Trs) -> Vec<String> {
        let Tolerance { translation, rotation, scale } = self.tolerance;
        let moved = demand.translation.map(|wanted| wanted.distance(rest.translation));
        let turned = demand.rotation.map(|wanted| turn(wanted, rest.rotation));
        let scaled = demand.scale.map(|wanted| (wanted - rest.scale).abs().max_element());
        let moved = moved.filter(|by| *by > translation).map(|by| format!("translation off by {by:.4} m"));
        let turned = turned.filter(|by| *by > rotation).map(|by| format!("rotation off by {:.2}°", by.to_degrees()));
        let scaled = scaled.filter(|by| *by > scale).map(|by| format!("scale off by {by:.4}"));
        [moved, turned, scaled].into_iter().flatten().collect()
    }

    fn check_others(&self, rig: &Rig, findings: &mut FindingList) {
        let hierarchy = &rig.hierarchy;
        let is_other = |node: &NodeIndex| rig.is_joint(*node) && !self.joints.contains_key(hierarchy.name(*node));
        for node in hierarchy.nodes().filter(is_other) {
            let message = format!("The required skeleton has no joint \"{}\".", short(hierarchy.name(node)));
            findings.push(Code::JointNotRequired, message, Target::Nodes(NodeList::new(hierarchy, [node])));
        }
    }
}

fn missing(
    name: &str,
    demand: &RequiredJoint,
    rig: &Rig,
    nodes: &BTreeMap<&str, Vec<NodeIndex>>,
    findings: &mut FindingList,
) {
    let parent = demand.parent.as_deref().and_then(|parent| nodes.get(parent));
    let target =
        parent.map_or(Target::File, |above| Target::Nodes(NodeList::new(&rig.hierarchy, above.iter().copied())));
    let place = demand.parent.as_deref().map_or(String::new(), |parent| format!(" {}", below(parent)));
    findings.push(Code::RequiredJointMissing, format!("There is no joint \"{}\"{place}.", short(name)), target);
}

fn by_name(rig: &Rig, is_wanted: impl Fn(NodeIndex) -> bool) -> BTreeMap<&str, Vec<NodeIndex>> {
    let mut nodes: BTreeMap<&str, Vec<NodeIndex>> = BTreeMap::new();
    let hierarchy = &rig.hierarchy;
    for node in hierarchy.nodes().filter(|&node| is_wanted(node) && !hierarchy.is_unnamed(node)) {
        nodes.entry(hierarchy.name(node)).or_default().push(node);
    }
    nodes
}

/// Returns the nearest ancestor that exists in the file, skipping helper nodes that import added.
fn parent(hierarchy: &Hierarchy, node: NodeIndex) -> Option<NodeIndex> {
    hierarchy.ancestors(node).find(|above| !hierarchy.is_helper(*above))
}

fn below(parent: &str) -> String {
    if parent.is_empty() { "at the top".to_owned() } else { format!("below \"{}\"", short(parent)) }
}

/// Returns the angle in radians between two rotations, whatever the signs of their quaternions.
fn turn(a: Quat, b: Quat) -> f32 {
    let between = a.inverse() * b;
    2.0 * between.xyz().length().atan2(between.w.abs())
}
