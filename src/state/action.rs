//! One table of the commands without parameters: the enum, menus, hints, keys, the help sheet and what is disabled are made from it; and what each does.

mod need;

use std::f32::consts::{FRAC_PI_2, PI};

use super::edit::reset::{Reach, ResetPart};
use super::{
    AfterLoad, AppState, Exported, Naming, PanelEdge, PathUse, PosingOptions, Preset, Request, SidePanel, Smoothing,
    WindowRequest,
};
use crate::gizmo::Tool;
use crate::rig::{Clip, FrameRate};
use crate::stage::Repeat;
use crate::view::{BoneStyle, FOVS, Layout, NamesShown, Side};

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

    /// Carries an action out; what the state cannot do itself comes back as a request.
    #[expect(clippy::too_many_lines, reason = "one line for each: a table of what it does")]
    pub(super) fn act(&mut self, action: Action) -> Option<Request> {
        match action {
            Action::Open => return Some(self.ask_for_path(PathUse::OpenRig)),
            Action::CompareWith => return Some(self.ask_for_path(PathUse::CompareWith)),
            Action::StopComparing => self.open.leave_others(),
            Action::ToggleKeepVersionBefore => self.settings.keeps_version_before ^= true,
            Action::UseClips => return Some(self.ask_for_path(PathUse::UseClips)),
            Action::Reload => return Some(self.open.load_again(self.open.document.scene, true)),
            Action::NextFile if self.is_touring() => return self.step_of_tour(true),
            Action::PreviousFile if self.is_touring() => return self.step_of_tour(false),
            Action::NextFile => return self.files.step(true).map(|source| Request::load(source, AfterLoad::Show)),
            Action::PreviousFile => return self.files.step(false).map(|source| Request::load(source, AfterLoad::Show)),
            Action::ToggleReloadOnChange => self.settings.reload_on_change ^= true,
            Action::OpenPose => return Some(self.ask_for_path(PathUse::OpenPose)),
            Action::SavePose => return Some(self.ask_for_path(PathUse::SavePose)),
            Action::SavePoseToLibrary => {
                self.panels.show(SidePanel::Pose, &mut self.settings);
                self.open.library.naming = Some(Naming::New);
            }
            Action::OpenSession => return Some(self.ask_for_path(PathUse::OpenSession)),
            Action::SaveSession => return Some(self.ask_for_path(PathUse::SaveSession)),
            Action::RestoreSession => return Some(Request::FindSession),
            Action::ExportMesh => return Some(self.ask_for_path(PathUse::Export(Exported::Mesh(Side::A)))),
            Action::ExportMeshOfB => return Some(self.ask_for_path(PathUse::Export(Exported::Mesh(Side::B)))),
            Action::ExportRig => return Some(self.ask_for_path(PathUse::Export(Exported::Rig))),
            Action::ExportWeights => return Some(self.ask_for_path(PathUse::Export(Exported::Weights))),
            Action::CopyPicture => return Some(WindowRequest::CopyPicture.into()),
            Action::SavePicture => return Some(self.ask_for_path(PathUse::SavePicture)),
            Action::SaveFilm => self.film = Some(self.open.film_plan()),
            Action::SaveReport => return Some(self.ask_for_path(PathUse::SaveReport)),
            Action::Quit => return Some(WindowRequest::Quit.into()),
            Action::TogglePalette => return Some(WindowRequest::TogglePalette.into()),
            Action::ToggleHelp => return Some(WindowRequest::ToggleHelp.into()),
            Action::ToggleProbe => self.toggle_probes(),
            Action::ClearProbes => self.open.probes.places.clear(),
            Action::ToggleTwistTest => return self.open.toggle_twist_test(),
            Action::TestTwist => return self.open.run_twist_test(),
            Action::RankJoints => return Some(self.open.rank_joints()),
            Action::StartTour => return self.go_to_tour_step(0),
            Action::LeaveTour => self.leave_tour(),
            Action::ShowLint => self.panels.toggle_lint(&mut self.settings),
            Action::Undo => self.go_through_history(|history, document, view| _ = history.undo(document, view)),
            Action::Redo => self.go_through_history(|history, document, view| _ = history.redo(document, view)),
            Action::CopyPose => return self.open.copied_pose().map(|text| WindowRequest::Copy(text).into()),
            Action::PastePose => return Some(WindowRequest::Paste { is_mirrored: false }.into()),
            Action::PasteMirrored => return Some(WindowRequest::Paste { is_mirrored: true }.into()),
            Action::MirrorJoints => self.notices.tell_only(self.open.mirror_joints(self.settings.posing.mirror)),
            Action::MirrorPose => self.notices.tell_only(self.open.mirror_pose(self.settings.posing.mirror)),
            Action::ToggleSymmetry => {
                let posing = self.settings.posing;
                self.set_posing(PosingOptions { symmetry: !posing.symmetry, ..posing });
            }
            Action::ResetRotation => self.open.reset(Reach::Joints, ResetPart::Rotation),
            Action::ResetTranslation => self.open.reset(Reach::Joints, ResetPart::Translation),
            Action::ResetScale => self.open.reset(Reach::Joints, ResetPart::Scale),
            Action::ResetTranslationAndScale => self.open.reset(Reach::Joints, ResetPart::TranslationAndScale),
            Action::ResetJoint => self.open.reset(Reach::Joints, ResetPart::All),
            Action::ResetSubtree => self.open.reset(Reach::Subtrees, ResetPart::All),
            Action::ResetAll => self.open.reset(Reach::Everything, ResetPart::All),
            Action::ResetMorphs => self.open.reset_morphs(),
            Action::CopyMorphs => return Some(WindowRequest::Copy(self.open.copied_morphs()).into()),
            Action::ShowMorphs => self.panels.show(SidePanel::Morphs, &mut self.settings),
            Action::RestPose => self.open.show_rest_pose(),
            Action::BindPose => self.notices.tell(self.open.show_bind_pose()),
            Action::ClipPose => self.open.show_clip_pose(),
            Action::UserPose => self.open.show_user_pose(),
            Action::ClearSelection => self.open.select(None),
            Action::SelectParent => self.open.select_parent(),
            Action::SelectChild => self.open.select_child(),
            Action::ToggleIsolated => self.open.toggle_isolated(),
            Action::SmoothAutomatic => self.settings.smoothing = Smoothing::Automatic,
            Action::SmoothOff => self.settings.smoothing = Smoothing::Off,
            Action::SmoothFour => self.settings.smoothing = Smoothing::Four,
            Action::SmoothEight => self.settings.smoothing = Smoothing::Eight,
            Action::ToggleTransparentPictures => self.settings.transparent_pictures ^= true,
            Action::ToggleCaptionedPictures => self.settings.captioned_pictures ^= true,
            Action::ToggleFrameTimes => self.settings.frame_times ^= true,
            Action::FilterJoints => {
                self.panels.show_tree(&mut self.settings);
                return Some(WindowRequest::FilterJoints.into());
            }
            Action::ToggleAllNodes => self.settings.all_nodes ^= true,
            Action::SelectSubtree => self.open.select_subtree(),
            Action::NextMethod => self.next_method(),
            Action::NextLayout => self.open.next_layout(),
            Action::LayoutSingle => self.open.set_layout(Layout::Single),
            Action::LayoutWipe => self.open.set_layout(Layout::Wipe),
            Action::LayoutSideBySide => self.open.set_layout(Layout::SideBySide),
            Action::LayoutGhost => self.open.set_layout(Layout::Ghost),
            Action::SwapSides => self.swap_sides(),
            Action::Blink => self.open.view.compare.is_blinking ^= true,
            Action::ToolRotate => self.settings.posing.tool = Tool::Rotate,
            Action::ToolMove => self.settings.posing.tool = Tool::Move,
            Action::ToolScale => self.settings.posing.tool = Tool::Scale,
            Action::ToggleIk => self.settings.posing.toggle_ik(),
            Action::TogglePin => self.open.toggle_pin(),
            Action::NextOrientation => self.settings.next_orientation(),
            Action::FrameSelected => self.open.frame_selected(),
            Action::FrameAll => self.open.frame_all(),
            Action::ToggleFollow => self.open.toggle_follow(),
            Action::SaveView => self.notices.tell(self.open.keep_view()),
            Action::ViewFront => self.open.look_from(0.0, 0.0),
            Action::ViewRight => self.open.look_from(FRAC_PI_2, 0.0),
            Action::ViewTop => self.open.look_from(0.0, FRAC_PI_2),
            Action::ViewBack => self.open.look_from(PI, 0.0),
            Action::ViewLeft => self.open.look_from(-FRAC_PI_2, 0.0),
            Action::ViewBottom => self.open.look_from(0.0, -FRAC_PI_2),
            Action::ToggleOrthographic => self.open.view.camera.is_orthographic ^= true,
            Action::FieldOfView20 => self.set_fov(FOVS[0]),
            Action::FieldOfView35 => self.set_fov(FOVS[1]),
            Action::FieldOfView50 => self.set_fov(FOVS[2]),
            Action::FieldOfView75 => self.set_fov(FOVS[3]),
            Action::ToggleFullScreen => return Some(WindowRequest::ToggleFullScreen.into()),
            Action::ToggleLeftPanel => self.panels.toggle(PanelEdge::Left, &mut self.settings),
            Action::ToggleRightPanel => self.panels.toggle(PanelEdge::Right, &mut self.settings),
            Action::ToggleBones => self.toggle(|d| &mut d.bones),
            Action::ToggleBonesInFront => self.toggle(|d| &mut d.bones_in_front),
            Action::BonesOctahedral => self.change_display(|d| d.bone_style = BoneStyle::Octahedral),
            Action::BonesStick => self.change_display(|d| d.bone_style = BoneStyle::Stick),
            Action::BonesLine => self.change_display(|d| d.bone_style = BoneStyle::Line),
            Action::NamesHovered => self.change_display(|d| d.names = NamesShown::Hovered),
            Action::NamesSelected => self.change_display(|d| d.names = NamesShown::Selected),
            Action::NamesAll => self.change_display(|d| d.names = NamesShown::All),
            Action::ToggleAxes => self.toggle(|d| &mut d.axes),
            Action::ToggleGrid => self.toggle(|d| &mut d.grid),
            Action::ToggleWireframe => self.toggle(|d| &mut d.wireframe),
            Action::ToggleClay => self.toggle_clay(),
            Action::TogglePlay => self.open.toggle_play(),
            Action::ToggleLoop => self.open.playback.toggle_repeat(Repeat::Loop),
            Action::TogglePingPong => self.open.playback.toggle_repeat(Repeat::PingPong),
            Action::StepBack => self.open.seek_frame(FrameRate::previous),
            Action::StepForward => self.open.seek_frame(FrameRate::next),
            Action::PlayFromHere => self.open.play_from_here(),
            Action::PlayToHere => self.open.play_to_here(),
            Action::PlayAll => self.open.set_played_part(None),
            Action::PreviousKey => self.open.seek_key(Clip::key_before),
            Action::NextKey => self.open.seek_key(Clip::key_after),
        }
        None
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
