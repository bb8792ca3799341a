//! The switches of the reference pipeline. Without a mistake it is glTF skinning.

/// How a program gets from a rig to points. The default is what glTF asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pipeline {
    pub lookup: Lookup,
    pub parents: Parents,
    pub chain: Chain,
    pub bind: Bind,
    pub bind_layout: BindLayout,
    pub inverts_bind: bool,
    /// The inverse bind matrix is on the left of the world matrix.
    pub bind_first: bool,
    pub palette: MatrixLayout,
    pub divides_by_w: bool,
    pub rotation: Option<Misreading>,
    pub scale: NodeScale,
    pub on_top: OnTop,
    pub axes: OutputUpAxis,
    pub mirror: Mirror,
    pub unit: Unit,
    pub weights: WeightChoice,
    pub weight_bytes: Option<WeightBytes>,
    pub morphs: MorphUse,
    pub method: Blend,
    pub signs: Signs,
    pub stretch: StretchUse,
    pub sum: SumUse,
    pub sampling: Sampling,
    pub time: TimeOffset,
    pub half: HalfPrecision,
}

/// The joint that a number in `JOINTS_0` stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Lookup {
    #[default]
    SkinJoints,
    /// The node with this number, with the inverse bind matrix of this number.
    Nodes,
    /// An array of all nodes' skinning matrices; nodes that are not joints have no inverse bind matrix.
    NodePalette,
    /// The same; nodes that are not joints don't move.
    NodePaletteOrIdentity,
    /// Joints sorted by node number, inverse bind matrices not.
    SortedJoints,
    /// Joints sorted by node number, each with its inverse bind matrix.
    SortedPairs,
    /// As [`Self::SortedJoints`], in the order of the hierarchy.
    TreeJoints,
    /// As [`Self::SortedPairs`], in the order of the hierarchy.
    TreePairs,
}

/// Nodes that count as parents of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Parents {
    #[default]
    All,
    Joints,
    /// All but those above the topmost joints.
    BelowTopJoints,
    /// Joints, and nodes above the topmost joints.
    JointsAndAbove,
}

/// How local transforms become world transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Chain {
    #[default]
    ParentTimesLocal,
    LocalTimesParent,
    LocalOnly,
    /// Each node uses the world transform that its parent had at rest.
    ParentsAtRest,
    /// The same, if the parent comes later in the file.
    LaterParentsAtRest,
    /// The identity for parents that come later in the file.
    LaterParentsMissing,
    /// As [`Self::LaterParentsAtRest`], in the order of `skin.joints`.
    LaterJointsAtRest,
    /// As [`Self::LaterParentsMissing`], in the order of `skin.joints`.
    LaterJointsMissing,
    /// Each node uses a world transform that its parent had before.
    EarlierParents(Lag),
    /// The same, if the parent comes later in the file.
    EarlierLaterParents(Lag),
}

/// By how much the world transforms of parents are late.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lag {
    pub offset: TimeOffset,
    /// Whether the parent's own parent was late as well, and so on: a node's world transform in each frame uses its
    /// parent's of the frame before.
    pub adds_up: bool,
}

/// The inverse bind matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Bind {
    #[default]
    Stored,
    Missing,
    /// From the rest pose of the joints that the skin lists.
    FromRest,
    /// From the rest pose of the nodes that a wrong [`Lookup`] finds.
    FromRestOfLookup,
    /// From the rest pose, relative to the node of the mesh.
    FromRestInMesh,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum BindLayout {
    #[default]
    Columns,
    Transposed,
    /// Only the 3x3 part is transposed.
    LinearTransposed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum MatrixLayout {
    #[default]
    Columns,
    Transposed,
    LinearTransposed,
    /// The world transforms are transposed before they are multiplied.
    WorldTransposed,
}

/// A misread rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Misreading {
    pub edit: RotationEdit,
    pub nodes: MisreadNodes,
    pub factor: MisreadFactor,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RotationEdit {
    /// The stored x, y, z, w are read as w, x, y, z.
    ReadAsWxyz,
    /// Written as w, x, y, z and used as x, y, z, w.
    WrittenAsWxyz,
    Conjugate,
    /// Degrees are used as radians. Angles are from 0 to 2 pi, depending on the sign of the quaternion.
    TimesDegrees,
    /// Radians are converted from degrees once too often.
    PerDegrees,
    /// As [`Self::TimesDegrees`], with angles up to pi.
    ShortestTimesDegrees,
    /// As [`Self::PerDegrees`], with angles up to pi.
    ShortestPerDegrees,
}

/// Nodes whose rotation in the file or clip is misread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MisreadNodes {
    /// All but those with a matrix.
    All,
    /// The same, but without those that are never rotated: loaders only read rotations that a file states.
    Rotated,
    /// Nodes that the clip rotates.
    Animated,
    Joints,
    /// All nodes, and rotations that the program takes from matrices in the file.
    WithMatrices,
}

