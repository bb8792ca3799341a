//! One of the two rigs, with what all comparisons need of it.

use glam::Affine3;

use crate::export::joint_names;
use crate::rig::{MeshInstance, NodeIndex, Pose, Rig, evaluate};

/// A rig at rest, its nodes named.
pub(super) struct Version<'a> {
    pub rig: &'a Rig,
    /// `W_j` at rest, in the coordinates of the file.
    pub world: Vec<Affine3>,
    /// Of each node the shortest name that no other has.
    pub names: Vec<String>,
    /// Of nodes that only carry skinned meshes, which they do not move.
    is_carrier: Vec<bool>,
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
        }
    }

    pub fn name(&self, node: NodeIndex) -> &str {
        &self.names[node.index()]
    }

    /// False for nodes of which nobody sees or uses anything: helpers of import, carriers of skinned meshes.
    pub fn is_told(&self, node: NodeIndex) -> bool {
        !self.is_carrier[node.index()] && !self.rig.hierarchy.is_helper(node)
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
