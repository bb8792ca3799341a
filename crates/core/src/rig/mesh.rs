use glam::{Vec2, Vec3, Vec4};

use super::{Influences, MaterialIndex, NodeIndex, StoredInfluences};

/// A mesh: primitives that share a skin or node.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Index of the mesh in the file; import may split a mesh of the file into several meshes with the same index.
    pub source: usize,
    /// Name in the file; may be empty.
    pub name: String,
    /// Primitives, usually one per material.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets; may be empty or shorter than the list of targets.
    pub target_names: Vec<String>,
}

/// Triangles, lines or points of one material. All vertex arrays are in file order and have the same length as
/// `positions`.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Primitive number within its mesh in the file.
    pub source: usize,
    /// Positions, metres, in skin space (model space if not skinned).
    pub positions: Vec<Vec3>,
    /// Unit normals from the file; `None` means flat shading.
    pub normals: Option<Vec<Vec3>>,
    /// Unit tangents with the handedness of the bitangent, ±1, in w; `None` if the file has none.
    pub tangents: Option<Vec<Vec4>>,
    /// Tangents computed for a normal map, never exported; zero at vertices whose adjacent triangles disagree.
    pub generated_tangents: Option<Vec<Vec4>>,
    /// Texture coordinates of the base colour texture, v down; without that texture, the file's first set.
    pub tex_coords: Option<Vec<Vec2>>,
    /// Texture coordinates of textures that use another set, v down.
    pub second_tex_coords: Option<Vec<Vec2>>,
    /// `n` of `TEXCOORD_n` in the file, for `tex_coords` and `second_tex_coords`.
    pub coord_numbers: [u32; 2],
    /// Vertex colours, linear RGBA.
    pub colors: Option<Vec<Vec4>>,
    /// Attributes that are not drawn, kept for export.
    pub streams: Vec<VertexStream>,
    /// Joints and weights; `None` if not skinned.
    pub influences: Option<Influences>,
    /// Influences as stored in the file, if import changed their order or sum.
    pub stored_influences: Option<StoredInfluences>,
    /// DQ blend weight of each vertex, 0 (linear) to 1; empty if the file has none.
    pub dq_weights: Vec<f32>,
    /// Morph targets, applied before skinning.
    pub morph_targets: Vec<MorphTarget>,
    /// Triangle list: three valid vertex indices each, counter-clockwise from outside. Empty for lines or points.
    pub indices: Vec<u32>,
    /// Line list instead of triangles; two valid vertex indices each.
    pub lines: Vec<u32>,
    /// Point list instead of triangles; valid vertex indices.
    pub points: Vec<u32>,
    /// Material; `None` for the default material.
    pub material: Option<MaterialIndex>,
}

/// A vertex attribute that is not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexStream {
    /// glTF name: `TEXCOORD_n`, `COLOR_n`, or a custom one starting with an underscore.
    pub name: String,
    /// Numbers per vertex, 1 to 4.
    pub width: usize,
    /// Values, `width` per vertex.
    pub values: Vec<f32>,
}

impl VertexStream {
    /// Returns `n` of `TEXCOORD_n`; `None` for other attributes.
    pub fn tex_coord_number(&self) -> Option<u32> {
        self.name.strip_prefix("TEXCOORD_")?.parse().ok()
    }
}

/// A drawn primitive: mesh instance and primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrimitiveIndex {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Index into the mesh's primitives.
    pub primitive: usize,
}

/// Displacements of a morph target, one per vertex; an empty array displaces nothing.
#[derive(Clone, Debug, Default)]
pub struct MorphTarget {
    /// Position offsets, metres.
    pub positions: Vec<Vec3>,
    /// Normal offsets.
    pub normals: Vec<Vec3>,
    /// Offsets of tangent directions.
    pub tangents: Vec<Vec3>,
}

/// A mesh in the scene, moved by a skin or by its node. All primitives of a skinned mesh have influences; no others do.
#[derive(Clone, Debug)]
pub struct MeshInstance {
    /// Node that carries the mesh. Its transform does not move a skinned mesh (glTF 2.0, 3.7.3.3).
    pub node: NodeIndex,
    /// Index into `Rig::meshes`.
    pub mesh: usize,
    /// Index into `Rig::skins`.
    pub skin: Option<usize>,
    /// Default morph target weights.
    pub morph_weights: Vec<f32>,
}
