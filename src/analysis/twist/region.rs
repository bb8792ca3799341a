//! The region of a joint: the part of the surface that it and its parent move.

use std::ops::Range;

use crate::analysis::Topology;
use crate::analysis::topology::MeshVertex;
use crate::rig::{NodeIndex, PartIndex, Rig};

use super::axes::joint_above;
use super::openings::{Edge, loops};

/// Least weight of a joint and its parent together, at some corner of a triangle, for the triangle to be in the joint's region. Triangles with less
/// hardly change, and would only hide what the others lose.
const LEAST_SHARE: f32 = 0.5;

/// A part of the surface, with the openings where it is cut out of the rest.
#[derive(Default)]
pub(super) struct Region {
    pub parts: Vec<RegionPart>,
    /// Boundary loops of the openings, by their corners.
    pub openings: Vec<Vec<RegionVertex>>,
}

impl Region {
    pub(super) fn triangles(&self) -> usize {
        self.parts.iter().map(|p| p.triangles.len()).sum()
    }

    fn add(&mut self, other: Self) {
        let first = self.parts.len();
        self.parts.extend(other.parts);
        let moved = |vertex: RegionVertex| RegionVertex { part: first + vertex.part, ..vertex };
        self.openings.extend(other.openings.into_iter().map(|opening| opening.into_iter().map(moved).collect()));
    }
}

/// A vertex of a region.
#[derive(Clone, Copy)]
pub(super) struct RegionVertex {
    /// Position in [`Region::parts`].
    pub part: usize,
    /// Position in the part's `vertices`.
    pub vertex: usize,
}

/// Some triangles of one primitive of a mesh instance.
pub(super) struct RegionPart {
    pub part: PartIndex,
    /// The vertices of the triangles, as numbers in the primitive, each once, rising.
    pub vertices: Vec<u32>,
    /// Triangles, as positions in `vertices`.
    pub triangles: Vec<[u32; 3]>,
}

impl RegionPart {
    /// A part made of triangles that are given by the primitive's vertex numbers.
    fn new(part: PartIndex, triangles: &[[u32; 3]]) -> Self {
        let mut vertices = triangles.as_flattened().to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        let mut all = Self { part, vertices, triangles: Vec::new() };
        all.triangles = triangles.iter().map(|t| t.map(|v| all.position(v) as u32)).collect();
        all
    }

    /// For each of `vertices`, whether a joint in a range of nodes moves it.
    pub(super) fn follows(&self, rig: &Rig, nodes: &Range<usize>) -> Vec<bool> {
        let PartIndex { instance, primitive } = self.part;
        let placed = &rig.instances[instance];
        let influences = &rig.meshes[placed.mesh].primitives[primitive].influences;
        let Some((influences, skin)) = influences.as_ref().zip(placed.skin) else {
            return vec![false; self.vertices.len()];
        };
        let joints = &rig.skins[skin].joints;
        let is_one = |(joint, weight): (usize, f32)| weight > 0.0 && nodes.contains(&joints[joint].index());
        self.vertices.iter().map(|&vertex| influences.of(vertex as usize).any(is_one)).collect()
    }

    /// Position of a vertex of the primitive in `vertices`.
    fn position(&self, vertex: u32) -> usize {
        self.vertices.partition_point(|&other| other < vertex)
    }
}

/// A drawn vertex.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct InstanceVertex {
    /// Index into `Rig::instances`.
    instance: u32,
    /// Number of the vertex in the mesh, counted through all primitives.
    vertex: u32,
}

