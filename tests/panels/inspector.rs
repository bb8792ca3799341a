//! The inspector, the pose panel and the history panel, operated by widget names, and their effects on the state.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{EulerRot, Quat, Vec3};
use program::{Program, along_ring, assert_same_rotation, drag_through, type_into};
use rigscope::import::Job;
use rigscope::posing::{AxisLimit, JointLimits};
use rigscope::rig::{EulerOrder, Rig, Trs};
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{Action, Command, LoadingFile, SidePanel};

fn rotate(harness: &mut Harness<'_, Program>, name: &str, rotation: Quat) {
    let program = harness.state_mut();
    let node = program.node(name);
    program.apply(Command::Edit { node, user_local: Trs::from_rotation(rotation) });
    program.state.open.stage.refresh();
}

/// Returns a window with a character and one of its joints selected.
fn program(built_in: BuiltIn, joint: &str) -> Harness<'static, Program> {
    let mut program = Program::new(Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap());
    let node = program.node(joint);
    program.apply(Command::Select(Some(node)));
    program.harness([1440.0, 1200.0])
}

fn click(harness: &mut Harness<'_, Program>, name: &str) {
    harness.get_by_label(name).click();
    harness.run();
}

fn show(harness: &mut Harness<'_, Program>, panel: SidePanel) {
    harness.state_mut().state.apply(Command::SetSidePanel(panel));
    harness.run();
}

fn shown(harness: &Harness<'_, Program>, field: &str) -> String {
    harness.get_by_label(field).value().unwrap_or_default()
}

#[test]
fn a_field_calculates_what_is_typed() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    type_into(&mut harness, "Rotation X", "90/2");
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(45_f32.to_radians()));
    type_into(&mut harness, "Rotation X", "-(45+3)*2");
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x((-96_f32).to_radians()));
    type_into(&mut harness, "Rotation X", "90/");
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x((-96_f32).to_radians()));
    type_into(&mut harness, "Scale Y", "1,5");
    let scale = harness.state().state.open.stage.pose().user_local(harness.state().node("Middle")).scale;
    assert_eq!(scale, Vec3::new(1.0, 1.5, 1.0));
}

#[test]
fn angles_are_shown_in_every_order_and_mean_the_same_rotation() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    let rotation = Quat::from_euler(EulerRot::XYZ, 0.3, -0.8, 1.4);
    rotate(&mut harness, "Middle", rotation);
    for order in EulerOrder::ALL {
        harness.state_mut().state.apply(Command::SetEulerOrder(order));
        harness.run();
        let degrees = order.angles(rotation).map(f32::to_degrees);
        assert_eq!(shown(&harness, "Rotation Y"), format!("{:.2}°", degrees.y), "{}", order.name());
        assert_eq!(harness.state().rotation("Middle"), rotation, "showing changes nothing");
        type_into(&mut harness, "Rotation Z", "20");
        let z = Vec3 { z: 20.0, ..degrees }.map(f32::to_radians);
        assert_same_rotation(harness.state().rotation("Middle"), order.rotation(z));
        rotate(&mut harness, "Middle", rotation);
    }
    click(&mut harness, "Euler order");
    click(&mut harness, "YZX");
    assert_eq!(harness.state().state.settings.euler_order, EulerOrder::Yzx);
}

#[test]
fn typed_angles_stay_at_gimbal_lock() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    type_into(&mut harness, "Rotation X", "30");
    type_into(&mut harness, "Rotation Z", "-50");
    for middle in ["89.99", "90", "90.01", "120", "-90"] {
        type_into(&mut harness, "Rotation Y", middle);
        assert_eq!((shown(&harness, "Rotation X"), shown(&harness, "Rotation Z")), ("30.00°".into(), "-50.00°".into()));
        let value: f32 = shown(&harness, "Rotation Y").trim_end_matches('°').parse().unwrap();
        assert_eq!(value, middle.parse::<f32>().unwrap());
    }
}

#[test]
fn axis_and_angle_are_typed_and_an_axis_of_any_length_will_do() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    type_into(&mut harness, "Angle", "60");
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(60_f32.to_radians()));
    type_into(&mut harness, "Axis y", "1");
    let axis = Vec3::new(1.0, 1.0, 0.0).normalize_or_zero();
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_axis_angle(axis, 60_f32.to_radians()));
    assert_eq!(shown(&harness, "Angle"), "60.00°");
}

