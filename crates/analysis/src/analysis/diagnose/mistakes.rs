//! The table of known mistakes: what they are called, how to recognise and fix them, and how they change the pipeline.

use rigscope_core::named_enum;

use super::pipeline::{
    Bind, BindLayout, Blend, ByteRounding, Chain, HalfPrecision, Lag, Lookup, MatrixLayout, Mirror, MisreadFactor,
    MisreadNodes, Misreading, MorphUse, NodeScale, OnTop, OutputUpAxis, Parents, Pipeline, RotationEdit, Sampling,
    Signs, StretchUse, SumUse, TimeOffset, Unit, WeightBytes, WeightChoice,
};

named_enum! {
    /// What a mistake is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum MistakeGroup {
        /// Joints and the hierarchy.
        Joints = "joints";
        /// Inverse bind matrices.
        Binds = "binds";
        /// Memory layout of matrices and quaternions.
        Layout = "layout";
        /// Space of the points.
        Space = "space";
        /// Scale of nodes.
        Scale = "scale";
        /// Weights.
        Weights = "weights";
        /// Morph targets.
        Morphs = "morphs";
        /// Skinning method.
        Method = "method";
        /// Sampling of clips.
        Time = "time";
        /// Precision.
        Precision = "precision";
        /// Attributes other than positions.
        Attributes = "attributes";
    }
}

/// A known mistake of programs that skin.
#[derive(Debug)]
pub struct Mistake {
    /// Identifier in JSON and on the command line.
    pub id: &'static str,
    /// What the mistake is about.
    pub group: MistakeGroup,
    /// Completes "Your points are LBS with …".
    pub wording: &'static str,
    /// What it looks like.
    pub symptom: &'static str,
    /// The correct line or rule.
    pub correct: &'static str,
    /// Where the rule is stated.
    pub source: &'static str,
    /// Variants, the most common one first.
    pub(super) variants: &'static [fn(&mut Pipeline)],
}

const SKINS: &str = "glTF 2.0, 3.7.3 (skins)";
const MESHES: &str = "glTF 2.0, 3.7.2 (meshes)";
const NODES: &str = "glTF 2.0, 3.5 (coordinate systems, transformations)";
const ANIMATIONS: &str = "glTF 2.0, 3.11 and appendix C (animation sampling)";
const DUAL_QUATERNIONS: &str =
    "Kavan, Collins, Zara, O'Sullivan: Geometric skinning with approximate dual quaternion blending, 2008";

const fn lag(offset: TimeOffset, adds_up: bool) -> Lag {
    Lag { offset, adds_up }
}

const fn bytes(rounding: ByteRounding, normalises: bool) -> WeightBytes {
    WeightBytes { rounding, normalises }
}

const fn misread(edit: RotationEdit, nodes: MisreadNodes, factor: MisreadFactor) -> Misreading {
    Misreading { edit, nodes, factor }
}

/// Returns the variants of an edit of rotations: in every node or in some, of file and pose together or one by one.
macro_rules! rotations {
    ($($edit:ident),*) => {
        &[
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::All, MisreadFactor::Product)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Animated, MisreadFactor::Product)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::All, MisreadFactor::Pose)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Joints, MisreadFactor::Product)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::All, MisreadFactor::File)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::All, MisreadFactor::Each)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::WithMatrices, MisreadFactor::Each)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Rotated, MisreadFactor::Each)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Animated, MisreadFactor::Each)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Rotated, MisreadFactor::Product)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Rotated, MisreadFactor::File)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Animated, MisreadFactor::File)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::WithMatrices, MisreadFactor::File)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Joints, MisreadFactor::Each)),)*
            $(|p| p.rotation = Some(misread(RotationEdit::$edit, MisreadNodes::Joints, MisreadFactor::File)),)*
        ]
    };
}

