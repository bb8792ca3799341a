//! Faults of parts of a file: the reasons that errors and warnings carry.

use std::path::PathBuf;

pub use gltf::json::accessor::Type as Shape;

/// Reason why an accessor cannot be read. Indices are those of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessorFault {
    /// The file changed or disappeared while it was read.
    #[error("its data cannot be read: {reason}")]
    Unread {
        /// Message of the operating system.
        reason: String,
    },
    /// The index names no accessor.
    #[error("accessor {accessor} does not exist, there are {count}")]
    Missing {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Number of accessors in the file.
        count: usize,
    },
    /// Properties of the accessor are wrong or missing.
    #[error("accessor {accessor} is not in the form that glTF defines")]
    Malformed {
        /// Index of the accessor in the file.
        accessor: usize,
    },
    /// The accessor has no elements.
    #[error("accessor {accessor} has no elements")]
    Empty {
        /// Index of the accessor in the file.
        accessor: usize,
    },
    /// The accessor has the wrong type (number of components).
    #[error("accessor {accessor} is {actual:?}, expected {expected:?}")]
    Shape {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Type that its use requires.
        expected: Shape,
        /// Type in the file.
        actual: Shape,
    },
    /// The component type is not allowed here.
    #[error("accessor {accessor} has component type {actual}, expected {expected}")]
    Component {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Names of the allowed component types.
        expected: &'static str,
        /// Component type in the file, a GL constant.
        actual: u32,
    },
    /// The accessor has the wrong number of elements.
    #[error("accessor {accessor} has {actual} elements, expected {expected}")]
    Count {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Required number of elements.
        expected: usize,
        /// Number of elements of the accessor.
        actual: usize,
    },
    /// The buffer view does not exist, or its properties are wrong or missing.
    #[error("buffer view {view} does not exist or is not in the form that glTF defines")]
    View {
        /// Index of the buffer view in the file.
        view: usize,
    },
    /// The buffer view ends beyond its buffer.
    #[error("buffer view {view} ends at byte {needed} of buffer {buffer}, which has {available}")]
    ViewRange {
        /// Index of the buffer view in the file.
        view: usize,
        /// Index of its buffer in the file.
        buffer: usize,
        /// End of the view within the buffer, bytes.
        needed: u64,
        /// Length of the buffer's data, bytes.
        available: u64,
    },
    /// The accessor ends beyond its buffer view.
    #[error("accessor {accessor} ends at byte {needed} of buffer view {view}, which has {available}")]
    Range {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Index of its buffer view in the file.
        view: usize,
        /// End of the accessor within the view, bytes.
        needed: u64,
        /// Length of the view, bytes.
        available: u64,
    },
    /// The stride is smaller than an element, so elements would overlap.
    #[error("buffer view {view} has a stride of {stride} bytes, but an element of accessor {accessor} takes {element}")]
    Stride {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Index of its buffer view in the file.
        view: usize,
        /// Stride of the view, bytes.
        stride: usize,
        /// Bytes of one element.
        element: usize,
    },
    /// Data compressed by meshopt is invalid.
    #[error("the compressed data of buffer view {view} is broken: fetch or export the file again")]
    Compression {
        /// Index of the buffer view in the file.
        view: usize,
    },
    /// Decompressing the buffer view would exceed the memory limit.
    #[error(
        "buffer view {view} would take {bytes} bytes when decompressed, more than is left of the limit for one file"
    )]
    Decompressed {
        /// Index of the buffer view in the file.
        view: usize,
        /// Size when decompressed, bytes.
        bytes: u64,
    },
    /// The buffer has no data; a separate fault says why.
    #[error("buffer {buffer} has no data")]
    Buffer {
        /// Index of the buffer in the file.
        buffer: usize,
    },
    /// Sparse storage replaces an element out of range.
    #[error("sparse storage replaces element {index} of accessor {accessor}, which has {count}")]
    SparseIndex {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Index of the replaced element.
        index: u64,
        /// Number of elements.
        count: usize,
    },
    /// Sparse storage replaces more elements than the accessor has.
    #[error("sparse storage replaces {replaced} elements of accessor {accessor}, which has {count}")]
    SparseCount {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Number of elements that sparse storage replaces.
        replaced: usize,
        /// Number of elements.
        count: usize,
    },
    /// The accessor has too many elements without data, which glTF defines as zeros.
    #[error(
        "accessor {accessor} needs {bytes} bytes of zeros without data, but only {left} are left for a file of this size"
    )]
    Zeros {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Size of the zeros, bytes.
        bytes: u64,
        /// Bytes of zeros that a file of this size may still have.
        left: u64,
    },
    /// Decoding the accessor would exceed the memory limit.
    #[error("accessor {accessor} would need {bytes} bytes, more than the rest of the memory limit for one file")]
    TooLarge {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Size when decoded, bytes.
        bytes: u64,
    },
}

