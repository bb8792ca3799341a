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
    ($($action:ident, $name:literal, $hint:literal, [$($key:literal),*]
        $(, blender [$($blender:literal),*])? $(, maya [$($maya:literal),*])? $(, needs $need:ident)? $(, also $words:literal)?;)*) => {
        /// A command without parameters: what menus, keys and buttons share.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $(#[doc = concat!($hint, ".")] $action,)*
        }

        /// Every action, in the order of the help sheet.
        pub const ACTIONS: &[ActionSpec] = &[$(ActionSpec {
            action: Action::$action,
            id: stringify!($action),
            name: $name,
            hint: $hint,
            keys: &[$($key),*],
            keys_elsewhere: &[$((Preset::Blender, &[$($blender),*]),)? $((Preset::Maya, &[$($maya),*]),)?],
            words: concat!($($words)?),
            obstacle: [$(need::$need,)? need::nothing][0],
        }),*];
    };
}

// Id, name, hint and keys; the keys of other programs where those clash with this one's; what it needs to do anything; further words by
// which people look for it.
//
// In Blender A and W select, E extrudes and F3 searches. In Maya W, E and R are the handles, Z takes back, and the number row tells how to
// shade. An id never changes: settings know the keys that the user chose by it.
actions! {
    Open, "Open…", "Open a glTF or GLB file", ["Ctrl+O"], also "import load file";
    Reload, "Reload", "Open the same file again, with the pose as it is", ["Ctrl+R"];
    NextFile, "Next file", "Open the next of the files that were given together", ["PageDown"], needs several_files;
    PreviousFile, "Previous file", "Open the one before of the files that were given together", ["PageUp"], needs several_files;
    ToggleReloadOnChange, "Reload on change", "Open the file again when another program changes it", [];
    OpenPose, "Open pose…", "Apply a pose file to this character", [];
    SavePose, "Save pose…", "Write the pose to a file", ["Ctrl+S"], needs a_posed_joint, also "export";
    SavePoseToLibrary, "Save pose to library…", "Keep the pose with this character, under a name", ["Ctrl+Alt+S"], needs a_posed_joint, also "export";
    OpenSession, "Open session…", "Go on with a saved session: file, pose, selection, camera, clip", [];
    SaveSession, "Save session…", "Write what is open, its pose and how it is looked at to a file", [], also "export project";
    RestoreSession, "Restore last session", "The newest session that ended without its pose being saved", [];
    SavePicture, "Save picture…", "Write the viewport to a PNG", ["Ctrl+Shift+S"], also "export screenshot image render";
    Quit, "Quit", "End the program", ["Ctrl+Q"];
    Undo, "Undo", "Take the last edit back", ["Ctrl+Z"], maya ["Ctrl+Z", "Z"], needs a_step_to_undo;
    Redo, "Redo", "Do it again", ["Ctrl+Shift+Z", "Ctrl+Y"], maya ["Ctrl+Shift+Z", "Shift+Z", "Ctrl+Y"], needs a_step_to_redo;
    CopyPose, "Copy pose", "The pose of the selected joints to the clipboard, as the text of a pose file; morph targets have a copy of their own", ["Ctrl+C"], needs a_selected_joint;
    PastePose, "Paste pose", "One joint's pose onto all selected joints; several onto where they came from, or onto as many others", ["Ctrl+V"];
    PasteMirrored, "Paste mirrored", "The copied pose onto the other side", ["Ctrl+Shift+V"];
    MirrorJoints, "Mirror to the other side", "The pose of the selected joints onto their partners", [], needs a_selected_joint;
    MirrorPose, "Mirror pose", "Left and right change their poses", ["Ctrl+M"], needs a_posed_joint;
    ToggleSymmetry, "Live symmetry", "An edit of one side edits the other", [], also "mirror";
    ResetRotation, "Reset rotation", "The selected joints back to no rotation of yours", ["Alt+R"], needs a_selected_joint;
    ResetTranslation, "Reset position", "The selected joints back to where they were", ["Alt+G"], needs a_selected_joint;
    ResetScale, "Reset scale", "The selected joints back to no scale of yours", ["Alt+S"], needs a_selected_joint;
    ResetJoint, "Reset joint", "The selected joints back to no change of yours", [], needs a_selected_joint;
    ResetSubtree, "Reset subtree", "The selected joints and all below them", ["Alt+Shift+R"], needs a_selected_joint;
    ResetAll, "Reset all", "Every joint and morph target back to no change of yours", ["Ctrl+Alt+R"], needs a_posed_joint;
    ShowMorphs, "Morph targets", "A slider for each shape that the meshes can take", [], needs a_morph_target;
    ResetMorphs, "Reset morph targets", "Every morph target back to no weight of yours", [], needs a_moved_morph_target;
    CopyMorphs, "Copy morph targets", "Your weights of all morph targets to the clipboard, as the text of a pose file", [], needs a_morph_target;
    RestPose, "Rest pose", "The file's own pose: no clip, and nothing of yours", [];
    BindPose, "Bind pose", "As the mesh was bound, where every skinning matrix is the identity", [], needs a_skin;
    ClipPose, "Clip pose", "The clip without anything of yours", [], needs a_clip;
    UserPose, "User pose", "Your pose again, after one of the others", [], needs another_pose_of_yours;
    ClearSelection, "Clear selection", "Select nothing", ["Escape"], needs a_selection;
    SelectParent, "Select parent", "The joint above", ["OpenBracket"], needs a_selected_joint;
    SelectChild, "Select child", "The first joint below", ["CloseBracket"], needs a_selected_joint;
    NextMethod, "Next skinning method", "LBS, DQS and back, on the same pose", ["M"], also "lbs dqs dual quaternion";
    NextLayout, "Next compare layout", "One method, wipe, side by side, ghost", ["C"];
    LayoutSingle, "Single", "One skinning method alone", [];
    LayoutWipe, "Wipe", "A on one side of a line that you drag, B on the other", [], also "split slider";
    LayoutSideBySide, "Side by side", "A and B with the same camera and the same pose", [];
    LayoutGhost, "Ghost", "B over A, translucent or as an outline", [], also "onion skin overlay";
    SwapSides, "Swap A and B", "A becomes B and B becomes A", ["Shift+C"];
    Blink, "Blink", "Hold to see B in place of A", ["B"];
    ToolRotate, "Rotate", "Rings that turn the selected joints", ["R", "E"], blender ["R"], maya ["E"];
    ToolMove, "Move", "Arrows that move the selected joints", ["G", "W"], blender ["G"], maya ["W"];
    ToolScale, "Scale", "Handles that scale the selected joints", ["S"], maya ["R"];
    NextOrientation, "Next gizmo orientation", "Local, parent, world, view, gimbal", ["Comma"];
    ToggleIk, "IK", "Moving a joint turns the joints above it and moves none", ["I"], also "inverse kinematics";
    TogglePin, "Pin", "The selected joints hold the chains that you pull, or let go", ["P"], needs a_selected_joint;
    SelectSubtree, "Select subtree", "All below the selected joints too", [], needs a_selected_joint;
    ToggleIsolated, "Isolate", "Show the bones of the active joint and below alone, or all again", ["Slash"], needs a_joint_to_isolate;
    ToggleAllNodes, "All nodes in the tree", "List nodes that are no joints too, or joints only", [];
    FrameSelected, "Frame selected", "Show the selected joint, or everything", ["F", "Period"];
    FrameAll, "Frame all", "Show everything", ["Home", "A"], blender ["Home"];
    ViewFront, "Front", "Look from the front", ["1"];
    ViewRight, "Right", "Look from +X", ["3"];
    ViewTop, "Top", "Look from above", ["7"];
    ViewBack, "Back", "Look from behind", ["Ctrl+1"];
    ViewLeft, "Left", "Look from -X", ["Ctrl+3"];
    ViewBottom, "Bottom", "Look from below", ["Ctrl+7"];
    ToggleOrthographic, "Orthographic", "Parallel or perspective projection", ["5"];
    ToggleBones, "Bones", "Draw the bones", [], also "skeleton armature";
    ToggleBonesInFront, "Bones in front", "Draw the bones over the skin", ["Alt+Z"], also "x-ray skeleton";
    BonesOctahedral, "Octahedral bones", "Pointed bodies that tell head, tail and twist", [], also "skeleton style";
    BonesStick, "Stick bones", "Slim rods of one thickness", [], also "skeleton style";
    BonesLine, "Line bones", "Lines that hide least of the skin", [], also "skeleton style";
    NamesHovered, "Name under the pointer", "Write the name of the joint under the pointer alone", [], also "labels";
    NamesSelected, "Names of selected joints", "Write the names of the selected joints beside them too", [], also "labels";
    NamesAll, "Names of all joints", "Write every joint's name beside it, as far as there is room", [], also "labels";
    ToggleAxes, "Joint axes", "Draw the axes of every joint", [], also "orientation";
    ToggleGrid, "Grid", "Draw the ground grid", [], also "floor ground";
    ToggleWireframe, "Wireframe", "Draw the edges of the triangles", ["Shift+Z"], maya ["4"], also "mesh edges topology";
    ToggleClay, "Clay", "One warm neutral material instead of the file's", [], also "matcap shading";
    TogglePlay, "Play or pause", "Play the clip", ["Space"], needs a_clip;
    ToggleLoop, "Loop", "Begin again at the end of what plays", [];
    TogglePingPong, "Back and forth", "Ping-pong: back from the end of what plays, and on again from its start", [];
    StepBack, "Step back", "One frame back", ["Left"], needs a_clip;
    StepForward, "Step forward", "One frame on", ["Right"], needs a_clip;
    PlayFromHere, "Play from here", "What plays of the clip begins at the present time", [], needs a_chosen_clip;
    PlayToHere, "Play to here", "What plays of the clip ends at the present time", [], needs a_chosen_clip;
    PlayAll, "Play all of the clip", "No part of it alone", [], needs a_part_that_plays;
    PreviousKey, "Previous key", "To the clip's key before", ["Shift+Left"], needs a_chosen_clip;
    NextKey, "Next key", "To the clip's next key", ["Shift+Right"], needs a_chosen_clip;
    ShowLint, "Lint", "What is odd in this file", ["L"], also "check validate problems";
    TogglePalette, "Commands…", "Find any command by a few letters", ["Ctrl+Shift+P"], blender ["F3", "Ctrl+Shift+P"];
    ToggleProbe, "Probe", "A click on the skin shows how its nearest vertex comes to be where it is; Shift adds one", ["K"], also "vertex weight inspect";
    ClearProbes, "Clear probes", "Look at no vertex", [];
    ToggleTwistTest, "Twist test", "What skinning loses while the selected joint twists and bends", ["T"];
    TestTwist, "Test this joint", "Twist and bend the selected joint from the pose that it is in", [], needs a_selected_joint;
    RankJoints, "Rank joints", "All joints by the share of volume that linear blending loses at them", [], also "candy wrapper collapse";
    StartTour, "What is a candy wrapper?", "A tour of skinning in ten steps, on the built-in characters; what is open stays as it is", [];
    LeaveTour, "Leave the tour", "Back to what was open before", [], needs the_tour;
    ToggleHelp, "Keys and codes", "Keys, mouse, and the codes of lint", ["F1", "Shift+Questionmark", "Questionmark"], also "shortcuts help";
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

    type Obstacle = Option<&'static str>;

    fn unless(is_there: bool, obstacle: &'static str) -> Obstacle {
        (!is_there).then_some(obstacle)
    }

    pub fn nothing(_: &AppState) -> Obstacle {
        None
    }

    pub fn a_step_to_undo(state: &AppState) -> Obstacle {
        unless(state.open.history.undo_label().is_some(), "Nothing to take back")
    }

    pub fn a_step_to_redo(state: &AppState) -> Obstacle {
        unless(state.open.history.redo_label().is_some(), "Nothing was taken back")
    }

    pub fn a_selected_joint(state: &AppState) -> Obstacle {
        unless(state.selected().is_some(), "No joint is selected")
    }

    pub fn a_joint_to_isolate(state: &AppState) -> Obstacle {
        unless(state.selected().is_some() || state.open.view.isolated.is_some(), "No joint is selected")
    }

    pub fn a_selection(state: &AppState) -> Obstacle {
        unless(state.selected().is_some() || state.open.lint.selected.is_some(), "Nothing is selected")
    }

    pub fn a_posed_joint(state: &AppState) -> Obstacle {
        unless(state.pose().is_any_posed(), "Nothing is posed")
    }

    pub fn a_morph_target(state: &AppState) -> Obstacle {
        unless(!state.rig().morphs().is_empty(), "This file has no morph targets")
    }

    pub fn a_moved_morph_target(state: &AppState) -> Obstacle {
        unless(state.pose().morph_weights().next().is_some(), "No morph target has a weight of yours")
    }

    pub fn another_pose_of_yours(state: &AppState) -> Obstacle {
        unless(state.user_pose() != state.pose(), "Your pose is shown")
    }

    pub fn a_skin(state: &AppState) -> Obstacle {
        unless(!state.rig().skins.is_empty(), "This file has no skin")
    }

    pub fn a_clip(state: &AppState) -> Obstacle {
        unless(!state.rig().clips.is_empty(), "This file has no clips")
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
    use crate::state::{BuiltIn, Document, Settings, Source};

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
            (Action::Undo, Some("Nothing to take back")),
            (Action::CopyPose, Some("No joint is selected")),
            (Action::SavePose, Some("Nothing is posed")),
            (Action::ShowMorphs, Some("This file has no morph targets")),
            (Action::ResetMorphs, Some("No morph target has a weight of yours")),
            (Action::UserPose, Some("Your pose is shown")),
            (Action::BindPose, None),
            (Action::FrameAll, None),
        ];
        for (action, reason) in reasons {
            assert_eq!(state.obstacle(action), reason, "{action:?}");
            assert_eq!(state.can(action), reason.is_none(), "{action:?}");
        }
        let has_clips = !state.rig().clips.is_empty();
        assert_eq!(state.obstacle(Action::ClipPose), (!has_clips).then_some("This file has no clips"));
    }
}
