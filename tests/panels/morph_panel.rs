//! The Morphs tab as a user operates it, and its overlay.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::program;

use common::face::face;
use common::glb::Builder;
use common::vrm_face::vrm_face;
use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use program::{Program, type_into};
use rigscope::import::{Job, import_bytes};
use rigscope::rig::LookAtTarget;
use rigscope::stage::{Document, MeasurePlan, Source};
use rigscope::state::{Action, Command, LibraryCommand, LibraryPoseOptions, SidePanel};
use rigscope::view::{Overlay, Side, Values};
use serde_json::json;

fn program(builder: Builder) -> Program {
    let imported = import_bytes(&builder.build(), &Job::default()).unwrap();
    Program::new(Document::new(Source::File("folder/face.glb".into()), imported.rig, Vec::new()))
}

fn panel(builder: Builder) -> Harness<'static, Program> {
    let mut program = program(builder);
    program.apply(Command::Do(Action::ShowMorphs));
    program.harness([1440.0, 900.0])
}

/// Like [`face`], with additional unnamed morph targets on the head.
fn with_more(number: usize) -> Builder {
    let mut b = face();
    let targets = &mut b.json["meshes"][0]["primitives"][0]["targets"];
    let target = targets[0].clone();
    targets.as_array_mut().unwrap().extend(std::iter::repeat_n(target, number));
    b.json["meshes"][0]["weights"] = json!(vec![0.0; 2 + number]);
    b.json.as_object_mut().unwrap().remove("animations");
    b
}

fn weight(harness: &Harness<'_, Program>, name: &str) -> f32 {
    let state = &harness.state().state;
    state.open.stage.pose().morph_weight(state.open.stage.rig().morph_named(name).unwrap())
}

fn click(harness: &mut Harness<'_, Program>, name: &str) {
    harness.get_by_label(name).click();
    harness.run();
}

#[test]
fn only_a_file_with_morph_targets_has_the_tab() {
    let harness = program(face()).harness([1440.0, 900.0]);
    harness.get_by_label("Morphs");
    let mut b = face();
    for mesh in [0, 1] {
        b.json["meshes"][mesh]["primitives"][0].as_object_mut().unwrap().remove("targets");
    }
    b.json.as_object_mut().unwrap().remove("animations");
    let mut harness = program(b).harness([1440.0, 900.0]);
    assert!(harness.query_by_label("Morphs").is_none());
    harness.state_mut().apply(Command::SetSidePanel(SidePanel::Morphs));
    harness.run();
    harness.get_by_label("This file has no morph targets.");
}

#[test]
fn a_drag_of_a_slider_is_one_step_and_one_click_takes_it_back() {
    let mut harness = panel(face());
    let slider = harness.get_by_role_and_label(Role::Slider, "blink").rect();
    harness.drag_at(slider.center());
    for x in [10.0, 20.0, 30.0] {
        harness.hover_at(slider.center() + vec2(x, 0.0));
        harness.run();
    }
    harness.drop_at(slider.center() + vec2(30.0, 0.0));
    harness.run();
    let moved = weight(&harness, "blink");
    assert!(moved > 0.5 && moved < 2.0, "{moved}");
    let history = &harness.state().state.open.history;
    assert_eq!((history.len(), history.undo_label()), (1, Some(format!("blink {moved:.2}").as_str())));
    click(&mut harness, "Clear blink");
    assert_eq!(weight(&harness, "blink"), 0.0);
    harness.state_mut().apply(Command::Do(Action::Undo));
    harness.run();
    click(&mut harness, "Clear morph targets");
    assert_eq!(weight(&harness, "blink"), 0.0);
}

#[test]
fn a_weight_is_typed_also_beyond_the_ends_of_the_slider() {
    let mut harness = panel(face());
    type_into(&mut harness, "Weight of smileLeft", "5/2");
    assert_eq!(weight(&harness, "smileLeft"), 2.5);
    assert_eq!(harness.state().state.open.history.len(), 1);
}

#[test]
fn clip_and_file_values_are_shown_next_to_the_name() {
    let mut harness = panel(face());
    harness.get_by_label("= 0.25");
    harness.state_mut().apply(Command::SetClip(Some(0)));
    harness.state_mut().apply(Command::Seek(0.5));
    let smile = harness.state().state.open.stage.rig().morph_named("smileLeft").unwrap();
    harness.state_mut().apply(Command::SetMorphs(vec![(smile, 0.25)]));
    harness.run();
    harness.get_by_label("= 0.75").hover();
    harness.run();
    harness.get_by_label("The clip gives 0.50; with your 0.25 the weight is 0.75");
}

#[test]
fn a_filter_is_there_where_there_are_many_and_finds_by_any_case() {
    assert!(panel(face()).query_by_label("Filter morph targets").is_none());
    let mut harness = panel(with_more(200));
    assert!(harness.get_all_by_role(Role::Slider).count() < 60, "rows out of sight cost nothing");
    harness.get_by_label("Filter morph targets").focus();
    harness.run();
    harness.get_by_label("Filter morph targets").type_text("SMILE");
    harness.run();
    let names = ["smileLeft", "smileRight"];
    assert!(names.iter().all(|name| harness.query_by_role_and_label(Role::Slider, name).is_some()));
    assert!(harness.query_by_role_and_label(Role::Slider, "blink").is_none());
    harness.get_by_label("Filter morph targets").type_text("x");
    harness.run();
    harness.get_by_label("No matching morph targets");
}