/// All mistakes. Of two that a pose can't tell apart, the first is named first, but after `COMMON` ones.
pub static MISTAKES: &[Mistake] = &[
    Mistake {
        id: "node-for-joint",
        group: MistakeGroup::Joints,
        wording: "JOINTS_0 read as node indices",
        symptom: "Parts of the mesh follow unrelated bones, often the mesh node or a neighbour in the file.",
        correct: "node = skin.joints[JOINTS_0[i]]",
        source: SKINS,
        variants: &[
            |p| p.lookup = Lookup::Nodes,
            |p| p.lookup = Lookup::NodePalette,
            |p| p.lookup = Lookup::NodePaletteOrIdentity,
        ],
    },
    Mistake {
        id: "joint-order",
        group: MistakeGroup::Joints,
        wording: "joints sorted by node instead of in the order of skin.joints",
        symptom: "Limbs swap places or tear, while each joint matrix on its own is right.",
        correct: "palette[k] = world[skin.joints[k]] * inverse_bind[k], in the order of skin.joints",
        source: SKINS,
        variants: &[
            |p| p.lookup = Lookup::SortedJoints,
            |p| p.lookup = Lookup::SortedPairs,
            |p| p.lookup = Lookup::TreeJoints,
            |p| p.lookup = Lookup::TreePairs,
        ],
    },
    Mistake {
        id: "child-before-parent",
        group: MistakeGroup::Joints,
        wording: "children updated before their parents",
        symptom: "Joints lag behind their parents by one update, or some limbs stay where they were.",
        correct: "Update parents first: sort the nodes, or walk from the roots. glTF doesn't order its nodes.",
        source: NODES,
        variants: &[
            |p| p.chain = Chain::LaterParentsAtRest,
            |p| p.chain = Chain::LaterParentsMissing,
            |p| p.chain = Chain::ParentsAtRest,
            |p| p.chain = Chain::LaterJointsAtRest,
            |p| p.chain = Chain::LaterJointsMissing,
            |p| p.chain = Chain::EarlierLaterParents(lag(TimeOffset::Frames(-1.0), false)),
            |p| p.chain = Chain::EarlierLaterParents(lag(TimeOffset::Frames(-1.0), true)),
            |p| p.chain = Chain::EarlierLaterParents(lag(TimeOffset::Seconds(-1.0 / 60.0), false)),
            |p| p.chain = Chain::EarlierLaterParents(lag(TimeOffset::Seconds(-1.0 / 30.0), false)),
            |p| p.chain = Chain::EarlierLaterParents(lag(TimeOffset::Seconds(-1.0 / 24.0), false)),
            |p| p.chain = Chain::EarlierParents(lag(TimeOffset::Frames(-1.0), false)),
            |p| p.chain = Chain::EarlierParents(lag(TimeOffset::Frames(-1.0), true)),
            |p| p.chain = Chain::EarlierParents(lag(TimeOffset::Seconds(-1.0 / 60.0), false)),
            |p| p.chain = Chain::EarlierParents(lag(TimeOffset::Seconds(-1.0 / 30.0), false)),
            |p| p.chain = Chain::EarlierParents(lag(TimeOffset::Seconds(-1.0 / 24.0), false)),
        ],
    },
    Mistake {
        id: "local-for-world",
        group: MistakeGroup::Joints,
        wording: "local joint matrices in place of world matrices",
        symptom: "The mesh collapses towards the origin: every joint sits at its offset from its parent.",
        correct: "world[node] = world[parent] * local[node]",
        source: NODES,
        variants: &[|p| p.chain = Chain::LocalOnly],
    },
    Mistake {
        id: "parent-order",
        group: MistakeGroup::Joints,
        wording: "world matrices multiplied as local * parent",
        symptom: "The root is right, and errors grow from joint to joint.",
        correct: "world[node] = world[parent] * local[node], with column vectors",
        source: NODES,
        variants: &[|p| p.chain = Chain::LocalTimesParent],
    },
    Mistake {
        id: "skip-non-joints",
        group: MistakeGroup::Joints,
        wording: "nodes that aren't joints left out of the hierarchy",
        symptom: "The character has the wrong size, orientation or place, or limbs below a helper node are displaced.",
        correct: "Nodes between and above joints count in world[node], whether a skin lists them or not.",
        source: SKINS,
        variants: &[
            |p| p.parents = Parents::Joints,
            |p| p.parents = Parents::BelowTopJoints,
            |p| p.parents = Parents::JointsAndAbove,
        ],
    },
    Mistake {
        id: "ibm-missing",
        group: MistakeGroup::Binds,
        wording: "no inverse bind matrices",
        symptom: "The mesh explodes: every vertex is moved by its joint's offset from the origin as well.",
        correct: "palette[k] = world[skin.joints[k]] * inverse_bind[k]",
        source: SKINS,
        variants: &[|p| p.bind = Bind::Missing],
    },
    Mistake {
        id: "ibm-inverted",
        group: MistakeGroup::Binds,
        wording: "bind matrices in place of inverse bind matrices",
        symptom: "The mesh explodes to about twice its size.",
        correct: "inverseBindMatrices are inverted already: use them as they are.",
        source: SKINS,
        variants: &[|p| p.inverts_bind = true],
    },
    Mistake {
        id: "ibm-transposed",
        group: MistakeGroup::Binds,
        wording: "transposed inverse bind matrices",
        symptom: "The mesh collapses or explodes, since the translations land in the last row.",
        correct: "Matrices in glTF are column-major: element (row, column) is m[4 * column + row].",
        source: "glTF 2.0, 3.6.2 (accessors)",
        variants: &[
            |p| p.bind_layout = BindLayout::Transposed,
            |p| (p.bind_layout, p.divides_by_w) = (BindLayout::Transposed, true),
            |p| p.bind_layout = BindLayout::LinearTransposed,
        ],
    },
    Mistake {
        id: "ibm-side",
        group: MistakeGroup::Binds,
        wording: "skinning matrices multiplied as inverse bind * world",
        symptom: "Right at the bind pose of joints that only translate, wrong as soon as joints rotate.",
        correct: "palette[k] = world[skin.joints[k]] * inverse_bind[k], with column vectors",
        source: SKINS,
        variants: &[|p| p.bind_first = true],
    },
    Mistake {
        id: "ibm-from-rest",
        group: MistakeGroup::Binds,
        wording: "inverse bind matrices computed from the rest pose",
        symptom: "Right for files whose rest pose is the bind pose; others are bent, shifted or scaled.",
        correct: "Read skin.inverseBindMatrices; the rest pose may differ from the pose in which the mesh was bound.",
        source: SKINS,
        variants: &[
            |p| p.bind = Bind::FromRest,
            |p| p.bind = Bind::FromRestOfLookup,
            |p| p.bind = Bind::FromRestInMesh,
        ],
    },
    Mistake {
        id: "row-major",
        group: MistakeGroup::Layout,
        wording: "transposed skinning matrices (row-major read as column-major)",
        symptom: "The mesh shrinks around the origin: translations are lost and rotations go the other way.",
        correct: "Upload column-major matrices, or transpose once; glUniformMatrix4fv with transpose = GL_FALSE.",
        source: "OpenGL 4.6, 7.6.1; glTF 2.0, 3.6.2 (accessors)",
        variants: &[
            |p| p.palette = MatrixLayout::Transposed,
            |p| (p.palette, p.divides_by_w) = (MatrixLayout::Transposed, true),
            |p| p.palette = MatrixLayout::LinearTransposed,
            |p| p.palette = MatrixLayout::WorldTransposed,
        ],
    },
    Mistake {
        id: "quat-wxyz",
        group: MistakeGroup::Layout,
        wording: "quaternions with w at the wrong end (w, x, y, z for x, y, z, w)",
        symptom: "Unrotated joints turn by 180 degrees, and the mesh folds up.",
        correct: "glTF stores x, y, z, w. GLM's and Eigen's constructors take w first.",
        source: NODES,
        variants: rotations![ReadAsWxyz, WrittenAsWxyz],
    },
    Mistake {
        id: "quat-conjugate",
        group: MistakeGroup::Layout,
        wording: "inverted rotations (conjugate quaternions)",
        symptom: "Joints bend the wrong way; unrotated joints are right.",
        correct: "Use the quaternion as stored; a transposed 3x3 matrix of it is its conjugate.",
        source: NODES,
        variants: rotations![Conjugate],
    },
    Mistake {
        id: "degrees",
        group: MistakeGroup::Layout,
        wording: "degrees taken for radians",
        symptom: "Joints spin by large angles, or hardly move.",
        correct: "radians = degrees * pi / 180, once",
        source: NODES,
        variants: rotations![TimesDegrees, PerDegrees, ShortestTimesDegrees, ShortestPerDegrees],
    },
    Mistake {
        id: "mesh-node",
        group: MistakeGroup::Space,
        wording: "the transform of the mesh's node applied on top",
        symptom: "The character is shifted, turned or scaled as a whole, often twice.",
        correct: "The node that carries a skinned mesh doesn't move it: position = palette * vertex, nothing else.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[|p| p.on_top = OnTop::MeshNode, |p| p.on_top = OnTop::MeshNodeLocal],
    },
    Mistake {
        id: "mesh-node-only-scale",
        group: MistakeGroup::Space,
        wording: "the scale of the mesh's node applied on top",
        symptom: "The character has the right pose and the wrong size.",
        correct: "The node that carries a skinned mesh doesn't scale it either.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[|p| p.on_top = OnTop::MeshNodeScale, |p| p.on_top = OnTop::MeshNodeLocalScale],
    },
    Mistake {
        id: "mesh-local",
        group: MistakeGroup::Space,
        wording: "points relative to the mesh's node, not to the world",
        symptom: "The character is shifted, turned or scaled as a whole; in the engine it may look right.",
        correct: "Skinning gives world positions. For points in the mesh's space, multiply by the node's world matrix.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[|p| p.on_top = OnTop::InverseMeshNode],
    },
    Mistake {
        id: "z-up",
        group: MistakeGroup::Space,
        wording: "Z up",
        symptom: "The character lies on its back or face.",
        correct: "glTF is Y up: (x, y, z) in a Z-up program is (x, z, -y).",
        source: NODES,
        variants: &[|p| p.axes = OutputUpAxis::Z, |p| p.axes = OutputUpAxis::MinusZ],
    },
    Mistake {
        id: "left-handed",
        group: MistakeGroup::Space,
        wording: "a mirrored (left-handed) space",
        symptom: "Left and right are swapped.",
        correct: "glTF is right-handed: negate one axis of positions, and rotations accordingly.",
        source: NODES,
        variants: &[|p| p.mirror = Mirror::Z, |p| p.mirror = Mirror::X, |p| p.mirror = Mirror::Y],
    },
    Mistake {
        id: "centimetres",
        group: MistakeGroup::Space,
        wording: "another unit than metres",
        symptom: "The character has the right pose and 100 times the size, or a hundredth.",
        correct: "glTF is in metres.",
        source: NODES,
        variants: &[
            |p| p.unit = Unit(100.0),
            |p| p.unit = Unit(0.01),
            |p| p.unit = Unit(1000.0),
            |p| p.unit = Unit(0.001),
            |p| p.unit = Unit(1.0 / 0.0254),
            |p| p.unit = Unit(0.0254),
        ],
    },
    Mistake {
        id: "scale-dropped",
        group: MistakeGroup::Scale,
        wording: "the scale of nodes left out",
        symptom: "Scaled limbs or whole characters have the wrong size; others are right.",
        correct: "local = translation * rotation * scale",
        source: NODES,
        variants: &[
            |p| p.scale = NodeScale::Dropped,
            |p| p.scale = NodeScale::DroppedAtJoints,
            |p| p.scale = NodeScale::DroppedInWorld,
        ],
    },
    Mistake {
        id: "scale-compensated",
        group: MistakeGroup::Scale,
        wording: "children that don't inherit their parent's scale",
        symptom: "Limbs below a scaled joint have the wrong size, as with Maya's segment scale compensate.",
        correct: "world[node] = world[parent] * local[node]: scale is inherited.",
        source: NODES,
        variants: &[
            |p| p.scale = NodeScale::Compensated,
            |p| p.scale = NodeScale::NotInherited,
            |p| p.scale = NodeScale::CompensatedAtJoints,
            |p| p.scale = NodeScale::NotInheritedAtJoints,
        ],
    },
    Mistake {
        id: "not-normalised",
        group: MistakeGroup::Weights,
        wording: "weights that aren't normalised",
        symptom: "Vertices are pulled towards the origin, or pushed away from it.",
        correct: "weights /= sum(weights) over all sets, if the file's don't sum to 1",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[|p| p.weights = WeightChoice::Stored],
    },
    Mistake {
        id: "normalised",
        group: MistakeGroup::Weights,
        wording: "normalised weights",
        symptom: "Differs only where the weights in use don't sum to 1, such as with --stored-weights.",
        correct: "Use the weights as they are where the reference does.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[|p| p.weights = WeightChoice::Normalised],
    },
    Mistake {
        id: "first-set",
        group: MistakeGroup::Weights,
        wording: "only the first set of influences (JOINTS_0, WEIGHTS_0)",
        symptom: "Vertices with more than four influences are pulled towards the origin, or follow fewer joints.",
        correct: "Sum over JOINTS_0 and JOINTS_1, and further sets.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[
            |p| p.weights = WeightChoice::FirstSet { normalises: false },
            |p| p.weights = WeightChoice::FirstSet { normalises: true },
        ],
    },
    Mistake {
        id: "first-four",
        group: MistakeGroup::Weights,
        wording: "only the first four influences",
        symptom: "Vertices with more than four influences differ; the four that are kept need not be the heaviest.",
        correct: "If there is room for four influences, keep the heaviest and normalise them.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[
            |p| p.weights = WeightChoice::FirstFour { normalises: true },
            |p| p.weights = WeightChoice::FirstFour { normalises: false },
        ],
    },
    Mistake {
        id: "heaviest-four",
        group: MistakeGroup::Weights,
        wording: "only the four heaviest influences",
        symptom: "Small differences at vertices with more than four influences.",
        correct: "Sum over all sets; or accept the difference, as most engines do.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[
            |p| p.weights = WeightChoice::HeaviestFour { normalises: true },
            |p| p.weights = WeightChoice::HeaviestFour { normalises: false },
        ],
    },
    Mistake {
        id: "one-influence",
        group: MistakeGroup::Weights,
        wording: "one influence per vertex",
        symptom: "Joints look like rigid parts with torn or creased seams.",
        correct: "position = sum over i of weight[i] * palette[joint[i]] * vertex",
        source: SKINS,
        variants: &[|p| p.weights = WeightChoice::Heaviest, |p| p.weights = WeightChoice::FirstOnly],
    },
    Mistake {
        id: "u8-weights",
        group: MistakeGroup::Weights,
        wording: "weights rounded to 8 bits",
        symptom: "Small steps in smooth regions, and vertices that shake far from the origin.",
        correct: "Round so that each vertex's weights still sum to 255, or keep 16 bits.",
        source: "glTF 2.0, 3.7.3.3 (skinned mesh attributes)",
        variants: &[
            |p| p.weight_bytes = Some(bytes(ByteRounding::Up, false)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::DownWithTolerance, false)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::Up, true)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::Even, false)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::Even, true)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::EvenInDouble, false)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::EvenInDouble, true)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::Down, false)),
            |p| p.weight_bytes = Some(bytes(ByteRounding::DownWithTolerance, true)),
        ],
    },
    Mistake {
        id: "morph-after",
        group: MistakeGroup::Morphs,
        wording: "morph targets added after skinning",
        symptom: "Expressions move in the wrong direction as soon as the head turns.",
        correct: "position = palette * (vertex + sum of weight * target)",
        source: MESHES,
        variants: &[|p| p.morphs = MorphUse::AfterSkinning],
    },
    Mistake {
        id: "morph-missing",
        group: MistakeGroup::Morphs,
        wording: "no morph targets",
        symptom: "Faces stay neutral; shapes that the file switches on are missing.",
        correct: "position = palette * (vertex + sum of weight * target), with node.weights, else mesh.weights",
        source: MESHES,
        variants: &[|p| p.morphs = MorphUse::Missing],
    },
    Mistake {
        id: "lbs-for-dqs",
        group: MistakeGroup::Method,
        wording: "linear blend skinning in place of dual quaternions",
        symptom: "Twisted and bent joints lose volume.",
        correct: "Blend unit dual quaternions, not matrices.",
        source: DUAL_QUATERNIONS,
        variants: &[|p| p.method = Blend::Linear],
    },
    Mistake {
        id: "dqs-for-lbs",
        group: MistakeGroup::Method,
        wording: "dual quaternion skinning in place of linear blend skinning",
        symptom: "Bent joints bulge outwards.",
        correct: "position = (sum of weight * palette) * vertex",
        source: SKINS,
        variants: &[|p| p.method = Blend::DualQuaternion],
    },
    Mistake {
        id: "antipodality",
        group: MistakeGroup::Method,
        wording: "dual quaternions blended without a sign check",
        symptom: "Some vertices turn the long way round, or collapse.",
        correct: "if dot(q, q_pivot) < 0: q = -q, dual = -dual",
        source: DUAL_QUATERNIONS,
        variants: &[
            |p| p.signs = Signs::OfMatrices,
            |p| p.signs = Signs::PositiveW,
            |p| p.signs = Signs::OfProducts,
            |p| p.signs = Signs::Fitted,
        ],
    },
    Mistake {
        id: "pivot-first",
        group: MistakeGroup::Method,
        wording: "signs checked against the first joint as stored, not the heaviest",
        symptom: "Single vertices jump where joints turn by more than 180 degrees from each other.",
        correct: "Check the signs against the joint with the largest weight.",
        source: DUAL_QUATERNIONS,
        variants: &[|p| p.signs = Signs::OfFirstStored],
    },
    Mistake {
        id: "one-phase",
        group: MistakeGroup::Method,
        wording: "scale left out of dual quaternion skinning",
        symptom: "Scaled joints have no effect on the size of the mesh, or the whole character has the wrong size.",
        correct: "Blend scale and stretch linearly first, then apply the blended rigid motion.",
        source: DUAL_QUATERNIONS,
        variants: &[|p| p.stretch = StretchUse::Dropped, |p| p.stretch = StretchUse::DroppedAboutBind],
    },
    Mistake {
        id: "screw",
        group: MistakeGroup::Method,
        wording: "screw interpolation in place of dual quaternion blending",
        symptom: "Small differences of rotation at large angles; much slower.",
        correct: "Sum the weighted unit dual quaternions and normalise once.",
        source: DUAL_QUATERNIONS,
        variants: &[|p| p.sum = SumUse::Screw],
    },
    Mistake {
        id: "quat-lerp-unnormalised",
        group: MistakeGroup::Method,
        wording: "a blended dual quaternion that isn't normalised",
        symptom: "The skin shrinks between joints, the more they differ.",
        correct: "length = |real|; real /= length; dual /= length",
        source: DUAL_QUATERNIONS,
        variants: &[
            |p| p.sum = SumUse::Raw,
            |p| p.sum = SumUse::RawSandwich,
            |p| p.sum = SumUse::RotationNormalised,
            |p| p.sum = SumUse::TranslationDividedOnce,
        ],
    },
    Mistake {
        id: "frame-early",
        group: MistakeGroup::Time,
        wording: "the previous frame of the clip",
        symptom: "The pose is right for another moment.",
        correct: "Sample at the same time; check whether frames count from 0 or 1.",
        source: ANIMATIONS,
        variants: &[
            |p| p.time = TimeOffset::Frames(-1.0),
            |p| p.time = TimeOffset::Seconds(-1.0 / 30.0),
            |p| p.time = TimeOffset::Seconds(-1.0 / 60.0),
            |p| p.time = TimeOffset::Seconds(-1.0 / 24.0),
        ],
    },
    Mistake {
        id: "frame-late",
        group: MistakeGroup::Time,
        wording: "the next frame of the clip",
        symptom: "The pose is right for another moment.",
        correct: "Sample at the same time; check whether frames count from 0 or 1.",
        source: ANIMATIONS,
        variants: &[
            |p| p.time = TimeOffset::Frames(1.0),
            |p| p.time = TimeOffset::Seconds(1.0 / 30.0),
            |p| p.time = TimeOffset::Seconds(1.0 / 60.0),
            |p| p.time = TimeOffset::Seconds(1.0 / 24.0),
        ],
    },
    Mistake {
        id: "step-for-linear",
        group: MistakeGroup::Time,
        wording: "keys that are held instead of interpolated",
        symptom: "The motion stutters; at keys it is right.",
        correct: "LINEAR: value = lerp(a, b, u), for rotations slerp",
        source: ANIMATIONS,
        variants: &[|p| p.sampling = Sampling::Step, |p| p.sampling = Sampling::StepAll],
    },
    Mistake {
        id: "nlerp-for-slerp",
        group: MistakeGroup::Time,
        wording: "rotations interpolated linearly and normalised (nlerp)",
        symptom: "Small differences between keys that are far apart; at keys it is right.",
        correct: "LINEAR rotations are interpolated by slerp; or accept the difference, as most engines do.",
        source: ANIMATIONS,
        variants: &[|p| p.sampling = Sampling::Nlerp],
    },
    Mistake {
        id: "long-way",
        group: MistakeGroup::Time,
        wording: "rotations interpolated the long way round",
        symptom: "Limbs flip through a full turn between two keys.",
        correct: "if dot(a, b) < 0: b = -b, before slerp",
        source: ANIMATIONS,
        variants: &[
            |p| p.sampling = Sampling::NoShortestArc,
            |p| p.sampling = Sampling::NoShortestArcLinear,
            |p| p.sampling = Sampling::AlwaysLongArc,
        ],
    },
    Mistake {
        id: "cubic-tangents",
        group: MistakeGroup::Time,
        wording: "wrong tangents of cubic splines",
        symptom: "The motion overshoots or is too straight between keys; at keys it is right.",
        correct: "Tangents are multiplied by the time between the keys; a key is in-tangent, value, out-tangent.",
        source: ANIMATIONS,
        variants: &[
            |p| p.sampling = Sampling::TangentsNotScaled,
            |p| p.sampling = Sampling::TangentsIgnored,
            |p| p.sampling = Sampling::TangentsSwapped,
            |p| p.sampling = Sampling::TangentsZero,
        ],
    },
    Mistake {
        id: "half-positions",
        group: MistakeGroup::Precision,
        wording: "half-precision positions",
        symptom: "Fine detail is stepped, the more the farther from the origin.",
        correct: "Store positions as float32, or as 16-bit integers in the mesh's bounds.",
        source: "IEEE 754 binary16; KHR_mesh_quantization",
        variants: &[|p| p.half = HalfPrecision::Positions],
    },
    Mistake {
        id: "half-matrices",
        group: MistakeGroup::Precision,
        wording: "half-precision matrices",
        symptom: "The mesh shakes, the more the farther it is from the origin.",
        correct: "Keep skinning matrices in float32, for example in an RGBA32F texture.",
        source: "IEEE 754 binary16",
        variants: &[|p| p.half = HalfPrecision::Palette, |p| p.half = HalfPrecision::Factors],
    },
    Mistake {
        id: NORMALS_BY_MATRIX,
        group: MistakeGroup::Attributes,
        wording: "normals transformed by the matrix itself",
        symptom: "Shading is wrong where joints are scaled unevenly; positions are right.",
        correct: "normal = normalize(inverse(transpose(mat3(palette))) * normal)",
        source: MESHES,
        variants: &[],
    },
];

