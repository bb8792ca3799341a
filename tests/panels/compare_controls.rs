//! The controls of the comparison: layouts, sides, the wipe line, and one gizmo in both halves.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase, pos2, vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use program::Program;
use rigscope::analysis::sides::measure;
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::skinning::{Antipodality, Centers, Method, Normals, Skinning};
use rigscope::stage::{BuiltIn, CentersPlan, Derived, DerivedKind, DerivedResult, Document, MeasurePlan, Source};
use rigscope::state::{Action, Command, JobResult, ShowMe, SidePanel};
use rigscope::view::{Compare, Layout, Overlay, PerSide, Shading, ShadingMode, ShownPose, Side, SideOptions, SideView};

type Hands = Harness<'static, Program>;

fn hands(built_in: BuiltIn) -> Hands {
    let document = Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap();
    Program::new(document).harness([1280.0, 800.0])
}

fn compare(hands: &Hands) -> &Compare {
    &hands.state().state.open.stage.view.compare
}

fn sides(hands: &Hands) -> &PerSide<SideView> {
    &hands.state().state.open.stage.view.sides
}

fn press(hands: &mut Hands, modifiers: Modifiers, key: Key) {
    hands.key_press_modifiers(modifiers, key);
    hands.run();
}

fn viewport(hands: &Hands) -> Rect {
    hands.get_by_label("Viewport").rect()
}

fn pointer(hands: &mut Hands, pos: Pos2, pressed: Option<bool>) {
    hands.event(Event::PointerMoved(pos));
    if let Some(pressed) = pressed {
        let button = PointerButton::Primary;
        hands.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }
    hands.run();
}

fn drag(hands: &mut Hands, from: Pos2, to: Pos2) {
    pointer(hands, from, None);
    pointer(hands, from, Some(true));
    for step in 1..=4 {
        pointer(hands, from.lerp(to, step as f32 / 4.0), None);
    }
    pointer(hands, to, Some(false));
}

#[test]
fn layouts_are_chosen_by_button_by_menu_and_by_key() {
    let mut hands = hands(BuiltIn::Tube);
    for (name, layout) in [
        ("Wipe", Layout::Wipe),
        ("Side by side", Layout::SideBySide),
        ("Ghost", Layout::Ghost),
        ("Single", Layout::Single),
    ] {
        hands.get_by_label(name).click();
        hands.run();
        assert_eq!(compare(&hands).layout, layout);
    }
    for layout in [Layout::Wipe, Layout::SideBySide, Layout::Ghost, Layout::Single] {
        press(&mut hands, Modifiers::NONE, Key::C);
        assert_eq!(compare(&hands).layout, layout);
    }
}

#[test]
fn a_comparison_never_begins_with_a_method_beside_itself() {
    let mut hands = hands(BuiltIn::Tube);
    hands.state_mut().apply(Command::SetMethod(Method::Dqs));
    hands.run();
    hands.get_by_label("Wipe").click();
    hands.run();
    assert_eq!(sides(&hands).each_ref().map(|s| s.skinning.method), PerSide { a: Method::Dqs, b: Method::Lbs });
    for (a, b, expected) in [
        (Method::Lbs, Method::Lbs, Method::Dqs),
        (Method::Cor, Method::Cor, Method::Lbs),
        (Method::Dqs, Method::Cor, Method::Cor),
    ] {
        hands.state_mut().apply(Command::SetLayout(Layout::Single));
        hands.state_mut().apply(Command::SetSkinning(Side::A, a.into()));
        hands.state_mut().apply(Command::SetSkinning(Side::B, b.into()));
        hands.state_mut().apply(Command::Do(Action::LayoutGhost));
        assert_eq!(sides(&hands).b.skinning.method, expected, "{a}, {b}");
    }
    hands.state_mut().apply(Command::SetSkinning(Side::B, Method::Dqs.into()));
    hands.state_mut().apply(Command::SetLayout(Layout::Wipe));
    assert_eq!(sides(&hands).b.skinning.method, Method::Dqs, "what was chosen while comparing stays");
    hands.state_mut().apply(Command::SetLayout(Layout::Single));
    hands
        .state_mut()
        .apply(Command::SetSideOptions(Side::B, SideOptions { pose: ShownPose::Rest, ..SideOptions::default() }));
    hands.state_mut().apply(Command::SetLayout(Layout::Wipe));
    assert_eq!(sides(&hands).b.skinning.method, Method::Dqs, "the sides differ in their pose");
}

