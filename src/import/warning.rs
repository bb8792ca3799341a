//! Import warnings: content that was corrected or left out.

use super::concern::WarningScope;
use super::place::Place;
use super::spring_faults::OmittedSprings;
use super::{
    AccessorFault, ChannelFault, ConstraintFault, FbxWarning, GltfRule, PrimitiveFault, SkinFault, SourceFault,
    TextureFault, UnskinnedReason,
};
use crate::rig::{MapKind, VertexList};
use crate::text::shortened;

/// Content that was corrected, ignored or left out. Messages say what, where, and what it means.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImportWarning {
    /// The file uses an optional extension that is not read.
    #[error("The extension {name} is not read; {effect}.")]
    ExtensionIgnored {
        /// Name of the extension.
        name: String,
        /// Effect on what is shown, as a clause.
        effect: &'static str,
    },
    /// The file uses an extension that is only partly supported.
    #[error("The extension {name} is read in part; {effect}.")]
    ExtensionInPart {
        /// Name of the extension.
        name: String,
        /// Effect on what is shown, as a clause.
        effect: &'static str,
    },
    /// The file requires an extension that is not read.
    #[error("The file requires the extension {name}, which is not read; what depends on it is wrong or missing.")]
    ExtensionRequired {
        /// Name of the extension.
        name: String,
    },
    /// A `.glb` has bytes after its end.
    #[error("{count} bytes after the end of the binary glTF were ignored.")]
    TrailingBytes {
        /// Number of bytes.
        count: usize,
    },
    /// A buffer has no data, or less than stated.
    #[error("Buffer {buffer} cannot be used in full: {fault}. Its data is missing.")]
    Buffer {
        /// Index of the buffer in the file.
        buffer: usize,
        /// Fault of the buffer's data.
        fault: SourceFault,
    },
    /// A material, mesh or other object cannot be read.
    #[error("{kind} {index} is not in the form that glTF defines, or does not exist; it was left out.")]
    Malformed {
        /// `Mesh`, `Material`, `Clip`, `Scene` ...
        kind: &'static str,
        /// Index of the object in the file.
        index: usize,
    },
    /// Parts of the file violate a rule of glTF but are read anyway.
    #[error("{first}{} {}.", and_more(*others), rule.problem(*others > 0))]
    AgainstRule {
        /// The violated rule.
        rule: GltfRule,
        /// First part that violates it.
        first: String,
        /// Number of further parts.
        others: usize,
    },
    /// Scene roots have a parent.
    #[error("{} in the list of a scene, and below another node: first node {}.", nodes_are(nodes.len()), first(nodes))]
    SceneRoots {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// Nodes have both a matrix and TRS.
    #[error("{} given by a matrix and by translation, rotation or scale too, first node {}; the matrix counts.", nodes_are(nodes.len()), first(nodes))]
    MatrixWithTrs {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// Node matrices cannot be decomposed to TRS.
    #[error("{} given by a matrix that is not a product of translation, rotation and scale, first node {}.", nodes_are(nodes.len()), first(nodes))]
    MatrixNotTrs {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// The default scene has no mesh, but the file does.
    #[error("The default scene has no mesh; all nodes are shown instead.")]
    SceneEmpty,
    /// The file has further scenes.
    #[error("{count} further scenes are not shown; choose one in the View menu or with --scene.")]
    ScenesIgnored {
        /// Number of further scenes.
        count: usize,
    },
    /// Nodes with a mesh are in no scene.
    #[error("{count} nodes with a mesh are in no scene and not shown.")]
    NodesOutside {
        /// Number of such nodes.
        count: usize,
    },
    /// A transform property of a node is invalid.
    #[error("The {property} of node {node} is not a usable transform; it was left out.")]
    Transform {
        /// Index of the node in the file.
        node: usize,
        /// `translation`, `rotation`, `scale` or `matrix`.
        property: &'static str,
    },
    /// Rotations of nodes are not unit quaternions.
    #[error("{}; they were normalised.", not_unit(nodes))]
    RotationsNotUnit {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// A primitive was left out.
    #[error("{place} was left out: {fault}.")]
    PrimitiveSkipped {
        /// The omitted primitive.
        place: Place,
        /// Fault of the primitive.
        fault: PrimitiveFault,
    },
    /// An instance of a mesh was left out for lack of memory.
    #[error("Node {node} was left out: another instance of mesh {mesh} would exceed the memory limit for one file.")]
    InstanceSkipped {
        /// Index of the node in the file.
        node: usize,
        /// Index of the mesh in the file.
        mesh: usize,
    },
    /// An attribute that affects only appearance cannot be read.
    #[error("{place}: {attribute} is ignored, {fault}. The shape is right, but shading may differ.")]
    AttributeIgnored {
        /// The affected primitive.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// Fault of the accessor.
        fault: AccessorFault,
    },
    /// Attribute names are not defined by glTF.
    #[error("{place} has attributes of names that glTF does not define; they are ignored.")]
    AttributesUnknown {
        /// The affected primitive.
        place: Place,
    },
    /// An attribute has a format that glTF does not allow for it.
    #[error("{place}: {attribute} is stored as {found}, which glTF does not allow for it.")]
    AttributeFormat {
        /// The affected primitive.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// Its format, such as `unsigned bytes, not normalized`.
        found: &'static str,
    },
    /// Normals or tangents are not unit vectors, or tangents have an invalid handedness.
    #[error("{place}: {attribute} of {vertices} vertices {problem}.")]
    DirectionsNotUnit {
        /// The affected primitive.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// Problem with the values, as a predicate.
        problem: &'static str,
        /// Vertices within the primitive.
        vertices: VertexList,
    },
    /// Primitives of a mesh have different numbers of morph targets.
    #[error(
        "{place} has {actual} morph targets, and the mesh's first primitive {expected}; missing ones move nothing."
    )]
    UnequalTargets {
        /// First primitive that differs from the mesh's first.
        place: Place,
        /// Number of targets of the first primitive.
        expected: usize,
        /// Number of targets of this primitive.
        actual: usize,
    },
    /// Values of an attribute are not finite.
    #[error("{place}: {attribute} of {vertices} vertices is not a finite number; it counts as 0.")]
    NotFinite {
        /// The affected primitive.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// Vertices within the primitive.
        vertices: VertexList,
    },
    /// Indices are left over after the last triangle or line.
    #[error("{place}: {count} indices are left over after the last triangle or line; they were ignored.")]
    IndicesLeftOver {
        /// The affected primitive.
        place: Place,
        /// Number of leftover indices.
        count: usize,
    },
    /// Skinning data of a primitive is not used.
    #[error("{place} is drawn without skinning: {reason}.")]
    UnskinnedReason {
        /// The affected primitive.
        place: Place,
        /// Why joints or weights are not used.
        reason: UnskinnedReason,
    },
    /// A set of joints has no weights, or a set of weights no joints.
    #[error("{place}: {attribute} is ignored: joints and weights are used only together.")]
    InfluenceSetIgnored {
        /// The affected primitive.
        place: Place,
        /// `JOINTS_n` or `WEIGHTS_n`.
        attribute: String,
    },
    /// Weights of vertices did not sum to 1.
    #[error(
        "{place}: the weights of {vertices} vertices did not sum to 1 (worst: {worst:.3}); they were divided by their sum."
    )]
    WeightsRenormalized {
        /// The affected primitive.
        place: Place,
        /// Vertices within the primitive.
        vertices: VertexList,
        /// Sum farthest from 1.
        worst: f32,
    },
    /// Weights of vertices sum to 0.
    #[error("{place}: {vertices} vertices have no weight; they follow the joint of their first slot.")]
    WeightsZero {
        /// The affected primitive.
        place: Place,
        /// Vertices within the primitive.
        vertices: VertexList,
    },
    /// Weights are negative or not finite.
    #[error("{place}: {vertices} vertices have weights that are negative or not finite; these count as 0.")]
    WeightsInvalid {
        /// The affected primitive.
        place: Place,
        /// Vertices within the primitive.
        vertices: VertexList,
    },
    /// Influences refer to joints that the skin does not have.
    #[error(
        "{place}: {vertices} vertices refer to joints up to index {largest}, but the skin has {joints}; their weights count as 0."
    )]
    JointsOutOfRange {
        /// The affected primitive.
        place: Place,
        /// Vertices within the primitive.
        vertices: VertexList,
        /// Maximum joint index of an influence of any weight.
        largest: u16,
        /// Number of joints in the smallest skin that binds the mesh.
        joints: usize,
    },
    /// A morph target cannot be used.
    #[error("{place}: {attribute} of morph target {target} is ignored, {fault}.")]
    MorphTargetIgnored {
        /// The affected primitive.
        place: Place,
        /// Index of the target in the primitive.
        target: usize,
        /// Name of the attribute in the file.
        attribute: String,
        /// Fault of the accessor.
        fault: AccessorFault,
    },
    /// Morph targets change texture coordinates or colours too.
    #[error("{place}: its morph targets also change texture coordinates or colours; these stay as they are.")]
    MorphLooksIgnored {
        /// The affected primitive.
        place: Place,
    },
    /// The number of default weights differs from the number of morph targets.
    #[error("Node {node} has {actual} morph weights for {expected} targets; missing ones count as 0.")]
    MorphWeights {
        /// Index of the node in the file.
        node: usize,
        /// Number of morph targets.
        expected: usize,
        /// Number of default weights.
        actual: usize,
    },
    /// A skin cannot be used.
    #[error("Skin {skin} was left out: {fault}. Meshes bound to it do not follow the joints.")]
    SkinSkipped {
        /// Index of the skin in the file.
        skin: usize,
        /// Fault of the skin.
        fault: SkinFault,
    },
    /// A skin's `skeleton` is not above all of its joints.
    #[error("The skeleton of skin {skin} is node {node}, which is not above all of its joints.")]
    SkeletonNotRoot {
        /// Index of the skin in the file.
        skin: usize,
        /// Index of the `skeleton` node in the file.
        node: usize,
    },
    /// Joints of a skin are not in the scene.
    #[error("{} joints of skin {skin} are not in the scene that shows their mesh.", nodes.len())]
    JointsOutside {
        /// Index of the skin in the file.
        skin: usize,
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// A skin has no inverse bind matrices, which glTF allows.
    #[error("Skin {skin} has no inverse bind matrices; they count as the identity.")]
    InverseBindsAbsent {
        /// Index of the skin in the file.
        skin: usize,
    },
    /// Inverse bind matrices are not affine.
    #[error("{count} inverse bind matrices of skin {skin} are not affine; their last rows are ignored.")]
    InverseBindsNotAffine {
        /// Index of the skin in the file.
        skin: usize,
        /// Number of matrices.
        count: usize,
    },
    /// A skin has fewer inverse bind matrices than joints.
    #[error(
        "Skin {skin} has {actual} inverse bind matrices for {expected} joints; missing ones count as the identity."
    )]
    InverseBindsMissing {
        /// Index of the skin in the file.
        skin: usize,
        /// Number of joints.
        expected: usize,
        /// Number of matrices.
        actual: usize,
    },
    /// The inverse bind matrices cannot be read.
    #[error("The inverse bind matrices of skin {skin} cannot be read: {fault}. They count as the identity.")]
    InverseBindsIgnored {
        /// Index of the skin in the file.
        skin: usize,
        /// Fault of the accessor.
        fault: AccessorFault,
    },
    /// Inverse bind matrices have non-finite numbers.
    #[error("{count} inverse bind matrices of skin {skin} are not finite; they count as the identity.")]
    InverseBindsNotFinite {
        /// Index of the skin in the file.
        skin: usize,
        /// Number of matrices.
        count: usize,
    },
    /// Channels of a clip with the same kind of fault are not played.
    #[error("{}: {fault}.", channels_left_out(clip, *channel, *channels))]
    ChannelsSkipped {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Index of the first such channel.
        channel: usize,
        /// Fault of the first channel.
        fault: ChannelFault,
        /// Number of such channels.
        channels: usize,
    },
    /// Channels of a clip have the same target as an earlier channel.
    #[error("{} in clip \"{clip}\" the same property of the same node as an earlier channel, first channel {first}; the last one counts.", channels_move(*channels))]
    ChannelsTwice {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Index of the first such channel.
        first: usize,
        /// Number of such channels.
        channels: usize,
    },
    /// Channels of a clip animate nodes that have a matrix.
    #[error("{} in clip \"{clip}\" a node that is given by a matrix, first channel {first} node {node}.", channels_move(*channels))]
    MatrixAnimated {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Index of the first such channel.
        first: usize,
        /// Index of its node in the file.
        node: usize,
        /// Number of such channels.
        channels: usize,
    },
    /// Keys of a clip have the same time as their predecessor.
    #[error("Clip \"{clip}\" has {}; it jumps there, first at {time_secs} s in channel {first}.", repeated(*keys, *channels))]
    KeysAtOneTime {
        /// Index of the clip in the file.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Number of such keys.
        keys: usize,
        /// Number of channels with such keys.
        channels: usize,
        /// Index of the first such channel.
        first: usize,
        /// Time of its first such key, seconds.
        time_secs: f32,
    },
    /// A base colour texture is replaced by a checkerboard.
    #[error("The base colour texture of material {material} is replaced by a checker: {fault}.")]
    TextureReplaced {
        /// Index of the material in the file.
        material: usize,
        /// Fault of the texture.
        fault: TextureFault,
    },
    /// A texture other than the base colour is not drawn.
    #[error("The {} texture of material {material} is left out: {fault}.", kind.name())]
    TextureLeftOut {
        /// Index of the material in the file.
        material: usize,
        /// Kind of texture.
        kind: MapKind,
        /// Fault of the texture.
        fault: TextureFault,
    },
    /// Materials have textures or properties that are not supported.
    #[error("Not drawn: {}. Drawn are {drawn}. Surfaces may look different.", listed(materials))]
    LooksIgnored {
        /// Supported kinds of textures.
        drawn: &'static str,
        /// Unsupported kinds, each with the number of used materials.
        materials: Vec<(&'static str, usize)>,
    },
    /// A texture refers to a UV set that the primitive lacks.
    #[error("{place} has a texture, but not the coordinates TEXCOORD_{set}; the texture is not shown.")]
    TexCoordsMissing {
        /// The affected primitive.
        place: Place,
        /// `n` of `TEXCOORD_n`.
        set: u32,
    },
    /// Images were downscaled; this is the first of them.
    #[error(
        "Image {image} has {} x {} pixels; {} x {} are kept of them{}.",
        size[0], size[1], kept[0], kept[1], shrunk_too(*others)
    )]
    ImageShrunk {
        /// Index of the image in the file.
        image: usize,
        /// Original width and height, pixels.
        size: [u32; 2],
        /// Width and height after downscaling, pixels.
        kept: [u32; 2],
        /// Number of further downscaled images.
        others: usize,
    },
    /// Lights of the file are not used.
    #[error("{count} lights are ignored; the viewer has its own.")]
    LightsIgnored {
        /// Number of nodes with a light.
        count: usize,
    },
    /// Materials use `MToon` shading, which is not drawn.
    #[error(
        "MToon, the shading of {count} materials of this VRM, is not drawn; their glTF materials are drawn instead."
    )]
    ShadingOfVrm {
        /// Number of materials.
        count: usize,
    },
    /// Parts of spring bones cannot be used.
    #[error("Left out of the spring bones: {0}.")]
    OmittedSprings(OmittedSprings),
    /// A humanoid bone of a VRM 0 file is declared more than once.
    #[error("The humanoid bone {bone} is declared {count} times.")]
    HumanBoneTwice {
        /// Name of the bone in VRM.
        bone: String,
        /// Number of declarations.
        count: usize,
    },
    /// VRM data has lists instead of objects or vice versa.
    #[error("In the VRM data, {first}{}; it was left out.", and_more(*others))]
    VrmShape {
        /// First fault: `meta is not an object`.
        first: String,
        /// Number of further faults.
        others: usize,
    },
    /// A humanoid bone refers to no node.
    #[error("The humanoid bone {bone} was left out: it is not one of the {nodes} nodes.")]
    HumanBone {
        /// Name of the bone in VRM.
        bone: String,
        /// Number of nodes in the file.
        nodes: usize,
    },
    /// Expressions (in VRM 0: blend-shape groups) have invalid references.
    #[error(
        "Expressions refer to {count} morph targets or materials that are not here, the first in {first}; they were left out."
    )]
    ExpressionBinds {
        /// Name of the first such expression.
        first: String,
        /// Number of such references.
        count: usize,
    },
    /// Expressions exceed the memory limit, for example if many bind all of many materials that share a name.
    #[error(
        "Expressions have {count} entries more than the memory limit for one file allows; they were left out. Raise --memory-limit."
    )]
    ExpressionsTooLarge {
        /// Number of omitted entries.
        count: usize,
    },
    /// Expressions change colours that are not drawn.
    #[error(
        "Expressions change {count} colours that are not drawn, such as those of shade and rim; these stay as they are."
    )]
    ExpressionLooks {
        /// Number of such changes.
        count: usize,
    },
    /// Look-at range maps have curves (VRM 0).
    #[error("{count} look-at range maps have curves; they are read as linear.")]
    GazeCurves {
        /// Number of range maps.
        count: usize,
    },
    /// A node constraint is not evaluated as stored.
    #[error("The constraint of node {node} {fault}.")]
    Constraint {
        /// Index of the constrained node in the file.
        node: usize,
        /// What is wrong with the constraint.
        fault: ConstraintFault,
    },
    /// A warning specific to FBX.
    #[error(transparent)]
    Fbx(#[from] FbxWarning),
    /// The list of warnings was truncated.
    #[error("{count} further warnings are not listed.")]
    More {
        /// Number of unlisted warnings.
        count: usize,
    },
}

