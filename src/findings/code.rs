//! The table of finding codes: number, severity and all texts of each code.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::rows::{Described, Shape, rows};

/// Severity of a finding, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, and often intended.
    Note,
    /// Works only in some engines, or looks different from what was intended.
    Warning,
    /// The rig is wrong, or appears wrong in engines that don't correct the file.
    Error,
}

impl Severity {
    /// All severities, most severe first.
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
        /// Code of a finding. The meaning of a number never changes.
        ///
        /// Numbers are grouped: 001 and 100 file, 010 weights, 020 and 120 skins and joints, 030 bind pose, 040
        /// transforms, 050 geometry, 060 clips, 070 appearance, 080 FBX, 090 project rules, 110 weights as stored,
        /// 160 clips and project rules for them, 170 springs and VRM, 180 suppressions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $code = $number,)*
        }

        impl Code {
            /// All codes, by number.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// Severity of findings of this code; the highest if it depends on the cause.
            pub fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)* }
            }

            /// Title of a few words.
            pub fn title(self) -> &'static str {
                match self { $(Self::$code => $title,)* }
            }

            /// Explanation of the code.
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
    ExtensionRequired = 1, Error, "Required extension not read" {
        meaning: "The file lists an extension of glTF as required that Rigscope does not read.",
        why: "The file says that it cannot be shown without this extension; what depends on it is wrong or missing.",
        advice: "Export without the extension, or convert the file with a tool that knows it.",
        blender: "Export again with the option switched off that adds the extension, such as Data > Scene Graph > GPU Instances in File > Export > glTF 2.0.",
        maya: "Switch the extension off in the glTF exporter (Maya2glTF, Babylon.js), or export FBX by File > Export Selection, which has no extensions, and use `rigscope convert`.",
    }
    ExtensionIgnored = 2, Note, "Extension not read" {
        meaning: "The file uses an extension of glTF that Rigscope does not read, or reads in part. The finding says what is missing.",
        why: "What the extension adds is not shown. The file says that it can do without.",
        advice: "Nothing, unless what is missing matters for what you look at.",
        blender: "Nothing has to be done. To do without the extension, reset what it stands for before the export, such as Anisotropic or Transmission of the Principled BSDF.",
        maya: "Nothing has to be done. To do without the extension, simplify the shader in the Hypershade, or switch the extension off in the glTF exporter (Maya2glTF, Babylon.js).",
    }
    DataMissing = 3, Error, "Data missing" {
        meaning: "A buffer, which holds vertices, weights and keys, is not where the file says, or is shorter than it says.",
        why: "A buffer of the file is absent or cut short, so parts of the file are missing.",
        advice: "Put the missing file beside the model, or fetch or export the model again.",
        blender: "Export again as glTF Binary (.glb) in File > Export > glTF 2.0, which is one file. With glTF Separate, keep the .bin beside the .gltf.",
        maya: "Copy the .bin that the glTF exporter (Maya2glTF, Babylon.js) wrote together with its .gltf, or export the scene again. An FBX file has its meshes within it.",
    }
    Malformed = 4, Error, "Malformed part left out" {
        meaning: "A mesh, material, clip, scene, humanoid bone, spring or reference is not in the form that glTF or VRM defines, and was left out.",
        why: "A part of the file is not in the form that glTF defines. Stricter programs refuse the whole file.",
        advice: "Repair or export the file again, and report the fault to the exporter's makers.",
        blender: "Import the file by File > Import > glTF 2.0, look for what is missing, and export it again.",
        maya: "Export the scene again with the newest version of the glTF exporter (Maya2glTF, Babylon.js), or as FBX by File > Export All.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes a valid file without the part.",
    }
    TrailingBytes = 5, Warning, "Bytes after the end" {
        meaning: "There are bytes behind the length that the header of the .glb file states. They are ignored here.",
        why: "A binary glTF ends where its header says; some programs refuse a file that goes on.",
        advice: "Export the file again, or cut it to the length in its header.",
        blender: "Import the file and export it again as glTF Binary (.glb).",
        maya: "Export the scene again. Where the bytes come back, the step that copies, packs or signs the file afterwards adds them.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the file without them.",
    }
    NotShown = 6, Note, "Content not shown" {
        meaning: "The file has lights, further scenes, hidden meshes, levels of detail, properties of materials or other things that are not drawn here. The finding names them.",
        why: "The file holds something that this viewer does not draw.",
        advice: "Nothing; the rig is not affected.",
        blender: "Nothing has to be done. To export less, use Include > Limit to > Visible Objects and switch off Punctual Lights in File > Export > glTF 2.0.",
        maya: "Nothing has to be done. To export less, select only the meshes and joints that the engine is to have, and use File > Export Selection.",
    }
    OutsideScene = 7, Warning, "Mesh outside the scene" {
        meaning: "A node with a mesh is in no scene of the file, or the default scene has no mesh at all, so that all nodes are shown instead.",
        why: "Programs show the default scene only, so the mesh may be missing elsewhere.",
        advice: "Add the node of the mesh to the default scene.",
        blender: "Put the object into the scene that is exported by Object > Link/Transfer Data > Link Objects to Scene, and export from there.",
        maya: "A file of Maya has one scene, so the exporter lost the node: show it by Display > Show > All, export again, and update the glTF exporter (Maya2glTF, Babylon.js) where it is still lost.",
    }
    MoreFindings = 8, Warning, "More findings than are listed" {
        meaning: "More was found than is listed: at most 200 findings of a code, and 1,000 warnings about reading. The others are counted.",
        why: "So much is wrong that the list was cut.",
        advice: "Repair what is listed and check again.",
        blender: "Look for the one cause of many findings, such as an unapplied scale or a script. Mend it, export, and check again.",
        maya: "Mend what is listed, which often has a single cause such as one wrong option of the exporter, and check again.",
    }
    TransformUnusable = 9, Error, "Transform not usable" {
        meaning: "A translation, rotation, scale or matrix of a node has numbers that are not finite, or a quaternion of length 0. It counts as absent here.",
        why: "A node has a transform with numbers that are not finite, or a rotation of no length; it was left out.",
        advice: "Give the node a valid translation, rotation and scale.",
        blender: "Clear the transform by Object > Clear, for a bone by Pose > Clear Transform > All, and look for the driver that writes it in the Drivers Editor.",
        maya: "Type valid numbers into the Channel Box, and look for the expression that writes others in Windows > Animation Editors > Expression Editor.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the node without what is wrong.",
    }

    WeightSum = 10, Error, "Weights do not sum to 1" {
        meaning: "The weights of a vertex add up to a sum that is off 1 by more than 0.001. In FBX, where programs divide by the sum when they read a file, this is a note.",
        why: "Skinning by weights that do not sum to 1 pulls vertices towards the origin or away from it. This viewer divides by the sum; engines often do not.",
        advice: "Normalise the weights before export.",
        blender: "Unlock the vertex groups, and in Weight Paint mode use Weights > Normalize All with Subset: Deform Pose Bones and Lock Active off.",
        maya: "Use Skin > Normalize Weights > Enable Weight Normalization, which sets Normalize Weights of the skinCluster to Interactive, so that sums stay 1.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, divides the weights of each vertex by their sum.",
    }
    WeightZero = 11, Error, "Vertex without weight" {
        meaning: "A vertex of a skinned mesh has no weight above 0. In glTF it follows the joint of its first slot here, in FBX the node of its mesh.",
        why: "A vertex that no joint moves collapses to the origin in most engines.",
        advice: "Weight the vertices to a joint.",
        blender: "In Edit mode, Select > Select All by Trait > Ungrouped Vertices finds vertices in no group. Assign them in Object Data properties > Vertex Groups, or in Weight Paint mode by Weights > Assign Automatic from Bones.",
        maya: "Select the vertices and use Skin > Hammer Skin Weights, which gives them weights of their neighbours.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, computes weights for these vertices alone.",
    }
    WeightInvalid = 12, Error, "Negative or non-finite weight" {
        meaning: "A weight is negative, infinite or not a number (NaN). It counts as 0 here.",
        why: "Negative weights push vertices away from their joint, and a NaN removes the triangles around its vertex.",
        advice: "Clamp the weights to 0 and above and normalise them.",
        blender: "Blender keeps weights from 0 to 1, so another program or a script wrote them. Import the file, use Weights > Clean and Weights > Normalize All in Weight Paint mode, and export.",
        maya: "Find the vertices in Windows > General Editors > Component Editor, tab Smooth Skins, type 0 or more, and enable weight normalization.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, writes 0 for such weights and makes the others sum to 1.",
    }
    JointOutOfRange = 13, Error, "Influence of a joint that the skin lacks" {
        meaning: "A vertex names a joint by a number that its skin does not have, even with a weight of 0. The weight counts as 0 here.",
        why: "Engines read past the end of the palette there: vertices fly off, or the file is refused.",
        advice: "Bind the mesh to the skin that it was weighted for, or remove these influences.",
        blender: "Blender numbers joints when it exports. Import the file, check that the Armature modifier names the armature that the mesh was weighted for, and export both.",
        maya: "Add the joint that is missing by Skin > Edit Influences > Add Influence, and export mesh and whole skeleton together.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, drops these influences and makes the others sum to 1.",
    }
    ManyInfluences = 14, Warning, "More than 4 influences on a vertex" {
        meaning: "Five joints or more have a weight above 0 at a vertex.",
        why: "Many engines keep four influences and drop the others, which changes how the skin bends. This viewer uses all.",
        advice: "Limit the weights to 4 joints a vertex before export, or check that the target engine takes more.",
        blender: "In Weight Paint mode, use Weights > Limit Total with Limit 4, then Weights > Normalize All. Or export with Data > Skinning > Bone Influences 4 and Include All Bone Influences off.",
        maya: "Use Skin > Edit Influences > Set Max Influences with 4. For new skins, set Max Influences to 4 in the options of Skin > Bind Skin, with Maintain Max Influences on.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, keeps the four heaviest of each vertex. `--max N` keeps another number.",
    }
    TinyInfluence = 15, Note, "Influence under 1/255" {
        meaning: "A weight is above 0 and below 1/255, about 0.0039.",
        why: "Engines that store weights in 8 bits round such an influence to nothing; it takes a slot and has hardly any effect.",
        advice: "Prune weights under 0.004 and normalise.",
        blender: "In Weight Paint mode, use Weights > Clean with Subset: All Groups and Limit 0.004, then Weights > Normalize All.",
        maya: "Use Skin > Prune Small Weights with Prune Below 0.004.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, drops such influences. `--prune W` drops those below another weight.",
    }
    RepeatedJoint = 16, Error, "Joint twice in a vertex" {
        meaning: "A vertex names one joint in two slots, both with a weight above 0.",
        why: "glTF allows a joint once a vertex. It wastes a slot, and tools that edit weights keep one of the two.",
        advice: "Merge the two slots by adding their weights.",
        blender: "Blender has one weight for each vertex group and vertex, and its importer need not add the two. Mend the file by Rigscope first, or export it again from its source.",
        maya: "A skinCluster has one weight for each joint and vertex, so an exporter or a script that merges joints made the slots. Leave that step out, or let it add the weights.",
        rigscope: "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, adds the weights of the slots up.",
    }
    WeightJump = 17, Warning, "Weights jump across an edge" {
        meaning: "Along an edge, more than three quarters of the weight go from one joint to another that is neither its parent, grandparent, child, grandchild nor sibling, in a mesh whose weights are smooth otherwise.",
        why: "In a mesh that is smooth otherwise these neighbours follow different joints, so the skin tears or folds between them when it is posed.",
        advice: "Smooth the weights there, or paint the stray vertices like their neighbours.",
        blender: "In Weight Paint mode, switch vertex selection on, select the vertices and use Weights > Smooth, or paint with the Blur brush.",
        maya: "Select the vertices and use Skin > Smooth Skin Weights, or Skin > Paint Skin Weights with the paint operation Smooth.",
        rigscope: "Edit > Weights > Edit weights (V): select the finding, then Of the finding, and use Smooth or Copy from nearest.",
    }
    WeightIsland = 18, Warning, "Influence cut off from its joint's region" {
        meaning: "A joint moves a patch of skin that lies more than two edges off the joint's main region on the same piece of the mesh, with at most a tenth of that region's weight and a weight of at least 0.2 somewhere.",
        why: "A patch far from the rest of what the joint moves, with other skin between: usually a leak of automatic weights, as from one leg to the other.",
        advice: "Remove the joint's weight from the patch.",
        blender: "In Edit mode, select the patch, choose the joint's group in Object Data properties > Vertex Groups and press Remove. Then use Weights > Normalize All in Weight Paint mode.",
        maya: "Select the vertices of the patch, and set the joint's column to 0 in Windows > General Editors > Component Editor, tab Smooth Skins, with normalization set to Interactive.",
        rigscope: "Edit > Weights > Edit weights (V): select the finding, then Of the finding, choose the joint, and use Assign with 0.",
    }
    DrawnUnskinned = 19, Error, "Mesh does not follow its joints" {
        meaning: "The mesh's node has a skin, but the mesh has no joints and weights, or they cannot be read. It is drawn where it was modelled.",
        why: "Joints or weights are there but cannot be used, or the skin is there without them; the mesh stands still while the joints move.",
        advice: "Bind the mesh to its skin and export joints and weights together.",
        blender: "Give the mesh an Armature modifier and vertex groups named like the bones, both by Object > Parent > With Automatic Weights. Export with Data > Skinning on.",
        maya: "Select joints and mesh and use Skin > Bind Skin. In the FBX options of File > Export Selection, keep Deformed Models and Skins on.",
    }

    InfluenceSetIgnored = 20, Error, "Joints without weights, or weights without joints" {
        meaning: "A mesh has an attribute `JOINTS_n` without `WEIGHTS_n` of the same number, or the other way round.",
        why: "Half of an influence means nothing and was ignored.",
        advice: "Export JOINTS_n and WEIGHTS_n in pairs.",
        blender: "Import the file and export it again, which writes both. Rename custom attributes that are called so in Object Data properties > Attributes.",
        maya: "Update the glTF exporter (Maya2glTF, Babylon.js), or export FBX, where one cluster holds both, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the file without the half.",
    }
    SkinSkipped = 21, Error, "Skin left out" {
        meaning: "A skin has no joints, joints that are not nodes of the file, or more than the 65,536 joints that a vertex can name.",
        why: "The skin cannot be used, so the meshes bound to it do not follow their joints.",
        advice: "Repair the skin's list of joints.",
        blender: "Switch Deform on for the bones that move the mesh (Bone properties), and export the armature together with the mesh.",
        maya: "Select the root of the skeleton together with the mesh before File > Export Selection, so that all influences of the skinCluster are in the file.",
    }
    JointUnused = 22, Note, "Joint that moves no vertex" {
        meaning: "A joint is in the list of a skin, and no vertex of the meshes that are bound to the skin has a weight above 0 for it.",
        why: "It costs a place in the palette. Roots, tips and attachment points are often meant so.",
        advice: "Remove the joint from the skin if nothing needs it.",
        blender: "Switch Deform off for the bone (Bone properties), and export with Data > Armature > Export Deformation Bones Only.",
        maya: "Use Skin > Edit Influences > Remove Unused Influences. The joint stays in the skeleton, as a node that is in no skin.",
    }
    JointOutside = 23, Error, "Joint outside the scene" {
        meaning: "A mesh is in the scene that is shown, and joints of its skin are not.",
        why: "Programs build only the nodes of the scene, so the joint is missing there and the skin breaks.",
        advice: "Add the joint's root to the same scene as the mesh.",
        blender: "Put the armature into a collection of the mesh's scene. With Include > Limit to > Selected Objects, select the armature too.",
        maya: "Export the root of the skeleton with the mesh, and show joints that are hidden by Display > Show > All before.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes one scene with all nodes.",
    }
    NoCommonRoot = 24, Error, "Joints without a common root" {
        meaning: "The topmost joints of a skin are in trees that no node joins. In FBX, which does not ask for one, this is a warning.",
        why: "glTF wants a node above all joints of a skin; programs that look for it fail or split the skeleton.",
        advice: "Put the skeleton's roots under one node.",
        blender: "Export with Data > Armature > Remove Armature Object off, as the armature's node lies above all its bones, or add a root bone and make it the parent by Armature > Parent > Make.",
        maya: "Put the roots of the skeleton below one group by Edit > Group, or below one joint by Edit > Parent.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` puts a node above them.",
    }
    SeveralRoots = 25, Note, "Several root joints" {
        meaning: "Two joints of a skin or more have no joint of it above them. The node above them all is not a joint.",
        why: "Some engines, such as Unreal, take one root bone for each skeleton.",
        advice: "Add one joint above the roots if the target engine needs it.",
        blender: "In Edit mode of the armature, add a bone at the origin, select the topmost bones and it last, and use Armature > Parent > Make > Keep Offset.",
        maya: "Make a joint at the origin by Skeleton > Create Joints, put the topmost joints below it by Edit > Parent, and add it by Skin > Edit Influences > Add Influence with a default weight of 0.",
    }
    ManyJoints = 26, Warning, "Skin of more than 256 joints" {
        meaning: "A skin lists more than 256 joints.",
        why: "Engines with 8-bit joint numbers or palettes of a fixed size cannot skin it in one draw.",
        advice: "Split the mesh by body part, or remove joints that move nothing.",
        blender: "Switch Deform off for helpers (Bone properties) and export with Export Deformation Bones Only. Meshes of one armature share a skin: to split it, give each part an armature of its own.",
        maya: "Use Skin > Edit Influences > Remove Unused Influences on each mesh. To split a mesh, use Edit Mesh > Extract, bind the part, and use Skin > Copy Skin Weights.",
    }
    NameRepeated = 27, Warning, "Joint name repeats" {
        meaning: "Two joints of one skin or more have the same name.",
        why: "Pose files, retargeting and clips on other rigs find joints by name and take one of the two.",
        advice: "Give each joint of the skeleton its own name.",
        blender: "Bone names are unique in an armature of Blender, so the file comes from elsewhere or from several armatures. Rename by F2, or many at once by Edit > Batch Rename.",
        maya: "Maya allows one name below different parents. Rename by Modify > Search and Replace Names or Modify > Prefix Hierarchy Names.",
    }
    NameEmpty = 28, Note, "Joint without a name" {
        meaning: "The node of a joint has no name.",
        why: "What finds joints by name cannot find it, and a reader cannot tell what it is.",
        advice: "Name the joint.",
        blender: "Bones that came without a name have a made-up one after the import. Name them by F2 and export again.",
        maya: "Every node of Maya has a name, so the exporter left it out: look for an option of the glTF exporter (Maya2glTF, Babylon.js) that shortens or strips names.",
    }

    NoSkin = 29, Warning, "Joints and weights without a skin" {
        meaning: "A mesh has joints and weights, and its node names no skin.",
        why: "The mesh was weighted, but its node names no skin, so it does not follow anything.",
        advice: "Bind the mesh to its skin, or export it without joints and weights.",
        blender: "Add an Armature modifier that names the armature, keep the vertex groups, and export both with Data > Skinning on.",
        maya: "Where Edit > Delete by Type > History took the skinCluster away, bind the mesh again by Skin > Bind Skin, and copy weights from an earlier version by Skin > Copy Skin Weights.",
    }

    BindsTooFew = 30, Error, "Inverse bind matrices missing for some joints" {
        meaning: "A skin has fewer inverse bind matrices than joints. Those that are missing count as the identity here.",
        why: "Engines read past the end of the list or refuse the file; the joints concerned count as bound at the origin.",
        advice: "Export one inverse bind matrix for each joint.",
        blender: "Import the file, see in Edit mode of the armature whether bones lie at the origin, put them right, and export again.",
        maya: "Use Skin > Go to Bind Pose, then Skin > Unbind Skin with History: Keep History in its options, then Skin > Bind Skin, and export with all joints.",
    }
    BindsAbsent = 31, Note, "No inverse bind matrices" {
        meaning: "A skin has no inverse bind matrices, as glTF allows. Each counts as the identity.",
        why: "glTF then takes the identity: right only where the mesh was modelled in joint space.",
        advice: "Export inverse bind matrices, unless the mesh is meant so.",
        blender: "Blender writes them always: import the file, see whether the mesh lies right on its bones, and export it again.",
        maya: "FBX has them always: export by File > Export Selection with Skins on, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the identities out.",
    }
    BindsUnreadable = 32, Error, "Inverse bind matrices not usable" {
        meaning: "The inverse bind matrices of a skin cannot be read, or have numbers that are not finite. They count as the identity here.",
        why: "They cannot be read or hold numbers that are not finite, and count as the identity: the mesh is torn apart.",
        advice: "Export the skin again.",
        blender: "Look for drivers or scripts that give the armature or a bone a transform that is not a number, reset it, and export again.",
        maya: "Look for joints with a scale of 0 in the Channel Box while the skin is in its bind pose, set it to 1, bind again, and export.",
    }
    BindSingular = 33, Error, "Singular inverse bind matrix" {
        meaning: "The determinant of an inverse bind matrix is 0 but for rounding: an axis of the joint had a scale of 0 when it was bound, or two axes were the same.",
        why: "The matrix flattens what the joint moves to a plane, a line or a point, and the bind pose cannot be told from it.",
        advice: "Remove scales of 0 from the bind pose and bind again.",
        blender: "Look for a scale of 0 of the armature or the mesh in the sidebar (N), tab Item. Set it to 1, use Object > Apply > Scale, and parent the mesh again.",
        maya: "Use Skin > Go to Bind Pose, set Scale X, Y and Z of the joint and of the groups above it to 1, then unbind and bind again.",
    }
    BindNotAffine = 34, Error, "Inverse bind matrix is not affine" {
        meaning: "The last row of an inverse bind matrix is not 0 0 0 1, the last row of every translation, rotation and scale.",
        why: "Its last row is not 0 0 0 1. Engines keep three rows or divide by the fourth, with different results.",
        advice: "Export the skin again.",
        blender: "No setting of Blender makes such a matrix. Import the file, compare the rest pose with the original, and export it again.",
        maya: "No joint of Maya has such a matrix, so a plug-in or a script wrote it. Export without it, or as FBX.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the last row right and keeps the others.",
    }
    BindScale = 35, Note, "Inverse bind matrix with scale" {
        meaning: "A joint's axis in the bind pose is longer or shorter than 1 by more than 1 %.",
        why: "It undoes a scale of the joint in the bind pose. Where pose and bind do not cancel, dual quaternion skinning runs in two phases.",
        advice: "Apply the scale of the skeleton before binding.",
        blender: "Use Object > Apply > Scale on the armature and its meshes, which often have 0.01 or 100 after an import of FBX, and export again.",
        maya: "Unbind with History: Keep History, use Modify > Freeze Transformations on the joints and the groups above them, and bind again.",
    }
    BindShear = 36, Warning, "Inverse bind matrix with shear" {
        meaning: "Two axes of a joint in the bind pose are off a right angle by more than 0.6°.",
        why: "Shear cannot be said in translation, rotation and scale, so tools that rebuild the bind pose lose it.",
        advice: "Apply scales that are not uniform before binding.",
        blender: "A scale that differs along the axes, of an object above bones that are turned, shears them: use Object > Apply > Scale on it, and export again.",
        maya: "Look for a group above the skeleton with an uneven scale or with Shear (Attribute Editor, Transform Attributes), freeze it, and bind again.",
    }
    RestUnlikeBind = 37, Note, "Rest pose unlike bind pose" {
        meaning: "Relative to its parent joint, a joint at rest is turned by more than 1.1° from the bind pose, or moved by more than half a percent of the rig's size.",
        why: "The file rests in another pose than it was bound in. That is allowed, but tools that take one for the other deform the mesh.",
        advice: "Nothing, if it is meant; else store the bind pose as the rest pose.",
        blender: "Export with Data > Armature > Use Rest Position Armature on. To bind in the pose at hand instead, apply the Armature modifier, use Pose > Apply > Apply Pose as Rest Pose, and add the modifier again.",
        maya: "Use Skin > Go to Bind Pose before the export; where constraints or IK hinder it, use Modify > Evaluate Nodes > Ignore All first.",
    }

    NegativeScale = 40, Warning, "Joint with negative scale" {
        meaning: "A joint mirrors at rest: the determinant of its transform is negative.",
        why: "It mirrors what it moves: normals and winding turn, and many engines cannot. Dual quaternion skinning of its vertices runs in two phases.",
        advice: "Mirror the geometry instead of the joint.",
        blender: "Bones have no scale at rest, so an object above them is mirrored: use Object > Apply > Scale, then Mesh > Normals > Recalculate Outside. For the other side of a skeleton, use Armature > Symmetrize.",
        maya: "Make the other side by Skeleton > Mirror Joints with Mirror Function: Behavior, which turns joints and does not scale them by -1, and bind again.",
    }
    NonUniformScale = 41, Warning, "Joint with non-uniform scale" {
        meaning: "The axes of a joint at rest differ in length by more than 1 %.",
        why: "Rotated joints below it shear, which engines that keep translation, rotation and scale cannot show. Dual quaternion skinning of its vertices runs in two phases.",
        advice: "Scale the mesh instead, or scale uniformly.",
        blender: "Use Pose > Clear Transform > Scale before the export, and Object > Apply > Scale on an armature whose scale differs along its axes.",
        maya: "Set Scale X, Y and Z of the joint to one value in the Channel Box, give the mesh its shape by its vertices, and bind again.",
    }
    RotationNotUnit = 42, Error, "Rotation is not of unit length" {
        meaning: "The length of a node's quaternion is off 1 by more than 0.0077, the most that rounding to 8 bits causes. It is normalised here.",
        why: "Engines that do not normalise it scale or shear everything below the node.",
        advice: "Normalise the quaternion.",
        blender: "Blender normalises what it exports: import the file and export it again. A script of your own calls `normalize()` on the quaternion.",
        maya: "Transforms of Maya have angles and no quaternions, so the exporter wrote it: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes it normalised.",
    }
    SkinnedNodeMoved = 43, Note, "Transform of a skinned mesh's node is ignored" {
        meaning: "The node of a skinned mesh, or a node above it, has a translation, rotation or scale, which glTF ignores.",
        why: "glTF places a skinned mesh by its joints alone; programs that apply the node's transform too show it elsewhere.",
        advice: "Put the mesh's node at the top of the scene without a transform.",
        blender: "Use Object > Apply > All Transforms on the mesh and on its armature, and export again.",
        maya: "Take the mesh out of groups that are moved by Edit > Unparent, and use Modify > Freeze Transformations on it before it is bound.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` puts skinned meshes on nodes without parent and transform.",
    }
    ConstraintUnusable = 44, Warning, "Constraint left out or out of range" {
        meaning: "A node constraint of VRM has another version than 1.0, an unknown kind or axis, a source that is not in the file or not in the scene, or a weight outside 0 to 1.",
        why: "The node does not follow what it was made to follow, or not as its numbers say.",
        advice: "See the reason; set the constraint up again, and export.",
        blender: "Constraints of a VRM are Bone Constraints there, which the VRM add-on exports. Give each a target bone in the same armature and an Influence from 0 to 1, and export the VRM again.",
        maya: "Maya does not write constraints of VRM. Set source, axis and weight in Unity, on the constraint components of UniVRM, or bake what they do by Key > Bake Animation.",
    }
    ConstraintCircle = 45, Error, "Constraint that depends on itself" {
        meaning: "The source of a constraint is turned by the node that the constraint turns, directly, as its child, or through other constraints.",
        why: "What the node follows is turned by the node itself, directly or through other constraints. Such constraints are left out here; other programs stop or turn the nodes otherwise in each frame.",
        advice: "Let one constraint of the circle follow another node.",
        blender: "In Bone properties > Bone Constraints, choose another target for one of the constraints: a bone that is not below the constrained one.",
        maya: "In Maya a warning of a cycle in the Script Editor names the nodes: take a target away by Constrain > Remove Target. In a VRM, change the source in Unity.",
    }
    MatrixWithTrs = 46, Error, "Node with a matrix and with translation, rotation or scale" {
        meaning: "A node has `matrix`, and `translation`, `rotation` or `scale` beside it. The matrix counts here.",
        why: "glTF allows one of the two. Programs take the one or the other, so the node is at two places, or they refuse the file.",
        advice: "Remove the matrix, or the other properties.",
        blender: "Import the file and export it again, which writes one of the two.",
        maya: "Maya and FBX keep no matrix beside the channels, so the exporter wrote both: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes one of the two.",
    }
    MatrixNotTrs = 47, Error, "Matrix of a node that is no translation, rotation and scale" {
        meaning: "The `matrix` of a node shears, has a scale of 0 or a last row other than 0 0 0 1, so that no translation, rotation and scale make it.",
        why: "glTF demands a matrix that can be taken apart. Programs that keep translation, rotation and scale show the node otherwise.",
        advice: "Apply the shear or the scale of 0 to the meshes below, and export again.",
        blender: "An uneven scale of an object above turned ones shears them: use Object > Apply > Scale on it, and export again.",
        maya: "Look for a group above with an uneven scale or with Shear (Attribute Editor, Transform Attributes), freeze it, and export again.",
    }
    ScaleZero = 48, Warning, "Joint with a scale of 0 at rest" {
        meaning: "An axis of a joint has no length in the rest pose.",
        why: "All that the joint moves collapses to a point or a plane, its bind pose cannot be told, and tools that invert its matrix fail.",
        advice: "Bind the joint with a scale of 1, and key the scale of 0 in the clips where it is meant.",
        blender: "Set the bone's scale to 1 by Pose > Clear Transform > Scale before the export, with Use Rest Position Armature on; keys may still scale it to 0.",
        maya: "Set Scale X, Y and Z of the joint to 1 in the Channel Box, use Skin > Go to Bind Pose, bind again, and key the scale of 0 in the clips.",
    }
    ArmatureScale = 49, Note, "Skeleton scaled by 0.01 or 100" {
        meaning: "A node above a skeleton, or its topmost joint, has a uniform scale of 0.01 or 100, to within 1 %.",
        why: "A change between centimetres and metres was left in the scale above the skeleton. Joints, physics, attachments and retargeting below it count in other units than the world.",
        advice: "Freeze the scale: apply it to the skeleton, its meshes and its clips, and export again.",
        blender: "Select the armature and its meshes and use Object > Apply > Scale. Keys of locations count in the old unit: scale them in the Graph Editor too, or import with the right unit.",
        maya: "Set the working unit before the import. Else use Modify > Freeze Transformations on the group above, and bake the clips by Key > Bake Animation.",
    }

    ZeroArea = 50, Note, "Triangles without area" {
        meaning: "A triangle is flatter than a millionth of its longest edge: two corners are at one place, or all three on a line.",
        why: "They draw nothing, and computed normals and tangents are undefined there.",
        advice: "Merge doubled vertices and remove degenerate faces.",
        blender: "In Edit mode, use Mesh > Merge > By Distance and Mesh > Clean Up > Degenerate Dissolve.",
        maya: "Use Mesh > Cleanup with Remove Geometry: Edges with zero length and Faces with zero geometry area, before the mesh is bound.",
    }
    UnusedVertices = 51, Note, "Vertices that nothing uses" {
        meaning: "A vertex of a mesh is in no triangle, line or point.",
        why: "They take memory and skinning time and enlarge the bounds.",
        advice: "Remove loose vertices before export.",
        blender: "In Edit mode, use Mesh > Clean Up > Delete Loose.",
        maya: "Meshes of Maya have no vertices without a face, so the exporter left them, often those of faces with another material. Update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
    }
    PrimitiveSkipped = 52, Error, "Geometry left out" {
        meaning: "A part of a mesh has no positions, data that cannot be read, an index beyond its vertices, nothing to draw, or takes more memory than one file may.",
        why: "A part of a mesh cannot be drawn.",
        advice: "See the reason; export the mesh as triangles again.",
        blender: "Use Face > Triangulate Faces in Edit mode and export again. Where the compression is broken, switch off Data > Compression.",
        maya: "Use Mesh > Cleanup and Mesh > Triangulate, and export the mesh again.",
        rigscope: "Where memory is the reason, raise `--memory-limit MIB`.",
    }
    AttributeIgnored = 53, Warning, "Vertex attribute ignored" {
        meaning: "Normals, tangents, texture coordinates or colours of a mesh cannot be read, or a texture has no coordinates.",
        why: "The shape is right, but the surface looks other than it was made.",
        advice: "Export the mesh again.",
        blender: "Check UV Maps and Color Attributes in Object Data properties, unwrap a mesh without them by UV > Unwrap, and export with Data > Mesh > UVs and Normals on.",
        maya: "Check the sets in UV > UV Set Editor and Mesh Display > Color Set Editor, delete those that are empty, and export again.",
    }
    VertexNotFinite = 54, Error, "Vertex value is not a finite number" {
        meaning: "A position, normal, tangent, texture coordinate or colour is infinite or not a number (NaN). It counts as 0 here.",
        why: "A NaN or an infinity removes or stretches the triangles around its vertex.",
        advice: "Find the vertices in the program that made the mesh, and export again.",
        blender: "Run `bpy.context.object.data.validate(verbose=True)` in the Python Console in Object mode, which says and mends what is invalid. Check modifiers and shape keys too.",
        maya: "Delete the history before the bind by Edit > Delete by Type > Non-Deformer History, select the vertices by number, and type positions in the Component Editor.",
    }
    IndicesLeftOver = 55, Warning, "Indices left over" {
        meaning: "The number of indices is no multiple of three, or for lines of two. Those behind the last whole one are ignored.",
        why: "The index list does not end with a whole triangle: something may be missing.",
        advice: "Export the mesh again.",
        blender: "Import the file, look for a face that is missing beside the original, and export again.",
        maya: "Export again with Triangulate on in the Geometry options of FBX, or update the glTF exporter (Maya2glTF, Babylon.js).",
    }
    MorphIgnored = 56, Error, "Morph target not used in full" {
        meaning: "A morph target has offsets that cannot be read or take too much memory, a node has not as many weights as targets, or an expression names a target or material that is not there. The last, and what takes too much memory, is a warning.",
        why: "A target or its weight cannot be used, so expressions differ from how they were made.",
        advice: "Export the morph targets again.",
        blender: "Check Object Data properties > Shape Keys, and export without Data > Mesh > Apply Modifiers, which leaves shape keys out. Expressions of a VRM are in the VRM add-on's panel.",
        maya: "Check the targets in Windows > Animation Editors > Shape Editor, and export FBX with Deformed Models > Blend Shapes on.",
    }
    UnequalTargets = 57, Error, "Primitives with unequal numbers of morph targets" {
        meaning: "A primitive of a mesh has more or fewer morph targets than the first one. Targets that are missing move nothing here.",
        why: "All primitives of a mesh share one list of weights. Where one has fewer targets, programs refuse the mesh, or weights move the wrong target.",
        advice: "Give each part of the mesh all targets, also those that move nothing there, and export again.",
        blender: "Each material of a mesh is a primitive. Shape keys of one object are in all of them, so the parts were joined by another tool: join them by Object > Join, and export again.",
        maya: "Combine the parts by Mesh > Combine before the blend shapes are made, and export again.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` gives all primitives the same targets.",
    }
    DirectionsNotUnit = 58, Error, "Normals or tangents not of unit length" {
        meaning: "The length of a normal or tangent is off 1 by more than 0.0067, the most that rounding to 8 bits causes, or the fourth component of a tangent is neither 1 nor -1.",
        why: "Programs that do not normalise them light the surface too bright or too dark, and a wrong sign of a tangent turns normal maps over.",
        advice: "Recompute the normals and tangents, and export again.",
        blender: "Use Mesh > Normals > Reset Vectors, and Mesh > Clean Up > Degenerate Dissolve for faces without area, whose normals have no length. Then export again.",
        maya: "Use Mesh Display > Unlock Normals, and Mesh > Cleanup for faces without area, whose normals have no length. Then export again.",
    }
    AttributeFormat = 59, Error, "Vertex attribute in a format that glTF does not allow" {
        meaning: "An attribute has a component type that glTF, or `KHR_mesh_quantization` where the file uses it, does not define for it, such as weights as bytes without `normalized`.",
        why: "Programs that take the format at its word read other numbers: weights of 255 instead of 1, joints of 0.004 instead of 1.",
        advice: "Export the mesh again, or set or clear `normalized` of the accessor.",
        blender: "Import the file and export it again, which writes floats and plain joint numbers.",
        maya: "The exporter chose the format: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes formats that glTF allows.",
    }

    ClipMovesNothing = 60, Warning, "Clip that moves nothing" {
        meaning: "No key of the clip differs from the rest pose, or from the stored weights of morph targets, by more than a hundred thousandth, in lengths of the character's size in the world; or none of its channels is played.",
        why: "Every key is the same as the rest pose, or no channel can be played.",
        advice: "Remove the clip, or check that the animation was baked into the export.",
        blender: "Check that the action moves bones with Deform on. Where controls move them, use Pose > Animation > Bake Action with Visual Keying first.",
        maya: "Select the joints and use Key > Bake Animation, or switch on Bake Animation in the FBX options: keys of controls are not those of joints.",
    }
    KeyTimesOrder = 61, Error, "Key times out of order" {
        meaning: "The times of a channel fall from one key to the next, or are not finite; in FBX, a key is at a time that is not finite or further than 262,144 s from the beginning. The channel, or of an FBX the key, is not played here.",
        why: "Times must rise from key to key; players skip keys, stall or refuse the clip otherwise. Such a channel is not played here; of an FBX, keys at such times are left out.",
        advice: "Sort the keys.",
        blender: "Actions of Blender are sorted, so another program or a script wrote the file. Export the action again from its source.",
        maya: "Curves of Maya are sorted, so the exporter wrote the times: use Key > Bake Animation on the joints, and export FBX.",
    }
    ChannelSkipped = 62, Error, "Channel of a clip left out" {
        meaning: "A channel names a node, a sampler or a property that does not exist or is not read, or its values cannot be read or are not finite. In FBX it may move something other than nodes and blend shapes. That, and properties that extensions of glTF define, is a warning.",
        why: "A part of the clip is not played.",
        advice: "See the reason; bake the animation and export again.",
        blender: "Use Pose > Animation > Bake Action, and delete channels of other properties in the Dope Sheet before the export.",
        maya: "Use Key > Bake Animation, and delete the curves of attributes that no engine plays in the Graph Editor.",
    }
    QuaternionFlip = 63, Note, "Quaternion changes sign between keys" {
        meaning: "Two neighbouring rotation keys have quaternions of opposite sign, between which values are interpolated.",
        why: "The rotation is the same, but a player that does not take the shorter way spins the joint once around between the two keys.",
        advice: "Make neighbouring keys agree in sign before export.",
        blender: "Use Pose > Animation > Bake Action, which gives neighbouring quaternion keys the same sign, and export again.",
        maya: "Joints of Maya have angles, of which the exporter made quaternions: use Curves > Euler Filter in the Graph Editor and Key > Bake Animation, and export again.",
    }
    KeysNotUnit = 64, Error, "Rotation keys not of unit length" {
        meaning: "The length of a rotation key is off 1 by more than 0.0077, the most that rounding to 8 bits causes.",
        why: "Players that do not normalise scale or shear the joint while the clip plays.",
        advice: "Normalise the quaternions of the keys.",
        blender: "W, X, Y and Z that were edited one by one lose their length. Export with Animation > Sampling Animations on, which writes what the viewport shows.",
        maya: "The exporter wrote the quaternions: export FBX with Bake Animation on, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes them normalised.",
    }

    KeyTimesRepeat = 65, Error, "Keys at one time" {
        meaning: "A channel has two keys or more at one time, so that its value jumps there.",
        why: "glTF wants each key later than the one before. This viewer jumps there: before the time the first of the keys holds, from it on the last. Others may divide by zero or show either.",
        advice: "Move one of the keys, or remove the one that is not meant.",
        blender: "For a jump, set the key before to Key > Interpolation Mode > Constant in the Dope Sheet, and delete one of the keys at the same frame.",
        maya: "For a jump, use Tangents > Stepped in the Graph Editor on the key before, and delete one of the keys at the same frame.",
    }
    ChannelsTwice = 66, Error, "Two channels with one target" {
        meaning: "A clip has two channels or more for one property of one node. The last one is played here.",
        why: "glTF allows one channel for a property of a node in a clip. Programs play the first, the last, or a mixture.",
        advice: "Remove one of the channels.",
        blender: "One action has one curve for each value, so the exporter merged several: push only the strips that belong together in the Nonlinear Animation editor, or bake by NLA > Bake Action.",
        maya: "Merge animation layers by Layers > Merge Layers, and export again.",
    }
    LateStart = 67, Note, "Clip with a long static beginning" {
        meaning: "The first key of all channels is later than half a second. `rigscope motion --seams` leaves the time before it out.",
        why: "Before its first key the clip stands still: it takes that long until something moves, and loops pause there.",
        advice: "Shift the keys so that the first one is at 0 s, and export again.",
        blender: "Select all keys in the Dope Sheet and move them by Key > Transform > Move so that the first is at the start frame, or limit the frame range of the action.",
        maya: "Select all keys in the Graph Editor and move them so that the first is at the start of the range, or set Start in the options of the export.",
    }
    MatrixAnimated = 68, Error, "Channel that moves a node with a matrix" {
        meaning: "A channel targets translation, rotation or scale of a node that has a `matrix`.",
        why: "glTF animates translation, rotation and scale alone. Programs that keep the matrix do not move the node.",
        advice: "Store the node's transform as translation, rotation and scale.",
        blender: "Import the file and export it again, which writes translation, rotation and scale.",
        maya: "FBX keeps channels and no matrix: export FBX, and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes animated nodes without a matrix.",
    }

    ImageMissing = 70, Error, "Image missing" {
        meaning: "A texture names no image, one that is not beside the model, an address, a place outside of the model's folder, or a pointer of Git LFS.",
        why: "The texture's image is not there, so a checker is shown in its place.",
        advice: "Put the image beside the model, or embed it in the file.",
        blender: "Use File > External Data > Find Missing Files, and export as glTF Binary (.glb), or FBX with Path Mode: Copy and Embed Textures on.",
        maya: "Mend the paths in Windows > General Editors > File Path Editor, and export FBX with Embed Media on.",
    }
    TextureReplaced = 71, Warning, "Texture not read" {
        meaning: "An image is there, but is not PNG, JPEG, WebP or KTX2, is broken, or takes too much memory.",
        why: "The image is there but cannot be decoded, so a checker is shown in its place.",
        advice: "Save the image as PNG or baseline JPEG, with at most 8192 pixels a side.",
        blender: "Open it in the Image Editor, use Image > Save As with File Format: PNG, and export again.",
        maya: "Save the image as PNG or JPEG in an image editor, and name that file as Image Name of the file node in the Attribute Editor.",
        rigscope: "Where memory is the reason, raise `--memory-limit MIB`.",
    }
    ImageShrunk = 72, Note, "Image larger than any picture" {
        meaning: "An image has more than 8192 pixels along a side. It is kept with fewer.",
        why: "It is shown and baked with fewer pixels, so that it does not take gigabytes; engines do the same or fail.",
        advice: "Save the image with at most 8192 pixels a side.",
        blender: "In the Image Editor, use Image > Resize and Image > Save, and export again.",
        maya: "Maya leaves image files as they are: make the file smaller in an image editor, and press Reload on the file node.",
    }

    UnusualUnit = 80, Note, "Unit other than the centimetre" {
        meaning: "The FBX file counts lengths in another unit than centimetres. They are converted to metres here.",
        why: "The file says in which unit its lengths are. Programs that take every FBX file for centimetres show it too large or too small.",
        advice: "Nothing, unless the target program shows another size; then export in centimetres.",
        blender: "In File > Export > FBX, Apply Scalings: All Local keeps the file in centimetres. FBX Units Scale and FBX All change its unit.",
        maya: "In the FBX options, Advanced Options > Units > File units converted to: Centimeters. The scene's own unit is in Preferences > Settings.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes metres, the only unit of glTF.",
    }
    SeveralSkins = 81, Warning, "Mesh with several skins" {
        meaning: "A mesh of an FBX file has two skin deformers or more. Their weights are added up here.",
        why: "The weights of all skins are added up here. Most engines take the first skin and drop the others.",
        advice: "Bake the skins into one before export.",
        blender: "Join the armatures by Object > Join, keep one Armature modifier on the mesh, and export again.",
        maya: "Bind a copy of the mesh to all joints, use Skin > Copy Skin Weights or the Bake Deformer Tool (`BakeDeformerTool`), and export the copy.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes one skin with the weights added up.",
    }
    ClusterWithoutJoint = 82, Error, "Weights without a joint" {
        meaning: "A cluster, the weights of one joint in an FBX file, is connected to no node.",
        why: "A cluster of a skin names no node, so the weights in it are lost: vertices follow their other joints, or none.",
        advice: "Restore the joint, or remove its influence and normalise the weights.",
        blender: "Import the file, look for vertex groups that have no bone of their name, add or rename the bone, and use Weights > Normalize All.",
        maya: "Get the joint back from an earlier scene and bind again. Delete joints only after Skin > Edit Influences > Remove Influence.",
    }
    BindPosesDiffer = 83, Warning, "Bind poses that contradict each other" {
        meaning: "The bind pose in the FBX file puts joints elsewhere than the clusters of its skins, which count here.",
        why: "The file's bind pose puts joints elsewhere than its skins do. Programs that take the one deform otherwise than those that take the other.",
        advice: "Go to the bind pose, bind again or reset the bind pose, and export.",
        blender: "Blender writes the two alike: import the file, see whether the mesh lies right on the bones in Edit mode, and export it again.",
        maya: "Where Skin > Go to Bind Pose deforms the mesh, put the joints where the skin fits, and run `dagPose -reset -bindPose` on them in the Script Editor.",
    }
    ScaleNotInherited = 84, Warning, "Scale that children do not inherit" {
        meaning: "A joint does not take part in the scale of its parent, as with Segment Scale Compensate of Maya.",
        why: "The file's program undoes the scale of a joint in its children. Engines know only children that scale with their parent.",
        advice: "Switch scale compensation off, or bake the scale away, before export.",
        blender: "Set Inherit Scale to Full in Bone properties > Relations, or keep all bones at scale 1, and export again.",
        maya: "Switch off Segment Scale Compensate in the Attribute Editor, section Joint, of all joints, or keep them at scale 1.",
    }
    RotationOrder = 85, Note, "Order of rotation other than XYZ" {
        meaning: "A node's rotation order is not FBX's XYZ, which is ZYX in the Joint panel, or it is spherical, which is read as XYZ.",
        why: "Rigscope reads it correctly; programs that read three angles without their order rotate the joint differently.",
        advice: "Nothing, unless the target program shows another pose; then bake to XYZ.",
        blender: "Nothing has to be done for glTF, which has quaternions. For angles, set the Rotation Mode to XYZ Euler in the sidebar (N), tab Item, and bake the action.",
        maya: "`xform -preserve true -rotateOrder xyz` on the selected joints changes the order and keeps the pose. Bake keyed joints afterwards.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes quaternions, which have no order.",
    }
    NotEvaluated = 86, Warning, "Constraint or deformer not evaluated" {
        meaning: "The FBX file has constraints, IK, deformers or caches that move nodes or vertices. They are not run here, nor in engines.",
        why: "The file's program moves nodes or vertices by something that no clip holds, so they move less here and in engines.",
        advice: "Bake what it does into keys, joints or blend shapes before export.",
        blender: "Use Pose > Animation > Bake Action with Visual Keying and Clear Constraints. Apply other modifiers, or turn them into shape keys by Apply as Shape Key.",
        maya: "Use Key > Bake Animation on the joints, and the Bake Deformer Tool (`BakeDeformerTool`) for deformers. Or switch on Bake Animation in the FBX options.",
    }
    Repaired = 87, Warning, "Broken part repaired" {
        meaning: "A part of the FBX file is not as the format wants it, such as a connection to nothing. The reader mended or skipped it.",
        why: "A part of the file is not in the form that FBX has. Stricter programs refuse the whole file.",
        advice: "Export the file again, and report the fault to the exporter's makers.",
        blender: "Import the file and export it again, as FBX or glTF.",
        maya: "Open the file, remove what is unknown by File > Optimize Scene Size, and export it with the current FBX plug-in.",
        rigscope: "`rigscope convert IN.fbx -o OUT.glb` writes what was read as valid glTF.",
    }

    ContractMissing = 90, Error, "Joint of the contract missing" {
        meaning: "The settings of the project, `[skeleton]` in `rigscope.toml`, demand a node of this name, and the file has none.",
        why: "Every file of the project must have the joint: clips, attachments or code look for it by name.",
        advice: "Add the joint, or correct its name.",
        blender: "Rename the bone by F2, which renames its vertex group too, or add it. Export Deformation Bones Only leaves out bones with Deform off.",
        maya: "Rename the joint in the Outliner, without a namespace (Windows > General Editors > Namespace Editor), and export the whole skeleton.",
    }
    ContractParent = 91, Error, "Joint below another node than the contract's" {
        meaning: "The nearest node above the joint is not the one that `[skeleton]` in `rigscope.toml` names.",
        why: "What moves the contract's parent does not move this joint, so shared clips look wrong.",
        advice: "Put the joint below the node that the contract names.",
        blender: "In Edit mode, select the bone, then its parent, and use Armature > Parent > Make > Keep Offset. The armature's own node counts, unless Remove Armature Object is on.",
        maya: "Put the joint below its parent by Edit > Parent. Groups above the root count too: take them away by Edit > Ungroup.",
    }
    ContractRest = 92, Error, "Rest pose unlike the contract's" {
        meaning: "A joint's rest pose is off that of the contract by more than the tolerance: 1 mm, 0.5° and 0.001 in scale, unless `rigscope.toml` says otherwise.",
        why: "Clips made on the contract's skeleton put the joint elsewhere, or shift it when they begin.",
        advice: "Export with the contract's rest pose, or widen the tolerance if the difference is meant.",
        blender: "Take the armature from the contract's file by File > Append and bind the mesh to it. Head, Tail and Roll of a bone are in the sidebar (N), tab Item, in Edit mode.",
        maya: "Take the skeleton from the contract's file by File > Import and bind the mesh to it. Joint Orient is part of the rest pose, in the Attribute Editor, section Joint.",
    }
    ContractOther = 93, Error, "Joint that the contract does not name" {
        meaning: "A skin has a joint that the contract does not name, and `rigscope.toml` says `others = false`.",
        why: "The project lets no file have joints of its own: shared skeletons and retargeting would not know it.",
        advice: "Remove the joint, add it to the contract, or let the contract allow others.",
        blender: "Switch Deform off for the bone and export with Export Deformation Bones Only, or delete it in Edit mode by Armature > Delete > Bones.",
        maya: "Use Skin > Edit Influences > Remove Influence, then Skeleton > Remove Joints, which keeps what is below.",
    }
    ContractAmbiguous = 94, Error, "Joint of the contract several times" {
        meaning: "Several nodes have the name of a joint of the contract.",
        why: "What looks for the joint by name takes one of them, and which one differs from program to program.",
        advice: "Rename all but one.",
        blender: "An object may have the name of a bone: rename the object by F2, and export one armature alone.",
        maya: "`select -r \"*NAME\"` in the Script Editor selects all of that name. Rename all but one in the Channel Box.",
    }
    JointsOverLimit = 95, Error, "More joints than the limit" {
        meaning: "A skin has more joints than `joints` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        why: "The project's target cannot hold the palette, or it costs more than was planned.",
        advice: "Remove joints that move nothing, or split the mesh.",
        blender: "Switch Deform off for bones that move nothing. To drop others, give their weights to the parent by a Vertex Weight Mix modifier with Vertex Set: All and Mix Mode: Add.",
        maya: "Use Skin > Edit Influences > Remove Unused Influences, then Remove Influence for joints whose weight may go to others.",
    }
    InfluencesOverLimit = 96, Error, "More influences on a vertex than the limit" {
        meaning: "A vertex follows more joints than `influences` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        why: "The project's target drops the lightest ones, which changes how the skin bends.",
        advice: "Limit the weights before export, for example with `rigscope weights --max`.",
        blender: "In Weight Paint mode, use Weights > Limit Total with the number that is allowed, then Weights > Normalize All.",
        maya: "Use Skin > Edit Influences > Set Max Influences with the number that is allowed.",
        rigscope: "`rigscope weights IN.glb --max N -o OUT.glb` keeps the N heaviest of each vertex.",
    }
    VerticesOverLimit = 97, Error, "More vertices than the limit" {
        meaning: "The meshes have more vertices than `vertices` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows. At seams of normals, texture coordinates and materials they are stored twice.",
        why: "Each is skinned in every frame: the file costs more than was planned.",
        advice: "Reduce the meshes, or remove what is not seen.",
        blender: "Add a Decimate modifier, have fewer UV seams and sharp edges, and export without hidden objects: Include > Limit to > Visible Objects.",
        maya: "Use Mesh > Reduce, delete faces that nobody sees, and use Mesh Display > Soften Edge, as hard edges store vertices twice.",
    }
    MorphOverLimit = 98, Error, "Morph target moves more vertices than the limit" {
        meaning: "A morph target moves more vertices than `morph-vertices` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        why: "Memory and time of a morph target grow with the vertices that it moves.",
        advice: "Split what it moves into a mesh of its own, or remove offsets too small to see.",
        blender: "In Edit mode, separate the part that moves by Mesh > Separate > Selection. Small offsets elsewhere go by Vertex > Blend from Shape with Shape: Basis, Blend 1 and Add off.",
        maya: "Cut the part that moves off by Edit Mesh > Extract before targets are made, or paint offsets elsewhere to 0 by Deform > Paint Weights > Blend Shape.",
    }
    RuleBroken = 99, Error, "Rule of a profile not met" {
        meaning: "A rule of a profile, that of a platform or of the project, is not met. The finding bears the name PROFILE/RULE, such as vrchat-pc/triangles, and says what to do.",
        why: "A platform or the project itself allows no more, as the profile says.",
        advice: "See the rule by `rigscope profiles NAME`.",
        blender: "Viewport Overlays > Statistics counts triangles. Fewer come by a Decimate modifier, fewer materials by Object > Join and one texture for all parts.",
        maya: "Display > Heads Up Display > Poly Count counts triangles. Fewer come by Mesh > Reduce, fewer materials by Mesh > Combine and one texture for all parts.",
        rigscope: "`rigscope profiles NAME` prints the rules with their sources, `rigscope check FILE --profile NAME` judges a file.",
    }

    AgainstRule = 101, Error, "Rule of glTF broken" {
        meaning: "A part of the file breaks a rule of glTF that does not matter here: bounds of accessors, alignment, strides, formats of keys, lists that repeat an entry. The finding names the rule and the first part.",
        why: "The part is read here. Stricter programs refuse the file, read it slower, or read something else.",
        advice: "Export the file again, and report the fault to the exporter's makers.",
        blender: "Import the file and export it again by File > Export > glTF 2.0.",
        maya: "Export the scene again with the newest version of the glTF exporter (Maya2glTF, Babylon.js), or as FBX and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes a file that keeps the rules.",
    }
    SceneRootBelow = 102, Error, "Root of a scene that is below another node" {
        meaning: "A scene of the file lists a node that is a child of another node.",
        why: "A scene lists topmost nodes. Programs place such a node twice, take it from its parent, or refuse the file.",
        advice: "List the topmost node above it instead.",
        blender: "Import the file and export it again, which lists topmost objects.",
        maya: "The exporter wrote the list: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX and use `rigscope convert`.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` lists topmost nodes.",
    }
    StrayMesh = 103, Note, "Mesh that nothing moves beside a skinned one" {
        meaning: "The file has skinned meshes, and at most three without a material, or called as Blender calls new ones, such as `Icosphere`, that hang on no joint and are moved by no clip or constraint.",
        why: "It hangs on no joint and stays behind when the character moves. Exporters leave helpers behind so, such as the shapes of bones.",
        advice: "Remove the mesh if it is a helper; else bind it to the skeleton, or put it below a joint.",
        blender: "Delete the object, or hide it and export with Include > Limit to > Visible Objects. Custom shapes of bones belong into a collection that is not exported.",
        maya: "Delete the object in the Outliner, or select what belongs to the character and use File > Export Selection.",
    }

    HeavyOutsideFirst = 110, Warning, "Heavy weights outside the first four as stored" {
        meaning: "Of the weights of a vertex, in the order in which the file stores them, one beyond the first four is heavier than one of those.",
        why: "Engines that read one set of weights take the first four slots in the file's order and lose the heavier ones behind them.",
        advice: "Store the influences of each vertex by falling weight, so that the heaviest four are in the first set.",
        blender: "Weight Paint > Weights > Limit Total to 4, then Normalize All, and export again: the glTF exporter writes the heaviest influences first.",
        maya: "Skin > Edit Influences > Set Max Influences to 4, and export again with an exporter that sorts influences.",
        rigscope: "`rigscope convert IN.glb -o OUT.glb` writes the heaviest influences first; `rigscope weights IN.glb --max 4 -o OUT.glb` keeps four.",
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

    ClipMissing = 163, Error, "Clip of the contract missing" {
        meaning: "A `[[clips]]` table of `rigscope.toml` says `must_exist = true`, and no clip of the file has such a name, compared as a whole.",
        why: "Every file of the project must have the clip: code looks for it by name.",
        advice: "Export the clip, or correct its name.",
        blender: "Name the action, or its NLA track, as the table says, and stash it in the Action Editor: actions without a track are not exported.",
        maya: "Name the clip in File > Game Exporter, tab Animation Clips, as the table says, with its frame range.",
    }
    ClipUnmatched = 164, Note, "Demand on clips that no clip meets by name" {
        meaning: "A `[[clips]]` table of `rigscope.toml` is for clips of another name than those of the file, so it checks nothing here.",
        why: "The project demands something of clips with such a name, and this file has none: nothing is checked.",
        advice: "Correct the name of the clip or of the demand; where every file must have the clip, say must_exist = true.",
        blender: "Compare the pattern with the names of actions and NLA tracks: a copy has .001 behind its name.",
        maya: "Compare the pattern with the file's clips: FBX calls a take Take 001 where nothing else names it.",
    }
    ClipUndecided = 165, Warning, "Demand on a clip that cannot be judged" {
        meaning: "The file does not have what a demand on its clip needs, such as feet, a root or a skin. The finding says what.",
        why: "The project demands it, but the file does not tell: the clip has not passed.",
        advice: "See the reason; mend what is missing, or take the demand away from this clip.",
        blender: "Give feet and toes names that tell what they are, such as foot.L and toe.L, or set the humanoid bones in the VRM add-on, and export the mesh with the clip.",
        maya: "Give joints names that tell what they are, such as LeftFoot and LeftToeBase, and export the mesh with the clip.",
    }
    ClipSeam = 166, Error, "Clip does not loop" {
        meaning: "Where the clip ends, a joint is turned by more than `max_seam_deg` (1°) from where the clip began, or a vertex is farther off than `max_gap_mm` (1.75 % of the height).",
        why: "The project demands that the clip goes on where it ends; here the character jumps each time it begins again.",
        advice: "Make the last frame the same as the first, and export that frame too; see rigscope motion --seams.",
        blender: "Copy the pose of the first frame by Pose > Copy Pose, paste it at the last by Pose > Paste Pose, and export that frame too.",
        maya: "Copy the keys of the first frame to the last in the Graph Editor, and look at the loop with Curves > Post Infinity > Cycle. Export that frame too.",
        rigscope: "`rigscope motion FILE --seams` says which joint, by how much, and how the ends differ.",
    }
    ClipRoot = 167, Error, "Clip moves or stays against its contract" {
        meaning: "The table says `root = \"in-place\"`, and the root ends elsewhere than it began, or `root = \"moving\"`, and it does not.",
        why: "Code that moves the character moves it twice where the clip moves it too, and not at all where neither does.",
        advice: "Take the way out of the root, or leave it in, and export again.",
        blender: "In the Graph Editor, flatten or restore the Location curves of the root bone. The way belongs on the bone, not on the hips or the armature object.",
        maya: "In the Graph Editor, flatten or restore the Translate curves of the root joint. The way of a group or a control is baked onto it by Key > Bake Animation.",
        rigscope: "`rigscope motion FILE --seams` says how far the clip goes.",
    }
    ClipFootSlide = 168, Error, "Foot slides more than the limit" {
        meaning: "While a foot is on the floor, it slides farther in one contact than `max_foot_slide_mm` allows.",
        why: "A foot on the floor stands still. What slides looks like ice, and the more so the nearer the camera is.",
        advice: "Pin the foot while it is on the floor; see rigscope motion --feet.",
        blender: "Pin the foot by a Bone Constraint, Inverse Kinematics, to a target that stands still in the contact, then use Pose > Animation > Bake Action with Visual Keying.",
        maya: "Pin the foot by an IK handle (Skeleton > Create IK Handle) that has the same keys all through the contact, then use Key > Bake Animation on the joints.",
        rigscope: "`rigscope motion FILE --feet` says which foot slides, when and how far.",
    }
    ClipTiming = 169, Error, "Rate or length of a clip against its contract" {
        meaning: "The rate of the clip's keys is not `fps`, or its length is not from `min_seconds` to `max_seconds`.",
        why: "The project plays or blends the clip at another rate, or has no room for one of this length.",
        advice: "Export the clip at the rate and length that are asked for.",
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
        why: "The joint and its end are at one place, so that the joint has no direction: it does not swing here, and other programs turn it at random.",
        advice: "Leave the joint out of the chain, or move it away from the next one.",
        blender: "In Edit mode, move the next bone of the chain away, or take the joint out of the spring in the VRM add-on's panel.",
        maya: "Move the next joint of the chain away before the mesh is bound, or leave the joint out of the spring in Unity.",
    }
    SpringShared = 172, Warning, "Joint in two springs" {
        meaning: "A joint is in two springs of a VRM.",
        why: "Each spring turns the joint its own way. The first counts here; in other programs the last, or both in turn.",
        advice: "Take the joint out of one of the springs.",
        blender: "In the VRM add-on's panel of the sidebar (N), under Spring Bone, remove the joint from all springs but one.",
        maya: "In Unity, remove the joint from all springs but one. In VRM 0 a root bone takes all joints below it along.",
    }
    SpringTooThick = 173, Note, "Hit radius larger than the chain" {
        meaning: "The hit radius of a spring's joint is larger than the joints of its chain are long together.",
        why: "Around the end of the joint more is kept out of colliders than its whole chain is long: colliders beside the chain push it already.",
        advice: "Enter a smaller hit radius; it is in metres.",
        blender: "In the VRM add-on's panel of the sidebar (N), under Spring Bone, enter a smaller Hit Radius, in metres.",
        maya: "In Unity, enter a smaller radius on the spring's joint. A value meant in the centimetres of Maya is 100 times too large.",
    }
    TwistWithoutConstraint = 174, Note, "Twist helper without a constraint" {
        meaning: "A joint that moves vertices, lies at most four joints below an arm, hand or leg, and has a word such as twist in its name, has neither a constraint nor rotation keys, in a VRM 1.0 or a file that has constraints.",
        why: "The joint's name says that it spreads the twist of a limb. The file's other joints are turned by constraints or may be, and nothing turns this one: its skin twists as sharply as without it.",
        advice: "Give the joint a roll constraint on the joint that twists, or key it in the clips.",
        blender: "Add a Copy Rotation constraint along the bone's own axis with an Influence of about 0.5, its target the bone that twists. The VRM add-on exports it as a roll constraint.",
        maya: "Turn the joint by Constrain > Orient with a weight of about 0.5 and use Key > Bake Animation, or add a roll constraint of UniVRM in Unity.",
    }
    HumanBoneTwice = 175, Error, "Humanoid bone declared twice" {
        meaning: "`humanBones` of VRM 0 has two entries or more for one bone.",
        why: "Programs take the first or the last of the nodes, so that poses and clips move another joint.",
        advice: "Leave one declaration of each bone.",
        blender: "Assign each bone once in the panel VRM > Humanoid of the VRM add-on, and export the VRM again.",
        maya: "Maya does not write VRM. In Unity, set the humanoid bones in the import settings of the model, tab Rig, and export by UniVRM again.",
    }
    VrmShape = 176, Error, "List or object of VRM in the place of the other" {
        meaning: "The data of VRM, VRMC_vrm or VRMC_springBone has a list where its specification has an object, or an object where it has a list.",
        why: "What stands there is not read: bones, expressions or springs are missing, or the file is refused.",
        advice: "Export the file again with a current exporter of VRM.",
        blender: "Export the file again with the newest version of the VRM add-on.",
        maya: "Maya does not write VRM: export the file again with the newest version of UniVRM, and look for a script that edits the JSON afterwards.",
    }

    SuppressionUnusable = 180, Warning, "Suppression that cannot be used" {
        meaning: "In the `extras` of the asset, a node or a mesh, an entry of `allow` in `rigscope` has no text as its reason or names no code; or there are more than 1000.",
        why: "The file suppresses findings without a reason, or by a code that there is not: they count as before, and nobody knows why they were meant.",
        advice: "Write the reason beside the code, correct the code, or take the suppression out.",
        blender: "Under Custom Properties, edit `rigscope` on the object, bone or mesh: `allow` is a dictionary with a code and a reason in each entry.",
        maya: "Edit the `extras` in the file as text, or what your exporter writes there: `allow` is an object whose keys are codes and whose values are reasons.",
    }
    SuppressionStale = 181, Note, "Suppression of what is not found" {
        meaning: "An entry of `allow` in `extras` names a code of which there is no finding about the file, the node or the mesh that has the entry.",
        why: "What the file suppresses was mended since, or moved: if it comes back, nobody will see it.",
        advice: "Take the suppression out.",
        blender: "Under Custom Properties, take the entry out of `rigscope` on the object, bone or mesh, or the property if it was the last.",
        maya: "Take the entry out of the `extras` in the file, or out of what your exporter writes there.",
    }
}

