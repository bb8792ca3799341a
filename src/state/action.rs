//! One table of the commands without parameters: the enum, menus, hints, keys, the help sheet and what is disabled are made from it.

use super::Preset;

/// Texts, keys and group of an action.
pub struct ActionSpec {
    pub action: Action,
    /// Name of the action in the program, which settings use.
    pub id: &'static str,
    /// Name in menus and on buttons.
    pub name: &'static str,
    /// What the action does, in a sentence.
    pub hint: &'static str,
    /// Heading of the sheet of keys under which the action stands.
    pub group: &'static str,
    /// Keys in the preset of this program, as text like "Ctrl+Shift+Z"; the first is shown.
    keys: &'static [&'static str],
    /// Keys in other programs' presets, where they differ.
    keys_elsewhere: &'static [(Preset, &'static [&'static str])],
    /// Further search words for the action.
    pub words: &'static str,
    /// Condition without which the action does nothing.
    pub(super) need: Need,
}

impl ActionSpec {
    /// The keys of a preset, as text like "Ctrl+Shift+Z"; the first is shown.
    pub fn keys(&self, preset: Preset) -> &'static [&'static str] {
        self.keys_elsewhere.iter().find(|(other, _)| *other == preset).map_or(self.keys, |(_, keys)| keys)
    }
}

/// Condition without which an action does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    Expressions,
    FirstPerson,
    Gaze,
    StepToUndo,
    StepToRedo,
    SelectedJoint,
    JointToIsolate,
    JointToFollow,
    Selection,
    Vertices,
    SelectedVertices,
    FindingVertices,
    Weights,
    JointAndWeights,
    SkinJoint,
    PosedJoint,
    MorphTarget,
    MovedMorphTarget,
    OtherUserPose,
    Skin,
    Mesh,
    MeshOfB,
    OtherWeights,
    AnotherFile,
    Clip,
    ChosenClip,
    PlayedPart,
    CorrectingPose,
    CorrectedClip,
    SeveralFiles,
    Tour,
    Constraints,
    Springs,
    SwingingSprings,
}

macro_rules! actions {
    ($(= $group:literal; $($action:ident, $name:literal, $hint:literal, [$($key:literal),*]
        $(, blender [$($blender:literal),*])? $(, maya [$($maya:literal),*])? $(, needs $need:ident)? $(, also $words:literal)?;)*)*) => {
        /// A command without parameters: what menus, keys and buttons share.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[doc = concat!($hint, ".")] $action,)*)*
        }

        /// Every action, in the order of the help sheet.
        pub const ACTIONS: &[ActionSpec] = &[$($(ActionSpec {
            action: Action::$action,
            id: stringify!($action),
            name: $name,
            hint: $hint,
            group: $group,
            keys: &[$($key),*],
            keys_elsewhere: &[$((Preset::Blender, &[$($blender),*]),)? $((Preset::Maya, &[$($maya),*]),)?],
            words: concat!($($words)?),
            need: [$(Need::$need,)? Need::Nothing][0],
        },)*)*];
    };
}

