//! What the mouse and the keys do: a table of descriptions and tests, which run in the whole interface.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use std::panic::{AssertUnwindSafe, catch_unwind};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{Quat, Vec3};
use program::{Program, along_ring, drag_through, program, type_into};
use rigscope::gizmo::{Orientation, Pivot, Tool};
use rigscope::rig::Trs;
use rigscope::skinning::Method;
use rigscope::stage::{BuiltIn, Source};
use rigscope::state::{Action, AfterLoad, Command, PathUse, PosingOptions, Preset, Request, Shortcuts, WindowRequest};
use rigscope::view::{Layout, Side};

/// The interface, as a user operates it.
type Hands = Harness<'static, Program>;

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const NONE: Modifiers = Modifiers::NONE;

/// A description, and the test that proves it on the figure.
type Line = (&'static str, fn(&mut Hands));

/// All tested descriptions.
const LINES: &[Line] = &[
    ("orbit: LMB drag on empty space, Alt + LMB anywhere", orbit),
    ("pan: RMB, MMB, Shift + MMB, Alt + MMB", pan),
    ("turn the light: Shift + RMB drag; the camera stays", turn_light),
    ("zoom: wheel towards the cursor, Alt + RMB, pinch", zoom),
    ("frame selected / all: F, Num ., Home, A", frame),
    ("axis views and parallel projection: 1 3 7, Ctrl for the opposite side, 5; the widget", views),
    ("select: along the bone, in the tree; Shift or Ctrl adds; Esc clears", select),
    ("select: a range in the tree, a box in the viewport, the skin", select_many),
    ("overlapping joints: a click again takes the next one", select_next),
    ("select: a joint by its head, whatever bone ends there", select_head),
    ("parent / first child, Up / Down", walk),
    ("rotate, move, scale gizmo: R or E, G or W, S", tools),
    ("constrain to an axis in a drag: X, Y, Z; again for the other space", constrain),
    ("snap: hold Ctrl; fine: hold Shift", snap_and_fine),
    ("type degrees during a drag", type_degrees),
    ("without the mouse (Blender): R, G or S, X Y Z, digits, Enter; Esc cancels", by_keys),
    ("without the mouse: a click keeps, the right button cancels, several joints are one step", by_keys_and_pointer),
    ("orientation: comma cycles", orientation),
    ("reset: Alt+R, Shift+Alt+R, Ctrl+Alt+R, and position and scale alone", reset),
    ("undo / redo: Ctrl+Z, Ctrl+Shift+Z, Ctrl+Y", undo),
    ("copy, paste, paste mirrored", copy_and_paste),
    ("mirror the pose, live symmetry", mirror),
    ("the mirror plane is found and can be set", mirror_plane),
    ("play: Space", play),
    ("step: Left / Right a frame, Shift for a key", step),
    ("hints and the help sheet follow the keys", hints_follow_keys),
    ("bones in front: Alt+Z; wireframe: Shift+Z", display),
    ("skinning method: M cycles; hold B to blink between the two methods compared", method),
    ("compare layout: C cycles single, wipe, side by side, ghost; Shift + C swaps", layout),
    ("probe the skin: K; twist test: T", probe_and_test),
    ("screenshot, copy it, open, reload: Ctrl+Shift+S, Ctrl+Shift+C, Ctrl+O, Ctrl+R", files),
    ("right / left panel, full screen: N, Shift+T, F11", panels_and_screen),
    ("help: F1 and ?", help),
    ("gizmo: a handle wins over a joint under it", handle_wins),
    ("gizmo: Esc and RMB restore exactly, whatever the tool", cancel),
    ("gizmo: several joints, one step of undo", several),
    ("gizmo: move and scale", move_and_scale),
    ("IK: one key; the chain follows; pinned joints hold it", ik),
    ("keys do nothing while a menu is open", menu_owns_keys),
    ("a right click without a drag opens the menu of the joint, of the skin's joint, or of the view", context_menu),
    ("Esc leaves the mode that the status bar names", leave_modes),
];

#[test]
fn every_listed_interaction_works() {
    let failed: Vec<&str> = LINES
        .iter()
        .filter(|(_, check)| catch_unwind(AssertUnwindSafe(|| check(&mut program(BuiltIn::Figure)))).is_err())
        .map(|(line, _)| *line)
        .collect();
    assert_eq!(failed, [""; 0]);
}

fn press(hands: &mut Hands, modifiers: Modifiers, key: Key) {
    hands.key_press_modifiers(modifiers, key);
    hands.run();
}

fn action(hands: &mut Hands, action: Action) {
    hands.state_mut().state.apply(Command::Do(action));
    hands.run();
}

fn hold(hands: &mut Hands, modifiers: Modifiers) {
    hands.event(Event::ModifiersChanged(modifiers));
    hands.run();
}

fn button(hands: &mut Hands, pos: Pos2, button: PointerButton, pressed: bool) {
    hands.event(Event::PointerButton { pos, button, pressed, modifiers: NONE });
    hands.run();
}

fn move_to(hands: &mut Hands, pos: Pos2) {
    hands.hover_at(pos);
    hands.run();
}

/// Presses a button, moves and releases it, with modifiers held.
fn drag(hands: &mut Hands, modifiers: Modifiers, which: PointerButton, from: Pos2, by: Vec2) {
    hold(hands, modifiers);
    move_to(hands, from);
    button(hands, from, which, true);
    for step in 1..=8_u8 {
        move_to(hands, from + by * (f32::from(step) / 8.0));
    }
    button(hands, from + by, which, false);
    hold(hands, NONE);
}

/// Presses and releases a button in one frame, because a long press is not a click.
fn click_with(hands: &mut Hands, modifiers: Modifiers, which: PointerButton, pos: Pos2) {
    hold(hands, modifiers);
    move_to(hands, pos);
    for pressed in [true, false] {
        hands.event(Event::PointerButton { pos, button: which, pressed, modifiers });
    }
    hands.run();
    hold(hands, NONE);
}

fn click(hands: &mut Hands, modifiers: Modifiers, pos: Pos2) {
    click_with(hands, modifiers, PointerButton::Primary, pos);
}

/// Returns a joint's row in the tree.
fn row<'h>(hands: &'h Hands, joint: &'h str) -> egui_kittest::Node<'h> {
    hands.get_by_role_and_label(Role::TreeItem, joint)
}

/// Returns a point in an empty corner of the viewport.
fn empty_space(hands: &Hands) -> Pos2 {
    hands.get_by_label("Viewport").rect().left_top() + vec2(90.0, 90.0)
}

fn on_screen(hands: &Hands, world: Vec3) -> Pos2 {
    let rect = hands.get_by_label("Viewport").rect();
    let lens = hands.state().state.open.stage.view.camera.lens(glam::Vec2::new(rect.width(), rect.height()));
    let seen = lens.project(world).unwrap();
    rect.min + vec2(seen.x, seen.y)
}

fn origin(hands: &Hands, joint: &str) -> Vec3 {
    hands.state().state.open.stage.posed().world_from_node[hands.state().node(joint).index()].translation
}

/// Returns a screen point on a joint's bone, at a fraction of its length.
fn on_bone(hands: &Hands, joint: &str, share: f32) -> Pos2 {
    let node = hands.state().node(joint);
    let bone = hands.state().state.open.stage.characters.bones().iter().find(|b| b.joint == node).unwrap();
    on_screen(hands, bone.head.lerp(bone.tail, share))
}

fn choose(hands: &mut Hands, joint: &str) {
    let node = hands.state().node(joint);
    hands.state_mut().state.apply(Command::Select(Some(node)));
    hands.run();
}

fn selected(hands: &Hands) -> Vec<String> {
    let state = &hands.state().state;
    state.open.stage.view.selected.iter().map(|&n| state.open.stage.rig().hierarchy.name(n).to_owned()).collect()
}

fn pose(hands: &Hands) -> rigscope::rig::Pose {
    hands.state().state.open.stage.pose().clone()
}

fn user_local(hands: &Hands, joint: &str) -> Trs {
    *hands.state().state.open.stage.pose().user_local(hands.state().node(joint))
}

fn turn(hands: &mut Hands, joint: &str, rotation: Quat) {
    let node = hands.state().node(joint);
    hands.state_mut().state.apply(Command::Edit { node, user_local: Trs::from_rotation(rotation) });
    hands.run();
}

/// Drags the ring about local Z without releasing the button.
fn hold_ring(hands: &mut Hands, joint: &str, degrees: f32) -> Pos2 {
    let points = along_ring(hands, joint, Vec3::Z, degrees);
    drag_through(hands, &points);
    points[points.len() - 1]
}

fn degrees_about(hands: &Hands, joint: &str, axis: Vec3) -> f32 {
    let (found, angle) = user_local(hands, joint).rotation.to_axis_angle();
    (angle * found.dot(axis).signum()).to_degrees()
}

fn orbit(hands: &mut Hands) {
    let from = empty_space(hands);
    for (modifiers, from) in [(NONE, from), (ALT, on_bone(hands, "Chest", 0.5))] {
        let yaw = hands.state().state.open.stage.view.camera.yaw;
        drag(hands, modifiers, PointerButton::Primary, from, vec2(60.0, 0.0));
        assert!((hands.state().state.open.stage.view.camera.yaw - yaw).abs() > 0.1);
    }
    assert!(selected(hands).is_empty());
}

fn pan(hands: &mut Hands) {
    let from = empty_space(hands);
    let (right, middle) = (PointerButton::Secondary, PointerButton::Middle);
    for (modifiers, which) in [(NONE, right), (NONE, middle), (SHIFT, middle), (ALT, middle)] {
        let before = hands.state().state.open.stage.view.camera;
        drag(hands, modifiers, which, from, vec2(40.0, 20.0));
        let after = hands.state().state.open.stage.view.camera;
        assert!(after.target.distance(before.target) > 0.01 && after.yaw == before.yaw);
    }
}

fn turn_light(hands: &mut Hands) {
    let seen =
        |hands: &Hands| (hands.state().state.open.stage.view.display.light, hands.state().state.open.stage.view.camera);
    let (light, camera) = seen(hands);
    for (across, right) in [(60.0, 1.0), (-120.0, -1.0)] {
        let before = seen(hands).0;
        drag(hands, SHIFT, PointerButton::Secondary, empty_space(hands), vec2(across, 25.0));
        let after = seen(hands).0;
        assert!((after.angle - before.angle) * right > 0.1, "with the pointer");
        assert_eq!((after.environment, after.exposure), (light.environment, light.exposure));
    }
    assert_eq!(seen(hands).1, camera);
    let turned = seen(hands).0;
    drag(hands, NONE, PointerButton::Secondary, empty_space(hands), vec2(60.0, 0.0));
    assert_eq!(seen(hands).0, turned, "without Shift the camera moves, not the light");
}

fn zoom(hands: &mut Hands) {
    let distance = |hands: &Hands| hands.state().state.open.stage.view.camera.distance;
    let at = on_bone(hands, "Head", 0.5);
    move_to(hands, at);
    let before = distance(hands);
    hands.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, 90.0),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: NONE,
    });
    hands.run();
    assert!(distance(hands) < before);
    assert!(on_bone(hands, "Head", 0.5).distance(at) < 40.0, "towards the cursor");
    let before = distance(hands);
    drag(hands, ALT, PointerButton::Secondary, empty_space(hands), vec2(80.0, 0.0));
    assert!(distance(hands) < before);
    let before = distance(hands);
    move_to(hands, at);
    hands.event(Event::Zoom(1.2));
    hands.run();
    assert!(distance(hands) < before);
}

