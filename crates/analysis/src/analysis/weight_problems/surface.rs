//! All drawn primitives as one surface at rest, with weights per point.

use std::collections::BTreeMap;

use glam::Vec3;
use rayon::prelude::*;

use crate::analysis::Topology;
use crate::analysis::measure::VertexLocation;
use rigscope_core::rig::{JaggedArray, NodeIndex, PointGraph, PrimitiveIndex, Rig, VertexList, components};
use rigscope_core::skinning::{Deformed, SkinPose, Skinner};

/// Vertices at one place are welded if the sum of the differences of their weights is at most this: files round weights to
/// bytes, and UV seams repeat them.
const ALIKE: f32 = 0.05;

/// All drawn primitives at rest, joined. Vertices are numbered across all primitives and welded within each mesh
/// instance if joints move them alike. A point is the first vertex of a group of welded vertices.
pub(in crate::analysis) struct RestSurface {
    parts: Vec<PrimitiveIndex>,
    /// Index of the first vertex of each primitive, followed by the total number of vertices.
    offsets: Vec<usize>,
    vertices: JaggedArray<u32>,
    /// World-space rest positions of the vertices, metres.
    pub rest: Vec<Vec3>,
    /// Triangles as point indices, counter-clockwise seen from outside. Triangles that repeat a point are left out.
    pub triangles: Vec<[u32; 3]>,
    pub graph: PointGraph,
    around: JaggedArray<u32>,
    weights: JaggedArray<(NodeIndex, f32)>,
    /// Area of each point: a third of the area of its triangles, m².
    pub areas: Vec<f32>,
    pub components: Vec<u32>,
    pub component_count: usize,
    pub is_skinned: Vec<bool>,
}

impl RestSurface {
    /// `rest` holds the world-space positions of all vertices, metres.
    pub(in crate::analysis) fn new(rig: &Rig, topology: &Topology, rest: Vec<Vec3>) -> Self {
        let parts: Vec<PrimitiveIndex> = rig.parts().collect();
        let (mut offsets, mut places) = (vec![0], Vec::new());
        for instance in &rig.instances {
            let (mesh, first) = (topology.mesh(instance.mesh), places.len());
            offsets.extend(mesh.parts().map(|range| first + range.end));
            places.extend((0..mesh.vertex_count()).map(|vertex| (first + mesh.point(vertex)) as u32));
        }
        let (weights, is_skinned) = weights(rig);
        let points = points(&places, &weights);
        let (mut triangles, mut first) = (Vec::new(), 0);
        for instance in &rig.instances {
            let mesh = topology.mesh(instance.mesh);
            let of_mesh = &points[first..];
            let placed = mesh.triangles().iter().map(|triangle| triangle.map(|vertex| of_mesh[vertex as usize]));
            first += mesh.vertex_count();
            triangles.extend(placed.filter(|[a, b, c]| a != b && b != c && c != a));
        }
        let graph = PointGraph::new(points.len(), triangles.iter().copied());
        let corners = (0..).zip(&triangles).flat_map(|(number, triangle)| triangle.map(|point| (point, number)));
        let around = JaggedArray::new(points.len(), corners);
        let mut areas = vec![0.0; points.len()];
        for triangle in &triangles {
            let [a, b, c] = triangle.map(|point| rest[point as usize]);
            let third = (b - a).cross(c - a).length() / 6.0;
            for point in triangle {
                areas[*point as usize] += third;
            }
        }
        let (components, component_count) = components(points.len(), triangles.iter().copied());
        let vertices = JaggedArray::new(points.len(), points.iter().copied().zip(0..));
        Self {
            parts,
            offsets,
            vertices,
            rest,
            triangles,
            graph,
            around,
            weights,
            areas,
            components,
            component_count,
            is_skinned,
        }
    }

    /// Returns true if a barycentric position on a triangle lies on the border of the surface.
    pub(in crate::analysis) fn is_at_border(&self, triangle: u32, shares: [f32; 3]) -> bool {
        let corners = self.triangles[triangle as usize].into_iter().zip(shares);
        let mut met = corners.filter(|(_, share)| *share > 0.0).map(|(corner, _)| corner);
        shares.contains(&0.0) && met.all(|corner| self.graph.is_border[corner as usize])
    }

