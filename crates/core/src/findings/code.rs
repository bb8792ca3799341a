//! Table of finding codes: number, severity, title and explanation of each code.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::rows::{Described, Shape, rows};

/// Severity of a finding, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The fact is worth knowing, and often intended.
    Note,
    /// The rig works only in some engines, or looks different than intended.
    Warning,
    /// The rig is wrong, or looks wrong in engines that don't correct the file.
    Error,
}

impl Severity {
    /// All severities, most severe first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Returns the name in text and JSON.
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

rows! {
    /// Explanation of a code.
    #[derive(Copy, Eq)]
    pub struct Explanation {
        /// What a finding means.
        pub meaning: &'static str,
        /// Why it matters.
        pub why: &'static str,
        /// What to do.
        pub advice: &'static str,
        /// What to do in Blender.
        pub blender: &'static str,
        /// What to do in Maya.
        pub maya: &'static str,
        /// What to do in Rigscope.
        pub rigscope: Option<&'static str>,
    }
}

macro_rules! codes {
    ($($code:ident = $number:literal, $severity:ident, $title:literal {
        meaning: $meaning:literal,
        why: $why:literal,
        advice: $advice:literal,
        blender: $blender:literal,
        maya: $maya:literal,
        $(rigscope: $rigscope:literal,)?
    })*) => {
        /// Code of a finding. The meaning of a number never changes. Groups start at these numbers: 001 and 100 (file),
        /// 010 (weights), 020 and 120 (skins and joints), 030 (bind pose), 040 (transforms), 050 (geometry), 060
        /// (clips), 070 (appearance), 080 (FBX), 090 (project rules), 110 (weights as stored), 160 (clips and project
        /// rules for them), 170 (springs and VRM), 180 (suppressions), 190 (bend test).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $code = $number,)*
        }

        impl Code {
            /// All codes, in ascending order.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// Returns the severity of findings with this code; the highest one if it depends on the cause.
            pub fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)* }
            }

            /// Returns the title, a short phrase.
            pub fn title(self) -> &'static str {
                match self { $(Self::$code => $title,)* }
            }

            /// Returns the explanation.
            pub fn explanation(self) -> Explanation {
                match self { $(Self::$code => Explanation {
                    meaning: $meaning,
                    why: $why,
                    advice: $advice,
                    blender: $blender,
                    maya: $maya,
                    rigscope: None$(.or(Some($rigscope)))?,
                },)* }
            }
        }
    };
}

