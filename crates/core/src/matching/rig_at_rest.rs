use std::sync::OnceLock;

use glam::{Affine3, Mat3, Vec3};

use crate::rig::{MeshInstance, NodeIndex, Pose, Primitive, Property, Rig, evaluate, node_names, polar};

/// Offset of each node from its parent, in world axes; for a root, its world position.
pub(super) type Offsets = Vec<Vec3>;

/// One version of a rig, in the rest pose.
pub struct RigAtRest<'a> {
    /// The rig.
    pub rig: &'a Rig,
    /// `W_j` of each node at rest, file coordinates.
    pub world: Vec<Affine3>,
    pub(super) offsets: Offsets,
    names: OnceLock<Vec<String>>,
    /// For each node, whether it does nothing but carry skinned meshes, which it does not move.
    is_carrier: Vec<bool>,
    /// For nodes that only carry rigid meshes, the centre of the first mesh in node coordinates.
    held: Vec<Option<Vec3>>,
}

impl<'a> RigAtRest<'a> {
    pub(crate) fn new(rig: &'a Rig) -> Self {
        let mut is_carrier = vec![false; rig.hierarchy.len()];
        for instance in &rig.instances {
            let node = instance.node;
            is_carrier[node.index()] =
                instance.skin.is_some() && !rig.is_joint(node) && rig.hierarchy.children(node).is_empty();
        }
        let world = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).file_from_node(&rig.hierarchy);
        let held = held(rig);
        let offsets = offsets(rig, &world, &held);
        Self { rig, world, offsets, names: OnceLock::new(), is_carrier, held }
    }

    /// Returns the name of a node.
    pub fn name(&self, node: NodeIndex) -> &str {
        &self.names.get_or_init(|| node_names(&self.rig.hierarchy))[node.index()]
    }

    pub(super) fn bound_offsets(&self) -> Offsets {
        offsets(self.rig, &self.bound(), &self.held)
    }

    /// Returns world-from-node matrices in the bind pose. Each joint is placed relative to an ancestor in the same
    /// skin, so mesh coordinates cancel out. A joint without such an ancestor keeps its rest position.
    fn bound(&self) -> Vec<Affine3> {
        let hierarchy = &self.rig.hierarchy;
        let binds = &first_binds(self.rig);
        let mut bound: Vec<Affine3> = Vec::with_capacity(hierarchy.len());
        for node in hierarchy.nodes() {
            let is_of_skin =
                |skin| move |above: &NodeIndex| binds[above.index()].is_some_and(|(other, _)| other == skin);
            let place = match (binds[node.index()], hierarchy.parent(node)) {
                (Some((skin, bind)), _) => match hierarchy.ancestors(node).find(is_of_skin(skin)) {
                    Some(above) => {
                        bound[above.index()]
                            * binds[above.index()].map_or(Affine3::IDENTITY, |(_, b)| b.inverse())
                            * bind
                    }
                    None => with_rotation_from(self.world[node.index()], bind),
                },
                (None, Some(parent)) => bound[parent.index()] * *hierarchy.rest_local(node),
                (None, None) => self.world[node.index()],
            };
            bound.push(if place.is_finite() { place } else { self.world[node.index()] });
        }
        bound
    }

    /// Returns false for nodes that users don't see: import helpers and nodes that only carry skinned meshes.
    pub fn is_visible(&self, node: NodeIndex) -> bool {
        !self.is_carrier[node.index()] && !self.rig.hierarchy.is_helper(node)
    }

    /// Returns whether a node only carries rigid meshes: it is not a joint, has no children and is not animated.
    pub fn is_holder(&self, node: NodeIndex) -> bool {
        self.held[node.index()].is_some()
    }

    /// Returns the node itself, or its parent if the node is unnamed and only carries rigid meshes.
    pub fn named_holder(&self, node: NodeIndex) -> NodeIndex {
        let hierarchy = &self.rig.hierarchy;
        let is_nameless = self.is_holder(node) && (hierarchy.is_unnamed(node) || hierarchy.is_helper(node));
        hierarchy.parent(node).filter(|_| is_nameless).unwrap_or(node)
    }

    /// Returns the position that represents a node, file coordinates: its origin, or the centre of the mesh that it
    /// carries.
    pub(crate) fn place(&self, node: NodeIndex) -> Vec3 {
        self.world[node.index()].transform_point3(self.mark(node))
    }

    pub(crate) fn mark(&self, node: NodeIndex) -> Vec3 {
        self.held[node.index()].unwrap_or_default()
    }

    pub(crate) fn path(&self, node: NodeIndex, above: Option<NodeIndex>) -> Affine3 {
        let hierarchy = &self.rig.hierarchy;
        let nodes = std::iter::once(node).chain(hierarchy.ancestors(node)).take_while(|node| Some(*node) != above);
        nodes.fold(Affine3::IDENTITY, |path, node| *hierarchy.rest_local(node) * path)
    }

    /// Returns the name of an instance's mesh, or of its node if the mesh is unnamed.
    pub fn mesh_name(&self, instance: usize) -> &str {
        let placed = &self.rig.instances[instance];
        let name = &self.rig.meshes[placed.mesh].name;
        if name.is_empty() { self.rig.hierarchy.name(placed.node) } else { name }
    }

    /// Returns whether an instance's mesh or node has a name in the file.
    pub fn has_mesh_name(&self, instance: usize) -> bool {
        let placed = &self.rig.instances[instance];
        !self.rig.meshes[placed.mesh].name.is_empty() || !self.rig.hierarchy.is_unnamed(placed.node)
    }

    /// Returns the node that carries an instance's mesh, or the node's parent if the node is unnamed and does nothing
    /// else.
    pub(super) fn mesh_node(&self, instance: usize) -> NodeIndex {
        let node = self.rig.instances[instance].node;
        let is_nameless = self.is_carrier[node.index()] && self.rig.hierarchy.is_unnamed(node);
        let above = self.rig.hierarchy.parent(node).filter(|_| is_nameless);
        above.unwrap_or_else(|| self.named_holder(node))
    }

    pub(crate) fn metres(&self, instance: &MeshInstance) -> f32 {
        let skin = instance.skin.and_then(|skin| self.rig.skins.get(skin));
        let first = skin.and_then(|skin| Some((skin.joints.first()?, skin.inverse_bind.first()?)));
        let world_from_mesh =
            first.map_or(self.world[instance.node.index()], |(joint, bind)| self.world[joint.index()] * *bind);
        let metres = world_from_mesh.matrix3.determinant().abs().cbrt();
        if metres.is_normal() { metres } else { 1.0 }
    }
}

