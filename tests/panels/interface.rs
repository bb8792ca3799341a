//! The panels, operated by widget names, and their effects on the state.

use crate::program;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{EulerRot, Quat, Vec3};
use program::{
    Program, along_ring, assert_same_rotation, drag_through, program, program_with, texts_painted, type_into,
};
use rigscope::export::FfmpegFormat;
use rigscope::import::Job;
use rigscope::posing::{AxisLimit, JointLimits};
use rigscope::rig::{Rig, RigData, Trs};
use rigscope::skinning::Method;
use rigscope::stage::{BuiltIn, Document, Source, VideoFormat};
use rigscope::state::{
    ACTIONS, Action, AfterLoad, Command, DrawFault, JobResult, Notice, NoticeKind, OngoingJobs, PathUse, Preset,
    Request, Shortcuts, WindowRequest,
};
use rigscope::view::BoneStyle;

fn load(source: &Source) -> Request {
    Request::Load { source: source.clone(), scene: None, clips_from: Vec::new(), then: AfterLoad::Show }
}

#[test]
fn a_joint_is_selected_in_the_tree_and_filtered_by_name() {
    let mut harness = program(BuiltIn::Figure);
    assert!(harness.query_by_label("LeftLowerArm").is_some());
    harness.get_by_label("LeftLowerArm").click();
    harness.run();
    let node = harness.state().node("LeftLowerArm");
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(node));
    harness.get_by_role(Role::TextInput).focus();
    harness.run();
    harness.get_by_role(Role::TextInput).type_text("rightLOWERleg");
    harness.run();
    assert!(harness.query_by_label("RightLowerLeg").is_some());
    assert!(harness.query_by_label("Hips").is_some(), "what is above a match stays");
    assert!(harness.query_by_label("LeftLowerLeg").is_none());
}

#[test]
fn human_bones_stand_beside_the_names_and_are_found() {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let near = document.rig.hierarchy.node_named("Near").unwrap();
    let parts = RigData { human_bones: vec![(near, "leftUpperArm".to_owned())], ..RigData::clone(&document.rig) };
    let mut harness = program_with(Document::new(document.source, Rig::new(parts), Vec::new()));
    assert!(harness.query_by_label("Near (leftUpperArm)").is_some());
    harness.get_by_role(Role::TextInput).focus();
    harness.run();
    harness.get_by_role(Role::TextInput).type_text("upperarm");
    harness.run();
    assert!(harness.query_by_label("Near (leftUpperArm)").is_some());
    assert!(harness.query_by_label("Middle").is_none());
}

#[test]
fn another_scene_is_chosen_in_the_view_menu_and_keeps_the_pose() {
    let document = || Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let scenes = || vec!["Here".to_owned(), "There".to_owned()];
    let mut harness = program(BuiltIn::Tube);
    harness.get_by_label("View").click();
    harness.run();
    assert!(harness.query_by_label_contains("Scene").is_none(), "a file with one scene has nothing to choose");
    let mut harness = program_with(Document { scenes: scenes(), scene: Some(0), ..document() });
    let near = harness.state().node("Near");
    let turned = Trs { rotation: Quat::from_rotation_x(0.5), ..Trs::IDENTITY };
    harness.state_mut().state.apply(Command::Edit { node: near, user_local: turned });
    harness.get_by_label("View").click();
    harness.run();
    harness.get_by_label_contains("Scene").click();
    harness.run();
    harness.get_by_label("There").click();
    harness.run();
    let source = harness.state().state.open.stage.document.source.clone();
    assert_eq!(
        harness.state().requests,
        [Request::Load { source, scene: Some(1), clips_from: Vec::new(), then: AfterLoad::Reload { is_asked: true } }]
    );
    let there = Document { scenes: scenes(), scene: Some(1), ..document() };
    harness.state_mut().state.receive(JobResult::Document(Box::new(there), AfterLoad::Reload { is_asked: true }));
    harness.run();
    assert_same_rotation(harness.state().rotation("Near"), turned.rotation);
    assert!(harness.state().state.notices.newest().is_none());
}

#[test]
fn up_and_down_move_through_the_tree() {
    let mut harness = program(BuiltIn::Tube);
    let names = |h: &Harness<'_, Program>| {
        h.state()
            .state
            .open
            .stage
            .view
            .active_joint()
            .map(|n| h.state().state.open.stage.rig().hierarchy.name(n).to_owned())
    };
    harness.get_by_label("Near").click();
    harness.run();
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert_eq!(names(&harness).as_deref(), Some("Middle"));
    harness.key_press(Key::ArrowUp);
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert_eq!(names(&harness).as_deref(), Some("Root"));
}

