//! One table of the parameterless commands: menus, hints, keys and the help sheet are made from it.

use egui::{Event, Key, KeyboardShortcut, Modifiers};

use super::key_map::{KeyMap, clipboard_shortcut, shortcut_text};
use crate::state::{Action, AppState, Command};

/// What the interface says about an action, and its keys.
pub struct ActionInfo {
    /// Which.
    pub action: Action,
    /// Its name in the program, which settings use.
    pub id: &'static str,
    /// In menus and on buttons.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub hint: &'static str,
    /// In the preset of this program; the first is shown.
    pub keys: &'static [KeyboardShortcut],
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const ALT: Modifiers = Modifiers::ALT;
const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const CTRL_ALT: Modifiers = Modifiers::COMMAND.plus(Modifiers::ALT);
const ALT_SHIFT: Modifiers = Modifiers::ALT.plus(Modifiers::SHIFT);

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

macro_rules! actions {
    ($($action:ident, $name:literal, $hint:literal, [$($key:expr),*];)*) => {
        &[$(ActionInfo { action: Action::$action, id: stringify!($action), name: $name, hint: $hint, keys: &[$($key),*] }),*]
    };
}

/// Every action, in the order of the help sheet.
pub const ACTIONS: &[ActionInfo] = actions![
    Open, "Open…", "Open a glTF or GLB file", [key(CTRL, Key::O)];
    Reload, "Reload", "Open the same file again, with the pose as it is", [key(CTRL, Key::R)];
    NextFile, "Next file", "Open the next of the files that were given together", [key(NONE, Key::PageDown)];
    PreviousFile, "Previous file", "Open the one before of the files that were given together", [key(NONE, Key::PageUp)];
    ToggleReloadOnChange, "Reload on change", "Open the file again when another program changes it", [];
    OpenPose, "Open pose…", "Apply a pose file to this character", [];
    SavePose, "Save pose…", "Write the pose to a file", [key(CTRL, Key::S)];
    SavePoseToLibrary, "Save pose to library…", "Keep the pose with this character, under a name", [key(CTRL_ALT, Key::S)];
    OpenSession, "Open session…", "Go on with a saved session: file, pose, selection, camera, clip", [];
    SaveSession, "Save session…", "Write what is open, its pose and how it is looked at to a file", [];
    RestoreSession, "Restore last session", "The newest session that ended without its pose being saved", [];
    SavePicture, "Save picture…", "Write the viewport to a PNG", [key(CTRL_SHIFT, Key::S)];
    Quit, "Quit", "End the program", [key(CTRL, Key::Q)];
    Undo, "Undo", "Take the last edit back", [key(CTRL, Key::Z)];
    Redo, "Redo", "Do it again", [key(CTRL_SHIFT, Key::Z), key(CTRL, Key::Y)];
    CopyPose, "Copy pose", "The pose of the selected joints to the clipboard, as the text of a pose file", [key(CTRL, Key::C)];
    PastePose, "Paste pose", "One joint's pose onto all selected joints; several onto where they came from, or onto as many others", [key(CTRL, Key::V)];
    PasteMirrored, "Paste mirrored", "The copied pose onto the other side", [key(CTRL_SHIFT, Key::V)];
    MirrorJoints, "Mirror to the other side", "The pose of the selected joints onto their partners", [];
    MirrorPose, "Mirror pose", "Left and right change their poses", [key(CTRL, Key::M)];
    ToggleSymmetry, "Live symmetry", "An edit of one side edits the other", [];
    ResetRotation, "Reset rotation", "The selected joints back to no rotation of yours", [key(ALT, Key::R)];
    ResetTranslation, "Reset position", "The selected joints back to where they were", [key(ALT, Key::G)];
    ResetScale, "Reset scale", "The selected joints back to no scale of yours", [key(ALT, Key::S)];
    ResetJoint, "Reset joint", "The selected joints back to no change of yours", [];
    ResetSubtree, "Reset subtree", "The selected joints and all below them", [key(ALT_SHIFT, Key::R)];
    ResetAll, "Reset all", "Every joint back to no change of yours", [key(CTRL_ALT, Key::R)];
    RestPose, "Rest pose", "The file's own pose: no clip, and nothing of yours", [];
    BindPose, "Bind pose", "As the mesh was bound, where every skinning matrix is the identity", [];
    ClipPose, "Clip pose", "The clip without anything of yours", [];
    UserPose, "User pose", "Your pose again, after one of the others", [];
    ClearSelection, "Clear selection", "Select nothing", [key(NONE, Key::Escape)];
    SelectParent, "Select parent", "The joint above", [key(NONE, Key::OpenBracket)];
    SelectChild, "Select child", "The first joint below", [key(NONE, Key::CloseBracket)];
    NextMethod, "Next skinning method", "LBS, DQS and back, on the same pose", [key(NONE, Key::M)];
    NextLayout, "Next compare layout", "One method, wipe, side by side, ghost", [key(NONE, Key::C)];
    LayoutSingle, "Single", "One skinning method alone", [];
    LayoutWipe, "Wipe", "A on one side of a line that you drag, B on the other", [];
    LayoutSideBySide, "Side by side", "A and B with the same camera and the same pose", [];
    LayoutGhost, "Ghost", "B over A, translucent or as an outline", [];
    SwapSides, "Swap A and B", "A becomes B and B becomes A", [key(SHIFT, Key::C)];
    Blink, "Blink", "Hold to see B in place of A", [key(NONE, Key::B)];
    ToolRotate, "Rotate", "Rings that turn the selected joints", [key(NONE, Key::R), key(NONE, Key::E)];
    ToolMove, "Move", "Arrows that move the selected joints", [key(NONE, Key::G), key(NONE, Key::W)];
    ToolScale, "Scale", "Handles that scale the selected joints", [key(NONE, Key::S)];
    NextOrientation, "Next gizmo orientation", "Local, parent, world, view, gimbal", [key(NONE, Key::Comma)];
    ToggleIk, "IK", "Moving a joint turns the joints above it and moves none", [key(NONE, Key::I)];
    TogglePin, "Pin", "The selected joints hold the chains that you pull, or let go", [key(NONE, Key::P)];
    SelectSubtree, "Select subtree", "All below the selected joints too", [];
    ToggleIsolated, "Isolate", "Show the bones of the active joint and below alone, or all again", [key(NONE, Key::Slash)];
    ToggleAllNodes, "All nodes in the tree", "List nodes that are no joints too, or joints only", [];
    FrameSelected, "Frame selected", "Show the selected joint, or everything", [key(NONE, Key::F)];
    FrameAll, "Frame all", "Show everything", [key(NONE, Key::Home), key(NONE, Key::A)];
    ViewFront, "Front", "Look from the front", [key(NONE, Key::Num1)];
    ViewRight, "Right", "Look from +X", [key(NONE, Key::Num3)];
    ViewTop, "Top", "Look from above", [key(NONE, Key::Num7)];
    ViewBack, "Back", "Look from behind", [key(CTRL, Key::Num1)];
    ViewLeft, "Left", "Look from -X", [key(CTRL, Key::Num3)];
    ViewBottom, "Bottom", "Look from below", [key(CTRL, Key::Num7)];
    ToggleOrthographic, "Orthographic", "Parallel or perspective projection", [key(NONE, Key::Num5)];
    ToggleBones, "Bones", "Draw the bones", [];
    ToggleBonesInFront, "Bones in front", "Draw the bones over the skin", [key(ALT, Key::Z)];
    ToggleGrid, "Grid", "Draw the ground grid", [];
    ToggleWireframe, "Wireframe", "Draw the edges of the triangles", [key(SHIFT, Key::Z)];
    ToggleClay, "Clay", "One warm neutral material instead of the file's", [];
    TogglePlay, "Play or pause", "Play the clip", [key(NONE, Key::Space)];
    ToggleLoop, "Loop", "Begin again at the end of the clip", [];
    StepBack, "Step back", "One frame of 1/30 s back", [key(NONE, Key::ArrowLeft)];
    StepForward, "Step forward", "One frame of 1/30 s on", [key(NONE, Key::ArrowRight)];
    PreviousKey, "Previous key", "To the clip's key before", [key(SHIFT, Key::ArrowLeft)];
    NextKey, "Next key", "To the clip's next key", [key(SHIFT, Key::ArrowRight)];
    ShowLint, "Lint", "What is odd in this file", [key(NONE, Key::L)];
    TogglePalette, "Commands…", "Find any command by a few letters", [key(CTRL_SHIFT, Key::P)];
    ToggleProbe, "Probe", "A click on the skin shows how its nearest vertex comes to be where it is; Shift adds one", [key(NONE, Key::K)];
    ClearProbes, "Clear probes", "Look at no vertex", [];
    ToggleTwistTest, "Twist test", "What skinning loses while the selected joint twists and bends", [key(NONE, Key::T)];
    TestTwist, "Test this joint", "Twist and bend the selected joint from the pose that it is in", [];
    RankJoints, "Rank joints", "All joints by the share of volume that linear blending loses at them", [];
    StartTour, "What is a candy wrapper?", "A tour of skinning in ten steps, on the built-in characters; what is open stays as it is", [];
    LeaveTour, "Leave the tour", "Back to what was open before", [];
    ToggleHelp, "Keys and codes", "Keys, mouse, and the codes of lint", [key(NONE, Key::F1), key(SHIFT, Key::Questionmark), key(NONE, Key::Questionmark)];
];

/// What the mouse does in the viewport with every preset of keys, for the help sheet; what it does to the camera is beside that code.
pub const MOUSE: &[(&str, &str)] = &[
    ("Select a joint", "Click a bone; click again for the one behind"),
    ("Add a joint, or take it out", "Shift or Ctrl + click; in the tree Shift takes the rows between"),
    ("Select by the skin", "Alt + click: the joint with the greatest weight there"),
    ("Select a box", "Shift + drag on empty space adds, Ctrl + drag takes out"),
    ("Rotate the joints", "Drag a ring, the outer ring, or inside for free"),
    ("Move, scale the joints", "Drag an arrow, a square or the middle"),
    ("Move the line of the wipe, turn it", "Drag the line; drag the ring on it"),
    ("Snap, move finely", "Ctrl (15°, a step of about a tenth, 10 %), Shift while dragging"),
    ("Constrain to an axis", "X, Y, Z while dragging; again for the other space"),
    ("Type degrees, metres or a factor", "Digits, minus and point while dragging"),
    ("Cancel a drag", "Esc or right click"),
    ("Through the tree", "Up and Down"),
];

/// What the table says about an action.
pub fn info(action: Action) -> &'static ActionInfo {
    ACTIONS.iter().find(|i| i.action == action).unwrap_or(&ACTIONS[0])
}