codes! {
    ExtensionRequired = 1, Error, "Required extension not supported" {
        meaning: "The file requires a glTF extension that Rigscope does not support.",
        why: "The file cannot be shown correctly without this extension; whatever depends on it is wrong or missing.",
        advice: "Export without the extension, or convert the file with a tool that supports it.",
        blender: "Switch off the option that adds the extension, such as Data > Scene Graph > GPU Instances in File > Export > glTF 2.0, and export again.",
        maya: "Switch the extension off in the glTF exporter (Maya2glTF, Babylon.js). Or export FBX, which has no extensions, with File > Export Selection, and use `rigscope convert`.",
    }
    ExtensionIgnored = 2, Note, "Extension not supported" {
        meaning: "The file uses a glTF extension that Rigscope does not support, or supports only partly. The finding names what is missing.",
        why: "What the extension adds is not shown. The file marks it as optional.",
        advice: "Nothing, unless you need to see what is missing.",
        blender: "No action is needed. To avoid the extension, reset the setting behind it before export, such as Anisotropic or Transmission of the Principled BSDF.",
        maya: "No action is needed. To avoid the extension, simplify the shader in the Hypershade, or switch the extension off in the glTF exporter (Maya2glTF, Babylon.js).",
    }
    DataMissing = 3, Error, "Data missing" {
        meaning: "A buffer, which holds vertices, weights and keys, is missing from the path in the file, or is shorter than declared.",
        why: "A buffer is missing or truncated, so some of the file's data is missing.",
        advice: "Put the missing file next to the model, or download or export the model again.",
        blender: "Export again as glTF Binary (.glb) in File > Export > glTF 2.0, which is one file. With glTF Separate, keep the .bin next to the .gltf.",
        maya: "Copy the .bin that the glTF exporter (Maya2glTF, Babylon.js) wrote along with its .gltf, or export the scene again. An FBX file contains its meshes.",
    }
    Malformed = 4, Error, "Malformed data skipped" {
        meaning: "A mesh, material, clip, scene, humanoid bone, spring or reference does not follow the glTF or VRM specification and was skipped.",
        why: "Some data does not follow the glTF specification. Stricter programs reject the whole file.",
        advice: "Repair or re-export the file, and report the bug to the exporter's developers.",
        blender: "Import the file with File > Import > glTF 2.0, check what is missing, and export it again.",
        maya: "Export the scene again with the newest version of the glTF exporter (Maya2glTF, Babylon.js), or as FBX with File > Export All.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes a valid file without this data.",
    }
    TrailingBytes = 5, Warning, "Bytes after the end" {
        meaning: "The .glb file continues past the length in its header. Rigscope ignores the extra bytes.",
        why: "A binary glTF ends where its header says; some programs reject a longer file.",
        advice: "Export the file again, or truncate it to the length in its header.",
        blender: "Import the file and export it again as glTF Binary (.glb).",
        maya: "Export the scene again. If the bytes reappear, a later step that copies, packs or signs the file adds them.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the file without them.",
    }
    NotShown = 6, Note, "Content not shown" {
        meaning: "The file has lights, further scenes, hidden meshes, levels of detail, material properties or other content that Rigscope does not draw. The finding names it.",
        why: "The file contains something that this viewer does not draw.",
        advice: "Nothing; the rig is not affected.",
        blender: "No action is needed. To export less, use Include > Limit to > Visible Objects and switch off Punctual Lights in File > Export > glTF 2.0.",
        maya: "No action is needed. To export less, select only the meshes and joints that the engine needs, and use File > Export Selection.",
    }
    OutsideScene = 7, Warning, "Mesh outside the scene" {
        meaning: "A node with a mesh is in no scene of the file, or the default scene has no mesh at all, so Rigscope shows all nodes instead.",
        why: "Programs show only the default scene, so the mesh may be missing there.",
        advice: "Add the mesh's node to the default scene.",
        blender: "Link the object to the exported scene with Object > Link/Transfer Data > Link Objects to Scene, and export from there.",
        maya: "A Maya file has one scene, so the exporter lost the node: show it with Display > Show > All and export again. If it is still lost, update the glTF exporter (Maya2glTF, Babylon.js).",
    }
    MoreFindings = 8, Warning, "More findings than listed" {
        meaning: "The list is limited to 200 findings per code and 1,000 import warnings. The others are only counted.",
        why: "The file has so many problems that the list was truncated.",
        advice: "Fix the listed findings and check again.",
        blender: "Find the common cause of many findings, such as an unapplied scale or a script. Fix it, export, and check again.",
        maya: "Fix the listed findings, which often share one cause such as a wrong exporter option, and check again.",
    }
    TransformUnusable = 9, Error, "Unusable transform" {
        meaning: "A node's translation, rotation, scale or matrix has non-finite numbers, or its quaternion has length 0. Rigscope ignores it.",
        why: "A node has a transform with non-finite numbers, or a rotation of length 0; it was skipped.",
        advice: "Give the node a valid translation, rotation and scale.",
        blender: "Clear the transform with Object > Clear, or for a bone with Pose > Clear Transform > All, and check the Drivers Editor for the driver that sets it.",
        maya: "Type valid numbers into the Channel Box, and find the expression that sets invalid ones in Windows > Animation Editors > Expression Editor.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the node without the invalid values.",
    }

    WeightSum = 10, Error, "Weights do not sum to 1" {
        meaning: "The weights of a vertex sum to a value that differs from 1 by more than 0.001. In FBX, where programs normalise weights on import, this is a note.",
        why: "Weights that do not sum to 1 pull vertices towards the origin or away from it. This viewer divides by the sum; engines often do not.",
        advice: "Normalise the weights before export.",
        blender: "Unlock the vertex groups, and in Weight Paint mode use Weights > Normalize All with Subset: Deform Pose Bones and Lock Active off.",
        maya: "Use Skin > Normalize Weights > Enable Weight Normalization, which sets Normalize Weights of the skinCluster to Interactive, so that sums stay 1.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, divides the weights of each vertex by their sum.",
    }
    WeightZero = 11, Error, "Vertex without weight" {
        meaning: "A vertex of a skinned mesh has no weight above 0. Here it follows the joint of its first slot in glTF, and its mesh's node in FBX.",
        why: "A vertex without weights collapses to the origin in most engines.",
        advice: "Weight the vertices to a joint.",
        blender: "In Edit mode, Select > Select All by Trait > Ungrouped Vertices selects vertices in no group. Assign them in Object Data properties > Vertex Groups, or in Weight Paint mode with Weights > Assign Automatic from Bones.",
        maya: "Select the vertices and use Skin > Hammer Skin Weights, which copies weights from their neighbours.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, computes weights for these vertices only.",
    }
    WeightInvalid = 12, Error, "Negative or non-finite weight" {
        meaning: "A weight is negative, infinite or not a number (NaN). It counts as 0 here.",
        why: "Negative weights push vertices away from their joint, and a NaN removes the triangles around its vertex.",
        advice: "Clamp the weights to 0 and above and normalise them.",
        blender: "Blender keeps weights from 0 to 1, so another program or a script wrote them. Import the file, use Weights > Clean and Weights > Normalize All in Weight Paint mode, and export.",
        maya: "Find the vertices in Windows > General Editors > Component Editor, tab Smooth Skins, type 0 or more, and enable weight normalization.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, sets such weights to 0 and normalises the others.",
    }
    JointOutOfRange = 13, Error, "Joint index out of range" {
        meaning: "A vertex has a joint index that its skin does not have, even with a weight of 0. Rigscope treats the weight as 0.",
        why: "Engines read past the end of the palette: vertices fly off, or the engine rejects the file.",
        advice: "Bind the mesh to the skin it was weighted for, or remove these influences.",
        blender: "Blender assigns joint indices on export. Import the file, check that the Armature modifier names the armature that the mesh was weighted for, and export both.",
        maya: "Add the missing joint with Skin > Edit Influences > Add Influence, and export the mesh and the whole skeleton together.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, drops these influences and normalises the others.",
    }
    ManyInfluences = 14, Warning, "More than 4 influences on a vertex" {
        meaning: "A vertex has weights above 0 for five or more joints.",
        why: "Many engines keep four influences and drop the others, which changes the deformation. This viewer uses all.",
        advice: "Limit the weights to 4 joints per vertex before export, or check that the target engine supports more.",
        blender: "In Weight Paint mode, use Weights > Limit Total with Limit 4, then Weights > Normalize All. Or export with Data > Skinning > Bone Influences 4 and Include All Bone Influences off.",
        maya: "Use Skin > Edit Influences > Set Max Influences with 4. For new skins, set Max Influences to 4 in the options of Skin > Bind Skin, with Maintain Max Influences on.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, keeps the four heaviest per vertex. `--max-influences N` keeps N.",
    }
    TinyInfluence = 15, Note, "Influence under 1/255" {
        meaning: "A weight is above 0 and below 1/255, about 0.0039.",
        why: "Engines that store weights in 8 bits round such an influence to 0; it uses a slot and has hardly any effect.",
        advice: "Prune weights under 0.004 and normalise.",
        blender: "In Weight Paint mode, use Weights > Clean with Subset: All Groups and Limit 0.004, then Weights > Normalize All.",
        maya: "Use Skin > Prune Small Weights with Prune Below 0.004.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, drops such influences. `--prune W` sets another threshold.",
    }
    RepeatedJoint = 16, Error, "Duplicate joint in a vertex" {
        meaning: "A vertex lists the same joint in two slots, both with a weight above 0.",
        why: "glTF allows each joint once per vertex. A duplicate wastes a slot, and weight editors keep only one of the two.",
        advice: "Merge the two slots and add their weights.",
        blender: "Blender stores one weight per vertex group and vertex, and its importer may not add the two. Fix the file in Rigscope first, or export it again from its source.",
        maya: "A skinCluster has one weight per joint and vertex, so an exporter or a script that merges joints made the duplicates. Skip that step, or make it add the weights.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, adds the weights of the slots.",
    }
    WeightJump = 17, Warning, "Weights jump across an edge" {
        meaning: "Along an edge, more than three quarters of the weight move from one joint to another that is not its parent, grandparent, child, grandchild or sibling. The mesh's other weights are smooth.",
        why: "In an otherwise smooth mesh these neighbours follow different joints, so the skin tears or folds between them in a pose.",
        advice: "Smooth the weights there, or match the stray vertices to their neighbours.",
        blender: "In Weight Paint mode, switch on vertex selection, select the vertices and use Weights > Smooth, or paint with the Blur brush.",
        maya: "Select the vertices and use Skin > Smooth Skin Weights, or Skin > Paint Skin Weights with the paint operation Smooth.",
        rigscope: "Edit > Weights > Edit weights (V): select the finding, then Of the finding, and use Smooth or Copy from nearest.",
    }
    WeightIsland = 18, Warning, "Influence cut off from its joint's region" {
        meaning: "A joint moves a patch of skin more than two edges from its main region on the same island of the mesh. The patch has at most a tenth of that region's weight and a weight of at least 0.2 somewhere.",
        why: "Other skin separates the patch from the joint's main region. Usually automatic weights leaked, for example from one leg to the other.",
        advice: "Remove the joint's weight from the patch.",
        blender: "In Edit mode, select the patch, choose the joint's group in Object Data properties > Vertex Groups and press Remove. Then use Weights > Normalize All in Weight Paint mode.",
        maya: "Select the vertices of the patch, and set the joint's column to 0 in Windows > General Editors > Component Editor, tab Smooth Skins, with normalization set to Interactive.",
        rigscope: "Edit > Weights > Edit weights (V): select the finding, then Of the finding, choose the joint, and use Assign with 0.",
    }
    DrawnUnskinned = 19, Error, "Mesh does not follow its joints" {
        meaning: "The mesh's node has a skin, but the mesh has no joints and weights, or they cannot be read. It is drawn where it was modelled.",
        why: "Joints or weights are unusable or missing; the mesh stays still while the joints move.",
        advice: "Bind the mesh to its skin and export joints and weights together.",
        blender: "Give the mesh an Armature modifier and vertex groups named like the bones; Object > Parent > With Automatic Weights adds both. Export with Data > Skinning on.",
        maya: "Select the joints and the mesh and use Skin > Bind Skin. In the FBX options of File > Export Selection, keep Deformed Models and Skins on.",
    }

    InfluenceSetIgnored = 20, Error, "Joints without weights, or weights without joints" {
        meaning: "A mesh has an attribute `JOINTS_n` without `WEIGHTS_n` of the same number, or the reverse.",
        why: "One without the other is unusable and was ignored.",
        advice: "Export JOINTS_n and WEIGHTS_n in pairs.",
        blender: "Import the file and export it again, which writes both. Rename custom attributes with these names in Object Data properties > Attributes.",
        maya: "Update the glTF exporter (Maya2glTF, Babylon.js), or export FBX, where one cluster holds both, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the file without it.",
    }
    SkinSkipped = 21, Error, "Skin skipped" {
        meaning: "A skin has no joints, lists joints that are not nodes of the file, or has more than the 65,536 joints that a vertex can index.",
        why: "The skin cannot be used, so the meshes bound to it do not follow their joints.",
        advice: "Repair the skin's joint list.",
        blender: "Switch Deform on for the bones that move the mesh (Bone properties), and export the armature together with the mesh.",
        maya: "Select the root of the skeleton together with the mesh before File > Export Selection, so that all influences of the skinCluster are in the file.",
    }
    JointUnused = 22, Note, "Joint that moves no vertex" {
        meaning: "A skin lists a joint, but no vertex of the meshes bound to the skin has a weight above 0 for it.",
        why: "It uses a palette slot. This is often intended for roots, tips and attachment points.",
        advice: "Remove the joint from the skin if nothing needs it.",
        blender: "Switch Deform off for the bone (Bone properties), and export with Data > Armature > Export Deformation Bones Only.",
        maya: "Use Skin > Edit Influences > Remove Unused Influences. The joint stays in the skeleton as a node without a skin.",
        rigscope: "`rigscope refit IN.glb --drop-unused -o OUT.glb`, or Fix beside the finding, removes those that no clip, behaviour or joint below needs.",
    }
    JointOutside = 23, Error, "Joint outside the scene" {
        meaning: "A mesh is in the displayed scene, but joints of its skin are not.",
        why: "Programs load only the scene's nodes, so the joint is missing there and the skin breaks.",
        advice: "Add the joint's root to the same scene as the mesh.",
        blender: "Put the armature into a collection of the mesh's scene. With Include > Limit to > Selected Objects, select the armature too.",
        maya: "Export the root of the skeleton with the mesh, and first show hidden joints with Display > Show > All.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes one scene with all nodes.",
    }
    NoCommonRoot = 24, Error, "Joints without a common root" {
        meaning: "The topmost joints of a skin are in separate node trees. In FBX, which does not require a common root, this is a warning.",
        why: "glTF requires a node above all joints of a skin; programs that search for it fail or split the skeleton.",
        advice: "Put the skeleton's roots under one node.",
        blender: "Export with Data > Armature > Remove Armature Object off, since the armature's node is above all its bones. Or add a root bone and make it the parent with Armature > Parent > Make.",
        maya: "Put the skeleton's roots under one group with Edit > Group, or under one joint with Edit > Parent.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` puts a node above them.",
    }
    SeveralRoots = 25, Note, "Multiple root joints" {
        meaning: "A skin has two or more joints without a parent joint in the skin. The node above them all is not a joint.",
        why: "Some engines, such as Unreal, expect one root bone per skeleton.",
        advice: "Add one joint above the roots if the target engine needs it.",
        blender: "In Edit mode of the armature, add a bone at the origin, select the topmost bones and then the new one, and use Armature > Parent > Make > Keep Offset.",
        maya: "Create a joint at the origin with Skeleton > Create Joints, parent the topmost joints to it with Edit > Parent, and add it with Skin > Edit Influences > Add Influence with a default weight of 0.",
        rigscope: "`rigscope refit IN.glb --add-root NAME -o OUT.glb`, or Fix beside the finding, puts a node above them.",
    }
    ManyJoints = 26, Warning, "Skin with more than 256 joints" {
        meaning: "A skin lists more than 256 joints.",
        why: "Engines with 8-bit joint indices or fixed-size palettes cannot skin it in one draw call.",
        advice: "Split the mesh by body part, or remove joints that move nothing.",
        blender: "Switch Deform off for helpers (Bone properties) and export with Export Deformation Bones Only. Meshes of one armature share a skin: to split it, give each mesh its own armature.",
        maya: "Use Skin > Edit Influences > Remove Unused Influences on each mesh. To split a mesh, use Edit Mesh > Extract, bind the new mesh, and use Skin > Copy Skin Weights.",
        rigscope: "`rigscope refit IN.glb --drop-unused -o OUT.glb`, or Fix beside the finding, removes joints that nothing needs.",
    }
    NameRepeated = 27, Warning, "Duplicate joint name" {
        meaning: "Two or more joints of a skin have the same name.",
        why: "Pose files, retargeting and clips on other rigs find joints by name and use only one of them.",
        advice: "Give each joint of the skeleton its own name.",
        blender: "Bone names are unique in a Blender armature, so the file comes from another program or from several armatures. Rename with F2, or in bulk with Edit > Batch Rename.",
        maya: "Maya allows the same name under different parents. Rename with Modify > Search and Replace Names or Modify > Prefix Hierarchy Names.",
    }
    NameEmpty = 28, Note, "Joint without a name" {
        meaning: "A joint's node has no name.",
        why: "Tools that find joints by name cannot find it, and people cannot identify it.",
        advice: "Name the joint.",
        blender: "Blender generates names for unnamed bones on import. Rename them with F2 and export again.",
        maya: "Every Maya node has a name, so the exporter dropped it: check the glTF exporter (Maya2glTF, Babylon.js) for an option that shortens or strips names.",
    }

    NoSkin = 29, Warning, "Joints and weights without a skin" {
        meaning: "A mesh has joints and weights, but its node has no skin.",
        why: "The mesh was weighted, but its node has no skin, so it follows no joint.",
        advice: "Bind the mesh to its skin, or export it without joints and weights.",
        blender: "Add an Armature modifier that names the armature, keep the vertex groups, and export both with Data > Skinning on.",
        maya: "If Edit > Delete by Type > History deleted the skinCluster, bind the mesh again with Skin > Bind Skin, and copy weights from an earlier version with Skin > Copy Skin Weights.",
    }

    BindsTooFew = 30, Error, "Inverse bind matrices missing for some joints" {
        meaning: "A skin has fewer inverse bind matrices than joints. Rigscope uses the identity for the missing ones.",
        why: "Engines read past the end of the list or reject the file; the affected joints are bound at the origin.",
        advice: "Export one inverse bind matrix for each joint.",
        blender: "Import the file, check in Edit mode of the armature for bones at the origin, reposition them, and export again.",
        maya: "Use Skin > Go to Bind Pose, then Skin > Unbind Skin with History: Keep History in its options, then Skin > Bind Skin, and export with all joints.",
    }
    BindsAbsent = 31, Note, "No inverse bind matrices" {
        meaning: "A skin has no inverse bind matrices, which glTF allows. Each defaults to the identity.",
        why: "glTF then uses the identity, which is correct only if the mesh was modelled in joint space.",
        advice: "Export inverse bind matrices, unless this is intended.",
        blender: "Blender always writes them: import the file, check that the mesh fits its bones, and export it again.",
        maya: "FBX always has them: export with File > Export Selection with Skins on, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the identity matrices.",
    }
    BindsUnreadable = 32, Error, "Unusable inverse bind matrices" {
        meaning: "The inverse bind matrices of a skin cannot be read, or contain non-finite numbers. Rigscope uses the identity.",
        why: "They cannot be read or contain non-finite numbers, so the identity replaces them: the mesh is torn apart.",
        advice: "Export the skin again.",
        blender: "Find drivers or scripts that set a non-finite transform on the armature or a bone, reset it, and export again.",
        maya: "With the skin in its bind pose, find joints with a scale of 0 in the Channel Box, set it to 1, bind again, and export.",
    }
    BindSingular = 33, Error, "Singular inverse bind matrix" {
        meaning: "The determinant of an inverse bind matrix is 0 within rounding: an axis of the joint had a scale of 0 at bind time, or two axes were the same.",
        why: "The matrix flattens the skin to a plane, a line or a point, and the bind pose cannot be recovered from it.",
        advice: "Remove scales of 0 from the bind pose and bind again.",
        blender: "Find a scale of 0 on the armature or the mesh in the sidebar (N), tab Item. Set it to 1, use Object > Apply > Scale, and parent the mesh again.",
        maya: "Use Skin > Go to Bind Pose, set Scale X, Y and Z of the joint and of the groups above it to 1, then unbind and bind again.",
    }
    BindNotAffine = 34, Error, "Inverse bind matrix is not affine" {
        meaning: "The last row of an inverse bind matrix is not 0 0 0 1, as it is in every translation, rotation and scale.",
        why: "Its last row is not 0 0 0 1. Engines keep three rows or divide by the fourth, with different results.",
        advice: "Export the skin again.",
        blender: "No Blender setting makes such a matrix. Import the file, compare the rest pose with the original, and export it again.",
        maya: "No Maya joint has such a matrix, so an exporter or a script wrote it. Export without it, or as FBX.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` corrects the last row and keeps the others.",
    }
    BindScale = 35, Note, "Inverse bind matrix with scale" {
        meaning: "The length of a joint axis in the bind pose differs from 1 by more than 1 %.",
        why: "It cancels a scale of the joint in the bind pose. If pose and bind do not cancel, dual quaternion skinning runs in two phases.",
        advice: "Apply the scale of the skeleton before binding.",
        blender: "Use Object > Apply > Scale on the armature and its meshes, which often have 0.01 or 100 after an FBX import, and export again.",
        maya: "Unbind with History: Keep History, use Modify > Freeze Transformations on the joints and the groups above them, and bind again.",
        rigscope: "`rigscope refit IN.glb --freeze-scale -o OUT.glb`, or Fix beside the finding, moves the scale of joints into translations, clips and binds.",
    }
    BindShear = 36, Warning, "Inverse bind matrix with shear" {
        meaning: "In the bind pose, the angle between two axes of a joint differs from 90° by more than 0.6°.",
        why: "Translation, rotation and scale cannot express shear, so tools that rebuild the bind pose lose it.",
        advice: "Apply non-uniform scales before binding.",
        blender: "A non-uniform scale on an object above rotated bones shears them: use Object > Apply > Scale on it, and export again.",
        maya: "Find a group above the skeleton with a non-uniform scale or with Shear (Attribute Editor, Transform Attributes), freeze it, and bind again.",
    }
    RestUnlikeBind = 37, Note, "Rest pose differs from bind pose" {
        meaning: "Relative to its parent joint, a joint's rest pose is rotated by more than 1.1° from the bind pose, or moved by more than half a percent of the rig's size.",
        why: "The rest pose differs from the bind pose. glTF allows this, but tools that confuse the two deform the mesh.",
        advice: "Nothing, if intended; else store the bind pose as the rest pose.",
        blender: "Export with Data > Armature > Use Rest Position Armature on. To bind in the current pose instead, apply the Armature modifier, use Pose > Apply > Apply Pose as Rest Pose, and add the modifier again.",
        maya: "Use Skin > Go to Bind Pose before the export; if constraints or IK prevent it, use Modify > Evaluate Nodes > Ignore All first.",
        rigscope: "`rigscope refit IN.glb --pose-as-rest bind -o OUT.glb`, or Fix beside the finding, makes the bind pose the rest pose. `--reset-binds` binds at the rest pose instead.",
    }

    NegativeScale = 40, Warning, "Joint with negative scale" {
        meaning: "A joint is mirrored at rest: the determinant of its transform is negative.",
        why: "It mirrors its skin: normals and winding flip, which many engines do not support. Dual quaternion skinning of its vertices runs in two phases.",
        advice: "Mirror the geometry instead of the joint.",
        blender: "Bones have no scale at rest, so an object above them is mirrored: use Object > Apply > Scale, then Mesh > Normals > Recalculate Outside. For the other side of a skeleton, use Armature > Symmetrize.",
        maya: "Create the other side with Skeleton > Mirror Joints with Mirror Function: Behavior, which rotates joints instead of scaling them by -1, and bind again.",
    }
    NonUniformScale = 41, Warning, "Joint with non-uniform scale" {
        meaning: "The axis lengths of a joint at rest differ by more than 1 %.",
        why: "Rotated joints below it shear, which engines that store translation, rotation and scale cannot show. Dual quaternion skinning of its vertices runs in two phases.",
        advice: "Scale the mesh instead, or scale uniformly.",
        blender: "Use Pose > Clear Transform > Scale before the export, and Object > Apply > Scale on an armature with a non-uniform scale.",
        maya: "Set Scale X, Y and Z of the joint to one value in the Channel Box, shape the mesh with its vertices, and bind again.",
    }
    RotationNotUnit = 42, Error, "Rotation is not of unit length" {
        meaning: "The length of a node's quaternion differs from 1 by more than 0.0077, the largest 8-bit rounding error. Rigscope normalises it.",
        why: "Engines that do not normalise it scale or shear everything below the node.",
        advice: "Normalise the quaternion.",
        blender: "Blender normalises what it exports: import the file and export it again. In your own script, call `normalize()` on the quaternion.",
        maya: "Maya transforms use angles instead of quaternions, so the exporter wrote it: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` normalises it.",
    }
    SkinnedNodeMoved = 43, Note, "Ignored transform on a skinned mesh's node" {
        meaning: "The node of a skinned mesh, or a node above it, has a translation, rotation or scale, which glTF ignores.",
        why: "glTF positions a skinned mesh by its joints alone; programs that also apply the node's transform show it elsewhere.",
        advice: "Move the mesh's node to the top of the scene and clear its transform.",
        blender: "Use Object > Apply > All Transforms on the mesh and on its armature, and export again.",
        maya: "Move the mesh out of transformed groups with Edit > Unparent, and use Modify > Freeze Transformations on it before binding.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` gives skinned meshes root nodes without a transform.",
    }
    ConstraintUnusable = 44, Warning, "Constraint skipped or out of range" {
        meaning: "A VRM node constraint has a version other than 1.0, an unknown kind or axis, a source that is not in the file or not in the scene, or a weight outside 0 to 1.",
        why: "The node does not follow its source, or not with the stored weight.",
        advice: "Read the reason; set the constraint up again, and export.",
        blender: "In Blender, VRM constraints are Bone Constraints, which the VRM add-on exports. Give each a target bone in the same armature and an Influence from 0 to 1, and export the VRM again.",
        maya: "Maya does not write VRM constraints. Set source, axis and weight in Unity, on UniVRM's constraint components, or bake their motion with Key > Bake Animation.",
    }
    ConstraintCircle = 45, Error, "Circular constraint" {
        meaning: "A constraint's node rotates the constraint's own source, directly, as its child, or through other constraints.",
        why: "The node rotates its own source, directly or through other constraints. Rigscope skips such constraints; other programs stop or give different rotations each frame.",
        advice: "Make one constraint in the cycle follow another node.",
        blender: "In Bone properties > Bone Constraints, choose another target for one of the constraints: a bone that is not below the constrained one.",
        maya: "In Maya, a cycle warning in the Script Editor names the nodes: remove a target with Constrain > Remove Target. In a VRM, change the source in Unity.",
    }
    MatrixWithTrs = 46, Error, "Node with both a matrix and translation, rotation or scale" {
        meaning: "A node has both `matrix` and `translation`, `rotation` or `scale`. Rigscope uses the matrix.",
        why: "glTF allows only one. Programs use either, so the node's position varies, or they reject the file.",
        advice: "Remove the matrix, or the other properties.",
        blender: "Import the file and export it again, which writes one of the two.",
        maya: "Maya and FBX store no matrix next to the channels, so the exporter wrote both: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes only one.",
    }
    MatrixNotTrs = 47, Error, "Node matrix that cannot be decomposed" {
        meaning: "A node's `matrix` shears, has a scale of 0 or a last row other than 0 0 0 1, so no translation, rotation and scale produce it.",
        why: "glTF requires a decomposable matrix. Programs that store translation, rotation and scale show the node differently.",
        advice: "Apply the shear or the scale of 0 to the meshes below, and export again.",
        blender: "A non-uniform scale on an object above rotated ones shears them: use Object > Apply > Scale on that object, and export again.",
        maya: "Find a group above with a non-uniform scale or with Shear (Attribute Editor, Transform Attributes), freeze it, and export again.",
    }
    ScaleZero = 48, Warning, "Joint with a scale of 0 at rest" {
        meaning: "An axis of a joint has length 0 in the rest pose.",
        why: "The joint's skin collapses to a point or a plane, its bind pose cannot be recovered, and tools that invert its matrix fail.",
        advice: "Bind the joint with a scale of 1, and key the scale of 0 in the clips that need it.",
        blender: "Set the bone's scale to 1 with Pose > Clear Transform > Scale before the export, with Use Rest Position Armature on; keys may still scale it to 0.",
        maya: "Set Scale X, Y and Z of the joint to 1 in the Channel Box, use Skin > Go to Bind Pose, bind again, and key the scale of 0 in the clips.",
    }
    ArmatureScale = 49, Note, "Skeleton scaled by 0.01 or 100" {
        meaning: "A node above a skeleton, or its topmost joint, has a uniform scale of 0.01 or 100, within 1 %.",
        why: "A conversion between centimetres and metres left a scale above the skeleton. Joints, physics, attachments and retargeting below it use other units than the world.",
        advice: "Freeze the scale: apply it to the skeleton, its meshes and its clips, and export again.",
        blender: "Select the armature and its meshes and use Object > Apply > Scale. Location keys keep the old unit: scale them in the Graph Editor too, or import with the right unit.",
        maya: "Set the working unit before the import. Or use Modify > Freeze Transformations on the group above, and bake the clips with Key > Bake Animation.",
        rigscope: "`rigscope refit IN.glb --freeze-scale -o OUT.glb`, or Fix beside the finding, moves the scale into joints and clips and proves that the skin stays.",
    }

    ZeroArea = 50, Note, "Triangles without area" {
        meaning: "A triangle is flatter than a millionth of its longest edge: two corners coincide, or all three are collinear.",
        why: "They draw nothing, and their computed normals and tangents are undefined.",
        advice: "Merge duplicate vertices and remove degenerate faces.",
        blender: "In Edit mode, use Mesh > Merge > By Distance and Mesh > Clean Up > Degenerate Dissolve.",
        maya: "Use Mesh > Cleanup with Remove Geometry: Edges with zero length and Faces with zero geometry area, before the mesh is bound.",
    }
    UnusedVertices = 51, Note, "Unused vertices" {
        meaning: "A vertex of a mesh is in no triangle, line or point.",
        why: "They use memory and skinning time and enlarge the bounds.",
        advice: "Remove loose vertices before export.",
        blender: "In Edit mode, use Mesh > Clean Up > Delete Loose.",
        maya: "Maya meshes have no vertices without a face, so the exporter left them, often from faces with another material. Update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
    }
    PrimitiveSkipped = 52, Error, "Geometry skipped" {
        meaning: "A primitive has no positions, unreadable data, an index beyond its vertices or nothing to draw, or uses more memory than one file may.",
        why: "A primitive of a mesh cannot be drawn.",
        advice: "Read the reason; export the mesh as triangles again.",
        blender: "Use Face > Triangulate Faces in Edit mode and export again. If the compression is broken, switch off Data > Compression.",
        maya: "Use Mesh > Cleanup and Mesh > Triangulate, and export the mesh again.",
        rigscope: "If memory is the reason, raise `--memory-limit MIB`.",
    }
    AttributeIgnored = 53, Warning, "Vertex attribute ignored" {
        meaning: "Normals, tangents, texture coordinates or colours of a mesh cannot be read, or a texture has no coordinates.",
        why: "The shape is right, but the surface looks different from the original.",
        advice: "Export the mesh again.",
        blender: "Check UV Maps and Color Attributes in Object Data properties, unwrap a mesh without UVs with UV > Unwrap, and export with Data > Mesh > UVs and Normals on.",
        maya: "Check the sets in UV > UV Set Editor and Mesh Display > Color Set Editor, delete empty ones, and export again.",
    }
    VertexNotFinite = 54, Error, "Non-finite vertex value" {
        meaning: "A position, normal, tangent, texture coordinate or colour is infinite or not a number (NaN). Rigscope uses 0.",
        why: "A NaN or an infinity removes or stretches the triangles around its vertex.",
        advice: "Find the vertices in the program that made the mesh, and export again.",
        blender: "Run `bpy.context.object.data.validate(verbose=True)` in the Python Console in Object mode, which reports and fixes invalid data. Check modifiers and shape keys too.",
        maya: "Delete the history before the bind with Edit > Delete by Type > Non-Deformer History, select the vertices by number, and type positions in the Component Editor.",
    }
    IndicesLeftOver = 55, Warning, "Leftover indices" {
        meaning: "The number of indices is not a multiple of three, or of two for lines. Rigscope ignores those after the last complete one.",
        why: "The index list does not end with a complete triangle: data may be missing.",
        advice: "Export the mesh again.",
        blender: "Import the file, compare it with the original to find a missing face, and export again.",
        maya: "Export again with Triangulate on in the Geometry options of FBX, or update the glTF exporter (Maya2glTF, Babylon.js).",
    }
    MorphIgnored = 56, Error, "Morph target not used in full" {
        meaning: "A morph target's offsets are unreadable or use too much memory, a node's weight count differs from its target count, or an expression names a missing target or material. The last, and excess memory, is a warning.",
        why: "A target or its weight cannot be used, so expressions differ from the original.",
        advice: "Export the morph targets again.",
        blender: "Check Object Data properties > Shape Keys, and export without Data > Mesh > Apply Modifiers, which drops shape keys. VRM expressions are in the VRM add-on's panel.",
        maya: "Check the targets in Windows > Animation Editors > Shape Editor, and export FBX with Deformed Models > Blend Shapes on.",
    }
    UnequalTargets = 57, Error, "Primitives with unequal numbers of morph targets" {
        meaning: "A primitive of a mesh has more or fewer morph targets than the first one. Missing targets move nothing here.",
        why: "All primitives of a mesh share one list of weights. If one has fewer targets, programs reject the mesh, or weights move the wrong target.",
        advice: "Give each primitive all targets, including those that do not move it, and export again.",
        blender: "Each material of a mesh is a primitive. Shape keys of one object are in all of them, so another tool joined the meshes: join them with Object > Join, and export again.",
        maya: "Combine the meshes with Mesh > Combine before creating blend shapes, and export again.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` gives all primitives the same targets.",
    }
    DirectionsNotUnit = 58, Error, "Normals or tangents not of unit length" {
        meaning: "The length of a normal or tangent differs from 1 by more than 0.0067, the largest 8-bit rounding error, or the fourth component of a tangent is neither 1 nor -1.",
        why: "Programs that do not normalise them light the surface too bright or too dark, and a wrong tangent sign inverts normal maps.",
        advice: "Recompute the normals and tangents, and export again.",
        blender: "Use Mesh > Normals > Reset Vectors, and Mesh > Clean Up > Degenerate Dissolve for faces without area, whose normals have no length. Then export again.",
        maya: "Use Mesh Display > Unlock Normals, and Mesh > Cleanup for faces without area, whose normals have no length. Then export again.",
    }
    AttributeFormat = 59, Error, "Vertex attribute in a format that glTF does not allow" {
        meaning: "An attribute has a component type that neither glTF nor, if used, `KHR_mesh_quantization` allows, such as byte weights without `normalized`.",
        why: "Programs that trust the format read other numbers: weights of 255 instead of 1, joints of 0.004 instead of 1.",
        advice: "Export the mesh again, or set or clear `normalized` of the accessor.",
        blender: "Import the file and export it again, which writes floats and unnormalised joint indices.",
        maya: "The exporter chose the format: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes formats that glTF allows.",
    }

    ClipMovesNothing = 60, Warning, "Clip that moves nothing" {
        meaning: "No key of the clip differs from the rest pose, or from the stored weights of morph targets, by more than a hundred thousandth, in lengths of the character's size in the world; or none of its channels is played.",
        why: "Every key equals the rest pose, or no channel can be played.",
        advice: "Remove the clip, or check that the animation was baked into the export.",
        blender: "Check that the action moves bones with Deform on. If controls move them, use Pose > Animation > Bake Action with Visual Keying first.",
        maya: "Select the joints and use Key > Bake Animation, or switch on Bake Animation in the FBX options: keys on controls are not keys on joints.",
    }
    KeyTimesOrder = 61, Error, "Key times out of order" {
        meaning: "The key times of a channel decrease or are not finite; in FBX, a key time is not finite or more than 262,144 s from the beginning. Rigscope skips the channel, or in FBX the key.",
        why: "Times must increase from key to key; otherwise players skip keys, stall or reject the clip. Rigscope does not play such a channel; in FBX, it drops keys at such times.",
        advice: "Sort the keys.",
        blender: "Blender sorts the keys of actions, so another program or a script wrote the file. Export the action again from its source.",
        maya: "Maya sorts the keys of curves, so the exporter wrote the times: use Key > Bake Animation on the joints, and export FBX.",
    }
    ChannelSkipped = 62, Error, "Animation channel skipped" {
        meaning: "A channel names a node, a sampler or a property that does not exist or is not read, or its values cannot be read or are not finite. In FBX it may move something other than nodes and blend shapes. That, and properties that extensions of glTF define, is a warning.",
        why: "The clip plays without this channel.",
        advice: "Read the reason; bake the animation and export again.",
        blender: "Use Pose > Animation > Bake Action, and delete channels of other properties in the Dope Sheet before the export.",
        maya: "Use Key > Bake Animation, and in the Graph Editor delete the curves of attributes that no engine plays.",
    }
    QuaternionFlip = 63, Note, "Quaternion changes sign between keys" {
        meaning: "Two neighbouring rotation keys have quaternions of opposite sign, and the clip interpolates between them.",
        why: "The rotation is the same, but a player that does not take the shortest path spins the joint once around between the two keys.",
        advice: "Give neighbouring keys the same sign before export.",
        blender: "Use Pose > Animation > Bake Action, which gives neighbouring quaternion keys the same sign, and export again.",
        maya: "Maya joints use angles, which the exporter converted to quaternions: use Curves > Euler Filter in the Graph Editor and Key > Bake Animation, and export again.",
    }
    KeysNotUnit = 64, Error, "Rotation keys not of unit length" {
        meaning: "The length of a rotation key differs from 1 by more than 0.0077, the largest 8-bit rounding error.",
        why: "Players that do not normalise scale or shear the joint while the clip plays.",
        advice: "Normalise the quaternions of the keys.",
        blender: "Editing W, X, Y and Z separately changes the length. Export with Animation > Sampling Animations on, which writes what the viewport shows.",
        maya: "The exporter wrote the quaternions: export FBX with Bake Animation on, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` normalises them.",
    }

    KeyTimesRepeat = 65, Error, "Duplicate key times" {
        meaning: "A channel has two or more keys at the same time, so its value jumps there.",
        why: "glTF requires increasing key times. This viewer jumps there: it uses the first key before that time and the last key from then on. Others may divide by zero or show either.",
        advice: "Move one of the keys, or remove the unintended one.",
        blender: "For a jump, set the previous key to Key > Interpolation Mode > Constant in the Dope Sheet, and delete one of the keys at the same frame.",
        maya: "For a jump, use Tangents > Stepped in the Graph Editor on the previous key, and delete one of the keys at the same frame.",
    }
    ChannelsTwice = 66, Error, "Two channels with the same target" {
        meaning: "A clip has two or more channels for the same property of a node. Rigscope plays the last one.",
        why: "glTF allows one channel per node property in a clip. Programs play the first, the last, or a mixture.",
        advice: "Remove one of the channels.",
        blender: "An action has one curve per value, so the exporter merged several: push only the strips that belong together in the Nonlinear Animation editor, or bake with NLA > Bake Action.",
        maya: "Merge animation layers with Layers > Merge Layers, and export again.",
    }
    LateStart = 67, Note, "Clip with a long static start" {
        meaning: "The first key of all channels is later than half a second. `rigscope motion --seams` skips the time before it.",
        why: "Nothing moves before the clip's first key: playback starts late, and loops pause there.",
        advice: "Shift the keys so that the first one is at 0 s, and export again.",
        blender: "Select all keys in the Dope Sheet and move them with Key > Transform > Move so that the first is at the start frame, or limit the frame range of the action.",
        maya: "Select all keys in the Graph Editor and move them so that the first is at the start of the range, or set Start in the options of the export.",
    }
    MatrixAnimated = 68, Error, "Animated node with a matrix" {
        meaning: "A channel targets translation, rotation or scale of a node that has a `matrix`.",
        why: "glTF animates only translation, rotation and scale. Programs that keep the matrix do not move the node.",
        advice: "Store the node's transform as translation, rotation and scale.",
        blender: "Import the file and export it again, which writes translation, rotation and scale.",
        maya: "FBX stores channels instead of a matrix: export FBX, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes animated nodes without a matrix.",
    }

    ImageMissing = 70, Error, "Image missing" {
        meaning: "A texture has no image, or names one that is missing, a URL, a path outside the model's folder, or a Git LFS pointer.",
        why: "The texture's image is missing, so Rigscope shows a checker instead.",
        advice: "Put the image next to the model, or embed it in the file.",
        blender: "Use File > External Data > Find Missing Files, and export as glTF Binary (.glb), or FBX with Path Mode: Copy and Embed Textures on.",
        maya: "Fix the paths in Windows > General Editors > File Path Editor, and export FBX with Embed Media on.",
    }
    TextureReplaced = 71, Warning, "Texture not read" {
        meaning: "An image exists but is not PNG, JPEG, WebP or KTX2, is broken, or uses too much memory.",
        why: "The image exists but cannot be decoded, so Rigscope shows a checker instead.",
        advice: "Save the image as PNG or baseline JPEG, with at most 8192 pixels per side.",
        blender: "Open it in the Image Editor, use Image > Save As with File Format: PNG, and export again.",
        maya: "Save the image as PNG or JPEG in an image editor, and name that file as Image Name of the file node in the Attribute Editor.",
        rigscope: "For images over the memory limit, raise `--memory-limit MIB`.",
    }
    ImageShrunk = 72, Note, "Image larger than the limit" {
        meaning: "An image has more than 8192 pixels along a side. Rigscope downscales it.",
        why: "It is shown and baked at a lower resolution to save gigabytes of memory; engines do the same or fail.",
        advice: "Save the image with at most 8192 pixels per side.",
        blender: "In the Image Editor, use Image > Resize and Image > Save, and export again.",
        maya: "Maya does not change image files: resize the file in an image editor, and press Reload on the file node.",
    }

    UnusualUnit = 80, Note, "Unit other than centimetres" {
        meaning: "The FBX file uses a unit other than centimetres. Rigscope converts lengths to metres.",
        why: "The file states its unit. Programs that assume centimetres for every FBX file show it too large or too small.",
        advice: "Nothing, unless the target program shows another size; then export in centimetres.",
        blender: "In File > Export > FBX, Apply Scalings: All Local keeps the file in centimetres. FBX Units Scale and FBX All change its unit.",
        maya: "In the FBX options, Advanced Options > Units > File units converted to: Centimeters. The scene's own unit is in Preferences > Settings.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes metres, the only unit of glTF.",
    }
    SeveralSkins = 81, Warning, "Mesh with multiple skins" {
        meaning: "A mesh of an FBX file has two or more skin deformers. Rigscope adds their weights.",
        why: "Rigscope adds the weights of all skins. Most engines use the first skin and drop the others.",
        advice: "Bake the skins into one before export.",
        blender: "Join the armatures with Object > Join, keep one Armature modifier on the mesh, and export again.",
        maya: "Bind a copy of the mesh to all joints, use Skin > Copy Skin Weights or the Bake Deformer Tool (`BakeDeformerTool`), and export the copy.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes one skin with the summed weights.",
    }
    ClusterWithoutJoint = 82, Error, "Weights without a joint" {
        meaning: "A cluster, the weights of one joint in an FBX file, is connected to no node.",
        why: "A skin cluster has no node, so its weights are lost: vertices follow their other joints, or none.",
        advice: "Restore the joint, or remove its influence and normalise the weights.",
        blender: "Import the file, find vertex groups without a matching bone, add or rename the bone, and use Weights > Normalize All.",
        maya: "Restore the joint from an earlier scene and bind again. Delete joints only after Skin > Edit Influences > Remove Influence.",
    }
    BindPosesDiffer = 83, Warning, "Conflicting bind poses" {
        meaning: "The bind pose in the FBX file puts joints elsewhere than the clusters of its skins. Rigscope uses the clusters.",
        why: "The file's bind pose and its skins disagree on joint positions. Programs that use one deform the mesh differently from those that use the other.",
        advice: "Go to the bind pose, bind again or reset the bind pose, and export.",
        blender: "Blender writes both alike: import the file, check in Edit mode that the mesh fits the bones, and export it again.",
        maya: "If Skin > Go to Bind Pose deforms the mesh, move the joints to fit the skin, and run `dagPose -reset -bindPose` on them in the Script Editor.",
    }
    ScaleNotInherited = 84, Warning, "Scale that children do not inherit" {
        meaning: "A joint does not inherit its parent's scale, as with Maya's Segment Scale Compensate.",
        why: "The authoring tool cancels a joint's scale in its children. In engines, children always scale with their parent.",
        advice: "Switch scale compensation off, or bake the scale away, before export.",
        blender: "Set Inherit Scale to Full in Bone properties > Relations, or keep all bones at scale 1, and export again.",
        maya: "Switch off Segment Scale Compensate in the Attribute Editor, section Joint, of all joints, or keep them at scale 1.",
    }
    RotationOrder = 85, Note, "Rotation order other than XYZ" {
        meaning: "A node's rotation order is not FBX's XYZ, which is ZYX in the Joint panel, or it is spherical, which is read as XYZ.",
        why: "Rigscope reads it correctly; programs that ignore the order of the three angles rotate the joint differently.",
        advice: "Nothing, unless the target program shows another pose; then bake to XYZ.",
        blender: "No action is needed for glTF, which uses quaternions. For angles, set the Rotation Mode to XYZ Euler in the sidebar (N), tab Item, and bake the action.",
        maya: "`xform -preserve true -rotateOrder xyz` on the selected joints changes the order and keeps the pose. Bake keyed joints afterwards.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes quaternions, which have no rotation order.",
    }
    NotEvaluated = 86, Warning, "Constraint or deformer not evaluated" {
        meaning: "The FBX file has constraints, IK, deformers or caches that move nodes or vertices. Neither Rigscope nor engines evaluate them.",
        why: "The authoring tool moves nodes or vertices in ways that no clip stores, so they move less here and in engines.",
        advice: "Bake the motion into keys, joints or blend shapes before export.",
        blender: "Use Pose > Animation > Bake Action with Visual Keying and Clear Constraints. Apply other modifiers, or turn them into shape keys with Apply as Shape Key.",
        maya: "Use Key > Bake Animation on the joints, and the Bake Deformer Tool (`BakeDeformerTool`) for deformers. Or switch on Bake Animation in the FBX options.",
    }
    Repaired = 87, Warning, "Broken data repaired" {
        meaning: "Some data of the FBX file is invalid, such as a connection to nothing. The reader repaired or skipped it.",
        why: "Some data is not valid FBX. Stricter programs reject the whole file.",
        advice: "Export the file again, and report the bug to the exporter's developers.",
        blender: "Import the file and export it again, as FBX or glTF.",
        maya: "Open the file, remove unknown nodes with File > Optimize Scene Size, and export it with the current FBX exporter.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes the imported data as valid glTF.",
    }

    RequiredJointMissing = 90, Error, "Required joint missing" {
        meaning: "The project config, `[skeleton]` in `rigscope.toml`, requires a node with this name, and the file has none.",
        why: "Every file of the project needs the joint: clips, attachments or code find it by name.",
        advice: "Add the joint, or correct its name.",
        blender: "Rename the bone with F2, which renames its vertex group too, or add it. Export Deformation Bones Only drops bones with Deform off.",
        maya: "Rename the joint in the Outliner, without a namespace (Windows > General Editors > Namespace Editor), and export the whole skeleton.",
    }
    RequiredJointParent = 91, Error, "Joint with the wrong parent" {
        meaning: "The nearest node above the joint is not the one that `[skeleton]` in `rigscope.toml` names.",
        why: "Moving the required parent does not move this joint, so shared clips look wrong.",
        advice: "Parent the joint to the required node.",
        blender: "In Edit mode, select the bone, then its parent, and use Armature > Parent > Make > Keep Offset. The armature's own node counts, unless Remove Armature Object is on.",
        maya: "Parent the joint with Edit > Parent. Groups above the root count too: remove them with Edit > Ungroup.",
    }
    RequiredJointRest = 92, Error, "Rest pose differs from the required skeleton" {
        meaning: "A joint's rest pose differs from the required skeleton by more than the tolerance: 1 mm, 0.5° and 0.001 in scale, unless `rigscope.toml` sets another.",
        why: "Clips made on the required skeleton put the joint elsewhere, or shift it when they begin.",
        advice: "Export with the required rest pose, or widen the tolerance if the difference is intended.",
        blender: "Append the armature from the required skeleton's file with File > Append and bind the mesh to it. Head, Tail and Roll of a bone are in the sidebar (N), tab Item, in Edit mode.",
        maya: "Import the required skeleton with File > Import and bind the mesh to it. Joint Orient, in the Attribute Editor, section Joint, belongs to the rest pose.",
    }
    JointNotRequired = 93, Error, "Joint not in the required skeleton" {
        meaning: "A skin has a joint that is not in the required skeleton, and `rigscope.toml` sets `others = false`.",
        why: "The project allows no extra joints: shared skeletons and retargeting would not recognise them.",
        advice: "Remove the joint, add it to the required skeleton, or allow others.",
        blender: "Switch Deform off for the bone and export with Export Deformation Bones Only, or delete it in Edit mode with Armature > Delete > Bones.",
        maya: "Use Skin > Edit Influences > Remove Influence, then Skeleton > Remove Joints, which keeps what is below.",
    }
    RequiredJointAmbiguous = 94, Error, "Duplicate name of a required joint" {
        meaning: "Several nodes have the name of a required joint.",
        why: "Code that finds the joint by name uses one of them, and programs differ in which.",
        advice: "Rename all but one.",
        blender: "An object may share a bone's name: rename the object with F2, and export only one armature.",
        maya: "`select -r \"*NAME\"` in the Script Editor selects all of that name. Rename all but one in the Channel Box.",
    }
    JointsOverLimit = 95, Error, "More joints than the limit" {
        meaning: "A skin has more joints than `joints` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        why: "The project's target cannot hold the palette, or it exceeds the budget.",
        advice: "Remove joints that move nothing, or split the mesh.",
        blender: "Switch Deform off for bones that move nothing. To drop others, transfer their weights to the parent with a Vertex Weight Mix modifier with Vertex Set: All and Mix Mode: Add.",
        maya: "Use Skin > Edit Influences > Remove Unused Influences, then Remove Influence for joints whose weight may go to others.",
        rigscope: "`rigscope refit IN.glb --drop-unused -o OUT.glb`, or Fix beside the finding, removes joints that nothing needs.",
    }
    InfluencesOverLimit = 96, Error, "More influences on a vertex than the limit" {
        meaning: "A vertex follows more joints than `influences` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        why: "The project's target drops the lightest ones, which changes the deformation.",
        advice: "Limit the weights before export, for example with `rigscope weights --max-influences`.",
        blender: "In Weight Paint mode, use Weights > Limit Total with the allowed number, then Weights > Normalize All.",
        maya: "Use Skin > Edit Influences > Set Max Influences with the allowed number.",
        rigscope: "`rigscope weights IN.glb --max-influences N -o OUT.glb` keeps the N heaviest per vertex.",
    }
    VerticesOverLimit = 97, Error, "More vertices than the limit" {
        meaning: "The meshes have more vertices than `vertices` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows. Seams of normals, texture coordinates and materials duplicate vertices.",
        why: "Each is skinned every frame: the file exceeds the budget.",
        advice: "Reduce the meshes, or remove what is not seen.",
        blender: "Add a Decimate modifier, reduce UV seams and sharp edges, and export without hidden objects: Include > Limit to > Visible Objects.",
        maya: "Use Mesh > Reduce, delete faces that are never visible, and use Mesh Display > Soften Edge, as hard edges duplicate vertices.",
    }
    MorphOverLimit = 98, Error, "Morph target moves more vertices than the limit" {
        meaning: "A morph target moves more vertices than `morph-vertices` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        why: "A morph target's memory and time grow with the number of vertices it moves.",
        advice: "Split what it moves into a mesh of its own, or remove offsets too small to see.",
        blender: "In Edit mode, separate the moving region with Mesh > Separate > Selection. Remove small offsets elsewhere with Vertex > Blend from Shape with Shape: Basis, Blend 1 and Add off.",
        maya: "Extract the moving region with Edit Mesh > Extract before creating targets, or paint offsets elsewhere to 0 with Deform > Paint Weights > Blend Shape.",
    }
    RuleBroken = 99, Error, "Profile rule not met" {
        meaning: "The file breaks a rule of a platform or project profile. The finding names PROFILE/RULE, such as vrchat-pc/triangles, and explains the fix.",
        why: "A platform or the project sets this limit in its profile.",
        advice: "Read the rule with `rigscope profiles NAME`.",
        blender: "Viewport Overlays > Statistics counts triangles. Reduce triangles with a Decimate modifier, and materials with Object > Join and one shared texture.",
        maya: "Display > Heads Up Display > Poly Count counts triangles. Reduce triangles with Mesh > Reduce, and materials with Mesh > Combine and one shared texture.",
        rigscope: "`rigscope profiles NAME` prints the rules with their sources, `rigscope check FILE --profile NAME` checks a file.",
    }

    AgainstRule = 101, Error, "glTF rule broken" {
        meaning: "The file breaks a glTF rule that does not matter here: accessor bounds, alignment, strides, key formats, lists with duplicate entries. The finding names the rule and the first violation.",
        why: "Rigscope reads the data. Stricter programs reject the file, read it slower, or read something else.",
        advice: "Re-export the file, and report the bug to the exporter's developers.",
        blender: "Import the file and export it again with File > Export > glTF 2.0.",
        maya: "Export the scene again with the newest version of the glTF exporter (Maya2glTF, Babylon.js), or as FBX and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes a file that follows the rules.",
    }
    SceneRootBelow = 102, Error, "Scene root with a parent" {
        meaning: "A scene of the file lists a node that is a child of another node.",
        why: "A scene lists root nodes. Programs show such a node twice, detach it from its parent, or reject the file.",
        advice: "List its root node instead.",
        blender: "Import the file and export it again, which lists topmost objects.",
        maya: "The exporter wrote the list: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` lists topmost nodes.",
    }
    StrayMesh = 103, Note, "Static mesh next to a skinned one" {
        meaning: "The file has skinned meshes, and at most three without a material, or called as Blender calls new ones, such as `Icosphere`, that hang on no joint and are moved by no clip or constraint.",
        why: "It has no joint and stays behind when the character moves. Exporters leave helpers such as bone shapes in the file.",
        advice: "Remove the mesh if it is a helper; else bind it to the skeleton, or parent it to a joint.",
        blender: "Delete the object, or hide it and export with Include > Limit to > Visible Objects. Keep custom bone shapes in a collection that is not exported.",
        maya: "Delete the object in the Outliner, or select what belongs to the character and use File > Export Selection.",
    }

    HeavyOutsideFirst = 110, Warning, "Heavy weights outside the first four as stored" {
        meaning: "Of the weights of a vertex, in the order in which the file stores them, one beyond the first four is heavier than one of those.",
        why: "Engines that read one set of weights take the first four slots in the file's order and lose the heavier ones behind them.",
        advice: "Store the influences of each vertex by falling weight, so that the heaviest four are in the first set.",
        blender: "Weight Paint > Weights > Limit Total to 4, then Normalize All, and export again: the glTF exporter writes the heaviest influences first.",
        maya: "Skin > Edit Influences > Set Max Influences to 4, and export again with an exporter that sorts influences.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the heaviest influences first; `rigscope weights IN.glb --max-influences 4 -o OUT.glb` keeps four.",
    }
    FirstSetEmpty = 111, Warning, "First set of weights is all zero" {
        meaning: "The first set of weights (JOINTS_0 and WEIGHTS_0) of a vertex is all zero, while a later set is not. Engines that read one or two sets collapse the vertex.",
        why: "Engines that read one or two sets find no weight there and collapse the vertex into a point.",
        advice: "Store the influences of each vertex by falling weight, and remove sets that hold nothing.",
        blender: "Weight Paint > Weights > Limit Total to 4, then Normalize All, and export again.",
        maya: "Set Skin > Edit Influences > Set Max Influences to 4, and export FBX, which knows no sets; or update the glTF exporter (Maya2glTF, Babylon.js).",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the heaviest influences first.",
    }

    SkeletonNotRoot = 120, Error, "Skeleton that is not above all joints" {
        meaning: "`skeleton` of a skin is not in the file, or not a joint or node that all joints of the skin are below.",
        why: "Programs that take the node for the root of the skin miss the joints that are elsewhere, or refuse the file.",
        advice: "Name a node above all joints as the skeleton, or leave it out.",
        blender: "Import the file and export it again, which names the armature or nothing.",
        maya: "FBX has no such property: export FBX, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` leaves it out.",
    }
    JointFarFromSkin = 121, Note, "Joint far from the skin that it moves" {
        meaning: "In the bind pose, a joint is away from the box around the vertices that it moves by more than the size of the whole skin and of its other joints.",
        why: "The skin swings about a point far off: a small turn of the joint moves it far, and the character's bounds and framing reach out to there.",
        advice: "Move the joint to its skin and bind again, or take its weights from the vertices.",
        blender: "In Edit mode of the armature, move the bone to its part of the mesh. For a stray weight, remove the bone's vertex group from the vertices, and use Weights > Normalize All.",
        maya: "Use Skin > Move Skinned Joints Tool to bring the joint to its skin, or set its column to 0 in Windows > General Editors > Component Editor, tab Smooth Skins.",
    }

    ClipsSame = 160, Note, "Clip that repeats another" {
        meaning: "Two clips have the same channels with the same key times, values and interpolation, to the last bit.",
        why: "Both have the same channels with the same keys: one of them takes memory for nothing, or the wrong one was exported under its name.",
        advice: "Remove one of the two, or export the one that was meant.",
        blender: "Compare the two in Dope Sheet > Action Editor. Delete the copy, or put the action that was meant on the NLA track of that name.",
        maya: "Compare the frame ranges in File > Game Exporter, tab Animation Clips: two names with one range are two equal clips.",
    }
    KeySpike = 161, Note, "Rotation key that jumps there and back" {
        meaning: "A joint turns to a key and back by at least 5.7° each, within 0.07 s each, and more than six times as abruptly as is usual in its channel.",
        why: "The joint turns away for a single frame, much farther than is usual in its channel: mostly a glitch of a solver, a wrong key, or a turn by 360° that was filtered.",
        advice: "Look at the frame, and remove the key if it is not meant.",
        blender: "Delete the key in the Graph Editor, or use Key > Discontinuity (Euler) Filter where an angle jumps by 360°, and bake the action.",
        maya: "Delete the key in the Graph Editor, or use Curves > Euler Filter where an angle jumps by 360°.",
    }
    KeysBeforeStart = 162, Error, "Keys before the clip's beginning" {
        meaning: "A clip has keys before 0 s. What lies there is not played.",
        why: "Clips are played from 0 s on, so that what lies before is lost here. Other programs play it, or begin the clip at its first key.",
        advice: "Shift the keys so that the first one is at 0 s, or cut the clip there, and export again.",
        blender: "Export with Animation > Rest & Ranges > Set all glTF Animation starting at 0, or with Negative Frames: Slide.",
        maya: "Move all keys in the Dope Sheet so that the first one is at frame 0 or later, and export that range.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the clip from 0 s on.",
    }

    ClipMissing = 163, Error, "Required clip missing" {
        meaning: "A `[[clips]]` table of `rigscope.toml` says `must-exist = true`, and no clip of the file has such a name, compared as a whole.",
        why: "Every file of the project must have the clip: code looks for it by name.",
        advice: "Export the clip, or correct its name.",
        blender: "Name the action, or its NLA track, as the table says, and stash it in the Action Editor: actions without a track are not exported.",
        maya: "Name the clip in File > Game Exporter, tab Animation Clips, as the table says, with its frame range.",
    }
    ClipUnmatched = 164, Note, "Clip rule that matches no clip" {
        meaning: "A `[[clips]]` table of `rigscope.toml` matches no clip of the file by name, so it checks nothing here.",
        why: "The config has a rule for a clip that this file lacks, so nothing is checked.",
        advice: "Correct the name of the clip or of the rule. If every file must have the clip, set must-exist = true.",
        blender: "Compare the pattern with the names of actions and NLA tracks; the name of a copy ends in .001.",
        maya: "Compare the pattern with the file's clips: FBX calls a take Take 001 where nothing else names it.",
    }
    ClipUndecided = 165, Warning, "Clip rule that cannot be checked" {
        meaning: "The file lacks what a clip rule needs, such as feet, a root or a skin. The finding says which.",
        why: "The rule cannot be checked, so the clip does not pass.",
        advice: "Add what is missing, or exclude this clip from the rule.",
        blender: "Give feet and toes descriptive names, such as foot.L and toe.L, or set the humanoid bones in the VRM add-on, and export the mesh with the clip.",
        maya: "Give joints descriptive names, such as LeftFoot and LeftToeBase, and export the mesh with the clip.",
    }
    ClipSeam = 166, Error, "Clip does not loop" {
        meaning: "Where the clip ends, a joint is turned by more than `max-seam-deg` (1°) from where the clip began, or a vertex is farther off than `max-gap-mm` (1.75 % of the height).",
        why: "The config says that the clip loops, but the character jumps each time the clip restarts.",
        advice: "Make the last frame the same as the first, and export that frame too; see rigscope motion --seams.",
        blender: "Copy the pose of the first frame with Pose > Copy Pose, paste it at the last with Pose > Paste Pose, and export that frame too.",
        maya: "Copy the keys of the first frame to the last in the Graph Editor, and look at the loop with Curves > Post Infinity > Cycle. Export that frame too.",
        rigscope: "`rigscope motion FILE --seams` says which joint, by how much, and how the ends differ.",
    }
    ClipRoot = 167, Error, "Root motion against the clip rule" {
        meaning: "The table says `root = \"in-place\"`, and the root ends elsewhere than it began, or `root = \"moving\"`, and it does not.",
        why: "Code that moves the character moves it twice where the clip moves it too, and not at all where neither does.",
        advice: "Remove the root motion, or keep it, and export again.",
        blender: "In the Graph Editor, flatten or restore the Location curves of the root bone. Root motion belongs on the root bone, not on the hips or the armature object.",
        maya: "In the Graph Editor, flatten or restore the Translate curves of the root joint. Key > Bake Animation bakes the motion of a group or a control onto it.",
        rigscope: "`rigscope motion FILE --seams` says how far the clip goes.",
    }
    ClipFootSlide = 168, Error, "Foot slides more than the limit" {
        meaning: "While a foot is on the floor, it slides farther in one contact than `max-foot-slide-mm` allows.",
        why: "A foot on the floor stands still. What slides looks like ice, and the more so the nearer the camera is.",
        advice: "Pin the foot while it is on the floor; see rigscope motion --feet.",
        blender: "Pin the foot by a Bone Constraint, Inverse Kinematics, to a target that stands still in the contact, then use Pose > Animation > Bake Action with Visual Keying.",
        maya: "Pin the foot by an IK handle (Skeleton > Create IK Handle) that has the same keys all through the contact, then use Key > Bake Animation on the joints.",
        rigscope: "`rigscope motion FILE --feet` says which foot slides, when and how far.",
    }
    ClipTiming = 169, Error, "Rate or length against the clip rule" {
        meaning: "The rate of the clip's keys is not `fps`, or its length is not from `min-seconds` to `max-seconds`.",
        why: "The project plays or blends the clip at another rate, or has no room for one of this length.",
        advice: "Export the clip at the required rate and length.",
        blender: "Set Output properties > Format > Frame Rate, and the length by the action's Manual Frame Range; export with a Sampling Rate of 1.",
        maya: "Set the rate in Preferences > Settings > Time, and the length by the range of the clip in File > Game Exporter.",
    }

    SpringInCollider = 170, Note, "Spring joint inside its collider at rest" {
        meaning: "At rest, the end of a spring's joint lies inside a collider that acts on the spring.",
        why: "The end of the joint lies inside a collider that pushes it: the chain jumps out as soon as it swings, and never comes back to its rest pose.",
        advice: "Make the collider smaller, move it, or take it from the chain's collider groups.",
        blender: "In the VRM add-on's panel of the sidebar (N), under Spring Bone, make the collider smaller, move it, or take its group from the spring.",
        maya: "Maya does not write springs of VRM. Change the collider in Unity, on VRM10 Spring Bone Collider (VRM 0: VRM Spring Bone Collider Group).",
    }
    SpringWithoutLength = 171, Warning, "Spring joint without length" {
        meaning: "A joint of a spring and its end are less than a thousandth of a millimetre apart.",
        why: "The joint and its end coincide, so the joint has no direction. It does not swing here, and other programs rotate it arbitrarily.",
        advice: "Leave the joint out of the chain, or move it away from the next one.",
        blender: "In Edit mode, move the next bone of the chain away, or remove the joint from the spring in the VRM add-on's panel.",
        maya: "Move the next joint of the chain away before the mesh is bound, or leave the joint out of the spring in Unity.",
    }
    SpringShared = 172, Warning, "Joint in two springs" {
        meaning: "A joint is in two springs of a VRM.",
        why: "Each spring rotates the joint. Here the first one counts; in other programs the last, or both in turn.",
        advice: "Remove the joint from one of the springs.",
        blender: "In the VRM add-on's panel of the sidebar (N), under Spring Bone, remove the joint from all springs but one.",
        maya: "In Unity, remove the joint from all springs but one. In VRM 0, a root bone includes all joints below it.",
    }
    SpringTooThick = 173, Note, "Hit radius larger than the chain" {
        meaning: "The hit radius of a spring's joint is larger than the total length of its chain.",
        why: "The sphere around the joint's end is larger than the chain, so colliders beside the chain push it at rest.",
        advice: "Enter a smaller hit radius; it is in metres.",
        blender: "In the VRM add-on's panel of the sidebar (N), under Spring Bone, enter a smaller Hit Radius, in metres.",
        maya: "In Unity, enter a smaller radius on the spring's joint. A value meant in the centimetres of Maya is 100 times too large.",
    }
    TwistWithoutConstraint = 174, Note, "Twist helper without a constraint" {
        meaning: "A joint that moves vertices, lies at most four joints below an arm, hand or leg, and has a word such as twist in its name, has neither a constraint nor rotation keys, in a VRM 1.0 or a file that has constraints.",
        why: "By its name, the joint spreads the twist of a limb, but nothing rotates it. The skin twists as sharply as without it.",
        advice: "Give the joint a roll constraint on the joint that twists, or key it in the clips.",
        blender: "Add a Copy Rotation constraint along the bone's own axis with an Influence of about 0.5, its target the bone that twists. The VRM add-on exports it as a roll constraint.",
        maya: "Turn the joint with Constrain > Orient with a weight of about 0.5 and use Key > Bake Animation, or add a roll constraint of UniVRM in Unity.",
    }
    HumanBoneTwice = 175, Error, "Humanoid bone declared twice" {
        meaning: "`humanBones` of VRM 0 has two entries or more for one bone.",
        why: "Programs use the first or the last of the nodes, so poses and clips may move the wrong joint.",
        advice: "Leave one declaration of each bone.",
        blender: "Assign each bone once in the panel VRM > Humanoid of the VRM add-on, and export the VRM again.",
        maya: "Maya does not write VRM. In Unity, set the humanoid bones in the import settings of the model, tab Rig, and export by UniVRM again.",
    }
    VrmShape = 176, Error, "List instead of an object in VRM data, or the reverse" {
        meaning: "The data of VRM, VRMC_vrm or VRMC_springBone has a list where its specification has an object, or an object where it has a list.",
        why: "That data is not read: bones, expressions or springs are missing, or the file is refused.",
        advice: "Export the file again with a current exporter of VRM.",
        blender: "Export the file again with the newest version of the VRM add-on.",
        maya: "Maya does not write VRM: export the file again with the newest version of UniVRM, and look for a script that edits the JSON afterwards.",
    }

    SuppressionUnusable = 180, Warning, "Suppression that cannot be used" {
        meaning: "In the `extras` of the asset, a node or a mesh, an entry of `allow` in `rigscope` has no text as its reason or names no code; or there are more than 1000.",
        why: "The file suppresses findings without a reason or by an unknown code, so the findings still count.",
        advice: "Give a reason for the code, correct the code, or remove the suppression.",
        blender: "Under Custom Properties, edit `rigscope` on the object, bone or mesh: `allow` is a dictionary with a code and a reason in each entry.",
        maya: "Edit the `extras` in the file as text, or what your exporter writes: `allow` is an object whose keys are codes and whose values are reasons.",
    }
    SuppressionUnused = 181, Note, "Unused suppression" {
        meaning: "An entry of `allow` in `extras` names a code that has no finding on the file, node or mesh with the entry.",
        why: "The suppressed fault was fixed or has moved. If it returns, the suppression hides it.",
        advice: "Remove the suppression.",
        blender: "Under Custom Properties, remove the entry from `rigscope` on the object, bone or mesh, or the property if it was the last.",
        maya: "Remove the entry from the `extras` in the file, or from what your exporter writes there.",
    }

    FlexVolume = 190, Error, "Joint loses volume" {
        meaning: "In a pose of the bend test, the closed region that the joint and its parent move loses more of its volume than the limit `volume-loss`.",
        why: "The limb gets thin where it bends or twists, like a hose that buckles or a wrapped sweet.",
        advice: "Spread the weights over more of the limb, add a twist helper, or choose a skinning method that keeps volume.",
        blender: "Smooth the weights with Weights > Smooth in Weight Paint mode around the joint, or add a corrective bone or shape key.",
        maya: "Use Skin > Smooth Skin Weights around the joint, or add a helper joint that takes half of the rotation.",
        rigscope: "`rigscope flex FILE --joint NAME` lists the poses; `rigscope compare` measures other skinning methods.",
    }
    FlexPinched = 191, Error, "Skin is pinched" {
        meaning: "In a pose of the bend test, triangles that shrink to less than a tenth of their area are more of the joint's region than the limit `pinched`.",
        why: "The texture and the shading shrink to a point, and the surface has a hard crease.",
        advice: "Let the weights of the two joints pass into each other over a longer part of the limb.",
        blender: "Blur the weights of both bones around the crease with the Blur brush of Weight Paint mode.",
        maya: "Smooth the weights around the crease with the Paint Skin Weights tool, operation Smooth.",
        rigscope: "The overlay for the area change shows the triangles in the pose that the finding names.",
    }
    FlexFlipped = 192, Error, "Triangles turn over" {
        meaning: "In a pose of the bend test, triangles that face the other way are more of the joint's region than the limit `flipped`.",
        why: "Turned triangles are invisible with back-face culling, and black or wrongly lit without it.",
        advice: "Look for vertices whose weights differ from those of all their neighbours, and give them the neighbours' weights.",
        blender: "Select the vertices in the named pose and use Weights > Smooth, or copy the weights of a neighbour with Weights > Copy in the sidebar (N).",
        maya: "Use the Weight Hammer (Skin > Hammer Skin Weights) on the vertices that turn over.",
    }
    FlexStretch = 193, Error, "Edges stretch too far" {
        meaning: "In a pose of the bend test, an edge becomes longer, relative to its length at rest, than the limit `stretch` allows.",
        why: "Some vertices follow the joint and their neighbours do not, so the skin is pulled out to spikes or sheets.",
        advice: "Remove the joint's weights from skin that it should not move, or let them fade out over a longer distance.",
        blender: "Select the bone's vertex group in Weight Paint mode, look for colour where none belongs, and remove it with the Subtract brush.",
        maya: "In the Component Editor, tab Smooth Skins, set the joint's weights to 0 on the vertices that it should not move.",
        rigscope: "`rigscope weights FILE --problems` lists regions with wrong weights and the joints that they follow.",
    }
    FlexFolds = 194, Error, "Skin folds into itself" {
        meaning: "In a pose of the bend test, triangles of one surface cross each other at a joint, not at rest, in more of the two regions than the limit `folds`. Distant joints whose skin meets, such as arm and chest, do not count.",
        why: "The crease of the joint passes through itself: it is dark, flickers, and shows the inside of the skin.",
        advice: "Widen the band in which weights fade from one joint to the other, or add edge loops at the joint.",
        blender: "Add two or three edge loops at the joint with Ctrl R, and fade the weights across them with the Blur brush.",
        maya: "Add edge loops at the joint before binding, and use Skin > Smooth Skin Weights across them.",
        rigscope: "`rigscope flex FILE --json` lists which regions meet, with the area and the depth.",
    }
    FlexLayers = 195, Error, "Layers change places" {
        meaning: "In a pose of the bend test, a surface passes through another one that it lies over or under at rest, in more of the joint's region than the limit `layers`.",
        why: "The skin comes through the clothes, or the shirt through the jacket.",
        advice: "Give both layers the same weights where they lie over each other, for example by transferring them.",
        blender: "Transfer the weights of the body to the clothes with Weights > Transfer Weights, source layers By Name.",
        maya: "Copy the weights of the body to the clothes with Skin > Copy Skin Weights, by closest point on surface.",
        rigscope: "`rigscope weights FILE --from BODY -o OUT.glb` transfers weights from another file.",
    }
    FlexInert = 196, Error, "Joint moves no skin" {
        meaning: "A joint that is a bone of the humanoid skeleton by its name or by the file has no weights, and neither have its helpers, although every character has skin there.",
        why: "Whoever poses or animates the joint sees nothing move, and the skin there follows another joint.",
        advice: "Bind the skin around the joint to it, or check whether its weights were lost or renamed on export.",
        blender: "Check that a vertex group has exactly the bone's name and that the bone's Deform option is on.",
        maya: "Check with Skin > Edit Influences > Add Influence that the joint is an influence of the skin cluster, and paint its weights.",
        rigscope: "`rigscope weights FILE --compute` computes weights that include the joint.",
    }
    FlexElsewhere = 197, Error, "Joint moves skin of another limb" {
        meaning: "Skin that follows a joint lies much farther from it than from the joints of the skin around it, or at the same joint of the other side of the body, in more of all skin than the limit `elsewhere`.",
        why: "The joint of one limb drags the skin of another, as a thigh that is bound to the other leg.",
        advice: "Bind the skin to the joint of its own limb; look for swapped names of the left and the right side.",
        blender: "Look for vertex groups with .L and .R swapped; Weights > Mirror with a wrong axis is the usual cause.",
        maya: "Look at the direction of Skin > Mirror Skin Weights, and at joints whose left and right names are swapped.",
        rigscope: "`rigscope weights FILE --problems` lists the regions under far joints.",
    }
    FlexWorse = 198, Error, "Bends worse than the older version" {
        meaning: "A measure of the bend test is worse for a joint than in the version given by `--against`, by more than the margin of the config.",
        why: "The last export or the last edit of the weights damaged the deformation, even if it is within absolute limits.",
        advice: "Compare the two versions in the named pose, and look for weights that were limited, pruned or lost on export.",
        blender: "Check the export options for the number of bone influences per vertex, which is 4 by default in glTF.",
        maya: "Check the maximum number of influences in the options of the exporter against that of the skin cluster.",
        rigscope: "`rigscope diff OLD NEW` lists what changed in weights, joints and meshes.",
    }
    FlexAbrupt = 199, Error, "Weights change abruptly at a joint" {
        meaning: "Where connected skin passes from a bending joint to the next one, its weights change over a shorter distance than 30 % of the limb's radius, along more of the boundary than the limit `abrupt`. Separate parts that follow one joint each, as in robots, do not count.",
        why: "The limb folds like a sheet of cardboard: sharp on the outside, and through itself on the inside.",
        advice: "Let the weights fade from one joint to the next over about the radius of the limb.",
        blender: "Blur the weights of both bones around the joint with the Blur brush of Weight Paint mode, or use Weights > Smooth with a few iterations.",
        maya: "Paint around the joint with the Paint Skin Weights tool, operation Smooth, or use Skin > Smooth Skin Weights.",
        rigscope: "Select the vertices around the joint with *Edit weights*, and average them with *Smooth weights*.",
    }
}

