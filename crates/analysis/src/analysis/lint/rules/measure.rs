//! Table of measures: keys, units, functions and advice, for settings, pages and messages.

use std::fmt;

use super::measurement::{Measurements, not_in_file, not_read, of_clips_alone};
use super::{Inventory, Rule, counts, skeleton, soles, vrm};

/// Unit of a measured number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Number of items.
    Count,
    /// Pixels.
    Pixels,
    /// Bytes, displayed as MB of 1,048,576 bytes.
    Bytes,
    /// Metres.
    Metres,
    /// Millimetres.
    Millimetres,
    /// Degrees.
    Degrees,
    /// Seconds.
    Seconds,
    /// Frames per second.
    Rate,
    /// Percent.
    Percent,
}

/// Objects that a measure is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleScope {
    /// The file as a whole, or objects other than drawn primitives.
    File,
    /// Drawn meshes. Rules can exclude some by name.
    Meshes,
    /// Drawn primitives.
    Primitives,
    /// Defects, of which there should be none.
    Defects,
    /// Skinned meshes in a clip.
    MovingSkin,
    /// Not in files, or not read from them.
    NotInFile,
}

macro_rules! measures {
    ($($measure:ident = $key:literal, $unit:ident, $scope:ident, $function:path, $one:literal, $many:literal, $about:literal, $advice:literal;)*) => {
        /// Quantity that a rule measures.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Measure {
            $(#[doc = $about] $measure,)*
        }

        impl Measure {
            /// All measures.
            pub const ALL: &[Self] = &[$(Self::$measure),*];

            /// Returns the key in settings.
            pub fn key(self) -> &'static str {
                match self { $(Self::$measure => $key,)* }
            }

            /// Returns the unit of the value.
            pub fn unit(self) -> Unit {
                match self { $(Self::$measure => Unit::$unit,)* }
            }

            pub(super) fn scope(self) -> RuleScope {
                match self { $(Self::$measure => RuleScope::$scope,)* }
            }

            /// Returns the function that measures a rig for a rule, once for the file or once per object.
            pub(super) fn function(self) -> fn(&Inventory<'_>, &Rule) -> Measurements {
                match self { $(Self::$measure => $function,)* }
            }

            fn nouns(self) -> [&'static str; 2] {
                match self { $(Self::$measure => [$one, $many],)* }
            }

            /// Describes the measure in a sentence.
            pub fn about(self) -> &'static str {
                match self { $(Self::$measure => $about,)* }
            }

            /// Returns the advice on a violation, in complete sentences.
            pub fn advice(self) -> &'static str {
                match self { $(Self::$measure => $advice,)* }
            }
        }
    };
}