impl ActionInfo {
    /// The first key as text, if there is one.
    pub fn key_text(&self, ctx: &egui::Context) -> Option<String> {
        KeyMap::keys(ctx, self.action).first().copied().map(shortcut_text)
    }

    /// The key and what it does, in the fewest words, for lines of hints.
    pub fn key_hint(&self, ctx: &egui::Context, does: &str) -> Option<String> {
        self.key_text(ctx).map(|key| format!("{key} {does}"))
    }

    /// Hint and key, for hovering.
    pub fn hover_text(&self, ctx: &egui::Context) -> String {
        match self.key_text(ctx) {
            Some(key) => format!("{} ({key})", self.hint),
            None => self.hint.to_owned(),
        }
    }
}

/// The actions whose keys were pressed. Keys do nothing while a text field has the focus or a menu is open, which Esc closes.
pub fn pressed(ctx: &egui::Context) -> Vec<Action> {
    if ctx.text_edit_focused() || egui::Popup::is_any_open(ctx) {
        return Vec::new();
    }
    let keys = KeyMap::of(ctx);
    // That one is held: see Interface::blink.
    let pressed = keys.by_modifiers().filter(|(_, action)| *action != Action::Blink);
    ctx.input_mut(|input| pressed.filter(|(k, _)| input.consume_shortcut(k)).map(|(_, a)| *a).collect())
}