/// Conventions that many programs have on purpose.
const COMMON: [&str; 4] = ["z-up", "left-handed", "centimetres", "mesh-local"];

pub(super) const NORMALS_BY_MATRIX: &str = "normals-by-matrix";

impl Mistake {
    /// Finds a mistake by its identifier.
    pub fn with_id(id: &str) -> Option<&'static Self> {
        MISTAKES.iter().find(|mistake| mistake.id == id)
    }

    /// Returns whether many programs do this on purpose.
    pub(super) fn is_common(&self) -> bool {
        COMMON.contains(&self.id)
    }

    /// Returns the headings and texts of the explanation.
    pub fn sections(&self) -> [(&'static str, &'static str); 3] {
        [("What it looks like", self.symptom), ("Correct", self.correct), ("Source", self.source)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_variants_change_the_pipeline() {
        for (index, mistake) in MISTAKES.iter().enumerate() {
            assert!(MISTAKES.iter().skip(index + 1).all(|other| other.id != mistake.id), "{}", mistake.id);
            assert!(!mistake.wording.ends_with('.') && mistake.symptom.ends_with('.'), "{}", mistake.id);
            // The reference may use either method.
            let changes = |change: &fn(&mut Pipeline)| {
                [Blend::Linear, Blend::DualQuaternion].into_iter().any(|method| {
                    let usual = Pipeline { method, ..Pipeline::default() };
                    let mut changed = usual;
                    change(&mut changed);
                    changed != usual
                })
            };
            assert!(mistake.variants.iter().all(changes), "{}", mistake.id);
        }
    }
}