#[test]
fn collapsed_rows_come_back_when_a_joint_below_is_selected() {
    let mut harness = program(BuiltIn::Tube);
    harness.get_all_by_label_contains("Collapse ").next().unwrap().click();
    harness.run();
    assert!(harness.query_by_role_and_label(Role::TreeItem, "Far").is_none());
    let far = harness.state().node("Far");
    harness.state_mut().state.apply(Command::Select(Some(far)));
    harness.run();
    assert!(harness.query_by_role_and_label(Role::TreeItem, "Far").is_some());
}

#[test]
fn typed_euler_degrees_are_the_rotation_and_one_step_of_undo() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_label("LeftLowerArm").click();
    harness.run();
    type_into(&mut harness, "Rotation Y", "42");
    let turned = Quat::from_rotation_y(42.0_f32.to_radians());
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), turned);
    type_into(&mut harness, "Rotation X", "-120");
    let both = Quat::from_euler(EulerRot::XYZ, (-120.0_f32).to_radians(), 42.0_f32.to_radians(), 0.0);
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), both);
    // The angles are shown as typed, not as other Euler angles of the same rotation.
    let shown = harness.get_by_label("Rotation X").value();
    assert!(shown.as_deref().is_some_and(|v| v.starts_with("-120")), "{shown:?}");
    assert_eq!(harness.state().state.open.history.undo_label(), Some("Rotate LeftLowerArm 120°"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), turned);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(harness.state().rotation("LeftLowerArm"), Quat::IDENTITY);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.run();
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), turned);
}

#[test]
fn a_typed_quaternion_is_normalised_and_nonsense_is_ignored() {
    let mut harness = program(BuiltIn::Tube);
    harness.get_by_label("Middle").click();
    harness.run();
    type_into(&mut harness, "Quaternion x", "1");
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_xyzw(half, 0.0, 0.0, half));
    let before = harness.state().rotation("Middle");
    type_into(&mut harness, "Quaternion x", "what");
    assert_eq!(harness.state().rotation("Middle"), before);
}

#[test]
fn the_method_is_switched_by_button_and_by_key_and_nothing_else_changes() {
    let mut harness = program(BuiltIn::Tube);
    let version = harness.state().state.open.stage.characters.version();
    assert_eq!(harness.state().state.open.stage.view.sides.a.skinning.method, Method::Lbs);
    harness.get_by_label("DQS").click();
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.sides.a.skinning.method, Method::Dqs);
    harness.key_press(Key::M);
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.sides.a.skinning.method, Method::Lbs);
    assert_eq!(harness.state().state.open.stage.characters.version(), version, "no pose was evaluated again");
}

#[test]
fn keys_do_nothing_while_a_text_field_has_the_focus() {
    let mut harness = program(BuiltIn::Tube);
    harness.get_by_role(Role::TextInput).focus();
    harness.run();
    harness.key_press(Key::M);
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.sides.a.skinning.method, Method::Lbs);
}

#[test]
fn a_reset_of_several_joints_is_undone_in_one_step() {
    let mut harness = program(BuiltIn::Tube);
    for name in ["Near", "Middle", "Far"] {
        harness.get_by_label(name).click();
        harness.run();
        type_into(&mut harness, "Rotation Z", "30");
    }
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::ALT, Key::R);
    harness.run();
    assert!(!harness.state().state.open.stage.pose().is_any_posed());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    for name in ["Near", "Middle", "Far"] {
        assert_same_rotation(harness.state().rotation(name), Quat::from_rotation_z(30.0_f32.to_radians()));
    }
    harness.get_by_label("Clear subtree").click();
    harness.run();
    assert_eq!(harness.state().rotation("Far"), Quat::IDENTITY);
    assert_same_rotation(harness.state().rotation("Middle"), Quat::from_rotation_z(30.0_f32.to_radians()));
}

#[test]
fn clips_are_chosen_played_and_scrubbed() {
    let mut harness = program(BuiltIn::Figure);
    harness.state_mut().state.apply(Command::SetClip(Some(0)));
    assert!(harness.state().state.open.stage.playback.is_playing);
    harness.step();
    harness.get_by_label("Pause").click();
    harness.run();
    assert!(!harness.state().state.open.stage.playback.is_playing);
    let before = harness.state().state.open.stage.playback.time_secs;
    harness.key_press(Key::ArrowRight);
    harness.run();
    let (after, rate) =
        (harness.state().state.open.stage.playback.time_secs, harness.state().state.open.stage.rig().frame_rate(0));
    assert_eq!(after, rate.next(before), "to the next frame");
}

#[test]
fn a_notice_stays_until_dismissed() {
    let mut harness = program(BuiltIn::Tube);
    let text = "Nothing was opened.".to_owned();
    harness.state_mut().state.apply(Command::Notify(Notice::new(NoticeKind::Error, text)));
    harness.run();
    assert!(harness.query_by_label_contains("Nothing was opened").is_some());
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert!(harness.query_by_label_contains("Nothing was opened").is_none());
}

