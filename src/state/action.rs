//! Table of all commands without parameters. It defines their enum, menu entries, hints, keys, help and availability.

use super::{PanelEdge, Preset};

pub struct ActionSpec {
    pub action: Action,
    /// Identifier in the settings file.
    pub id: &'static str,
    pub name: &'static str,
    /// One sentence on what the action does.
    pub hint: &'static str,
    /// Heading in the help sheet.
    pub group: &'static str,
    /// Keys in Rigscope's own preset, such as "Ctrl+Shift+Z". Menus show the first one.
    keys: &'static [&'static str],
    /// Keys in other presets, if they differ.
    keys_elsewhere: &'static [(Preset, &'static [&'static str])],
    pub words: &'static str,
    pub(super) need: Need,
}

impl ActionSpec {
    pub fn keys(&self, preset: Preset) -> &'static [&'static str] {
        self.keys_elsewhere.iter().find(|(other, _)| *other == preset).map_or(self.keys, |(_, keys)| keys)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    Expressions,
    FirstPerson,
    LookAt,
    StepToUndo,
    StepToRedo,
    SelectedJoint,
    Pin,
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
    SkinAndClip,
    Mesh,
    MeshOfB,
    OtherWeights,
    /// Side B shows another character, whose skin is proven if it is a changed skeleton.
    OtherRigOnB,
    AnotherFile,
    /// A side shows points of another program.
    PointsShown,
    PreviousVersion,
    Clip,
    ChosenClip,
    PlayedPart,
    CorrectingPose,
    CorrectedClip,
    SeveralFiles,
    Tour,
    /// A tab in the panel at this edge.
    Tab(PanelEdge),
    MovedTab,
    Constraints,
    Springs,
    SwingingSprings,
}

macro_rules! actions {
    ($(= $group:literal; $($action:ident, $name:literal, $hint:literal, [$($key:literal),*]
        $(, blender [$($blender:literal),*])? $(, maya [$($maya:literal),*])? $(, needs $need:ident $(($of:expr))?)? $(, also $words:literal)?;)*)*) => {
        /// A command without parameters, for menus, keys and buttons.
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
            need: [$(Need::$need $(($of))?,)? Need::Nothing][0],
        },)*)*];
    };
}