impl Code {
    /// Returns why findings with this code matter, in one or more sentences.
    pub fn why(self) -> &'static str {
        self.explanation().why
    }

    /// Returns what to do about findings with this code, in one or more sentences.
    pub fn advice(self) -> &'static str {
        self.explanation().advice
    }

    /// Returns the severity in formats other than glTF, where a rule may not exist, or importers may correct the data.
    pub fn severity_outside_gltf(self) -> Severity {
        match self {
            Self::WeightSum => Severity::Note,
            Self::NoCommonRoot | Self::RepeatedJoint | Self::KeysBeforeStart => Severity::Warning,
            _ => self.severity(),
        }
    }

    /// Returns whether only the bend test causes findings with this code.
    pub fn is_bend_test(self) -> bool {
        matches!(self as u16, 190..=199)
    }

    /// Returns whether findings with this code need project rules or the bend test.
    pub fn is_on_request(self) -> bool {
        matches!(self as u16, 90..=98 | 163..=169) || self.is_bend_test()
    }

    /// Returns the name of the code, such as `RIG012`.
    pub fn id(self) -> String {
        format!("RIG{:03}", self as u16)
    }

    /// Returns the sections of the explanation, each with its heading and text, in reading order.
    pub fn sections(self) -> Vec<(&'static str, &'static str)> {
        let Explanation { meaning, why, advice, blender, maya, rigscope } = self.explanation();
        let mut sections = vec![
            ("What it means", meaning),
            ("Why it matters", why),
            ("What to do", advice),
            ("In Blender", blender),
            ("In Maya", maya),
        ];
        sections.extend(rigscope.map(|text| ("In Rigscope", text)));
        sections
    }

    /// Returns all sections as plain text, one paragraph each.
    pub fn plain_text(self) -> String {
        self.paragraphs("", ": ")
    }

    /// Returns all sections as Markdown, one paragraph each.
    pub fn markdown(self) -> String {
        self.paragraphs("**", ":** ")
    }

    fn paragraphs(self, before: &str, after: &str) -> String {
        let paragraph = |(heading, text)| format!("{before}{heading}{after}{text}");
        self.sections().into_iter().map(paragraph).collect::<Vec<_>>().join("\n\n")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn codes_ascend_and_have_all_texts() {
        assert!(Code::ALL.is_sorted_by(|a, b| (*a as u16) < (*b as u16)));
        for code in Code::ALL {
            assert!(!code.title().ends_with('.'), "{code}: a title is no sentence");
            for text in [code.why(), code.advice()] {
                assert!(text.ends_with('.') && text.len() > 10, "{code}: {text}");
            }
        }
        assert_eq!((Code::WeightInvalid.id(), Code::ImageMissing.to_string()), ("RIG012".into(), "RIG070".into()));
    }

    /// Users' scripts and ignore lists rely on the numbers.
    #[test]
    fn numbers_keep_their_meaning() {
        let first = [(1, "ExtensionRequired"), (10, "WeightSum"), (22, "JointUnused"), (37, "RestUnlikeBind")];
        let rest = [(43, "SkinnedNodeMoved"), (50, "ZeroArea"), (63, "QuaternionFlip"), (70, "ImageMissing")];
        for (number, name) in first.into_iter().chain(rest) {
            let code = Code::ALL.iter().find(|c| **c as u16 == number).unwrap();
            assert_eq!(format!("{code:?}"), name);
        }
    }

    #[test]
    fn every_code_is_explained_in_whole_sentences_and_no_two_alike() {
        let mut texts: BTreeMap<&str, Code> = BTreeMap::new();
        for &code in Code::ALL {
            let headings: Vec<&str> = code.sections().iter().map(|(heading, _)| *heading).collect();
            let expected = ["What it means", "Why it matters", "What to do", "In Blender", "In Maya", "In Rigscope"];
            assert!(headings.len() >= 5 && expected.starts_with(&headings), "{code}: {headings:?}");
            for (heading, text) in code.sections() {
                assert!(text.ends_with('.') && text.len() >= 12 && text.len() <= 300, "{code} {heading}: {text}");
                assert!(
                    text.starts_with(|first: char| first.is_uppercase() || first == '`') || text.starts_with("glTF "),
                    "{code} {heading}: {text}"
                );
                assert!(
                    !text.contains("  ") && !text.contains('\n') && !text.contains("**"),
                    "{code} {heading}: {text}"
                );
                assert_eq!(text.matches('`').count() % 2, 0, "{code} {heading}: {text}");
            }
            let Explanation { meaning, why, blender, maya, .. } = code.explanation();
            for text in [meaning, blender, maya, why, code.title()] {
                if let Some(other) = texts.insert(text, code) {
                    panic!("{other} and {code} have one text: {text}");
                }
            }
        }
    }

    #[test]
    fn formats_of_an_explanation_differ_only_in_markup() {
        let code = Code::WeightSum;
        let (plain, markdown) = (code.plain_text(), code.markdown());
        assert_eq!(markdown.replace("**", ""), plain);
        assert!(markdown.starts_with("**What it means:** The weights of a vertex "), "{markdown}");
        assert_eq!(plain.split("\n\n").count(), 6);
    }
}