#[test]
fn a_notice_in_a_window_without_room_for_it_is_no_fault() {
    let mut harness = program(BuiltIn::Tube);
    harness.state_mut().state.apply(Command::Notify(Notice::info("Nothing was opened.")));
    for size in [[150.0, 100.0], [60.0, 40.0], [800.0, 500.0]] {
        harness.set_size(size.into());
        harness.run();
    }
    assert!(harness.query_by_label_contains("Nothing was opened").is_some());
}

#[test]
fn failed_image_is_reported_until_it_is_retried() {
    let mut harness = program(BuiltIn::Tube);
    let fault = |can_retry| Some(DrawFault { text: "The image could not be drawn.".to_owned(), can_retry });
    harness.state_mut().state.draw_fault = fault(true);
    harness.run();
    assert!(harness.query_by_label_contains("could not be drawn").is_some());
    harness.get_by_label("Try again").click();
    harness.run();
    assert_eq!(harness.state().state.draw_fault, None);
    assert!(harness.query_by_label_contains("could not be drawn").is_none());
    harness.state_mut().state.draw_fault = fault(false);
    harness.run();
    assert!(harness.query_by_label_contains("could not be drawn").is_some());
    assert!(harness.query_by_label("Try again").is_none(), "nothing helps but another start");
}

#[test]
fn status_bar_lists_and_cancels_running_jobs() {
    let mut harness = program(BuiltIn::Tube);
    let job = |id, does: &str, so_far: &str| OngoingJobs {
        id,
        does: does.to_owned(),
        so_far: so_far.to_owned(),
        fraction: 0.43,
    };
    harness.state_mut().state.jobs = vec![job(3, "Looking for findings", ""), job(4, "Ranking the joints", "43 %")];
    // A spinner requests frames forever.
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("Ranking").is_none(), "the first stands for all");
    harness.get_by_label("Looking for findings").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("Ranking the joints · 43 %").is_some());
    harness.get_by_label("Cancel: Ranking the joints").click();
    harness.run_steps(4);
    assert_eq!(harness.state().requests, [Request::CancelJob(4)]);
    harness.state_mut().state.jobs.clear();
    harness.run();
    assert!(harness.query_by_label_contains("Looking for findings").is_none());
}

#[test]
fn nothing_moves_when_a_joint_is_selected_and_turned() {
    let mut harness = program(BuiltIn::Figure);
    let viewport = harness.get_by_label("Viewport").rect();
    harness.get_by_label("LeftLowerArm").click();
    harness.run();
    for (field, value) in [("Rotation X", "-123.45"), ("Quaternion y", "-0.5"), ("Position X", "-12345.678")] {
        type_into(&mut harness, field, value);
        let now = harness.get_by_label("Viewport").rect();
        let moved = (now.min - viewport.min).length() + (now.max - viewport.max).length();
        assert!(moved < 0.1, "the viewport moved from {viewport} to {now} after {field}");
    }
}

#[test]
fn an_idle_window_asks_for_no_further_frame() {
    // `run` fails if the interface requests frames forever.
    let mut harness = program(BuiltIn::Figure);
    harness.run();
    assert!(harness.state().requests.is_empty());
}

#[test]
fn a_bone_is_selected_by_a_click_in_the_viewport() {
    let mut harness = program(BuiltIn::Tube);
    let rect = harness.get_by_label("Viewport").rect();
    let lens = harness.state().state.open.stage.view.camera.lens(glam::Vec2::new(rect.width(), rect.height()));
    let bone = *harness
        .state()
        .state
        .open
        .stage
        .characters
        .bones()
        .iter()
        .find(|b| b.joint == harness.state().node("Middle"))
        .unwrap();
    let seen = lens.project(Vec3::lerp(bone.head, bone.tail, 0.6)).unwrap();
    let at = rect.min + egui::vec2(seen.x, seen.y);
    harness.hover_at(at);
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.hovered, Some(bone.joint));
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(bone.joint));
}

#[test]
fn dragging_orbits_and_the_wheel_zooms() {
    let mut harness = program(BuiltIn::Tube);
    let rect = harness.get_by_label("Viewport").rect();
    let before = harness.state().state.open.stage.view.camera;
    let from = rect.left_bottom() + egui::vec2(60.0, -60.0);
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + egui::vec2(80.0, 0.0));
    harness.run();
    harness.drop_at(from + egui::vec2(80.0, 0.0));
    harness.run();
    let after = harness.state().state.open.stage.view.camera;
    assert!((after.yaw - before.yaw).abs() > 0.1);
    assert_eq!(after.pitch, before.pitch);
    harness.hover_at(from);
    harness.run();
    harness.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 120.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run();
    assert!(harness.state().state.open.stage.view.camera.distance < after.distance);
}