#[test]
fn a_telling_pose_of_one_method_is_compared_with_another() {
    let mut hands = hands(BuiltIn::Tube);
    hands.state_mut().apply(Command::SetLayout(Layout::Wipe));
    hands.state_mut().apply(Command::ShowMe(ShowMe::DqsBulge));
    let methods = sides(&hands).each_ref().map(|s| s.skinning.method);
    assert_eq!(methods, PerSide { a: Method::Dqs, b: Method::Lbs });
}

#[test]
fn shading_is_a_menu_in_the_viewport_for_all_sides() {
    let mut hands = hands(BuiltIn::Tube);
    let shading = |hands: &Hands| hands.state().state.open.stage.view.shading();
    let choose = |hands: &mut Hands, name: &str| {
        hands.get_by_label("Shading").click();
        hands.run();
        hands.get_by_role_and_label(Role::RadioButton, name).click();
        hands.run();
    };
    assert_eq!(shading(&hands), Shading::Mode(ShadingMode::Textured));
    choose(&mut hands, "Clay");
    assert_eq!(shading(&hands), Shading::Mode(ShadingMode::Clay));
    hands.state_mut().apply(Command::SetLayout(Layout::Wipe));
    hands.run();
    choose(&mut hands, "Area stretch");
    assert!(sides(&hands).iter().all(|side| side.options.overlay == Some(Overlay::AreaStretch)));
    choose(&mut hands, "Textured");
    assert!(
        sides(&hands).iter().all(|side| side.options.overlay.is_none())
            && !hands.state().state.open.stage.view.is_clay()
    );
    hands.state_mut().apply(Command::SetLayout(Layout::Single));
    assert_eq!(shading(&hands), Shading::Mode(ShadingMode::Clay), "alone it is what it was alone");
}

#[test]
fn sides_keep_apart_from_each_other() {
    let mut hands = hands(BuiltIn::Tube);
    press(&mut hands, Modifiers::NONE, Key::C);
    let sides = |hands: &Hands| Side::ALL.map(|side| hands.state().state.open.stage.view.sides[side].skinning.method);
    assert_eq!(sides(&hands), [Method::Lbs, Method::Dqs]);
    press(&mut hands, Modifiers::NONE, Key::M);
    assert_eq!(sides(&hands), [Method::Dqs, Method::Lbs], "the two never show the same by M");
    press(&mut hands, Modifiers::SHIFT, Key::C);
    assert_eq!(sides(&hands), [Method::Lbs, Method::Dqs]);
    hands.get_by_label("B  DQS").click();
    hands.run();
    hands.get_by_role_and_label(Role::RadioButton, "Linear blend skinning").click();
    hands.run();
    assert_eq!(sides(&hands), [Method::Lbs, Method::Lbs]);
}

#[test]
fn b_is_shown_for_as_long_as_its_key_is_held() {
    let mut hands = hands(BuiltIn::Tube);
    hands.key_down(Key::B);
    hands.run();
    assert!(compare(&hands).is_blinking);
    hands.key_up(Key::B);
    hands.run();
    assert!(!compare(&hands).is_blinking);
    press(&mut hands, Modifiers::NONE, Key::C);
    hands.key_down(Key::B);
    hands.run();
    assert_eq!((compare(&hands).layout, compare(&hands).shown_layout()), (Layout::Wipe, Layout::Single));
    assert!(compare(&hands).shows(Side::B) && !compare(&hands).shows(Side::A));
    hands.key_up(Key::B);
    hands.run();
    hands.get_by_role(Role::TextInput).focus();
    hands.run();
    hands.key_down(Key::B);
    hands.run();
    assert!(!compare(&hands).is_blinking, "a letter in a text field is a letter");
}