/// Search for regions: the vertices that each node moves, by mesh instance (a counting sort).
pub(super) struct Regions<'a> {
    rig: &'a Rig,
    topology: &'a Topology,
    /// Index of each node's first vertex, and at the end the number of all.
    starts: Vec<usize>,
    /// Vertices that each node moves, by rising number.
    moved: Vec<InstanceVertex>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(rig: &'a Rig, topology: &'a Topology) -> Self {
        let mut starts = vec![0; rig.hierarchy.len() + 1];
        each_influence(rig, |node, _| starts[node.index() + 1] += 1);
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let mut moved = vec![InstanceVertex::default(); starts.last().copied().unwrap_or(0)];
        each_influence(rig, |node, place| {
            moved[next[node.index()]] = place;
            next[node.index()] += 1;
        });
        Self { rig, topology, starts, moved }
    }

    /// The region of a joint: the triangles of which it and its parent have at least [`LEAST_SHARE`] of a corner.
    pub(super) fn of(&self, joint: NodeIndex) -> Region {
        let pair = [Some(joint), joint_above(self.rig, joint)];
        let mut vertices: Vec<InstanceVertex> =
            pair.iter().flatten().flat_map(|&node| self.moved_by(node)).copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut region = Region::default();
        vertices
            .chunk_by(|a, b| a.instance == b.instance)
            .for_each(|vertices| region.add(self.of_instance(vertices, pair)));
        region
    }

    fn moved_by(&self, node: NodeIndex) -> &[InstanceVertex] {
        &self.moved[self.starts[node.index()]..self.starts[node.index() + 1]]
    }

    /// Region from vertices of one instance, which must rise.
    fn of_instance(&self, vertices: &[InstanceVertex], pair: [Option<NodeIndex>; 2]) -> Region {
        let instance = vertices[0].instance as usize;
        let mesh = self.topology.mesh(self.rig.instances[instance].mesh);
        let numbers = vertices.iter().map(|v| v.vertex as usize);
        let follows = |&vertex: &usize| self.share(instance, mesh.place(vertex), pair) >= LEAST_SHARE;
        let mut points: Vec<usize> = numbers.filter(follows).map(|vertex| mesh.point(vertex)).collect();
        points.sort_unstable();
        points.dedup();
        let mut triangles: Vec<usize> = points.into_iter().flat_map(|p| mesh.around(p)).map(|c| c.triangle).collect();
        triangles.sort_unstable();
        triangles.dedup();
        let primitive = |t: &usize| mesh.place(mesh.triangles()[*t][0] as usize).primitive;
        let local = |&t: &usize| mesh.triangles()[t].map(|v| mesh.place(v as usize).vertex as u32);
        let by_primitive = triangles.chunk_by(|a, b| primitive(a) == primitive(b));
        let part = |some: &[usize]| {
            let part = PartIndex { instance, primitive: primitive(&some[0]) };
            RegionPart::new(part, &some.iter().map(local).collect::<Vec<_>>())
        };
        let parts: Vec<RegionPart> = by_primitive.map(part).collect();
        let edges = triangles.iter().flat_map(|&t| {
            let [a, b, c] = mesh.triangles()[t];
            let edge = |vertices: [u32; 2]| Edge { points: vertices.map(|v| mesh.point(v as usize)), vertices };
            [[a, b], [b, c], [c, a]].map(edge)
        });
        let corner = |vertex: u32| {
            let place = mesh.place(vertex as usize);
            let part = parts.partition_point(|p| p.part.primitive < place.primitive);
            RegionVertex { part, vertex: parts[part].position(place.vertex as u32) }
        };
        let openings = loops(edges).into_iter().map(|walked| walked.into_iter().map(corner).collect()).collect();
        Region { parts, openings }
    }

    fn share(&self, instance: usize, place: MeshVertex, pair: [Option<NodeIndex>; 2]) -> f32 {
        let placed = &self.rig.instances[instance];
        let influences = &self.rig.meshes[placed.mesh].primitives[place.primitive].influences;
        let Some((influences, skin)) = influences.as_ref().zip(placed.skin) else { return 0.0 };
        let joints = &self.rig.skins[skin].joints;
        influences
            .of(place.vertex)
            .filter(|(joint, _)| pair.contains(&Some(joints[*joint])))
            .map(|(_, weight)| weight)
            .sum()
    }
}

/// Calls `moved` with every influence above 0: its joint, its mesh instance and the vertex's number in the mesh.
fn each_influence(rig: &Rig, mut moved: impl FnMut(NodeIndex, InstanceVertex)) {
    for (number, instance) in rig.instances.iter().enumerate() {
        let Some(skin) = instance.skin else { continue };
        let mut first = 0;
        for primitive in &rig.meshes[instance.mesh].primitives {
            for (vertex, influences) in primitive.influences.iter().flat_map(|i| (0..i.len()).map(move |v| (v, i))) {
                for (joint, _) in influences.of(vertex).filter(|(_, weight)| *weight > 0.0) {
                    let place = InstanceVertex { instance: number as u32, vertex: (first + vertex) as u32 };
                    moved(rig.skins[skin].joints[joint], place);
                }
            }
            first += primitive.positions.len();
        }
    }
}