measures! {
    Triangles = "triangles", Count, Meshes, counts::triangles, "triangle", "triangles",
        "Triangles that are drawn, a mesh that several nodes carry counted as often.",
        "Reduce the heaviest meshes, or remove what is never seen.";
    MeshTriangles = "mesh-triangles", Count, Meshes, counts::mesh_triangles, "triangle", "triangles",
        "Triangles of each mesh.",
        "Reduce the mesh, or split it.";
    Vertices = "vertices", Count, Meshes, counts::vertices, "vertex", "vertices",
        "Vertices of all meshes together, each mesh once however often it is placed.",
        "Reduce the meshes, or remove what is not seen.";
    Meshes = "meshes", Count, Meshes, counts::meshes, "mesh", "meshes",
        "Meshes that are drawn, skinned or not: what engines call renderers.",
        "Merge meshes that are always seen together.";
    SkinnedMeshes = "skinned-meshes", Count, Meshes, counts::meshes, "skinned mesh", "skinned meshes",
        "Drawn meshes with a skin or with morph targets, which Unity skins too.",
        "Merge skinned meshes that are always seen together.";
    BasicMeshes = "basic-meshes", Count, Meshes, counts::meshes, "basic mesh", "basic meshes",
        "Drawn meshes without a skin and without morph targets.",
        "Merge these meshes, or skin them to a joint and merge them with a skinned one.";
    DrawCalls = "draw-calls", Count, Primitives, counts::slots, "draw call", "draw calls",
        "Parts that are drawn, one for each material of each placed mesh.",
        "Merge materials, and meshes that are always seen together.";
    MaterialSlots = "material-slots", Count, Primitives, counts::slots, "material slot", "material slots",
        "Slots for materials, one for each part of each placed mesh.",
        "Put textures into one atlas and merge the materials.";
    Materials = "materials", Count, Primitives, counts::materials, "material", "materials",
        "Materials that the drawn parts use, each once.",
        "Put textures into one atlas and merge the materials.";
    MeshMaterials = "mesh-materials", Count, Meshes, counts::mesh_materials, "material", "materials",
        "Materials of each mesh.",
        "Put textures into one atlas and merge the materials, or split the mesh.";
    Textures = "textures", Count, Primitives, counts::textures, "texture", "textures",
        "Images that the materials in use show, each once.",
        "Put textures into one atlas, or remove those that add little.";
    TextureSide = "texture-side", Pixels, Primitives, counts::texture_sides,
        "px on the longest side", "px on the longest side",
        "Longest side of each texture, pixels.",
        "Save the texture smaller.";
    TextureMemory = "texture-memory", Bytes, Primitives, counts::texture_memory,
        "of texture memory (estimate)", "of texture memory (estimate)",
        "Estimate of the memory of textures as they are decoded: 4 bytes a pixel, of the image and of its smaller copies.",
        "Save textures smaller, or merge them; engines compress them further.";
    TextureMemoryBc7 = "texture-memory-bc7", Bytes, Primitives, counts::texture_memory,
        "of texture memory (estimate, BC7)", "of texture memory (estimate, BC7)",
        "Estimate of the memory of textures that an engine compresses to BC7: 16 bytes for each 4x4 pixels, of the image and of its smaller copies.",
        "Save textures smaller, or merge them.";
    TextureMemoryAstc = "texture-memory-astc", Bytes, Primitives, counts::texture_memory,
        "of texture memory (estimate, ASTC 6x6)", "of texture memory (estimate, ASTC 6x6)",
        "Estimate of the memory of textures that an engine compresses to ASTC of 6x6 pixels: 16 bytes a block, of the image and of its smaller copies.",
        "Save textures smaller, or merge them.";
    Joints = "joints", Count, File, counts::joints, "joint", "joints",
        "Joints of all skins, each once.",
        "Remove joints that move nothing, or merge small ones.";
    SkinJoints = "skin-joints", Count, File, counts::skin_joints, "joint", "joints",
        "Joints of each skin.",
        "Remove joints that move nothing, or split the mesh.";
    UnusedJoints = "unused-joints", Count, Defects, counts::unused_joints,
        "joint that moves nothing", "joints that move nothing",
        "Joints that move no vertex, and below which none does.",
        "Remove these joints from the skin.";
    Influences = "influences", Count, Meshes, counts::influences, "influence", "influences",
        "Most joints that move one vertex, for each part of a mesh.",
        "Limit the weights before export, for example with `rigscope weights --max`.";
    InfluencedBy = "influenced-by", Count, Defects, counts::influenced_by,
        "vertex that these joints move", "vertices that these joints move",
        "Vertices that the named joints move.",
        "Give their weight to other joints.";
    UvSets = "uv-sets", Count, Primitives, counts::uv_sets, "UV set in use", "UV sets in use",
        "Sets of texture coordinates in use, for each part of a mesh.",
        "Lay all textures of the material by one UV set.";
    MorphTargets = "morph-targets", Count, File, counts::morph_targets, "morph target", "morph targets",
        "Morph targets, those of one name on several meshes counted once.",
        "Remove morph targets that nothing uses.";
    MorphVertices = "morph-vertices", Count, Primitives, counts::morph_vertices, "moved vertex", "moved vertices",
        "Vertices that each morph target moves, for each part of a mesh.",
        "Split what it moves into a mesh of its own, or remove offsets too small to see.";
    Clips = "clips", Count, File, counts::clips, "clip", "clips",
        "Animation clips.",
        "Export the clips that are needed, or each into a file of its own.";
    ClipSeconds = "clip-seconds", Seconds, File, counts::clips, "long", "long",
        "Length of each clip, seconds.",
        "Shorten the clip, or split it.";
    ClipFrames = "clip-frames", Count, File, counts::clips, "frame", "frames",
        "Frames of each clip at its own rate.",
        "Shorten the clip, or split it.";
    ClipRate = "clip-rate", Rate, File, counts::clips, "", "",
        "Frames a second of each clip.",
        "Export the clip at the rate that is asked for.";
    ClipSeam = "clip-seam", Degrees, MovingSkin, of_clips_alone, "between end and start", "between end and start",
        "Angle of the joint that is turned most at the end of a clip from how it began, degrees.",
        "Make the last frame the same as the first.";
    ClipGap = "clip-gap", Millimetres, MovingSkin, of_clips_alone, "between end and start", "between end and start",
        "Distance of the vertex that is farthest at the end of a clip from where it began, millimetres; where nothing is drawn, of a joint.",
        "Make the last frame the same as the first.";
    ClipTravel = "clip-travel", Metres, MovingSkin, of_clips_alone, "over the floor", "over the floor",
        "Way of the root over the floor from the start of a clip to its end, metres.",
        "Take the way out of the root, or leave it in.";
    FootSlide = "foot-slide", Millimetres, MovingSkin, of_clips_alone, "in a contact", "in a contact",
        "Way that a foot slides while it is on the floor, the most in one contact, millimetres.",
        "Pin the foot while it is on the floor.";
    FileBytes = "file-bytes", Bytes, File, counts::file_bytes, "in the file", "in the file",
        "Size of the file, without the files beside it.",
        "Compress textures and meshes, or remove what is not needed.";
    Unit = "unit", Metres, File, counts::unit, "to a unit of the file", "to a unit of the file",
        "Length of a unit of the file, metres: 1 in glTF, and what an FBX file says of itself.",
        "Set the unit of the scene before export, and look at the height afterwards.";
    Width = "width", Metres, Primitives, counts::extent, "wide", "wide",
        "Extent at rest along X, metres.",
        "Scale the character, or bring its parts together.";
    Height = "height", Metres, Primitives, counts::extent, "high", "high",
        "Extent at rest along Y, metres.",
        "Scale the character, or bring its parts together.";
    Depth = "depth", Metres, Primitives, counts::extent, "deep", "deep",
        "Extent at rest along Z, metres.",
        "Scale the character, or bring its parts together.";
    Soles = "soles", Metres, Primitives, soles::soles, "from the ground to the soles", "from the ground to the soles",
        "Distance of the soles at rest from Y = 0, up or down, metres: the lowest point of what the feet move, or of all where no feet are found.",
        "Move the hips so that the soles stand at Y = 0.";
    Front = "front", Degrees, File, skeleton::stance,
        "away from where the character must look", "away from where the character must look",
        "Angle between where the arms and legs say that the character looks and the axis of the rule, degrees.",
        "Turn the character, mesh and skeleton, before export.";
    Pose = "pose", Degrees, File, skeleton::stance, "off the pose", "off the pose",
        "Angle of the worst limb from the pose of the rule, degrees: arms level (t), 45° down (a) or hanging (i), and legs straight down.",
        "Pose the character so and apply that as its rest pose, mesh and skeleton.";
    ScaledJoints = "scaled-joints", Count, Defects, skeleton::scales, "joint with a scale", "joints with a scale",
        "Joints whose scale at rest is not 1.",
        "Apply the scale of the skeleton before export.";
    UnevenScales = "uneven-scales", Count, Defects, skeleton::scales,
        "node of uneven or negative scale", "nodes of uneven or negative scale",
        "Nodes whose scale at rest is not the same positive number along all axes.",
        "Apply scales before export.";
    TurnedBones = "turned-bones", Count, Defects, skeleton::bone_transforms,
        "bone with a rotation", "bones with a rotation",
        "Humanoid bones whose own rotation at rest is not zero.",
        "Export with the rotations of bones applied.";
    ScaledBones = "scaled-bones", Count, Defects, skeleton::bone_transforms,
        "bone with a scale that is not positive", "bones with a scale that is not positive",
        "Humanoid bones with a scale of 0 or less.",
        "Apply the scale of the skeleton before export.";
    Roots = "roots", Count, File, skeleton::joints_at_fault, "root joint", "root joints",
        "Joints above which there is no other joint.",
        "Put the roots below one joint.";
    RepeatedNames = "repeated-names", Count, Defects, skeleton::joints_at_fault,
        "repeated name of a joint", "repeated names of joints",
        "Joints that have the name of another one.",
        "Give each joint a name of its own.";
    UnpairedNames = "unpaired-names", Count, Defects, skeleton::joints_at_fault,
        "joint without its counterpart", "joints without their counterparts",
        "Joints whose name is of one side, while no joint has the name of the other.",
        "Name both sides alike, as in Hand.L and Hand.R.";
    Names = "names", Count, File, skeleton::names, "name found", "names found",
        "How many of the names, which may have *, something in the file has.",
        "See the names in the rule.";
    MissingNames = "missing-names", Count, Defects, skeleton::names, "name missing", "names missing",
        "Names that nothing in the file has.",
        "Add what is missing, or name it so.";
    OtherNames = "other-names", Count, Defects, skeleton::names, "other name", "other names",
        "Things whose name is none of those of the rule.",
        "Remove or rename them.";
    VrmVersion = "vrm-version", Count, File, vrm::version, "as the VRM version", "as the VRM version",
        "Version of VRM that the file declares, 0 or 1.",
        "Export as the version that is asked for.";
    DeclaredBones = "declared-bones", Count, File, vrm::declared_bones,
        "declared humanoid bone", "declared humanoid bones",
        "Humanoid bones that the file itself declares, as VRM does.",
        "Export as VRM with the bones assigned.";
    VrmMeta = "vrm-meta", Count, Defects, vrm::faults, "fault in the metadata", "faults in the metadata",
        "Values of VRM's metadata and licence that its specification does not allow, or that it asks for and are not there.",
        "Fill in name, authors and licence before export.";
    VrmExpressions = "vrm-expressions", Count, Defects, vrm::faults,
        "fault in the expressions", "faults in the expressions",
        "Values of VRM's expressions that its specification does not allow, such as morph targets that are not there.",
        "Assign the expressions again, and export.";
    VrmGaze = "vrm-gaze", Count, Defects, vrm::faults, "fault in the gaze", "faults in the gaze",
        "Values of how VRM moves the eyes that its specification does not allow.",
        "Set the ranges of the eyes again, and export.";
    VrmFirstPerson = "vrm-first-person", Count, Defects, vrm::faults,
        "fault in the first person view", "faults in the first person view",
        "Values of VRM's first person view that its specification does not allow, such as nodes without a mesh.",
        "Set which meshes the character itself sees again, and export.";
    VrmSprings = "vrm-springs", Count, Defects, vrm::faults, "fault in the spring bones", "faults in the spring bones",
        "Values of VRM's spring bones and colliders that its specification does not allow, such as joints in two chains.",
        "Set up the spring bones again, and export.";
    VrmConstraints = "vrm-constraints", Count, Defects, vrm::faults,
        "fault in the constraints", "faults in the constraints",
        "Values of VRM's constraints that its specification does not allow, such as constraints in a circle.",
        "Set up the constraints again, and export.";
    SharedBones = "shared-bones", Count, Defects, vrm::shared_bones,
        "node that is several bones", "nodes that are several bones",
        "Nodes that the file declares as more than one humanoid bone.",
        "Assign each bone a node of its own.";
    ParentlessBones = "parentless-bones", Count, Defects, vrm::parentless_bones,
        "bone without the bone that it needs above", "bones without the bone that they need above",
        "Upper chests without a chest and joints of fingers without the joint before them.",
        "Assign the bone above, or assign this one in its place.";
    MissingBones = "missing-bones", Count, Defects, skeleton::missing_bones, "bone missing", "bones missing",
        "Humanoid bones that are not found, by what the file declares or by names.",
        "Add the bones, or name them so that they are found.";
    MisplacedBones = "misplaced-bones", Count, Defects, skeleton::misplaced_bones,
        "bone below the wrong parent", "bones below the wrong parents",
        "Humanoid bones whose nearest bone above is not the one that it should be.",
        "Put each bone below the one that is asked for.";
    SplitBones = "split-bones", Count, Defects, skeleton::misplaced_bones,
        "bone that does not hang on the hips", "bones that do not hang on the hips",
        "Humanoid bones above which the hips are not.",
        "Put the hips above all other bones.";
    LaterChildren = "later-children", Count, Defects, skeleton::misplaced_bones,
        "bone that is not the first child", "bones that are not the first child",
        "Lower arms, hands, lower legs and feet that are not the first child of the bone above.",
        "Move the bone to the first place among the children of the bone above.";
    BoneNames = "bone-names", Percent, File, skeleton::bone_names, "of the bone names found", "of the bone names found",
        "Share of the scheme's names of bones that nodes have, percent.",
        "Rename the joints as the scheme has them.";
    NotInFile = "not-in-file", Count, NotInFile, not_in_file, "", "",
        "Something that no model file holds: only the platform's editor can tell.",
        "Look in the platform's editor.";
    NotRead = "not-read", Count, NotInFile, not_read, "", "",
        "Something that files hold but Rigscope does not read.",
        "Look in a program that reads it.";
}