// Columns: id, name, hint, keys, keys of other presets, condition, search words. The groups are those of the help
// sheet. Never change an id, because settings identify actions by it. Blender uses A and W for selection, E to extrude
// and F3 to search. Maya uses W, E and R for gizmos, Z to undo, and number keys for shading.
actions! {
    = "File";
    Open, "Open…", "Open a glTF, VRM or FBX file", ["Ctrl+O"], also "import load file append drop";
    UseClips, "Use clips from…", "Apply another file's clips to this character by joint name", [], also "retarget animation mixamo motion import clips append action library";
    Reload, "Reload", "Read the open file again and keep the pose", ["Ctrl+R"], also "refresh revert";
    NextFile, "Next file", "Open the next file of the list", ["PageDown"], needs SeveralFiles;
    PreviousFile, "Previous file", "Open the previous file of the list", ["PageUp"], needs SeveralFiles;
    ToggleReloadOnChange, "Reload on change", "Read the file again when another program changes it", [];
    TransferWeights, "Transfer weights from file…", "Give side A the weights of another file", [], needs Skin, also "copy weights other file import skin data transfer";
    CorrectClips, "Correct clips by pose", "Apply the pose's rotations to all clips of the other file", [], needs CorrectingPose, also "retarget pose offset fix transferred";
    RemoveClipCorrection, "Remove clip correction", "Show the other file's clips as transferred", [], needs CorrectedClip, also "retarget pose offset reset";
    OpenPose, "Open pose…", "Apply a pose file to this character", [];
    SavePose, "Save pose…", "Write the pose to a file", ["Ctrl+S"], needs PosedJoint, also "export";
    SavePoseToLibrary, "Save pose to library…", "Save the pose to this character's library", ["Ctrl+Alt+S"], needs PosedJoint, also "export";
    OpenSession, "Open session…", "Open a saved session", [];
    SaveSession, "Save session…", "Save file, pose, selection, camera and view settings", [], also "export project";
    RestoreSession, "Restore last session", "Open the newest session with an unsaved pose", [];
    ExportMesh, "Export posed mesh…", "Save side A's posed meshes as GLB, OBJ, PLY or JSON", [], needs Mesh, also "bake save geometry glb obj ply json apply modifier snapshot";
    ExportMeshOfB, "Export posed mesh of B…", "Save side B's posed meshes as GLB, OBJ, PLY or JSON", [], needs MeshOfB, also "bake save geometry glb obj ply json";
    ExportRig, "Export rig…", "Save joints, skins, meshes, materials and clips as GLB", [], also "convert save gltf glb skeleton bake";
    ExportRigOfB, "Export rig of B…", "Save the character on side B as GLB, with its changed skeleton", [], needs OtherRigOnB, also "convert save gltf glb refit";
    ExportWeights, "Export weights…", "Save the file as GLB with side A's weights", [], needs OtherWeights, also "save gltf glb skin computed repaired";
    SaveReport, "Save report…", "Save a web page with images, findings and a 3D view", [], also "html export web summary";
    SaveReportWithBendTest, "Save report with bend test…", "Save the report with the worst poses of a bend test; takes some seconds more", [], also "html export web summary flex range of motion";
    SaveImage, "Save image…", "Save the viewport as PNG, JPEG or WebP", ["Ctrl+Shift+S"], also "png jpeg webp export screenshot image render";
    SaveVideo, "Save video…", "Render the clip or a turntable to a video or image sequence", [], also "export video movie animation turntable gif mp4 webm frames render ffmpeg playblast";
    CopyImage, "Copy image", "Copy the viewport to the clipboard", ["Ctrl+Shift+C"], also "screenshot image clipboard";
    ToggleCaptionedImages, "Captions in images", "Draw side names and legends into images and videos", [], also "legend label text burn in method";
    ToggleBonesInImages, "Bones in images", "Draw bones into images and videos, as in the view", [], also "skeleton hide clean without bones gizmo";
    ImageSizeViewport, "Image size 1×", "Save and copy images with the pixels of the viewport", [], also "resolution screenshot";
    ImageSizeDouble, "Image size 2×", "Save and copy images with twice the viewport's pixels", [], also "resolution screenshot double hidpi retina";
    ImageSizeFourK, "Image size 4K", "Save and copy images with 3840 pixels on the longer side", [], also "resolution screenshot 4k uhd large";
    ToggleTransparentImages, "Transparent images", "Save images and videos without background and grid", [], also "alpha background cut out mask";
    Quit, "Quit", "Close Rigscope", ["Ctrl+Q"];
    = "Edit";
    Undo, "Undo", "Undo the last edit", ["Ctrl+Z"], maya ["Ctrl+Z", "Z"], needs StepToUndo, also "back";
    Redo, "Redo", "Redo the edit that was undone last", ["Ctrl+Shift+Z", "Ctrl+Y"], maya ["Ctrl+Shift+Z", "Shift+Z", "Ctrl+Y"], needs StepToRedo;
    CopyPose, "Copy pose", "Copy the pose of the selected joints as text", ["Ctrl+C"], needs SelectedJoint;
    PastePose, "Paste pose", "Paste the copied pose onto joints by name", ["Ctrl+V"];
    PasteMirrored, "Paste mirrored", "Paste the copied pose onto the opposite side", ["Ctrl+Shift+V"], also "paste flipped";
    TogglePreferences, "Preferences…", "Choose theme, scale, keys, gizmo, files and image quality", ["Ctrl+Comma"], also "settings options configuration setup";
    = "Skeleton";
    PoseAsRest, "Make pose the rest pose", "Show on B the rig with the shown pose as its rest pose", [], also "refit apply pose as rest bind";
    BindAsRest, "Make bind pose the rest pose", "Show on B the rig with its bind pose as its rest pose", [], needs Skin, also "refit rest bind";
    ResetBinds, "Reset binds", "Show on B the rig bound at its rest pose", [], needs Skin, also "refit inverse bind matrices rebind";
    FreezeScale, "Freeze scale", "Show on B the rig with a scale of 1 in all joints", [], also "refit apply scale armature 0.01 transforms";
    FreezeRoot, "Freeze armature", "Show on B the rig without transforms above its joints", [], needs Skin, also "refit apply rotation root transforms";
    TurnUpright, "Turn upright", "Show on B the rig with +Y up", [], also "refit z-up up axis orientation";
    ConvertToMetres, "Convert to metres", "Show on B the rig with lengths in metres", [], also "refit unit centimetres scale size";
    DropUnusedJoints, "Remove unused joints", "Show on B the rig without joints that nothing needs", [], needs Skin, also "refit drop end bones leaf clean";
    MergeSkins, "Merge skins", "Show on B the rig with one skin", [], needs Skin, also "refit join combine outfits";
    AddRoot, "Add root joint", "Show on B the rig with a node above the skeleton", [], also "refit root bone";
    AttachOutfit, "Attach outfit…", "Show on B the rig with the skinned meshes of another file", [], needs Skin, also "refit clothes garment merge meshes";
    AddTwistJoints, "Add twist joints", "Show on B the rig with three helpers along the selected bone", [], needs SkinJoint, also "refit twist helper roll bones candy wrapper forearm";
    LimitInfluences, "Limit to four influences", "Show on B the rig with at most four influences per vertex", [], needs Skin, also "refit max influences weights engine";
    RenameToVrm, "Rename joints to VRM 1.0", "Show on B the rig with VRM's names of humanoid bones", [], also "refit scheme names";
    RenameToMixamo, "Rename joints to Mixamo", "Show on B the rig with Mixamo's names of joints", [], also "refit scheme names mixamorig";
    RenameToUnreal, "Rename joints to Unreal", "Show on B the rig with the names of Unreal's mannequin", [], also "refit scheme names epic";
    RenameToUnity, "Rename joints to Unity", "Show on B the rig with Unity's names of humanoid bones", [], also "refit scheme names avatar";
    RenameToGodot, "Rename joints to Godot", "Show on B the rig with Godot's names of humanoid bones", [], also "refit scheme names profile";
    RenameToRigify, "Rename joints to Rigify", "Show on B the rig with the names of Rigify's deform bones", [], also "refit scheme names blender";
    RenameToArkit, "Rename morph targets to ARKit", "Show on B the rig with ARKit's names of blend shapes", [], needs MorphTarget, also "refit face capture names perfect sync";
    = "Pose";
    MirrorJoints, "Mirror to the other side", "Copy the pose of the selected joints to the opposite side", [], needs SelectedJoint, also "symmetrize";
    MirrorPose, "Mirror pose", "Swap the poses of left and right", ["Ctrl+M"], needs PosedJoint, also "flip swap pose";
    ToggleSymmetry, "Live symmetry", "Mirror every edit to the opposite side", [], also "mirror x-axis x axis";
    ResetRotation, "Clear rotation", "Clear the user rotation of the selected joints", ["Alt+R"], needs SelectedJoint, also "reset rotation zero out";
    ResetTranslation, "Clear position", "Clear the user translation of the selected joints", ["Alt+G"], needs SelectedJoint, also "reset position translation";
    ResetScale, "Clear scale", "Clear the user scale of the selected joints", ["Alt+S"], needs SelectedJoint, also "reset scale";
    ResetTranslationAndScale, "Clear position and scale", "Clear the user translation and scale of the selected joints", [], needs SelectedJoint, also "reset position translation scale";
    ResetJoint, "Clear joint", "Clear the user transform of the selected joints", [], needs SelectedJoint, also "reset joint zero out transforms";
    ResetSubtree, "Clear subtree", "Clear the user transforms of the selected joints and their descendants", ["Alt+Shift+R"], needs SelectedJoint, also "reset subtree";
    ResetAll, "Clear all", "Clear all user transforms and morph target weights", ["Ctrl+Alt+R"], needs PosedJoint, also "reset all pose zero out neutral default";
    ShowMorphs, "Morph targets", "Show a slider for each morph target (blend shape)", [], needs MorphTarget, also "shape keys blendshapes sliders editor";
    ResetMorphs, "Clear morph targets", "Clear your morph target and expression weights, and the gaze", [], needs MovedMorphTarget, also "reset morph targets blend shapes";
    CopyMorphs, "Copy morph targets", "Copy your morph target weights as text", [], needs MorphTarget;
    RestPose, "Rest pose", "Show the file's rest pose without clip or user pose", [], also "default t-pose a-pose neutral";
    BindPose, "Bind pose", "Show the bind pose: every skinning matrix is the identity", [], needs Skin, also "go to dagpose restore";
    ClipPose, "Clip pose", "Show the clip without the user pose", [], needs Clip;
    UserPose, "User pose", "Return to the user pose", [], needs OtherUserPose;
    ToggleExpressions, "Expressions", "Apply the weights of facial expressions", [], needs Expressions, also "behaviours face smile blink vrm";
    ToggleLookAt, "Gaze", "Let the eyes follow their target", [], needs LookAt, also "behaviours look eyes vrm";
    ToggleConstraints, "Constraints", "Evaluate the file's constraints", [], needs Constraints, also "behaviours twist helper aim roll follow vrm";
    ToggleSprings, "Springs", "Simulate the file's spring bones", [], needs Springs, also "behaviours physics hair skirt swing jiggle vrm";
    SettleSprings, "Settle springs", "Simulate springs until they rest in the pose", [], needs SwingingSprings, also "behaviours physics simulate";
    ResetSprings, "Reset springs", "Return springs to their rest directions", [], needs SwingingSprings, also "behaviours physics";
    = "Selection and tree";
    ClearSelection, "Clear selection", "Leave the mode that the status bar names, or deselect", ["Escape"], needs Selection, also "deselect none cancel leave mode exit";
    SelectParent, "Select parent", "Select the parent joint", ["OpenBracket"], needs SelectedJoint, also "pick walk up";
    SelectChild, "Select child", "Select the first child joint", ["CloseBracket"], needs SelectedJoint, also "pick walk down";
    SelectSubtree, "Select subtree", "Extend the selection to all descendants", [], needs SelectedJoint, also "hierarchy children below";
    ToggleIsolated, "Isolate", "Show only the active joint's bones and those below it", ["Slash"], needs JointToIsolate, also "local view hide unselected select solo";
    FilterJoints, "Filter joints", "Filter the joint tree by name", ["Ctrl+F"], also "find search name";
    ToggleAllNodes, "Show all nodes", "List all nodes in the tree, or only joints", [], also "empties locators transforms groups";
    = "Editing weights";
    ToggleWeightEditing, "Edit weights", "Select vertices and edit their weights on side A", ["V"], needs Skin, also "vertex paint skin fix hand vertices weights paint brush component editor vertex group";
    SelectPieces, "Select connected vertices", "Extend the selection to all connected vertices", ["Ctrl+L"], needs SelectedVertices, also "linked piece island shell element";
    GrowVertices, "Grow vertices", "Extend the vertex selection to neighbouring vertices", ["Ctrl+CloseBracket"], needs SelectedVertices, also "more expand vertex";
    ShrinkVertices, "Shrink vertices", "Remove the border of the vertex selection", ["Ctrl+OpenBracket"], needs SelectedVertices, also "less vertex";
    InvertVertices, "Invert vertices", "Select all vertices that are not selected", ["Ctrl+I"], needs Vertices, also "vertex all";
    ClearVertices, "Clear vertices", "Select no vertices", [], needs SelectedVertices, also "vertex deselect none";
    SelectFindingVertices, "Select vertices of the finding", "Select the vertices of the selected finding or weight problem", [], needs FindingVertices, also "lint vertex region suspicious";
    RigidToJoint, "Rigid to joint", "Bind the selected vertices to the selected joint alone", [], needs JointAndWeights, also "weight bind hard 100 parent bone";
    AssignWeight, "Assign weight", "Assign the weight to the selected joint; others share the rest", [], needs JointAndWeights, also "replace set";
    AddWeight, "Add weight", "Add the weight to the selected joint; others share the rest", [], needs JointAndWeights, also "increase more";
    SubtractWeight, "Subtract weight", "Subtract the weight from the selected joint; others share the rest", [], needs JointAndWeights, also "decrease less remove";
    SmoothWeights, "Smooth weights", "Average the selected vertices' weights with their neighbours", [], needs Weights, also "blur relax";
    CopyNearestWeights, "Copy weights from nearest", "Copy weights from the nearest unselected vertex", [], needs Weights, also "hammer closest transfer";
    MirrorWeights, "Mirror weights", "Copy the selected vertices' weights to the opposite side", [], needs Weights, also "symmetry flip opposite skin";
    LockWeights, "Lock weights of joint", "Protect the selected joint's weights from edits, or unlock them", [], needs SkinJoint, also "hold protect";
    = "Skinning and comparing";
    NextMethod, "Next skinning method", "Switch between LBS and DQS on the same pose", ["M"], also "lbs dqs dual quaternion preserve volume classic linear";
    NextLayout, "Next compare layout", "Cycle through single, wipe, side by side and ghost", ["C"];
    LayoutSingle, "Single", "Show one skinning method", [];
    LayoutWipe, "Wipe", "Show A and B on either side of a draggable line", [], also "split slider";
    LayoutSideBySide, "Side by side", "Show A and B next to each other", [];
    LayoutGhost, "Ghost", "Draw B over A, translucent or as an outline", [], also "onion skin overlay";
    SwapSides, "Swap A and B", "Swap the two sides", ["Shift+C"];
    Blink, "Blink", "Hold to show B in place of A", ["B"];
    CompareWith, "Compare with file…", "Show another character on side B in the same pose", [], also "diff version old new other file b reference";
    CompareWithPoints, "Compare with points…", "Show points of another program on side B, and find the mistake that explains them", [], also "diagnose engine debug skinning vertices npy npz csv obj ply pc2 wrong mesh explodes";
    DiagnosePoints, "Diagnose points", "Find the mistake of skinning that gives exactly the points on side B", [], needs PointsShown, also "debug skinning explain mistake engine wrong";
    ComparePrevious, "Compare with previous version", "Show the version kept on reload on side B", [], needs PreviousVersion, also "diff old before reload";
    ToggleKeepVersionBefore, "Keep previous version on reload", "On reload, keep the previous version and show it on side B", [], also "diff live old compare";
    StopComparing, "Close the other file", "Show the open file on both sides", [], needs AnotherFile, also "diff version";
    = "Gizmo";
    ToolRotate, "Rotate", "Rotate the selected joints with rings", ["R", "E"], blender ["R"], maya ["E"];
    ToolMove, "Move", "Move the selected joints with arrows", ["G", "W"], blender ["G"], maya ["W"];
    ToolScale, "Scale", "Scale the selected joints with handles", ["S"], maya ["R"];
    NextOrientation, "Next gizmo orientation", "Cycle the gizmo's axes: local, parent, world, view, gimbal", ["Comma"], also "transform axis space";
    GizmoSmall, "Small gizmo", "Draw the gizmo small", [], also "manipulator size handles rings";
    GizmoMedium, "Medium gizmo", "Draw the gizmo in its usual size", [], also "manipulator size handles rings default";
    GizmoLarge, "Large gizmo", "Draw the gizmo large", [], also "manipulator size handles rings big";
    ToggleIk, "IK", "Move a joint by rotating the chain above it (inverse kinematics)", ["I"], also "inverse kinematics auto ik handle humanik fullbody";
    TogglePin, "Pin", "Hold the selected joints: position, then also rotation, then neither", ["P"], needs SelectedJoint, also "ik target goal lock foot hand constraint control rig";
    ApplyPins, "Apply pins to pose", "Turn the effect of all pins into the pose, then unpin", [], needs Pin, also "bake ik";
    = "View";
    FrameSelected, "Frame selected", "Frame the selected joints, or everything where none is selected", ["F", "Period"], also "view focus zoom fit look at";
    FrameAll, "Frame all", "Frame the whole character", ["Home", "A"], blender ["Home"], also "view home fit zoom extents";
    ToggleFollow, "Follow joint", "Follow the active joint with the camera, or stop following", [], needs JointToFollow, also "camera track target root motion lock";
    ToggleFollowRoot, "Follow root", "Follow the clip's root with the camera, or stop following", [], needs ChosenClip, also "camera track character root motion leave view";
    SaveView, "Save view", "Save the current view under a name; sessions keep it too", [], also "camera bookmark saved views";
    ViewFront, "Front", "Look from the front", ["1"];
    ViewRight, "Right", "Look from +X", ["3"];
    ViewTop, "Top", "Look from above", ["7"];
    ViewBack, "Back", "Look from behind", ["Ctrl+1"];
    ViewLeft, "Left", "Look from -X", ["Ctrl+3"];
    ViewBottom, "Bottom", "Look from below", ["Ctrl+7"];
    ToggleOrthographic, "Orthographic", "Switch between orthographic and perspective projection", ["5"], also "perspective camera";
    FieldOfView20, "Field of view 20°", "Look through a long lens, with hardly any perspective", [], also "fov camera focal length zoom telephoto";
    FieldOfView35, "Field of view 35°", "Look through the usual lens", [], also "fov camera focal length zoom";
    FieldOfView50, "Field of view 50°", "Look through a wide lens", [], also "fov camera focal length zoom";
    FieldOfView75, "Field of view 75°", "Look through a very wide lens, as in a game", [], also "fov camera focal length zoom";
    ToggleFullScreen, "Full screen", "Show the window in full screen, or leave it", ["F11"], also "fullscreen maximize";
    ToggleLeftPanel, "Left panel", "Show or hide the panel on the left, at first the joint tree", ["Shift+T"], needs Tab(PanelEdge::Left), also "sidebar outliner hide tree hierarchy";
    ToggleTracks, "Tracks", "Show measures over the clip as graphs above the timeline", ["D"], needs Clip, also "graph plot chart curves drawer motion measure timeline dope sheet fcurves editor";
    ToggleRightPanel, "Right panel", "Show or hide the panel on the right", ["N"], needs Tab(PanelEdge::Right), also "sidebar inspector hide properties attribute editor channel box n panel";
    ToggleBottomPanel, "Bottom panel", "Show or hide the panel at the bottom", [], needs Tab(PanelEdge::Bottom), also "sidebar hide dock";
    TogglePanels, "All panels", "Show or hide all panels beside and below the view", [], also "sidebar hide maximize viewport";
    ResetPanelLayout, "Reset panel layout", "Return tabs to their first panels and sizes", [], needs MovedTab, also "dock tabs default workspace window";
    = "Display";
    ToggleBones, "Bones", "Draw the bones", [], also "skeleton armature rig joints";
    ToggleBonesInFront, "Bones in front", "Draw the bones over the skin", ["Alt+Z"], also "x-ray skeleton xray";
    BonesOctahedral, "Octahedral bones", "Draw bones as octahedra that show head, tail and roll", [], also "skeleton style";
    BonesStick, "Stick bones", "Draw bones as thin sticks", [], also "skeleton style";
    BonesLine, "Line bones", "Draw bones as lines", [], also "skeleton style";
    NamesHovered, "Name under the pointer", "Label only the joint under the pointer", [], also "labels";
    NamesSelected, "Names of selected joints", "Label the selected joints and the one under the pointer", [], also "labels";
    NamesAll, "Names of all joints", "Label every joint where there is room", [], also "labels joint bone";
    ToggleAxes, "Joint axes", "Draw the axes of every joint", [], also "orientation local rotation";
    ToggleTrails, "Trails", "Draw motion trails of the selected joints and probes", ["Alt+T"], also "motion trail path arc trajectory paths editable";
    ToggleRootPath, "Root path", "Draw the root's path over the ground, with the facing direction", [], also "root motion trajectory trail floor heading";
    ToggleSpringWires, "Springs and colliders", "Draw spring bones and colliders; active colliders are red", [], needs Springs, also "hair physics capsules spheres";
    ToggleFirstPerson, "First person", "Hide what the character's own eyes don't see", [], needs FirstPerson, also "vrm head hidden vr marks annotations";
    ToggleGrid, "Grid", "Draw the ground grid", [], also "floor ground";
    ToggleWireframe, "Wireframe", "Draw the edges of the triangles", ["Shift+Z"], maya ["4"], also "mesh edges topology shading";
    LightByFile, "Environment map…", "Light materials with your own environment map (.hdr)", [], also "environment hdri image based lighting ibl sky";
    ToggleEnvironmentBackground, "Show environment as background", "Show the blurred environment behind the file's materials", [], also "environment backdrop background hdri sky panorama";
    ToggleClay, "Clay", "Draw the skin in neutral clay instead of its materials", [], also "matcap shading";
    SmoothAutomatic, "Automatic anti-aliasing", "Four samples per pixel, fewer while moving in software rendering", [], also "antialiasing msaa multisampling samples smooth edges";
    SmoothOff, "No anti-aliasing", "One sample per pixel", [], also "antialiasing msaa multisampling samples fast rough edges";
    SmoothFour, "4× anti-aliasing", "Four samples per pixel", [], also "antialiasing msaa multisampling samples smooth edges";
    SmoothEight, "8× anti-aliasing", "Eight samples per pixel, or the driver's maximum", [], also "antialiasing msaa multisampling samples quality smooth edges";
    ToggleFrameTimes, "Frame times", "Show how long frames take in the status bar", [], also "fps performance speed statistics milliseconds heads up display";
    = "Playback";
    TogglePlay, "Play or pause", "Play the clip", ["Space"], needs Clip, also "animation";
    ToggleLoop, "Loop", "Start over at the end of the played range", [], also "cycle repeat";
    ToggleHoldRoot, "Hold in place", "Play on the spot: the root moves only up and down", [], needs Clip, also "root motion in place treadmill lock walk on spot inplace";
    TogglePingPong, "Back and forth", "Play the range forwards, then backwards (ping-pong)", [];
    StepBack, "Step back", "Go back one frame", ["Left"], needs Clip;
    StepForward, "Step forward", "Go forward one frame", ["Right"], needs Clip;
    PlayFromHere, "Play from here", "Start the played range at the current time", [], needs ChosenClip;
    PlayToHere, "Play to here", "End the played range at the current time", [], needs ChosenClip;
    PlayAll, "Play all of the clip", "Play the clip from start to end", [], needs PlayedPart;
    PreviousKey, "Previous key", "Go to the previous key of the clip", ["Shift+Left"], needs ChosenClip;
    NextKey, "Next key", "Go to the next key of the clip", ["Shift+Right"], needs ChosenClip;
    RankClips, "Rank clips", "Find the frame of each clip where the skin loses most volume", [], needs SkinAndClip, also "worst clip frame loss sort measure motion";
    = "Analysis and help";
    ShowLint, "Lint", "Show errors, warnings and notes about this file", ["L"], also "check validate problems";
    TogglePalette, "Command palette…", "Find any command by a few letters", ["Ctrl+Shift+P"], blender ["F3", "Ctrl+Shift+P"], also "menu search operator";
    ToggleProbe, "Probe", "Click the skin to inspect a vertex; Shift adds another", ["K"], needs Mesh, also "vertex weight inspect weights under pointer query";
    ClearProbes, "Clear probes", "Remove all probes", [];
    ToggleTwistTest, "Twist test", "Plot the volume lost while the selected joint twists and bends", ["T"], needs Skin;
    TestTwist, "Test this joint", "Twist and bend the selected joint and measure the skin", [], needs SelectedJoint;
    RankJoints, "Rank joints", "Rank all joints by the volume that LBS loses", [], needs Skin, also "candy wrapper collapse";
    TestBend, "Bend test", "Pose every joint and list where the skin deforms badly", [], needs Mesh, also "flex range of motion rom deformation stress worst poses elbow";
    StartTour, "Skinning tour", "Learn skinning in ten steps on built-in characters", [], also "what is a candy wrapper learn tutorial help";
    LeaveTour, "Leave the tour", "Return to the file that was open before the tour", [], needs Tour;
    OpenGuide, "Guide", "Open the guide in the browser, offline", [], also "manual documentation docs handbook pages help";
    ToggleHelp, "Keys and codes", "Show keys, mouse actions and lint codes", ["F1", "Shift+Questionmark", "Questionmark"], also "shortcuts help keyboard keymap hotkeys hotkey editor bindings";
    ToggleAbout, "About Rigscope", "Show version, licence and graphics driver", [], also "version license gpu opengl driver info";
}

impl Action {
    pub fn spec(self) -> &'static ActionSpec {
        &ACTIONS[self as usize]
    }
}