fn frame(hands: &mut Hands) {
    let whole = hands.state().state.open.stage.view.camera;
    choose(hands, "LeftHand");
    // Includes the period on the number pad.
    for key in [Key::F, Key::Period] {
        hands.state_mut().state.open.stage.view.camera = whole;
        press(hands, NONE, key);
        let near = hands.state().state.open.stage.view.camera;
        assert!(near.distance < whole.distance * 0.5 && near.target.distance(origin(hands, "LeftHand")) < 1e-3);
    }
    for key in [Key::Home, Key::A] {
        press(hands, NONE, Key::F);
        press(hands, NONE, key);
        assert!((hands.state().state.open.stage.view.camera.distance - whole.distance).abs() < 0.2);
    }
}

fn views(hands: &mut Hands) {
    let looks = [
        (NONE, Key::Num1, Vec3::NEG_Z),
        (NONE, Key::Num3, Vec3::NEG_X),
        (NONE, Key::Num7, Vec3::NEG_Y),
        (CTRL, Key::Num1, Vec3::Z),
        (CTRL, Key::Num3, Vec3::X),
        (CTRL, Key::Num7, Vec3::Y),
    ];
    for (modifiers, key, wanted) in looks {
        press(hands, modifiers, key);
        let forward = hands.state().state.open.stage.view.camera.rotation() * Vec3::NEG_Z;
        assert!(forward.dot(wanted) > 0.999_999, "{key:?} looks along {forward}");
    }
    press(hands, NONE, Key::Num5);
    assert!(hands.state().state.open.stage.view.camera.is_orthographic);
    hands.get_by_label("View right").click();
    hands.run();
    assert!((hands.state().state.open.stage.view.camera.rotation() * Vec3::NEG_Z).dot(Vec3::NEG_X) > 0.99);
}