#[test]
fn dragging_a_ring_turns_the_joint_by_the_angle_and_undoes_as_one_step() {
    for (axis, degrees) in [(Vec3::X, 70.0), (Vec3::Y, -40.0), (Vec3::Z, 110.0)] {
        let mut harness = program(BuiltIn::Figure);
        harness.get_by_label("LeftLowerArm").click();
        harness.run();
        let points = along_ring(&harness, "LeftLowerArm", axis, degrees);
        drag_through(&mut harness, &points);
        assert!(harness.state().state.open.stage.view.is_dragging);
        harness.drop_at(points[points.len() - 1]);
        harness.run();
        let turned = harness.state().rotation("LeftLowerArm");
        let wanted = Quat::from_axis_angle(axis, degrees.to_radians());
        let off = turned.angle_between(wanted).to_degrees();
        // A point on the small ring is about one degree.
        assert!(off < 1.5, "about {axis}: {off} degrees off");
        assert!(!harness.state().state.open.stage.view.is_dragging);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run();
        assert_eq!(harness.state().rotation("LeftLowerArm"), Quat::IDENTITY);
        assert_eq!(harness.state().state.open.history.undo_label(), None, "one drag is one step");
    }
}

#[test]
fn escape_restores_the_pose_exactly_and_keeps_the_selection() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_label("LeftLowerArm").click();
    harness.run();
    type_into(&mut harness, "Rotation X", "33.3");
    let before = harness.state().state.open.stage.pose().clone();
    let points = along_ring(&harness, "LeftLowerArm", Vec3::X, 50.0);
    drag_through(&mut harness, &points);
    assert_ne!(*harness.state().state.open.stage.pose(), before);
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(*harness.state().state.open.stage.pose(), before);
    assert!(harness.state().state.open.stage.view.active_joint().is_some());
    // Moving on with the button pressed must rotate neither the joint nor the camera.
    let camera = harness.state().state.open.stage.view.camera;
    harness.hover_at(points[0]);
    harness.run();
    assert_eq!(*harness.state().state.open.stage.pose(), before);
    assert_eq!(harness.state().state.open.stage.view.camera, camera);
}

#[test]
fn degrees_typed_during_a_drag_win_over_the_pointer() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_label("LeftLowerArm").click();
    harness.run();
    let points = along_ring(&harness, "LeftLowerArm", Vec3::Z, 20.0);
    drag_through(&mut harness, &points);
    for key in ["-", "9", "0"] {
        harness.event(Event::Text(key.to_owned()));
        harness.run();
    }
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), Quat::from_rotation_z((-90.0_f32).to_radians()));
    harness.key_press(Key::X);
    harness.run();
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), Quat::from_rotation_x((-90.0_f32).to_radians()));
    harness.drop_at(points[points.len() - 1]);
    harness.run();
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), Quat::from_rotation_x((-90.0_f32).to_radians()));
}

#[test]
fn opening_another_character_ends_a_drag_without_harm() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_label("LeftLowerArm").click();
    harness.run();
    let points = along_ring(&harness, "LeftLowerArm", Vec3::Z, 20.0);
    drag_through(&mut harness, &points);
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    harness.state_mut().state.receive(JobResult::Document(Box::new(tube), AfterLoad::Show));
    harness.run();
    harness.hover_at(points[0]);
    harness.run();
    harness.drop_at(points[0]);
    harness.run();
    assert!(!harness.state().state.open.stage.pose().is_any_posed());
    assert!(!harness.state().state.open.stage.view.is_dragging);
}

#[test]
fn the_tree_of_a_reloaded_file_stays_as_it_was_and_the_notice_goes_by_itself() {
    let mut harness = program(BuiltIn::Tube);
    harness.get_all_by_label_contains("Collapse ").next().unwrap().click();
    harness.run();
    assert!(harness.query_by_role_and_label(Role::TreeItem, "Far").is_none());
    let again = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    harness.state_mut().state.receive(JobResult::Document(Box::new(again), AfterLoad::Reload { is_asked: true }));
    harness.run();
    assert!(harness.query_by_role_and_label(Role::TreeItem, "Far").is_none(), "still collapsed");
    assert!(harness.query_by_label_contains("was reloaded").is_some());
    // The harness counts a quarter of a second per frame.
    for _ in 0..30 {
        harness.step();
    }
    harness.run();
    assert_eq!(harness.state().state.notices.newest(), None);
    let other = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    harness.state_mut().state.receive(JobResult::Document(Box::new(other), AfterLoad::Show));
    harness.run();
    assert!(harness.query_by_role_and_label(Role::TreeItem, "LeftLowerArm").is_some(), "another file is all open");
}

