//! Surface regions moved by a joint and its parent, and the openings left where a region is cut out of the surface.

mod openings;

use glam::DVec3;

use super::Topology;
use super::measure::SurfaceSize;
pub(super) use openings::{Cap, CapAtRest, Rim, RimEdge, placed};
use openings::{Edge, rims};
use rigscope_core::rig::{Corner, JaggedArray, MeshVertex, NodeIndex, Rig, WeldedMesh};

/// A triangle belongs to a region if, at one of its corners, the weights of the joint and its parent sum to at least
/// this value: half, minus one step of 8-bit weights for rounding. A smaller value would enlarge the regions and hide
/// losses.
const MIN_FRACTION: f32 = 0.5 - 1.0 / 255.0;

/// Number of list entries that can be read in the time it takes to sort one number.
const READ_PER_SORTED: usize = 16;

/// Regions with fewer triangles than this are ignored; their losses are barely visible.
pub(super) const MIN_TRIANGLES: usize = 50;
/// Regions with a smaller fraction of the surface area than this are ignored.
pub(super) const MIN_SURFACE: f64 = 1e-3;

/// Minimum volume of a region, divided by its area to the power 1.5. Flatter regions are sheets that have no meaningful
/// volume.
const MIN_BULK: f64 = 1e-3;

/// Triangles smaller than this, relative to the squared size of the rig, are not compared, because rounding errors
/// would look like stretch.
pub(super) const MIN_AREA: f32 = 1e-9;

/// Maximum uncertainty of a reported loss, as a fraction of the loss.
const MAX_DOUBT: f32 = 0.5;
/// Uncertainties up to this are accepted, however small the loss is.
const MIN_DOUBT: f32 = 0.05;

