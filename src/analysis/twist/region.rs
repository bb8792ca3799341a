//! The part of the surface that a joint and its parent move.

use crate::analysis::Topology;
use crate::rig::{NodeIndex, Primitive, Rig};
use crate::skinning::subset;

use super::axes::joint_above;
use super::openings::{Edge, loops};

/// A triangle belongs to a joint where the joint and its parent together have at least this share of some corner: less neither gains nor loses
/// much there, and would only hide what the rest does.
const LEAST_SHARE: f32 = 0.5;

/// A part of the surface, and where it is cut out of it.
#[derive(Default)]
pub(super) struct Region {
    pub parts: Vec<RegionPart>,
    /// Closed loops: each corner is a part and one of its vertices.
    pub openings: Vec<Vec<(usize, usize)>>,
}

impl Region {
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|p| p.triangles.len()).sum()
    }

    fn add(&mut self, other: Self) {
        let first = self.parts.len();
        self.parts.extend(other.parts);
        let moved = |opening: Vec<(usize, usize)>| opening.into_iter().map(|(part, v)| (first + part, v)).collect();
        self.openings.extend(other.openings.into_iter().map(moved));
    }
}

/// Some triangles of one primitive of a mesh instance.
pub(super) struct RegionPart {
    pub instance: usize,
    pub primitive: usize,
    /// The primitive's vertices at their corners, each once, rising.
    pub vertices: Vec<u32>,
    /// Positions in `vertices`.
    pub triangles: Vec<[u32; 3]>,
}

impl RegionPart {
    /// Of triangles by the primitive's vertices.
    fn new(instance: usize, primitive: usize, triangles: &[[u32; 3]]) -> Self {
        let mut vertices = triangles.as_flattened().to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        let mut part = Self { instance, primitive, vertices, triangles: Vec::new() };
        part.triangles = triangles.iter().map(|t| t.map(|v| part.position(v) as u32)).collect();
        part
    }

    /// Of a vertex of the primitive in `vertices`.
    fn position(&self, vertex: u32) -> usize {
        self.vertices.partition_point(|&other| other < vertex)
    }

    /// A primitive of its vertices alone.
    pub fn cut_out(&self, rig: &Rig) -> Primitive {
        subset(&rig.meshes[rig.instances[self.instance].mesh].primitives[self.primitive], &self.vertices)
    }
}

/// Finds regions: the vertices that each node moves, by mesh instance (a counting sort).
pub(super) struct Regions<'a> {
    rig: &'a Rig,
    topology: &'a Topology,
    /// Where the vertices of each node start; one more at the end.
    starts: Vec<usize>,
    /// Mesh instance, and the vertex by its number in the mesh; rising for each node.
    moved: Vec<(u32, u32)>,
}

impl<'a> Regions<'a> {
    pub fn new(rig: &'a Rig, topology: &'a Topology) -> Self {
        let mut starts = vec![0; rig.hierarchy.len() + 1];
        each_influence(rig, |node, _| starts[node.index() + 1] += 1);
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let mut moved = vec![(0, 0); starts.last().copied().unwrap_or(0)];
        each_influence(rig, |node, place| {
            moved[next[node.index()]] = place;
            next[node.index()] += 1;
        });
        Self { rig, topology, starts, moved }
    }

    /// The triangles of which the joint and its parent have at least [`LEAST_SHARE`] of a corner.
    pub fn of(&self, joint: NodeIndex) -> Region {
        let pair = [Some(joint), joint_above(self.rig, joint)];
        let mut vertices: Vec<(u32, u32)> =
            pair.iter().flatten().flat_map(|&node| self.moved_by(node)).copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut region = Region::default();
        vertices.chunk_by(|a, b| a.0 == b.0).for_each(|vertices| region.add(self.of_instance(vertices, pair)));
        region
    }

    fn moved_by(&self, node: NodeIndex) -> &[(u32, u32)] {
        &self.moved[self.starts[node.index()]..self.starts[node.index() + 1]]
    }

    /// Of vertices of one instance, rising.
    fn of_instance(&self, vertices: &[(u32, u32)], pair: [Option<NodeIndex>; 2]) -> Region {
        let instance = vertices[0].0 as usize;
        let mesh = self.topology.mesh(self.rig.instances[instance].mesh);
        let follows =
            |&&(_, vertex): &&(u32, u32)| self.share(instance, mesh.place(vertex as usize), pair) >= LEAST_SHARE;
        let mut points: Vec<usize> = vertices.iter().filter(follows).map(|&(_, v)| mesh.point(v as usize)).collect();
        points.sort_unstable();
        points.dedup();
        let mut triangles: Vec<usize> = points.into_iter().flat_map(|p| mesh.around(p)).map(|(t, _)| t).collect();
        triangles.sort_unstable();
        triangles.dedup();
        let primitive = |t: &usize| mesh.place(mesh.triangles()[*t][0] as usize).0;
        let local = |&t: &usize| mesh.triangles()[t].map(|v| mesh.place(v as usize).1 as u32);
        let by_primitive = triangles.chunk_by(|a, b| primitive(a) == primitive(b));
        let part = |some: &[usize]| {
            RegionPart::new(instance, primitive(&some[0]), &some.iter().map(local).collect::<Vec<_>>())
        };
        let parts: Vec<RegionPart> = by_primitive.map(part).collect();
        let edges = triangles.iter().flat_map(|&t| {
            let [a, b, c] = mesh.triangles()[t];
            let edge = |vertices: [u32; 2]| Edge { points: vertices.map(|v| mesh.point(v as usize)), vertices };
            [[a, b], [b, c], [c, a]].map(edge)
        });
        let corner = |vertex: u32| {
            let (primitive, vertex) = mesh.place(vertex as usize);
            let part = parts.partition_point(|p| p.primitive < primitive);
            (part, parts[part].position(vertex as u32))
        };
        let openings = loops(edges).into_iter().map(|walked| walked.into_iter().map(corner).collect()).collect();
        Region { parts, openings }
    }

    fn share(&self, instance: usize, (primitive, vertex): (usize, usize), pair: [Option<NodeIndex>; 2]) -> f32 {
        let placed = &self.rig.instances[instance];
        let influences = &self.rig.meshes[placed.mesh].primitives[primitive].influences;
        let Some((influences, skin)) = influences.as_ref().zip(placed.skin) else { return 0.0 };
        let joints = &self.rig.skins[skin].joints;
        influences.of(vertex).filter(|(joint, _)| pair.contains(&Some(joints[*joint]))).map(|(_, weight)| weight).sum()
    }
}

/// Every influence above 0 with its mesh instance and the vertex's number in the mesh.
fn each_influence(rig: &Rig, mut moved: impl FnMut(NodeIndex, (u32, u32))) {
    for (number, instance) in rig.instances.iter().enumerate() {
        let Some(skin) = instance.skin else { continue };
        let mut first = 0;
        for primitive in &rig.meshes[instance.mesh].primitives {
            for (vertex, influences) in primitive.influences.iter().flat_map(|i| (0..i.len()).map(move |v| (v, i))) {
                for (joint, _) in influences.of(vertex).filter(|(_, weight)| *weight > 0.0) {
                    moved(rig.skins[skin].joints[joint], (number as u32, (first + vertex) as u32));
                }
            }
            first += primitive.positions.len();
        }
    }
}