#[test]
fn files_given_together_are_a_key_and_a_menu_away() {
    let mut harness = program(BuiltIn::Tube);
    assert!(harness.query_by_label("Next file").is_none(), "one file needs no switch");
    let other = Source::File("folder/other.glb".into());
    let files = vec![Source::BuiltIn(BuiltIn::Tube), other.clone()];
    let first = harness.state_mut().state.apply(Command::OpenAll(files, AfterLoad::Show));
    assert_eq!(first, Some(load(&Source::BuiltIn(BuiltIn::Tube))));
    harness.run();
    harness.get_by_label("1 of 2");
    harness.key_press(Key::PageDown);
    harness.run();
    harness.get_by_label("Previous file").click();
    harness.run();
    harness.get_by_label("tube ⏷").click();
    harness.run();
    harness.get_by_label("folder/other.glb").click();
    harness.run();
    assert_eq!(harness.state().requests, [&other, &Source::BuiltIn(BuiltIn::Tube), &other].map(load));
    harness.state_mut().state.apply(Command::Open(Source::BuiltIn(BuiltIn::Figure)));
    harness.run();
    assert!(harness.query_by_label("Next file").is_none(), "another file ends the list");
}

/// Returns a window with a bent arm, after the request to quit.
fn asked() -> Harness<'static, Program> {
    let mut harness = program(BuiltIn::Figure);
    let node = harness.state().node("LeftLowerArm");
    let turned = Trs { rotation: Quat::from_rotation_x(0.5), ..Trs::IDENTITY };
    harness.state_mut().state.apply(Command::Edit { node, user_local: turned });
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    harness.run();
    assert!(harness.query_by_label_contains("Save the pose of figure before closing?").is_some());
    harness
}

#[test]
fn the_question_before_closing_is_answered_by_key_and_by_button() {
    let requests = |answer: &dyn Fn(&mut Harness<'static, Program>)| {
        let mut harness = asked();
        answer(&mut harness);
        harness.run();
        let program = harness.state();
        let told = |request: &Request| match request {
            Request::Window(WindowRequest::PickPath(asked)) => asked.name.clone(),
            other => format!("{other:?}"),
        };
        (program.state.question.is_some(), program.requests.iter().map(told).collect::<Vec<_>>())
    };
    let save = (true, vec!["figure.pose.json".to_owned()]);
    let discard = (false, vec!["Window(Quit)".to_owned()]);
    let cancel = (false, Vec::new());
    assert_eq!(requests(&|h| h.key_press(Key::Enter)), save);
    assert_eq!(requests(&|h| h.get_by_label("Save pose…").click()), save);
    assert_eq!(requests(&|h| h.key_press_modifiers(Modifiers::COMMAND, Key::D)), discard);
    assert_eq!(requests(&|h| h.get_by_label("Discard").click()), discard);
    assert_eq!(requests(&|h| h.key_press(Key::Escape)), cancel);
    assert_eq!(requests(&|h| h.get_by_label("Cancel").click()), cancel);
}

#[test]
fn drop_dialog_accepts_keys_and_buttons() {
    let figure = || Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    let answered = |answer: &dyn Fn(&mut Harness<'static, Program>)| {
        let mut harness = program(BuiltIn::Figure);
        harness.state_mut().state.receive(JobResult::Document(Box::new(figure()), AfterLoad::Dropped));
        harness.run();
        assert!(harness.query_by_label_contains("What is figure for?").is_some());
        assert!(harness.query_by_label_contains("It has 3 clips").is_some());
        answer(&mut harness);
        harness.run();
        assert!(harness.state().state.question.is_none());
        harness.state().requests.iter().any(|request| {
            matches!(request, Request::Load { then: AfterLoad::UseClips, clips_from, .. } if clips_from.len() == 1)
        })
    };
    assert!(answered(&|h| h.get_by_label("Use its clips").click()));
    assert!(answered(&|h| h.key_press(Key::U)));
    for answer in [&|h: &mut Harness<'static, Program>| h.key_press(Key::Enter), &|h| h.key_press(Key::Escape)]
        as [&dyn Fn(&mut Harness<'static, Program>); 2]
    {
        assert!(!answered(answer));
    }
    assert!(!answered(&|h| h.get_by_label("Open").click()));
}

#[test]
fn keys_do_nothing_behind_the_question() {
    let mut harness = asked();
    let method = harness.state().state.open.stage.view.sides.a.skinning.method;
    harness.key_press(Key::M);
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.sides.a.skinning.method, method);
}

fn search(query: &str) -> Harness<'static, Program> {
    let mut harness = program(BuiltIn::Figure);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    harness.run();
    // The first text field is the filter of the outliner.
    harness.get_all_by_role(Role::TextInput).last().expect("the palette has a field").type_text(query);
    harness.run();
    harness
}

#[test]
fn the_palette_runs_the_command_that_a_few_letters_find() {
    let mut harness = search("wirefr");
    harness.key_press(Key::Enter);
    harness.run();
    assert!(harness.state().state.open.stage.view.display.wireframe);
    assert!(harness.query_by_label("Clear rotation").is_none(), "it closes");
}

#[test]
fn arrows_move_through_the_palette_and_escape_leaves_it() {
    let mut harness = search("look from");
    harness.key_press(Key::ArrowDown);
    harness.run();
    harness.key_press(Key::ArrowUp);
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Front").is_none());
    let mut harness = search("frame");
    harness.state_mut().apply(Command::Do(Action::FrameAll));
    let camera = harness.state().state.open.stage.view.camera;
    harness.key_press(Key::ArrowDown);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.camera, camera, "Frame all, where everything is framed");
}