#[test]
fn the_line_of_the_wipe_follows_the_pointer_and_turns_at_its_grip() {
    let mut hands = hands(BuiltIn::Tube);
    press(&mut hands, Modifiers::NONE, Key::C);
    let view = viewport(&hands);
    let camera = hands.state().state.open.stage.view.camera;
    let on_line = pos2(view.center().x, view.top() + view.height() * 0.8);
    drag(&mut hands, on_line, on_line + vec2(view.height() * 0.2, 10.0));
    let moved = compare(&hands).wipe;
    assert!((moved.offset - 0.2).abs() < 1e-3 && moved.angle == 0.0, "{moved:?}");
    let grip = pos2(view.center().x + view.height() * 0.2, view.top() + view.height() * 0.16);
    let middle = pos2(grip.x, view.center().y);
    let reach = middle.y - grip.y;
    drag(&mut hands, grip, middle + vec2(reach, -reach) * std::f32::consts::FRAC_1_SQRT_2);
    let turned = compare(&hands).wipe;
    assert!((turned.angle - std::f32::consts::FRAC_PI_4).abs() < 0.02, "{turned:?}");
    assert_eq!(hands.state().state.open.stage.view.camera, camera, "the view does not orbit under the line");
    drag(&mut hands, pos2(view.left() + 60.0, view.center().y), pos2(view.left() + 120.0, view.center().y));
    assert_ne!(hands.state().state.open.stage.view.camera, camera, "away from the line it does");
    assert_eq!(compare(&hands).wipe, turned);
}

#[test]
fn the_wheel_zooms_over_the_line_too() {
    let mut hands = hands(BuiltIn::Tube);
    press(&mut hands, Modifiers::NONE, Key::C);
    let before = hands.state().state.open.stage.view.camera.distance;
    let on_line = viewport(&hands).center();
    pointer(&mut hands, on_line, None);
    hands.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, 90.0),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    hands.run();
    assert!(hands.state().state.open.stage.view.camera.distance < before);
}

#[test]
fn one_gizmo_works_in_both_halves() {
    let mut hands = hands(BuiltIn::Tube);
    hands.get_by_label("Side by side").click();
    hands.get_by_label("Middle").click();
    hands.run();
    press(&mut hands, Modifiers::NONE, Key::Home);
    let (view, state) = (viewport(&hands), &hands.state().state);
    let half = vec2(view.width() / 2.0, view.height());
    assert!((state.open.stage.aspect - half.x / half.y).abs() < 1e-3, "a half is framed");
    let lens = state.open.stage.view.camera.lens(glam::Vec2::new(half.x, half.y));
    let origin = state.open.stage.posed().world_from_node[hands.state().node("Middle").index()].translation;
    let seen = lens.project(origin).unwrap();
    let reach = rigscope::gizmo::GizmoSize::default().radius();
    for left in [view.left(), view.left() + half.x] {
        let before = hands.state().rotation("Middle");
        // The view ring surrounds the other rings.
        let start = pos2(left + seen.x, view.top() + seen.y) + vec2(0.0, -reach * 1.2);
        drag(&mut hands, start, start + vec2(40.0, 15.0));
        assert_ne!(hands.state().rotation("Middle"), before, "the ring in the half from {left}");
    }
}

#[test]
fn swapped_sides_take_what_is_painted_on_them_along() {
    let mut hands = hands(BuiltIn::Tube);
    let skinning = Skinning { antipodality: Antipodality::Unchecked, ..Skinning::default() };
    hands.state_mut().apply(Command::SetSkinning(Side::B, skinning));
    hands.state_mut().apply(Command::SetRange(&[Side::B], Some([0.0, 2.0])));
    let options = SideOptions { pose: ShownPose::Rest, ..sides(&hands).b.options };
    hands.state_mut().apply(Command::SetSideOptions(Side::B, options));
    let before = sides(&hands).clone();
    press(&mut hands, Modifiers::SHIFT, Key::C);
    let PerSide { a, b } = sides(&hands);
    assert_eq!((a, b), (&before.b, &before.a));
    assert_eq!(
        (a.options.overlay, a.options.range, a.options.pose),
        (Some(Overlay::Antipodal), Some([0.0, 2.0]), ShownPose::Rest)
    );
    hands.state_mut().apply(Command::SetOverlay(Side::A, Some(Overlay::Weight)));
    assert_eq!(sides(&hands).a.options.range, None, "a range is of the values that it was chosen for");
}