/// True while a key of an action is down, with its modifiers.
pub fn is_held(ctx: &egui::Context, action: Action) -> bool {
    let keys = KeyMap::keys(ctx, action);
    !ctx.text_edit_focused()
        && ctx.input(|i| keys.iter().any(|k| i.key_down(k.logical_key) && i.modifiers.matches_exact(k.modifiers)))
}

/// What the system's own keys of the clipboard ask for: Ctrl+C, X and V come as events and not as keys, and do what the key map says of
/// them. `awaited`: the text was asked for, for the other side or not.
pub fn clipboard(ctx: &egui::Context, awaited: Option<bool>) -> Option<Command> {
    if ctx.text_edit_focused() {
        return None;
    }
    let keys = KeyMap::of(ctx);
    let command = |event: &Event| {
        let text = if let Event::Paste(text) = event { Some(text.clone()) } else { None };
        if let (Some(is_mirrored), Some(text)) = (awaited, &text) {
            return Some(Command::Paste { text: text.clone(), is_mirrored });
        }
        let action = clipboard_shortcut(event).and_then(|shortcut| keys.action(shortcut))?;
        Some(match (action, text) {
            (Action::PastePose, Some(text)) => Command::Paste { text, is_mirrored: false },
            (Action::PasteMirrored, Some(text)) => Command::Paste { text, is_mirrored: true },
            (action, _) => Command::Do(action),
        })
    };
    ctx.input(|input| input.events.iter().find_map(command))
}