fn select(hands: &mut Hands) {
    row(hands, "Neck").click();
    hands.run();
    let at = on_bone(hands, "LeftLowerLeg", 0.5);
    click(hands, SHIFT, at);
    let at = on_bone(hands, "RightLowerArm", 0.5);
    click(hands, CTRL, at);
    assert_eq!(selected(hands), ["Neck", "LeftLowerLeg", "RightLowerArm"]);
    let at = row(hands, "LeftLowerLeg").rect().center();
    click(hands, CTRL, at);
    assert_eq!(selected(hands), ["Neck", "RightLowerArm"], "a second time takes out");
    for share in [0.2, 0.5, 0.8] {
        press(hands, NONE, Key::Escape);
        assert!(selected(hands).is_empty());
        let at = on_bone(hands, "LeftUpperLeg", share);
        click(hands, NONE, at);
        assert_eq!(selected(hands), ["LeftUpperLeg"], "at {share}");
    }
}

fn select_many(hands: &mut Hands) {
    row(hands, "Spine").click();
    hands.run();
    let at = row(hands, "Head").rect().center();
    click(hands, SHIFT, at);
    assert_eq!(selected(hands), ["Spine", "Chest", "UpperChest", "Neck", "Head"]);
    press(hands, NONE, Key::Escape);
    let rect = hands.get_by_label("Viewport").rect();
    let knees = ["LeftLowerLeg", "RightLowerLeg"].map(|j| on_screen(hands, origin(hands, j)));
    let around = egui::Rect::from_two_pos(knees[0], knees[1]).expand(12.0).intersect(rect);
    drag(hands, SHIFT, PointerButton::Primary, around.left_top(), around.size());
    let mut found = selected(hands);
    found.sort();
    assert_eq!(found, ["LeftLowerLeg", "RightLowerLeg"], "a box adds");
    // Selecting the head moves the gizmo there. Otherwise its handles would take precedence over the box.
    let head = hands.state().node("Head");
    hands.state_mut().state.apply(Command::ToggleSelected(head));
    drag(hands, CTRL, PointerButton::Primary, around.left_top(), around.size());
    assert_eq!(selected(hands), ["Head"], "a box takes out");
    action(hands, Action::ToggleBones);
    let thigh = origin(hands, "LeftUpperLeg").lerp(origin(hands, "LeftLowerLeg"), 0.6);
    let at = on_screen(hands, thigh);
    click(hands, ALT, at);
    assert_eq!(selected(hands), ["LeftUpperLeg"], "by the skin");
}

fn select_next(hands: &mut Hands) {
    press(hands, NONE, Key::Num3);
    press(hands, NONE, Key::Num5);
    let at = on_bone(hands, "LeftLowerLeg", 0.5);
    click(hands, NONE, at);
    let first = selected(hands);
    click(hands, NONE, at);
    let mut both = [first, selected(hands)].concat();
    both.sort();
    assert_eq!(both, ["LeftLowerLeg", "RightLowerLeg"], "from the side one hides the other");
    // Both thighs end at the knees too. The gizmo that appears there gets in the way of no bone.
    for tool in [Key::R, Key::G, Key::S] {
        press(hands, NONE, Key::Escape);
        press(hands, NONE, tool);
        let at = on_screen(hands, origin(hands, "LeftLowerLeg"));
        let mut found: Vec<String> = (0..4)
            .flat_map(|_| {
                click(hands, NONE, at);
                selected(hands)
            })
            .collect();
        found[..2].sort();
        found[2..].sort();
        assert_eq!(found, ["LeftLowerLeg", "RightLowerLeg", "LeftUpperLeg", "RightUpperLeg"], "{tool:?}");
    }
}

fn select_head(hands: &mut Hands) {
    let joints = ["Spine", "Neck", "Head", "Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"];
    let sides = joints.iter().flat_map(|joint| match *joint {
        "Spine" | "Neck" | "Head" => vec![(*joint).to_owned()],
        _ => vec![format!("Left{joint}"), format!("Right{joint}")],
    });
    for joint in sides {
        press(hands, NONE, Key::Escape);
        let at = on_screen(hands, origin(hands, &joint));
        click(hands, NONE, at);
        assert_eq!(selected(hands), [joint]);
    }
}

fn walk(hands: &mut Hands) {
    choose(hands, "LeftLowerArm");
    press(hands, NONE, Key::OpenBracket);
    assert_eq!(selected(hands), ["LeftUpperArm"]);
    press(hands, NONE, Key::CloseBracket);
    assert_eq!(selected(hands), ["LeftLowerArm"]);
    press(hands, NONE, Key::ArrowUp);
    assert_eq!(selected(hands), ["LeftUpperArm"]);
    press(hands, NONE, Key::ArrowDown);
    assert_eq!(selected(hands), ["LeftLowerArm"]);
}

fn tools(hands: &mut Hands) {
    let keys = [
        (Key::G, Tool::Move),
        (Key::R, Tool::Rotate),
        (Key::W, Tool::Move),
        (Key::E, Tool::Rotate),
        (Key::S, Tool::Scale),
    ];
    for (key, tool) in keys {
        press(hands, NONE, key);
        assert_eq!(hands.state().state.settings.posing.tool, tool, "{key:?}");
    }
    hands.get_by_label("Move").click();
    hands.run();
    assert_eq!(hands.state().state.settings.posing.tool, Tool::Move);
}

