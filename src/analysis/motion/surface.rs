//! A side at rest, and what a frame is beside that.

use std::sync::Arc;

use glam::{DVec3, Mat3, Vec3};

use super::regions::{Class, RegionVolumes};
use crate::actor::SharedPose;
use crate::analysis::measure::{PIECE, mean};
use crate::analysis::region::LEAST_AREA;
use crate::analysis::topology::MeshTopology;
use crate::analysis::twist::RankError;
use crate::analysis::{Topology, deform_positions_into, dominant_joint, joined, winding};
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Pose, Rig, evaluate};
use crate::skinning::{Deformed, Palette, Skinner};

/// Share of its area by which a triangle must be turned over: one that has collapsed is neither.
const LEAST_FLIP: f32 = 1e-3;

/// A side in the file's rest pose.
pub(super) struct SkinAtRest<'a> {
    rig: &'a Rig,
    topology: Arc<Topology>,
    regions: RegionVolumes,
    /// By mesh instance, its triangles in the order of the topology.
    triangles: Vec<Vec<TriangleAtRest>>,
    /// Nodes that triangles follow.
    nodes: Vec<NodeIndex>,
    /// By entry of `nodes`, node from world without translation.
    node_from_world: Vec<Mat3>,
    volume: f64,
}

/// A triangle of a mesh instance.
struct TriangleAtRest {
    /// Its normal, as long as twice its area, over the square of that; 0 for one that is too small to be compared.
    normal: Vec3,
    /// Position in [`SkinAtRest::nodes`] of the node that moves most of its corners most.
    node: u32,
    class: Class,
}

/// Measures of one side in one frame; see [`super::SideMotion`].
pub(super) struct SideFrame {
    pub volume: f64,
    pub least_area_ratio: f32,
    pub flipped: u32,
    pub regions: Vec<f32>,
}

/// Memory for one frame.
#[derive(Default)]
pub(super) struct Workplace {
    /// Positions of the vertices of a mesh, seen from their mean.
    positions: Vec<DVec3>,
    /// By class of triangles, the volume between them and the mean.
    sums: Vec<f64>,
    volumes: Vec<f64>,
    /// By node that triangles follow, what it does to normals.
    turns: Vec<Mat3>,
}

/// Sums over the triangles of a frame.
struct Sums {
    volume: f64,
    /// Square of the least ratio of areas.
    least_square: f32,
    flipped: u32,
}

impl<'a> SkinAtRest<'a> {
    /// Skins the rest pose and finds the regions of a rig, which is that of the skinner or the same by other weights; `None` where it was cancelled.
    pub(super) fn new(
        skinner: &'a Skinner,
        (topology, weights): (Arc<Topology>, &Rig),
        progress: &Progress,
    ) -> Option<Self> {
        let rig = skinner.rig();
        let pose = SharedPose::of(rig, evaluate(rig, None, &Pose::rest(&rig.hierarchy)));
        let mut surfaces = Vec::new();
        deform_positions_into(skinner, pose.skin_pose(), &mut surfaces);
        progress.go_on()?;
        let normals: Vec<Vec<Vec3>> = rig
            .instances
            .iter()
            .zip(&surfaces)
            .map(|(instance, parts)| normals(topology.mesh(instance.mesh), &joined(parts)))
            .collect();
        let area = |normal: &Vec3| Some(f64::from(normal.length()) / 2.0).filter(|a| a.is_finite()).unwrap_or(0.0);
        let areas: Vec<Vec<f64>> = normals.iter().map(|normals| normals.iter().map(area).collect()).collect();
        let (regions, classes) = RegionVolumes::new(weights, &topology, &areas, progress)?;
        let mut followed = Followed::default();
        let least = LEAST_AREA * rig.size() * rig.size();
        let triangles = normals.iter().zip(classes).enumerate().map(|(instance, (normals, classes))| {
            let mesh = topology.mesh(rig.instances[instance].mesh);
            let triangles = mesh.triangles().iter().zip(normals).zip(classes);
            let at_rest = |((corners, normal), class): ((&[u32; 3], &Vec3), Class)| TriangleAtRest {
                normal: if normal.length() > least { *normal / normal.length_squared() } else { Vec3::ZERO },
                node: followed.number(followed_node(weights, instance, mesh, *corners)),
                class,
            };
            triangles.map(at_rest).collect()
        });
        let triangles = triangles.collect();
        let nodes = followed.nodes;
        let inverse = |node: &NodeIndex| pose.posed.world_from_node[node.index()].matrix3.inverse();
        let node_from_world = nodes.iter().map(inverse).collect();
        let mut at_rest = Self { rig, topology, regions, triangles, nodes, node_from_world, volume: 0.0 };
        let mut place = Workplace::default();
        at_rest.volume = at_rest.sums(&surfaces, &pose, &mut place).volume;
        at_rest.regions.begin_with(&place.volumes);
        Some(at_rest)
    }

    /// Volume at rest, m³.
    pub(super) fn volume(&self) -> f64 {
        self.volume
    }

    pub(super) fn joints(&self) -> &[NodeIndex] {
        &self.regions.joints
    }

    pub(super) fn regions_off(&self) -> Option<RankError> {
        self.regions.off
    }

