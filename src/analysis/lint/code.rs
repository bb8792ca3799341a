//! The table of lint codes: number, severity, title, why it matters, what to do. The only source for panel, command line, help and tests.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::rows::{Described, Shape};

/// Severity of a finding, from the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something worth knowing; it may well be meant.
    Note,
    /// Something that works only in some engines, or looks different from what was meant.
    Warning,
    /// The rig is wrong, or comes out wrong in engines that take the file as it is.
    Error,
}

impl Severity {
    /// All severities, gravest first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Described for Severity {
    fn shape() -> Shape {
        Shape::Word(Self::ALL.map(Self::name).to_vec())
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $number:literal, $severity:ident, $title:literal, $why:literal, $advice:literal;)*) => {
        /// Kind of a finding. A number, once given, never changes its meaning.
        ///
        /// Numbers are grouped: 001 the file, 010 weights, 020 skins and joints, 030 bind pose, 040 transforms, 050 geometry, 060 clips, 070 looks,
        /// 080 specific to FBX, 090 demands of a project (see [`super::Policy`]), 100 the file again, 110 weights as stored, 120 skins and joints again, 160 clips and what a project demands of
        /// them, 170 springs and VRM, 180 suppressions; each group has room for more.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $code = $number,)*
        }

        impl Code {
            /// All codes, by number.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// Severity of findings of this code; that of the gravest where it depends on the cause.
            pub fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)* }
            }

            /// Title of a few words.
            pub fn title(self) -> &'static str {
                match self { $(Self::$code => $title,)* }
            }

            /// Reason why such findings matter, a sentence or more.
            pub fn why(self) -> &'static str {
                match self { $(Self::$code => $why,)* }
            }

            /// Advice on such findings, a sentence or more.
            pub fn advice(self) -> &'static str {
                match self { $(Self::$code => $advice,)* }
            }
        }
    };
}

