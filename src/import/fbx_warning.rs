//! Warnings of an FBX file that opened: what was corrected or left out.

use super::concern::Concern;
use super::place::Place;
use crate::rig::VertexList;

/// Something that only FBX files have: what, where, and what it means.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FbxWarning {
    /// A part that is not in the form that FBX has, and was made so.
    #[error("A part of the file was repaired: {what}{}.", times(*count))]
    Repaired {
        /// Message of the FBX reader.
        what: String,
        /// Number of times that the part was repaired.
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
        /// The primitive that is affected.
        place: Place,
        /// Numbers of the vertices within the primitive.
        vertices: VertexList,
    },
    /// A mesh has more than one skin.
    #[error("Mesh {mesh} has {skins} skins; their weights are added up. Most engines take the first skin alone.")]
    SeveralSkins {
        /// The file's number of the mesh.
        mesh: usize,
        /// Number of skins on the mesh.
        skins: usize,
    },
    /// Blend shapes for which there is no memory.
    #[error(
        "{count} blend shapes of mesh {mesh} take more memory than is left of the limit for one file; they move nothing."
    )]
    ShapesTooLarge {
        /// The file's number of the mesh.
        mesh: usize,
        /// Number of blend shapes, each counted for every material.
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
        /// The primitive that is affected.
        place: Place,
    },
    /// Levels of detail below the best.
    #[error("{count} meshes of lower levels of detail are not shown.")]
    LevelsHidden {
        /// Number of nodes that carry such a mesh.
        count: usize,
    },
    /// Nodes whose scale their children do not have.
    #[error("{} nodes do not inherit the scale of their parent (scale compensation); engines that know no such thing show them too large or too small.", nodes.len())]
    ScaleNotInherited {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// Nodes that turn about their axes in another order than most.
    #[error("{} nodes rotate in another order than XYZ; their rotations are right here, but not in programs that read the angles alone.", nodes.len())]
    RotationOrders {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// Nodes whose keys are joined along a sphere.
    #[error("{} nodes have spheric rotation, which is read as rotation in the order XYZ.", nodes.len())]
    SphericRotation {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// Clusters of skins that name no node.
    #[error("{count} clusters of skins have no joint; the weights in them are lost.")]
    ClustersWithoutJoint {
        /// Number of clusters without joint.
        count: usize,
    },
    /// The file's bind pose puts joints elsewhere than the skins do.
    #[error("The bind pose of the file puts {} joints elsewhere than their skins do, by up to {distance} m; the skins count.", nodes.len())]
    BindPosesDiffer {
        /// The file's numbers of the joints.
        nodes: Vec<usize>,
        /// Largest distance of a joint, metres.
        distance: f32,
    },
    /// Constraints and the like that would move something, but are not evaluated.
    #[error("Not evaluated: {}. What they move stays as it is stored.", listed(kinds))]
    NotEvaluated {
        /// Kinds of objects that are not evaluated, and their numbers.
        kinds: Vec<(String, usize)>,
    },
    /// Shapes that are not meshes of polygons.
    #[error("{count} {what} are not shown.")]
    NotDrawn {
        /// Kind of object that is not drawn, in the plural.
        what: &'static str,
        /// Number of such objects.
        count: usize,
    },
    /// Properties that a clip moves beside nodes and blend shapes.
    #[error("Clip \"{clip}\" also moves properties that are not played: {}.", listed(properties))]
    PropertiesNotPlayed {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Names of the properties, and the number of objects of each.
        properties: Vec<(String, usize)>,
    },
    /// A clip that begins before the time at which playing begins.
    #[error("Clip \"{clip}\" has keys from {time_secs} s on; what lies before 0 s is not played.")]
    BeforeZero {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Time of the first key, seconds.
        time_secs: f32,
    },
    /// A clip that cannot be sampled.
    #[error("Clip \"{clip}\" was left out: {reason}")]
    ClipSkipped {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Message of the FBX reader.
        reason: String,
    },
    /// Channels of a clip with numbers that are not finite, or for which there is no memory.
    #[error(
        "{channels} channels of clip \"{clip}\" were left out: they are not finite, or take more memory than is left of the limit for one file."
    )]
    ChannelsUnusable {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Number of channels that were left out.
        channels: usize,
    },
    /// Faces that are no surface.
    #[error("{place}: {count} faces of fewer than three corners, or marked as holes, were left out.")]
    FacesIgnored {
        /// The primitive that is affected.
        place: Place,
        /// Number of faces that were left out.
        count: usize,
    },
}

impl FbxWarning {
    /// The part of a character that this warning is about.
    pub fn concern(&self) -> Concern {
        match self {
            Self::TexCoordsMissing { .. } | Self::NotDrawn { .. } => Concern::Looks,
            _ => Concern::Shape,
        }
    }
}

fn listed(kinds: &[(String, usize)]) -> String {
    let phrases: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
    phrases.join(", ")
}

fn times(count: usize) -> String {
    if count > 1 { format!(", {count} times") } else { String::new() }
}