impl AccessorFault {
    pub(super) fn unread(error: &std::io::Error) -> Self {
        Self::Unread { reason: error.to_string() }
    }
}

/// Reason why the data of a buffer or image is not available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceFault {
    /// The object has neither a `uri` nor data in the file.
    #[error("it has neither a uri nor data of its own")]
    NoData,
    /// Properties are missing or wrong.
    #[error("it is not in the form that glTF defines")]
    Malformed,
    /// The data URI cannot be decoded.
    #[error("its data URI cannot be decoded: {reason}")]
    DataUri {
        /// What is wrong with the data URI.
        reason: String,
    },
    /// The file lies outside the model's folder.
    #[error("\"{uri}\" is outside of the model's folder: put the file beside the model and use a relative path")]
    Outside {
        /// The `uri` as the file gives it.
        uri: String,
    },
    /// The `uri` is a URL, such as `http:`.
    #[error("\"{uri}\" is an address, and nothing is loaded from addresses: put the file beside the model")]
    Scheme {
        /// The `uri` as the file gives it.
        uri: String,
    },
    /// The model was opened without a folder.
    #[error("it is in the file \"{uri}\", but the model was opened without its folder")]
    NoFolder {
        /// The `uri` as the file gives it.
        uri: String,
    },
    /// The named file does not exist.
    #[error("the file \"{uri}\" is missing, looked for as {}: copy it there", path.display())]
    NotFound {
        /// The `uri` as the file gives it.
        uri: String,
        /// Path that was tried.
        path: PathBuf,
    },
    /// The file exists but cannot be read.
    #[error("{} cannot be read: {reason}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Message of the operating system.
        reason: String,
    },
    /// The file is a Git LFS pointer whose content was not fetched.
    #[error("{} is a Git LFS pointer, not the data: run \"git lfs pull\" in its folder", path.display())]
    LfsPointer {
        /// Path of the file.
        path: PathBuf,
    },
    /// The data is shorter than stated.
    #[error("it has {actual} of {expected} bytes: it was cut short, fetch or export it again")]
    TooShort {
        /// Stated size, bytes.
        expected: u64,
        /// Size of the data, bytes.
        actual: u64,
    },
    /// The data exceeds the memory limit.
    #[error("its {bytes} bytes exceed the rest of the memory limit for one file")]
    TooLarge {
        /// Size of the data, bytes.
        bytes: u64,
    },
    /// The buffer view that holds the data cannot be read.
    #[error(transparent)]
    View(AccessorFault),
}

/// Reason why a primitive is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrimitiveFault {
    /// Properties are wrong or missing.
    #[error("it is not in the form that glTF defines")]
    Malformed,
    /// The primitive has a mode that glTF does not define.
    #[error("it has mode {mode}, which glTF does not define")]
    Mode {
        /// Mode in the file.
        mode: u32,
    },
    /// `KHR_draco_mesh_compression` data cannot be decoded.
    #[error("its Draco compression cannot be decoded, {reason}: fetch the file again, or export it without Draco")]
    Draco {
        /// Message of the decoder.
        reason: String,
    },
    /// The attribute `POSITION` is missing.
    #[error("it has no positions")]
    NoPositions,
    /// `POSITION` cannot be read.
    #[error("its positions cannot be read: {0}")]
    Positions(AccessorFault),
    /// `indices` cannot be read.
    #[error("its indices cannot be read: {0}")]
    Indices(AccessorFault),
    /// An index refers to a vertex that does not exist.
    #[error("index {position} refers to vertex {vertex}, but there are {count} vertices")]
    VertexIndex {
        /// Position in the index list.
        position: usize,
        /// Index of the vertex.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// Too few vertices or indices for one triangle, line or point.
    #[error("it has too few vertices or indices for one triangle, line or point")]
    NoElements,
    /// Decoding the primitive would exceed the memory limit.
    #[error("it would exceed the rest of the memory limit for one file")]
    TooLarge,
}

/// Reason why a primitive with joints or weights is drawn without skinning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnskinnedReason {
    /// The primitive has joints, but no node binds its mesh to a skin.
    #[error("it has joints, but its node has no skin")]
    NoSkin,
    /// The mesh is bound to a skin, but the primitive lacks joints or weights.
    #[error("its node has a skin, but it has no joints and weights")]
    NoInfluences,
    /// Joints or weights cannot be read.
    #[error("{attribute} cannot be read: {fault}")]
    Unreadable {
        /// `JOINTS_n` or `WEIGHTS_n`.
        attribute: String,
        /// Fault of the accessor.
        fault: AccessorFault,
    },
}

