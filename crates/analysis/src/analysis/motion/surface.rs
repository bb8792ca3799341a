//! Surface of a side at rest, and comparison of its frames with the rest pose.
#![expect(clippy::inline_always, reason = "what is not inlined is not compiled for wider instructions")]

use std::sync::Arc;

use glam::{DVec3, Mat3, Vec3};

use super::at_rest::{ComparedTriangles, TrianglesAtRest};
use super::regions::{Class, RegionMap, RegionVolumes, remaining_volumes};
use crate::analysis::lanes::{LANES, Lane, Triangles, sum};
use crate::analysis::measure::{PIECE, mean};
use crate::analysis::region::{Bulk, CapAtRest, MIN_AREA, RemainingVolume};
use crate::analysis::twist::RankError;
use crate::analysis::{Topology, deform_positions_into, dominant_joint, joined, triangle_normals, winding};
use rigscope_core::actor::SharedPose;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{MeshInstance, NodeIndex, Pose, Rig, WeldedMesh, evaluate};
use rigscope_core::skinning::{Deformed, Skinner, Vectorized, vectorized};

pub(in crate::analysis) struct RestSkin<'a> {
    rig: &'a Rig,
    pose: SharedPose,
    surfaces: Vec<Vec<Deformed>>,
    /// Triangle normals by mesh instance; the length of each is twice the triangle's area.
    normals: Vec<Vec<Vec3>>,
}

/// Regions and nodes of each triangle; sides with the same character share one map.
pub(in crate::analysis) struct SurfaceMap {
    topology: Arc<Topology>,
    regions: RegionMap,
    nodes: Vec<NodeIndex>,
    /// Class of each triangle, by mesh instance.
    classes: Vec<Vec<Class>>,
    /// Index into `nodes` of the node that dominates most corners of each triangle.
    followed: Vec<Vec<u32>>,
}

/// A side in the file's rest pose, to compare with each frame.
pub(in crate::analysis) struct SkinAtRest<'a> {
    rig: &'a Rig,
    map: Arc<SurfaceMap>,
    /// Triangles by mesh instance, [`LANES`] at a time.
    triangles: Vec<Vec<TrianglesAtRest>>,
    /// Transform from world space to node space at rest, without translation, for each of [`SurfaceMap::nodes`].
    node_from_world: Vec<Mat3>,
    volume: f64,
    /// Size of each region at rest.
    bulks: Vec<Bulk>,
    /// Caps by mesh instance.
    caps: Vec<Vec<CapAtRest>>,
}

pub(in crate::analysis) struct SideFrame {
    pub volume: f64,
    pub min_area_ratio: f32,
    pub flipped: u32,
    pub regions: Vec<RemainingVolume>,
}

#[derive(Default)]
pub(in crate::analysis) struct FrameBuffers {
    /// Six times the volume of each class of triangles, relative to the mean of the vertices, m³.
    sums: Vec<f64>,
    regions: RegionVolumes,
    /// Transform of normals for each of [`SurfaceMap::nodes`].
    turns: Vec<Mat3>,
}

struct FrameSums {
    volume: f64,
    min_square: f32,
    flipped: u32,
}

impl<'a> RestSkin<'a> {
    pub(in crate::analysis) fn new(skinner: &'a Skinner, topology: &Topology) -> Self {
        let rig = skinner.rig();
        let pose = SharedPose::new(rig, evaluate(rig, None, &Pose::rest(&rig.hierarchy)));
        let mut surfaces = Vec::new();
        deform_positions_into(skinner, pose.skin_pose(), &mut surfaces);
        let instances = rig.instances.iter().zip(&surfaces);
        let normals = instances.map(|(instance, parts)| triangle_normals(topology.mesh(instance.mesh), &joined(parts)));
        let normals = normals.collect();
        Self { rig, pose, surfaces, normals }
    }
}

