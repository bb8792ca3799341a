//! Warnings about FBX files: content that was corrected or left out.

use super::concern::WarningScope;
use super::place::Place;
use crate::rig::VertexList;

/// Warning that only FBX files cause.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FbxWarning {
    /// A part of the file was malformed and was repaired.
    #[error("A part of the file was repaired: {what}{}.", times(*count))]
    Repaired {
        /// Message of the FBX reader.
        what: String,
        /// Number of repairs.
        count: usize,
    },
    /// The file has an unusual unit of length.
    #[error(
        "Lengths in the file are in units of {metres} m; they were converted to metres. Programs that assume centimetres show another size."
    )]
    Unit {
        /// Metres per unit.
        metres: f64,
    },
    /// Vertices of a skinned mesh have no weights.
    #[error(
        "{place}: {vertices} vertices have no weight; they follow the node of the mesh, as in the programs that write FBX."
    )]
    FollowMesh {
        /// The affected primitive.
        place: Place,
        /// Vertices within the primitive.
        vertices: VertexList,
    },
    /// A mesh has more than one skin.
    #[error("Mesh {mesh} has {skins} skins; their weights are added up. Most engines take the first skin alone.")]
    SeveralSkins {
        /// Index of the mesh in the file.
        mesh: usize,
        /// Number of skins.
        skins: usize,
    },
    /// Blend shapes were left out for lack of memory.
    #[error("{count} blend shapes of mesh {mesh} exceed the memory limit for one file; they have no effect.")]
    ShapesTooLarge {
        /// Index of the mesh in the file.
        mesh: usize,
        /// Number of blend shapes, counted once per material.
        count: usize,
    },
    /// Meshes are hidden in the file.
    #[error("{} nodes with a mesh are hidden in the file and not shown.", nodes.len())]
    HiddenMeshes {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// A primitive with a texture has no texture coordinates.
    #[error("{place} has a texture, but no texture coordinates; the texture is not shown.")]
    TexCoordsMissing {
        /// The affected primitive.
        place: Place,
    },
    /// Lower levels of detail are not shown.
    #[error("{count} meshes of lower levels of detail are not shown.")]
    LevelsHidden {
        /// Number of nodes with a mesh of a lower level.
        count: usize,
    },
    /// Nodes do not inherit their parent's scale.
    #[error("{} nodes do not inherit the scale of their parent (scale compensation); engines without scale compensation show them too large or too small.", nodes.len())]
    ScaleNotInherited {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// Nodes have a rotation order other than XYZ.
    #[error("{} nodes rotate in another order than XYZ; their rotations are right here, but not in programs that ignore the order.", nodes.len())]
    RotationOrders {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// Nodes have spheric rotation order.
    #[error("{} nodes have spheric rotation, which is read as rotation in the order XYZ.", nodes.len())]
    SphericRotation {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// Skin clusters have no node.
    #[error("{count} clusters of skins have no joint; the weights in them are lost.")]
    ClustersWithoutJoint {
        /// Number of clusters.
        count: usize,
    },
    /// The file's bind pose differs from the bind matrices of the skins.
    #[error("The bind pose of the file and the skins place {} joints differently, by up to {distance} m; the skins count.", nodes.len())]
    BindPosesDiffer {
        /// Indices of the joints in the file.
        nodes: Vec<usize>,
        /// Maximum distance between the two bind positions of a joint, metres.
        distance: f32,
    },
    /// Constraints and other animated behaviours are not evaluated.
    #[error("Not evaluated: {}. {}What they move stays as it is stored.", listed(kinds), baked(follows))]
    NotEvaluated {
        /// Kinds of objects and their numbers.
        kinds: Vec<(String, usize)>,
        /// What follows what, as a few phrases; empty if unknown.
        follows: String,
    },
    /// Geometry other than polygon meshes is not drawn.
    #[error("{count} {what} are not shown.")]
    NotDrawn {
        /// Kind of object, in the plural.
        what: &'static str,
        /// Number of objects.
        count: usize,
    },
    /// A clip animates properties other than transforms and blend shapes.
    #[error("Clip \"{clip}\" also moves properties that are not played: {}.", listed(properties))]
    PropertiesNotPlayed {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Property names, and the number of objects with each.
        properties: Vec<(String, usize)>,
    },
    /// A clip cannot be sampled.
    #[error("Clip \"{clip}\" was left out: {reason}")]
    ClipSkipped {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Message of the FBX reader.
        reason: String,
    },
    /// Key times are out of range.
    #[error(
        "Clip \"{clip}\": {keys} keys were left out, since their times are not within 262,144 s of the beginning: first key {key} of {curve}, at {time} s."
    )]
    KeysRefused {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Number of omitted keys.
        keys: usize,
        /// Property, node and axis of the first omitted key.
        curve: String,
        /// Index of the first omitted key in its curve.
        key: usize,
        /// Time of the first omitted key, seconds; may be `NaN`.
        time: String,
    },
    /// Keys that change something lie outside the range of a take.
    #[error("Clip \"{clip}\": {}", take_range(*range_secs, *outside_secs, *is_whole))]
    TakeRange {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Range of the take, seconds on the timeline.
        range_secs: [f32; 2],
        /// Times of the first and last key outside, seconds on the timeline.
        outside_secs: [f32; 2],
        /// True if nothing moves within the range, so that the whole timeline is played.
        is_whole: bool,
    },
    /// Meshes have moved since their skin was bound.
    #[error(
        "{} skinned meshes are not where they were when their skins were bound, by up to {distance} m. They are drawn where their joints are, as engines do; Maya adds the motion of the mesh's own node.",
        nodes.len()
    )]
    MovedAfterBinding {
        /// Indices of the meshes' nodes in the file.
        nodes: Vec<usize>,
        /// Maximum displacement of a vertex, metres.
        distance: f32,
    },
    /// Channels of a clip have non-finite values or exceed the memory limit.
    #[error(
        "{channels} channels of clip \"{clip}\" were left out: they are not finite, or take more memory than is left of the limit for one file."
    )]
    ChannelsUnusable {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Number of omitted channels.
        channels: usize,
    },
    /// Faces with fewer than three corners, or marked as holes, were left out.
    #[error("{place}: {count} faces of fewer than three corners, or marked as holes, were left out.")]
    FacesIgnored {
        /// The affected primitive.
        place: Place,
        /// Number of omitted faces.
        count: usize,
    },
}

impl FbxWarning {
    /// Returns the aspect of a character that the warning affects.
    pub fn concern(&self) -> WarningScope {
        match self {
            Self::TexCoordsMissing { .. } | Self::NotDrawn { .. } => WarningScope::Looks,
            _ => WarningScope::Shape,
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
