//! The part of the surface that a joint and its parent move, and the openings where it is cut out of the rest.

mod openings;

use super::Topology;
use super::measure::Size;
use super::topology::MeshVertex;
use crate::rig::{NodeIndex, Rig};
pub(super) use openings::fan_volume;
use openings::{Edge, loops};

/// A triangle belongs to a joint where the joint and its parent together have at least this share of some corner: less neither gains nor loses
/// much there, and would only hide what the rest does.
const LEAST_SHARE: f32 = 0.5;

/// Entries of a list that are read in the time in which one number is sorted.
const READ_PER_SORTED: usize = 16;

/// A region of fewer triangles, or of less than this share of the whole surface, is a speck: what it loses is hardly seen.
pub(super) const LEAST_TRIANGLES: usize = 50;
pub(super) const LEAST_SURFACE: f64 = 1e-3;

/// A region below this share of the volume of what its area could enclose is a sheet: its volume says nothing.
const LEAST_BULK: f64 = 1e-3;

/// Triangles that are smaller, as a share of the square of the rig's size, are left out where areas are compared: rounding would stretch them.
pub(super) const LEAST_AREA: f32 = 1e-9;

/// Volume of a region as a share of what it had before, of which the size is known; NaN where it had none to lose.
pub(super) fn volume_ratio(now: f64, before: Size) -> f32 {
    let has_bulk = before.volume.abs() > LEAST_BULK * before.area.powf(1.5);
    if has_bulk { (now / before.volume) as f32 } else { f32::NAN }
}

/// The nearest joint above.
pub(super) fn joint_above(rig: &Rig, joint: NodeIndex) -> Option<NodeIndex> {
    rig.hierarchy.ancestors(joint).find(|&node| rig.is_joint(node))
}

/// The triangles of one mesh instance that belong to a joint's region.
pub(super) struct Patch {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Positions in the list of the mesh's triangles, rising.
    pub triangles: Vec<usize>,
    /// Closed loops along which the triangles are cut out of the surface, by vertices of the mesh.
    pub openings: Vec<Vec<u32>>,
}

/// A vertex that is drawn.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct InstanceVertex {
    /// Index into `Rig::instances`.
    instance: u32,
    /// Number of the vertex in the mesh, through all primitives.
    vertex: u32,
}

/// Finds regions: the vertices that each node moves, by mesh instance (a counting sort).
pub(super) struct Regions<'a> {
    rig: &'a Rig,
    topology: &'a Topology,
    /// Index of each node's first vertex; one more at the end.
    starts: Vec<usize>,
    /// Vertices that each node moves, rising.
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

    /// The triangles of which the joint and its parent have at least [`LEAST_SHARE`] of a corner.
    pub(super) fn of(&self, joint: NodeIndex) -> Vec<Patch> {
        let pair = [Some(joint), joint_above(self.rig, joint)];
        let mut vertices: Vec<InstanceVertex> =
            pair.iter().flatten().flat_map(|&node| self.moved_by(node)).copied().collect();
        // Two lists that rise: the stable sort merges them.
        vertices.sort();
        vertices.dedup();
        let by_instance = vertices.chunk_by(|a, b| a.instance == b.instance);
        by_instance.map(|vertices| self.of_instance(vertices, pair)).collect()
    }

    fn moved_by(&self, node: NodeIndex) -> &[InstanceVertex] {
        &self.moved[self.starts[node.index()]..self.starts[node.index() + 1]]
    }

    /// Region of vertices of one instance, which rise.
    fn of_instance(&self, vertices: &[InstanceVertex], pair: [Option<NodeIndex>; 2]) -> Patch {
        let instance = vertices[0].instance as usize;
        let mesh = self.topology.mesh(self.rig.instances[instance].mesh);
        let numbers = vertices.iter().map(|v| v.vertex as usize);
        let follows = |&vertex: &usize| self.share(instance, mesh.place(vertex), pair) >= LEAST_SHARE;
        let mut points: Vec<usize> = numbers.filter(follows).map(|vertex| mesh.point(vertex)).collect();
        points.sort_unstable();
        points.dedup();
        let mut is_in = vec![false; mesh.triangles().len()];
        let around = points.into_iter().flat_map(|p| mesh.around(p)).map(|c| c.triangle);
        let mut triangles: Vec<usize> = around.filter(|&t| !std::mem::replace(&mut is_in[t], true)).collect();
        rise(&mut triangles, &is_in);
        let neighbours = mesh.neighbours();
        let edges = triangles.iter().flat_map(|&t| {
            let [a, b, c] = mesh.triangles()[t];
            let edge = |vertices: [u32; 2]| Edge { points: vertices.map(|v| mesh.point(v as usize)), vertices };
            let with_neighbours = [[a, b], [b, c], [c, a]].into_iter().zip(neighbours[t]);
            // Most edges are inside: leaving these out at once saves sorting them.
            let outer = with_neighbours.filter(|(_, neighbour)| neighbour.is_none_or(|other| !is_in[other as usize]));
            outer.map(move |(vertices, _)| edge(vertices))
        });
        let openings = loops(edges);
        Patch { instance, triangles, openings }
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

/// Puts numbers into rising order, which are those that `is_in` holds true for.
fn rise(numbers: &mut Vec<usize>, is_in: &[bool]) {
    let (first, last) = (numbers.iter().min().copied(), numbers.iter().max().copied());
    let Some((first, last)) = first.zip(last) else { return };
    if (last - first) / READ_PER_SORTED > numbers.len() {
        numbers.sort_unstable();
    } else {
        numbers.clear();
        numbers.extend((first..=last).filter(|&number| is_in[number]));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_numbers_far_apart_and_many_close_together_rise() {
        for mut numbers in [vec![700, 3, 999], (0..400).rev().step_by(3).collect::<Vec<_>>(), Vec::new()] {
            let mut is_in = vec![false; 1000];
            for &number in &numbers {
                is_in[number] = true;
            }
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            rise(&mut numbers, &is_in);
            assert_eq!(numbers, sorted);
        }
    }
}