fn constrain(hands: &mut Hands) {
    choose(hands, "LeftLowerArm");
    let end = hold_ring(hands, "LeftLowerArm", 40.0);
    press(hands, NONE, Key::X);
    hands.event(Event::Text("30".to_owned()));
    hands.run();
    let about_local = user_local(hands, "LeftLowerArm").rotation;
    assert!(about_local.angle_between(Quat::from_rotation_x(30_f32.to_radians())) < 1e-3);
    press(hands, NONE, Key::X);
    assert!(user_local(hands, "LeftLowerArm").rotation.angle_between(about_local) > 0.1, "about the world's X");
    button(hands, end, PointerButton::Primary, false);
}

fn snap_and_fine(hands: &mut Hands) {
    choose(hands, "LeftLowerArm");
    let end = hold_ring(hands, "LeftLowerArm", 40.0);
    hold(hands, CTRL);
    let snapped = degrees_about(hands, "LeftLowerArm", Vec3::Z) / 15.0;
    assert!((snapped - snapped.round()).abs() < 1e-2 && snapped > 1.0, "{snapped} steps");
    hold(hands, NONE);
    let free = degrees_about(hands, "LeftLowerArm", Vec3::Z);
    hold(hands, SHIFT);
    move_to(hands, end + vec2(10.0, 10.0));
    let fine = (degrees_about(hands, "LeftLowerArm", Vec3::Z) - free).abs();
    hold(hands, NONE);
    assert!(fine > 0.01 && fine < 3.0, "{fine} degrees in fine motion");
    button(hands, end, PointerButton::Primary, false);
}

fn type_degrees(hands: &mut Hands) {
    choose(hands, "LeftLowerArm");
    let end = hold_ring(hands, "LeftLowerArm", 20.0);
    for key in ["-", "4", "2", ".", "5"] {
        hands.event(Event::Text(key.to_owned()));
        hands.run();
    }
    button(hands, end, PointerButton::Primary, false);
    assert!((degrees_about(hands, "LeftLowerArm", Vec3::Z) + 42.5).abs() < 0.01);
}

fn preset(hands: &mut Hands, preset: Preset) {
    hands.state_mut().state.apply(Command::SetShortcuts(Shortcuts { preset, ..Shortcuts::default() }));
    hands.run();
}

/// Presses the keys of a string: `!` is Enter, `~` Esc, `<` Backspace.
fn keys(hands: &mut Hands, keys: &str) {
    for key in keys.chars() {
        let named = match key {
            '!' => Some(Key::Enter),
            '~' => Some(Key::Escape),
            '<' => Some(Key::Backspace),
            other => Key::from_name(&other.to_string()).filter(|_| other.is_alphabetic()),
        };
        if let Some(key) = named {
            press(hands, NONE, key);
        } else {
            hands.event(Event::Text(key.to_string()));
            hands.run();
        }
    }
}

fn world_rotation(hands: &Hands, joint: &str) -> Quat {
    let world = hands.state().state.open.stage.posed().world_from_node[hands.state().node(joint).index()];
    Quat::from_mat3(&world.matrix3)
}

fn by_keys(hands: &mut Hands) {
    turn(hands, "LeftLowerArm", Quat::from_rotation_z(0.6));
    choose(hands, "LeftLowerArm");
    keys(hands, "RX45");
    assert!(!hands.state().state.open.stage.view.is_dragging, "another preset's key only takes the tool");
    let hint = hands.state_mut().state.notices.dismiss();
    assert!(hint.is_some_and(|hint| hint.text.contains("the Blender preset")), "and says whose keys these are");
    keys(hands, "RWX");
    assert!(hands.state_mut().state.notices.dismiss().is_some(), "whatever the tool");
    keys(hands, "X");
    assert_eq!(hands.state().state.notices.newest(), None, "an axis alone means nothing");
    keys(hands, "R");
    press(hands, NONE, Key::Escape);
    keys(hands, "X");
    assert_eq!(hands.state_mut().state.notices.dismiss(), None, "Esc ends it");
    choose(hands, "LeftLowerArm");
    preset(hands, Preset::Blender);
    let (before, world) = (pose(hands), world_rotation(hands, "LeftLowerArm"));
    let told = |hands: &Hands, text: &str| hands.query_by_label_contains(text).is_some();
    let about_x = Quat::from_rotation_x(45_f32.to_radians());
    keys(hands, "RX4");
    assert!(told(hands, "Rotate LeftLowerArm about global X: 4°"));
    keys(hands, "52<");
    assert!(told(hands, "Rotate LeftLowerArm about global X: 45°"));
    keys(hands, "!");
    assert!(world_rotation(hands, "LeftLowerArm").angle_between(about_x * world) < 1e-3);
    assert_eq!(hands.state().state.open.history.undo_label(), Some("Rotate LeftLowerArm 45°"));
    press(hands, CTRL, Key::Z);
    assert_eq!(pose(hands), before, "one step");
    keys(hands, "RXX-45!");
    assert!(world_rotation(hands, "LeftLowerArm").angle_between(world * about_x.inverse()) < 1e-3, "about its own");
    press(hands, CTRL, Key::Z);
    let origin_before = origin(hands, "LeftLowerArm");
    keys(hands, "GY0.2!");
    assert!(origin(hands, "LeftLowerArm").distance(origin_before + Vec3::Y * 0.2) < 1e-4);
    press(hands, CTRL, Key::Z);
    keys(hands, "S1.5!");
    assert!(user_local(hands, "LeftLowerArm").scale.distance(Vec3::splat(1.5)) < 1e-5);
    press(hands, CTRL, Key::Z);
    for tool in ["R", "G", "S"] {
        keys(hands, tool);
        keys(hands, "X12");
        assert_ne!(pose(hands), before);
        keys(hands, "~");
        assert_eq!((pose(hands), selected(hands)), (before.clone(), vec!["LeftLowerArm".to_owned()]));
    }
    assert!(told(hands, "R rotate · G move"), "the hints are back");
}