/// Reason why a texture is replaced by a checkerboard or left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextureFault {
    /// The texture, its image or its sampler does not exist or is malformed.
    #[error("it names {what} {index}, which does not exist or is not in the form that glTF defines")]
    Reference {
        /// `texture` or `image`.
        what: &'static str,
        /// Index of the texture or image in the file.
        index: usize,
    },
    /// The image is given only by an extension that is not read or is malformed.
    #[error("its image is in the extension {extension}, which is not read: use PNG, JPEG, WebP or KTX2")]
    Extension {
        /// Name of the extension.
        extension: String,
    },
    /// The texture names no image.
    #[error("it has no image")]
    NoImage,
    /// The image's bytes are not available.
    #[error("image {image}: {fault}")]
    Source {
        /// Index of the image in the file.
        image: usize,
        /// Fault of the image's data.
        fault: SourceFault,
    },
    /// The image format is not supported.
    #[error(
        "image {image} is {found}, and only PNG, JPEG, WebP and KTX2 are read: export the textures in one of these"
    )]
    Format {
        /// Index of the image in the file.
        image: usize,
        /// Format that the bytes resemble.
        found: &'static str,
    },
    /// The image cannot be decoded.
    #[error("image {image} cannot be decoded: {reason}")]
    Decode {
        /// Index of the image in the file.
        image: usize,
        /// Message of the decoder.
        reason: String,
    },
    /// Decoding the image would exceed the memory limit.
    #[error(
        "decoding the {width} x {height} pixels of image {image} takes more memory than is left for this file, or more than half of --memory-limit"
    )]
    TooLarge {
        /// Index of the image in the file.
        image: usize,
        /// Width of the image, pixels.
        width: u32,
        /// Height of the image, pixels.
        height: u32,
    },
}

/// Reason why a skin is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkinFault {
    /// The skin does not exist.
    #[error("it does not exist")]
    Missing,
    /// Properties are wrong or missing.
    #[error("it is not in the form that glTF defines")]
    Malformed,
    /// The skin lists no joints.
    #[error("it has no joints")]
    NoJoints,
    /// A joint of the skin is not a node of the file.
    #[error("its joint {position} is node {node}, but there are {count} nodes")]
    Joint {
        /// Position of the joint in the skin's list.
        position: usize,
        /// Index of the node in the file.
        node: usize,
        /// Number of nodes.
        count: usize,
    },
    /// The skin has more joints than 16-bit influences can index.
    #[error("it has {count} joints, more than the 65536 that a vertex can refer to")]
    TooManyJoints {
        /// Number of joints.
        count: usize,
    },
}

/// Reason why a channel of a clip is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChannelFault {
    /// Properties are wrong or missing.
    #[error("it is not in the form that glTF defines")]
    Malformed,
    /// The sampler does not exist or is malformed.
    #[error("its sampler {sampler} does not exist or is not in the form that glTF defines")]
    Sampler {
        /// Index of the sampler in the animation.
        sampler: usize,
    },
    /// The interpolation is unknown.
    #[error("its interpolation \"{found}\" is unknown")]
    Interpolation {
        /// Name of the interpolation in the file.
        found: String,
    },
    /// The channel animates a property other than translation, rotation, scale or weights.
    #[error("it moves \"{path}\", which is not read")]
    Path {
        /// Animated property in the file.
        path: String,
    },
    /// The channel has no target node.
    #[error("it has no target node")]
    NoNode,
    /// The target node does not exist.
    #[error("it animates node {node}, but there are {count} nodes")]
    Node {
        /// Index of the node in the file.
        node: usize,
        /// Number of nodes.
        count: usize,
    },
    /// The channel animates morph weights of a node without morph targets.
    #[error("it animates morph weights of node {node}, whose mesh has no morph targets")]
    NoTargets {
        /// Index of the node in the file.
        node: usize,
    },
    /// Key times cannot be read.
    #[error("its times cannot be read: {0}")]
    Times(AccessorFault),
    /// Key times are not finite, or decrease.
    #[error("its times fall or are not finite numbers at key {key}")]
    TimesOrder {
        /// Index of the key in the channel.
        key: usize,
    },
    /// Key values cannot be read.
    #[error("its values cannot be read: {0}")]
    Values(AccessorFault),
    /// Key values are not finite numbers.
    #[error("its values are not finite numbers")]
    NotFinite,
}