// Groups of the help sheet. Id, name, hint and keys; the keys of other programs where those clash with this one's; what it needs to do anything; further words by
// which people look for it.
//
// In Blender A and W select, E extrudes and F3 searches. In Maya W, E and R are the handles, Z takes back, and the number row tells how to
// shade. An id never changes: settings know the keys that the user chose by it.
actions! {
    = "File";
    Open, "Open…", "Open a glTF, VRM or FBX file", ["Ctrl+O"], also "import load file";
    Reload, "Reload", "Read the open file again and keep the pose", ["Ctrl+R"];
    NextFile, "Next file", "Open the next file of the list", ["PageDown"], needs SeveralFiles;
    PreviousFile, "Previous file", "Open the previous file of the list", ["PageUp"], needs SeveralFiles;
    ToggleReloadOnChange, "Reload on change", "Read the file again when another program changes it", [];
    ToggleKeepVersionBefore, "Compare with previous version", "When the file is read again, keep what it was on side B: what did the export change?", [], also "diff live old previous";
    CompareWith, "Show another file on B…", "Compare: side B shows another character in place of the open one, in the same pose by joint name. No weights are changed", [], also "compare with diff version old new file b";
    TransferWeights, "Transfer weights from file…", "Side A keeps the open character and gets the weights of another file, carried over to the nearest surface, with joints matched by name", [], needs Skin, also "copy weights other file import skin";
    StopComparing, "Close the other file", "Show the open file on both sides again", [], needs AnotherFile, also "diff version";
    UseClips, "Use clips from…", "Put the clips of another file onto this character, joint by joint by name", [], also "retarget animation mixamo motion";
    CorrectClips, "Correct clips by pose", "Move the pose's rotations into all clips of the other file", [], needs CorrectingPose, also "retarget pose offset fix transferred";
    RemoveClipCorrection, "Remove clip correction", "Show the clips of the other file as they were transferred", [], needs CorrectedClip, also "retarget pose offset reset";
    OpenPose, "Open pose…", "Apply a pose file to this character", [];
    SavePose, "Save pose…", "Write the pose to a file", ["Ctrl+S"], needs PosedJoint, also "export";
    SavePoseToLibrary, "Save pose to library…", "Save the pose under a name in this character's library", ["Ctrl+Alt+S"], needs PosedJoint, also "export";
    OpenSession, "Open session…", "Open a saved session: file, pose, selection, camera, clip", [];
    SaveSession, "Save session…", "Write file, pose, selection, camera and view settings to a session file", [], also "export project";
    RestoreSession, "Restore last session", "Open the newest session whose pose was not saved", [];
    ExportMesh, "Export posed mesh…", "Write the meshes of side A as posed now to a GLB, OBJ, PLY or JSON file", [], needs Mesh, also "bake save geometry glb obj ply json";
    ExportMeshOfB, "Export posed mesh of B…", "Write the meshes of side B as posed now to a GLB, OBJ, PLY or JSON file", [], needs MeshOfB, also "bake save geometry glb obj ply json";
    ExportRig, "Export rig…", "Write joints, skins, meshes, morph targets, materials and clips as the file has them to a GLB file", [], also "convert save gltf glb skeleton";
    ExportWeights, "Export weights…", "Write the file to a GLB file with the weights of side A, everything else unchanged", [], needs OtherWeights, also "save gltf glb skin computed repaired";
    SaveReport, "Report…", "Write a page of this character: pictures, findings, the joints that lose most, a view to turn", [], also "html export web summary";
    SavePicture, "Save picture…", "Write the viewport to a PNG, JPEG or WebP", ["Ctrl+Shift+S"], also "png jpeg webp export screenshot image render";
    SaveVideo, "Save video…", "Write the clip, or a turntable, as a video, an animated PNG or an image sequence", [], also "export video movie animation turntable gif mp4 webm frames render ffmpeg";
    CopyPicture, "Copy picture", "Copy the viewport to the clipboard", ["Ctrl+Shift+C"], also "screenshot image clipboard";
    ToggleCaptionedPictures, "Captions in pictures", "Draw side names and legends into saved or copied pictures and videos", [], also "legend label text burn in method";
    ToggleTransparentPictures, "Transparent pictures", "Save and copy pictures and videos without background and grid; the shadow on the ground stays", [], also "alpha background cut out mask";
    Quit, "Quit", "Close Rigscope", ["Ctrl+Q"];
    = "Edit";
    Undo, "Undo", "Undo the last edit", ["Ctrl+Z"], maya ["Ctrl+Z", "Z"], needs StepToUndo;
    Redo, "Redo", "Redo the edit that was undone last", ["Ctrl+Shift+Z", "Ctrl+Y"], maya ["Ctrl+Shift+Z", "Shift+Z", "Ctrl+Y"], needs StepToRedo;
    CopyPose, "Copy pose", "Copy the pose of the selected joints as the text of a pose file, without morph targets", ["Ctrl+C"], needs SelectedJoint;
    PastePose, "Paste pose", "Paste one joint's pose onto all selected joints, or several poses onto their joints by name", ["Ctrl+V"];
    PasteMirrored, "Paste mirrored", "Paste the copied pose onto the opposite side", ["Ctrl+Shift+V"];
    = "Pose";
    MirrorJoints, "Mirror to the other side", "Copy the pose of the selected joints to the opposite side", [], needs SelectedJoint;
    MirrorPose, "Mirror pose", "Swap the poses of left and right", ["Ctrl+M"], needs PosedJoint;
    ToggleSymmetry, "Live symmetry", "Mirror every edit to the opposite side", [], also "mirror";
    ResetRotation, "Clear rotation", "Clear the user rotation of the selected joints", ["Alt+R"], needs SelectedJoint, also "reset rotation";
    ResetTranslation, "Clear position", "Clear the user translation of the selected joints", ["Alt+G"], needs SelectedJoint, also "reset position translation";
    ResetScale, "Clear scale", "Clear the user scale of the selected joints", ["Alt+S"], needs SelectedJoint, also "reset scale";
    ResetTranslationAndScale, "Clear position and scale", "Clear the user translation and scale of the selected joints", [], needs SelectedJoint, also "reset position translation scale";
    ResetJoint, "Clear joint", "Clear the user transform of the selected joints", [], needs SelectedJoint, also "reset joint";
    ResetSubtree, "Clear subtree", "Clear the user transforms of the selected joints and all their descendants", ["Alt+Shift+R"], needs SelectedJoint, also "reset subtree";
    ResetAll, "Clear all", "Clear all user transforms and morph target weights", ["Ctrl+Alt+R"], needs PosedJoint, also "reset all pose";
    ShowMorphs, "Morph targets", "Show a slider for each morph target (blend shape)", [], needs MorphTarget;
    ResetMorphs, "Clear morph targets", "Clear the user weights of all morph targets and expressions, and the target of the gaze", [], needs MovedMorphTarget, also "reset morph targets blend shapes";
    CopyMorphs, "Copy morph targets", "Copy the user weights of all morph targets as the text of a pose file", [], needs MorphTarget;
    RestPose, "Rest pose", "Show the file's rest pose without clip or user pose", [];
    BindPose, "Bind pose", "Show the bind pose, in which every skinning matrix is the identity", [], needs Skin;
    ClipPose, "Clip pose", "Show the clip without the user pose", [], needs Clip;
    UserPose, "User pose", "Return to the user pose", [], needs OtherUserPose;
    ToggleExpressions, "Expressions", "Show the weights of the expressions, and what they change", [], needs Expressions, also "behaviours face smile blink vrm";
    ToggleGaze, "Gaze", "Let the eyes follow their target", [], needs Gaze, also "behaviours look eyes vrm";
    ToggleConstraints, "Constraints", "Turn joints by the file's constraints, as it says", [], needs Constraints, also "behaviours twist helper aim roll follow vrm";
    ToggleSprings, "Springs", "Let joints swing by the file's spring bones", [], needs Springs, also "behaviours physics hair skirt swing jiggle vrm";
    SettleSprings, "Settle springs", "Let springs swing until they come to rest in the pose", [], needs SwingingSprings, also "behaviours physics simulate";
    ResetSprings, "Reset springs", "Put springs back into their rest directions, until something moves", [], needs SwingingSprings, also "behaviours physics";
    = "Selection and tree";
    ClearSelection, "Clear selection", "Deselect all joints; while weights are edited, the vertices first", ["Escape"], needs Selection;
    SelectParent, "Select parent", "Select the parent joint", ["OpenBracket"], needs SelectedJoint;
    SelectChild, "Select child", "Select the first child joint", ["CloseBracket"], needs SelectedJoint;
    SelectSubtree, "Select subtree", "Extend the selection to all descendants", [], needs SelectedJoint;
    ToggleIsolated, "Isolate", "Show only the bones of the active joint's subtree, or all bones again", ["Slash"], needs JointToIsolate;
    FilterJoints, "Filter joints", "Show only joints in the tree whose name contains what is typed", ["Ctrl+F"], also "find search name";
    ToggleAllNodes, "All nodes in the tree", "List all nodes in the tree, or only joints", [];
    = "Editing weights";
    ToggleWeightEditing, "Edit weights", "Select vertices by clicks and boxes, and change their weights on side A", ["V"], needs Skin, also "vertex paint skin fix hand vertices";
    SelectPieces, "Select connected vertices", "Extend the vertex selection to all that hangs together with it", ["Ctrl+L"], needs SelectedVertices, also "linked piece island shell element";
    GrowVertices, "Grow vertices", "Extend the vertex selection by the vertices around it", ["Ctrl+CloseBracket"], needs SelectedVertices, also "more expand vertex";
    ShrinkVertices, "Shrink vertices", "Remove the border of the vertex selection", ["Ctrl+OpenBracket"], needs SelectedVertices, also "less vertex";
    InvertVertices, "Invert vertices", "Select all vertices that are not selected", ["Ctrl+I"], needs Vertices, also "vertex all";
    ClearVertices, "Clear vertices", "Select no vertices", [], needs SelectedVertices, also "vertex deselect none";
    SelectFindingVertices, "Select vertices of the finding", "Select the vertices that the selected finding or weight problem is about", [], needs FindingVertices, also "lint vertex region suspicious";
    RigidToJoint, "Rigid to joint", "Have the selected vertices follow the selected joint alone", [], needs JointAndWeights, also "weight bind hard 100";
    AssignWeight, "Assign weight", "Give the selected vertices the set weight of the selected joint; other joints share the rest", [], needs JointAndWeights, also "replace set";
    AddWeight, "Add weight", "Add the set weight to that of the selected joint; other joints share the rest", [], needs JointAndWeights, also "increase more";
    SubtractWeight, "Subtract weight", "Take the set weight from that of the selected joint; other joints share the rest", [], needs JointAndWeights, also "decrease less remove";
    SmoothWeights, "Smooth weights", "Take the weights of the selected vertices half-way to the mean of their neighbours", [], needs Weights, also "blur relax";
    CopyNearestWeights, "Copy weights from nearest", "Give each selected vertex the weights of the nearest vertex that is not selected", [], needs Weights, also "hammer closest transfer";
    MirrorWeights, "Mirror weights", "Copy the weights of the selected vertices to their mirror images, for the joints of the other side", [], needs Weights, also "symmetry flip opposite";
    LockWeights, "Lock weights of joint", "Keep the weights of the selected joint in edits of weights, or no longer", [], needs SkinJoint, also "hold protect";
    = "Skinning and comparing";
    NextMethod, "Next skinning method", "Switch between LBS and DQS on the same pose", ["M"], also "lbs dqs dual quaternion";
    NextLayout, "Next compare layout", "Switch to the next layout: single, wipe, side by side, ghost", ["C"];
    LayoutSingle, "Single", "Show one skinning method", [];
    LayoutWipe, "Wipe", "Show A and B on either side of a line that can be dragged", [], also "split slider";
    LayoutSideBySide, "Side by side", "Show A and B next to each other, with one camera", [];
    LayoutGhost, "Ghost", "Draw B over A, translucent or as an outline", [], also "onion skin overlay";
    SwapSides, "Swap A and B", "Swap the two sides", ["Shift+C"];
    Blink, "Blink", "Hold to show B in place of A", ["B"];
    = "Handles";
    ToolRotate, "Rotate", "Rotate the selected joints by rings", ["R", "E"], blender ["R"], maya ["E"];
    ToolMove, "Move", "Move the selected joints by arrows", ["G", "W"], blender ["G"], maya ["W"];
    ToolScale, "Scale", "Scale the selected joints by handles", ["S"], maya ["R"];
    NextOrientation, "Next gizmo orientation", "Switch the gizmo's axes: local, parent, world, view, gimbal", ["Comma"];
    ToggleIk, "IK", "Move a joint by rotating the chain above it (inverse kinematics)", ["I"], also "inverse kinematics";
    TogglePin, "Pin", "Make the selected joints the fixed ends of IK chains", ["P"], needs SelectedJoint;
    = "View";
    FrameSelected, "Frame selected", "Frame the selected joints, or everything where none is selected", ["F", "Period"];
    FrameAll, "Frame all", "Frame the whole character", ["Home", "A"], blender ["Home"];
    ToggleFollow, "Follow joint", "Follow the active joint with the camera, or stop following", [], needs JointToFollow, also "camera track target root motion";
    SaveView, "Save view", "Save the current view under a name; sessions keep it too", [], also "camera bookmark saved views";
    ViewFront, "Front", "Look from the front", ["1"];
    ViewRight, "Right", "Look from +X", ["3"];
    ViewTop, "Top", "Look from above", ["7"];
    ViewBack, "Back", "Look from behind", ["Ctrl+1"];
    ViewLeft, "Left", "Look from -X", ["Ctrl+3"];
    ViewBottom, "Bottom", "Look from below", ["Ctrl+7"];
    ToggleOrthographic, "Orthographic", "Switch between orthographic and perspective projection", ["5"];
    FieldOfView20, "Field of view 20°", "Look through a long lens, with hardly any perspective", [], also "fov camera focal length zoom telephoto";
    FieldOfView35, "Field of view 35°", "Look through the usual lens", [], also "fov camera focal length zoom";
    FieldOfView50, "Field of view 50°", "Look through a wide lens", [], also "fov camera focal length zoom";
    FieldOfView75, "Field of view 75°", "Look through a very wide lens, as in a game", [], also "fov camera focal length zoom";
    ToggleFullScreen, "Full screen", "Show the window in full screen, or leave it", ["F11"], also "fullscreen maximize";
    ToggleLeftPanel, "Left panel", "Show or hide the joint tree", ["Shift+T"], also "sidebar outliner hide";
    ToggleTracks, "Tracks", "Show or hide measures over the clip as lines above the timeline: volume, distance, losses, rotations", ["D"], needs Clip, also "graph plot chart curves drawer motion measure timeline";
    ToggleRightPanel, "Right panel", "Show or hide the panel with the selected joint, pose, comparison, history and findings", ["N"], also "sidebar inspector hide";
    = "Display";
    ToggleBones, "Bones", "Draw the bones", [], also "skeleton armature";
    ToggleBonesInFront, "Bones in front", "Draw the bones over the skin", ["Alt+Z"], also "x-ray skeleton";
    BonesOctahedral, "Octahedral bones", "Draw bones as octahedra that show head, tail and roll", [], also "skeleton style";
    BonesStick, "Stick bones", "Draw bones as thin sticks", [], also "skeleton style";
    BonesLine, "Line bones", "Draw bones as lines", [], also "skeleton style";
    NamesHovered, "Name under the pointer", "Label only the joint under the pointer", [], also "labels";
    NamesSelected, "Names of selected joints", "Label the selected joints and the one under the pointer", [], also "labels";
    NamesAll, "Names of all joints", "Label every joint where there is room", [], also "labels";
    ToggleAxes, "Joint axes", "Draw the axes of every joint", [], also "orientation";
    ToggleTrails, "Trails", "Draw the paths of the selected joints and of probes over the clip: a tick a frame, bright up to the present", ["Alt+T"], also "motion trail path arc trajectory";
    ToggleRootPath, "Root's path", "Draw the path of the root over the ground, with the direction that the character faces; a clip in place has next to none", [], also "root motion trajectory trail floor heading";
    ToggleSpringWires, "Springs and colliders", "Draw spring bones from joint to tail, and colliders as wires, which are red while they push", [], needs Springs, also "hair physics capsules spheres";
    ToggleFirstPerson, "First person", "Hide what the character's own eyes do not see, such as its head, and show what only they see", [], needs FirstPerson, also "vrm head hidden vr marks annotations";
    ToggleGrid, "Grid", "Draw the ground grid", [], also "floor ground";
    ToggleWireframe, "Wireframe", "Draw the edges of the triangles", ["Shift+Z"], maya ["4"], also "mesh edges topology";
    LightByFile, "Environment map…", "Light the file's materials with your own environment map, a Radiance file (.hdr)", [], also "environment hdri image based lighting ibl sky";
    ToggleEnvironmentBackground, "Show environment as background", "Show the blurred environment behind the file's materials", [], also "environment backdrop background hdri sky environment_map";
    ToggleClay, "Clay", "Draw the skin in neutral clay instead of the file's materials", [], also "matcap shading";
    SmoothAutomatic, "Automatic anti-aliasing", "Four samples per pixel; one while something moves, with a software renderer", [], also "antialiasing msaa multisampling samples smooth edges";
    SmoothOff, "No anti-aliasing", "One sample a pixel", [], also "antialiasing msaa multisampling samples fast rough edges";
    SmoothFour, "4× anti-aliasing", "Four samples per pixel", [], also "antialiasing msaa multisampling samples smooth edges";
    SmoothEight, "8× anti-aliasing", "Eight samples per pixel, or as many as the driver has", [], also "antialiasing msaa multisampling samples quality smooth edges";
    ToggleFrameTimes, "Frame times", "Show how long frames take in the status bar", [], also "fps performance speed statistics milliseconds";
    = "Playback";
    TogglePlay, "Play or pause", "Play the clip", ["Space"], needs Clip;
    ToggleLoop, "Loop", "Start over at the end of the played range", [];
    TogglePingPong, "Back and forth", "Play the range forwards, then backwards (ping-pong)", [];
    StepBack, "Step back", "Go back one frame", ["Left"], needs Clip;
    StepForward, "Step forward", "Go forward one frame", ["Right"], needs Clip;
    PlayFromHere, "Play from here", "Start the played range at the current time", [], needs ChosenClip;
    PlayToHere, "Play to here", "End the played range at the current time", [], needs ChosenClip;
    PlayAll, "Play all of the clip", "Play the clip from start to end", [], needs PlayedPart;
    PreviousKey, "Previous key", "Go to the previous key of the clip", ["Shift+Left"], needs ChosenClip;
    NextKey, "Next key", "Go to the next key of the clip", ["Shift+Right"], needs ChosenClip;
    = "Analysis and help";
    ShowLint, "Lint", "Show errors, warnings and notes about this file", ["L"], also "check validate problems";
    TogglePalette, "Commands…", "Find any command by a few letters", ["Ctrl+Shift+P"], blender ["F3", "Ctrl+Shift+P"];
    ToggleProbe, "Probe", "Click the skin to see the influences and blending of its nearest vertex; Shift adds another", ["K"], also "vertex weight inspect";
    ClearProbes, "Clear probes", "Remove all probes", [];
    ToggleTwistTest, "Twist test", "Plot the volume that skinning loses while the selected joint twists and bends", ["T"];
    TestTwist, "Test this joint", "Twist and bend the selected joint, from this pose or from rest as chosen beside it", [], needs SelectedJoint;
    RankJoints, "Rank joints", "List all joints by the share of volume that linear blending loses there", [], also "candy wrapper collapse";
    StartTour, "Skinning tour", "See what skinning does in ten steps on built-in characters; the current file stays open", [], also "what is a candy wrapper learn tutorial help";
    LeaveTour, "Leave the tour", "Return to the file that was open before the tour", [], needs Tour;
    OpenGuide, "Guide", "Open the guide in the browser; no network is needed", [], also "manual documentation docs handbook pages help";
    ToggleHelp, "Keys and codes", "Show keys, mouse actions and lint codes", ["F1", "Shift+Questionmark", "Questionmark"], also "shortcuts help";
}

impl Action {
    /// Texts, keys and group of the action.
    pub fn spec(self) -> &'static ActionSpec {
        &ACTIONS[self as usize]
    }
}