fn by_keys_and_pointer(hands: &mut Hands) {
    preset(hands, Preset::Blender);
    let joints = ["LeftUpperArm", "RightUpperArm"];
    let nodes = joints.map(|joint| hands.state().node(joint));
    hands.state_mut().state.apply(Command::SelectAll(nodes.to_vec()));
    hands.run();
    let worlds = joints.map(|joint| world_rotation(hands, joint));
    keys(hands, "RZ30!");
    for (joint, world) in joints.into_iter().zip(worlds) {
        let wanted = Quat::from_rotation_z(30_f32.to_radians()) * world;
        assert!(world_rotation(hands, joint).angle_between(wanted) < 1e-3, "{joint}");
    }
    press(hands, CTRL, Key::Z);
    assert!(!pose(hands).is_any_posed(), "one step");
    let from = on_screen(hands, origin(hands, "RightUpperArm")) + vec2(0.0, -60.0);
    let to = from + vec2(60.0, 50.0);
    for (which, is_kept) in [(PointerButton::Primary, true), (PointerButton::Secondary, false)] {
        move_to(hands, from);
        keys(hands, "R");
        move_to(hands, to);
        assert!(pose(hands).is_any_posed(), "it follows the pointer without a button");
        click_with(hands, NONE, which, to);
        assert_eq!(pose(hands).is_any_posed(), is_kept);
        assert_eq!(selected(hands), joints, "the click was for the drag alone");
        press(hands, CTRL, Key::Z);
    }
}

fn orientation(hands: &mut Hands) {
    let mut seen = Vec::new();
    for _ in Orientation::ALL {
        seen.push(hands.state().state.settings.orientation);
        press(hands, NONE, Key::Comma);
    }
    assert_eq!(seen, Orientation::ALL);
    assert_eq!(hands.state().state.settings.orientation, Orientation::Local, "round and round");
}

fn reset(hands: &mut Hands) {
    let moved = Trs { translation: Vec3::X, rotation: Quat::from_rotation_y(0.4), scale: Vec3::splat(2.0) };
    let all = ["LeftUpperArm", "LeftHand", "RightHand"];
    for joint in all {
        let node = hands.state().node(joint);
        hands.state_mut().state.apply(Command::Edit { node, user_local: moved });
    }
    let nodes = [hands.state().node("LeftUpperArm"), hands.state().node("RightHand")];
    hands.state_mut().state.apply(Command::SelectAll(nodes.to_vec()));
    hands.run();
    press(hands, ALT, Key::R);
    for joint in ["LeftUpperArm", "RightHand"] {
        assert_eq!(user_local(hands, joint), Trs { rotation: Quat::IDENTITY, ..moved }, "{joint}");
    }
    press(hands, ALT, Key::G);
    assert_eq!(user_local(hands, "RightHand"), Trs { scale: moved.scale, ..Trs::IDENTITY });
    press(hands, ALT, Key::S);
    assert_eq!(user_local(hands, "RightHand"), Trs::IDENTITY);
    assert!(!user_local(hands, "LeftHand").is_identity(), "what is below keeps its own");
    press(hands, ALT | SHIFT, Key::R);
    assert!(user_local(hands, "LeftHand").is_identity());
    press(hands, CTRL, Key::Z);
    press(hands, CTRL | ALT, Key::R);
    assert!(!pose(hands).is_any_posed());
}

fn undo(hands: &mut Hands) {
    turn(hands, "Head", Quat::from_rotation_y(0.5));
    let turned = pose(hands);
    press(hands, CTRL, Key::Z);
    assert!(!pose(hands).is_any_posed());
    press(hands, CTRL | SHIFT, Key::Z);
    assert_eq!(pose(hands), turned);
    press(hands, CTRL, Key::Z);
    press(hands, CTRL, Key::Y);
    assert_eq!(pose(hands), turned);
}

/// Copies with the system's copy event. Returns the copied text.
fn copied(hands: &mut Hands) -> String {
    hands.event(Event::Copy);
    hands.run();
    match hands.state().requests.last() {
        Some(Request::Window(WindowRequest::Copy(text))) => text.clone(),
        other => panic!("nothing was copied: {other:?}"),
    }
}

fn copy_and_paste(hands: &mut Hands) {
    let turned = Quat::from_euler(glam::EulerRot::XYZ, 0.3, 0.5, -0.2);
    turn(hands, "LeftUpperArm", turned);
    choose(hands, "LeftUpperArm");
    let text = copied(hands);
    assert!(text.contains("\"LeftUpperArm\""), "a pose file: {text}");
    press(hands, CTRL | SHIFT, Key::V);
    assert_eq!(hands.state().requests.last(), Some(&Request::Window(WindowRequest::Paste { is_mirrored: true })));
    hands.state_mut().state.apply(Command::Paste { text: text.clone(), is_mirrored: true });
    hands.run();
    let mirrored = user_local(hands, "RightUpperArm").rotation;
    assert!(mirrored.angle_between(Quat::IDENTITY) > 0.3 && mirrored.angle_between(turned) > 0.3);
    // Pastes the pose of one joint onto the selected joints with the system's paste event.
    choose(hands, "Head");
    hands.event(Event::Paste(text));
    hands.run();
    assert!(user_local(hands, "Head").rotation.angle_between(turned) < 1e-3);
    let before = pose(hands);
    hands.event(Event::Paste("no pose".to_owned()));
    hands.run();
    assert!(pose(hands) == before && hands.query_by_label_contains("holds no pose").is_some());
    press(hands, CTRL, Key::Z);
    assert!(user_local(hands, "Head").is_identity(), "pasting is one step");
}

fn mirror(hands: &mut Hands) {
    turn(hands, "LeftUpperArm", Quat::from_rotation_z(0.6));
    let once = pose(hands);
    press(hands, CTRL, Key::M);
    assert!(user_local(hands, "LeftUpperArm").is_identity() && !user_local(hands, "RightUpperArm").is_identity());
    press(hands, CTRL, Key::M);
    assert!(user_local(hands, "LeftUpperArm").rotation.angle_between(Quat::from_rotation_z(0.6)) < 1e-3);
    assert_eq!(
        pose(hands).is_posed(hands.state().node("RightUpperArm")),
        once.is_posed(hands.state().node("RightUpperArm"))
    );
    hands.get_by_label("Live symmetry").click();
    hands.run();
    turn(hands, "LeftLowerLeg", Quat::from_rotation_x(0.5));
    let knee = user_local(hands, "RightLowerLeg").rotation.angle_between(Quat::IDENTITY);
    assert!((knee - 0.5).abs() < 1e-3, "the other knee by {knee}");
    press(hands, CTRL, Key::Z);
    assert!(user_local(hands, "RightLowerLeg").is_identity(), "both are one step");
}

