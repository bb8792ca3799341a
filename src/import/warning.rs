//! Warnings of a file that opened: what was corrected or left out.

use super::concern::Concern;
use super::place::Place;
use super::spring_faults::SpringsLeftOut;
use super::{
    AccessorFault, ChannelFault, ConstraintFault, FbxWarning, GltfRule, PrimitiveFault, SkinFault, SourceFault,
    TextureFault, Unskinned,
};
use crate::rig::{MapKind, VertexList};
use crate::text::shortened;

/// Something in the file that was corrected, ignored or left out: what, where, and what it means.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImportWarning {
    /// The file uses an extension that is not read, but says that it can do without it.
    #[error("The extension {name} is not read; {effect}.")]
    ExtensionIgnored {
        /// Name of the extension.
        name: String,
        /// Effect on what is shown, a clause.
        effect: &'static str,
    },
    /// The file uses an extension that is only partly shown.
    #[error("The extension {name} is read in part; {effect}.")]
    ExtensionInPart {
        /// Name of the extension.
        name: String,
        /// Effect on what is shown, a clause.
        effect: &'static str,
    },
    /// The file requires an extension that is not read.
    #[error("The file requires the extension {name}, which is not read; what depends on it is wrong or missing.")]
    ExtensionRequired {
        /// Name of the extension.
        name: String,
    },
    /// Bytes after the end of a `.glb`.
    #[error("{count} bytes after the end of the binary glTF were ignored.")]
    TrailingBytes {
        /// Number of bytes after the end.
        count: usize,
    },
    /// The buffer has no data, or less than it promises.
    #[error("Buffer {buffer} cannot be used in full: {fault}. What lies in it is missing.")]
    Buffer {
        /// Index of the buffer in the file.
        buffer: usize,
        /// Fault of the buffer's data.
        fault: SourceFault,
    },
    /// Nothing of the material, mesh or clip could be read.
    #[error("{kind} {index} is not in the form that glTF defines, or does not exist; it was left out.")]
    Malformed {
        /// `Mesh`, `Material`, `Clip`, `Scene` ...
        kind: &'static str,
        /// Index of the object in the file.
        index: usize,
    },
    /// Parts of the file break a rule of glTF, and are read all the same.
    #[error("{first}{} {}.", and_more(*others), rule.problem(*others > 0))]
    AgainstRule {
        /// The rule.
        rule: GltfRule,
        /// The first part that breaks it.
        first: String,
        /// Number of further parts that break it.
        others: usize,
    },
    /// Nodes that scenes list as roots have a parent.
    #[error("{} in the list of a scene, and below another node: first node {}.", nodes_are(nodes.len()), first(nodes))]
    SceneRoots {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// Nodes have a matrix and translation, rotation or scale too.
    #[error("{} given by a matrix and by translation, rotation or scale too, first node {}; the matrix counts.", nodes_are(nodes.len()), first(nodes))]
    MatrixWithTrs {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// Matrices of nodes are no translation, rotation and scale.
    #[error("{} given by a matrix that is no translation, rotation and scale, first node {}.", nodes_are(nodes.len()), first(nodes))]
    MatrixNotTrs {
        /// Indices of the nodes in the file.
        nodes: Vec<usize>,
    },
    /// The default scene places no mesh, but the file does.
    #[error("The default scene places no mesh; all nodes are shown instead.")]
    SceneEmpty,
    /// The file has scenes besides the one that is shown.
    #[error("{count} further scenes are not shown; choose one in the View menu or by --scene.")]
    ScenesIgnored {
        /// Number of scenes that are not shown.
        count: usize,
    },
    /// Nodes that carry a mesh are in no scene.
    #[error("{count} nodes with a mesh are in no scene and not shown.")]
    NodesOutside {
        /// Number of nodes with a mesh that are in no scene.
        count: usize,
    },
    /// A transform of a node cannot be used.
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
    /// A primitive is not shown.
    #[error("{place} was left out: {fault}.")]
    PrimitiveSkipped {
        /// The primitive that was left out.
        place: Place,
        /// Fault of the primitive.
        fault: PrimitiveFault,
    },
    /// A mesh is not shown at one of the nodes that carry it.
    #[error("Node {node} draws mesh {mesh} once more than the memory limit for one file allows; it was left out.")]
    InstanceSkipped {
        /// Index of the node in the file.
        node: usize,
        /// Index of the mesh in the file.
        mesh: usize,
    },
    /// Normals, texture coordinates or colours cannot be used.
    #[error("{place}: {attribute} is ignored, {fault}. The surface looks different, its shape is right.")]
    AttributeIgnored {
        /// The primitive that is affected.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// Fault of the accessor.
        fault: AccessorFault,
    },
    /// Attributes have names that glTF does not define.
    #[error("{place} has attributes of names that glTF does not define; they are ignored.")]
    AttributesUnknown {
        /// The primitive that is affected.
        place: Place,
    },
    /// An attribute is stored in a format that glTF does not allow for it.
    #[error("{place}: {attribute} is stored as {found}, which glTF does not allow for it.")]
    AttributeFormat {
        /// The primitive that is affected.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// The format, such as `unsigned bytes, not normalized`.
        found: &'static str,
    },
    /// Normals or tangents are not unit vectors, or the sign of tangents is none.
    #[error("{place}: {attribute} of {vertices} vertices {problem}.")]
    DirectionsNotUnit {
        /// The primitive that is affected.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// What is wrong with the values, a predicate.
        problem: &'static str,
        /// Numbers of the vertices within the primitive.
        vertices: VertexList,
    },
    /// Primitives of a mesh have unequal numbers of morph targets.
    #[error(
        "{place} has {actual} morph targets, and the mesh's first primitive {expected}; missing ones move nothing."
    )]
    UnequalTargets {
        /// The first primitive with another number than the first of its mesh.
        place: Place,
        /// Number of targets of the mesh's first primitive.
        expected: usize,
        /// Number of targets of the primitive.
        actual: usize,
    },
    /// Values of an attribute are not finite numbers.
    #[error("{place}: {attribute} of {vertices} vertices is not a finite number; it counts as 0.")]
    NotFinite {
        /// The primitive that is affected.
        place: Place,
        /// Name of the attribute in the file.
        attribute: String,
        /// Numbers of the vertices within the primitive.
        vertices: VertexList,
    },
    /// Indices are left over after the last triangle or line.
    #[error("{place}: {count} indices are left over after the last triangle or line; they were ignored.")]
    IndicesLeftOver {
        /// The primitive that is affected.
        place: Place,
        /// Number of indices that are left over.
        count: usize,
    },
    /// Skinning data of a primitive is not used.
    #[error("{place} is drawn without skinning: {reason}.")]
    Unskinned {
        /// The primitive that is affected.
        place: Place,
        /// Why joints or weights are not used.
        reason: Unskinned,
    },
    /// A set of joints has no weights, or a set of weights no joints.
    #[error("{place}: {attribute} is ignored, since joints without weights and weights without joints mean nothing.")]
    InfluenceSetIgnored {
        /// The primitive that is affected.
        place: Place,
        /// `JOINTS_n` or `WEIGHTS_n`.
        attribute: String,
    },
    /// Weights of vertices do not sum to 1.
    #[error(
        "{place}: the weights of {vertices} vertices did not sum to 1 (the worst: {worst:.3}); they were divided by their sum."
    )]
    WeightsRenormalized {
        /// The primitive that is affected.
        place: Place,
        /// Numbers of the vertices within the primitive.
        vertices: VertexList,
        /// The sum that is farthest from 1.
        worst: f32,
    },
    /// Weights of vertices sum to 0.
    #[error("{place}: {vertices} vertices have no weight; they follow the joint of their first slot.")]
    WeightsZero {
        /// The primitive that is affected.
        place: Place,
        /// Numbers of the vertices within the primitive.
        vertices: VertexList,
    },
    /// Weights are negative or not finite.
    #[error("{place}: {vertices} vertices have weights that are negative or not finite; these count as 0.")]
    WeightsInvalid {
        /// The primitive that is affected.
        place: Place,
        /// Numbers of the vertices within the primitive.
        vertices: VertexList,
    },
    /// Vertices are influenced by joints that the skin does not have.
    #[error(
        "{place}: {vertices} vertices name joints up to number {largest}, but the skin has {joints}; their weights count as 0."
    )]
    JointsOutOfRange {
        /// The primitive that is affected.
        place: Place,
        /// Numbers of the vertices within the primitive.
        vertices: VertexList,
        /// The largest joint index of an influence, of any weight.
        largest: u16,
        /// Joints of the smallest skin that the mesh is bound to.
        joints: usize,
    },
    /// A morph target cannot be used.
    #[error("{place}: {attribute} of morph target {target} is ignored, {fault}.")]
    MorphTargetIgnored {
        /// The primitive that is affected.
        place: Place,
        /// Position of the target in the primitive.
        target: usize,
        /// Name of the attribute in the file.
        attribute: String,
        /// Fault of the accessor.
        fault: AccessorFault,
    },
    /// Morph targets change more than the shape.
    #[error("{place}: its morph targets also change texture coordinates or colours; these stay as they are.")]
    MorphLooksIgnored {
        /// The primitive that is affected.
        place: Place,
    },
    /// The number of default weights differs from that of morph targets.
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
    /// The skeleton of a skin is not a node above all of its joints.
    #[error("The skeleton of skin {skin} is node {node}, which is not above all of its joints.")]
    SkeletonNotRoot {
        /// Index of the skin in the file.
        skin: usize,
        /// Index that the file gives for the node.
        node: usize,
    },
    /// Joints of a skin are not in the scene that is shown.
    #[error("{} joints of skin {skin} are not in the scene that shows their mesh.", nodes.len())]
    JointsOutside {
        /// Index of the skin in the file.
        skin: usize,
        /// Indices of the joints' nodes in the file.
        nodes: Vec<usize>,
    },
    /// The skin has no inverse bind matrices, as glTF allows.
    #[error("Skin {skin} has no inverse bind matrices; they count as the identity.")]
    InverseBindsAbsent {
        /// Index of the skin in the file.
        skin: usize,
    },
    /// The last row of inverse bind matrices is not 0 0 0 1.
    #[error("{count} inverse bind matrices of skin {skin} are not affine; their last rows are ignored.")]
    InverseBindsNotAffine {
        /// Index of the skin in the file.
        skin: usize,
        /// Number of matrices that are not affine.
        count: usize,
    },
    /// The skin has fewer inverse bind matrices than joints.
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
    /// Inverse bind matrices have numbers that are not finite.
    #[error("{count} inverse bind matrices of skin {skin} are not finite; they count as the identity.")]
    InverseBindsNotFinite {
        /// Index of the skin in the file.
        skin: usize,
        /// Number of matrices that are not finite.
        count: usize,
    },
    /// Channels of a clip are not played, all for the same kind of reason.
    #[error("{}: {fault}.", channels_left_out(clip, *channel, *channels))]
    ChannelsSkipped {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// The file's number of the first channel.
        channel: usize,
        /// Fault of the first channel.
        fault: ChannelFault,
        /// Number of channels that are not played.
        channels: usize,
    },
    /// Channels of a clip have the target of an earlier channel.
    #[error("{} in clip \"{clip}\" the same property of the same node as an earlier channel, first channel {first}; the last one counts.", channels_move(*channels))]
    ChannelsTwice {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// The file's number of the first such channel.
        first: usize,
        /// Number of such channels.
        channels: usize,
    },
    /// Channels of a clip move nodes that are given by a matrix.
    #[error("{} in clip \"{clip}\" a node that is given by a matrix, first channel {first} node {node}.", channels_move(*channels))]
    MatrixAnimated {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// The file's number of the first such channel.
        first: usize,
        /// The node that it moves.
        node: usize,
        /// Number of such channels.
        channels: usize,
    },
    /// Keys have the same time as the key before them.
    #[error("Clip \"{clip}\" has {}; it jumps there, first at {time_secs} s in channel {first}.", repeated(*keys, *channels))]
    KeysAtOneTime {
        /// The file's number of the clip.
        number: usize,
        /// Name of the clip in the file.
        clip: String,
        /// Number of keys at the time of the key before.
        keys: usize,
        /// Number of channels with such keys.
        channels: usize,
        /// The file's number of the first channel.
        first: usize,
        /// The first such time of that channel, seconds.
        time_secs: f32,
    },
    /// A texture is shown as a checker.
    #[error("The base colour texture of material {material} is replaced by a checker: {fault}.")]
    TextureReplaced {
        /// Index of the material in the file.
        material: usize,
        /// Fault of the texture.
        fault: TextureFault,
    },
    /// A texture other than that of the base colour is not drawn.
    #[error("The {} texture of material {material} is left out: {fault}.", kind.name())]
    TextureLeftOut {
        /// Index of the material in the file.
        material: usize,
        /// Use of the texture.
        kind: MapKind,
        /// Fault of the texture.
        fault: TextureFault,
    },
    /// Materials have textures or properties that are not drawn.
    #[error("Not drawn: {}. Drawn are {drawn}. Surfaces may look different.", listed(materials))]
    LooksIgnored {
        /// Kinds of textures that are drawn.
        drawn: &'static str,
        /// What is not drawn, each with the number of used materials that have it.
        materials: Vec<(&'static str, usize)>,
    },
    /// A texture uses coordinates that the primitive lacks.
    #[error("{place} has a texture, but not the coordinates TEXCOORD_{set}; the texture is not shown.")]
    TexCoordsMissing {
        /// The primitive that is affected.
        place: Place,
        /// `n` of `TEXCOORD_n`.
        set: u32,
    },
    /// Images are larger than any picture and were reduced; this is the first of them.
    #[error(
        "Image {image} has {} x {} pixels; {} x {} are kept of them{}.",
        size[0], size[1], kept[0], kept[1], shrunk_too(*others)
    )]
    ImageShrunk {
        /// Index of the image in the file.
        image: usize,
        /// Width and height in the file, pixels.
        size: [u32; 2],
        /// Width and height that are kept, pixels.
        kept: [u32; 2],
        /// Number of further images that were reduced.
        others: usize,
    },
    /// Lights of the file are not used.
    #[error("{count} lights are ignored; the viewer has its own.")]
    LightsIgnored {
        /// Number of nodes that carry a light.
        count: usize,
    },
    /// Materials are shaded in a way of VRM that is not drawn.
    #[error("MToon, which shades materials of this VRM ({count}), is not drawn; their glTF materials are.")]
    ShadingOfVrm {
        /// Number of materials.
        count: usize,
    },
    /// Parts of spring bones cannot be used.
    #[error("Left out of the spring bones: {0}.")]
    SpringsLeftOut(SpringsLeftOut),
    /// Humanoid bones of a VRM 0 file are declared more than once.
    #[error("The humanoid bone {bone} is declared {count} times.")]
    HumanBoneTwice {
        /// Name of the bone in VRM.
        bone: String,
        /// Number of declarations.
        count: usize,
    },
    /// Data of VRM has lists where objects are expected, or the other way round.
    #[error("In the VRM data, {first}{}; it was left out.", and_more(*others))]
    VrmShape {
        /// The first such place and what is expected there: `meta is not an object`.
        first: String,
        /// Number of further places.
        others: usize,
    },
    /// A humanoid bone of a VRM file refers to no node.
    #[error("The humanoid bone {bone} is none of the {nodes} nodes; it was left out.")]
    HumanBone {
        /// Name of the bone in VRM.
        bone: String,
        /// Number of nodes in the file.
        nodes: usize,
    },
    /// Parts of expressions (in VRM 0, of blend-shape groups) refer to nothing.
    #[error(
        "Expressions refer to {count} morph targets or materials that are not here, the first in {first}; they were left out."
    )]
    ExpressionBinds {
        /// Name of the first expression that does so.
        first: String,
        /// Number of such references.
        count: usize,
    },
    /// Expressions have more entries than memory may hold, as where each of many is of many materials of one name.
    #[error(
        "Expressions have {count} entries more than the memory limit for one file allows; they were left out. Raise --memory-limit."
    )]
    ExpressionsTooLarge {
        /// Number of entries that were left out.
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
    /// Ranges of the gaze have curves (VRM 0).
    #[error("{count} ranges of the gaze have curves of their own; the eyes follow in proportion instead.")]
    GazeCurves {
        /// Number of such ranges.
        count: usize,
    },
    /// A node constraint is not evaluated, or otherwise than its numbers say.
    #[error("The constraint of node {node} {fault}.")]
    Constraint {
        /// The file's number of the constrained node.
        node: usize,
        /// What is wrong with the constraint.
        fault: ConstraintFault,
    },
    /// A warning that only FBX files cause.
    #[error(transparent)]
    Fbx(#[from] FbxWarning),
    /// The list of warnings was cut short here.
    #[error("{count} further warnings are not listed.")]
    More {
        /// Number of further warnings.
        count: usize,
    },
}

impl ImportWarning {
    /// The part of a character that this warning is about.
    pub fn concern(&self) -> Concern {
        match self {
            Self::Fbx(warning) => warning.concern(),
            Self::AttributeIgnored { attribute, .. } if attribute.starts_with("COLOR_") => Concern::Colors,
            Self::AttributeIgnored { attribute, .. }
                if attribute.starts_with("TEXCOORD_") || attribute == "TANGENT" =>
            {
                Concern::Looks
            }
            Self::ExtensionIgnored { name, .. }
            | Self::ExtensionInPart { name, .. }
            | Self::ExtensionRequired { name }
                if is_of_looks(name) =>
            {
                Concern::Looks
            }
            Self::AgainstRule { .. }
            | Self::SceneRoots { .. }
            | Self::AttributeFormat { .. }
            | Self::DirectionsNotUnit { .. }
            | Self::SkeletonNotRoot { .. }
            | Self::AttributesUnknown { .. } => Concern::Form,
            Self::Malformed { kind: "Camera" | "Material" | "Sampler", .. }
            | Self::MorphLooksIgnored { .. }
            | Self::TextureReplaced { .. }
            | Self::TextureLeftOut { .. }
            | Self::LooksIgnored { .. }
            | Self::TexCoordsMissing { .. }
            | Self::LightsIgnored { .. }
            | Self::ExpressionLooks { .. }
            | Self::ShadingOfVrm { .. } => Concern::Looks,
            _ => Concern::Shape,
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

/// A name or address from a file, shortened for a message.
pub(super) fn short(text: &str) -> String {
    shortened(text, 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_told_from_shape() {
        let of = |name: &str| ImportWarning::ExtensionIgnored { name: name.to_owned(), effect: "" }.concern();
        assert_eq!((of("KHR_materials_sheen"), of("EXT_mesh_gpu_instancing")), (Concern::Looks, Concern::Shape));
        let place = Place { mesh: 0, name: String::new(), primitive: 0 };
        let of = |attribute: &str| {
            let (place, attribute) = (place.clone(), attribute.to_owned());
            let fault = AccessorFault::Empty { accessor: 0 };
            ImportWarning::AttributeIgnored { place, attribute, fault }.concern()
        };
        assert_eq!(["NORMAL", "COLOR_0", "TEXCOORD_1"].map(of), [Concern::Shape, Concern::Colors, Concern::Looks]);
        assert_eq!(ImportWarning::SceneEmpty.concern(), Concern::Shape);
        assert!(Concern::Shape < Concern::Colors && Concern::Colors < Concern::Looks);
    }
}