impl Code {
    /// Reason why findings of this code matter, a sentence or more.
    pub fn why(self) -> &'static str {
        self.explanation().why
    }

    /// Advice on findings of this code, a sentence or more.
    pub fn advice(self) -> &'static str {
        self.explanation().advice
    }

    /// Severity in formats other than glTF, which lack the rule or whose importers fix the fault.
    pub fn severity_outside_gltf(self) -> Severity {
        match self {
            Self::WeightSum => Severity::Note,
            Self::NoCommonRoot | Self::RepeatedJoint | Self::KeysBeforeStart => Severity::Warning,
            _ => self.severity(),
        }
    }

    /// True if only the rules of a project cause such findings.
    pub fn is_demand(self) -> bool {
        matches!(self as u16, 90..=98 | 163..=169)
    }

    /// Name of the code, such as `RIG012`.
    pub fn id(self) -> String {
        format!("RIG{:03}", self as u16)
    }

    /// Headings and texts of the explanation, in reading order.
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

    /// All sections as plain text, one paragraph each.
    pub fn plain_text(self) -> String {
        self.paragraphs("", ": ")
    }

    /// All sections as Markdown, one paragraph each.
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

    #[test]
    fn every_code_is_explained_in_whole_sentences_and_no_two_alike() {
        let mut texts: BTreeMap<&str, Code> = BTreeMap::new();
        for &code in Code::ALL {
            let headings: Vec<&str> = code.sections().iter().map(|(heading, _)| *heading).collect();
            let most = ["What it means", "Why it matters", "What to do", "In Blender", "In Maya", "In Rigscope"];
            assert!(headings.len() >= 5 && most.starts_with(&headings), "{code}: {headings:?}");
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
    fn markup_is_all_that_tells_the_forms_of_an_explanation_apart() {
        let code = Code::WeightSum;
        let (plain, markdown) = (code.plain_text(), code.markdown());
        assert_eq!(markdown.replace("**", ""), plain);
        assert!(markdown.starts_with("**What it means:** The weights of a vertex "), "{markdown}");
        assert_eq!(plain.split("\n\n").count(), 6);
    }
}