#[test]
fn palette_explains_unavailable_actions_and_does_nothing() {
    let mut harness = search("reset joint");
    assert!(harness.query_by_label("Clear joint").is_some());
    harness.key_press(Key::Enter);
    harness.run();
    assert!(harness.query_by_label("Clear joint").is_some(), "it stays open");
    assert!(harness.state().requests.is_empty());
}

/// Returns a window with the keyboard reference, which has a row for every action.
fn sheet() -> Harness<'static, Program> {
    let mut harness = program(BuiltIn::Figure);
    harness.key_press(Key::F1);
    harness.run();
    harness
}

#[test]
fn the_sheet_is_searched_at_once_and_escape_closes_it() {
    let mut harness = sheet();
    let has = |harness: &Harness<'_, Program>, label| harness.query_by_label(label).is_some();
    assert!(has(&harness, "Reload") && has(&harness, "Playback") && has(&harness, "Orbit"));
    harness.event(Event::Text("clear rot".to_owned()));
    harness.run();
    assert!(has(&harness, "Clear rotation") && !has(&harness, "Reload"));
    assert!(!has(&harness, "Playback") && !has(&harness, "Orbit"));
    harness.key_press(Key::Escape);
    harness.run();
    assert!(!has(&harness, "Clear rotation"));
    harness.key_press(Key::F1);
    harness.run();
    assert!(has(&harness, "Reload"), "it opens with all");
    harness.get_by_label("Lint codes").click();
    harness.run();
    assert!(has(&harness, "RIG070"));
    harness.get_by_label("Search keys and codes").click();
    harness.run();
    harness.event(Event::Text("RIG012".to_owned()));
    harness.run();
    assert!(has(&harness, "RIG012") && !has(&harness, "RIG070"));
    harness.get_by_label("Close the sheet of keys").click();
    harness.run();
    assert!(!has(&harness, "RIG012"));
}

#[test]
fn video_content_is_chosen_before_its_path() {
    let mut harness = program(BuiltIn::Tube);
    harness.state_mut().state.apply(Command::Do(Action::SaveVideo));
    harness.run();
    let [width, height] = harness.state().state.video.plan.unwrap().size(harness.state().state.open.stage.aspect);
    assert!(harness.query_by_label(&format!("180 frames of {width} × {height} pixels, 6.0 s.")).is_some());
    harness.key_press(Key::M);
    harness.run();
    assert_eq!(harness.state().state.open.stage.view.sides.a.skinning.method, Method::Lbs, "no key acts behind it");
    harness.get_by_label("Turntable, duration").click();
    harness.run();
    assert!(harness.query_by_label("Nothing moves in this video.").is_some());
    harness.get_by_label("Save…").click();
    harness.run();
    assert!(harness.state().requests.is_empty(), "nothing to save");
    harness.get_by_label("Turntable, duration").click();
    harness.run();
    harness.get_by_label("Save…").click();
    harness.run();
    let asked = harness
        .state()
        .requests
        .iter()
        .any(|r| matches!(r, Request::Window(WindowRequest::PickPath(q)) if q.purpose == PathUse::SaveVideo(VideoFormat::Animated)));
    assert!(asked);
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().state.video.plan, None);
}

#[test]
fn video_export_needs_ffmpeg_or_explains_it() {
    let mut harness = program(BuiltIn::Tube);
    harness.state_mut().state.apply(Command::Do(Action::SaveVideo));
    harness.state_mut().state.receive(JobResult::FfmpegSought { is_found: false });
    harness.run();
    let missing = "Videos (.mp4, .webm, .gif) need ffmpeg, which is not on the PATH.";
    assert!(harness.query_by_label(missing).is_some());
    harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Format").click();
    harness.run();
    harness.get_by_label("MP4 video").click();
    harness.run();
    assert_eq!(harness.state().state.video.plan.unwrap().format, VideoFormat::Animated, "it cannot be chosen");
    harness.key_press(Key::Escape);
    harness.run();
    harness.state_mut().state.apply(Command::Do(Action::SaveVideo));
    harness.state_mut().state.receive(JobResult::FfmpegSought { is_found: true });
    harness.run();
    assert!(harness.query_by_label(missing).is_none());
    let mp4 = VideoFormat::Video(FfmpegFormat::Mp4);
    assert_eq!(harness.state().state.video.plan.unwrap().format, mp4, "it is offered first");
    harness.get_by_label("Save…").click();
    harness.run();
    let asked = harness.state().requests.iter().find_map(|request| match request {
        Request::Window(WindowRequest::PickPath(question)) => Some(question.name.clone()),
        _ => None,
    });
    assert_eq!(asked.as_deref(), Some("tube.turntable.mp4"));
}