#[test]
fn clear_beside_move_and_scale_leaves_the_rotation() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    let user_local = |h: &Harness<'_, Program>| *h.state().state.open.stage.pose().user_local(h.state().node("Middle"));
    let can_clear = |h: &Harness<'_, Program>| {
        h.get_all_by_label("Clear").map(|button| !button.accesskit_node().is_disabled()).collect::<Vec<_>>()
    };
    assert_eq!(can_clear(&harness), [false, false]);
    type_into(&mut harness, "Rotation X", "30");
    assert_eq!(can_clear(&harness), [true, false], "only rotated");
    let rotated = user_local(&harness);
    type_into(&mut harness, "Position X", "0.5");
    type_into(&mut harness, "Scale Y", "2");
    assert_eq!(can_clear(&harness), [true, true]);
    let moved = user_local(&harness);
    harness.get_all_by_label("Clear").nth(1).unwrap().click();
    harness.run();
    assert_eq!(user_local(&harness), rotated);
    assert_eq!(can_clear(&harness), [true, false]);
    assert_eq!(harness.state().state.open.history.undo_label(), Some("Clear position and scale of Middle"));
    harness.state_mut().apply(Command::Do(Action::Undo));
    assert_eq!(user_local(&harness), moved);
}

#[test]
fn tab_goes_through_the_fields_in_order() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    click(&mut harness, "Rotation X");
    for next in ["Rotation Y", "Rotation Z", "Quaternion x"] {
        harness.key_press(Key::Tab);
        harness.run();
        assert!(harness.get_by_label(next).is_focused(), "{next}");
    }
}

#[test]
fn the_equations_follow_the_pose_and_nothing_moves() {
    let mut harness = program(BuiltIn::Figure, "LeftLowerArm");
    click(&mut harness, "Equations");
    let places = |h: &Harness<'_, Program>| {
        ["L_j", "Ul_j", "W_j", "B_j", "T_j", "Rest vs. bind"].map(|name| h.get_by_label(name).rect())
    };
    let before = places(&harness);
    rotate(&mut harness, "LeftLowerArm", Quat::from_rotation_z(-2.0));
    harness.run();
    assert_eq!(places(&harness), before);
    assert!(harness.query_by_label_contains("-0.4161   0.9093 ").is_some(), "cos(-2) stands in Ul_j");
    assert!(harness.query_by_label_contains("0.0000 m").is_some(), "the figure rests as it was bound");
}

#[test]
fn a_term_is_copied_as_text_and_as_json() {
    let mut harness = program(BuiltIn::Figure, "LeftLowerArm");
    rotate(&mut harness, "LeftLowerArm", Quat::from_rotation_z(0.5));
    click(&mut harness, "Equations");
    click(&mut harness, "Copy T_j as JSON");
    click(&mut harness, "Copy L_j as Text");
    let copied = &harness.state().copied;
    let value: serde_json::Value = serde_json::from_str(&copied[0]).unwrap();
    assert_eq!((value["symbol"].as_str(), value["space"].as_str()), (Some("T_j"), Some("world from skin")));
    let palette = &harness.state().state.open.stage.characters.pose().palettes[0];
    let skin = &harness.state().state.open.stage.rig().skins[0];
    let joint = skin.joints.iter().position(|&j| j == harness.state().node("LeftLowerArm")).unwrap();
    let expected = palette.joints[joint].matrix;
    for (row, column) in [(0, 0), (1, 0), (0, 3), (1, 3), (2, 3)] {
        let number = value["rows"][row][column].as_f64().unwrap() as f32;
        assert!((number - expected.to_cols_array_2d()[column][row]).abs() < 1e-5);
    }
    assert!(copied[1].starts_with("L_j of LeftLowerArm, parent from joint\n"), "{}", copied[1]);
}