impl SurfaceMap {
    pub(in crate::analysis) fn new(rest: &RestSkin<'_>, topology: Arc<Topology>, progress: &Progress) -> Option<Self> {
        let area = |normal: &Vec3| Some(f64::from(normal.length()) / 2.0).filter(|a| a.is_finite()).unwrap_or(0.0);
        let areas: Vec<Vec<f64>> = rest.normals.iter().map(|normals| normals.iter().map(area).collect()).collect();
        let (regions, classes) = RegionMap::new(rest.rig, &topology, &areas, progress)?;
        let mut followed = FollowedNodes::default();
        let of_instance = |(number, instance): (usize, &MeshInstance)| -> Vec<u32> {
            let dominant = dominant_nodes(rest.rig, number);
            let triangles = topology.mesh(instance.mesh).triangles().iter();
            triangles.map(|corners| followed.number(followed_node(&dominant, *corners))).collect()
        };
        let of_triangles = rest.rig.instances.iter().enumerate().map(of_instance).collect();
        Some(Self { topology, regions, nodes: followed.nodes, classes, followed: of_triangles })
    }
}

impl<'a> SkinAtRest<'a> {
    pub(in crate::analysis) fn new(rest: RestSkin<'a>, map: Arc<SurfaceMap>) -> Self {
        let RestSkin { rig, pose, surfaces, normals } = rest;
        let min_area = MIN_AREA * rig.size() * rig.size();
        let compared = |normal: &Vec3| {
            if normal.length() > min_area { *normal / normal.length_squared() } else { Vec3::ZERO }
        };
        let triangles = normals.iter().zip(&map.followed).map(|(normals, nodes)| {
            let groups = normals.chunks(LANES).zip(nodes.chunks(LANES));
            groups
                .map(|(normals, nodes)| TrianglesAtRest::new(normals.iter().map(compared).zip(nodes.iter().copied())))
                .collect()
        });
        let triangles = triangles.collect();
        let inverse = |node: &NodeIndex| pose.posed.world_from_node[node.index()].matrix3.inverse();
        let node_from_world = map.nodes.iter().map(inverse).collect();
        let caps = surfaces.iter().enumerate().map(|(number, parts)| {
            let positions = &*joined(parts);
            map.regions.caps_at_rest(number, positions, mean(positions))
        });
        let caps = caps.collect();
        let mut at_rest = Self { rig, map, triangles, node_from_world, volume: 0.0, bulks: Vec::new(), caps };
        let mut place = FrameBuffers::default();
        at_rest.volume = at_rest.sums(&surfaces, &pose, &mut place).volume;
        at_rest.bulks = at_rest.map.regions.bulks(&place.regions.volumes, &at_rest.caps);
        at_rest
    }

    pub(super) fn volume(&self) -> f64 {
        self.volume
    }

    pub(in crate::analysis) fn joints(&self) -> &[NodeIndex] {
        &self.map.regions.joints
    }

    pub(super) fn regions_off(&self) -> Option<RankError> {
        self.map.regions.off
    }

    pub(in crate::analysis) fn frame(
        &self,
        surfaces: &[Vec<Deformed>],
        pose: &SharedPose,
        place: &mut FrameBuffers,
    ) -> SideFrame {
        let FrameSums { volume, min_square, flipped } = self.sums(surfaces, pose, place);
        let min_area_ratio = if min_square.is_finite() { min_square.sqrt() } else { 1.0 };
        let regions = remaining_volumes(&place.regions, &self.bulks);
        SideFrame { volume, min_area_ratio, flipped, regions }
    }

    fn sums(&self, surfaces: &[Vec<Deformed>], pose: &SharedPose, place: &mut FrameBuffers) -> FrameSums {
        let FrameBuffers { sums, regions: now, turns } = place;
        let SurfaceMap { topology, regions, nodes, .. } = &*self.map;
        sums.clear();
        sums.resize(regions.classes(), 0.0);
        now.clear(regions.joints.len());
        turns.clear();
        turns.extend(nodes.iter().zip(&self.node_from_world).map(|(node, from_world)| {
            let world = pose.posed.world_from_node[node.index()].matrix3;
            cofactor(world * *from_world)
        }));
        let mut all = FrameSums { volume: 0.0, min_square: f32::INFINITY, flipped: 0 };
        let instances = self.rig.instances.iter().zip(surfaces).zip(pose.palettes.iter());
        for (number, ((instance, parts), palette)) in instances.enumerate() {
            let positions = &*joined(parts);
            let about = mean(positions);
            vectorized(AddTriangles {
                all: &mut all,
                mesh: topology.mesh(instance.mesh),
                at_rest: (&self.triangles[number], &self.map.classes[number]),
                positions,
                about,
                turns,
                side: winding(palette),
                by_class: sums,
            });
            regions.add_caps(number, positions, about, &self.caps[number], now);
        }
        regions.add_triangles(sums, &mut now.volumes);
        all
    }
}

