//! A joint's region, by primitive, and the vertices that rotations of the joint move.

use super::moved::MovedNodes;
use crate::analysis::Topology;
use crate::analysis::region::{Patch, Rim, RimEdge, Tear};
use rigscope_core::rig::{PrimitiveIndex, Rig};

#[derive(Default)]
pub(super) struct Region {
    pub parts: Vec<RegionPrimitive>,
    pub openings: Vec<Rim<RegionVertex>>,
    pub tears: Vec<Tear<RegionVertex>>,
}

impl Region {
    pub(super) fn triangles(&self) -> usize {
        self.parts.iter().map(|p| p.triangles.len()).sum()
    }

    pub(super) fn new(rig: &Rig, topology: &Topology, patches: Vec<Patch>) -> Self {
        let mut region = Self::default();
        for patch in patches {
            region.add(rig, topology, patch);
        }
        region
    }

    fn add(&mut self, rig: &Rig, topology: &Topology, Patch { instance, triangles, openings, tears }: Patch) {
        let mesh = topology.mesh(rig.instances[instance].mesh);
        let primitive = |t: &usize| mesh.locate(mesh.triangles()[*t][0] as usize).primitive;
        let local = |&t: &usize| mesh.triangles()[t].map(|v| mesh.locate(v as usize).vertex as u32);
        let part = |some: &[usize]| {
            let part = PrimitiveIndex { instance, primitive: primitive(&some[0]) };
            RegionPrimitive::new(part, &some.iter().map(local).collect::<Vec<_>>())
        };
        let first = self.parts.len();
        self.parts.extend(triangles.chunk_by(|a, b| primitive(a) == primitive(b)).map(part));
        let parts = &self.parts[first..];
        let corner = |vertex: u32| {
            let place = mesh.locate(vertex as usize);
            let part = parts.partition_point(|p| p.part.primitive < place.primitive);
            RegionVertex { part: first + part, vertex: parts[part].position(place.vertex as u32) }
        };
        let rim_edge = |edge: &RimEdge<u32>| RimEdge { ends: edge.ends.map(corner), share: edge.share };
        self.openings.extend(openings.iter().map(|rim| rim.iter().map(rim_edge).collect()));
        self.tears.extend(tears.iter().map(|tear| tear.map(corner)));
    }
}

#[derive(Clone, Copy)]
pub(super) struct RegionVertex {
    pub part: usize,
    /// Index into [`RegionPrimitive::vertices`].
    pub vertex: usize,
}

pub(super) struct RegionPrimitive {
    pub part: PrimitiveIndex,
    /// Vertices of the triangles, as indices into the primitive, in ascending order.
    pub vertices: Vec<u32>,
    /// Triangles as indices into `vertices`.
    pub triangles: Vec<[u32; 3]>,
}

impl RegionPrimitive {
    fn new(part: PrimitiveIndex, triangles: &[[u32; 3]]) -> Self {
        let mut vertices = triangles.as_flattened().to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        let mut all = Self { part, vertices, triangles: Vec::new() };
        all.triangles = triangles.iter().map(|t| t.map(|v| all.position(v) as u32)).collect();
        all
    }

    pub(super) fn follows(&self, rig: &Rig, nodes: &MovedNodes) -> Vec<bool> {
        let PrimitiveIndex { instance, primitive } = self.part;
        let placed = &rig.instances[instance];
        let influences = &rig.meshes[placed.mesh].primitives[primitive].influences;
        let Some((influences, skin)) = influences.as_ref().zip(placed.skin) else {
            return vec![false; self.vertices.len()];
        };
        let joints = &rig.skins[skin].joints;
        let is_one = |(joint, weight): (usize, f32)| weight > 0.0 && nodes.contains(joints[joint]);
        self.vertices.iter().map(|&vertex| influences.vertex(vertex as usize).any(is_one)).collect()
    }

    fn position(&self, vertex: u32) -> usize {
        self.vertices.partition_point(|&other| other < vertex)
    }
}