codes! {
    ExtensionRequired = 1, Error, "Required extension not read",
        "The file says that it cannot be shown without this extension; what depends on it is wrong or missing.",
        "Export without the extension, or convert the file with a tool that knows it.";
    ExtensionIgnored = 2, Note, "Extension not read",
        "What the extension adds is not shown. The file says that it can do without.",
        "Nothing, unless what is missing matters for what you look at.";
    DataMissing = 3, Error, "Data missing",
        "A buffer of the file is absent or cut short, so parts of the file are missing.",
        "Put the missing file beside the model, or fetch or export the model again.";
    Malformed = 4, Error, "Malformed part left out",
        "A part of the file is not in the form that glTF defines. Stricter programs refuse the whole file.",
        "Repair or export the file again, and report the fault to the exporter's makers.";
    TrailingBytes = 5, Warning, "Bytes after the end",
        "A binary glTF ends where its header says; some programs refuse a file that goes on.",
        "Export the file again, or cut it to the length in its header.";
    NotShown = 6, Note, "Content not shown",
        "The file holds something that this viewer does not draw.",
        "Nothing; the rig is not affected.";
    OutsideScene = 7, Warning, "Mesh outside the scene",
        "Programs show the default scene only, so the mesh may be missing elsewhere.",
        "Add the node of the mesh to the default scene.";
    MoreFindings = 8, Warning, "More findings than are listed",
        "So much is wrong that the list was cut.",
        "Repair what is listed and check again.";
    TransformUnusable = 9, Error, "Transform not usable",
        "A node has a transform with numbers that are not finite, or a rotation of no length; it was left out.",
        "Give the node a valid translation, rotation and scale.";

    WeightSum = 10, Error, "Weights do not sum to 1",
        "Skinning by weights that do not sum to 1 pulls vertices towards the origin or away from it. This viewer divides by the sum; engines often do not.",
        "Normalise the weights before export.";
    WeightZero = 11, Error, "Vertex without weight",
        "A vertex that no joint moves collapses to the origin in most engines.",
        "Weight the vertices to a joint.";
    WeightInvalid = 12, Error, "Negative or non-finite weight",
        "Negative weights push vertices away from their joint, and a NaN removes the triangles around its vertex.",
        "Clamp the weights to 0 and above and normalise them.";
    JointOutOfRange = 13, Error, "Influence of a joint that the skin lacks",
        "Engines read past the end of the palette there: vertices fly off, or the file is refused.",
        "Bind the mesh to the skin that it was weighted for, or remove these influences.";
    ManyInfluences = 14, Warning, "More than 4 influences on a vertex",
        "Many engines keep four influences and drop the others, which changes how the skin bends. This viewer uses all.",
        "Limit the weights to 4 joints a vertex before export, or check that the target engine takes more.";
    TinyInfluence = 15, Note, "Influence under 1/255",
        "Engines that store weights in 8 bits round such an influence to nothing; it takes a slot and has hardly any effect.",
        "Prune weights under 0.004 and normalise.";
    RepeatedJoint = 16, Error, "Joint twice in a vertex",
        "glTF allows a joint once a vertex. It wastes a slot, and tools that edit weights keep one of the two.",
        "Merge the two slots by adding their weights.";
    WeightJump = 17, Warning, "Weights jump across an edge",
        "In a mesh that is smooth otherwise these neighbours follow different joints, so the skin tears or folds between them when it is posed.",
        "Smooth the weights there, or paint the stray vertices like their neighbours.";
    WeightIsland = 18, Warning, "Influence cut off from its joint's region",
        "A patch far from the rest of what the joint moves, with other skin between: usually a leak of automatic weights, as from one leg to the other.",
        "Remove the joint's weight from the patch.";
    DrawnUnskinned = 19, Error, "Mesh does not follow its joints",
        "Joints or weights are there but cannot be used, or the skin is there without them; the mesh stands still while the joints move.",
        "Bind the mesh to its skin and export joints and weights together.";

    InfluenceSetIgnored = 20, Error, "Joints without weights, or weights without joints",
        "Half of an influence means nothing and was ignored.",
        "Export JOINTS_n and WEIGHTS_n in pairs.";
    SkinSkipped = 21, Error, "Skin left out",
        "The skin cannot be used, so the meshes bound to it do not follow their joints.",
        "Repair the skin's list of joints.";
    JointUnused = 22, Note, "Joint that moves no vertex",
        "It costs a place in the palette. Roots, tips and attachment points are often meant so.",
        "Remove the joint from the skin if nothing needs it.";
    JointOutside = 23, Error, "Joint outside the scene",
        "Programs build only the nodes of the scene, so the joint is missing there and the skin breaks.",
        "Add the joint's root to the same scene as the mesh.";
    NoCommonRoot = 24, Error, "Joints without a common root",
        "glTF wants a node above all joints of a skin; programs that look for it fail or split the skeleton.",
        "Put the skeleton's roots under one node.";
    SeveralRoots = 25, Note, "Several root joints",
        "Some engines, such as Unreal, take one root bone for each skeleton.",
        "Add one joint above the roots if the target engine needs it.";
    ManyJoints = 26, Warning, "Skin of more than 256 joints",
        "Engines with 8-bit joint numbers or palettes of a fixed size cannot skin it in one draw.",
        "Split the mesh by body part, or remove joints that move nothing.";
    NameRepeated = 27, Warning, "Joint name repeats",
        "Pose files, retargeting and clips on other rigs find joints by name and take one of the two.",
        "Give each joint of the skeleton its own name.";
    NameEmpty = 28, Note, "Joint without a name",
        "What finds joints by name cannot find it, and a reader cannot tell what it is.",
        "Name the joint.";

    NoSkin = 29, Warning, "Joints and weights without a skin",
        "The mesh was weighted, but its node names no skin, so it does not follow anything.",
        "Bind the mesh to its skin, or export it without joints and weights.";

    BindsTooFew = 30, Error, "Inverse bind matrices missing for some joints",
        "Engines read past the end of the list or refuse the file; the joints concerned count as bound at the origin.",
        "Export one inverse bind matrix for each joint.";
    BindsAbsent = 31, Note, "No inverse bind matrices",
        "glTF then takes the identity: right only where the mesh was modelled in joint space.",
        "Export inverse bind matrices, unless the mesh is meant so.";
    BindsUnreadable = 32, Error, "Inverse bind matrices not usable",
        "They cannot be read or hold numbers that are not finite, and count as the identity: the mesh is torn apart.",
        "Export the skin again.";
    BindSingular = 33, Error, "Singular inverse bind matrix",
        "The matrix flattens what the joint moves to a plane, a line or a point, and the bind pose cannot be told from it.",
        "Remove scales of 0 from the bind pose and bind again.";
    BindNotAffine = 34, Error, "Inverse bind matrix is not affine",
        "Its last row is not 0 0 0 1. Engines keep three rows or divide by the fourth, with different results.",
        "Export the skin again.";
    BindScale = 35, Note, "Inverse bind matrix with scale",
        "It undoes a scale of the joint in the bind pose. Where pose and bind do not cancel, dual quaternion skinning runs in two phases.",
        "Apply the scale of the skeleton before binding.";
    BindShear = 36, Warning, "Inverse bind matrix with shear",
        "Shear cannot be said in translation, rotation and scale, so tools that rebuild the bind pose lose it.",
        "Apply scales that are not uniform before binding.";
    RestUnlikeBind = 37, Note, "Rest pose unlike bind pose",
        "The file rests in another pose than it was bound in. That is allowed, but tools that take one for the other deform the mesh.",
        "Nothing, if it is meant; else store the bind pose as the rest pose.";

    NegativeScale = 40, Warning, "Joint with negative scale",
        "It mirrors what it moves: normals and winding turn, and many engines cannot. Dual quaternion skinning of its vertices runs in two phases.",
        "Mirror the geometry instead of the joint.";
    NonUniformScale = 41, Warning, "Joint with non-uniform scale",
        "Rotated joints below it shear, which engines that keep translation, rotation and scale cannot show. Dual quaternion skinning of its vertices runs in two phases.",
        "Scale the mesh instead, or scale uniformly.";
    RotationNotUnit = 42, Error, "Rotation is not of unit length",
        "Engines that do not normalise it scale or shear everything below the node.",
        "Normalise the quaternion.";
    SkinnedNodeMoved = 43, Note, "Transform of a skinned mesh's node is ignored",
        "glTF places a skinned mesh by its joints alone; programs that apply the node's transform too show it elsewhere.",
        "Put the mesh's node at the top of the scene without a transform.";
    ConstraintUnusable = 44, Warning, "Constraint left out or out of range",
        "The node does not follow what it was made to follow, or not as its numbers say.",
        "See the reason; set the constraint up again, and export.";
    ConstraintCircle = 45, Error, "Constraint that depends on itself",
        "What the node follows is turned by the node itself, directly or through other constraints. Such constraints are left out here; other programs stop or turn the nodes otherwise in each frame.",
        "Let one constraint of the circle follow another node.";
    MatrixWithTrs = 46, Error, "Node with a matrix and with translation, rotation or scale",
        "glTF allows one of the two. Programs take the one or the other, so the node is at two places, or they refuse the file.",
        "Remove the matrix, or the other properties.";
    MatrixNotTrs = 47, Error, "Matrix of a node that is no translation, rotation and scale",
        "glTF demands a matrix that can be taken apart. Programs that keep translation, rotation and scale show the node otherwise.",
        "Apply the shear or the scale of 0 to the meshes below, and export again.";
    ScaleZero = 48, Warning, "Joint with a scale of 0 at rest",
        "All that the joint moves collapses to a point or a plane, its bind pose cannot be told, and tools that invert its matrix fail.",
        "Bind the joint with a scale of 1, and key the scale of 0 in the clips where it is meant.";
    ArmatureScale = 49, Note, "Skeleton scaled by 0.01 or 100",
        "A change between centimetres and metres was left in the scale above the skeleton. Joints, physics, attachments and retargeting below it count in other units than the world.",
        "Freeze the scale: apply it to the skeleton, its meshes and its clips, and export again.";

    ZeroArea = 50, Note, "Triangles without area",
        "They draw nothing, and computed normals and tangents are undefined there.",
        "Merge doubled vertices and remove degenerate faces.";
    UnusedVertices = 51, Note, "Vertices that nothing uses",
        "They take memory and skinning time and enlarge the bounds.",
        "Remove loose vertices before export.";
    PrimitiveSkipped = 52, Error, "Geometry left out",
        "A part of a mesh cannot be drawn.",
        "See the reason; export the mesh as triangles again.";
    AttributeIgnored = 53, Warning, "Vertex attribute ignored",
        "The shape is right, but the surface looks other than it was made.",
        "Export the mesh again.";
    VertexNotFinite = 54, Error, "Vertex value is not a finite number",
        "A NaN or an infinity removes or stretches the triangles around its vertex.",
        "Find the vertices in the program that made the mesh, and export again.";
    IndicesLeftOver = 55, Warning, "Indices left over",
        "The index list does not end with a whole triangle: something may be missing.",
        "Export the mesh again.";
    MorphIgnored = 56, Error, "Morph target not used in full",
        "A target or its weight cannot be used, so expressions differ from how they were made.",
        "Export the morph targets again.";
    UnequalTargets = 57, Error, "Primitives with unequal numbers of morph targets",
        "All primitives of a mesh share one list of weights. Where one has fewer targets, programs refuse the mesh, or weights move the wrong target.",
        "Give each part of the mesh all targets, also those that move nothing there, and export again.";
    DirectionsNotUnit = 58, Error, "Normals or tangents not of unit length",
        "Programs that do not normalise them light the surface too bright or too dark, and a wrong sign of a tangent turns normal maps over.",
        "Recompute the normals and tangents, and export again.";
    AttributeFormat = 59, Error, "Vertex attribute in a format that glTF does not allow",
        "Programs that take the format at its word read other numbers: weights of 255 instead of 1, joints of 0.004 instead of 1.",
        "Export the mesh again, or set or clear `normalized` of the accessor.";

    ClipMovesNothing = 60, Warning, "Clip that moves nothing",
        "Every key is the same as the rest pose, or no channel can be played.",
        "Remove the clip, or check that the animation was baked into the export.";
    KeyTimesOrder = 61, Error, "Key times out of order",
        "Times must rise from key to key; players skip keys, stall or refuse the clip otherwise. Such a channel is not played here; of an FBX, keys at such times are left out.",
        "Sort the keys.";
    ChannelSkipped = 62, Error, "Channel of a clip left out",
        "A part of the clip is not played.",
        "See the reason; bake the animation and export again.";
    QuaternionFlip = 63, Note, "Quaternion changes sign between keys",
        "The rotation is the same, but a player that does not take the shorter way spins the joint once around between the two keys.",
        "Make neighbouring keys agree in sign before export.";
    KeysNotUnit = 64, Error, "Rotation keys not of unit length",
        "Players that do not normalise scale or shear the joint while the clip plays.",
        "Normalise the quaternions of the keys.";

    KeyTimesRepeat = 65, Error, "Keys at one time",
        "glTF wants each key later than the one before. This viewer jumps there: before the time the first of the keys holds, from it on the last. Others may divide by zero or show either.",
        "Move one of the keys, or remove the one that is not meant.";
    ChannelsTwice = 66, Error, "Two channels with one target",
        "glTF allows one channel for a property of a node in a clip. Programs play the first, the last, or a mixture.",
        "Remove one of the channels.";
    LateStart = 67, Note, "Clip with a long static beginning",
        "Before its first key the clip stands still: it takes that long until something moves, and loops pause there.",
        "Shift the keys so that the first one is at 0 s, and export again.";
    MatrixAnimated = 68, Error, "Channel that moves a node with a matrix",
        "glTF animates translation, rotation and scale alone. Programs that keep the matrix do not move the node.",
        "Store the node's transform as translation, rotation and scale.";

    ImageMissing = 70, Error, "Image missing",
        "The texture's image is not there, so a checker is shown in its place.",
        "Put the image beside the model, or embed it in the file.";
    TextureReplaced = 71, Warning, "Texture not read",
        "The image is there but cannot be decoded, so a checker is shown in its place.",
        "Save the image as PNG or baseline JPEG, with at most 8192 pixels a side.";
    ImageShrunk = 72, Note, "Image larger than any picture",
        "It is shown and baked with fewer pixels, so that it does not take gigabytes; engines do the same or fail.",
        "Save the image with at most 8192 pixels a side.";

    UnusualUnit = 80, Note, "Unit other than the centimetre",
        "The file says in which unit its lengths are. Programs that take every FBX file for centimetres show it too large or too small.",
        "Nothing, unless the target program shows another size; then export in centimetres.";
    SeveralSkins = 81, Warning, "Mesh with several skins",
        "The weights of all skins are added up here. Most engines take the first skin and drop the others.",
        "Bake the skins into one before export.";
    ClusterWithoutJoint = 82, Error, "Weights without a joint",
        "A cluster of a skin names no node, so the weights in it are lost: vertices follow their other joints, or none.",
        "Restore the joint, or remove its influence and normalise the weights.";
    BindPosesDiffer = 83, Warning, "Bind poses that contradict each other",
        "The file's bind pose puts joints elsewhere than its skins do. Programs that take the one deform otherwise than those that take the other.",
        "Go to the bind pose, bind again or reset the bind pose, and export.";
    ScaleNotInherited = 84, Warning, "Scale that children do not inherit",
        "The file's program undoes the scale of a joint in its children. Engines know only children that scale with their parent.",
        "Switch scale compensation off, or bake the scale away, before export.";
    RotationOrder = 85, Note, "Order of rotation other than XYZ",
        "The rotation itself is right here; programs that read three angles without their order turn the joint elsewhere.",
        "Nothing, unless the target program shows another pose; then bake to XYZ.";
    NotEvaluated = 86, Warning, "Constraint or deformer not evaluated",
        "The file's program moves nodes or vertices by something that no clip holds, so they move less here and in engines.",
        "Bake what it does into keys, joints or blend shapes before export.";
    Repaired = 87, Warning, "Broken part repaired",
        "A part of the file is not in the form that FBX has. Stricter programs refuse the whole file.",
        "Export the file again, and report the fault to the exporter's makers.";

    ContractMissing = 90, Error, "Joint of the contract missing",
        "Every file of the project must have the joint: clips, attachments or code look for it by name.",
        "Add the joint, or correct its name.";
    ContractParent = 91, Error, "Joint below another node than the contract's",
        "What moves the contract's parent does not move this joint, so shared clips look wrong.",
        "Put the joint below the node that the contract names.";
    ContractRest = 92, Error, "Rest pose unlike the contract's",
        "Clips made on the contract's skeleton put the joint elsewhere, or shift it when they begin.",
        "Export with the contract's rest pose, or widen the tolerance if the difference is meant.";
    ContractOther = 93, Error, "Joint that the contract does not name",
        "The project lets no file have joints of its own: shared skeletons and retargeting would not know it.",
        "Remove the joint, add it to the contract, or let the contract allow others.";
    ContractAmbiguous = 94, Error, "Joint of the contract several times",
        "What looks for the joint by name takes one of them, and which one differs from program to program.",
        "Rename all but one.";
    JointsOverLimit = 95, Error, "More joints than the limit",
        "The project's target cannot hold the palette, or it costs more than was planned.",
        "Remove joints that move nothing, or split the mesh.";
    InfluencesOverLimit = 96, Error, "More influences on a vertex than the limit",
        "The project's target drops the lightest ones, which changes how the skin bends.",
        "Limit the weights before export, for example with `rigscope weights --max`.";
    VerticesOverLimit = 97, Error, "More vertices than the limit",
        "Each is skinned in every frame: the file costs more than was planned.",
        "Reduce the meshes, or remove what is not seen.";
    MorphOverLimit = 98, Error, "Morph target moves more vertices than the limit",
        "Memory and time of a morph target grow with the vertices that it moves.",
        "Split what it moves into a mesh of its own, or remove offsets too small to see.";
    RuleBroken = 99, Error, "Rule of a profile not met",
        "A platform or the project itself allows no more, as the profile says.",
        "See the rule by `rigscope profiles NAME`.";

    AgainstRule = 101, Error, "Rule of glTF broken",
        "The part is read here. Stricter programs refuse the file, read it slower, or read something else.",
        "Export the file again, and report the fault to the exporter's makers.";
    SceneRootBelow = 102, Error, "Root of a scene that is below another node",
        "A scene lists topmost nodes. Programs place such a node twice, take it from its parent, or refuse the file.",
        "List the topmost node above it instead.";
    StrayMesh = 103, Note, "Mesh that nothing moves beside a skinned one",
        "It hangs on no joint and stays behind when the character moves. Exporters leave helpers behind so, such as the shapes of bones.",
        "Remove the mesh if it is a helper; else bind it to the skeleton, or put it below a joint.";

    HeavyOutsideFirst = 110, Warning, "Heavy weights outside the first four as stored",
        "Engines that read one set of weights take the first four slots in the file's order and lose the heavier ones behind them.",
        "Store the influences of each vertex by falling weight, so that the heaviest four are in the first set.";
    FirstSetEmpty = 111, Warning, "First set of weights is all zero",
        "Engines that read one or two sets find no weight there and collapse the vertex into a point.",
        "Store the influences of each vertex by falling weight, and remove sets that hold nothing.";

    SkeletonNotRoot = 120, Error, "Skeleton that is not above all joints",
        "Programs that take the node for the root of the skin miss the joints that are elsewhere, or refuse the file.",
        "Name a node above all joints as the skeleton, or leave it out.";
    JointFarFromSkin = 121, Note, "Joint far from the skin that it moves",
        "The skin swings about a point far off: a small turn of the joint moves it far, and the character's bounds and framing reach out to there.",
        "Move the joint to its skin and bind again, or take its weights from the vertices.";

    ClipsSame = 160, Note, "Clip that repeats another",
        "Both have the same channels with the same keys: one of them takes memory for nothing, or the wrong one was exported under its name.",
        "Remove one of the two, or export the one that was meant.";
    KeySpike = 161, Note, "Rotation key that jumps there and back",
        "The joint turns away for a single frame, much farther than is usual in its channel: mostly a glitch of a solver, a wrong key, or a turn by 360° that was filtered.",
        "Look at the frame, and remove the key if it is not meant.";
    KeysBeforeStart = 162, Error, "Keys before the clip's beginning",
        "Clips are played from 0 s on, so that what lies before is lost here. Other programs play it, or begin the clip at its first key.",
        "Shift the keys so that the first one is at 0 s, or cut the clip there, and export again.";

    ClipMissing = 163, Error, "Clip of the contract missing",
        "Every file of the project must have the clip: code looks for it by name.",
        "Export the clip, or correct its name.";
    ClipUnmatched = 164, Note, "Demand on clips that no clip meets by name",
        "The project demands something of clips with such a name, and this file has none: nothing is checked.",
        "Correct the name of the clip or of the demand; where every file must have the clip, say must_exist = true.";
    ClipUndecided = 165, Warning, "Demand on a clip that cannot be judged",
        "The project demands it, but the file does not tell: the clip has not passed.",
        "See the reason; mend what is missing, or take the demand away from this clip.";
    ClipSeam = 166, Error, "Clip does not loop",
        "The project demands that the clip goes on where it ends; here the character jumps each time it begins again.",
        "Make the last frame the same as the first, and export that frame too; see rigscope motion --seams.";
    ClipRoot = 167, Error, "Clip moves or stays against its contract",
        "Code that moves the character moves it twice where the clip moves it too, and not at all where neither does.",
        "Take the way out of the root, or leave it in, and export again.";
    ClipFootSlide = 168, Error, "Foot slides more than the limit",
        "A foot on the floor stands still. What slides looks like ice, and the more so the nearer the camera is.",
        "Pin the foot while it is on the floor; see rigscope motion --feet.";
    ClipTiming = 169, Error, "Rate or length of a clip against its contract",
        "The project plays or blends the clip at another rate, or has no room for one of this length.",
        "Export the clip at the rate and length that are asked for.";

    SpringInCollider = 170, Note, "Spring joint inside its collider at rest",
        "The end of the joint lies inside a collider that pushes it: the chain jumps out as soon as it swings, and never comes back to its rest pose.",
        "Make the collider smaller, move it, or take it from the chain's collider groups.";
    SpringWithoutLength = 171, Warning, "Spring joint without length",
        "The joint and its end are at one place, so that the joint has no direction: it does not swing here, and other programs turn it at random.",
        "Leave the joint out of the chain, or move it away from the next one.";
    SpringShared = 172, Warning, "Joint in two springs",
        "Each spring turns the joint its own way. The first counts here; in other programs the last, or both in turn.",
        "Take the joint out of one of the springs.";
    SpringTooThick = 173, Note, "Hit radius larger than the chain",
        "Around the end of the joint more is kept out of colliders than its whole chain is long: colliders beside the chain push it already.",
        "Enter a smaller hit radius; it is in metres.";
    TwistWithoutConstraint = 174, Note, "Twist helper without a constraint",
        "The joint's name says that it spreads the twist of a limb. The file's other joints are turned by constraints or may be, and nothing turns this one: its skin twists as sharply as without it.",
        "Give the joint a roll constraint on the joint that twists, or key it in the clips.";
    HumanBoneTwice = 175, Error, "Humanoid bone declared twice",
        "Programs take the first or the last of the nodes, so that poses and clips move another joint.",
        "Leave one declaration of each bone.";
    VrmShape = 176, Error, "List or object of VRM in the place of the other",
        "What stands there is not read: bones, expressions or springs are missing, or the file is refused.",
        "Export the file again with a current exporter of VRM.";

    SuppressionUnusable = 180, Warning, "Suppression that cannot be used",
        "The file suppresses findings without a reason, or by a code that there is not: they count as before, and nobody knows why they were meant.",
        "Write the reason beside the code, correct the code, or take the suppression out.";
    SuppressionStale = 181, Note, "Suppression of what is not found",
        "What the file suppresses was mended since, or moved: if it comes back, nobody will see it.",
        "Take the suppression out.";
}

