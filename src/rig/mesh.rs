//! Meshes as bound: positions, normals and influences in skin space, triangles as index triples.

use glam::{Vec2, Vec3, Vec4};

use super::{Influences, MaterialIndex, NodeIndex, StoredInfluences};

/// A mesh: primitives that move together.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The file's number of the mesh. Several meshes of the rig may come from one in the file; see [`MeshInstance`].
    pub source: usize,
    /// The file's name; may be empty.
    pub name: String,
    /// Primitives, mostly one per material.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets in the file; empty, or missing at the end, where the file gives none.
    pub target_names: Vec<String>,
}

/// Triangles, lines or points of one material. All vertex arrays are as long as `positions`, in the file's order.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// The file's number of the primitive within its mesh.
    pub source: usize,
    /// Positions, metres, skin space (model space where not skinned).
    pub positions: Vec<Vec3>,
    /// Normals in the file, of unit length up to rounding; `None` where it has none, so that shading is flat.
    pub normals: Option<Vec<Vec3>>,
    /// Direction of the texture's u, unit length, with the side of the bitangent, ±1, in w. `None` where the file has none.
    pub tangents: Option<Vec<Vec4>>,
    /// Tangents made for a normal texture where the file has none; zero where the triangles around a vertex disagree. They are not part of the file and never written.
    pub made_tangents: Option<Vec<Vec4>>,
    /// Texture coordinates for the base colour, v down; without a texture, the file's first set.
    pub tex_coords: Option<Vec<Vec2>>,
    /// Texture coordinates for textures of the material that use another set, v down.
    pub second_tex_coords: Option<Vec<Vec2>>,
    /// `n` of the file's `TEXCOORD_n` that `tex_coords` and `second_tex_coords` come from.
    pub coord_numbers: [u32; 2],
    /// Vertex colours, linear RGBA.
    pub colors: Option<Vec<Vec4>>,
    /// Attributes that nothing draws, kept for writing.
    pub streams: Vec<VertexStream>,
    /// Joints and weights; `None` where the primitive is not skinned.
    pub influences: Option<Influences>,
    /// Joints and weights in the file's order and with its sums, where these differ; `None` where they don't, or the weights are not the file's.
    pub stored_influences: Option<StoredInfluences>,
    /// Dual quaternion share of each vertex, 0 to 1 (the rest is linear); empty where the file has none.
    pub dq_weights: Vec<f32>,
    /// Displacements added to the positions and normals before skinning.
    pub morph_targets: Vec<MorphTarget>,
    /// Triangle list; three valid vertex numbers each, counter-clockwise seen from outside. Empty where there are lines or
    /// points.
    pub indices: Vec<u32>,
    /// Line list instead of triangles; two valid vertex numbers each.
    pub lines: Vec<u32>,
    /// Points instead of triangles; valid vertex numbers.
    pub points: Vec<u32>,
    /// Material; `None` for the default one.
    pub material: Option<MaterialIndex>,
}

/// An attribute of vertices that nothing draws.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexStream {
    /// Name in glTF: `TEXCOORD_n`, `COLOR_n`, or one of the author's own, which begins with an underscore.
    pub name: String,
    /// Numbers per vertex, 1 to 4.
    pub width: usize,
    /// Numbers of all vertices, `width` for each.
    pub values: Vec<f32>,
}

impl VertexStream {
    /// `n` of the `TEXCOORD_n` that the stream is; `None` for another attribute.
    pub fn tex_coord_number(&self) -> Option<u32> {
        self.name.strip_prefix("TEXCOORD_")?.parse().ok()
    }
}

/// One primitive of one mesh instance: a part of what is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartIndex {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Position in the mesh's list of primitives.
    pub primitive: usize,
}

/// Displacements of one morph target; an empty array moves nothing.
#[derive(Clone, Debug, Default)]
pub struct MorphTarget {
    /// Displacements of positions, metres.
    pub positions: Vec<Vec3>,
    /// Displacements of normals.
    pub normals: Vec<Vec3>,
    /// Displacements of the directions of tangents.
    pub tangents: Vec<Vec3>,
}

/// A mesh placed in the scene, by a skin or by the node that carries it.
///
/// With a skin, all primitives of the mesh have influences; without one, none has.
#[derive(Clone, Debug)]
pub struct MeshInstance {
    /// The node that carries the mesh. Its own transform does not move a skinned mesh (glTF 2.0, 3.7.3.3).
    pub node: NodeIndex,
    /// Index into `Rig::meshes`.
    pub mesh: usize,
    /// Index into `Rig::skins`.
    pub skin: Option<usize>,
    /// Weights of the morph targets where no clip moves them.
    pub morph_weights: Vec<f32>,
}