#[test]
fn no_key_acts_behind_the_sheet() {
    for preset in Preset::ALL {
        let mut harness = program(BuiltIn::Tube);
        let node = harness.state().node("Middle");
        harness.state_mut().state.apply(Command::SetShortcuts(Shortcuts { preset, ..Shortcuts::default() }));
        harness.state_mut().state.apply(Command::Select(Some(node)));
        harness
            .state_mut()
            .state
            .apply(Command::Edit { node, user_local: Trs::from_rotation(Quat::from_rotation_x(0.3)) });
        harness.run();
        harness.key_press(Key::F1);
        harness.run();
        let seen = |harness: &Harness<'_, Program>| {
            let Program { state, requests, copied, .. } = harness.state();
            let open = &state.open;
            format!(
                "{requests:?} {copied:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {:?} {} {:?} {}",
                state.settings,
                open.stage.view,
                state.open.stage.pose(),
                open.stage.playback,
                open.stage.document.pins,
                open.stage.probes,
                open.twist.is_open,
                open.history.undo_label(),
                state.tour.is_some(),
                state.panels,
                harness.query_by_label("Reload").is_some(),
            )
        };
        let before = seen(&harness);
        let closing = Action::ToggleHelp.spec().keys(preset);
        let keys =
            ACTIONS.iter().flat_map(|spec| spec.keys(preset)).filter(|key| !closing.contains(key) && **key != "Escape");
        for key in keys.chain(&["Up", "Down", "Delete", "Enter", "Tab"]) {
            let (held, name) = key.rsplit_once('+').unwrap_or(("", key));
            let mut modifiers = Modifiers::NONE;
            for held in held.split('+') {
                modifiers |= match held {
                    "Ctrl" => Modifiers::COMMAND | Modifiers::CTRL,
                    "Shift" => Modifiers::SHIFT,
                    "Alt" => Modifiers::ALT,
                    _ => Modifiers::NONE,
                };
            }
            harness.key_press_modifiers(modifiers, Key::from_name(name).unwrap());
            harness.step();
            assert_eq!(seen(&harness), before, "{key} as in {}", preset.name());
        }
        for event in [Event::Copy, Event::Cut] {
            harness.event(event);
            harness.run();
        }
        assert_eq!(seen(&harness), before, "the clipboard as in {}", preset.name());
    }
}

#[test]
fn a_key_is_changed_in_the_sheet_and_works_and_shows_at_once() {
    let mut harness = sheet();
    harness.get_by_label("Ctrl+O").click();
    harness.run();
    harness.get_by_label("Press a key");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run();
    harness.get_by_label("Ctrl+K");
    assert_eq!(harness.state().state.settings.shortcuts.changed["Open"], ["Ctrl+K"]);
    harness.key_press(Key::Escape);
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run();
    let asked = harness.state().requests.as_slice();
    assert!(
        matches!(asked, [Request::Window(WindowRequest::PickPath(asked))] if asked.purpose == PathUse::OpenRig),
        "{asked:?}"
    );
    harness.key_press(Key::F1);
    harness.run();
    harness.get_by_label("Reset").click();
    harness.run();
    assert!(harness.query_by_label("Ctrl+K").is_none());
    assert!(harness.state().state.settings.shortcuts.changed.is_empty());
}

#[test]
fn a_key_that_does_two_things_is_marked_and_escape_changes_none() {
    let mut harness = sheet();
    harness.get_by_label("Ctrl+O").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::R);
    harness.run();
    harness.get_by_label("⚠ also Reload");
    harness.get_by_label("⚠ also Open…");
    harness.get_by_label("Ctrl+S").scroll_to_me();
    harness.run();
    harness.get_by_label("Ctrl+S").click();
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    harness.get_by_label("Ctrl+S");
}

#[test]
fn a_preset_changes_the_keys_that_clash() {
    let mut harness = program(BuiltIn::Figure);
    let blender = Shortcuts { preset: Preset::Blender, ..Shortcuts::default() };
    harness.state_mut().state.apply(Command::SetShortcuts(blender));
    harness.run();
    harness.key_press(Key::F3);
    harness.run();
    assert!(harness.query_by_label("Frame all").is_some(), "the palette is open");
}

