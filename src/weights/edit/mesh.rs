//! Points that are selected and edited: vertices at one position are one, so that no seam opens.

use std::collections::BTreeMap;

use glam::Vec3;

use super::lists::Lists;
use crate::jobs::Progress;
use crate::rig::{Influences, NodeIndex, Rig};
use crate::weights::body::{Body, BodyPart};

/// Influences that every engine takes: no mesh is held to fewer.
const LEAST_LIMIT: usize = 4;
/// The welded points of a character's skinned meshes, numbered through all of its bodies, and which hang together.
#[derive(Debug, Default)]
pub struct EditMesh {
    pub(super) bodies: Vec<EditBody>,
    /// Body and part of every skinned primitive, by mesh and primitive.
    parts: BTreeMap<(usize, usize), (usize, usize)>,
    len: usize,
}

/// A body with what lies at each of its points.
#[derive(Debug)]
pub(super) struct EditBody {
    pub body: Body,
    /// Number of the body's first point.
    pub first: u32,
    /// Triangles around each point.
    triangles: Lists<u32>,
    /// Part and vertex of every vertex at each point.
    vertices: Lists<(u32, u32)>,
    /// Influences that vertices of each part may have at most.
    limits: Vec<usize>,
}

impl EditMesh {
    /// Welds the skinned meshes of a character as its file has it. `None` where the job was cancelled.
    ///
    /// *Cost*: linear in vertices.
    pub fn new(rig: &Rig, progress: &Progress) -> Option<Self> {
        let mut mesh = Self::default();
        for body in Body::of(rig, |_| false) {
            progress.go_on()?;
            for (at, part) in body.parts.iter().enumerate() {
                mesh.parts.insert((part.mesh, part.primitive), (mesh.bodies.len(), at));
            }
            let body = EditBody::new(body, mesh.len as u32, rig);
            mesh.len += body.body.points.len();
            mesh.bodies.push(body);
        }
        Some(mesh)
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True where nothing is skinned.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The point of each vertex of a primitive; none where it is not skinned.
    pub fn points_of(&self, mesh: usize, primitive: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        let part = self.parts.get(&(mesh, primitive)).map(|&(body, part)| (&self.bodies[body], part));
        let (first, points) =
            part.map_or((0, &[][..]), |(body, part)| (body.first, body.body.parts[part].points.as_slice()));
        points.iter().map(move |point| first + point)
    }

    /// Mesh, primitive and number of every vertex at a point.
    pub fn vertices_at(&self, point: u32) -> impl ExactSizeIterator<Item = (usize, usize, u32)> + '_ {
        let body = self.body_of(point);
        body.vertices((point - body.first) as usize).iter().map(|&(part, vertex)| {
            let part = &body.body.parts[part as usize];
            (part.mesh, part.primitive, vertex)
        })
    }

    /// Calls for the joints and weights above 0 of a vertex in a rig with these meshes.
    pub(super) fn weights_of(
        &self,
        rig: &Rig,
        (mesh, primitive): (usize, usize),
        vertex: u32,
        mut call: impl FnMut(NodeIndex, f32),
    ) {
        let Some(&(body, part)) = self.parts.get(&(mesh, primitive)) else { return };
        let joints = &rig.skins[self.bodies[body].body.parts[part].skin].joints;
        let Some(influences) = &rig.meshes[mesh].primitives[primitive].influences else { return };
        for (joint, weight) in influences.of(vertex as usize).filter(|(_, weight)| *weight > 0.0) {
            call(joints[joint], weight);
        }
    }

    /// Place of a point where it was bound, metres.
    pub(super) fn place(&self, point: u32) -> Vec3 {
        let body = self.body_of(point);
        body.body.points[(point - body.first) as usize]
    }

    /// Points that share a triangle with a point, itself among them; some several times.
    pub(super) fn around(&self, point: u32) -> impl Iterator<Item = u32> + '_ {
        let body = self.body_of(point);
        body.around((point - body.first) as usize).map(|other| body.first + other)
    }

    fn body_of(&self, point: u32) -> &EditBody {
        &self.bodies[self.bodies.partition_point(|body| body.first <= point) - 1]
    }
}

impl EditBody {
    fn new(body: Body, first: u32, rig: &Rig) -> Self {
        let count = body.points.len();
        let corners = (0..).zip(&body.triangles).flat_map(|(number, corners)| corners.map(|corner| (corner, number)));
        let of_part = |(number, part): (u32, &BodyPart)| {
            let points = part.points.clone();
            points.into_iter().zip(0..).map(move |(point, vertex)| (point, (number, vertex)))
        };
        let vertices = (0..).zip(&body.parts).flat_map(of_part);
        let limit = |part: &BodyPart| {
            let own = rig.meshes[part.mesh].primitives[part.primitive].influences.as_ref();
            own.map_or(0, Influences::per_vertex).max(LEAST_LIMIT)
        };
        Self {
            triangles: Lists::new(count, corners),
            vertices: Lists::new(count, vertices),
            limits: body.parts.iter().map(limit).collect(),
            first,
            body,
        }
    }

    /// Part and vertex of every vertex at a point of this body.
    pub(super) fn vertices(&self, point: usize) -> &[(u32, u32)] {
        self.vertices.of(point)
    }

    /// Numbers of the triangles around a point of this body.
    pub(super) fn triangles(&self, point: usize) -> &[u32] {
        self.triangles.of(point)
    }

    fn around(&self, point: usize) -> impl Iterator<Item = u32> + '_ {
        self.triangles(point).iter().flat_map(|&triangle| self.body.triangles[triangle as usize])
    }

    /// Influences that all vertices at a point may have.
    pub(super) fn limit(&self, point: usize) -> usize {
        self.vertices(point).iter().map(|&(part, _)| self.limits[part as usize]).min().unwrap_or(LEAST_LIMIT)
    }

    /// Bones and weights of a point in a rig with these meshes: the mean of its vertices. What joints move that are no bones is left out.
    pub(super) fn row(&self, rig: &Rig, bone_of: &BTreeMap<NodeIndex, u16>, point: usize) -> Vec<(u16, f32)> {
        let vertices = self.vertices(point);
        let mut row: BTreeMap<u16, f32> = BTreeMap::new();
        for &(part, vertex) in vertices {
            let part = &self.body.parts[part as usize];
            let Some(influences) = &rig.meshes[part.mesh].primitives[part.primitive].influences else { continue };
            let joints = &rig.skins[part.skin].joints;
            for (joint, weight) in influences.of(vertex as usize).filter(|(_, weight)| *weight > 0.0) {
                if let Some(&bone) = joints.get(joint).and_then(|node| bone_of.get(node)) {
                    *row.entry(bone).or_default() += weight;
                }
            }
        }
        row.into_iter().map(|(bone, weight)| (bone, weight / vertices.len() as f32)).collect()
    }
}
