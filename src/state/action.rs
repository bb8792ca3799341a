//! One table of the commands without parameters: the enum, menus, hints, keys, the help sheet and what is disabled are made from it.

use super::{AppState, Preset};

/// What there is to say about an action.
pub struct ActionSpec {
    /// Which.
    pub action: Action,
    /// Its name in the program, which settings use.
    pub id: &'static str,
    /// In menus and on buttons.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub hint: &'static str,
    /// With which others it stands in the sheet of keys.
    pub group: &'static str,
    /// In the preset of this program, as text like "Ctrl+Shift+Z"; the first is shown.
    keys: &'static [&'static str],
    /// Where another program has other keys for it.
    keys_elsewhere: &'static [(Preset, &'static [&'static str])],
    /// Further words by which people look for it.
    pub words: &'static str,
    /// Why it can do nothing now.
    obstacle: fn(&AppState) -> Option<&'static str>,
}

impl ActionSpec {
    /// The keys of a preset, as text like "Ctrl+Shift+Z"; the first is shown.
    pub fn keys(&self, preset: Preset) -> &'static [&'static str] {
        self.keys_elsewhere.iter().find(|(other, _)| *other == preset).map_or(self.keys, |(_, keys)| keys)
    }
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
            obstacle: [$(need::$need,)? need::nothing][0],
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
    NextFile, "Next file", "Open the next file of the list", ["PageDown"], needs several_files;
    PreviousFile, "Previous file", "Open the previous file of the list", ["PageUp"], needs several_files;
    ToggleReloadOnChange, "Reload on change", "Read the file again when another program changes it", [];
    ToggleKeepVersionBefore, "Compare with previous version", "When the file is read again, keep what it was on side B: what did the export change?", [], also "diff live old previous";
    CompareWith, "Compare with…", "Show another file on side B, in the same pose by joint name", [], also "diff version old new file b";
    StopComparing, "Leave the other file", "Show the open file on both sides again", [], needs another_file, also "diff version";
    UseClips, "Use clips from…", "Put the clips of another file onto this character, joint by joint by name", [], also "retarget animation mixamo motion";
    OpenPose, "Open pose…", "Apply a pose file to this character", [];
    SavePose, "Save pose…", "Write the pose to a file", ["Ctrl+S"], needs a_posed_joint, also "export";
    SavePoseToLibrary, "Save pose to library…", "Save the pose under a name in this character's library", ["Ctrl+Alt+S"], needs a_posed_joint, also "export";
    OpenSession, "Open session…", "Open a saved session: file, pose, selection, camera, clip", [];
    SaveSession, "Save session…", "Write file, pose, selection, camera and view settings to a session file", [], also "export project";
    RestoreSession, "Restore last session", "Open the newest session whose pose was not saved", [];
    ExportMesh, "Export posed mesh…", "Write the meshes of side A as posed now to a GLB, OBJ, PLY or JSON file", [], needs a_mesh, also "bake save geometry glb obj ply json";
    ExportMeshOfB, "Export posed mesh of B…", "Write the meshes of side B as posed now to a GLB, OBJ, PLY or JSON file", [], needs a_mesh_of_b, also "bake save geometry glb obj ply json";
    ExportRig, "Export rig…", "Write joints, skins, meshes, morph targets, materials and clips as the file has them to a GLB file", [], also "convert save gltf glb skeleton";
    ExportWeights, "Export weights…", "Write the file to a GLB file with the weights of side A, and all else as it is", [], needs other_weights, also "save gltf glb skin computed repaired";
    SaveReport, "Report…", "Write a page of this character: pictures, findings, the joints that lose most, a view to turn", [], also "html export web summary";
    SavePicture, "Save picture…", "Write the viewport to a PNG, JPEG or WebP", ["Ctrl+Shift+S"], also "export screenshot image render";
    SaveFilm, "Save film…", "Write the clip, or the character from all sides, as one animated file or as numbered pictures", [], also "export video movie animation turntable gif frames render";
    CopyPicture, "Copy picture", "Put a picture of the viewport on the clipboard", ["Ctrl+Shift+C"], also "screenshot image clipboard";
    ToggleCaptionedPictures, "Captions in pictures", "Draw side names and legends into saved or copied pictures and films", [], also "legend label text burn in method";
    ToggleTransparentPictures, "Transparent pictures", "Save and copy pictures and films without background and grid; the shadow on the ground stays", [], also "alpha background cut out mask";
    Quit, "Quit", "Close Rigscope", ["Ctrl+Q"];
    = "Edit";
    Undo, "Undo", "Undo the last edit", ["Ctrl+Z"], maya ["Ctrl+Z", "Z"], needs a_step_to_undo;
    Redo, "Redo", "Redo the edit that was undone last", ["Ctrl+Shift+Z", "Ctrl+Y"], maya ["Ctrl+Shift+Z", "Shift+Z", "Ctrl+Y"], needs a_step_to_redo;
    CopyPose, "Copy pose", "Copy the pose of the selected joints as the text of a pose file, without morph targets", ["Ctrl+C"], needs a_selected_joint;
    PastePose, "Paste pose", "Paste one joint's pose onto all selected joints, or several poses onto their joints by name", ["Ctrl+V"];
    PasteMirrored, "Paste mirrored", "Paste the copied pose onto the opposite side", ["Ctrl+Shift+V"];
    = "Pose";
    MirrorJoints, "Mirror to the other side", "Copy the pose of the selected joints to the opposite side", [], needs a_selected_joint;
    MirrorPose, "Mirror pose", "Swap the poses of left and right", ["Ctrl+M"], needs a_posed_joint;
    ToggleSymmetry, "Live symmetry", "Mirror every edit to the opposite side", [], also "mirror";
    ResetRotation, "Clear rotation", "Clear the user rotation of the selected joints", ["Alt+R"], needs a_selected_joint, also "reset rotation";
    ResetTranslation, "Clear position", "Clear the user translation of the selected joints", ["Alt+G"], needs a_selected_joint, also "reset position translation";
    ResetScale, "Clear scale", "Clear the user scale of the selected joints", ["Alt+S"], needs a_selected_joint, also "reset scale";
    ResetTranslationAndScale, "Clear position and scale", "Clear the user translation and scale of the selected joints", [], needs a_selected_joint, also "reset position translation scale";
    ResetJoint, "Clear joint", "Clear the user transform of the selected joints", [], needs a_selected_joint, also "reset joint";
    ResetSubtree, "Clear subtree", "Clear the user transforms of the selected joints and all their descendants", ["Alt+Shift+R"], needs a_selected_joint, also "reset subtree";
    ResetAll, "Clear all", "Clear all user transforms and morph target weights", ["Ctrl+Alt+R"], needs a_posed_joint, also "reset all pose";
    ShowMorphs, "Morph targets", "Show a slider for each morph target (blend shape)", [], needs a_morph_target;
    ResetMorphs, "Clear morph targets", "Clear the user weights of all morph targets", [], needs a_moved_morph_target, also "reset morph targets blend shapes";
    CopyMorphs, "Copy morph targets", "Copy the user weights of all morph targets as the text of a pose file", [], needs a_morph_target;
    RestPose, "Rest pose", "Show the file's rest pose without clip or user pose", [];
    BindPose, "Bind pose", "Show the bind pose, in which every skinning matrix is the identity", [], needs a_skin;
    ClipPose, "Clip pose", "Show the clip without the user pose", [], needs a_clip;
    UserPose, "User pose", "Return to the user pose", [], needs another_pose_of_yours;
    = "Selection and tree";
    ClearSelection, "Clear selection", "Deselect all joints", ["Escape"], needs a_selection;
    SelectParent, "Select parent", "Select the parent joint", ["OpenBracket"], needs a_selected_joint;
    SelectChild, "Select child", "Select the first child joint", ["CloseBracket"], needs a_selected_joint;
    SelectSubtree, "Select subtree", "Extend the selection to all descendants", [], needs a_selected_joint;
    ToggleIsolated, "Isolate", "Show only the bones of the active joint's subtree, or all bones again", ["Slash"], needs a_joint_to_isolate;
    FilterJoints, "Filter joints", "Show only joints in the tree whose name contains what is typed", ["Ctrl+F"], also "find search name";
    ToggleAllNodes, "All nodes in the tree", "List all nodes in the tree, or only joints", [];
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
    TogglePin, "Pin", "Make the selected joints the fixed ends of IK chains", ["P"], needs a_selected_joint;
    = "View";
    FrameSelected, "Frame selected", "Frame the selected joints, or everything where none is selected", ["F", "Period"];
    FrameAll, "Frame all", "Frame the whole character", ["Home", "A"], blender ["Home"];
    ToggleFollow, "Follow joint", "Follow the active joint with the camera, or stop following", [], needs a_joint_to_follow, also "camera track target root motion";
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
    ToggleGrid, "Grid", "Draw the ground grid", [], also "floor ground";
    ToggleWireframe, "Wireframe", "Draw the edges of the triangles", ["Shift+Z"], maya ["4"], also "mesh edges topology";
    ToggleClay, "Clay", "Draw the skin in neutral clay instead of the file's materials", [], also "matcap shading";
    SmoothAutomatic, "Automatic anti-aliasing", "Four samples a pixel; one while something moves, where the driver draws on the processor", [], also "antialiasing msaa multisampling samples smooth edges";
    SmoothOff, "No anti-aliasing", "One sample a pixel", [], also "antialiasing msaa multisampling samples fast rough edges";
    SmoothFour, "4× anti-aliasing", "Four samples a pixel", [], also "antialiasing msaa multisampling samples smooth edges";
    SmoothEight, "8× anti-aliasing", "Eight samples a pixel, or as many as the driver has", [], also "antialiasing msaa multisampling samples quality smooth edges";
    ToggleFrameTimes, "Frame times", "Show how long frames take in the status bar", [], also "fps performance speed statistics milliseconds";
    = "Playback";
    TogglePlay, "Play or pause", "Play the clip", ["Space"], needs a_clip;
    ToggleLoop, "Loop", "Start over at the end of the played range", [];
    TogglePingPong, "Back and forth", "Play the range forwards, then backwards (ping-pong)", [];
    StepBack, "Step back", "Go back one frame", ["Left"], needs a_clip;
    StepForward, "Step forward", "Go forward one frame", ["Right"], needs a_clip;
    PlayFromHere, "Play from here", "Start the played range at the current time", [], needs a_chosen_clip;
    PlayToHere, "Play to here", "End the played range at the current time", [], needs a_chosen_clip;
    PlayAll, "Play all of the clip", "Play the clip from start to end", [], needs a_part_that_plays;
    PreviousKey, "Previous key", "Go to the previous key of the clip", ["Shift+Left"], needs a_chosen_clip;
    NextKey, "Next key", "Go to the next key of the clip", ["Shift+Right"], needs a_chosen_clip;
    = "Analysis and help";
    ShowLint, "Lint", "Show errors, warnings and notes about this file", ["L"], also "check validate problems";
    TogglePalette, "Commands…", "Find any command by a few letters", ["Ctrl+Shift+P"], blender ["F3", "Ctrl+Shift+P"];
    ToggleProbe, "Probe", "Click the skin to see the influences and blending of its nearest vertex; Shift adds another", ["K"], also "vertex weight inspect";
    ClearProbes, "Clear probes", "Remove all probes", [];
    ToggleTwistTest, "Twist test", "Plot the volume that skinning loses while the selected joint twists and bends", ["T"];
    TestTwist, "Test this joint", "Twist and bend the selected joint, from this pose or from rest as chosen beside it", [], needs a_selected_joint;
    RankJoints, "Rank joints", "List all joints by the share of volume that linear blending loses there", [], also "candy wrapper collapse";
    StartTour, "What is a candy wrapper?", "A tour of skinning in ten steps on built-in characters; the current file stays open", [];
    LeaveTour, "Leave the tour", "Return to the file that was open before the tour", [], needs the_tour;
    OpenGuide, "Guide", "Open the guide in the browser; no network is needed", [], also "manual documentation docs handbook pages help";
    ToggleHelp, "Keys and codes", "Show keys, mouse actions and lint codes", ["F1", "Shift+Questionmark", "Questionmark"], also "shortcuts help";
}