#[test]
fn equations_are_folded_until_asked_for_and_a_section_stays_as_it_was_left() {
    let mut harness = program(BuiltIn::Figure, "LeftLowerArm");
    for is_open in [false, true, false] {
        assert_eq!(harness.query_by_label("W_j").is_some(), is_open);
        for joint in ["Head", "LeftLowerArm"] {
            select(&mut harness, &[joint]);
            assert_eq!(harness.query_by_label("W_j").is_some(), is_open, "at {joint}");
        }
        click(&mut harness, "Equations");
    }
}

fn select(harness: &mut Harness<'_, Program>, joints: &[&str]) {
    let nodes = joints.iter().map(|joint| harness.state().node(joint)).collect();
    harness.state_mut().state.apply(Command::SelectAll(nodes));
    harness.run();
}

fn angles(harness: &Harness<'_, Program>) -> [String; 3] {
    ["Rotation X", "Rotation Y", "Rotation Z"].map(|field| shown(harness, field))
}

#[test]
fn typed_angles_stay_until_the_next_edit() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    type_into(&mut harness, "Rotation X", "200");
    type_into(&mut harness, "Rotation Y", "-340");
    assert_eq!(angles(&harness), ["200.00°", "-340.00°", "0.00°"]);
    select(&mut harness, &["Far"]);
    select(&mut harness, &["Middle"]);
    assert_eq!(angles(&harness), ["200.00°", "-340.00°", "0.00°"]);
    for _ in 0..2 {
        harness.state_mut().state.apply(Command::Do(Action::Undo));
        harness.run();
    }
    assert_eq!(angles(&harness), ["0.00°"; 3], "at rest");
    rotate(&mut harness, "Middle", Quat::from_rotation_x(170_f32.to_radians()));
    harness.run();
    assert_eq!(angles(&harness), ["170.00°", "0.00°", "0.00°"], "from elsewhere");
}

#[test]
fn without_a_joint_the_panel_chooses_clips_and_leads_to_findings_and_comparing() {
    let mut harness = program(BuiltIn::Figure, "Head");
    harness.state_mut().apply(Command::Select(None));
    harness.run();
    harness.get_by_label("walk").click();
    harness.run();
    let open = &harness.state().state.open;
    let chosen = open.stage.playback.clip.map(|clip| open.stage.rig().clips[clip].name.clone());
    assert_eq!(chosen.as_deref(), Some("walk"));
    click(&mut harness, "Compare LBS with DQS");
    assert_eq!(harness.state().state.open.stage.view.compare.layout, rigscope::view::Layout::Wipe);
    click(&mut harness, "Check");
    assert!(harness.state().shows(SidePanel::Lint));
}

#[test]
fn typed_values_are_exact() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    for (field, text, value) in
        [("Position X", "0.0004", "0.0004 m"), ("Scale Z", "1.0004", "1.0004"), ("Rotation Y", "0.004", "0.004°")]
    {
        type_into(&mut harness, field, text);
        assert_eq!(shown(&harness, field), value);
        // Entering and leaving a field without typing is not an edit.
        click(&mut harness, field);
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(shown(&harness, field), value);
    }
    let user_local = *harness.state().state.open.stage.pose().user_local(harness.state().node("Middle"));
    assert_eq!((user_local.translation.x, user_local.scale.z), (0.0004, 1.0004));
    assert_same_rotation(user_local.rotation, Quat::from_rotation_y(0.004_f32.to_radians()));
    assert!(user_local.rotation.y > 3e-5, "{}", user_local.rotation);
    assert_eq!(harness.state().state.open.history.len(), 3);
}

#[test]
fn the_axis_is_the_one_that_was_turned_about() {
    let mut harness = program(BuiltIn::Figure, "LeftUpperArm");
    let points = along_ring(&harness, "LeftUpperArm", Vec3::Y, 74.0);
    drag_through(&mut harness, &points);
    harness.drop_at(*points.last().unwrap());
    harness.run();
    let degrees: f32 = shown(&harness, "Angle").trim_end_matches('°').parse().unwrap();
    assert!((degrees - 74.0).abs() < 2.0, "{degrees}");
    assert_eq!(["Axis x", "Axis y", "Axis z"].map(|field| shown(&harness, field)), ["0.000", "1.000", "0.000"]);
}

