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

/// The kind of objects that a measure is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleScope {
    /// The file as a whole, or objects other than drawn primitives.
    File,
    /// Drawn meshes. Rules can exclude some by name.
    Meshes,
    /// Drawn primitives.
    Primitives,
    /// Defects; a good file has none.
    Defects,
    /// Motion in a clip; available only to rules in `[[clips]]`.
    ClipMotion,
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

            /// Returns the function that takes this measure of a rig, either once for the file or once per object.
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
        "Drawn triangles. A mesh on several nodes counts once for each node.",
        "Simplify the largest meshes, or delete geometry that is never visible.";
    MeshTriangles = "mesh-triangles", Count, Meshes, counts::mesh_triangles, "triangle", "triangles",
        "Triangles of each mesh.",
        "Simplify the mesh, or split it.";
    Vertices = "vertices", Count, Meshes, counts::vertices, "vertex", "vertices",
        "Vertices of all meshes. A mesh on several nodes counts once.",
        "Simplify the meshes, or delete geometry that is never visible.";
    Meshes = "meshes", Count, Meshes, counts::meshes, "mesh", "meshes",
        "Drawn meshes, skinned or not. Engines call them renderers.",
        "Merge meshes that are always visible together.";
    SkinnedMeshes = "skinned-meshes", Count, Meshes, counts::meshes, "skinned mesh", "skinned meshes",
        "Drawn meshes with a skin or morph targets. Unity uses skinned mesh renderers for both.",
        "Merge skinned meshes that are always visible together.";
    BasicMeshes = "basic-meshes", Count, Meshes, counts::meshes, "basic mesh", "basic meshes",
        "Drawn meshes without a skin or morph targets.",
        "Merge these meshes, or skin each to one joint and merge it with a skinned mesh.";
    DrawCalls = "draw-calls", Count, Primitives, counts::slots, "draw call", "draw calls",
        "Draw calls: one for each material of each drawn mesh.",
        "Merge materials, and merge meshes that are always visible together.";
    MaterialSlots = "material-slots", Count, Primitives, counts::slots, "material slot", "material slots",
        "Material slots: one for each primitive of each drawn mesh.",
        "Combine the textures in an atlas and merge the materials.";
    Materials = "materials", Count, Primitives, counts::materials, "material", "materials",
        "Different materials on drawn meshes.",
        "Combine the textures in an atlas and merge the materials.";
    MeshMaterials = "mesh-materials", Count, Meshes, counts::mesh_materials, "material", "materials",
        "Materials of each mesh.",
        "Combine the textures in an atlas and merge the materials, or split the mesh.";
    Textures = "textures", Count, Primitives, counts::textures, "texture", "textures",
        "Different images used by materials on drawn meshes.",
        "Combine textures in an atlas, or remove those that add little.";
    TextureSide = "texture-side", Pixels, Primitives, counts::texture_sides,
        "px on the longest side", "px on the longest side",
        "Longest side of each texture, in pixels.",
        "Export the texture at a lower resolution.";
    TextureMemory = "texture-memory", Bytes, Primitives, counts::texture_memory,
        "of texture memory (estimate)", "of texture memory (estimate)",
        "Estimated memory of uncompressed textures: 4 bytes per pixel, including mipmaps.",
        "Export textures at a lower resolution, or merge them. Engines can also compress them.";
    TextureMemoryBc7 = "texture-memory-bc7", Bytes, Primitives, counts::texture_memory,
        "of texture memory (estimate, BC7)", "of texture memory (estimate, BC7)",
        "Estimated memory of textures compressed to BC7: 16 bytes per block of 4x4 pixels, including mipmaps.",
        "Export textures at a lower resolution, or merge them.";
    TextureMemoryAstc = "texture-memory-astc", Bytes, Primitives, counts::texture_memory,
        "of texture memory (estimate, ASTC 6x6)", "of texture memory (estimate, ASTC 6x6)",
        "Estimated memory of textures compressed to ASTC 6x6: 16 bytes per block of 6x6 pixels, including mipmaps.",
        "Export textures at a lower resolution, or merge them.";
    Joints = "joints", Count, File, counts::joints, "joint", "joints",
        "Different joints of all skins.",
        "Remove joints that move nothing, or merge small ones.";
    SkinJoints = "skin-joints", Count, File, counts::skin_joints, "joint", "joints",
        "Joints of each skin.",
        "Remove joints that move nothing, or split the mesh.";
    UnusedJoints = "unused-joints", Count, Defects, counts::unused_joints,
        "joint that moves nothing", "joints that move nothing",
        "Joints that move no vertex and have no descendant that does.",
        "Remove these joints from the skin.";
    Influences = "influences", Count, Meshes, counts::influences, "influence", "influences",
        "Maximum number of joints that move one vertex, for each primitive.",
        "Limit the weights before export, for example with `rigscope weights --max-influences`.";
    InfluencedBy = "influenced-by", Count, Defects, counts::influenced_by,
        "vertex that these joints move", "vertices that these joints move",
        "Vertices that the named joints move.",
        "Move their weights to other joints.";
    UvSets = "uv-sets", Count, Primitives, counts::uv_sets, "UV set in use", "UV sets in use",
        "UV sets in use, for each primitive.",
        "Use the same UV set for all textures of the material.";
    MorphTargets = "morph-targets", Count, File, counts::morph_targets, "morph target", "morph targets",
        "Morph targets. Targets with the same name on several meshes count once.",
        "Remove morph targets that nothing uses.";
    MorphVertices = "morph-vertices", Count, Primitives, counts::morph_vertices, "moved vertex", "moved vertices",
        "Vertices that each morph target moves, for each primitive.",
        "Split the moved vertices into a separate mesh, or remove offsets that are too small to see.";
    Clips = "clips", Count, File, counts::clips, "clip", "clips",
        "Animation clips.",
        "Export only the clips that are needed, or export each clip to a separate file.";
    ClipSeconds = "clip-seconds", Seconds, File, counts::clips, "long", "long",
        "Length of each clip, in seconds.",
        "Shorten the clip, or split it.";
    ClipFrames = "clip-frames", Count, File, counts::clips, "frame", "frames",
        "Frames of each clip at its own frame rate.",
        "Shorten the clip, or split it.";
    ClipRate = "clip-rate", Rate, File, counts::clips, "", "",
        "Frame rate of each clip, in frames per second.",
        "Export the clip at the required frame rate.";
    ClipSeam = "clip-seam", Degrees, ClipMotion, of_clips_alone, "between end and start", "between end and start",
        "Largest rotation of a joint between the first and last frame of a clip, in degrees.",
        "Make the last frame the same as the first.";
    ClipGap = "clip-gap", Millimetres, ClipMotion, of_clips_alone, "between end and start", "between end and start",
        "Largest distance of a vertex between the first and last frame of a clip, in millimetres. Joints are used if the file has no meshes.",
        "Make the last frame the same as the first.";
    ClipTravel = "clip-travel", Metres, ClipMotion, of_clips_alone, "over the floor", "over the floor",
        "Horizontal distance of the root between the start and end of a clip, in metres.",
        "Remove the root motion, or keep it, as the rule requires.";
    FootSlide = "foot-slide", Millimetres, ClipMotion, of_clips_alone, "in a contact", "in a contact",
        "Largest distance that a foot slides during one floor contact, in millimetres.",
        "Keep the foot in place while it is on the floor.";
    FileBytes = "file-bytes", Bytes, File, counts::file_bytes, "in the file", "in the file",
        "Size of the file, without external buffers and images.",
        "Compress textures and meshes, or remove unused data.";
    Unit = "unit", Metres, File, counts::unit, "to a unit of the file", "to a unit of the file",
        "Length of one file unit, in metres: 1 in glTF, and the unit setting in FBX.",
        "Set the scene unit before export, then check the height.";
    Width = "width", Metres, Primitives, counts::extent, "wide", "wide",
        "Size at rest along X, in metres.",
        "Scale the character, or move stray geometry closer.";
    Height = "height", Metres, Primitives, counts::extent, "high", "high",
        "Size at rest along Y, in metres.",
        "Scale the character, or move stray geometry closer.";
    Depth = "depth", Metres, Primitives, counts::extent, "deep", "deep",
        "Size at rest along Z, in metres.",
        "Scale the character, or move stray geometry closer.";
    Soles = "soles", Metres, Primitives, soles::soles, "from the ground to the soles", "from the ground to the soles",
        "Vertical distance between the soles at rest and Y = 0, in metres. The soles are the lowest vertices moved by the feet, or of the whole character if it has no feet.",
        "Move the hips so that the soles are at Y = 0.";
    Front = "front", Degrees, File, skeleton::stance,
        "from the required facing direction", "from the required facing direction",
        "Angle between the character's facing direction, derived from its arms and legs, and the axis in the rule, in degrees.",
        "Rotate the character, mesh and skeleton together, before export.";
    Pose = "pose", Degrees, File, skeleton::stance, "from the required pose", "from the required pose",
        "Largest angle between a limb and the pose in the rule, in degrees. Arms are horizontal (t), 45° down (a) or hanging (i), and legs are vertical.",
        "Move the character into this pose and apply it as the rest pose of mesh and skeleton.";
    ScaledJoints = "scaled-joints", Count, Defects, skeleton::scales, "joint with a scale", "joints with a scale",
        "Joints whose scale at rest is not 1.",
        "Apply the scale of the skeleton before export.";
    UnevenScales = "uneven-scales", Count, Defects, skeleton::scales,
        "node with nonuniform or negative scale", "nodes with nonuniform or negative scale",
        "Nodes whose scale at rest is negative or differs between axes.",
        "Apply scales before export.";
    TurnedBones = "turned-bones", Count, Defects, skeleton::bone_transforms,
        "bone with a rotation", "bones with a rotation",
        "Humanoid bones with a local rotation at rest.",
        "Export with bone rotations applied.";
    ScaledBones = "scaled-bones", Count, Defects, skeleton::bone_transforms,
        "bone with a scale that is not positive", "bones with a scale that is not positive",
        "Humanoid bones with a scale of 0 or less.",
        "Apply the scale of the skeleton before export.";
    Roots = "roots", Count, File, skeleton::joints_at_fault, "root joint", "root joints",
        "Joints without an ancestor joint.",
        "Parent all roots to one joint.";
    RepeatedNames = "repeated-names", Count, Defects, skeleton::joints_at_fault,
        "duplicate joint name", "duplicate joint names",
        "Joints with the same name as another joint.",
        "Give each joint a unique name.";
    UnpairedNames = "unpaired-names", Count, Defects, skeleton::joints_at_fault,
        "joint without a counterpart on the other side", "joints without a counterpart on the other side",
        "Joints with a left or right name whose counterpart on the other side does not exist.",
        "Use matching names on both sides, such as Hand.L and Hand.R.";
    Names = "names", Count, File, skeleton::names, "name found", "names found",
        "Number of names in the rule that occur in the file. Names can contain *.",
        "Compare with the names in the rule.";
    MissingNames = "missing-names", Count, Defects, skeleton::names, "name missing", "names missing",
        "Names in the rule that do not occur in the file.",
        "Add the missing objects, or rename existing ones.";
    OtherNames = "other-names", Count, Defects, skeleton::names, "other name", "other names",
        "Objects whose names are not in the rule.",
        "Remove or rename these objects.";
    VrmVersion = "vrm-version", Count, File, vrm::version, "as the VRM version", "as the VRM version",
        "VRM version of the file, 0 or 1.",
        "Export as the required version.";
    DeclaredBones = "declared-bones", Count, File, vrm::declared_bones,
        "declared humanoid bone", "declared humanoid bones",
        "Humanoid bones declared in the file, as in VRM.",
        "Assign the bones and export as VRM.";
    VrmMeta = "vrm-meta", Count, Defects, vrm::meta, "error in the metadata", "errors in the metadata",
        "VRM metadata and licence values that are missing or not allowed by the specification.",
        "Fill in name, authors and licence before export.";
    VrmExpressions = "vrm-expressions", Count, Defects, vrm::expressions,
        "error in the expressions", "errors in the expressions",
        "VRM expression values that the specification does not allow, such as references to missing morph targets.",
        "Set up the expressions again and export.";
    VrmLookAt = "vrm-look-at", Count, Defects, vrm::look_at, "error in the look-at settings", "errors in the look-at settings",
        "VRM look-at values that the specification does not allow.",
        "Set the look-at ranges again and export.";
    VrmFirstPerson = "vrm-first-person", Count, Defects, vrm::first_person,
        "error in the first-person settings", "errors in the first-person settings",
        "VRM first-person values that the specification does not allow, such as nodes without a mesh.",
        "Set the first-person visibility of the meshes again and export.";
    VrmSprings = "vrm-springs", Count, Defects, vrm::springs, "error in the spring bones", "errors in the spring bones",
        "VRM spring bone and collider values that the specification does not allow, such as a joint in two chains.",
        "Set up the spring bones again and export.";
    VrmConstraints = "vrm-constraints", Count, Defects, vrm::constraints,
        "error in the constraints", "errors in the constraints",
        "VRM constraint values that the specification does not allow, such as circular constraints.",
        "Set up the constraints again and export.";
    SharedBones = "shared-bones", Count, Defects, vrm::shared_bones,
        "node assigned to several bones", "nodes assigned to several bones",
        "Nodes that are assigned to more than one humanoid bone.",
        "Assign a different node to each bone.";
    ParentlessBones = "parentless-bones", Count, Defects, vrm::parentless_bones,
        "bone without its required parent bone", "bones without their required parent bones",
        "Upper chests without a chest, and finger bones without the previous finger bone.",
        "Assign the parent bone, or assign this node to it instead.";
    MissingBones = "missing-bones", Count, Defects, skeleton::missing_bones, "bone missing", "bones missing",
        "Humanoid bones that are not found. The bones that the file declares count, or joint names if it declares none.",
        "Add the bones, or use standard names for them.";
    MisplacedBones = "misplaced-bones", Count, Defects, skeleton::misplaced_bones,
        "bone below the wrong parent", "bones below the wrong parents",
        "Humanoid bones whose nearest ancestor bone is not the expected one.",
        "Parent each bone to the expected bone.";
    SplitBones = "split-bones", Count, Defects, skeleton::misplaced_bones,
        "bone that is not below the hips", "bones that are not below the hips",
        "Humanoid bones that are not descendants of the hips.",
        "Make all other bones descendants of the hips.";
    LaterChildren = "later-children", Count, Defects, skeleton::misplaced_bones,
        "bone that is not the first child", "bones that are not the first child",
        "Lower arms, hands, lower legs and feet that are not the first child of their parent bone.",
        "Make the bone the first child of its parent bone.";
    BoneNames = "bone-names", Percent, File, skeleton::bone_names, "of the bone names found", "of the bone names found",
        "Percentage of the naming scheme's bone names that occur in the file.",
        "Rename the joints to match the scheme.";
    NotInFile = "not-in-file", Count, NotInFile, not_in_file, "", "",
        "Requirement that no model file contains. Only the platform's editor can check it.",
        "Check it in the platform's editor.";
    NotRead = "not-read", Count, NotInFile, not_read, "", "",
        "Requirement whose data Rigscope does not read.",
        "Check it in a program that reads this data.";
}

impl Measure {
    /// Returns the measures that profiles can use: all except those of [`crate::analysis::clip_checks`].
    pub fn of_rules() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|measure| measure.scope() != RuleScope::ClipMotion)
    }

    /// Returns true if the value can be measured from a file alone.
    pub fn is_in_files(self) -> bool {
        self.scope() != RuleScope::NotInFile
    }

    /// Returns true if the measure counts drawn primitives; a rule may then select some of them.
    pub fn is_of_parts(self) -> bool {
        matches!(self.scope(), RuleScope::Meshes | RuleScope::Primitives)
    }

    /// Returns true if the measure counts defects. By default, rules allow no defects.
    pub fn is_of_defects(self) -> bool {
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