impl Action {
    /// What the table says about it.
    pub fn spec(self) -> &'static ActionSpec {
        &ACTIONS[self as usize]
    }
}

impl AppState {
    /// Why an action can do nothing now, in a few words; `None` where it can do something.
    pub fn obstacle(&self, action: Action) -> Option<&'static str> {
        (action.spec().obstacle)(self)
    }

    /// True where an action can do something now.
    pub fn can(&self, action: Action) -> bool {
        self.obstacle(action).is_none()
    }
}

/// What actions need, and what is said where they lack it.
mod need {
    use super::AppState;
    use crate::view::{Layout, Side};

    type Obstacle = Option<&'static str>;

    fn unless(is_there: bool, obstacle: &'static str) -> Obstacle {
        (!is_there).then_some(obstacle)
    }

    pub fn nothing(_: &AppState) -> Obstacle {
        None
    }

    pub fn a_step_to_undo(state: &AppState) -> Obstacle {
        unless(state.open.history.undo_label().is_some(), "Nothing to undo")
    }

    pub fn a_step_to_redo(state: &AppState) -> Obstacle {
        unless(state.open.history.redo_label().is_some(), "Nothing to redo")
    }

    pub fn a_selected_joint(state: &AppState) -> Obstacle {
        unless(state.open.selected().is_some(), "No joint is selected")
    }