fn mirror_plane(hands: &mut Hands) {
    hands.get_by_label("Live symmetry").click();
    hands.run();
    let label = |hands: &Hands| hands.query_by_label("Mirror plane").is_some();
    assert!(label(hands), "the plane is shown beside the switch");
    assert_eq!(hands.state().state.open.symmetry.plane().unwrap().normal.abs(), Vec3::X, "found");
    for (choice, normal) in [("Y", Vec3::Y), ("Through the origin", Vec3::Y), ("Auto", Vec3::X)] {
        hands.get_by_label("Mirror plane").click();
        hands.run();
        hands.get_by_role_and_label(Role::RadioButton, choice).click();
        hands.run();
        let plane = hands.state().state.open.symmetry.plane().unwrap();
        assert_eq!(plane.normal.abs(), normal, "{choice}");
        assert_eq!(plane.offset.abs() > 0.5, choice == "Y", "the hips stand high: {choice}");
    }
}

fn play(hands: &mut Hands) {
    hands.key_press(Key::Space);
    hands.step();
    hands.step();
    assert!(hands.state().state.open.stage.playback.is_playing);
    hands.key_press(Key::Space);
    hands.run();
    assert!(!hands.state().state.open.stage.playback.is_playing);
}

fn step(hands: &mut Hands) {
    hands.state_mut().state.apply(Command::SetClip(Some(0)));
    hands.state_mut().state.apply(Command::Seek(0.0));
    hands.run();
    // The frame rate is derived from the keys, which are on whole frames.
    let rate = hands.state().state.open.stage.rig().frame_rate(0);
    assert!(rate.is_of_keys);
    for (key, by) in [(Key::ArrowRight, 1.0), (Key::ArrowRight, 1.0), (Key::ArrowLeft, -1.0)] {
        let before = hands.state().state.open.stage.playback.time_secs;
        press(hands, NONE, key);
        assert!(
            (hands.state().state.open.stage.playback.time_secs - before - by / rate.per_sec).abs() < 1e-4,
            "{key:?}"
        );
    }
    step_to_key(hands);
}

fn step_to_key(hands: &mut Hands) {
    hands.state_mut().state.apply(Command::Seek(0.0));
    hands.run();
    let time = |hands: &Hands| hands.state().state.open.stage.playback.time_secs;
    let keys: Vec<f32> =
        hands.state().state.open.stage.rig().clips[0].channels.iter().flat_map(|c| c.times_secs.to_vec()).collect();
    let mut seen = vec![time(hands)];
    for _ in 0..3 {
        press(hands, SHIFT, Key::ArrowRight);
        let (last, now) = (seen[seen.len() - 1], time(hands));
        assert!(keys.contains(&now) && now > last, "{now} after {last}");
        assert!(!keys.iter().any(|k| *k > last + 1e-3 && *k < now - 1e-3), "no key was left out");
        seen.push(now);
    }
    for wanted in seen.iter().rev().skip(1) {
        press(hands, SHIFT, Key::ArrowLeft);
        assert!((time(hands) - wanted).abs() < 1e-3);
    }
    press(hands, SHIFT, Key::ArrowLeft);
    assert!((time(hands) - seen[0]).abs() < 1e-3, "before the first there is none");
}

fn hints_follow_keys(hands: &mut Hands) {
    choose(hands, "LeftHand");
    let has = |hands: &Hands, text: &str| hands.query_by_label_contains(text).is_some();
    assert!(has(hands, "G move · S scale"));
    let changed = [("CopyPose".to_owned(), vec!["Ctrl+K".to_owned()])].into();
    let shortcuts = Shortcuts { preset: Preset::Maya, changed };
    hands.state_mut().state.apply(Command::SetShortcuts(shortcuts));
    hands.run();
    assert!(has(hands, "E rotate · W move · R scale"));
    let before = hands.state().requests.len();
    hands.event(Event::Copy);
    hands.run();
    assert_eq!(hands.state().requests.len(), before, "Ctrl+C is no key of anything now");
    press(hands, CTRL, Key::K);
    assert!(matches!(hands.state().requests.last(), Some(Request::Window(WindowRequest::Copy(_)))));
    press(hands, NONE, Key::F1);
    assert!(!has(hands, "Middle drag; drag on empty space"));
    let shortcuts = Shortcuts { preset: Preset::Blender, ..Shortcuts::default() };
    hands.state_mut().state.apply(Command::SetShortcuts(shortcuts));
    hands.run();
    assert!(has(hands, "Middle drag; drag on empty space"));
}

fn display(hands: &mut Hands) {
    let before = hands.state().state.open.stage.view.display;
    press(hands, ALT, Key::Z);
    assert_ne!(hands.state().state.open.stage.view.display.bones_in_front, before.bones_in_front);
    press(hands, SHIFT, Key::Z);
    assert_ne!(hands.state().state.open.stage.view.display.wireframe, before.wireframe);
}

fn method(hands: &mut Hands) {
    press(hands, NONE, Key::M);
    assert_eq!(hands.state().state.open.stage.view.sides.a.skinning.method, Method::Dqs);
    press(hands, NONE, Key::M);
    assert_eq!(hands.state().state.open.stage.view.sides.a.skinning.method, Method::Lbs);
    let shows = |hands: &Hands| Side::ALL.map(|side| hands.state().state.open.stage.view.compare.shows(side));
    assert_eq!(shows(hands), [true, false]);
    hands.key_down(Key::B);
    hands.run();
    assert_eq!(shows(hands), [false, true], "B for as long as its key is held");
    hands.key_up(Key::B);
    hands.run();
    assert_eq!(shows(hands), [true, false]);
}

fn layout(hands: &mut Hands) {
    let shown = |hands: &Hands| hands.state().state.open.stage.view.compare.layout;
    assert_eq!(shown(hands), Layout::Single);
    for wanted in [Layout::Wipe, Layout::SideBySide, Layout::Ghost, Layout::Single] {
        press(hands, NONE, Key::C);
        assert_eq!(shown(hands), wanted);
    }
    let methods = |hands: &Hands| Side::ALL.map(|side| hands.state().state.open.stage.view.sides[side].skinning.method);
    let before = methods(hands);
    press(hands, SHIFT, Key::C);
    assert!(methods(hands) == [before[1], before[0]] && before[0] != before[1]);
}

