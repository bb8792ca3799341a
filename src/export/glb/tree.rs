//! The nodes of a rig as a valid glTF file has them. Every node keeps its number; nodes are added after them for these reasons:
//!
//! - A node carries at most one mesh: a further one is carried by a new child, as is a camera that does not look along the node's -Z.
//! - A skinned mesh is carried by a root without transform, since the transforms of its node and those above do not move it.
//! - The joints of a skin have a common root, and no joint is listed twice.
//! - No node has shear: the node is split into a rotation and scale of a new parent and a rotation of its own.

use std::collections::{BTreeSet, HashMap};

use glam::{Affine3, Mat3, Quat, Vec3};
use serde_json::{Value, json};

use super::document::named;
use crate::rig::{FileCamera, Hierarchy, MeshInstance, NodeIndex, Property, Rig, Trs, unit_rotation, unsheared};

/// All nodes of the file, by number.
pub(super) struct GlbTree {
    pub nodes: Vec<GlbNode>,
    /// By mesh instance, the node that carries it; `None` where its mesh is not in the file.
    pub carriers: Vec<Option<usize>>,
    /// By skin, its joints.
    pub joints: Vec<Vec<usize>>,
    /// By skin, the lowest node that is an ancestor of all its joints or one of them; `None` without joints.
    pub skeletons: Vec<Option<usize>>,
    /// Number of nodes with shear at rest that a clip moves, and which so lose the shear.
    pub lost_shear: usize,
    /// A node and its rest translation, which a clip may key without changing anything; `None` if there is no such node.
    pub still: Option<(usize, Vec3)>,
    /// The number to append to the next node that wants a name already taken.
    next_of_name: HashMap<String, usize>,
}

/// A node of the file.
#[derive(Default)]
pub(super) struct GlbNode {
    name: String,
    parent: Option<usize>,
    /// Child nodes in order; those that have got another parent since do not count.
    children: Vec<usize>,
    /// The added parent that holds this node's shear and takes its place among its siblings.
    above: Option<usize>,
    transform: Trs,
    /// Index into `Rig::instances`.
    instance: Option<usize>,
    /// Index into `Rig::cameras`.
    camera: Option<usize>,
}

impl GlbTree {
    /// Tree of a rig; `is_written` tells for each mesh whether it goes into the file.
    pub(super) fn new(rig: &Rig, is_written: impl Fn(usize) -> bool) -> Self {
        let hierarchy = &rig.hierarchy;
        let nodes: Vec<GlbNode> = sources(hierarchy).map(|node| GlbNode::new(hierarchy, node)).collect();
        let next_of_name = nodes.iter().map(|node| (node.name.clone(), 2)).collect();
        let (carriers, joints, skeletons) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = Self { nodes, carriers, joints, skeletons, lost_shear: 0, still: None, next_of_name };
        let animated = animated(rig);
        tree.place_all(rig, &animated, is_written);
        tree.place_cameras(rig);
        tree.shears(rig, &animated);
        tree.joints(rig);
        tree.skeletons(rig);
        tree.still = tree.still(rig);
        tree
    }

    /// A node that can be keyed at rest, and its translation. A node with shear would lose it, and one that carries a skinned mesh would no longer be
    /// a root without transform.
    fn still(&self, rig: &Rig) -> Option<(usize, Vec3)> {
        let carries_skin =
            |node: NodeIndex| rig.instances.iter().any(|instance| instance.node == node && instance.skin.is_some());
        let find = |node: NodeIndex| {
            let number = rig.hierarchy.source(node);
            let kept = &self.nodes[number];
            (kept.above.is_none() && (rig.is_joint(node) || !carries_skin(node)))
                .then_some((number, kept.transform.translation))
        };
        sources(&rig.hierarchy).find_map(find)
    }

    /// True for a node that is one node here too, with the transform that it has in the rig.
    pub(super) fn is_as_in_rig(&self, hierarchy: &Hierarchy, node: NodeIndex) -> bool {
        let written = &self.nodes[hierarchy.source(node)];
        written.above.is_none() && written.transform == *hierarchy.rest(node)
    }

    fn push(&mut self, node: GlbNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Parents a node to another, before or after its children.
    fn hang(&mut self, node: usize, parent: usize, is_first: bool) {
        self.nodes[node].parent = Some(parent);
        let children = &mut self.nodes[parent].children;
        let at = if is_first { 0 } else { children.len() };
        children.insert(at, node);
    }

    /// A name that no other node has, as near to `wanted` as possible, so that names in pose files still refer to one node.
    fn free_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.next_of_name.contains_key(&name) {
            let next = self.next_of_name.entry(wanted.to_owned()).or_insert(2);
            name = format!("{wanted} {next}");
            *next += 1;
        }
        self.next_of_name.insert(name.clone(), 2);
        name
    }