impl Measure {
    /// Returns the measures for profiles: all but those of [`crate::analysis::clip_checks`].
    pub fn of_rules() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|measure| !measure.is_of_skin_in_motion())
    }

    pub(super) fn is_of_skin_in_motion(self) -> bool {
        self.scope() == RuleScope::MovingSkin
    }

    /// Returns true if the value can be measured from a file alone.
    pub fn is_in_files(self) -> bool {
        self.scope() != RuleScope::NotInFile
    }

    /// Returns true if the measure counts drawn parts, so that a rule can select some.
    pub fn is_of_parts(self) -> bool {
        matches!(self.scope(), RuleScope::Meshes | RuleScope::Primitives)
    }

    /// Returns true if the measure counts defects, of which a rule allows none unless it says otherwise.
    pub(crate) fn is_of_defects(self) -> bool {
        self.scope() == RuleScope::Defects
    }

    /// Formats a number with its unit: "12", "3.1 MB", "45.0°".
    pub fn number(self, value: f64) -> String {
        match self.unit() {
            Unit::Count => grouped(value),
            Unit::Pixels => format!("{value:.0} px"),
            Unit::Bytes => format!("{} MB", short(value / 1_048_576.0)),
            Unit::Metres => format!("{} m", short(value)),
            Unit::Millimetres => format!("{value:.1} mm"),
            Unit::Degrees if self == Self::ClipSeam => format!("{value:.2}°"),
            Unit::Degrees => format!("{value:.1}°"),
            Unit::Seconds => format!("{} s", short(value)),
            Unit::Rate => format!("{} frames per second", short(value)),
            Unit::Percent => format!("{value:.0} %"),
        }
    }

    /// Formats a number with its noun: "12 materials", "3.1 MB of texture memory (estimate)".
    pub fn phrase(self, value: f64) -> String {
        let [one, many] = self.nouns();
        let noun = if (value - 1.0).abs() < f64::EPSILON { one } else { many };
        let number = match self.unit() {
            Unit::Pixels => format!("{value:.0}"),
            _ => self.number(value),
        };
        format!("{number} {noun}").trim_end().to_owned()
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |digits| ("-", digits));
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}")
}

fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_plain_and_all_that_is_measured_is_explained() {
        for measure in Measure::ALL {
            assert_eq!(Measure::ALL.iter().filter(|other| other.key() == measure.key()).count(), 1, "{measure}");
            assert!(
                measure.key().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{measure}"
            );
            for text in [measure.about(), measure.advice()] {
                assert!(text.ends_with('.') && text.len() > 10, "{measure}: {text}");
            }
        }
    }

    #[test]
    fn numbers_have_their_unit() {
        assert_eq!(Measure::Triangles.phrase(1_234_567.0), "1,234,567 triangles");
        assert_eq!(Measure::Materials.phrase(1.0), "1 material");
        assert_eq!(Measure::TextureMemory.phrase(1_572_864.0), "1.5 MB of texture memory (estimate)");
        assert_eq!(Measure::ClipRate.phrase(30.0), "30 frames per second");
        assert_eq!(Measure::TextureSide.phrase(512.0), "512 px on the longest side");
        assert_eq!(Measure::Height.number(2.42), "2.42 m");
        assert_eq!([Measure::Height.number(-0.0), Measure::Soles.number(-0.0001)], ["0 m", "0 m"]);
    }
}
