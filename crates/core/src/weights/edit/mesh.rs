//! Welded points for selection and editing: vertices at one position move together, so no seam opens.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::jobs::Progress;
use crate::rig::{Influences, JaggedArray, NodeIndex, PointGraph, Rig, components};
use crate::weights::body::{Body, BodyPrimitive};

/// Number of influences per vertex that every engine supports.
const MIN_LIMIT: usize = 4;

/// Welded points of a character's skinned meshes and their connectivity, numbered across all bodies.
#[derive(Debug, Default)]
pub struct EditMesh {
    pub(super) bodies: Vec<EditBody>,
    /// Body index, and index of the primitive in the body, by mesh and primitive index.
    parts: BTreeMap<(usize, usize), (usize, usize)>,
    len: usize,
    components: usize,
}

#[derive(Debug)]
pub(super) struct EditBody {
    pub body: Body,
    /// Index of the body's first point in the whole mesh.
    pub first: u32,
    triangles: JaggedArray<u32>,
    graph: PointGraph,
    /// Connected component of each point, numbered across all bodies.
    component_at: Vec<u32>,
    component_count: usize,
    /// Part index and vertex index of each vertex at each point.
    vertices: JaggedArray<(u32, u32)>,
    limits: Vec<usize>,
}

impl EditMesh {
    /// Welds the skinned meshes of a character. `None` if cancelled. *Cost*: linear in vertices.
    pub fn new(rig: &Rig, progress: &Progress) -> Option<Self> {
        let mut mesh = Self::default();
        for body in Body::from_rig(rig, |_| false) {
            progress.check_cancelled()?;
            for (at, part) in body.parts.iter().enumerate() {
                mesh.parts.insert((part.mesh, part.primitive), (mesh.bodies.len(), at));
            }
            let body = EditBody::new(body, (mesh.len as u32, mesh.components), rig, progress)?;
            mesh.len += body.body.points.len();
            mesh.components += body.component_count;
            mesh.bodies.push(body);
        }
        Some(mesh)
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if nothing is skinned.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.parts.keys().copied()
    }

    /// Returns the point of each vertex of a primitive; empty if it is not skinned.
    pub fn primitive_points(&self, mesh: usize, primitive: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        #[cfg(any(test, feature = "testing"))]
        looked_at::add(self.len);
        let part = self.parts.get(&(mesh, primitive)).map(|&(body, part)| (&self.bodies[body], part));
        let (first, points) =
            part.map_or((0, &[][..]), |(body, part)| (body.first, body.body.parts[part].points.as_slice()));
        points.iter().map(move |point| first + point)
    }

    /// Returns mesh, primitive and vertex index of each vertex at a point.
    pub fn vertices_at(&self, point: u32) -> impl ExactSizeIterator<Item = (usize, usize, u32)> + '_ {
        let body = self.body_at(point);
        body.vertices((point - body.first) as usize).iter().map(|&(part, vertex)| {
            let part = &body.body.parts[part as usize];
            (part.mesh, part.primitive, vertex)
        })
    }

    /// Returns the joints and weights of a point's first vertex. `rig` must have the same meshes. The point's other
    /// vertices have nearly the same weights.
    pub(super) fn weights_of<'a>(&'a self, rig: &'a Rig, point: u32) -> impl Iterator<Item = (NodeIndex, f32)> + 'a {
        let body = self.body_at(point);
        let first = body.vertices((point - body.first) as usize).first();
        let known = first.and_then(|&(part, vertex)| {
            let part = &body.body.parts[part as usize];
            let influences = rig.meshes[part.mesh].primitives[part.primitive].influences.as_ref()?;
            Some((influences.vertex(vertex as usize), &rig.skins[part.skin].joints))
        });
        let weights = known.into_iter().flat_map(|(row, joints)| row.map(|(joint, weight)| (joints[joint], weight)));
        weights.filter(|(_, weight)| *weight > 0.0)
    }

    pub(super) fn place(&self, point: u32) -> Vec3 {
        let body = self.body_at(point);
        body.body.points[(point - body.first) as usize]
    }

    pub(super) fn around(&self, point: u32) -> impl Iterator<Item = u32> + '_ {
        let body = self.body_at(point);
        body.graph.neighbors(point - body.first).iter().map(|other| body.first + other)
    }

    pub(super) fn components(&self) -> usize {
        self.components
    }

    pub(super) fn component_of_each(&self) -> impl Iterator<Item = u32> + '_ {
        #[cfg(any(test, feature = "testing"))]
        looked_at::add(self.len);
        self.bodies.iter().flat_map(|body| &body.component_at).copied()
    }

    pub(super) fn component_at(&self, point: u32) -> u32 {
        let body = self.body_at(point);
        body.component_at[(point - body.first) as usize]
    }

    fn body_at(&self, point: u32) -> &EditBody {
        #[cfg(any(test, feature = "testing"))]
        looked_at::add(1);
        &self.bodies[self.bodies.partition_point(|body| body.first <= point) - 1]
    }
}

