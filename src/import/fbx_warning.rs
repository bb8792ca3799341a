//! Warnings of an FBX file that opened: what was corrected or left out.

use super::concern::Concern;
use super::place::Place;
use crate::rig::VertexList;

/// A warning that only FBX files cause: what, where, and what it means.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FbxWarning {
    /// A part of the file was malformed and has been repaired.
    #[error("A part of the file was repaired: {what}{}.", times(*count))]
    Repaired {
        /// Message of the FBX reader.
        what: String,
        /// Number of times that the part was repaired.
        count: usize,
    },
    /// The file has an unusual unit of length.
    #[error(
        "Lengths in the file are in units of {metres} m; they were converted to metres. Programs that take every FBX file for centimetres show another size."
    )]
    Unit {
        /// Metres in one unit.
        metres: f64,
    },
    /// Some vertices of a skinned mesh have no weight.
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
    /// Blend shapes were left out for lack of memory.
    #[error(
        "{count} blend shapes of mesh {mesh} take more memory than is left of the limit for one file; they move nothing."
    )]
    ShapesTooLarge {
        /// The file's number of the mesh.
        mesh: usize,
        /// Number of blend shapes; each counts once for every material.
        count: usize,
    },
    /// The file hides some meshes.
    #[error("{} nodes with a mesh are hidden in the file and not shown.", nodes.len())]
    HiddenMeshes {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// A primitive with a texture has no texture coordinates.
    #[error("{place} has a texture, but no texture coordinates; the texture is not shown.")]
    TexCoordsMissing {
        /// The primitive that is affected.
        place: Place,
    },
    /// Levels of detail below the finest are not shown.
    #[error("{count} meshes of lower levels of detail are not shown.")]
    LevelsHidden {
        /// Number of nodes that carry a mesh of a lower level.
        count: usize,
    },
    /// Some nodes do not pass their scale on to their children.
    #[error("{} nodes do not inherit the scale of their parent (scale compensation); engines that know no such thing show them too large or too small.", nodes.len())]
    ScaleNotInherited {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// Some nodes rotate in an unusual order about their axes.
    #[error("{} nodes rotate in another order than XYZ; their rotations are right here, but not in programs that read the angles alone.", nodes.len())]
    RotationOrders {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// Rotation keys of some nodes are interpolated along a sphere.
    #[error("{} nodes have spheric rotation, which is read as rotation in the order XYZ.", nodes.len())]
    SphericRotation {
        /// The file's numbers of the nodes.
        nodes: Vec<usize>,
    },
    /// Some clusters of skins name no node.
    #[error("{count} clusters of skins have no joint; the weights in them are lost.")]
    ClustersWithoutJoint {
        /// Number of clusters without a joint.
        count: usize,
    },
    /// The file's bind pose puts joints elsewhere than the skins do.
    #[error("The bind pose of the file puts {} joints elsewhere than their skins do, by up to {distance} m; the skins count.", nodes.len())]
    BindPosesDiffer {
        /// The file's numbers of the joints.
        nodes: Vec<usize>,
        /// Largest distance between the two bind positions of a joint, metres.
        distance: f32,
    },
    /// Constraints and the like would move something, but are not evaluated.
    #[error("Not evaluated: {}. {}What they move stays as it is stored.", listed(kinds), baked(follows))]
    NotEvaluated {
        /// Kinds of objects that are not evaluated, and how many of each.
        kinds: Vec<(String, usize)>,
        /// What follows what, a few phrases; empty where that is not known.
        follows: String,
    },
    /// Some shapes are not polygon meshes and are not drawn.
    #[error("{count} {what} are not shown.")]
    NotDrawn {
        /// Kind of object that is not drawn, in the plural.
        what: &'static str,
        /// Number of such objects.
        count: usize,
    },
    /// A clip moves properties other than those of nodes and blend shapes.
    #[error("Clip \"{clip}\" also moves properties that are not played: {}.", listed(properties))]
    PropertiesNotPlayed {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Names of the properties, and the number of objects with each.
        properties: Vec<(String, usize)>,
    },
    /// A clip cannot be sampled.
    #[error("Clip \"{clip}\" was left out: {reason}")]
    ClipSkipped {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Message of the FBX reader.
        reason: String,
    },
    /// Keys are at times that no clip can have.
    #[error(
        "Clip \"{clip}\": {keys} keys were left out, since their times are not within 262,144 s of the beginning: first key {key} of {curve}, at {time} s."
    )]
    KeysRefused {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Number of keys that were left out.
        keys: usize,
        /// Property, node and axis that the first of them moves.
        curve: String,
        /// Number of the first of them in its curve.
        key: usize,
        /// Time of the first of them, in seconds, or that it is not a number.
        time: String,
    },
    /// Keys that move something lie outside the range of a take.
    #[error("Clip \"{clip}\": {}", take_range(*range_secs, *outside_secs, *is_whole))]
    TakeRange {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Range of the take, seconds of the time line.
        range_secs: [f32; 2],
        /// Times of the first and last such key, seconds of the time line.
        outside_secs: [f32; 2],
        /// True where nothing moves within the range, so that the whole time line is played.
        is_whole: bool,
    },
    /// Meshes are elsewhere than when their skin was bound.
    #[error(
        "{} skinned meshes are not where they were when their skins were bound, by up to {distance} m. They are drawn where their joints are, as engines do; Maya adds the motion of the mesh's own node.",
        nodes.len()
    )]
    MovedAfterBinding {
        /// The file's numbers of the meshes' nodes.
        nodes: Vec<usize>,
        /// Largest distance that a point of a mesh is displaced by, metres.
        distance: f32,
    },
    /// Channels of a clip were left out: their numbers are not finite, or there is no memory for them.
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
    /// Faces with fewer than three corners, or marked as holes, were left out.
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

fn take_range([begin, end]: [f32; 2], [first, last]: [f32; 2], is_whole: bool) -> String {
    let range = format!("its take goes from {begin:.3} to {end:.3} s");
    if is_whole {
        return format!(
            "{range}, where nothing moves, while keys from {first:.3} to {last:.3} s move something; the whole time line is played."
        );
    }
    format!(
        "{range}; keys outside, from {first:.3} to {last:.3} s, move something and are not played. --whole-timeline plays them."
    )
}

fn listed(kinds: &[(String, usize)]) -> String {
    let phrases: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
    phrases.join(", ")
}

fn baked(follows: &str) -> String {
    if follows.is_empty() {
        return String::new();
    }
    format!("{follows}; programs that write FBX bake constraints into clips. ")
}

fn times(count: usize) -> String {
    if count > 1 { format!(", {count} times") } else { String::new() }
}