#[test]
fn the_heat_map_shows_how_far_the_chosen_target_moves_each_vertex() {
    let mut harness = panel(face());
    let painted = |harness: &mut Harness<'_, Program>| {
        harness.state_mut().state.open.stage.refresh();
        harness.state_mut().measure();
        let painted =
            harness.state().state.open.stage.measured.painted(&harness.state().state.open.stage.view, Side::A).unwrap();
        let Values::Scalars { parts, .. } = painted.values.as_ref() else { panic!("no scalars") };
        parts.iter().map(|part| part[0]).collect::<Vec<_>>()
    };
    click(&mut harness, "Heat map");
    assert_eq!(harness.state().state.open.stage.view.sides.a.options.overlay, Some(Overlay::Morph));
    assert_eq!(painted(&mut harness), [1.0, 3.0], "the first target until one is chosen, on both of its meshes");
    let before = MeasurePlan::new(&harness.state().state.open.stage);
    harness.get_by_role_and_label(Role::Button, "blink").click();
    harness.run();
    assert_ne!(MeasurePlan::new(&harness.state().state.open.stage), before, "it is measured again");
    assert_eq!(painted(&mut harness), [0.0, 2.0]);
    let smile = harness.state().state.open.stage.rig().morph_named("smileRight").unwrap();
    harness.state_mut().apply(Command::SetMorphs(vec![(smile, 2.0)]));
    assert_eq!(painted(&mut harness), [1.0, 0.0], "what was moved last, however far it is moved");
    click(&mut harness, "Heat map");
    assert_eq!(harness.state().state.open.stage.view.sides.a.options.overlay, None);
}

#[test]
fn poses_of_the_library_have_weights_and_blend_to_them_unless_for_some_joints_alone() {
    let home = tempfile::tempdir().unwrap();
    let mut program = program(face());
    // A folder that doesn't exist and can't be created, so poses are saved in the user's folder.
    program.state.open.stage.document.source = Source::File("/proc/face.glb".into());
    let open = &mut program.state.open;
    open.library.set_user_folder(Some(home.path().to_owned()), &open.stage.document.source);
    let blink = program.state.open.stage.rig().morph_named("blink").unwrap();
    program.apply(Command::SetMorphs(vec![(blink, 1.0)]));
    program.apply(Command::Library(LibraryCommand::Save("Wink".to_owned())));
    program.list_poses();
    let card = program.state.open.library.cards()[0].clone();
    assert_eq!(card.content.as_ref().unwrap().about, "0 joints, 1 morph target");
    program.apply(Command::Do(Action::ResetAll));
    let blend = |program: &mut Program, options| {
        let path = card.file.path.clone();
        program.apply(Command::Library(LibraryCommand::Blend { path, share: 0.25, options }));
        program.state.open.stage.pose().morph_weight(blink)
    };
    assert_eq!(blend(&mut program, LibraryPoseOptions::default()), 0.25);
    program.apply(Command::Do(Action::ResetAll));
    program.apply(Command::Select(Some(rigscope::rig::NodeIndex(0))));
    assert_eq!(blend(&mut program, LibraryPoseOptions { selected_only: true, is_mirrored: false }), 0.0);
}

#[test]
fn expressions_and_look_at_are_above_the_targets_and_are_edited_in_steps() {
    let mut harness = panel(vrm_face(1));
    for label in ["Gaze", "Expressions", "Morph targets"] {
        assert!(harness.query_all_by_label(label).next().is_some(), "{label}");
    }
    let slider = harness.get_by_role_and_label(Role::Slider, "happy").rect();
    let (from, to) = (slider.left_center() + vec2(4.0, 0.0), slider.center());
    harness.drag_at(from);
    harness.run();
    harness.hover_at(to);
    harness.run();
    harness.drop_at(to);
    harness.run();
    let happy = |harness: &Harness<'_, Program>| {
        let open = &harness.state().state.open;
        open.stage.pose().face().expression(open.stage.rig().expression_named("happy").unwrap())
    };
    assert!((happy(&harness) - 0.5).abs() < 0.1, "{}", happy(&harness));
    click(&mut harness, "Clear happy");
    assert_eq!(happy(&harness), 0.0);
    for expected in [true, false] {
        harness.state_mut().apply(Command::Do(Action::Undo));
        harness.run();
        assert_eq!(happy(&harness) > 0.0, expected);
    }
    click(&mut harness, "What the eyes look at");
    click(&mut harness, "Point");
    let target = |harness: &Harness<'_, Program>| harness.state().state.open.stage.pose().face().look_at();
    let before = target(&harness);
    assert!(matches!(before, Some(LookAtTarget::Point(_))), "{before:?}");
    harness.get_by_label("Gaze at Y");
    // A point inside the view.
    harness.state_mut().apply(Command::SetLookAt(Some(LookAtTarget::Point([0.4, 0.4, 0.0]))));
    harness.run();
    let before = target(&harness);
    let ring = harness.get_by_label("Target of the gaze").rect().center();
    harness.drag_at(ring);
    harness.run();
    harness.hover_at(ring + vec2(40.0, 0.0));
    harness.run();
    harness.drop_at(ring + vec2(40.0, 0.0));
    harness.run();
    assert_ne!(target(&harness), before);
    harness.state_mut().apply(Command::Do(Action::Undo));
    assert_eq!(target(&harness), before, "a drag is one step");
}

#[test]
fn a_face_without_targets_has_the_tab_too() {
    let mut b = vrm_face(1);
    for mesh in [0, 1] {
        b.json["meshes"][mesh]["primitives"][0].as_object_mut().unwrap().remove("targets");
    }
    let harness = panel(b);
    harness.get_by_label("Expressions");
    assert!(harness.query_by_label("Morph targets").is_none());
}
