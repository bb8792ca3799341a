//! What each lint code means and how it is mended, at length. The only source for `rigscope explain`, SARIF, the Lint panel and the guide's page of codes.

use super::Code;

/// What the table of [`Code`] leaves open about a code: when it is found, and what mends it in programs that make rigs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What was found, with the thresholds.
    pub meaning: &'static str,
    /// What to do in Blender 4, with the names of its menus.
    pub blender: &'static str,
    /// What to do in Maya, with the names of its menus.
    pub maya: &'static str,
    /// What Rigscope itself does about it; `None` where only the program that made the rig can.
    pub rigscope: Option<&'static str>,
}

macro_rules! explanations {
    ($($code:ident: $meaning:literal, $blender:literal, $maya:literal $(, $rigscope:literal)?;)*) => {
        impl Code {
            /// What the code means, and how it is mended in Blender, in Maya and by Rigscope.
            pub fn explanation(self) -> Explanation {
                match self {
                    $(Self::$code => Explanation {
                        meaning: $meaning, blender: $blender, maya: $maya, rigscope: explanations!(@optional $($rigscope)?),
                    },)*
                }
            }
        }
    };
    (@optional) => { None };
    (@optional $text:literal) => { Some($text) };
}

impl Code {
    /// Headings and texts of all that is known of the code, in the order in which they are read.
    pub fn sections(self) -> Vec<(&'static str, &'static str)> {
        let Explanation { meaning, blender, maya, rigscope } = self.explanation();
        let mut sections = vec![
            ("What it means", meaning),
            ("Why it matters", self.why()),
            ("What to do", self.advice()),
            ("In Blender", blender),
            ("In Maya", maya),
        ];
        sections.extend(rigscope.map(|text| ("In Rigscope", text)));
        sections
    }

    /// All sections as one text, each a paragraph that begins with its heading.
    pub fn plain_text(self) -> String {
        self.paragraphs("", ": ")
    }

    /// All sections in Markdown, each a paragraph that begins with its heading in bold.
    pub fn markdown(self) -> String {
        self.paragraphs("**", ":** ")
    }

    fn paragraphs(self, before: &str, after: &str) -> String {
        let paragraph = |(heading, text)| format!("{before}{heading}{after}{text}");
        self.sections().into_iter().map(paragraph).collect::<Vec<_>>().join("\n\n")
    }
}