    fn shears(&mut self, rig: &Rig, animated: &BTreeSet<NodeIndex>) {
        let hierarchy = &rig.hierarchy;
        for node in sources(hierarchy) {
            let (rest, local) = (hierarchy.rest(node), hierarchy.rest_local(node));
            let number = hierarchy.source(node);
            let is_risen = self.nodes[number].instance.is_some_and(|i| rig.instances[i].skin.is_some());
            if is_risen || is_near(&rest.to_affine(), local) {
                continue;
            }
            if animated.contains(&node) {
                self.lost_shear += 1;
                continue;
            }
            let [outer, inner] = unsheared(local);
            let name = self.free_name(&format!("{} shear", hierarchy.name(node)));
            let parent = self.nodes[number].parent;
            let above = self.push(GlbNode { name, parent, transform: outer, ..GlbNode::default() });
            self.nodes[number].above = Some(above);
            self.nodes[number].transform = inner;
            self.hang(number, above, true);
        }
    }

    fn place_all(&mut self, rig: &Rig, animated: &BTreeSet<NodeIndex>, is_written: impl Fn(usize) -> bool) {
        let held = rig.instances.iter().filter(|i| i.skin.is_none()).map(|i| i.node);
        let held: BTreeSet<NodeIndex> = held.chain(rig.cameras.iter().map(|camera| camera.node)).collect();
        for (number, instance) in rig.instances.iter().enumerate() {
            let node = rig.hierarchy.source(instance.node);
            let may_rise = self.nodes[node].children.is_empty()
                && !rig.is_joint(instance.node)
                && !held.contains(&instance.node)
                && !animated.contains(&instance.node);
            let carrier = is_written(instance.mesh).then(|| match instance.skin {
                Some(_) if may_rise && self.nodes[node].instance.is_none() => self.risen(node),
                None if self.nodes[node].instance.is_none() => node,
                _ => self.added_carrier(rig, instance),
            });
            if let Some(carrier) = carrier {
                self.nodes[carrier].instance = Some(number);
            }
            self.carriers.push(carrier);
        }
    }

    /// Places cameras. A node carries one camera, unrotated; otherwise a new child carries it.
    fn place_cameras(&mut self, rig: &Rig) {
        for (number, camera) in rig.cameras.iter().enumerate() {
            let node = rig.hierarchy.source(camera.node);
            let is_there = camera.turn == Quat::IDENTITY && self.nodes[node].camera.is_none();
            let carrier = if is_there { node } else { self.added_camera(rig, camera) };
            self.nodes[carrier].camera = Some(number);
        }
    }

    fn added_camera(&mut self, rig: &Rig, camera: &FileCamera) -> usize {
        let name = self.free_name(&format!("{} camera", rig.hierarchy.name(camera.node)));
        let transform = Trs { rotation: camera.turn, ..Trs::IDENTITY };
        let carrier = self.push(GlbNode { name, transform, ..GlbNode::default() });
        self.hang(carrier, rig.hierarchy.source(camera.node), false);
        carrier
    }

    /// Makes a node a root without transform.
    fn risen(&mut self, node: usize) -> usize {
        self.nodes[node].parent = None;
        self.nodes[node].transform = Trs::IDENTITY;
        node
    }

    fn added_carrier(&mut self, rig: &Rig, instance: &MeshInstance) -> usize {
        let name = self.free_name(&format!("{} mesh", rig.hierarchy.name(instance.node)));
        let carrier = self.push(GlbNode { name, ..GlbNode::default() });
        if instance.skin.is_none() {
            // Before the other children, so that the parts of a mesh stay side by side.
            self.hang(carrier, rig.hierarchy.source(instance.node), true);
        }
        carrier
    }

    fn joints(&mut self, rig: &Rig) {
        for skin in &rig.skins {
            let mut joints: Vec<usize> = Vec::with_capacity(skin.joints.len());
            let mut seen = BTreeSet::new();
            for &joint in &skin.joints {
                let number = rig.hierarchy.source(joint);
                let is_new = seen.insert(number);
                joints.push(if is_new { number } else { self.doubled(number) });
            }
            self.joints.push(joints);
        }
    }

    /// A new child of a node, without a transform of its own.
    fn doubled(&mut self, node: usize) -> usize {
        let name = self.free_name(&format!("{} again", self.nodes[node].name));
        let double = self.push(GlbNode { name, ..GlbNode::default() });
        self.hang(double, node, false);
        double
    }