    pub fn a_joint_to_isolate(state: &AppState) -> Obstacle {
        unless(state.open.selected().is_some() || state.open.view.isolated.is_some(), "No joint is selected")
    }

    pub fn a_joint_to_follow(state: &AppState) -> Obstacle {
        unless(state.open.selected().is_some() || state.open.followed().is_some(), "No joint is selected")
    }

    pub fn a_selection(state: &AppState) -> Obstacle {
        unless(state.open.selected().is_some() || state.open.lint.selected.is_some(), "Nothing is selected")
    }

    pub fn a_posed_joint(state: &AppState) -> Obstacle {
        unless(state.open.pose().is_any_posed(), "Nothing is posed")
    }

    pub fn a_morph_target(state: &AppState) -> Obstacle {
        unless(!state.open.rig().morphs().is_empty(), "This file has no morph targets")
    }

    pub fn a_moved_morph_target(state: &AppState) -> Obstacle {
        unless(state.open.pose().morph_weights().next().is_some(), "No morph target has a user weight")
    }

    pub fn another_pose_of_yours(state: &AppState) -> Obstacle {
        unless(state.open.user_pose() != state.open.pose(), "The user pose is shown already")
    }

    pub fn a_skin(state: &AppState) -> Obstacle {
        unless(!state.open.rig().skins.is_empty(), "This file has no skin")
    }

