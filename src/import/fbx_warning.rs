//! What was not quite as it should be, or was left out, in an FBX file that opened.

use super::concern::Concern;
use super::place::Place;
use crate::rig::VertexList;

/// Something that only FBX files have: what, where, and what it means.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FbxWarning {
    /// A part that is not in the form that FBX has, and was made so.
    #[error("A part of the file was repaired: {what}{}.", times(*count))]
    Repaired {
        /// What the reader says.
        what: String,
        /// How often.
        count: usize,
    },
    /// A unit that is not the usual one.
    #[error(
        "Lengths in the file are in units of {metres} m; they were converted to metres. Programs that take every FBX file for centimetres show another size."
    )]
    Unit {
        /// Metres in one unit.
        metres: f64,
    },
    /// Vertices without a weight in a mesh with a skin.
    #[error(
        "{place}: {vertices} vertices have no weight; they follow the node of the mesh, as in the programs that write FBX."
    )]
    FollowMesh {
        /// Which primitive.
        place: Place,
        /// Which vertices.
        vertices: VertexList,
    },
    /// More than one skin on a mesh.
    #[error("Mesh {mesh} has {skins} skins; their weights are added up. Most engines take the first skin alone.")]
    SeveralSkins {
        /// The file's number of the mesh.
        mesh: usize,
        /// How many.
        skins: usize,
    },
    /// Blend shapes for which there is no memory.
    #[error(
        "{count} blend shapes of mesh {mesh} take more memory than is left of the limit for one file; they move nothing."
    )]
    ShapesTooLarge {
        /// The file's number of the mesh.
        mesh: usize,
        /// How many, each counted for every material.
        count: usize,
    },
    /// Meshes that the file hides.
    #[error("{} nodes with a mesh are hidden in the file and not shown.", nodes.len())]
    HiddenMeshes {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// A texture without coordinates.
    #[error("{place} has a texture, but no texture coordinates; the texture is not shown.")]
    TexCoordsMissing {
        /// Which primitive.
        place: Place,
    },
    /// A clip that cannot be sampled.
    #[error("Clip \"{clip}\" was left out: {reason}")]
    ClipSkipped {
        /// The file's number of the clip.
        number: usize,
        /// The clip's name.
        clip: String,
        /// Why.
        reason: String,
    },
    /// Channels of a clip with numbers that are not finite, or for which there is no memory.
    #[error(
        "{channels} channels of clip \"{clip}\" were left out: they are not finite, or take more memory than is left of the limit for one file."
    )]
    ChannelsUnusable {
        /// The file's number of the clip.
        number: usize,
        /// The clip's name.
        clip: String,
        /// How many.
        channels: usize,
    },
    /// Faces that are no surface.
    #[error("{place}: {count} faces of fewer than three corners, or marked as holes, were left out.")]
    FacesIgnored {
        /// Which primitive.
        place: Place,
        /// How many.
        count: usize,
    },
}

impl FbxWarning {
    /// The part of a character that this warning is about.
    pub fn concern(&self) -> Concern {
        Concern::Shape
    }
}

fn times(count: usize) -> String {
    if count > 1 { format!(", {count} times") } else { String::new() }
}