explanations! {
    ExtensionRequired:
        "The file lists an extension of glTF as required that Rigscope does not read.",
        "Export again with the option switched off that adds the extension, such as Data > Scene Graph > GPU Instances in File > Export > glTF 2.0.",
        "Switch the extension off in the glTF exporter (Maya2glTF, Babylon.js), or export FBX by File > Export Selection, which has no extensions, and use `rigscope convert`.";
    ExtensionIgnored:
        "The file uses an extension of glTF that Rigscope does not read, or reads in part. The finding says what is missing.",
        "Nothing has to be done. To do without the extension, reset what it stands for before the export, such as Anisotropic or Transmission of the Principled BSDF.",
        "Nothing has to be done. To do without the extension, simplify the shader in the Hypershade, or switch the extension off in the glTF exporter (Maya2glTF, Babylon.js).";
    DataMissing:
        "A buffer, which holds vertices, weights and keys, is not where the file says, or is shorter than it says.",
        "Export again as glTF Binary (.glb) in File > Export > glTF 2.0, which is one file. With glTF Separate, keep the .bin beside the .gltf.",
        "Copy the .bin that the glTF exporter (Maya2glTF, Babylon.js) wrote together with its .gltf, or export the scene again. An FBX file has its meshes within it.";
    Malformed:
        "A mesh, material, clip, scene, humanoid bone, spring or reference is not in the form that glTF or VRM defines, and was left out.",
        "Import the file by File > Import > glTF 2.0, look for what is missing, and export it again.",
        "Export the scene again with the newest version of the glTF exporter (Maya2glTF, Babylon.js), or as FBX by File > Export All.",
        "`rigscope convert IN.glb -o OUT.glb` writes a valid file without the part.";
    TrailingBytes:
        "There are bytes behind the length that the header of the .glb file states. They are ignored here.",
        "Import the file and export it again as glTF Binary (.glb).",
        "Export the scene again. Where the bytes come back, the step that copies, packs or signs the file afterwards adds them.",
        "`rigscope convert IN.glb -o OUT.glb` writes the file without them.";
    NotShown:
        "The file has lights, further scenes, hidden meshes, levels of detail, properties of materials or other things that are not drawn here. The finding names them.",
        "Nothing has to be done. To export less, use Include > Limit to > Visible Objects and switch off Punctual Lights in File > Export > glTF 2.0.",
        "Nothing has to be done. To export less, select only the meshes and joints that the engine is to have, and use File > Export Selection.";
    OutsideScene:
        "A node with a mesh is in no scene of the file, or the default scene has no mesh at all, so that all nodes are shown instead.",
        "Put the object into the scene that is exported by Object > Link/Transfer Data > Link Objects to Scene, and export from there.",
        "A file of Maya has one scene, so the exporter lost the node: show it by Display > Show > All, export again, and update the glTF exporter (Maya2glTF, Babylon.js) where it is still lost.";
    MoreFindings:
        "More was found than is listed: at most 200 findings of a code, and 1,000 warnings about reading. The others are counted.",
        "Look for the one cause of many findings, such as an unapplied scale or a script. Mend it, export, and check again.",
        "Mend what is listed, which often has a single cause such as one wrong option of the exporter, and check again.";
    TransformUnusable:
        "A translation, rotation, scale or matrix of a node has numbers that are not finite, or a quaternion of length 0. It counts as absent here.",
        "Clear the transform by Object > Clear, for a bone by Pose > Clear Transform > All, and look for the driver that writes it in the Drivers Editor.",
        "Type valid numbers into the Channel Box, and look for the expression that writes others in Windows > Animation Editors > Expression Editor.",
        "`rigscope convert IN.glb -o OUT.glb` writes the node without what is wrong.";

    WeightSum:
        "The weights of a vertex add up to a sum that is off 1 by more than 0.001. In FBX, where programs divide by the sum when they read a file, this is a note.",
        "Unlock the vertex groups, and in Weight Paint mode use Weights > Normalize All with Subset: Deform Pose Bones and Lock Active off.",
        "Use Skin > Normalize Weights > Enable Weight Normalization, which sets Normalize Weights of the skinCluster to Interactive, so that sums stay 1.",
        "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, divides the weights of each vertex by their sum.";
    WeightZero:
        "A vertex of a skinned mesh has no weight above 0. In glTF it follows the joint of its first slot here, in FBX the node of its mesh.",
        "In Edit mode, Select > Select All by Trait > Ungrouped Vertices finds vertices in no group. Assign them in Object Data properties > Vertex Groups, or in Weight Paint mode by Weights > Assign Automatic from Bones.",
        "Select the vertices and use Skin > Hammer Skin Weights, which gives them weights of their neighbours.",
        "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, computes weights for these vertices alone.";
    WeightInvalid:
        "A weight is negative, infinite or not a number (NaN). It counts as 0 here.",
        "Blender keeps weights from 0 to 1, so another program or a script wrote them. Import the file, use Weights > Clean and Weights > Normalize All in Weight Paint mode, and export.",
        "Find the vertices in Windows > General Editors > Component Editor, tab Smooth Skins, type 0 or more, and enable weight normalization.",
        "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, writes 0 for such weights and makes the others sum to 1.";
    JointOutOfRange:
        "A vertex names a joint by a number that its skin does not have, even with a weight of 0. The weight counts as 0 here.",
        "Blender numbers joints when it exports. Import the file, check that the Armature modifier names the armature that the mesh was weighted for, and export both.",
        "Add the joint that is missing by Skin > Edit Influences > Add Influence, and export mesh and whole skeleton together.",
        "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, drops these influences and makes the others sum to 1.";
    ManyInfluences:
        "Five joints or more have a weight above 0 at a vertex.",
        "In Weight Paint mode, use Weights > Limit Total with Limit 4, then Weights > Normalize All. Or export with Data > Skinning > Bone Influences 4 and Include All Bone Influences off.",
        "Use Skin > Edit Influences > Set Max Influences with 4. For new skins, set Max Influences to 4 in the options of Skin > Bind Skin, with Maintain Max Influences on.",
        "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, keeps the four heaviest of each vertex. `--max N` keeps another number.";
    TinyInfluence:
        "A weight is above 0 and below 1/255, about 0.0039.",
        "In Weight Paint mode, use Weights > Clean with Subset: All Groups and Limit 0.004, then Weights > Normalize All.",
        "Use Skin > Prune Small Weights with Prune Below 0.004.",
        "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, drops such influences. `--prune W` drops those below another weight.";
    RepeatedJoint:
        "A vertex names one joint in two slots, both with a weight above 0.",
        "Blender has one weight for each vertex group and vertex, and its importer need not add the two. Mend the file by Rigscope first, or export it again from its source.",
        "A skinCluster has one weight for each joint and vertex, so an exporter or a script that merges joints made the slots. Leave that step out, or let it add the weights.",
        "`rigscope weights IN.glb --fix -o OUT.glb`, or Fix beside the finding, adds the weights of the slots up.";
    WeightJump:
        "Along an edge, more than three quarters of the weight go from one joint to another that is neither its parent, grandparent, child, grandchild nor sibling, in a mesh whose weights are smooth otherwise.",
        "In Weight Paint mode, switch vertex selection on, select the vertices and use Weights > Smooth, or paint with the Blur brush.",
        "Select the vertices and use Skin > Smooth Skin Weights, or Skin > Paint Skin Weights with the paint operation Smooth.",
        "Edit > Weights > Edit weights (V): select the finding, then Of the finding, and use Smooth or Copy from nearest.";
    WeightIsland:
        "A joint moves a patch of skin that lies more than two edges off the joint's main region on the same piece of the mesh, with at most a tenth of that region's weight and a weight of at least 0.2 somewhere.",
        "In Edit mode, select the patch, choose the joint's group in Object Data properties > Vertex Groups and press Remove. Then use Weights > Normalize All in Weight Paint mode.",
        "Select the vertices of the patch, and set the joint's column to 0 in Windows > General Editors > Component Editor, tab Smooth Skins, with normalization set to Interactive.",
        "Edit > Weights > Edit weights (V): select the finding, then Of the finding, choose the joint, and use Assign with 0.";
    DrawnUnskinned:
        "The mesh's node has a skin, but the mesh has no joints and weights, or they cannot be read. It is drawn where it was modelled.",
        "Give the mesh an Armature modifier and vertex groups named like the bones, both by Object > Parent > With Automatic Weights. Export with Data > Skinning on.",
        "Select joints and mesh and use Skin > Bind Skin. In the FBX options of File > Export Selection, keep Deformed Models and Skins on.";

    InfluenceSetIgnored:
        "A mesh has an attribute `JOINTS_n` without `WEIGHTS_n` of the same number, or the other way round.",
        "Import the file and export it again, which writes both. Rename custom attributes that are called so in Object Data properties > Attributes.",
        "Update the glTF exporter (Maya2glTF, Babylon.js), or export FBX, where one cluster holds both, and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` writes the file without the half.";
    SkinSkipped:
        "A skin has no joints, joints that are not nodes of the file, or more than the 65,536 joints that a vertex can name.",
        "Switch Deform on for the bones that move the mesh (Bone properties), and export the armature together with the mesh.",
        "Select the root of the skeleton together with the mesh before File > Export Selection, so that all influences of the skinCluster are in the file.";
    JointUnused:
        "A joint is in the list of a skin, and no vertex of the meshes that are bound to the skin has a weight above 0 for it.",
        "Switch Deform off for the bone (Bone properties), and export with Data > Armature > Export Deformation Bones Only.",
        "Use Skin > Edit Influences > Remove Unused Influences. The joint stays in the skeleton, as a node that is in no skin.";
    JointOutside:
        "A mesh is in the scene that is shown, and joints of its skin are not.",
        "Put the armature into a collection of the mesh's scene. With Include > Limit to > Selected Objects, select the armature too.",
        "Export the root of the skeleton with the mesh, and show joints that are hidden by Display > Show > All before.",
        "`rigscope convert IN.glb -o OUT.glb` writes one scene with all nodes.";
    NoCommonRoot:
        "The topmost joints of a skin are in trees that no node joins. In FBX, which does not ask for one, this is a warning.",
        "Export with Data > Armature > Remove Armature Object off, as the armature's node lies above all its bones, or add a root bone and make it the parent by Armature > Parent > Make.",
        "Put the roots of the skeleton below one group by Edit > Group, or below one joint by Edit > Parent.",
        "`rigscope convert IN.glb -o OUT.glb` puts a node above them.";
    SeveralRoots:
        "Two joints of a skin or more have no joint of it above them. The node above them all is not a joint.",
        "In Edit mode of the armature, add a bone at the origin, select the topmost bones and it last, and use Armature > Parent > Make > Keep Offset.",
        "Make a joint at the origin by Skeleton > Create Joints, put the topmost joints below it by Edit > Parent, and add it by Skin > Edit Influences > Add Influence with a default weight of 0.";
    ManyJoints:
        "A skin lists more than 256 joints.",
        "Switch Deform off for helpers (Bone properties) and export with Export Deformation Bones Only. Meshes of one armature share a skin: to split it, give each part an armature of its own.",
        "Use Skin > Edit Influences > Remove Unused Influences on each mesh. To split a mesh, use Edit Mesh > Extract, bind the part, and use Skin > Copy Skin Weights.";
    NameRepeated:
        "Two joints of one skin or more have the same name.",
        "Bone names are unique in an armature of Blender, so the file comes from elsewhere or from several armatures. Rename by F2, or many at once by Edit > Batch Rename.",
        "Maya allows one name below different parents. Rename by Modify > Search and Replace Names or Modify > Prefix Hierarchy Names.";
    NameEmpty:
        "The node of a joint has no name.",
        "Bones that came without a name have a made-up one after the import. Name them by F2 and export again.",
        "Every node of Maya has a name, so the exporter left it out: look for an option of the glTF exporter (Maya2glTF, Babylon.js) that shortens or strips names.";

    NoSkin:
        "A mesh has joints and weights, and its node names no skin.",
        "Add an Armature modifier that names the armature, keep the vertex groups, and export both with Data > Skinning on.",
        "Where Edit > Delete by Type > History took the skinCluster away, bind the mesh again by Skin > Bind Skin, and copy weights from an earlier version by Skin > Copy Skin Weights.";

    BindsTooFew:
        "A skin has fewer inverse bind matrices than joints. Those that are missing count as the identity here.",
        "Import the file, see in Edit mode of the armature whether bones lie at the origin, put them right, and export again.",
        "Use Skin > Go to Bind Pose, then Skin > Unbind Skin with History: Keep History in its options, then Skin > Bind Skin, and export with all joints.";
    BindsAbsent:
        "A skin has no inverse bind matrices, as glTF allows. Each counts as the identity.",
        "Blender writes them always: import the file, see whether the mesh lies right on its bones, and export it again.",
        "FBX has them always: export by File > Export Selection with Skins on, and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` writes the identities out.";
    BindsUnreadable:
        "The inverse bind matrices of a skin cannot be read, or have numbers that are not finite. They count as the identity here.",
        "Look for drivers or scripts that give the armature or a bone a transform that is not a number, reset it, and export again.",
        "Look for joints with a scale of 0 in the Channel Box while the skin is in its bind pose, set it to 1, bind again, and export.";
    BindSingular:
        "The determinant of an inverse bind matrix is 0 but for rounding: an axis of the joint had a scale of 0 when it was bound, or two axes were the same.",
        "Look for a scale of 0 of the armature or the mesh in the sidebar (N), tab Item. Set it to 1, use Object > Apply > Scale, and parent the mesh again.",
        "Use Skin > Go to Bind Pose, set Scale X, Y and Z of the joint and of the groups above it to 1, then unbind and bind again.";
    BindNotAffine:
        "The last row of an inverse bind matrix is not 0 0 0 1, the last row of every translation, rotation and scale.",
        "No setting of Blender makes such a matrix. Import the file, compare the rest pose with the original, and export it again.",
        "No joint of Maya has such a matrix, so a plug-in or a script wrote it. Export without it, or as FBX.",
        "`rigscope convert IN.glb -o OUT.glb` writes the last row right and keeps the others.";
    BindScale:
        "A joint's axis in the bind pose is longer or shorter than 1 by more than 1 %.",
        "Use Object > Apply > Scale on the armature and its meshes, which often have 0.01 or 100 after an import of FBX, and export again.",
        "Unbind with History: Keep History, use Modify > Freeze Transformations on the joints and the groups above them, and bind again.";
    BindShear:
        "Two axes of a joint in the bind pose are off a right angle by more than 0.6°.",
        "A scale that differs along the axes, of an object above bones that are turned, shears them: use Object > Apply > Scale on it, and export again.",
        "Look for a group above the skeleton with an uneven scale or with Shear (Attribute Editor, Transform Attributes), freeze it, and bind again.";
    RestUnlikeBind:
        "Relative to its parent joint, a joint at rest is turned by more than 1.1° from the bind pose, or moved by more than half a percent of the rig's size.",
        "Export with Data > Armature > Use Rest Position Armature on. To bind in the pose at hand instead, apply the Armature modifier, use Pose > Apply > Apply Pose as Rest Pose, and add the modifier again.",
        "Use Skin > Go to Bind Pose before the export; where constraints or IK hinder it, use Modify > Evaluate Nodes > Ignore All first.";

    NegativeScale:
        "A joint mirrors at rest: the determinant of its transform is negative.",
        "Bones have no scale at rest, so an object above them is mirrored: use Object > Apply > Scale, then Mesh > Normals > Recalculate Outside. For the other side of a skeleton, use Armature > Symmetrize.",
        "Make the other side by Skeleton > Mirror Joints with Mirror Function: Behavior, which turns joints and does not scale them by -1, and bind again.";
    NonUniformScale:
        "The axes of a joint at rest differ in length by more than 1 %.",
        "Use Pose > Clear Transform > Scale before the export, and Object > Apply > Scale on an armature whose scale differs along its axes.",
        "Set Scale X, Y and Z of the joint to one value in the Channel Box, give the mesh its shape by its vertices, and bind again.";
    RotationNotUnit:
        "The length of a node's quaternion is off 1 by more than 0.0077, the most that rounding to 8 bits causes. It is normalised here.",
        "Blender normalises what it exports: import the file and export it again. A script of your own calls `normalize()` on the quaternion.",
        "Transforms of Maya have angles and no quaternions, so the exporter wrote it: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
        "`rigscope convert IN.glb -o OUT.glb` writes it normalised.";
    SkinnedNodeMoved:
        "The node of a skinned mesh, or a node above it, has a translation, rotation or scale, which glTF ignores.",
        "Use Object > Apply > All Transforms on the mesh and on its armature, and export again.",
        "Take the mesh out of groups that are moved by Edit > Unparent, and use Modify > Freeze Transformations on it before it is bound.",
        "`rigscope convert IN.glb -o OUT.glb` puts skinned meshes on nodes without parent and transform.";
    ConstraintUnusable:
        "A node constraint of VRM has another version than 1.0, an unknown kind or axis, a source that is not in the file or not in the scene, or a weight outside 0 to 1.",
        "Constraints of a VRM are Bone Constraints there, which the VRM add-on exports. Give each a target bone in the same armature and an Influence from 0 to 1, and export the VRM again.",
        "Maya does not write constraints of VRM. Set source, axis and weight in Unity, on the constraint components of UniVRM, or bake what they do by Key > Bake Animation.";
    ConstraintCircle:
        "The source of a constraint is turned by the node that the constraint turns, directly, as its child, or through other constraints.",
        "In Bone properties > Bone Constraints, choose another target for one of the constraints: a bone that is not below the constrained one.",
        "In Maya a warning of a cycle in the Script Editor names the nodes: take a target away by Constrain > Remove Target. In a VRM, change the source in Unity.";
    MatrixWithTrs:
        "A node has `matrix`, and `translation`, `rotation` or `scale` beside it. The matrix counts here.",
        "Import the file and export it again, which writes one of the two.",
        "Maya and FBX keep no matrix beside the channels, so the exporter wrote both: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.",
        "`rigscope convert IN.glb -o OUT.glb` writes one of the two.";
    MatrixNotTrs:
        "The `matrix` of a node shears, has a scale of 0 or a last row other than 0 0 0 1, so that no translation, rotation and scale make it.",
        "An uneven scale of an object above turned ones shears them: use Object > Apply > Scale on it, and export again.",
        "Look for a group above with an uneven scale or with Shear (Attribute Editor, Transform Attributes), freeze it, and export again.";
    ScaleZero:
        "An axis of a joint has no length in the rest pose.",
        "Set the bone's scale to 1 by Pose > Clear Transform > Scale before the export, with Use Rest Position Armature on; keys may still scale it to 0.",
        "Set Scale X, Y and Z of the joint to 1 in the Channel Box, use Skin > Go to Bind Pose, bind again, and key the scale of 0 in the clips.";
    ArmatureScale:
        "A node above a skeleton, or its topmost joint, has a uniform scale of 0.01 or 100, to within 1 %.",
        "Select the armature and its meshes and use Object > Apply > Scale. Keys of locations count in the old unit: scale them in the Graph Editor too, or import with the right unit.",
        "Set the working unit before the import. Else use Modify > Freeze Transformations on the group above, and bake the clips by Key > Bake Animation.";

    ZeroArea:
        "A triangle is flatter than a millionth of its longest edge: two corners are at one place, or all three on a line.",
        "In Edit mode, use Mesh > Merge > By Distance and Mesh > Clean Up > Degenerate Dissolve.",
        "Use Mesh > Cleanup with Remove Geometry: Edges with zero length and Faces with zero geometry area, before the mesh is bound.";
    UnusedVertices:
        "A vertex of a mesh is in no triangle, line or point.",
        "In Edit mode, use Mesh > Clean Up > Delete Loose.",
        "Meshes of Maya have no vertices without a face, so the exporter left them, often those of faces with another material. Update the glTF exporter (Maya2glTF, Babylon.js), or export FBX.";
    PrimitiveSkipped:
        "A part of a mesh has no positions, data that cannot be read, an index beyond its vertices, nothing to draw, or takes more memory than one file may.",
        "Use Face > Triangulate Faces in Edit mode and export again. Where the compression is broken, switch off Data > Compression.",
        "Use Mesh > Cleanup and Mesh > Triangulate, and export the mesh again.",
        "Where memory is the reason, raise `--memory-limit MIB`.";
    AttributeIgnored:
        "Normals, tangents, texture coordinates or colours of a mesh cannot be read, or a texture has no coordinates.",
        "Check UV Maps and Color Attributes in Object Data properties, unwrap a mesh without them by UV > Unwrap, and export with Data > Mesh > UVs and Normals on.",
        "Check the sets in UV > UV Set Editor and Mesh Display > Color Set Editor, delete those that are empty, and export again.";
    VertexNotFinite:
        "A position, normal, tangent, texture coordinate or colour is infinite or not a number (NaN). It counts as 0 here.",
        "Run `bpy.context.object.data.validate(verbose=True)` in the Python Console in Object mode, which says and mends what is invalid. Check modifiers and shape keys too.",
        "Delete the history before the bind by Edit > Delete by Type > Non-Deformer History, select the vertices by number, and type positions in the Component Editor.";
    IndicesLeftOver:
        "The number of indices is no multiple of three, or for lines of two. Those behind the last whole one are ignored.",
        "Import the file, look for a face that is missing beside the original, and export again.",
        "Export again with Triangulate on in the Geometry options of FBX, or update the glTF exporter (Maya2glTF, Babylon.js).";
    MorphIgnored:
        "A morph target has offsets that cannot be read or take too much memory, a node has not as many weights as targets, or an expression names a target or material that is not there. The last, and what takes too much memory, is a warning.",
        "Check Object Data properties > Shape Keys, and export without Data > Mesh > Apply Modifiers, which leaves shape keys out. Expressions of a VRM are in the VRM add-on's panel.",
        "Check the targets in Windows > Animation Editors > Shape Editor, and export FBX with Deformed Models > Blend Shapes on.";
    UnequalTargets:
        "A primitive of a mesh has more or fewer morph targets than the first one. Targets that are missing move nothing here.",
        "Each material of a mesh is a primitive. Shape keys of one object are in all of them, so the parts were joined by another tool: join them by Object > Join, and export again.",
        "Combine the parts by Mesh > Combine before the blend shapes are made, and export again.",
        "`rigscope convert IN.glb -o OUT.glb` gives all primitives the same targets.";
    DirectionsNotUnit:
        "The length of a normal or tangent is off 1 by more than 0.0067, the most that rounding to 8 bits causes, or the fourth component of a tangent is neither 1 nor -1.",
        "Use Mesh > Normals > Reset Vectors, and Mesh > Clean Up > Degenerate Dissolve for faces without area, whose normals have no length. Then export again.",
        "Use Mesh Display > Unlock Normals, and Mesh > Cleanup for faces without area, whose normals have no length. Then export again.";
    AttributeFormat:
        "An attribute has a component type that glTF, or `KHR_mesh_quantization` where the file uses it, does not define for it, such as weights as bytes without `normalized`.",
        "Import the file and export it again, which writes floats and plain joint numbers.",
        "The exporter chose the format: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` writes formats that glTF allows.";

    ClipMovesNothing:
        "No key of the clip differs from the rest pose, or from the stored weights of morph targets, by more than a hundred thousandth, in lengths of the character's size in the world; or none of its channels is played.",
        "Check that the action moves bones with Deform on. Where controls move them, use Pose > Animation > Bake Action with Visual Keying first.",
        "Select the joints and use Key > Bake Animation, or switch on Bake Animation in the FBX options: keys of controls are not those of joints.";
    KeyTimesOrder:
        "The times of a channel fall from one key to the next, or are not finite; in FBX, a key is at a time that is not finite or further than 262,144 s from the beginning. The channel, or of an FBX the key, is not played here.",
        "Actions of Blender are sorted, so another program or a script wrote the file. Export the action again from its source.",
        "Curves of Maya are sorted, so the exporter wrote the times: use Key > Bake Animation on the joints, and export FBX.";
    ChannelSkipped:
        "A channel names a node, a sampler or a property that does not exist or is not read, or its values cannot be read or are not finite. In FBX it may move something other than nodes and blend shapes. That, and properties that extensions of glTF define, is a warning.",
        "Use Pose > Animation > Bake Action, and delete channels of other properties in the Dope Sheet before the export.",
        "Use Key > Bake Animation, and delete the curves of attributes that no engine plays in the Graph Editor.";
    QuaternionFlip:
        "Two neighbouring rotation keys have quaternions of opposite sign, between which values are interpolated.",
        "Use Pose > Animation > Bake Action, which gives neighbouring quaternion keys the same sign, and export again.",
        "Joints of Maya have angles, of which the exporter made quaternions: use Curves > Euler Filter in the Graph Editor and Key > Bake Animation, and export again.";
    KeysNotUnit:
        "The length of a rotation key is off 1 by more than 0.0077, the most that rounding to 8 bits causes.",
        "W, X, Y and Z that were edited one by one lose their length. Export with Animation > Sampling Animations on, which writes what the viewport shows.",
        "The exporter wrote the quaternions: export FBX with Bake Animation on, and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` writes them normalised.";
    KeyTimesRepeat:
        "A channel has two keys or more at one time, so that its value jumps there.",
        "For a jump, set the key before to Key > Interpolation Mode > Constant in the Dope Sheet, and delete one of the keys at the same frame.",
        "For a jump, use Tangents > Stepped in the Graph Editor on the key before, and delete one of the keys at the same frame.";
    ChannelsTwice:
        "A clip has two channels or more for one property of one node. The last one is played here.",
        "One action has one curve for each value, so the exporter merged several: push only the strips that belong together in the Nonlinear Animation editor, or bake by NLA > Bake Action.",
        "Merge animation layers by Layers > Merge Layers, and export again.";
    LateStart:
        "The first key of all channels is later than half a second. `rigscope motion --seams` leaves the time before it out.",
        "Select all keys in the Dope Sheet and move them by Key > Transform > Move so that the first is at the start frame, or limit the frame range of the action.",
        "Select all keys in the Graph Editor and move them so that the first is at the start of the range, or set Start in the options of the export.";
    MatrixAnimated:
        "A channel targets translation, rotation or scale of a node that has a `matrix`.",
        "Import the file and export it again, which writes translation, rotation and scale.",
        "FBX keeps channels and no matrix: export FBX, and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` writes animated nodes without a matrix.";

    ImageMissing:
        "A texture names no image, one that is not beside the model, an address, a place outside of the model's folder, or a pointer of Git LFS.",
        "Use File > External Data > Find Missing Files, and export as glTF Binary (.glb), or FBX with Path Mode: Copy and Embed Textures on.",
        "Mend the paths in Windows > General Editors > File Path Editor, and export FBX with Embed Media on.";
    TextureReplaced:
        "An image is there, but is not PNG, JPEG, WebP or KTX2, is broken, or takes too much memory.",
        "Open it in the Image Editor, use Image > Save As with File Format: PNG, and export again.",
        "Save the image as PNG or JPEG in an image editor, and name that file as Image Name of the file node in the Attribute Editor.",
        "Where memory is the reason, raise `--memory-limit MIB`.";
    ImageShrunk:
        "An image has more than 8192 pixels along a side. It is kept with fewer.",
        "In the Image Editor, use Image > Resize and Image > Save, and export again.",
        "Maya leaves image files as they are: make the file smaller in an image editor, and press Reload on the file node.";

    UnusualUnit:
        "The FBX file counts lengths in another unit than centimetres. They are converted to metres here.",
        "In File > Export > FBX, Apply Scalings: All Local keeps the file in centimetres. FBX Units Scale and FBX All change its unit.",
        "In the FBX options, Advanced Options > Units > File units converted to: Centimeters. The scene's own unit is in Preferences > Settings.",
        "`rigscope convert IN.fbx -o OUT.glb` writes metres, the only unit of glTF.";
    SeveralSkins:
        "A mesh of an FBX file has two skin deformers or more. Their weights are added up here.",
        "Join the armatures by Object > Join, keep one Armature modifier on the mesh, and export again.",
        "Bind a copy of the mesh to all joints, use Skin > Copy Skin Weights or the Bake Deformer Tool (`BakeDeformerTool`), and export the copy.",
        "`rigscope convert IN.fbx -o OUT.glb` writes one skin with the weights added up.";
    ClusterWithoutJoint:
        "A cluster, the weights of one joint in an FBX file, is connected to no node.",
        "Import the file, look for vertex groups that have no bone of their name, add or rename the bone, and use Weights > Normalize All.",
        "Get the joint back from an earlier scene and bind again. Delete joints only after Skin > Edit Influences > Remove Influence.";
    BindPosesDiffer:
        "The bind pose in the FBX file puts joints elsewhere than the clusters of its skins, which count here.",
        "Blender writes the two alike: import the file, see whether the mesh lies right on the bones in Edit mode, and export it again.",
        "Where Skin > Go to Bind Pose deforms the mesh, put the joints where the skin fits, and run `dagPose -reset -bindPose` on them in the Script Editor.";
    ScaleNotInherited:
        "A joint does not take part in the scale of its parent, as with Segment Scale Compensate of Maya.",
        "Set Inherit Scale to Full in Bone properties > Relations, or keep all bones at scale 1, and export again.",
        "Switch off Segment Scale Compensate in the Attribute Editor, section Joint, of all joints, or keep them at scale 1.";
    RotationOrder:
        "A node turns about its axes in another order than XYZ, or along a sphere, which is read as XYZ.",
        "Nothing has to be done for glTF, which has quaternions. For angles, set the Rotation Mode to XYZ Euler in the sidebar (N), tab Item, and bake the action.",
        "`xform -preserve true -rotateOrder xyz` on the selected joints changes the order and keeps the pose. Bake keyed joints afterwards.",
        "`rigscope convert IN.fbx -o OUT.glb` writes quaternions, which have no order.";
    NotEvaluated:
        "The FBX file has constraints, IK, deformers or caches that move nodes or vertices. They are not run here, nor in engines.",
        "Use Pose > Animation > Bake Action with Visual Keying and Clear Constraints. Apply other modifiers, or turn them into shape keys by Apply as Shape Key.",
        "Use Key > Bake Animation on the joints, and the Bake Deformer Tool (`BakeDeformerTool`) for deformers. Or switch on Bake Animation in the FBX options.";
    Repaired:
        "A part of the FBX file is not as the format wants it, such as a connection to nothing. The reader mended or skipped it.",
        "Import the file and export it again, as FBX or glTF.",
        "Open the file, remove what is unknown by File > Optimize Scene Size, and export it with the current FBX plug-in.",
        "`rigscope convert IN.fbx -o OUT.glb` writes what was read as valid glTF.";

    ContractMissing:
        "The settings of the project, `[skeleton]` in `rigscope.toml`, demand a node of this name, and the file has none.",
        "Rename the bone by F2, which renames its vertex group too, or add it. Export Deformation Bones Only leaves out bones with Deform off.",
        "Rename the joint in the Outliner, without a namespace (Windows > General Editors > Namespace Editor), and export the whole skeleton.";
    ContractParent:
        "The nearest node above the joint is not the one that `[skeleton]` in `rigscope.toml` names.",
        "In Edit mode, select the bone, then its parent, and use Armature > Parent > Make > Keep Offset. The armature's own node counts, unless Remove Armature Object is on.",
        "Put the joint below its parent by Edit > Parent. Groups above the root count too: take them away by Edit > Ungroup.";
    ContractRest:
        "A joint's rest pose is off that of the contract by more than the tolerance: 1 mm, 0.5° and 0.001 in scale, unless `rigscope.toml` says otherwise.",
        "Take the armature from the contract's file by File > Append and bind the mesh to it. Head, Tail and Roll of a bone are in the sidebar (N), tab Item, in Edit mode.",
        "Take the skeleton from the contract's file by File > Import and bind the mesh to it. Joint Orient is part of the rest pose, in the Attribute Editor, section Joint.";
    ContractOther:
        "A skin has a joint that the contract does not name, and `rigscope.toml` says `others = false`.",
        "Switch Deform off for the bone and export with Export Deformation Bones Only, or delete it in Edit mode by Armature > Delete > Bones.",
        "Use Skin > Edit Influences > Remove Influence, then Skeleton > Remove Joints, which keeps what is below.";
    ContractAmbiguous:
        "Several nodes have the name of a joint of the contract.",
        "An object may have the name of a bone: rename the object by F2, and export one armature alone.",
        "`select -r \"*NAME\"` in the Script Editor selects all of that name. Rename all but one in the Channel Box.";
    JointsOverLimit:
        "A skin has more joints than `joints` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        "Switch Deform off for bones that move nothing. To drop others, give their weights to the parent by a Vertex Weight Mix modifier with Vertex Set: All and Mix Mode: Add.",
        "Use Skin > Edit Influences > Remove Unused Influences, then Remove Influence for joints whose weight may go to others.";
    InfluencesOverLimit:
        "A vertex follows more joints than `influences` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        "In Weight Paint mode, use Weights > Limit Total with the number that is allowed, then Weights > Normalize All.",
        "Use Skin > Edit Influences > Set Max Influences with the number that is allowed.",
        "`rigscope weights IN.glb --max N -o OUT.glb` keeps the N heaviest of each vertex.";
    VerticesOverLimit:
        "The meshes have more vertices than `vertices` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows. At seams of normals, texture coordinates and materials they are stored twice.",
        "Add a Decimate modifier, have fewer UV seams and sharp edges, and export without hidden objects: Include > Limit to > Visible Objects.",
        "Use Mesh > Reduce, delete faces that nobody sees, and use Mesh Display > Soften Edge, as hard edges store vertices twice.";
    MorphOverLimit:
        "A morph target moves more vertices than `morph-vertices` in `[limits]` or `[target.NAME]` of `rigscope.toml` allows.",
        "In Edit mode, separate the part that moves by Mesh > Separate > Selection. Small offsets elsewhere go by Vertex > Blend from Shape with Shape: Basis, Blend 1 and Add off.",
        "Cut the part that moves off by Edit Mesh > Extract before targets are made, or paint offsets elsewhere to 0 by Deform > Paint Weights > Blend Shape.";
    RuleBroken:
        "A rule of a profile, that of a platform or of the project, is not met. The finding bears the name PROFILE/RULE, such as vrchat-pc/triangles, and says what to do.",
        "Viewport Overlays > Statistics counts triangles. Fewer come by a Decimate modifier, fewer materials by Object > Join and one texture for all parts.",
        "Display > Heads Up Display > Poly Count counts triangles. Fewer come by Mesh > Reduce, fewer materials by Mesh > Combine and one texture for all parts.",
        "`rigscope profiles NAME` prints the rules with their sources, `rigscope check FILE --profile NAME` judges a file.";

    AgainstRule:
        "A part of the file breaks a rule of glTF that does not matter here: bounds of accessors, alignment, strides, formats of keys, lists that repeat an entry. The finding names the rule and the first part.",
        "Import the file and export it again by File > Export > glTF 2.0.",
        "Export the scene again with the newest version of the glTF exporter (Maya2glTF, Babylon.js), or as FBX and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` writes a file that keeps the rules.";
    SceneRootBelow:
        "A scene of the file lists a node that is a child of another node.",
        "Import the file and export it again, which lists topmost objects.",
        "The exporter wrote the list: update the glTF exporter (Maya2glTF, Babylon.js), or export FBX and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` lists topmost nodes.";
    StrayMesh:
        "The file has skinned meshes, and at most three without a material, or called as Blender calls new ones, such as `Icosphere`, that hang on no joint and are moved by no clip or constraint.",
        "Delete the object, or hide it and export with Include > Limit to > Visible Objects. Custom shapes of bones belong into a collection that is not exported.",
        "Delete the object in the Outliner, or select what belongs to the character and use File > Export Selection.";

    HeavyOutsideFirst:
        "Of the weights of a vertex, in the order in which the file stores them, one beyond the first four is heavier than one of those.",
        "Weight Paint > Weights > Limit Total to 4, then Normalize All, and export again: the glTF exporter writes the heaviest influences first.",
        "Skin > Edit Influences > Set Max Influences to 4, and export again with an exporter that sorts influences.",
        "`rigscope convert IN.glb -o OUT.glb` writes the heaviest influences first; `rigscope weights IN.glb --max 4 -o OUT.glb` keeps four.";
    FirstSetEmpty:
        "The first set of weights (JOINTS_0 and WEIGHTS_0) of a vertex is all zero, while a later set is not. Engines that read one or two sets collapse the vertex.",
        "Weight Paint > Weights > Limit Total to 4, then Normalize All, and export again.",
        "Set Skin > Edit Influences > Set Max Influences to 4, and export FBX, which knows no sets; or update the glTF exporter (Maya2glTF, Babylon.js).",
        "`rigscope convert IN.glb -o OUT.glb` writes the heaviest influences first.";

    SkeletonNotRoot:
        "`skeleton` of a skin is not in the file, or not a joint or node that all joints of the skin are below.",
        "Import the file and export it again, which names the armature or nothing.",
        "FBX has no such property: export FBX, and use `rigscope convert`.",
        "`rigscope convert IN.glb -o OUT.glb` leaves it out.";
    JointFarFromSkin:
        "In the bind pose, a joint is away from the box around the vertices that it moves by more than the size of the whole skin and of its other joints.",
        "In Edit mode of the armature, move the bone to its part of the mesh. For a stray weight, remove the bone's vertex group from the vertices, and use Weights > Normalize All.",
        "Use Skin > Move Skinned Joints Tool to bring the joint to its skin, or set its column to 0 in Windows > General Editors > Component Editor, tab Smooth Skins.";

    ClipsSame:
        "Two clips have the same channels with the same key times, values and interpolation, to the last bit.",
        "Compare the two in Dope Sheet > Action Editor. Delete the copy, or put the action that was meant on the NLA track of that name.",
        "Compare the frame ranges in File > Game Exporter, tab Animation Clips: two names with one range are two equal clips.";
    KeySpike:
        "A joint turns to a key and back by at least 5.7° each, within 0.07 s each, and more than six times as abruptly as is usual in its channel.",
        "Delete the key in the Graph Editor, or use Key > Discontinuity (Euler) Filter where an angle jumps by 360°, and bake the action.",
        "Delete the key in the Graph Editor, or use Curves > Euler Filter where an angle jumps by 360°.";
    KeysBeforeStart:
        "A clip has keys before 0 s. What lies there is not played.",
        "Export with Animation > Rest & Ranges > Set all glTF Animation starting at 0, or with Negative Frames: Slide.",
        "Move all keys in the Dope Sheet so that the first one is at frame 0 or later, and export that range.",
        "`rigscope convert IN.glb -o OUT.glb` writes the clip from 0 s on.";

    ClipMissing:
        "A `[[clips]]` table of `rigscope.toml` says `must_exist = true`, and no clip of the file has such a name, compared as a whole.",
        "Name the action, or its NLA track, as the table says, and stash it in the Action Editor: actions without a track are not exported.",
        "Name the clip in File > Game Exporter, tab Animation Clips, as the table says, with its frame range.";
    ClipUnmatched:
        "A `[[clips]]` table of `rigscope.toml` is for clips of another name than those of the file, so it checks nothing here.",
        "Compare the pattern with the names of actions and NLA tracks: a copy has .001 behind its name.",
        "Compare the pattern with the file's clips: FBX calls a take Take 001 where nothing else names it.";
    ClipUndecided:
        "The file does not have what a demand on its clip needs, such as feet, a root or a skin. The finding says what.",
        "Give feet and toes names that tell what they are, such as foot.L and toe.L, or set the humanoid bones in the VRM add-on, and export the mesh with the clip.",
        "Give joints names that tell what they are, such as LeftFoot and LeftToeBase, and export the mesh with the clip.";
    ClipSeam:
        "Where the clip ends, a joint is turned by more than `max_seam_deg` (1°) from where the clip began, or a vertex is farther off than `max_gap_mm` (1.75 % of the height).",
        "Copy the pose of the first frame by Pose > Copy Pose, paste it at the last by Pose > Paste Pose, and export that frame too.",
        "Copy the keys of the first frame to the last in the Graph Editor, and look at the loop with Curves > Post Infinity > Cycle. Export that frame too.",
        "`rigscope motion FILE --seams` says which joint, by how much, and how the ends differ.";
    ClipRoot:
        "The table says `root = \"in-place\"`, and the root ends elsewhere than it began, or `root = \"moving\"`, and it does not.",
        "In the Graph Editor, flatten or restore the Location curves of the root bone. The way belongs on the bone, not on the hips or the armature object.",
        "In the Graph Editor, flatten or restore the Translate curves of the root joint. The way of a group or a control is baked onto it by Key > Bake Animation.",
        "`rigscope motion FILE --seams` says how far the clip goes.";
    ClipFootSlide:
        "While a foot is on the floor, it slides farther in one contact than `max_foot_slide_mm` allows.",
        "Pin the foot by a Bone Constraint, Inverse Kinematics, to a target that stands still in the contact, then use Pose > Animation > Bake Action with Visual Keying.",
        "Pin the foot by an IK handle (Skeleton > Create IK Handle) that has the same keys all through the contact, then use Key > Bake Animation on the joints.",
        "`rigscope motion FILE --feet` says which foot slides, when and how far.";
    ClipTiming:
        "The rate of the clip's keys is not `fps`, or its length is not from `min_seconds` to `max_seconds`.",
        "Set Output properties > Format > Frame Rate, and the length by the action's Manual Frame Range; export with a Sampling Rate of 1.",
        "Set the rate in Preferences > Settings > Time, and the length by the range of the clip in File > Game Exporter.";

    SpringInCollider:
        "At rest, the end of a spring's joint lies inside a collider that acts on the spring.",
        "In the VRM add-on's panel of the sidebar (N), under Spring Bone, make the collider smaller, move it, or take its group from the spring.",
        "Maya does not write springs of VRM. Change the collider in Unity, on VRM10 Spring Bone Collider (VRM 0: VRM Spring Bone Collider Group).";
    SpringWithoutLength:
        "A joint of a spring and its end are less than a thousandth of a millimetre apart.",
        "In Edit mode, move the next bone of the chain away, or take the joint out of the spring in the VRM add-on's panel.",
        "Move the next joint of the chain away before the mesh is bound, or leave the joint out of the spring in Unity.";
    SpringShared:
        "A joint is in two springs of a VRM.",
        "In the VRM add-on's panel of the sidebar (N), under Spring Bone, remove the joint from all springs but one.",
        "In Unity, remove the joint from all springs but one. In VRM 0 a root bone takes all joints below it along.";
    SpringTooThick:
        "The hit radius of a spring's joint is larger than the joints of its chain are long together.",
        "In the VRM add-on's panel of the sidebar (N), under Spring Bone, enter a smaller Hit Radius, in metres.",
        "In Unity, enter a smaller radius on the spring's joint. A value meant in the centimetres of Maya is 100 times too large.";
    TwistWithoutConstraint:
        "A joint that moves vertices, lies at most four joints below an arm, hand or leg, and has a word such as twist in its name, has neither a constraint nor rotation keys, in a VRM 1.0 or a file that has constraints.",
        "Add a Copy Rotation constraint along the bone's own axis with an Influence of about 0.5, its target the bone that twists. The VRM add-on exports it as a roll constraint.",
        "Turn the joint by Constrain > Orient with a weight of about 0.5 and use Key > Bake Animation, or add a roll constraint of UniVRM in Unity.";
    HumanBoneTwice:
        "`humanBones` of VRM 0 has two entries or more for one bone.",
        "Assign each bone once in the panel VRM > Humanoid of the VRM add-on, and export the VRM again.",
        "Maya does not write VRM. In Unity, set the humanoid bones in the import settings of the model, tab Rig, and export by UniVRM again.";
    VrmShape:
        "The data of VRM, VRMC_vrm or VRMC_springBone has a list where its specification has an object, or an object where it has a list.",
        "Export the file again with the newest version of the VRM add-on.",
        "Maya does not write VRM: export the file again with the newest version of UniVRM, and look for a script that edits the JSON afterwards.";
    SuppressionUnusable:
        "In the `extras` of the asset, a node or a mesh, an entry of `allow` in `rigscope` has no text as its reason or names no code; or there are more than 1000.",
        "Under Custom Properties, edit `rigscope` on the object, bone or mesh: `allow` is a dictionary with a code and a reason in each entry.",
        "Edit the `extras` in the file as text, or what your exporter writes there: `allow` is an object whose keys are codes and whose values are reasons.";
    SuppressionStale:
        "An entry of `allow` in `extras` names a code of which there is no finding about the file, the node or the mesh that has the entry.",
        "Under Custom Properties, take the entry out of `rigscope` on the object, bone or mesh, or the property if it was the last.",
        "Take the entry out of the `extras` in the file, or out of what your exporter writes there.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

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
            let Explanation { meaning, blender, maya, .. } = code.explanation();
            for text in [meaning, blender, maya, code.why(), code.title()] {
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