struct AddTriangles<'a> {
    all: &'a mut FrameSums,
    mesh: &'a WeldedMesh,
    at_rest: (&'a [TrianglesAtRest], &'a [Class]),
    positions: &'a [Vec3],
    /// Mean of `positions`.
    about: DVec3,
    turns: &'a [Mat3],
    /// -1 for reversed winding, otherwise 1.
    side: f32,
    by_class: &'a mut [f64],
}

impl Vectorized for AddTriangles<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { all, mesh, at_rest: (at_rest, classes), positions, about, turns, side, by_class } = self;
        let (mut min_squares, mut flipped) = ([all.min_square; LANES], [0; LANES]);
        let mut volume = 0.0;
        let pieces = mesh.triangles().chunks(PIECE).zip(classes.chunks(PIECE));
        for ((triangles, classes), at_rest) in pieces.zip(at_rest.chunks(PIECE / LANES)) {
            let mut piece = [0.0; LANES];
            for ((corners, classes), at_rest) in triangles.chunks(LANES).zip(classes.chunks(LANES)).zip(at_rest) {
                let triangles = Triangles::new(corners, positions, about);
                let compared = ComparedTriangles::new(&triangles, at_rest, turns);
                add_by_class(by_class, classes, &triangles.add_six_volumes(&mut piece));
                for lane in 0..LANES {
                    let counts = triangles.six_volumes[lane].is_finite();
                    let square = if counts { compared.squares[lane] } else { f32::INFINITY };
                    min_squares[lane] = if square < min_squares[lane] { square } else { min_squares[lane] };
                    flipped[lane] += if counts { u32::from(compared.flipped[lane]) } else { 0 };
                }
            }
            let piece = sum(&piece) / 6.0;
            volume += if piece.is_finite() { piece } else { 0.0 };
        }
        all.volume += volume * f64::from(side);
        all.min_square = min_squares.into_iter().fold(f32::INFINITY, f32::min);
        all.flipped += flipped.iter().sum::<u32>();
    }
}

#[inline(always)]
fn add_by_class(by_class: &mut [f64], classes: &[Class], six_volumes: &Lane<f64>) {
    match classes {
        [first, rest @ ..] if rest.iter().all(|class| class == first) => by_class[*first as usize] += sum(six_volumes),
        _ => classes.iter().zip(six_volumes).for_each(|(class, volume)| by_class[*class as usize] += volume),
    }
}

/// Returns the matrix that transforms area vectors when the given matrix transforms positions.
fn cofactor(Mat3 { x_axis, y_axis, z_axis }: Mat3) -> Mat3 {
    Mat3::from_cols(y_axis.cross(z_axis), z_axis.cross(x_axis), x_axis.cross(y_axis))
}

fn dominant_nodes(rig: &Rig, instance: usize) -> Vec<NodeIndex> {
    let placed = &rig.instances[instance];
    let primitives = rig.meshes[placed.mesh].primitives.iter().enumerate();
    let of_vertex = |primitive, vertex| dominant_joint(rig, instance, primitive, vertex).unwrap_or(placed.node);
    primitives
        .flat_map(|(number, primitive)| (0..primitive.positions.len()).map(move |v| of_vertex(number, v)))
        .collect()
}

/// Returns the node that dominates most corners of a triangle, or the first corner's node if all differ.
fn followed_node(dominant: &[NodeIndex], corners: [u32; 3]) -> NodeIndex {
    let [first, second, third] = corners.map(|vertex| dominant[vertex as usize]);
    if second == third { second } else { first }
}

#[derive(Default)]
struct FollowedNodes {
    nodes: Vec<NodeIndex>,
    numbers: Vec<u32>,
}

impl FollowedNodes {
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