#[test]
fn a_ring_turns_a_limited_joint_to_its_limit_and_no_further() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_label("LeftLowerArm").click();
    harness.run();
    let node = harness.state().node("LeftLowerArm");
    let bend = AxisLimit::Limited { min: 0.0, max: 30.0_f32.to_radians() };
    let limits = JointLimits { axes: [bend, AxisLimit::Locked(0.0), AxisLimit::Free], ..JointLimits::default() };
    harness.state_mut().state.apply(Command::SetLimits { node, limits });
    for (axis, degrees, expected) in [(Vec3::X, 70.0, 30.0_f32), (Vec3::X, -80.0, 0.0), (Vec3::Y, 50.0, 0.0)] {
        let points = along_ring(&harness, "LeftLowerArm", axis, degrees);
        drag_through(&mut harness, &points);
        harness.drop_at(points[points.len() - 1]);
        harness.run();
        assert_same_rotation(harness.state().rotation("LeftLowerArm"), Quat::from_rotation_x(expected.to_radians()));
    }
}

#[test]
fn the_view_menu_chooses_how_bones_are_drawn_and_which_names_and_axes() {
    let mut harness = program(BuiltIn::Figure);
    let names = |harness: &Harness<'_, Program>| {
        let painted = texts_painted(harness);
        ["Head", "LeftLowerLeg"].map(|name| painted.iter().filter(|text| *text == name).count())
    };
    let before = names(&harness);
    let choose = |harness: &mut Harness<'_, Program>, entries: &[&str]| {
        for entry in entries {
            match harness.query_by_label(entry) {
                Some(whole) => whole.click(),
                None => harness.get_by_label_contains(entry).click(),
            }
            harness.run();
        }
        harness.key_press(Key::Escape);
        harness.run();
    };
    choose(&mut harness, &["View", "Joint names", "Names of all joints"]);
    assert_eq!(names(&harness), before.map(|count| count + 1), "beside the rows of the tree");
    choose(&mut harness, &["View", "Joint names", "Names of selected joints"]);
    assert_eq!(names(&harness), before);
    let head = harness.state().node("Head");
    harness.state_mut().apply(Command::Select(Some(head)));
    harness.run();
    assert_eq!(names(&harness)[0], before[0] + 2, "in the picture and in the inspector");
    choose(&mut harness, &["View", "Bone style", "Stick bones"]);
    choose(&mut harness, &["View", "Joint axes"]);
    let display = harness.state().state.settings.display;
    assert_eq!((display.bone_style, display.axes), (BoneStyle::Stick, true), "and settings know it");
}

#[test]
fn the_time_slider_is_for_the_left_button() {
    let mut harness = program(BuiltIn::Figure);
    harness.state_mut().state.apply(Command::SetClip(Some(0)));
    harness.state_mut().state.apply(Command::Seek(0.5));
    harness.run();
    let slider = harness.get_by_label("Time").rect();
    for (button, moves) in
        [(PointerButton::Secondary, false), (PointerButton::Middle, false), (PointerButton::Primary, true)]
    {
        let [from, to] = [0.3, 0.7].map(|share| slider.lerp_inside(egui::vec2(share, 0.5)));
        let press = |pressed, pos| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
        for event in [Event::PointerMoved(from), press(true, from), Event::PointerMoved(to), press(false, to)] {
            harness.event(event);
            harness.run();
        }
        let time = harness.state().state.open.stage.playback.time_secs;
        assert_eq!((time - 0.5).abs() > 0.1, moves, "{button:?} leaves it at {time}");
    }
}

#[test]
fn tab_goes_from_left_to_right_and_shows_where_it_is() {
    let mut harness = program(BuiltIn::Figure);
    harness.get_by_label("Help").focus();
    harness.run();
    let mut last = harness.get_by_label("Help").rect();
    for name in ["Find a command", "LBS", "DQS", "All methods", "Single", "Wipe", "Side by side", "Ghost"] {
        harness.key_press(Key::Tab);
        harness.run();
        let control = harness.get_all_by_label(name).find(egui_kittest::Node::is_focused);
        let rect = control.unwrap_or_else(|| panic!("{name} has not the focus")).rect();
        assert!(rect.left() >= last.right(), "{name} at {rect} is not right of {last}");
        let is_ring = |shape: &egui::Shape| matches!(shape, egui::Shape::Rect(ring) if ring.stroke.width == 1.5 && ring.rect.center().distance(rect.center()) < 1.0);
        assert!(harness.output().shapes.iter().any(|clipped| is_ring(&clipped.shape)), "{name} has no ring");
        last = rect;
    }
}

#[test]
fn in_a_narrow_window_the_name_of_the_file_and_the_switch_of_methods_keep_clear_of_each_other() {
    let mut harness = program(BuiltIn::Figure);
    for width in [720.0, 800.0, 1280.0] {
        harness.set_size([width, 600.0].into());
        harness.run();
        let name = harness.get_by_label("figure").rect();
        let switch = harness.query_by_label("Skinning").or_else(|| harness.query_by_label("LBS")).unwrap().rect();
        assert!(name.right() <= switch.left(), "{name} and {switch} in {width} points");
        assert_eq!(harness.query_by_label("Skinning").is_some(), width > 1000.0);
    }
}