#[test]
fn several_selected_joints_are_counted() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    assert!(harness.query_by_label_contains("selected").is_none());
    select(&mut harness, &["Middle", "Far"]);
    harness.get_by_label("2 joints selected");
}

#[test]
fn the_clips_rotation_stands_beside_the_users() {
    let mut harness = program(BuiltIn::Figure, "LeftUpperLeg");
    harness.state_mut().state.apply(Command::SetClip(Some(0)));
    harness.state_mut().state.apply(Command::Seek(0.3));
    harness.run();
    let state = &harness.state().state;
    let node = harness.state().node("LeftUpperLeg");
    let local = |matrix| Trs::from_affine(matrix).rotation;
    let rest = local(state.open.stage.rig().hierarchy.rest_local(node));
    let turn = rest.inverse() * local(&state.open.stage.posed().clip_local[node.index()]);
    let x = EulerOrder::Xyz.angles(turn).x.to_degrees();
    assert!(x.abs() > 1.0, "the clip turns it");
    harness.get_by_label(&format!("{x:.2}°"));
    assert_eq!(angles(&harness), ["0.00°"; 3], "nothing of the user's");
}

#[test]
fn limits_are_set_in_the_inspector_and_kept_by_the_fields() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    click(&mut harness, "Degrees of freedom");
    click(&mut harness, "Freedom X");
    click(&mut harness, "Limited");
    type_into(&mut harness, "Max X", "45");
    type_into(&mut harness, "Min X", "-10");
    click(&mut harness, "Freedom Y");
    click(&mut harness, "Locked");
    let node = harness.state().node("Middle");
    let limits = *harness.state().state.open.stage.document.limits.get(node).unwrap();
    assert_eq!(limits.axes[1], AxisLimit::Locked(0.0));
    assert_eq!(limits.axes[2], AxisLimit::Free);
    type_into(&mut harness, "Rotation X", "80");
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(45_f32.to_radians()));
    assert_eq!(shown(&harness, "Rotation X"), "45.00°");
    type_into(&mut harness, "Rotation Y", "30");
    assert_eq!(shown(&harness, "Rotation Y"), "0.00°");
    type_into(&mut harness, "Rotation X", "-30");
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x((-10_f32).to_radians()));
}

#[test]
fn joint_beyond_its_limits_is_reported_and_undo_still_works() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    rotate(&mut harness, "Middle", Quat::from_rotation_x(2.0));
    let node = harness.state().node("Middle");
    let limits = JointLimits { axes: [AxisLimit::Limited { min: 0.0, max: 1.0 }; 3], ..JointLimits::default() };
    harness.state_mut().state.apply(Command::SetLimits { node, limits });
    click(&mut harness, "Degrees of freedom");
    assert!(harness.query_by_label_contains("exceeds its limits").is_some());
    rotate(&mut harness, "Middle", Quat::from_rotation_x(0.5));
    harness.run();
    assert!(harness.query_by_label_contains("exceeds its limits").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(2.0));
}

#[test]
fn the_history_lists_its_steps_and_a_click_goes_there() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    for angle in [0.2, 0.4, 0.6] {
        rotate(&mut harness, "Middle", Quat::from_rotation_x(angle));
    }
    rotate(&mut harness, "Far", Quat::from_rotation_z(42_f32.to_radians()));
    show(&mut harness, SidePanel::History);
    assert!(harness.query_by_label("Rotate Far 42°").is_some());
    click(&mut harness, "Open tube");
    assert!(!harness.state().state.open.stage.pose().is_any_posed());
    assert_eq!(harness.state().state.open.history.redo_label(), Some("Rotate Middle 11°"));
    click(&mut harness, "Rotate Far 42°");
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(0.6));
    assert_same_rotation(harness.state().rotation("Far"), Quat::from_rotation_z(42_f32.to_radians()));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(harness.state().rotation("Far"), Quat::IDENTITY);
}

#[test]
fn a_thousand_steps_are_all_there() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    for i in 1..=1000 {
        rotate(&mut harness, "Middle", Quat::from_rotation_x(i as f32 * 1e-3));
    }
    show(&mut harness, SidePanel::History);
    assert_eq!(harness.state().state.open.history.len(), 1000);
    harness.state_mut().state.apply(Command::GoToStep(1));
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(1e-3));
}