    pub(in crate::analysis) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(in crate::analysis) fn used_points(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len() as u32).filter(|&vertex| !self.around(vertex).is_empty())
    }

    pub(in crate::analysis) fn around(&self, point: u32) -> &[u32] {
        self.around.row(point as usize)
    }

    /// Returns the nodes that move a point, with weights that sum to 1.
    pub(in crate::analysis) fn weights(&self, point: u32) -> &[(NodeIndex, f32)] {
        self.weights.row(point as usize)
    }

    /// Returns the node with the largest weight; on ties, the first.
    pub(in crate::analysis) fn heaviest(&self, point: u32) -> Option<NodeIndex> {
        let heavier = |a: (NodeIndex, f32), b: (NodeIndex, f32)| if b.1 > a.1 { b } else { a };
        self.weights(point).iter().copied().reduce(heavier).map(|(node, _)| node)
    }

    /// Returns the node that most corners of a triangle follow.
    pub(in crate::analysis) fn followed(&self, points: [u32; 3]) -> NodeIndex {
        let [a, b, c] = points.map(|point| self.heaviest(point));
        if b == c { b } else { a }.unwrap_or(NodeIndex(0))
    }

    /// Returns the mean normal of each point, normalised, or zero if undefined.
    pub(in crate::analysis) fn normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let of_triangle = |&triangle: &u32| cross(self.corners(triangle, positions));
        let of_point = |point: u32| self.around(point).iter().map(of_triangle).sum::<Vec3>().normalize_or_zero();
        (0..self.len() as u32).into_par_iter().map(of_point).collect()
    }

    pub(in crate::analysis) fn corners(&self, triangle: u32, positions: &[Vec3]) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|point| positions[point as usize])
    }

    /// Returns the primitive of a point, and its vertex in the primitive.
    pub(in crate::analysis) fn location(&self, point: u32) -> Option<VertexLocation> {
        let at = self.offsets.partition_point(|&start| start <= point as usize).checked_sub(1)?;
        let PrimitiveIndex { instance, primitive } = *self.parts.get(at)?;
        Some(VertexLocation { instance, primitive, vertex: point as usize - self.offsets[at] })
    }

    pub(in crate::analysis) fn vertices_at(&self, points: &[u32]) -> Vec<(PrimitiveIndex, VertexList)> {
        let mut vertices: Vec<u32> =
            points.iter().flat_map(|&point| self.vertices.row(point as usize)).copied().collect();
        vertices.sort_unstable();
        let mut found: Vec<(PrimitiveIndex, VertexList)> = Vec::new();
        for vertex in vertices.into_iter().map(|vertex| vertex as usize) {
            let at = self.offsets.partition_point(|&start| start <= vertex) - 1;
            if found.last().is_none_or(|(last, _)| *last != self.parts[at]) {
                found.push((self.parts[at], VertexList::default()));
            }
            if let Some((_, list)) = found.last_mut() {
                list.push_listed(vertex - self.offsets[at]);
            }
        }
        found
    }
}

/// Returns the triangle normal; its length is twice the triangle's area.
pub(in crate::analysis) fn cross([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

pub(in crate::analysis) fn deform_joined(
    skinner: &Skinner,
    pose: SkinPose<'_>,
    part: &mut Deformed,
    positions: &mut Vec<Vec3>,
) {
    positions.clear();
    for index in skinner.rig().parts() {
        skinner.deform_positions_into(index, pose, part);
        positions.extend(&part.positions);
    }
}

/// Returns each vertex's weights, and whether a skin moves it. In unskinned meshes, each vertex follows the mesh's node
/// with weight 1.
fn weights(rig: &Rig) -> (JaggedArray<(NodeIndex, f32)>, Vec<bool>) {
    let (mut rows, mut is_skinned) = (Vec::new(), Vec::new());
    for (instance, primitive) in rig.primitives() {
        let influences = primitive.influences.as_ref().zip(instance.skin.map(|skin| &rig.skins[skin]));
        for vertex in 0..primitive.positions.len() {
            let number = is_skinned.len() as u32;
            is_skinned.push(influences.is_some());
            match influences {
                Some((influences, skin)) => {
                    let moved = influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0);
                    rows.extend(moved.filter_map(|(joint, weight)| Some((number, (*skin.joints.get(joint)?, weight)))));
                }
                None => rows.push((number, (instance.node, 1.0))),
            }
        }
    }
    (JaggedArray::new(is_skinned.len(), rows.iter().copied()), is_skinned)
}

/// Returns the first vertex that is at the same place as each vertex and moves like it. `places` are the first vertices
/// at the same place. Parts that only touch, such as those of a robot, don't pull each other along.
fn points(places: &[u32], weights: &JaggedArray<(NodeIndex, f32)>) -> Vec<u32> {
    let mut firsts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let point = |(vertex, &place): (u32, &u32)| {
        if vertex == place {
            return vertex;
        }
        let others = firsts.entry(place).or_default();
        let own = weights.row(vertex as usize);
        let mut known = std::iter::once(place).chain(others.iter().copied());
        let alike = known.find(|first| difference(own, weights.row(*first as usize)) <= ALIKE);
        alike.unwrap_or_else(|| {
            others.push(vertex);
            vertex
        })
    };
    (0..).zip(places).map(point).collect()
}

/// Returns the sum of the absolute differences of the weights of two vertices.
fn difference(a: &[(NodeIndex, f32)], b: &[(NodeIndex, f32)]) -> f32 {
    let weight = |row: &[(NodeIndex, f32)], node: NodeIndex| {
        row.iter().filter(|(other, _)| *other == node).map(|(_, weight)| weight).sum::<f32>()
    };
    let of_a = a.iter().map(|&(node, own)| (own - weight(b, node)).abs());
    let only_b = b.iter().filter(|(node, _)| a.iter().all(|(other, _)| other != node)).map(|(_, weight)| weight.abs());
    of_a.chain(only_b).sum()
}