impl ImportWarning {
    /// Returns the aspect of a character that the warning affects.
    pub fn concern(&self) -> WarningScope {
        match self {
            Self::Fbx(warning) => warning.concern(),
            Self::AttributeIgnored { attribute, .. } if attribute.starts_with("COLOR_") => WarningScope::Colors,
            Self::AttributeIgnored { attribute, .. }
                if attribute.starts_with("TEXCOORD_") || attribute == "TANGENT" =>
            {
                WarningScope::Looks
            }
            Self::ExtensionIgnored { name, .. }
            | Self::ExtensionInPart { name, .. }
            | Self::ExtensionRequired { name }
                if is_of_looks(name) =>
            {
                WarningScope::Looks
            }
            Self::AgainstRule { .. }
            | Self::SceneRoots { .. }
            | Self::AttributeFormat { .. }
            | Self::DirectionsNotUnit { .. }
            | Self::SkeletonNotRoot { .. }
            | Self::AttributesUnknown { .. } => WarningScope::Form,
            Self::Malformed { kind: "Camera" | "Material" | "Sampler", .. }
            | Self::MorphLooksIgnored { .. }
            | Self::TextureReplaced { .. }
            | Self::TextureLeftOut { .. }
            | Self::LooksIgnored { .. }
            | Self::TexCoordsMissing { .. }
            | Self::LightsIgnored { .. }
            | Self::ExpressionLooks { .. }
            | Self::ShadingOfVrm { .. } => WarningScope::Looks,
            _ => WarningScope::Shape,
        }
    }
}