#[test]
fn rest_bind_and_clip_pose_are_shown_and_the_users_comes_back() {
    let mut harness = program(BuiltIn::Figure, "LeftLowerArm");
    let turn = Quat::from_rotation_z(0.7);
    rotate(&mut harness, "LeftLowerArm", turn);
    show(&mut harness, SidePanel::Pose);
    for name in ["Rest pose", "Clip pose", "Bind pose"] {
        click(&mut harness, name);
        harness.state_mut().state.open.stage.refresh();
        let state = &harness.state().state;
        assert_eq!(state.open.stage.playback.clip.is_some(), name == "Clip pose", "{name}");
        if name == "Bind pose" {
            let off = state.open.stage.characters.pose().palettes[0].joints.iter().map(|j| j.matrix);
            assert!(off.into_iter().all(|m| m.abs_diff_eq(glam::Affine3::IDENTITY, 1e-4)), "every T_j is the identity");
        } else {
            assert!(!state.open.stage.pose().is_any_posed(), "{name}");
        }
    }
    click(&mut harness, "User pose");
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), turn);
    for label in ["User pose", "Clip pose", "Rest pose"] {
        assert!((0..harness.state().state.open.history.len()).any(|i| {
            harness.state().state.open.history.label(i).is_some_and(|l| l == label) || label == "Clip pose"
        }));
    }
}

#[test]
fn the_slider_goes_from_rest_to_the_pose_and_is_one_step() {
    let mut harness = program(BuiltIn::Tube, "Middle");
    rotate(&mut harness, "Middle", Quat::from_rotation_x(1.0));
    let whole = harness.state().state.open.stage.pose().clone();
    let share = |h: &mut Harness<'_, Program>, share| {
        h.state_mut().state.apply(Command::BlendPose(share));
    };
    harness.state_mut().state.apply(Command::BeginEdit);
    for at in [0.9, 0.6, 0.25] {
        share(&mut harness, at);
    }
    harness.state_mut().state.apply(Command::EndEdit);
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(0.25));
    assert_eq!(harness.state().state.open.history.undo_label(), Some("Blend from rest to 25 %"));
    assert_eq!(harness.state().state.open.history.len(), 2);
    share(&mut harness, 1.0);
    assert_eq!(*harness.state().state.open.stage.pose(), whole, "the ends are exact");
    share(&mut harness, 0.0);
    assert!(!harness.state().state.open.stage.pose().is_any_posed());
    share(&mut harness, 0.5);
    // An edit during a blend turns the shown pose into the user's pose.
    rotate(&mut harness, "Far", Quat::from_rotation_z(0.3));
    assert_eq!(harness.state().state.open.user_pose.share(&harness.state().state.open.stage), 1.0);
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_x(0.5));
    show(&mut harness, SidePanel::Pose);
    let slider = harness.get_by_role_and_label(egui::accesskit::Role::Slider, "From rest").rect();
    let steps = harness.state().state.open.history.len();
    harness.drag_at(slider.center());
    harness.run();
    harness.hover_at(slider.left_center() - egui::vec2(30.0, 0.0));
    harness.run();
    harness.drop_at(slider.left_center() - egui::vec2(30.0, 0.0));
    harness.run();
    assert!(!harness.state().state.open.stage.pose().is_any_posed());
    assert_eq!(harness.state().state.open.history.len(), steps + 1, "a drag is one step");
}

#[test]
fn loading_the_first_file_shows_no_joint_messages() {
    let nothing = Document::new(Source::BuiltIn(BuiltIn::Figure), Rig::default(), Vec::new());
    let mut harness = program::program_with(nothing);
    assert!(harness.query_by_label("This file has no joints.").is_some());
    let loading = LoadingFile { name: "a.glb".to_owned(), stage: "Reading".to_owned(), fraction: None };
    harness.state_mut().state.loading = Some(loading);
    harness.run_steps(3);
    assert_eq!(harness.query_all_by_label("Opening…").count(), 2, "in the tree and beside it");
    assert!(harness.query_by_label("This file has no joints.").is_none());
}