    /// Measures of a frame.
    ///
    /// *Shapes*: `surfaces` by mesh instance and primitive; positions suffice.
    pub(super) fn frame(&self, surfaces: &[Vec<Deformed>], pose: &SharedPose, place: &mut Workplace) -> SideFrame {
        let Sums { volume, least_square, flipped } = self.sums(surfaces, pose, place);
        let least_area_ratio = if least_square.is_finite() { least_square.sqrt() } else { 1.0 };
        SideFrame { volume, least_area_ratio, flipped, regions: self.regions.ratios(&place.volumes) }
    }

    /// Sums over all triangles; leaves the volumes of the regions in `place`.
    fn sums(&self, surfaces: &[Vec<Deformed>], pose: &SharedPose, place: &mut Workplace) -> Sums {
        let Workplace { positions, sums, volumes, turns } = place;
        sums.clear();
        sums.resize(self.regions.classes(), 0.0);
        volumes.clear();
        volumes.resize(self.regions.joints.len(), 0.0);
        turns.clear();
        turns.extend(self.nodes.iter().zip(&self.node_from_world).map(|(node, from_world)| {
            let world = pose.posed.world_from_node[node.index()].matrix3;
            cofactor(world * *from_world)
        }));
        let mut all = Sums { volume: 0.0, least_square: f32::INFINITY, flipped: 0 };
        let instances = self.rig.instances.iter().zip(surfaces).zip(pose.palettes.iter());
        for (number, ((instance, parts), palette)) in instances.enumerate() {
            let joined = joined(parts);
            let about = mean(&joined);
            positions.clear();
            positions.extend(joined.iter().map(|position| position.as_dvec3() - about));
            let mesh = self.topology.mesh(instance.mesh);
            all.add(mesh, &self.triangles[number], (positions, turns, palette), sums);
            self.regions.add_fans(number, positions, volumes);
        }
        self.regions.add_triangles(sums, volumes);
        all
    }
}

impl Sums {
    /// Adds the triangles of a mesh instance, of which the vertices are seen from their mean.
    fn add(
        &mut self,
        mesh: &MeshTopology,
        at_rest: &[TriangleAtRest],
        (positions, turns, palette): (&[DVec3], &[Mat3], &Palette),
        by_class: &mut [f64],
    ) {
        let mut volume = 0.0;
        for (triangles, at_rest) in mesh.triangles().chunks(PIECE).zip(at_rest.chunks(PIECE)) {
            let mut piece = 0.0;
            for (corners, at_rest) in triangles.iter().zip(at_rest) {
                let [a, b, c] = corners.map(|vertex| positions[vertex as usize]);
                let cross = (b - a).cross(c - a);
                // As in `Size`, to the bit.
                let own = a.dot(cross) / 6.0;
                if !own.is_finite() {
                    continue;
                }
                piece += own;
                by_class[at_rest.class as usize] += own;
                self.compare(cross.as_vec3(), at_rest, turns);
            }
            volume += if f64::is_finite(piece) { piece } else { 0.0 };
        }
        self.volume += volume * f64::from(winding(palette));
    }

    /// Compares the normal of a triangle, as long as twice its area, with what it was.
    fn compare(&mut self, normal: Vec3, at_rest: &TriangleAtRest, turns: &[Mat3]) {
        // Over twice the area, squared.
        let scale = at_rest.normal.length_squared();
        if scale == 0.0 {
            return;
        }
        self.least_square = self.least_square.min(normal.length_squared() * scale);
        let expected = turns[at_rest.node as usize] * at_rest.normal;
        if normal.dot(expected) * scale < -LEAST_FLIP * expected.length_squared() {
            self.flipped += 1;
        }
    }
}

/// What a transform without translation does to the normal of a triangle that is as long as twice its area.
fn cofactor(Mat3 { x_axis, y_axis, z_axis }: Mat3) -> Mat3 {
    Mat3::from_cols(y_axis.cross(z_axis), z_axis.cross(x_axis), x_axis.cross(y_axis))
}

/// The normal of each triangle, as long as twice its area.
fn normals(mesh: &MeshTopology, positions: &[Vec3]) -> Vec<Vec3> {
    let normal = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize]);
        (b - a).cross(c - a)
    };
    mesh.triangles().iter().map(normal).collect()
}

/// The node that moves most corners of a triangle most, of three different ones that of the first.
fn followed_node(rig: &Rig, instance: usize, mesh: &MeshTopology, corners: [u32; 3]) -> NodeIndex {
    let [first, second, third] = corners.map(|vertex| {
        let place = mesh.place(vertex as usize);
        dominant_joint(rig, instance, place.primitive, place.vertex).unwrap_or(rig.instances[instance].node)
    });
    if second == third { second } else { first }
}

/// Numbers the nodes that triangles follow.
#[derive(Default)]
struct Followed {
    nodes: Vec<NodeIndex>,
    /// By node, its number and 1.
    numbers: Vec<u32>,
}

impl Followed {
    fn number(&mut self, node: NodeIndex) -> u32 {
        if self.numbers.len() <= node.index() {
            self.numbers.resize(node.index() + 1, 0);
        }
        let number = &mut self.numbers[node.index()];
        if *number == 0 {
            self.nodes.push(node);
            *number = self.nodes.len() as u32;
        }
        *number - 1
    }
}
