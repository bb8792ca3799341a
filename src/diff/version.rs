//! One of the two rigs, with what all comparisons need of it.

use glam::{Affine3, Vec3};

use crate::export::joint_names;
use crate::rig::{MeshInstance, NodeIndex, Pose, Primitive, Property, Rig, evaluate};

/// A rig at rest, its nodes named.
pub(super) struct Version<'a> {
    pub rig: &'a Rig,
    /// `W_j` at rest, in the coordinates of the file.
    pub world: Vec<Affine3>,
    /// Of each node the shortest name that no other has.
    pub names: Vec<String>,
    /// Of nodes that only carry skinned meshes, which they do not move.
    is_carrier: Vec<bool>,
    /// Of nodes that only carry meshes without skin, the middle of the first in their own coordinates.
    held: Vec<Option<Vec3>>,
}

impl<'a> Version<'a> {
    pub fn new(rig: &'a Rig) -> Self {
        let nodes: Vec<NodeIndex> = rig.hierarchy.nodes().collect();
        let mut is_carrier = vec![false; nodes.len()];
        for instance in &rig.instances {
            let node = instance.node;
            is_carrier[node.index()] =
                instance.skin.is_some() && !rig.is_joint(node) && rig.hierarchy.children(node).is_empty();
        }
        Self {
            rig,
            world: evaluate(rig, None, &Pose::rest(&rig.hierarchy)).file_from_node(&rig.hierarchy),
            names: joint_names(&rig.hierarchy, &nodes),
            is_carrier,
            held: held(rig),
        }
    }

    pub fn name(&self, node: NodeIndex) -> &str {
        &self.names[node.index()]
    }

    /// False for nodes of which nobody sees or uses anything: helpers of import, carriers of skinned meshes.
    pub fn is_told(&self, node: NodeIndex) -> bool {
        !self.is_carrier[node.index()] && !self.rig.hierarchy.is_helper(node)
    }

    /// True for nodes of which nothing is seen but the meshes without skin that they carry: no joint, nothing below, moved by no clip.
    pub fn is_holder(&self, node: NodeIndex) -> bool {
        self.held[node.index()].is_some()
    }

    /// The node itself, or that above one that holds meshes and has no name.
    pub fn holder_or_above(&self, node: NodeIndex) -> NodeIndex {
        let hierarchy = &self.rig.hierarchy;
        let is_nameless = self.is_holder(node) && (hierarchy.is_unnamed(node) || hierarchy.is_helper(node));
        hierarchy.parent(node).filter(|_| is_nameless).unwrap_or(node)
    }

    /// Where a node is seen, in the world: its origin, or the middle of the mesh that it holds, in whatever coordinates that is stored.
    pub fn place(&self, node: NodeIndex) -> Vec3 {
        self.world[node.index()].transform_point3(self.mark(node))
    }

    /// Where a node is seen, in its own coordinates.
    pub fn mark(&self, node: NodeIndex) -> Vec3 {
        self.held[node.index()].unwrap_or_default()
    }

    /// A node's coordinates in those of a node above it, or in the world, at rest.
    pub fn path(&self, node: NodeIndex, above: Option<NodeIndex>) -> Affine3 {
        let hierarchy = &self.rig.hierarchy;
        let nodes = std::iter::once(node).chain(hierarchy.ancestors(node)).take_while(|node| Some(*node) != above);
        nodes.fold(Affine3::IDENTITY, |path, node| *hierarchy.rest_local(node) * path)
    }

    /// The file's name of a mesh, or that of the node that carries it.
    pub fn mesh_name(&self, instance: usize) -> &str {
        let placed = &self.rig.instances[instance];
        let name = &self.rig.meshes[placed.mesh].name;
        if name.is_empty() { self.rig.hierarchy.name(placed.node) } else { name }
    }

    /// World lengths of a length in the space of a mesh, at rest.
    pub fn metres(&self, instance: &MeshInstance) -> f32 {
        let skin = instance.skin.and_then(|skin| self.rig.skins.get(skin));
        let first = skin.and_then(|skin| Some((skin.joints.first()?, skin.inverse_bind.first()?)));
        let world_from_mesh =
            first.map_or(self.world[instance.node.index()], |(joint, bind)| self.world[joint.index()] * *bind);
        let metres = world_from_mesh.matrix3.determinant().abs().cbrt();
        if metres.is_normal() { metres } else { 1.0 }
    }
}

fn held(rig: &Rig) -> Vec<Option<Vec3>> {
    let mut held = vec![None; rig.hierarchy.len()];
    for instance in rig.instances.iter().filter(|instance| instance.skin.is_none()) {
        let place = &mut held[instance.node.index()];
        if place.is_none() {
            *place = bounds(&rig.meshes[instance.mesh].primitives).map(|(low, high)| (low + high) * 0.5);
        }
    }
    let skinned = rig.instances.iter().filter(|instance| instance.skin.is_some()).map(|instance| instance.node);
    let moves = rig.clips.iter().flat_map(|clip| &clip.channels).filter(|c| c.property != Property::MorphWeights);
    let inner = rig.hierarchy.nodes().filter(|&node| rig.is_joint(node) || !rig.hierarchy.children(node).is_empty());
    skinned.chain(moves.map(|channel| channel.node)).chain(inner).for_each(|node| held[node.index()] = None);
    held
}

/// The box of a mesh; `None` without vertices.
pub(super) fn bounds(primitives: &[Primitive]) -> Option<(Vec3, Vec3)> {
    let mut positions = primitives.iter().flat_map(|p| &p.positions).copied();
    let first = positions.next()?;
    Some(positions.fold((first, first), |(low, high), p| (low.min(p), high.max(p))))
}