    pub fn a_mesh(state: &AppState) -> Obstacle {
        unless(!state.open.rig().instances.is_empty(), "This file has no mesh")
    }

    pub fn a_mesh_of_b(state: &AppState) -> Obstacle {
        a_mesh(state).or_else(|| unless(state.open.view.compare.layout != Layout::Single, "Side B is not shown"))
    }

    pub fn other_weights(state: &AppState) -> Obstacle {
        if state.open.other_on(Side::A).is_some() {
            return Some("Side A shows another file");
        }
        unless(state.open.weighted(Side::A).is_some(), "Side A shows the weights of the file")
    }

    pub fn another_file(state: &AppState) -> Obstacle {
        let shows_another = |side| !state.open.subject(side).is_open();
        unless(Side::ALL.into_iter().any(shows_another), "Both sides show the open file")
    }

    pub fn a_clip(state: &AppState) -> Obstacle {
        unless(!state.open.rig().clips.is_empty(), "This file has no clips")
    }

    pub fn a_chosen_clip(state: &AppState) -> Obstacle {
        unless(state.open.playback.clip.is_some(), "No clip is chosen")
    }

    pub fn a_part_that_plays(state: &AppState) -> Obstacle {
        unless(state.open.playback.range().is_some(), "All of the clip plays")
    }

    pub fn several_files(state: &AppState) -> Obstacle {
        unless(!state.files.is_empty() || state.is_touring(), "Only one file was given")
    }

    pub fn the_tour(state: &AppState) -> Obstacle {
        unless(state.is_touring(), "The tour is not on")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::Settings;

    #[test]
    fn every_action_has_its_row() {
        for spec in ACTIONS {
            assert_eq!(spec.action.spec().id, format!("{:?}", spec.action));
        }
    }

    #[test]
    fn what_is_disabled_says_why() {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut state = AppState::new(tube, Settings::default());
        state.apply(crate::state::Command::Select(None));
        let reasons = [
            (Action::Undo, Some("Nothing to undo")),
            (Action::CopyPose, Some("No joint is selected")),
            (Action::SavePose, Some("Nothing is posed")),
            (Action::ShowMorphs, Some("This file has no morph targets")),
            (Action::ResetMorphs, Some("No morph target has a user weight")),
            (Action::UserPose, Some("The user pose is shown already")),
            (Action::BindPose, None),
            (Action::FrameAll, None),
        ];
        for (action, reason) in reasons {
            assert_eq!(state.obstacle(action), reason, "{action:?}");
            assert_eq!(state.can(action), reason.is_none(), "{action:?}");
        }
        let has_clips = !state.open.rig().clips.is_empty();
        assert_eq!(state.obstacle(Action::ClipPose), (!has_clips).then_some("This file has no clips"));
    }
}