#[test]
fn the_panel_sets_both_sides() {
    let mut hands = hands(BuiltIn::Figure);
    hands.state_mut().apply(Command::SetSidePanel(SidePanel::Compare));
    hands.run();
    hands.get_by_label("Rest pose on B").click();
    hands.run();
    assert_eq!(sides(&hands).each_ref().map(|side| side.options.pose), [ShownPose::Current, ShownPose::Rest].into());
    let choose = |hands: &mut Hands, combo: &str, entry: &str| {
        hands.get_by_label(combo).click();
        hands.run();
        hands.get_by_role_and_label(Role::Button, entry).click();
        hands.run();
    };
    choose(&mut hands, "Overlay on A", "Distance between A and B");
    assert_eq!(sides(&hands).each_ref().map(|side| side.options.overlay), [Some(Overlay::Distance), None].into());
    assert!(hands.state().state.open.stage.view.is_comparing());
    hands.get_by_label("Clay").click();
    hands.run();
    assert!(
        !hands.state().state.open.stage.view.is_clay()
            && hands.state().state.open.stage.view.display.shading == ShadingMode::Textured
    );
    hands.get_all_by_label("Settings").last().unwrap().click();
    hands.run();
    choose(&mut hands, "Antipodality check of B", "Off");
    let b = &hands.state().state.open.stage.view.sides.b.skinning;
    assert_eq!(b.antipodality, Antipodality::Unchecked);
    assert_eq!(sides(&hands).b.options.overlay, Some(Overlay::Antipodal), "the vertices that it flips are pointed out");
    assert_eq!(hands.state().state.open.stage.view.sides.a.skinning.antipodality, Antipodality::Checked);
}

#[test]
fn panel_marks_the_side_with_the_authored_method() {
    let mut hands = Program::new(program::painted_tube(0.5)).harness([1280.0, 800.0]);
    hands.state_mut().apply(Command::SetSidePanel(SidePanel::Compare));
    hands.run();
    let said = |hands: &Hands| hands.query_all_by_label("File default").count();
    assert_eq!((sides(&hands).a.skinning.method, said(&hands)), (Method::WeightedBlend, 1));
    skin(&mut hands, Side::B, Method::WeightedBlend);
    assert_eq!(said(&hands), 2);
    skin(&mut hands, Side::A, Method::Dqs);
    skin(&mut hands, Side::B, Method::Dqs);
    assert_eq!(said(&hands), 0);
}

#[test]
fn file_without_weights_reports_it_on_request() {
    let mut hands = hands(BuiltIn::Tube);
    skin(&mut hands, Side::A, Method::WeightedBlend);
    assert_eq!(sides(&hands).a.skinning.method, Method::Lbs);
    let notice = hands.state().state.notices.newest().unwrap();
    assert!(notice.text.contains("no vertex of this file has a DQ blend weight"), "{}", notice.text);
}

fn skin(hands: &mut Hands, side: Side, skinning: impl Into<Skinning>) {
    hands.state_mut().apply(Command::SetSkinning(side, skinning.into()));
    settle(hands);
}

/// Runs only a few frames: a waiting side shows a spinner, which never stops because the search itself doesn't run
/// here.
fn settle(hands: &mut Hands) {
    let state = &mut hands.state_mut().state;
    let progress = CentersPlan::wanted(&state.open.stage).map(|_| 0.43);
    state.open.stage.progress.set(DerivedKind::new::<CentersPlan>(), progress);
    hands.run_steps(8);
}