/// The quaternion that is misread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MisreadFactor {
    /// The product of the rotation of the file or clip and that of the pose.
    Product,
    /// The rotation of the file or clip and that of the pose, one by one.
    Each,
    /// Only the rotation of the file or clip, not that of the pose.
    File,
    /// Only the rotation of the pose, not that of the file.
    Pose,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum NodeScale {
    #[default]
    Kept,
    Dropped,
    DroppedAtJoints,
    /// World transforms without their scale; positions stay.
    DroppedInWorld,
    /// Children don't inherit scale; it still moves their origins.
    Compensated,
    CompensatedAtJoints,
    /// Children don't inherit scale, and it doesn't move their origins.
    NotInherited,
    NotInheritedAtJoints,
}

/// What is applied to skinned points on top.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum OnTop {
    #[default]
    Nothing,
    MeshNode,
    MeshNodeLocal,
    MeshNodeScale,
    MeshNodeLocalScale,
    InverseMeshNode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum OutputUpAxis {
    #[default]
    Y,
    Z,
    /// Turned the other way: from Z up to Y up.
    MinusZ,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Mirror {
    #[default]
    None,
    Z,
    X,
    Y,
}

/// Factor from metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit(pub f64);

impl Default for Unit {
    fn default() -> Self {
        Self(1.0)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum WeightChoice {
    #[default]
    Imported,
    /// As in the file, whatever they sum to.
    Stored,
    Normalised,
    /// `JOINTS_0` and `WEIGHTS_0`.
    FirstSet {
        normalises: bool,
    },
    /// The first four that aren't 0.
    FirstFour {
        normalises: bool,
    },
    HeaviestFour {
        normalises: bool,
    },
    Heaviest,
    FirstOnly,
}

/// How weights become bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WeightBytes {
    pub rounding: ByteRounding,
    pub normalises: bool,
}

/// Halves are common: files store weights such as 0.1, 0.3 and 0.7, and the product with 255 in single precision is
/// a half where that in double precision isn't.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ByteRounding {
    /// In single precision, halves up.
    Up,
    /// In single precision, halves to even.
    Even,
    /// In double precision, halves to even.
    EvenInDouble,
    /// In single precision, down.
    Down,
    /// Down, but not just below an integer.
    DownWithTolerance,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum MorphUse {
    #[default]
    BeforeSkinning,
    AfterSkinning,
    Missing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Blend {
    #[default]
    Linear,
    DualQuaternion,
}

impl Blend {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Linear => "LBS",
            Self::DualQuaternion => "DQS",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Signs {
    #[default]
    OfHeaviest,
    OfFirstStored,
    /// Unchecked; quaternions come from matrices.
    OfMatrices,
    /// Unchecked; all quaternions have w >= 0.
    PositiveW,
    /// Unchecked; quaternions are products of those of the nodes.
    OfProducts,
    /// Unchecked; the signs that explain the points. Conversions from matrices differ in their signs.
    Fitted,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum StretchUse {
    #[default]
    TwoPhases,
    Dropped,
    /// Dropped, and the translation is that of the bind position.
    DroppedAboutBind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum SumUse {
    #[default]
    Normalised,
    /// Neither rotation nor translation is divided by the length.
    Raw,
    /// The same, with the rotation as `q p q*`.
    RawSandwich,
    /// Only the rotation is normalised.
    RotationNormalised,
    /// The rotation is normalised, the translation divided once.
    TranslationDividedOnce,
    /// The mean screw motion.
    Screw,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Sampling {
    #[default]
    AsStored,
    /// Keys with linear interpolation are held.
    Step,
    /// Keys of cubic splines are held as well.
    StepAll,
    /// Rotations are interpolated linearly, along the shorter arc.
    Nlerp,
    /// Without the shorter arc of a rotation.
    NoShortestArc,
    NoShortestArcLinear,
    AlwaysLongArc,
    TangentsNotScaled,
    TangentsIgnored,
    TangentsZero,
    TangentsSwapped,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum TimeOffset {
    #[default]
    None,
    /// Frames of the clip.
    Frames(f64),
    Seconds(f64),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum HalfPrecision {
    #[default]
    Nothing,
    Positions,
    Palette,
    /// World and inverse bind matrices.
    Factors,
}
