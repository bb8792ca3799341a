//! Converts the nodes of a rig to valid glTF nodes. Nodes keep their indices; extra nodes are appended:
//!
//! - A node has at most one mesh, so a second mesh gets a new child node. So does a camera that does not look along -Z.
//! - The node of a skinned mesh is a root without a transform, since glTF ignores the transforms of this node and its
//!   ancestors.
//! - The joints of a skin have a common root, and no joint is listed twice.
//! - No node has shear. A sheared node is split: it keeps a rotation, and a new parent has another rotation and a
//!   scale.

use std::collections::{BTreeSet, HashMap};

use glam::{Affine3, Mat3, Quat, Vec3};
use serde_json::{Value, json};

use super::buffer::named;
use rigscope_core::rig::{
    FileCamera, Hierarchy, MeshInstance, NodeIndex, Property, Rig, Trs, split_shear, unit_rotation,
};

pub(super) struct GlbTree {
    pub nodes: Vec<GlbNode>,
    /// File node of each mesh instance; `None` if its mesh is not written.
    pub carriers: Vec<Option<usize>>,
    pub joints: Vec<Vec<usize>>,
    /// Lowest common ancestor of each skin's joints. It may be a joint itself.
    pub skeletons: Vec<Option<usize>>,
    /// Number of nodes that lose their rest shear because a clip animates them.
    pub lost_shear: usize,
    /// Index and rest translation of a node that clips can hold at rest without changing the motion.
    pub still: Option<(usize, Vec3)>,
    next_of_name: HashMap<String, usize>,
}

#[derive(Default)]
pub(super) struct GlbNode {
    name: String,
    parent: Option<usize>,
    /// Children in file order. Nodes that have moved to a different parent are ignored.
    children: Vec<usize>,
    /// New parent that takes the node's position among its siblings. The two nodes together express the shear.
    above: Option<usize>,
    transform: Trs,
    instance: Option<usize>,
    camera: Option<usize>,
}

impl GlbTree {
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

    /// Returns a node that clips can hold at rest. It has no shear, and it either is a joint or carries no skinned
    /// mesh.
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

    /// Returns whether the node is exported unsplit, with its transform from the rig.
    pub(super) fn is_as_in_rig(&self, hierarchy: &Hierarchy, node: NodeIndex) -> bool {
        let written = &self.nodes[hierarchy.source(node)];
        written.above.is_none() && written.transform == *hierarchy.rest(node)
    }

    fn push(&mut self, node: GlbNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn hang(&mut self, node: usize, parent: usize, is_first: bool) {
        self.nodes[node].parent = Some(parent);
        let children = &mut self.nodes[parent].children;
        let at = if is_first { 0 } else { children.len() };
        children.insert(at, node);
    }

    /// Returns a unique name similar to `wanted`, since pose files refer to nodes by name.
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
            let [outer, inner] = split_shear(local);
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

    /// Assigns cameras to nodes. A node carries at most one camera, which must look along -Z. Other cameras get a new
    /// child node.
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

    fn risen(&mut self, node: usize) -> usize {
        self.nodes[node].parent = None;
        self.nodes[node].transform = Trs::IDENTITY;
        node
    }

    fn added_carrier(&mut self, rig: &Rig, instance: &MeshInstance) -> usize {
        let name = self.free_name(&format!("{} mesh", rig.hierarchy.name(instance.node)));
        let carrier = self.push(GlbNode { name, ..GlbNode::default() });
        if instance.skin.is_none() {
            // Added before the other children, so that the nodes of a split mesh stay adjacent.
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

    fn doubled(&mut self, node: usize) -> usize {
        let name = self.free_name(&format!("{} again", self.nodes[node].name));
        let double = self.push(GlbNode { name, ..GlbNode::default() });
        self.hang(double, node, false);
        double
    }

    /// Computes the common ancestor of each skin's joints. If some skins have no common ancestor, adds one new root
    /// above all their joints.
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

    pub(super) fn roots(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&n| self.nodes[n].parent.is_none()).collect()
    }

    pub(super) fn placed(&self) -> impl Iterator<Item = (usize, usize)> {
        self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.instance?)))
    }

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

fn common_ancestor(hierarchy: &Hierarchy, nodes: &[NodeIndex]) -> Option<NodeIndex> {
    // Subtrees are contiguous, so a subtree that contains the first and the last joint contains all joints.
    let (&first, last) = (nodes.iter().min()?, nodes.iter().max()?);
    let mut line = std::iter::once(first).chain(hierarchy.ancestors(first));
    line.find(|&node| hierarchy.subtree(node).contains(&last.index()))
}

fn sources(hierarchy: &Hierarchy) -> impl Iterator<Item = NodeIndex> + '_ {
    (0..hierarchy.len()).filter_map(|source| hierarchy.by_source(source))
}

fn animated(rig: &Rig) -> BTreeSet<NodeIndex> {
    let channels = rig.clips.iter().flat_map(|clip| &clip.channels);
    channels.filter(|c| c.property != Property::MorphWeights).map(|c| c.node).collect()
}

fn is_near(a: &Affine3, b: &Affine3) -> bool {
    const ROUNDING: f32 = 1e-6;
    let largest = |m: Mat3| m.to_cols_array().into_iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
    largest(a.matrix3 - b.matrix3) <= ROUNDING * largest(b.matrix3)
}