fn is_of_looks(extension: &str) -> bool {
    ["_materials_", "_texture_", "_lights_"].iter().any(|part| extension.contains(part))
}

fn not_unit(nodes: &[usize]) -> String {
    match nodes {
        [node] => format!("The rotation of node {node} is not of unit length"),
        [first, ..] => {
            format!("The rotations of {} nodes, node {first} the first, are not of unit length", nodes.len())
        }
        [] => "No rotation is off".to_owned(),
    }
}

fn and_more(others: usize) -> String {
    if others > 0 { format!(" and {others} more") } else { String::new() }
}

fn nodes_are(count: usize) -> String {
    if count == 1 { "1 node is".to_owned() } else { format!("{count} nodes are") }
}

fn first(nodes: &[usize]) -> usize {
    nodes.first().copied().unwrap_or_default()
}

fn channels_move(count: usize) -> String {
    if count == 1 { "1 channel moves".to_owned() } else { format!("{count} channels move") }
}

fn shrunk_too(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => "; one further image was made smaller too".to_owned(),
        _ => format!("; {others} further images were made smaller too"),
    }
}

fn repeated(keys: usize, channels: usize) -> String {
    match (keys, channels) {
        (1, _) => "a key at the time of the key before it".to_owned(),
        (_, 1) => format!("{keys} keys at the time of the key before them"),
        _ => format!("{keys} keys at the time of the key before them, in {channels} channels"),
    }
}