fn offsets(rig: &Rig, world: &[Affine3], held: &[Option<Vec3>]) -> Offsets {
    let offset = |node: NodeIndex| {
        let place = world[node.index()].transform_point3(held[node.index()].unwrap_or_default());
        place - rig.hierarchy.parent(node).map_or(Vec3::ZERO, |parent| world[parent.index()].translation)
    };
    rig.hierarchy.nodes().map(offset).collect()
}

/// Returns, for each node, the first skin that contains it and its bind matrix `B_j` in that skin.
fn first_binds(rig: &Rig) -> Vec<Option<(usize, Affine3)>> {
    let mut binds = vec![None; rig.hierarchy.len()];
    for (number, skin) in rig.skins.iter().enumerate() {
        for (joint, inverse_bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let bind = inverse_bind.inverse();
            if bind.is_finite() {
                binds[joint.index()].get_or_insert((number, bind));
            }
        }
    }
    binds
}

fn with_rotation_from(transform: Affine3, other: Affine3) -> Affine3 {
    let (_, stretch) = polar(transform.matrix3);
    let (rotation, _) = polar(other.matrix3);
    Affine3 { matrix3: Mat3::from_quat(rotation) * stretch, ..transform }
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

pub(crate) fn bounds(primitives: &[Primitive]) -> Option<(Vec3, Vec3)> {
    let mut positions = primitives.iter().flat_map(|p| &p.positions).copied();
    let first = positions.next()?;
    Some(positions.fold((first, first), |(low, high), p| (low.min(p), high.max(p))))
}