impl Code {
    /// Severity in other formats: they have no such rule, or their importers fix the fault.
    pub fn severity_outside_gltf(self) -> Severity {
        match self {
            Self::WeightSum => Severity::Note,
            Self::NoCommonRoot | Self::RepeatedJoint | Self::KeysBeforeStart => Severity::Warning,
            _ => self.severity(),
        }
    }

    /// True for what is found only where a project demands something.
    pub fn is_demand(self) -> bool {
        matches!(self as u16, 90..=98 | 163..=169)
    }

    /// Name of the code, such as `RIG012`.
    pub fn id(self) -> String {
        format!("RIG{:03}", self as u16)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_say_everything() {
        assert!(Code::ALL.is_sorted_by(|a, b| (*a as u16) < (*b as u16)));
        for code in Code::ALL {
            assert!(!code.title().ends_with('.'), "{code}: a title is no sentence");
            for text in [code.why(), code.advice()] {
                assert!(text.ends_with('.') && text.len() > 10, "{code}: {text}");
            }
        }
        assert_eq!((Code::WeightInvalid.id(), Code::ImageMissing.to_string()), ("RIG012".into(), "RIG070".into()));
    }

    /// Checks the numbers, which other people's scripts and ignore lists rely on.
    #[test]
    fn numbers_keep_their_meaning() {
        let first = [(1, "ExtensionRequired"), (10, "WeightSum"), (22, "JointUnused"), (37, "RestUnlikeBind")];
        let rest = [(43, "SkinnedNodeMoved"), (50, "ZeroArea"), (63, "QuaternionFlip"), (70, "ImageMissing")];
        for (number, name) in first.into_iter().chain(rest) {
            let code = Code::ALL.iter().find(|c| **c as u16 == number).unwrap();
            assert_eq!(format!("{code:?}"), name);
        }
    }
}
