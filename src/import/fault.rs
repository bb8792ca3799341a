//! Faults of one part of a file, told precisely; errors and warnings carry these as their reason.

use std::path::PathBuf;

pub use gltf::json::accessor::Type as Shape;

/// Why an accessor cannot be read. All indices are the file's own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessorFault {
    /// The file changed or went away while it was read.
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
    /// The accessor has another number of components than its use needs.
    #[error("accessor {accessor} is {actual:?}, expected {expected:?}")]
    Shape {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Shape that the use needs.
        expected: Shape,
        /// Shape of the accessor in the file.
        actual: Shape,
    },
    /// The accessor has a component type that its use does not allow.
    #[error("accessor {accessor} has component type {actual}, expected {expected}")]
    Component {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Names of the component types that are allowed.
        expected: &'static str,
        /// The file's number of the component type.
        actual: u32,
    },
    /// The number of elements is not the one that the accessor's use needs.
    #[error("accessor {accessor} has {actual} elements, expected {expected}")]
    Count {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Number of elements needed.
        expected: usize,
        /// Number of elements that the accessor has.
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
    /// The accessor's elements would overlap.
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
    /// Data compressed by meshopt is not in the form that its extension defines.
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
    /// Sparse storage replaces an element beyond the end.
    #[error("accessor {accessor} replaces element {index} by sparse storage, but has {count}")]
    SparseIndex {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Number of the element to replace.
        index: u64,
        /// Number of elements.
        count: usize,
    },
    /// Sparse storage replaces more elements than the accessor has.
    #[error("accessor {accessor} replaces {replaced} elements by sparse storage, but has {count}")]
    SparseCount {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Number of elements that sparse storage replaces.
        replaced: usize,
        /// Number of elements.
        count: usize,
    },
    /// The accessor has many elements without data in the file, which glTF defines as zeros.
    #[error(
        "accessor {accessor} asks for {bytes} bytes of zeros without any data, of {left} that are left for a file of this size"
    )]
    Zeros {
        /// Index of the accessor in the file.
        accessor: usize,
        /// Size of the zeros, bytes.
        bytes: u64,
        /// Bytes of such zeros that a file of this size may still have.
        left: u64,
    },
    /// Decoding the accessor would exceed the memory limit.
    #[error("accessor {accessor} would take {bytes} bytes, more than is left of the limit for one file")]
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

/// Why the bytes behind a `uri` are not available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceFault {
    /// Neither a `uri` nor data in the file is named.
    #[error("it says neither where its data is nor holds any")]
    NoData,
    /// The object lacks properties or they are wrong.
    #[error("it is not in the form that glTF defines")]
    Malformed,
    /// The data URI cannot be decoded.
    #[error("its data URI cannot be decoded: {reason}")]
    DataUri {
        /// What is wrong with the data URI.
        reason: String,
    },
    /// The file lies outside the model's folder, or the `uri` is an address on a network.
    #[error("\"{uri}\" lies outside of the model's folder: put the file beside the model and name it relatively")]
    Outside {
        /// The `uri` as the file gives it.
        uri: String,
    },
    /// The `uri` is an address, such as `http:`.
    #[error("\"{uri}\" is an address, and nothing is loaded from addresses: put the file beside the model")]
    Scheme {
        /// The `uri` as the file gives it.
        uri: String,
    },
    /// The model came without a folder.
    #[error("it is in the file \"{uri}\", but the model was opened without its folder")]
    NoFolder {
        /// The `uri` as the file gives it.
        uri: String,
    },
    /// The named file is not there.
    #[error("the file \"{uri}\" is missing, looked for as {}: copy it there", path.display())]
    NotFound {
        /// The `uri` as the file gives it.
        uri: String,
        /// Path at which the file was looked for.
        path: PathBuf,
    },
    /// The file is there, but cannot be read.
    #[error("{} cannot be read: {reason}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Message of the operating system.
        reason: String,
    },
    /// The file is a Git LFS pointer: its content was not fetched.
    #[error("{} is a Git LFS pointer, not the data: run \"git lfs pull\" in its folder", path.display())]
    LfsPointer {
        /// Path of the file.
        path: PathBuf,
    },
    /// The data is shorter than promised.
    #[error("it has {actual} of {expected} bytes: it was cut short, fetch or export it again")]
    TooShort {
        /// Promised size, bytes.
        expected: u64,
        /// Size of the data, bytes.
        actual: u64,
    },
    /// The data is larger than the limit allows.
    #[error("its {bytes} bytes are more than is left of the limit for one file")]
    TooLarge {
        /// Size of the data, bytes.
        bytes: u64,
    },
    /// The buffer view that holds the data cannot be read.
    #[error(transparent)]
    View(AccessorFault),
}