fn channels_left_out(clip: &str, first: usize, count: usize) -> String {
    match count {
        1 => format!("Channel {first} of clip \"{clip}\" was left out"),
        _ => format!("{count} channels of clip \"{clip}\" were left out, channel {first} the first"),
    }
}

fn listed(materials: &[(&str, usize)]) -> String {
    let phrase =
        |(what, count): &(&str, usize)| format!("{what} ({count} material{})", if *count == 1 { "" } else { "s" });
    materials.iter().map(phrase).collect::<Vec<_>>().join(", ")
}

/// Shortens a name or URL from a file for a message.
pub(super) fn short(text: &str) -> String {
    shortened(text, 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_told_from_shape() {
        let of = |name: &str| ImportWarning::ExtensionIgnored { name: name.to_owned(), effect: "" }.concern();
        assert_eq!(
            (of("KHR_materials_sheen"), of("EXT_mesh_gpu_instancing")),
            (WarningScope::Looks, WarningScope::Shape)
        );
        let place = Place { mesh: 0, name: String::new(), primitive: 0 };
        let of = |attribute: &str| {
            let (place, attribute) = (place.clone(), attribute.to_owned());
            let fault = AccessorFault::Empty { accessor: 0 };
            ImportWarning::AttributeIgnored { place, attribute, fault }.concern()
        };
        assert_eq!(
            ["NORMAL", "COLOR_0", "TEXCOORD_1"].map(of),
            [WarningScope::Shape, WarningScope::Colors, WarningScope::Looks]
        );
        assert_eq!(ImportWarning::SceneEmpty.concern(), WarningScope::Shape);
        assert!(WarningScope::Shape < WarningScope::Colors && WarningScope::Colors < WarningScope::Looks);
    }
}