fn probe_and_test(hands: &mut Hands) {
    for is_on in [true, false] {
        press(hands, NONE, Key::K);
        assert_eq!(hands.state().state.open.stage.probes.is_on, is_on);
        press(hands, NONE, Key::T);
        assert_eq!(hands.state().state.open.twist.is_open, is_on);
    }
}

fn files(hands: &mut Hands) {
    let asked = |hands: &mut Hands, modifiers, key| {
        press(hands, modifiers, key);
        hands.state().requests.last().cloned().unwrap()
    };
    for (modifiers, key, purpose) in [(CTRL | SHIFT, Key::S, PathUse::SaveImage), (CTRL, Key::O, PathUse::OpenRig)] {
        let request = asked(hands, modifiers, key);
        assert!(
            matches!(&request, Request::Window(WindowRequest::PickPath(asked)) if asked.purpose == purpose),
            "{request:?}"
        );
    }
    assert_eq!(asked(hands, CTRL | SHIFT, Key::C), Request::Window(WindowRequest::CopyImage));
    assert!(matches!(asked(hands, CTRL, Key::R), Request::Load { then: AfterLoad::Reload { is_asked: true }, .. }));
    assert_eq!(hands.state().state.open.stage.document.source, Source::BuiltIn(BuiltIn::Figure));
}

fn panels_and_screen(hands: &mut Hands) {
    let shown = |hands: &Hands| ["History", "Filter joints"].map(|name| hands.query_by_label(name).is_some());
    for (modifiers, key, after) in [
        (NONE, Key::N, [false, true]),
        (SHIFT, Key::T, [false, false]),
        (NONE, Key::N, [true, false]),
        (SHIFT, Key::T, [true, true]),
    ] {
        press(hands, modifiers, key);
        assert_eq!(shown(hands), after);
    }
    press(hands, NONE, Key::F11);
    assert_eq!(hands.state().requests.last(), Some(&Request::Window(WindowRequest::ToggleFullScreen)));
}

fn help(hands: &mut Hands) {
    let is_open = |hands: &Hands| hands.query_by_label("Select a box").is_some();
    for key in [Key::F1, Key::Questionmark] {
        press(hands, NONE, key);
        assert!(is_open(hands), "the sheet has the mouse");
        assert!(hands.query_by_label("Paste mirrored").is_some(), "and the keys");
        press(hands, NONE, key);
        assert!(!is_open(hands));
    }
}

fn handle_wins(hands: &mut Hands) {
    choose(hands, "LeftLowerArm");
    press(hands, NONE, Key::G);
    // The centre of the gizmo is at the head of a bone.
    let at = on_screen(hands, origin(hands, "LeftLowerArm"));
    drag(hands, NONE, PointerButton::Primary, at, vec2(30.0, -20.0));
    assert_eq!(selected(hands), ["LeftLowerArm"]);
    assert!(user_local(hands, "LeftLowerArm").translation.length() > 0.01, "moved, not selected");
    let now = on_screen(hands, origin(hands, "LeftLowerArm"));
    assert!(now.distance(at + vec2(30.0, -20.0)) < 1.5, "and it stays under the pointer");
}

fn cancel(hands: &mut Hands) {
    turn(hands, "LeftLowerArm", Quat::from_rotation_x(0.31));
    choose(hands, "LeftLowerArm");
    let before = pose(hands);
    for key in [Key::R, Key::G, Key::S] {
        for is_by_key in [true, false] {
            press(hands, NONE, key);
            let from = on_screen(hands, origin(hands, "LeftLowerArm"));
            let to = from + vec2(45.0, -30.0);
            move_to(hands, from);
            button(hands, from, PointerButton::Primary, true);
            move_to(hands, from + vec2(20.0, -10.0));
            move_to(hands, to);
            assert_ne!(pose(hands), before, "{key:?}");
            if is_by_key {
                press(hands, NONE, Key::Escape);
            } else {
                button(hands, to, PointerButton::Secondary, true);
                button(hands, to, PointerButton::Secondary, false);
            }
            assert_eq!(pose(hands), before, "{key:?}");
            button(hands, to, PointerButton::Primary, false);
            assert_eq!((pose(hands), selected(hands)), (before.clone(), vec!["LeftLowerArm".to_owned()]));
            assert!(hands.query_by_label("Copy path").is_none(), "the click that cancels opens no menu");
        }
    }
}

fn right_click(hands: &mut Hands, at: Pos2) {
    move_to(hands, at);
    button(hands, at, PointerButton::Secondary, true);
    button(hands, at, PointerButton::Secondary, false);
    hands.run();
}

fn context_menu(hands: &mut Hands) {
    let has = |hands: &Hands, label: &str| hands.query_by_label(label).is_some();
    let at = on_screen(hands, origin(hands, "LeftLowerArm"));
    right_click(hands, at);
    assert_eq!(selected(hands), ["LeftLowerArm"]);
    assert!(has(hands, "Copy path") && has(hands, "Select subtree"));
    hands.get_by_label("Select subtree").click();
    hands.run();
    assert!(!has(hands, "Copy path") && selected(hands).len() > 1, "{:?}", selected(hands));
    let all = selected(hands);
    right_click(hands, at);
    assert_eq!(selected(hands), all, "a selection that contains the joint stays");
    press(hands, NONE, Key::Escape);
    // Without bones, the skin there leads to the joint that moves it most.
    hands.state_mut().state.apply(Command::Select(None));
    hands.state_mut().state.apply(Command::Do(Action::ToggleBones));
    hands.run();
    right_click(hands, at);
    assert_eq!(selected(hands).len(), 1);
    assert!(has(hands, "Copy path"));
    press(hands, NONE, Key::Escape);
    let chosen = selected(hands);
    let empty = empty_space(hands);
    right_click(hands, empty);
    assert!(!has(hands, "Copy path") && has(hands, "Joint axes"));
    assert_eq!(selected(hands), chosen, "a click on nothing keeps the selection");
    hands.get_by_label("Bones").click();
    hands.run();
    assert!(hands.state().state.open.stage.view.display.bones);
    press(hands, NONE, Key::Escape);
    let target = hands.state().state.open.stage.view.camera.target;
    drag(hands, NONE, PointerButton::Secondary, empty, vec2(60.0, 0.0));
    assert!(!has(hands, "Joint axes") && hands.state().state.open.stage.view.camera.target != target, "a drag pans");
}