/// Why a primitive is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrimitiveFault {
    /// Wrong or missing properties.
    #[error("it is not in the form that glTF defines")]
    Malformed,
    /// The primitive has a mode that glTF does not define.
    #[error("it has mode {mode}, which glTF does not define")]
    Mode {
        /// The file's number of the mode.
        mode: u32,
    },
    /// `KHR_draco_mesh_compression` that cannot be decoded.
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
    /// A triangle, line or point uses a vertex that does not exist.
    #[error("index {position} names vertex {vertex}, but there are {count}")]
    VertexIndex {
        /// Position in the index list.
        position: usize,
        /// Number of the vertex that is used.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// Too few vertices or indices for one triangle, line or point.
    #[error("it has too few vertices or indices for one triangle, line or point")]
    NoElements,
    /// Decoding the primitive would exceed the memory limit.
    #[error("it would take more memory than is left of the limit for one file")]
    TooLarge,
}

/// Why a primitive with joints or weights is drawn as if it had none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unskinned {
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

/// Why a texture is replaced by a checker or left out.
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
    /// The image is named only by an extension that is not read or is malformed.
    #[error("its image is in the extension {extension}, which is not read: use PNG, JPEG, WebP or KTX2")]
    Extension {
        /// Name of the extension.
        extension: String,
    },
    /// The texture names no image.
    #[error("it names no image")]
    NoImage,
    /// The image's bytes are not available.
    #[error("image {image}: {fault}")]
    Source {
        /// Index of the image in the file.
        image: usize,
        /// Fault of the image's data.
        fault: SourceFault,
    },
    /// The image has a format that is not read.
    #[error(
        "image {image} is {found}, and only PNG, JPEG, WebP and KTX2 are read: export the textures in one of these"
    )]
    Format {
        /// Index of the image in the file.
        image: usize,
        /// Format that the bytes seem to be in.
        found: &'static str,
    },
    /// The decoder refuses the image.
    #[error("image {image} cannot be decoded: {reason}")]
    Decode {
        /// Index of the image in the file.
        image: usize,
        /// Message of the decoder.
        reason: String,
    },
    /// The image has more pixels than the limit allows.
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

/// Why a skin is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkinFault {
    /// The skin does not exist.
    #[error("it does not exist")]
    Missing,
    /// Wrong or missing properties.
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
    /// The skin has more joints than an influence can index.
    #[error("it has {count} joints, more than the 65536 that a vertex can name")]
    TooManyJoints {
        /// Number of joints.
        count: usize,
    },
}