/// Fault of a node constraint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConstraintFault {
    /// The version of the extension is missing or not 1.0.
    #[error("is not evaluated: its version is not 1.0")]
    Version,
    /// The kind of constraint is unknown.
    #[error("is not evaluated: it is not a roll, aim or rotation constraint")]
    Kind,
    /// The axis is missing or invalid.
    #[error("is not evaluated: its axis is missing or unknown")]
    Axis,
    /// The source is missing or not a node.
    #[error("is not evaluated: its source is not one of the {nodes} nodes")]
    Source {
        /// Number of nodes in the file.
        nodes: usize,
    },
    /// The source node is not in the scene.
    #[error(
        "follows node {source_node}, which is not in the scene; programs that load only the scene do not evaluate it"
    )]
    SourceOutside {
        /// Index of the source node in the file.
        source_node: usize,
    },
    /// The weight is outside 0 to 1.
    #[error("has the weight {weight} (allowed: 0 to 1); it counts as {}", weight.clamp(0.0, 1.0))]
    Weight {
        /// Weight in the file.
        weight: f64,
    },
}

/// A requirement of glTF whose violation Rigscope tolerates but other programs may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GltfRule {
    /// Accessor data starts at a multiple of the component size.
    Alignment,
    /// Vertex attributes start at multiples of four bytes.
    VertexAlignment,
    /// Floats and 32-bit integers are not normalized.
    Normalized,
    /// Vertex attributes that share a buffer view have a stride.
    SharedView,
    /// Only vertex attributes have a stride.
    Stride,
    /// Positions and key times have bounds.
    Bounds,
    /// Bounds match the data.
    WrongBounds,
    /// Indices do not use the largest value of their type (primitive restart).
    Restart,
    /// Sets of an attribute are numbered from 0 without gaps.
    SetNumbers,
    /// Morph targets affect only attributes that the primitive has.
    TargetAttributes,
    /// Key times and values have an allowed component type.
    KeyFormat,
    /// Cubic splines have at least two keys.
    SplineKeys,
    /// Skins list a joint once.
    JointOnce,
    /// Scenes list a node once.
    RootOnce,
    /// Lists of children are not empty.
    EmptyChildren,
    /// A node with a skin has a mesh.
    SkinWithoutMesh,
    /// A node with morph weights has a mesh.
    WeightsWithoutMesh,
}

impl GltfRule {
    /// Returns the violation as a predicate, for one object or several.
    pub(super) fn problem(self, is_many: bool) -> &'static str {
        let [one, many] = match self {
            Self::Alignment => [
                "does not start at a multiple of its component size",
                "do not start at a multiple of their component size",
            ],
            Self::VertexAlignment => [
                "has vertices that do not start at a multiple of four bytes",
                "have vertices that do not start at a multiple of four bytes",
            ],
            Self::Normalized => [
                "is normalized, which floats and 32-bit integers cannot be",
                "are normalized, which floats and 32-bit integers cannot be",
            ],
            Self::SharedView => [
                "shares its buffer view with another one without a stride",
                "share their buffer views with others without a stride",
            ],
            Self::Stride => [
                "has a stride, which only vertex attributes may have",
                "have a stride, which only vertex attributes may have",
            ],
            Self::Bounds => ["has no bounds (min and max)", "have no bounds (min and max)"],
            Self::WrongBounds => ["has bounds that do not match its data", "have bounds that do not match their data"],
            Self::Restart => [
                "uses the largest index of its type, which is reserved",
                "use the largest index of their type, which is reserved",
            ],
            Self::SetNumbers => {
                ["has attribute sets that are not numbered from 0", "have attribute sets that are not numbered from 0"]
            }
            Self::TargetAttributes => [
                "has a morph target for an attribute that the primitive lacks",
                "have morph targets for attributes that the primitives lack",
            ],
            Self::KeyFormat => [
                "is stored in a format that its use in a clip does not allow",
                "are stored in formats that their use in a clip does not allow",
            ],
            Self::SplineKeys => ["has a spline of a single key", "have splines of a single key"],
            Self::JointOnce => ["lists a joint twice", "list a joint twice"],
            Self::RootOnce => ["lists a node twice", "list a node twice"],
            Self::EmptyChildren => ["has an empty list of children", "have empty lists of children"],
            Self::SkinWithoutMesh => ["has a skin and no mesh", "have a skin and no mesh"],
            Self::WeightsWithoutMesh => ["has morph weights and no mesh", "have morph weights and no mesh"],
        };
        if is_many { many } else { one }
    }
}