#[test]
fn side_waiting_for_centers_of_rotation_can_be_cancelled() {
    let mut hands = hands(BuiltIn::Tube);
    hands.state_mut().apply(Command::SetSidePanel(SidePanel::Compare));
    hands.state_mut().apply(Command::Do(Action::LayoutWipe));
    skin(&mut hands, Side::B, Method::Cor);
    let told = "LBS until CoR is ready, 43 %";
    let panel = hands.get_by_label(told).rect();
    assert!(panel.left() > hands.get_by_label("Viewport").rect().right(), "in the panel");
    assert!(hands.query_by_label(&format!("B  {told}")).is_some(), "in the bar");
    hands.get_by_label("Cancel the method of B").click();
    hands.run_steps(8);
    assert_eq!(hands.state().state.open.stage.view.sides.b.skinning.method, Method::Lbs);
    settle(&mut hands);
    assert!(hands.query_by_label_contains("until").is_none());

    skin(&mut hands, Side::B, Method::Cor);
    let rig = Arc::clone(hands.state().state.open.stage.rig());
    let centers = Arc::new(Centers::new(&rig, &Progress::default()).unwrap());
    hands.state_mut().receive(JobResult::Derived(DerivedResult::new(CentersPlan(rig), Some(centers))));
    settle(&mut hands);
    assert!(hands.query_by_label("B  CoR").is_some() && hands.query_by_label_contains("until").is_none());
}

#[test]
fn side_reports_normals_that_are_not_ready() {
    let mut hands = hands(BuiltIn::Tube);
    hands.state_mut().apply(Command::Do(Action::LayoutWipe));
    skin(&mut hands, Side::A, Skinning { normals: Normals::Recomputed, ..Skinning::default() });
    assert!(hands.query_by_label("A  LBS, normals on their way").is_some() && hands.query_by_label("B  DQS").is_some());
    let state = &hands.state().state;
    assert!(
        Side::ALL.into_iter().all(|side| state.open.stage.measured.normals(&state.open.stage.view, side).is_none())
    );
    let plan = MeasurePlan::new(&state.open.stage);
    let skinners = PerSide::from_fn(|side| Arc::new(plan.sides[side].skinned.skinner().unwrap()));
    let expected = skinners.a.deform(state.open.stage.posed())[0][0].normals.clone().unwrap();
    let measured = measure(&plan.job(skinners, 1), &Progress::default()).unwrap();
    hands.state_mut().receive(JobResult::Measured(Box::new(plan), Box::new(Ok(measured))));
    hands.run();
    let [a, b] = Side::ALL
        .map(|side| hands.state().state.open.stage.measured.normals(&hands.state().state.open.stage.view, side));
    assert_eq!((a.unwrap().parts[0].as_slice(), b), (expected.as_slice(), None));
    assert!(hands.query_by_label("A  LBS, recomputed normals").is_some());
    skin(&mut hands, Side::A, Method::Lbs);
    assert!(hands.query_by_label("A  LBS").is_some());
    assert_eq!(
        hands.state().state.open.stage.measured.normals(&hands.state().state.open.stage.view, Side::A),
        None,
        "nobody asks any more"
    );
}

#[test]
fn the_switch_shows_every_method_and_fits_a_narrow_window() {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    let mut hands = Program::new(document).harness([1000.0, 700.0]);
    assert!(hands.query_by_label("ScLERP").is_none(), "two segments are enough for LBS and DQS");
    hands.get_by_label("All methods").click();
    hands.run();
    hands.get_by_role_and_label(Role::RadioButton, Method::Sclerp.full_name()).click();
    hands.run();
    assert_eq!(hands.state().state.open.stage.view.sides.a.skinning.method, Method::Sclerp);
    hands.get_by_label("ScLERP");
    for method in Method::CHOICES {
        skin(&mut hands, Side::A, method);
        let (file, switch) = (hands.get_by_label("figure").rect(), hands.get_by_label("Skinning").rect());
        assert!(file.right() <= switch.left(), "{method}: {file} and {switch}");
    }
    hands.get_by_label("LBS").click();
    settle(&mut hands);
    assert_eq!(hands.state().state.open.stage.view.sides.a.skinning.method, Method::Lbs);
}