pub(super) fn is_too_thin(loss: f32, uncertainty: f32) -> bool {
    uncertainty > MIN_DOUBT.max(MAX_DOUBT * loss)
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bulk {
    pub size: SurfaceSize,
    /// Maximum change in the volume if the openings were capped differently, m³.
    pub uncertainty: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RemainingVolume {
    /// Volume relative to rest; NaN if the rest volume is too small.
    pub ratio: f32,
    /// Maximum change in `ratio` if the openings were capped differently.
    pub uncertainty: f32,
}

impl Bulk {
    /// Returns the ratio of `volume` (m³) to the volume at rest. `change` is how much the change in volume since rest
    /// could differ, at most, if the openings were capped differently, in m³.
    pub(super) fn left(&self, volume: f64, change: f64) -> RemainingVolume {
        let Self { size: SurfaceSize { volume: before, area }, uncertainty } = *self;
        if before.abs() <= MIN_BULK * area.powf(1.5) || before.is_nan() {
            return RemainingVolume { ratio: f32::NAN, uncertainty: f32::NAN };
        }
        let ratio = volume / before;
        RemainingVolume {
            ratio: ratio as f32,
            uncertainty: (((1.0 - ratio).abs() * uncertainty + change) / before.abs()) as f32,
        }
    }
}

pub(super) fn joint_above(rig: &Rig, joint: NodeIndex) -> Option<NodeIndex> {
    rig.hierarchy.ancestors(joint).find(|&node| rig.is_joint(node))
}

/// Triangles of a joint's region in one mesh instance.
pub(super) struct Patch {
    pub instance: usize,
    /// Indices into the mesh's triangles, in ascending order.
    pub triangles: Vec<usize>,
    /// Rims of the openings, as vertex indices into the mesh.
    pub openings: Vec<Rim<u32>>,
    /// Edges at which the skin can tear, as vertex indices into the mesh.
    pub tears: Vec<Tear<u32>>,
}

/// An edge at which the skin can tear, because its two triangles have separate vertices at the same positions. The
/// first two vertices are the start and end in one triangle. The last two are the start and end in the other triangle,
/// which traverses the edge in the opposite direction.
pub(super) type Tear<V> = [V; 4];

/// Returns the volume, in m³, between the origin and the wall that closes the gap of a torn edge. It is the mean over
/// both triangulations of the wall.
pub(super) fn tear_volume([a, b, c, d]: Tear<DVec3>) -> f64 {
    let twelve_volumes = [[a, b, c], [a, c, d], [a, b, d], [b, c, d]].map(|[a, b, c]| a.dot(b.cross(c)));
    let volume = -twelve_volumes.iter().sum::<f64>() / 12.0;
    if volume.is_finite() { volume } else { 0.0 }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct InstanceVertex {
    instance: u32,
    vertex: u32,
}

pub(super) struct Regions<'a> {
    rig: &'a Rig,
    topology: &'a Topology,
    /// Vertices that each node moves, in ascending order.
    moved: JaggedArray<InstanceVertex>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(rig: &'a Rig, topology: &'a Topology) -> Self {
        let mut moved = Vec::new();
        each_influence(rig, |node, vertex| moved.push((node.index() as u32, vertex)));
        Self { rig, topology, moved: JaggedArray::new(rig.hierarchy.len(), moved.iter().copied()) }
    }

    /// Returns the region of a joint, by mesh instance. The region consists of the triangles with a corner at which the
    /// weights of the joint and its parent add up to at least [`MIN_FRACTION`].
    pub(super) fn patches(&self, joint: NodeIndex) -> Vec<Patch> {
        let pair = [Some(joint), joint_above(self.rig, joint)];
        let mut vertices: Vec<InstanceVertex> =
            pair.iter().flatten().flat_map(|&node| self.moved.row(node.index())).copied().collect();
        // Both lists ascend, so the stable sort merges them.
        vertices.sort();
        vertices.dedup();
        let by_instance = vertices.chunk_by(|a, b| a.instance == b.instance);
        by_instance.map(|vertices| self.of_instance(vertices, pair)).collect()
    }

    fn of_instance(&self, vertices: &[InstanceVertex], pair: [Option<NodeIndex>; 2]) -> Patch {
        let instance = vertices[0].instance as usize;
        let mesh = self.topology.mesh(self.rig.instances[instance].mesh);
        let numbers = vertices.iter().map(|v| v.vertex as usize);
        let follows = |&vertex: &usize| self.share(instance, mesh.locate(vertex), pair) >= MIN_FRACTION;
        let mut points: Vec<usize> = numbers.filter(follows).map(|vertex| mesh.point(vertex)).collect();
        points.sort_unstable();
        points.dedup();
        let mut is_in = vec![false; mesh.triangles().len()];
        let around = points.into_iter().flat_map(|p| mesh.around(p)).map(|c| c.triangle);
        let mut triangles: Vec<usize> = around.filter(|&t| !std::mem::replace(&mut is_in[t], true)).collect();
        sort_marked(&mut triangles, &is_in);
        let neighbours = mesh.triangle_neighbors();
        let edges = triangles.iter().flat_map(|&triangle| {
            // Skips the edges inside the region before sorting, because most edges are inside.
            let outer = neighbours[triangle].map(|neighbour| neighbour.is_none_or(|other| !is_in[other as usize]));
            (0..3).filter(move |&corner| outer[corner]).map(move |corner| edge(mesh, Corner { triangle, corner }))
        });
        let openings = rims(edges, |side| next_side(mesh, &is_in, side));
        let tears = triangles.iter().flat_map(|&triangle| {
            let later =
                neighbours[triangle].map(|other| other.map(|t| t as usize).filter(|&t| is_in[t] && t > triangle));
            (0..3).filter_map(move |corner| Some((Corner { triangle, corner }, later[corner]?)))
        });
        let tears = tears.filter_map(|(side, other)| self.tear(instance, side, other)).collect();
        Patch { instance, triangles, openings, tears }
    }

    fn tear(&self, instance: usize, side: Corner, other: usize) -> Option<Tear<u32>> {
        let mesh = self.topology.mesh(self.rig.instances[instance].mesh);
        let Edge { points: [_, end], vertices: [a, b], .. } = edge(mesh, side);
        let corner = mesh.triangles()[other].iter().position(|&vertex| mesh.point(vertex as usize) == end)?;
        let [c, d] = edge(mesh, Corner { triangle: other, corner }).vertices;
        // Sides A and B may differ in weights, so this ignores weights. The wall of an edge that stays closed has no volume.
        (a != d || b != c).then_some([a, b, c, d])
    }

    fn share(&self, instance: usize, place: MeshVertex, pair: [Option<NodeIndex>; 2]) -> f32 {
        let placed = &self.rig.instances[instance];
        let influences = &self.rig.meshes[placed.mesh].primitives[place.primitive].influences;
        let Some((influences, skin)) = influences.as_ref().zip(placed.skin) else { return 0.0 };
        let joints = &self.rig.skins[skin].joints;
        influences
            .vertex(place.vertex)
            .filter(|(joint, _)| pair.contains(&Some(joints[*joint])))
            .map(|(_, weight)| weight)
            .sum()
    }
}

fn edge(mesh: &WeldedMesh, side: Corner) -> Edge {
    let corners = mesh.triangles()[side.triangle];
    let vertices = [corners[side.corner], corners[(side.corner + 1) % 3]];
    Edge { points: vertices.map(|vertex| mesh.point(vertex as usize)), vertices, side }
}

/// Returns the edge that follows `side` along the rim of the triangles marked in `is_in`; `None` if there is none.
fn next_side(mesh: &WeldedMesh, is_in: &[bool], side: Corner) -> Option<Corner> {
    let [_, end] = edge(mesh, side).points;
    let mut at = Corner { corner: (side.corner + 1) % 3, ..side };
    for _ in 0..mesh.around(end).len() {
        let across = mesh.triangle_neighbors()[at.triangle][at.corner].map(|triangle| triangle as usize);
        let Some(triangle) = across.filter(|&triangle| is_in[triangle]) else { return Some(at) };
        let corner = mesh.triangles()[triangle].iter().position(|&vertex| mesh.point(vertex as usize) == end)?;
        at = Corner { triangle, corner };
    }
    None
}

/// Sorts `numbers`, which holds the indices at which `is_in` is true.
fn sort_marked(numbers: &mut Vec<usize>, is_in: &[bool]) {
    let (first, last) = (numbers.iter().min().copied(), numbers.iter().max().copied());
    let Some((first, last)) = first.zip(last) else { return };
    if (last - first) / READ_PER_SORTED > numbers.len() {
        numbers.sort_unstable();
    } else {
        numbers.clear();
        numbers.extend((first..=last).filter(|&number| is_in[number]));
    }
}

fn each_influence(rig: &Rig, mut moved: impl FnMut(NodeIndex, InstanceVertex)) {
    for (number, instance) in rig.instances.iter().enumerate() {
        let Some(skin) = instance.skin else { continue };
        let mut first = 0;
        for primitive in &rig.meshes[instance.mesh].primitives {
            for (vertex, influences) in primitive.influences.iter().flat_map(|i| (0..i.len()).map(move |v| (v, i))) {
                for (joint, _) in influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0) {
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
    use super::openings::Cap;
    use super::*;
    use glam::Vec3;
    use rigscope_core::rig::{Influences, Primitive, Trs, testing};

    /// Returns an open square tube along y, made of two stiff segments that meet at y = 1 and share no vertices.
    fn stiff_tube() -> Rig {
        let rings = [(0.0, 0), (1.0, 0), (1.0, 1), (2.0, 1)];
        let ring =
            |(y, _): (f32, u16)| [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]].map(|[x, z]| Vec3::new(x, y, z));
        let quad = |below: u32, side: u32| {
            let [a, b] = [below + side, below + (side + 1) % 4];
            [a, b, b + 4, a, b + 4, a + 4]
        };
        let primitive = Primitive {
            positions: rings.into_iter().flat_map(ring).collect(),
            indices: [0, 8].into_iter().flat_map(|below| (0..4).flat_map(move |side| quad(below, side))).collect(),
            influences: Some(Influences::new(
                1,
                rings.iter().flat_map(|(_, joint)| [*joint; 4]).collect(),
                vec![1.0; 16],
            )),
            ..Primitive::default()
        };
        Rig::new(testing::skinned(testing::chain(2, Trs::from_translation(Vec3::Y)), primitive))
    }

    #[test]
    fn stiff_segments_that_tear_apart_lose_no_volume_seen_from_anywhere() {
        let rig = stiff_tube();
        let topology = Topology::new(&rig);
        let patches = Regions::new(&rig, &topology).patches(NodeIndex(1));
        let [Patch { triangles, openings, tears, .. }] = &patches[..] else { panic!("one instance") };
        assert_eq!((triangles.len(), openings.len(), tears.len()), (16, 2, 4));
        let positions = &rig.meshes[0].primitives[0].positions;
        for (bend, about) in [(0.0, DVec3::ZERO), (0.0, DVec3::new(3.0, 7.0, -2.0)), (0.9, DVec3::new(3.0, 7.0, -2.0))]
        {
            let at = |vertex: u32| {
                let position = positions[vertex as usize].as_dvec3() - DVec3::Y;
                let bend = if vertex < 8 { 0.0 } else { bend };
                glam::DQuat::from_rotation_x(bend) * position + DVec3::Y - about
            };
            let corners = triangles.iter().map(|&triangle| topology.mesh(0).triangles()[triangle].map(at));
            let sides: f64 = corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
            let cap = |rim: &Rim<u32>| Cap::new(placed(rim, at)).volume;
            let torn: f64 = tears.iter().map(|tear| tear_volume(tear.map(at))).sum();
            let volume = sides + openings.iter().map(cap).sum::<f64>() + torn;
            assert!((volume.abs() - 8.0).abs() < 1e-9, "{volume} for a bend of {bend} seen from {about}");
        }
    }

    #[test]
    fn few_numbers_far_apart_and_many_close_together_rise() {
        for mut numbers in [vec![700, 3, 999], (0..400).rev().step_by(3).collect::<Vec<_>>(), Vec::new()] {
            let mut is_in = vec![false; 1000];
            for &number in &numbers {
                is_in[number] = true;
            }
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            sort_marked(&mut numbers, &is_in);
            assert_eq!(numbers, sorted);
        }
    }
}