impl EditBody {
    fn new(body: Body, (first, first_component): (u32, usize), rig: &Rig, progress: &Progress) -> Option<Self> {
        let count = body.points.len();
        let corners = (0..).zip(&body.triangles).flat_map(|(number, corners)| corners.map(|corner| (corner, number)));
        let of_part = |(number, part): (u32, &BodyPrimitive)| {
            let points = part.points.clone();
            points.into_iter().zip(0..).map(move |(point, vertex)| (point, (number, vertex)))
        };
        let vertices = (0..).zip(&body.parts).flat_map(of_part);
        let limit = |part: &BodyPrimitive| {
            let own = rig.meshes[part.mesh].primitives[part.primitive].influences.as_ref();
            own.map_or(0, Influences::per_vertex).max(MIN_LIMIT)
        };
        let triangles = JaggedArray::new(count, corners);
        progress.check_cancelled()?;
        let graph = PointGraph::new(count, body.triangles.iter().copied());
        progress.check_cancelled()?;
        let (mut component_at, component_count) = components(count, body.triangles.iter().copied());
        for component in &mut component_at {
            *component += first_component as u32;
        }
        Some(Self {
            component_at,
            component_count,
            triangles,
            graph,
            vertices: JaggedArray::new(count, vertices),
            limits: body.parts.iter().map(limit).collect(),
            first,
            body,
        })
    }

    pub(super) fn vertices(&self, point: usize) -> &[(u32, u32)] {
        self.vertices.row(point)
    }

    pub(super) fn triangles(&self, point: usize) -> &[u32] {
        self.triangles.row(point)
    }

    pub(super) fn limit(&self, point: usize) -> usize {
        self.vertices(point).iter().map(|&(part, _)| self.limits[part as usize]).min().unwrap_or(MIN_LIMIT)
    }

    /// Returns the bones and weights of a point, averaged over its vertices. `rig` must have the same meshes.
    pub(super) fn row(&self, rig: &Rig, bones_by_node: &BTreeMap<NodeIndex, u16>, point: usize) -> Vec<(u16, f32)> {
        let vertices = self.vertices(point);
        let mut row: BTreeMap<u16, f32> = BTreeMap::new();
        for &(part, vertex) in vertices {
            let part = &self.body.parts[part as usize];
            let Some(influences) = &rig.meshes[part.mesh].primitives[part.primitive].influences else { continue };
            let joints = &rig.skins[part.skin].joints;
            for (joint, weight) in influences.vertex(vertex as usize).filter(|(_, weight)| *weight > 0.0) {
                if let Some(&bone) = joints.get(joint).and_then(|node| bones_by_node.get(node)) {
                    *row.entry(bone).or_default() += weight;
                }
            }
        }
        row.into_iter().map(|(bone, weight)| (bone, weight / vertices.len() as f32)).collect()
    }
}

/// Counts visited points: a machine-independent measure of work.
#[cfg(any(test, feature = "testing"))]
pub mod looked_at {
    use std::cell::Cell;

    thread_local! {
        static POINTS: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add(points: usize) {
        POINTS.set(POINTS.get() + points);
    }

    /// Returns the number of points that this thread has visited.
    pub fn points() -> usize {
        POINTS.get()
    }
}