fn leave_modes(hands: &mut Hands) {
    choose(hands, "LeftLowerArm");
    for (key, name) in [(Key::K, "Leave Probe"), (Key::V, "Leave Edit weights"), (Key::Slash, "Leave Isolate")] {
        assert!(hands.query_by_label(name).is_none());
        press(hands, NONE, key);
        hands.get_by_label(name);
    }
    // The probe was left when weight editing began.
    press(hands, NONE, Key::Escape);
    assert!(!hands.state().state.open.stage.editing.is_on && !selected(hands).is_empty());
    press(hands, NONE, Key::Escape);
    assert!(selected(hands).is_empty() && hands.state().state.open.stage.view.isolated.is_some());
    press(hands, NONE, Key::Escape);
    assert!(hands.state().state.open.stage.view.isolated.is_none());
    press(hands, NONE, Key::K);
    press(hands, NONE, Key::Escape);
    assert!(!hands.state().state.open.stage.probes.is_on);
    press(hands, NONE, Key::K);
    hands.get_by_label("Leave Probe").click();
    hands.run();
    assert!(!hands.state().state.open.stage.probes.is_on);
}

fn several(hands: &mut Hands) {
    let nodes = ["LeftUpperArm", "LeftLowerArm"].map(|j| hands.state().node(j));
    for (pivot, wanted) in [(Pivot::Individual, [30.0, 30.0]), (Pivot::Active, [30.0, 0.0])] {
        let posing = PosingOptions { pivot, ..PosingOptions::default() };
        hands.state_mut().state.apply(Command::SetPosing(posing));
        hands.state_mut().state.apply(Command::SelectAll(nodes.to_vec()));
        hands.run();
        let end = hold_ring(hands, "LeftLowerArm", 20.0);
        hands.event(Event::Text("30".to_owned()));
        hands.run();
        button(hands, end, PointerButton::Primary, false);
        let turned = ["LeftUpperArm", "LeftLowerArm"]
            .map(|j| user_local(hands, j).rotation.angle_between(Quat::IDENTITY).to_degrees());
        assert!((turned[0] - wanted[0]).abs() < 0.1 && (turned[1] - wanted[1]).abs() < 0.1, "{pivot:?}: {turned:?}");
        press(hands, CTRL, Key::Z);
        assert!(!pose(hands).is_any_posed(), "one step");
    }
}

fn move_and_scale(hands: &mut Hands) {
    choose(hands, "LeftHand");
    press(hands, NONE, Key::G);
    let at = on_screen(hands, origin(hands, "LeftHand"));
    move_to(hands, at);
    button(hands, at, PointerButton::Primary, true);
    move_to(hands, at + vec2(12.0, 0.0));
    press(hands, NONE, Key::Y);
    hands.event(Event::Text("0.2".to_owned()));
    hands.run();
    button(hands, at, PointerButton::Primary, false);
    let moved = user_local(hands, "LeftHand").translation;
    assert!(moved.distance(Vec3::Y * 0.2) < 1e-4, "0.2 m along its own Y, not {moved}");
    press(hands, NONE, Key::S);
    let at = on_screen(hands, origin(hands, "LeftHand"));
    move_to(hands, at);
    button(hands, at, PointerButton::Primary, true);
    move_to(hands, at + vec2(40.0, -40.0));
    let scale = user_local(hands, "LeftHand").scale;
    assert!(scale.x > 1.3 && scale.max_element() - scale.min_element() < 1e-5, "all alike: {scale}");
    press(hands, NONE, Key::X);
    hands.event(Event::Text("1.5".to_owned()));
    hands.run();
    button(hands, at, PointerButton::Primary, false);
    assert!(user_local(hands, "LeftHand").scale.distance(Vec3::new(1.5, 1.0, 1.0)) < 1e-5);
}

fn ik(hands: &mut Hands) {
    choose(hands, "LeftHand");
    press(hands, NONE, Key::I);
    let posing = hands.state().state.settings.posing;
    assert!(posing.ik && posing.tool == Tool::Move && posing.chain_bones == 2);
    let at = on_screen(hands, origin(hands, "LeftHand"));
    let by = vec2(-40.0, -30.0);
    drag(hands, NONE, PointerButton::Primary, at, by);
    let reached = on_screen(hands, origin(hands, "LeftHand"));
    assert!(reached.distance(at + by) < 2.0, "the hand is at {reached} and not at {}", at + by);
    for joint in ["LeftUpperArm", "LeftLowerArm", "LeftHand"] {
        let user_local = user_local(hands, joint);
        assert!(user_local.translation == Vec3::ZERO && user_local.scale == Vec3::ONE, "{joint}: rotations only");
    }
    assert!(!user_local(hands, "LeftUpperArm").is_identity() && !user_local(hands, "LeftLowerArm").is_identity());
    assert_eq!(hands.state().state.open.history.undo_label(), Some("IK LeftHand"));
    press(hands, CTRL, Key::Z);
    assert!(!pose(hands).is_any_posed(), "one step");
    choose(hands, "LeftLowerArm");
    press(hands, NONE, Key::P);
    choose(hands, "LeftHand");
    drag(hands, NONE, PointerButton::Primary, at, by);
    assert!(user_local(hands, "LeftUpperArm").is_identity(), "above a pinned joint nothing turns");
    assert!(!user_local(hands, "LeftLowerArm").is_identity());
}

fn menu_owns_keys(hands: &mut Hands) {
    choose(hands, "LeftHand");
    let at = row(hands, "LeftHand").rect().center();
    click_with(hands, NONE, PointerButton::Secondary, at);
    assert!(hands.query_by_label("Copy path").is_some());
    press(hands, NONE, Key::Escape);
    assert_eq!(selected(hands), ["LeftHand"]);
    assert!(hands.query_by_label("Copy path").is_none());
    type_into(hands, "Rotation X", "12");
    assert_eq!(hands.state().state.settings.posing.tool, Tool::Rotate);
}
