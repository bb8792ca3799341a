use glam::{Affine3, Mat3, Vec2, Vec3, Vec4};

use crate::rig::{MeshInstance, Primitive, Rig};

/// All vertices of a mesh, numbered across its primitives.
pub struct MatchSurface<'a> {
    /// Primitives of the mesh.
    pub primitives: &'a [Primitive],
    starts: Vec<usize>,
    /// Positions of all vertices, after the transform to common coordinates.
    pub positions: Vec<Vec3>,
    /// Transform for normals; `None` for the identity.
    normals: Option<Mat3>,
    /// Shared ID of each joint of the skin, in skin order.
    pub joint_ids: Vec<u32>,
}

impl<'a> MatchSurface<'a> {
    /// `joint_ids` holds the shared ID of each joint of the instance's skin; `to` is applied to positions and normals.
    pub(crate) fn new(rig: &'a Rig, instance: &MeshInstance, joint_ids: Vec<u32>, to: Option<Affine3>) -> Self {
        let primitives = &rig.meshes[instance.mesh].primitives;
        let mut starts = vec![0];
        for primitive in primitives {
            starts.push(starts.last().copied().unwrap_or_default() + primitive.positions.len());
        }
        let positions = primitives.iter().flat_map(|p| &p.positions);
        let positions = positions.map(|&p| to.map_or(p, |to| to.transform_point3(p))).collect();
        let normals = to.map(|to| to.matrix3.inverse().transpose());
        Self { primitives, starts, positions, normals, joint_ids }
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Returns a vertex's primitive and the vertex's index within that primitive.
    pub fn place(&self, vertex: usize) -> (&'a Primitive, usize) {
        let primitive = self.starts.partition_point(|&start| start <= vertex).saturating_sub(1);
        (&self.primitives[primitive], vertex - self.starts[primitive])
    }

    /// Iterates over `(shared joint ID, weight)` of a vertex. A joint may appear twice.
    pub fn weights(&self, vertex: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
        let (primitive, vertex) = self.place(vertex);
        let influences = primitive.influences.as_ref().filter(|i| i.per_vertex() > 0);
        let all = influences.into_iter().flat_map(move |influences| influences.vertex(vertex));
        all.filter(|(_, weight)| *weight > 0.0).map(|(joint, weight)| (self.joint_ids[joint], weight))
    }

    /// Returns the attributes of a vertex.
    pub fn attributes(&self, vertex: usize) -> VertexAttributes {
        let (primitive, vertex) = self.place(vertex);
        let at = |list: &Option<Vec<Vec2>>| list.as_ref().map(|list| list[vertex]);
        VertexAttributes {
            normal: primitive.normals.as_ref().and_then(|list| match self.normals {
                Some(to) => (to * list[vertex]).try_normalize(),
                None => list[vertex].try_normalize(),
            }),
            tex_coords: [at(&primitive.tex_coords), at(&primitive.second_tex_coords)],
            color: primitive.colors.as_ref().map(|list| list[vertex]),
            dq_weight: primitive.dq_weights.get(vertex).copied(),
        }
    }

    /// Iterates over triangles, lines and points as vertex indices. Lines and points repeat the last vertex.
    pub fn elements(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.starts.iter().zip(self.primitives).flat_map(|(&start, primitive)| {
            let triangles = primitive.indices.as_chunks().0.iter().copied();
            let lines = primitive.lines.as_chunks().0.iter().map(|&[a, b]| [a, b, b]);
            let points = primitive.points.iter().map(|&a| [a; 3]);
            triangles.chain(lines).chain(points).map(move |corners| corners.map(|c| c + start as u32))
        })
    }
}

/// Attributes of a vertex; a field is `None` if the mesh lacks the attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexAttributes {
    /// Unit vector; also `None` for a zero normal.
    pub normal: Option<Vec3>,
    /// Texture coordinates of both sets.
    pub tex_coords: [Option<Vec2>; 2],
    /// Linear RGBA.
    pub color: Option<Vec4>,
    /// DQ blend weight, 0 to 1.
    pub dq_weight: Option<f32>,
}

impl VertexAttributes {
    /// Returns how much the attributes of two vertices differ; 0 if they are equal. Ignores attributes that only one of
    /// the vertices has.
    pub(crate) fn unlike(&self, other: &Self) -> f32 {
        let normal = apart(self.normal, other.normal, Vec3::distance);
        let first = apart(self.tex_coords[0], other.tex_coords[0], Vec2::distance);
        let second = apart(self.tex_coords[1], other.tex_coords[1], Vec2::distance);
        let color = apart(self.color, other.color, Vec4::distance);
        normal + first + second + color + apart(self.dq_weight, other.dq_weight, |a, b| (a - b).abs())
    }
}

fn apart<T>(a: Option<T>, b: Option<T>, distance: impl Fn(T, T) -> f32) -> f32 {
    a.zip(b).map_or(0.0, |(a, b)| distance(a, b))
}