/// True where an action can do something now.
pub fn is_enabled(action: Action, state: &AppState) -> bool {
    match action {
        Action::Undo => state.open.history.undo_label().is_some(),
        Action::Redo => state.open.history.redo_label().is_some(),
        Action::CopyPose
        | Action::MirrorJoints
        | Action::TogglePin
        | Action::ResetRotation
        | Action::ResetTranslation
        | Action::ResetScale
        | Action::ResetJoint
        | Action::ResetSubtree
        | Action::TestTwist
        | Action::SelectParent
        | Action::SelectChild
        | Action::SelectSubtree => state.selected().is_some(),
        Action::ToggleIsolated => state.selected().is_some() || state.open.view.isolated.is_some(),
        Action::ClearSelection => state.selected().is_some() || state.open.lint.selected.is_some(),
        Action::ResetAll | Action::SavePose | Action::SavePoseToLibrary | Action::MirrorPose => {
            state.pose().is_any_posed()
        }
        Action::BindPose => !state.rig().skins.is_empty(),
        Action::UserPose => state.user_pose() != state.pose(),
        Action::NextFile | Action::PreviousFile => !state.files.is_empty() || state.is_touring(),
        Action::LeaveTour => state.is_touring(),
        Action::ClipPose | Action::TogglePlay | Action::StepBack | Action::StepForward => !state.rig().clips.is_empty(),
        Action::PreviousKey | Action::NextKey => state.open.playback.clip.is_some(),
        _ => true,
    }
}

/// Why an action can do nothing now, in a few words.
pub fn obstacle(action: Action, state: &AppState) -> Option<&'static str> {
    let reason = match action {
        Action::Undo => "Nothing to take back",
        Action::Redo => "Nothing was taken back",
        Action::ResetAll | Action::SavePose | Action::SavePoseToLibrary | Action::MirrorPose => "No joint is posed",
        Action::NextFile | Action::PreviousFile => "Only one file was given",
        Action::TogglePlay | Action::StepBack | Action::StepForward => "This file has no clips",
        Action::PreviousKey | Action::NextKey => "No clip is chosen",
        Action::LeaveTour => "The tour is not on",
        Action::ClearSelection => "Nothing is selected",
        _ => "No joint is selected",
    };
    (!is_enabled(action, state)).then_some(reason)
}

/// A button for an action.
pub fn button(ui: &mut egui::Ui, action: Action, state: &AppState, commands: &mut Vec<Command>) {
    let info = info(action);
    let button = egui::Button::new(info.name);
    if ui.add_enabled(is_enabled(action, state), button).on_hover_text(info.hover_text(ui.ctx())).clicked() {
        commands.push(Command::Do(action));
    }
}

/// A menu entry for an action.
pub fn menu_item(ui: &mut egui::Ui, action: Action, state: &AppState, commands: &mut Vec<Command>) {
    let info = info(action);
    let mut button = egui::Button::new(info.name);
    if let Some(key) = info.key_text(ui.ctx()) {
        button = button.shortcut_text(key);
    }
    if ui.add_enabled(is_enabled(action, state), button).on_hover_text(info.hint).clicked() {
        commands.push(Command::Do(action));
        ui.close();
    }
}

/// A menu entry for an action that switches something on and off.
pub fn menu_toggle(ui: &mut egui::Ui, action: Action, is_on: bool, commands: &mut Vec<Command>) {
    let info = info(action);
    let mut is_on = is_on;
    let key = egui::RichText::new(info.key_text(ui.ctx()).unwrap_or_default()).weak();
    let text = (info.name, egui::Atom::grow(), key);
    if ui.checkbox(&mut is_on, text).accessible_name(info.name).on_hover_text(info.hint).changed() {
        commands.push(Command::Do(action));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_action_stands_twice() {
        for (i, a) in ACTIONS.iter().enumerate() {
            assert!(ACTIONS[..i].iter().all(|b| b.action != a.action), "{}", a.name);
        }
    }
}