    /// Finds the common ancestor of each skin's joints. Where there is none, a new root is put above the roots of all such skins.
    fn skeletons(&mut self, rig: &Rig) {
        let hierarchy = &rig.hierarchy;
        let roots: Vec<NodeIndex> = hierarchy.nodes().filter(|&n| hierarchy.parent(n).is_none()).collect();
        let root = |joint: &NodeIndex| roots[roots.partition_point(|r| r <= joint) - 1];
        let mut apart = BTreeSet::new();
        for skin in &rig.skins {
            let common = common_ancestor(hierarchy, &skin.joints);
            if common.is_none() {
                apart.extend(skin.joints.iter().map(root));
            }
            self.skeletons.push(common.map(|node| hierarchy.source(node)));
        }
        if apart.is_empty() {
            return;
        }
        let name = self.free_name("root");
        let root = self.push(GlbNode { name, ..GlbNode::default() });
        for node in apart {
            let node = hierarchy.source(node);
            self.hang(self.nodes[node].above.unwrap_or(node), root, false);
        }
        self.skeletons.iter_mut().for_each(|skeleton| _ = skeleton.get_or_insert(root));
    }

    /// The roots of the scene.
    pub(super) fn roots(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&n| self.nodes[n].parent.is_none()).collect()
    }

    /// The instances in the file with the nodes that carry them, by the node's number.
    pub(super) fn placed(&self) -> impl Iterator<Item = (usize, usize)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.instance?)))
    }

    /// The nodes of the document; `content` is what a node holds for a mesh instance.
    pub(super) fn json(&self, content: impl Fn(usize) -> Value) -> Vec<Value> {
        let object = |(number, node): (usize, &GlbNode)| {
            let mut object = node.instance.map_or_else(|| json!({}), &content);
            if let Some(camera) = node.camera {
                object["camera"] = json!(camera);
            }
            let hangs_here = |node: &usize| self.nodes[*node].parent == Some(number);
            let child = |&child: &usize| [Some(child), self.nodes[child].above].into_iter().flatten().find(hangs_here);
            let children: Vec<usize> = node.children.iter().filter_map(child).collect();
            if !children.is_empty() {
                object["children"] = json!(children);
            }
            let Trs { translation, rotation, scale } = node.transform;
            if translation != Trs::IDENTITY.translation {
                object["translation"] = json!(translation.to_array());
            }
            if rotation != Trs::IDENTITY.rotation {
                object["rotation"] = json!(rotation.to_array());
            }
            if scale != Trs::IDENTITY.scale {
                object["scale"] = json!(scale.to_array());
            }
            named(&node.name, object)
        };
        self.nodes.iter().enumerate().map(object).collect()
    }
}

impl GlbNode {
    fn new(hierarchy: &Hierarchy, node: NodeIndex) -> Self {
        let name = if hierarchy.is_unnamed(node) { "" } else { hierarchy.name(node) };
        let rest = *hierarchy.rest(node);
        Self {
            name: name.to_owned(),
            parent: hierarchy.parent(node).map(|p| hierarchy.source(p)),
            children: hierarchy.children(node).iter().map(|&c| hierarchy.source(c)).collect(),
            transform: Trs { rotation: unit_rotation(rest.rotation).unwrap_or_default(), ..rest },
            ..Self::default()
        }
    }
}

/// Lowest node in whose subtree all `nodes` are.
fn common_ancestor(hierarchy: &Hierarchy, nodes: &[NodeIndex]) -> Option<NodeIndex> {
    // Subtrees are contiguous: one that holds the first and the last holds all between them.
    let (&first, last) = (nodes.iter().min()?, nodes.iter().max()?);
    let mut line = std::iter::once(first).chain(hierarchy.ancestors(first));
    line.find(|&node| hierarchy.subtree(node).contains(&last.index()))
}

/// Every node in the order of the numbers of the source.
fn sources(hierarchy: &Hierarchy) -> impl Iterator<Item = NodeIndex> + '_ {
    (0..hierarchy.len()).filter_map(|source| hierarchy.by_source(source))
}

/// The nodes that some clip moves.
fn animated(rig: &Rig) -> BTreeSet<NodeIndex> {
    let channels = rig.clips.iter().flat_map(|clip| &clip.channels);
    channels.filter(|c| c.property != Property::MorphWeights).map(|c| c.node).collect()
}

/// True where two matrices are the same but for rounding.
fn is_near(a: &Affine3, b: &Affine3) -> bool {
    const ROUNDING: f32 = 1e-6;
    let largest = |m: Mat3| m.to_cols_array().into_iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
    largest(a.matrix3 - b.matrix3) <= ROUNDING * largest(b.matrix3)
}