/// Why a channel of a clip is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChannelFault {
    /// Wrong or missing properties.
    #[error("it is not in the form that glTF defines")]
    Malformed,
    /// The sampler does not exist or is malformed.
    #[error("its sampler {sampler} does not exist or is not in the form that glTF defines")]
    Sampler {
        /// Index of the sampler in the animation.
        sampler: usize,
    },
    /// The sampler has an interpolation that glTF does not define.
    #[error("its interpolation \"{found}\" is unknown")]
    Interpolation {
        /// Name of the interpolation in the file.
        found: String,
    },
    /// The channel moves a property other than translation, rotation, scale or weights.
    #[error("it moves \"{path}\", which is not read")]
    Path {
        /// Name of the moved property in the file.
        path: String,
    },
    /// The channel names no node.
    #[error("it moves no node")]
    NoNode,
    /// The channel moves a node that does not exist.
    #[error("it moves node {node}, but there are {count}")]
    Node {
        /// Index of the node in the file.
        node: usize,
        /// Number of nodes.
        count: usize,
    },
    /// The channel moves morph weights of a node without morph targets.
    #[error("it moves morph weights of node {node}, whose mesh has no morph targets")]
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
        /// Position of the key in the channel.
        key: usize,
    },
    /// Key values cannot be read.
    #[error("its values cannot be read: {0}")]
    Values(AccessorFault),
    /// A key value is not a finite number.
    #[error("its values are not finite numbers")]
    NotFinite,
}

/// What is wrong with a node constraint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConstraintFault {
    /// The version of the extension is another one, or missing.
    #[error("is not evaluated: its version is not 1.0")]
    Version,
    /// The constraint is of no known kind.
    #[error("is not evaluated: it is none of roll, aim and rotation")]
    Kind,
    /// The axis is missing, or none that a node has.
    #[error("is not evaluated: its axis is none that there is")]
    Axis,
    /// The source is missing, or no node.
    #[error("is not evaluated: its source is none of the {nodes} nodes")]
    Source {
        /// Number of nodes in the file.
        nodes: usize,
    },
    /// The node that is followed is not in the scene.
    #[error(
        "follows node {source_node}, which is not in the scene; programs that load only the scene do not evaluate it"
    )]
    SourceOutside {
        /// The file's number of the node that is followed.
        source_node: usize,
    },
    /// The weight is out of range.
    #[error("has the weight {weight} (allowed: 0 to 1); it counts as {}", weight.clamp(0.0, 1.0))]
    Weight {
        /// Weight in the file.
        weight: f64,
    },
}

/// A rule of glTF without which a file can be read, but not by every program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GltfRule {
    /// Data of accessors starts at a multiple of the component's size.
    Alignment,
    /// Vertices start at multiples of four bytes.
    VertexAlignment,
    /// Floats and 32-bit integers are not normalized.
    Normalized,
    /// Vertex attributes in one buffer view have a stride.
    SharedView,
    /// Only vertex attributes have a stride.
    Stride,
    /// Positions and times of keys have bounds.
    Bounds,
    /// Bounds are those of the data.
    WrongBounds,
    /// Indices leave out the largest number of their type.
    Restart,
    /// Sets of an attribute are numbered from 0 without a gap.
    SetNumbers,
    /// What a morph target moves is an attribute of the primitive.
    TargetAttributes,
    /// Times and values of keys are stored in formats that the property allows.
    KeyFormat,
    /// Splines have two keys or more.
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
    /// What is wrong with one part or several, a predicate.
    pub(super) fn problem(self, is_many: bool) -> &'static str {
        let [one, many] = match self {
            Self::Alignment => {
                ["starts at no multiple of its component's size", "start at no multiple of their component's size"]
            }
            Self::VertexAlignment => [
                "has vertices that start at no multiple of four bytes",
                "have vertices that start at no multiple of four bytes",
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
            Self::WrongBounds => {
                ["has bounds that are not those of its data", "have bounds that are not those of their data"]
            }
            Self::Restart => [
                "uses the largest index of its type, which is reserved",
                "use the largest index of their type, which is reserved",
            ],
            Self::SetNumbers => [
                "has sets of an attribute that are not numbered from 0 on",
                "have sets of an attribute that are not numbered from 0 on",
            ],
            Self::TargetAttributes => [
                "has a morph target that moves what the primitive lacks",
                "have morph targets that move what the primitives lack",
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
