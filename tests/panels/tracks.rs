//! The track drawer above the timeline, as a user operates it.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use egui::accesskit::Role;
use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase, pos2, vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Quat;
use program::{Program, drag_through, texts_painted};
use rigscope::analysis::tracks::{SkinTracks, TrackKind};
use rigscope::import::Job;
use rigscope::rig::{Clip, Rig, RigData, Trs};
use rigscope::skinning::Method;
use rigscope::stage::{BuiltIn, DerivedKind, Document, JointPlan, Source, TrackPlan, TrackState};
use rigscope::state::{Action, Command, JobResult, TrackDrawer};
use rigscope::view::Side;

type Hands = Harness<'static, Program>;

fn tube() -> Document {
    Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap()
}

/// Returns a window with the drawer open over the first clip of the tube. The clip is paused at its start and not
/// measured yet.
fn drawer() -> Hands {
    let mut program = Program::new(tube());
    program.apply(Command::SetSkinning(Side::B, Method::Dqs.into()));
    program.apply(Command::SetClip(Some(0)));
    program.apply(Command::Seek(0.0));
    program.apply(Command::Do(Action::ToggleTracks));
    program.harness([1440.0, 900.0])
}

fn measured() -> Hands {
    let mut hands = drawer();
    measure(&mut hands);
    hands
}

fn measure(hands: &mut Hands) {
    let program = hands.state_mut();
    for kind in [DerivedKind::new::<TrackPlan>(), DerivedKind::new::<JointPlan>()] {
        while let Some(wanted) = program.state.next_wanted(kind) {
            program.receive(JobResult::Derived(wanted.run(&Job::default())));
        }
    }
    hands.run();
}

fn act(hands: &mut Hands, command: Command) {
    hands.state_mut().apply(command);
    hands.run();
}

fn show(hands: &mut Hands, shown: &[TrackKind]) {
    let drawer = hands.state().state.settings.tracks.clone();
    act(hands, Command::SetTrackDrawer(TrackDrawer { shown: shown.to_vec(), ..drawer }));
}

fn tracks(hands: &Hands) -> &SkinTracks {
    let TrackState::Measured(tracks) = TrackState::new(&hands.state().state.open.stage) else { panic!("not measured") };
    tracks
}

fn time(hands: &Hands) -> f32 {
    hands.state().state.open.stage.playback.time_secs
}

fn plots(hands: &Hands) -> Rect {
    hands.get_by_role_and_label(Role::Slider, "Time in the tracks").rect()
}

/// Returns a point in the plots at a fraction of their width.
fn at(hands: &Hands, share: f32) -> Pos2 {
    let plots = plots(hands);
    pos2(egui::lerp(plots.x_range(), share), plots.center().y)
}

fn press(hands: &mut Hands, button: PointerButton, points: &[Pos2], modifiers: Modifiers) {
    hands.event(Event::ModifiersChanged(modifiers));
    let event = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers };
    hands.event(Event::PointerMoved(points[0]));
    hands.run();
    hands.event(event(points[0], true));
    hands.run();
    for point in points {
        hands.event(Event::PointerMoved(*point));
        hands.run();
    }
    hands.event(event(points[points.len() - 1], false));
    hands.run();
    hands.event(Event::ModifiersChanged(Modifiers::NONE));
}

fn is_painted(hands: &Hands, text: &str) -> bool {
    texts_painted(hands).iter().any(|painted| painted.contains(text))
}

#[test]
fn the_drawer_opens_and_closes_by_button_key_and_cross_and_settings_know_it() {
    let mut hands = drawer();
    assert!(hands.query_by_label("Choose tracks").is_some());
    hands.get_by_label("Close the tracks").click();
    hands.run();
    let is_open = |hands: &Hands| hands.state().state.settings.tracks.is_open;
    assert!(!is_open(&hands) && hands.query_by_label("Choose tracks").is_none());
    assert!(hands.state().state.next_wanted(DerivedKind::new::<TrackPlan>()).is_none(), "nobody sees them");
    hands.get_by_role_and_label(Role::Button, "Tracks").click();
    hands.run();
    assert!(is_open(&hands) && hands.query_by_label("Choose tracks").is_some());
    hands.key_press(Key::D);
    hands.run();
    assert!(!is_open(&hands));
}

#[test]
fn plots_stand_over_the_time_axis_of_the_timeline() {
    let mut hands = measured();
    let track = hands.get_by_role_and_label(Role::Slider, "Time").rect();
    let plots = plots(&hands);
    assert!(plots.left() >= track.left() && plots.right() <= track.right() && plots.bottom() <= track.top());
    let point = at(&hands, 0.4);
    press(&mut hands, PointerButton::Primary, &[point], Modifiers::NONE);
    let above = time(&hands);
    press(&mut hands, PointerButton::Primary, &[pos2(point.x, track.center().y)], Modifiers::NONE);
    assert!((time(&hands) - above).abs() < 1e-4, "{above} {}", time(&hands));
}

#[test]
fn a_press_and_a_drag_go_to_a_time_which_is_no_step_of_undo() {
    let mut hands = measured();
    let steps = |hands: &Hands| hands.state().state.open.history.undo_label().map(str::to_owned);
    let before = steps(&hands);
    let points = [at(&hands, 0.1), at(&hands, 0.2), at(&hands, 0.7)];
    press(&mut hands, PointerButton::Primary, &points, Modifiers::NONE);
    let duration = hands.state().state.open.stage.playback.duration_secs(hands.state().state.open.stage.rig());
    assert!((time(&hands) - 0.7 * duration).abs() < 0.02 * duration, "{}", time(&hands));
    assert_eq!(steps(&hands), before);
    let point = at(&hands, 0.31);
    press(&mut hands, PointerButton::Primary, &[point], Modifiers::COMMAND);
    let frames =
        time(&hands) * hands.state().state.open.stage.playback.frame_rate(hands.state().state.open.stage.rig()).per_sec;
    assert!((frames - frames.round()).abs() < 1e-3, "Ctrl takes frames: {frames}");
}

#[test]
fn the_worst_frame_is_gone_to_by_its_button_and_by_its_mark() {
    let mut hands = measured();
    let line = &tracks(&hands).track(TrackKind::Volume).unwrap().lines[0];
    let worst = tracks(&hands).times_secs[line.worst.unwrap()];
    hands.get_by_label("Worst frame of Volume A").click();
    hands.run();
    assert_eq!(time(&hands), worst);
    show(&mut hands, &[TrackKind::Volume]);
    act(&mut hands, Command::Seek(0.0));
    // The minimum of all values is drawn at the bottom of its row.
    let plots = plots(&hands);
    let duration = hands.state().state.open.stage.playback.duration_secs(hands.state().state.open.stage.rig());
    let mark = pos2(egui::lerp(plots.x_range(), worst / duration) + 3.0, plots.bottom() - 12.0);
    press(&mut hands, PointerButton::Primary, &[mark], Modifiers::NONE);
    assert_eq!(time(&hands), worst, "exactly, from beside it");
}

#[test]
fn the_wheel_zooms_about_the_pointer_a_drag_moves_along_and_a_double_click_shows_all() {
    let mut hands = measured();
    let duration = hands.state().state.open.stage.playback.duration_secs(hands.state().state.open.stage.rig());
    let sought = |hands: &mut Hands, share: f32| {
        let point = at(hands, share);
        press(hands, PointerButton::Primary, &[point], Modifiers::NONE);
        time(hands) / duration
    };
    let point = at(&hands, 0.25);
    hands.hover_at(point);
    hands.run();
    for _ in 0..6 {
        hands.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, 60.0),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        hands.run();
    }
    let seen = [0.0, 0.25, 1.0].map(|share| sought(&mut hands, share));
    assert!(seen[0] > 0.1 && seen[2] < 0.7 && (seen[1] - 0.25).abs() < 0.02, "{seen:?}");
    let points = [at(&hands, 0.5), at(&hands, 0.6), at(&hands, 0.7)];
    press(&mut hands, PointerButton::Middle, &points, Modifiers::NONE);
    let moved = sought(&mut hands, 0.0);
    assert!(moved < seen[0] - 0.02, "{moved} {seen:?}");
    let before = time(&hands);
    press(&mut hands, PointerButton::Primary, &points, Modifiers::SHIFT);
    assert_eq!(time(&hands), before, "Shift + drag moves along too");
    let point = at(&hands, 0.5);
    for _ in 0..2 {
        let event = |pressed| Event::PointerButton {
            pos: point,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        // Sends both events in one frame. Queued events would get a frame each, too far apart for a double click.
        hands.input_mut().events.extend([true, false].map(event));
    }
    hands.run();
    let all = [0.0, 1.0].map(|share| sought(&mut hands, share));
    assert!(all[0] < 0.01 && all[1] > 0.99, "{all:?}");
}

#[test]
fn tracks_are_chosen_in_the_menu_and_the_height_by_the_edge() {
    let mut hands = measured();
    hands.get_by_label("Choose tracks").click();
    hands.run();
    hands.get_by_role_and_label(Role::CheckBox, "Flipped triangles").click();
    hands.run();
    hands.get_by_role_and_label(Role::CheckBox, "Volume").click();
    hands.run();
    let shown = &hands.state().state.settings.tracks.shown;
    assert_eq!(*shown, [TrackKind::WorstDistance, TrackKind::Flipped, TrackKind::Loss]);
    hands.key_press(Key::Escape);
    hands.run();
    let plots = plots(&hands);
    let edge = pos2(plots.center().x, plots.top() - 4.0);
    drag_through(&mut hands, &[edge, edge - vec2(0.0, 30.0), edge - vec2(0.0, 60.0)]);
    hands.drop_at(edge - vec2(0.0, 60.0));
    hands.run();
    let height = hands.state().state.settings.tracks.height;
    assert!((height - 260.0).abs() < 4.0, "{height}");
}

#[test]
fn a_window_too_low_for_the_drawer_comes_to_rest_and_leaves_its_height() {
    let mut hands = drawer();
    let chosen = hands.state().state.settings.tracks.height;
    for height in [300.0, 200.0, 120.0] {
        hands.set_size(egui::vec2(480.0, height));
        hands.run();
        assert_eq!(hands.state().state.settings.tracks.height, chosen, "in a window of {height} points");
    }
}

#[test]
fn tracks_explain_why_they_are_empty() {
    let mut hands = drawer();
    assert!(is_painted(&hands, "Measuring…"));
    act(&mut hands, Command::SetClip(None));
    assert!(is_painted(&hands, "Choose a clip below"));
    act(&mut hands, Command::SetClip(Some(0)));
    act(&mut hands, Command::Seek(0.0));
    show(&mut hands, &[TrackKind::Rotation]);
    assert!(is_painted(&hands, "Select joints to see their rotation in the clip"));
    let node = hands.state().node("Middle");
    act(&mut hands, Command::Select(Some(node)));
    measure(&mut hands);
    assert!(hands.query_by_label("Worst frame of Rotation").is_some());
    show(&mut hands, &[]);
    assert!(is_painted(&hands, "Choose what to show in the menu Tracks"));

    let tube = tube();
    let clip = Clip { name: "stand".to_owned(), channels: Vec::new(), duration_secs: 0.0, ..Clip::default() };
    let rig = Rig::new(RigData { clips: vec![clip], ..RigData::clone(&tube.rig) });
    let mut program = Program::new(Document { rig: rig.into(), ..tube });
    program.apply(Command::SetClip(Some(0)));
    program.apply(Command::Do(Action::ToggleTracks));
    let hands = program.harness([1440.0, 900.0]);
    assert!(is_painted(&hands, "single pose"));
}

#[test]
fn after_an_edit_old_lines_stay_until_they_are_measured_again() {
    let mut hands = measured();
    let node = hands.state().node("Middle");
    act(&mut hands, Command::BeginEdit);
    act(&mut hands, Command::Edit { node, user_local: Trs::from_rotation(Quat::from_rotation_x(1.0)) });
    assert!(is_painted(&hands, "Measured again after the edit"));
    assert!(hands.query_by_label("Worst frame of Volume A").is_some(), "what was measured before stays");
    act(&mut hands, Command::EndEdit);
    hands.state_mut().state.open.stage.progress.set(DerivedKind::new::<TrackPlan>(), Some(0.4));
    hands.run();
    assert!(is_painted(&hands, "Re-measuring"));
    measure(&mut hands);
    assert!(matches!(TrackState::new(&hands.state().state.open.stage), TrackState::Measured(_)));
}

#[test]
fn measuring_is_stopped_by_its_button_and_by_escape_and_begun_again() {
    let mut hands = drawer();
    let stopped = |hands: &Hands| matches!(TrackState::new(&hands.state().state.open.stage), TrackState::Stopped(_));
    let run = |hands: &mut Hands, fraction| {
        hands.state_mut().state.open.stage.progress.set(DerivedKind::new::<TrackPlan>(), fraction);
        hands.run();
    };
    run(&mut hands, Some(0.2));
    hands.get_by_label("Cancel measuring the clip").click();
    hands.run();
    assert!(stopped(&hands));
    run(&mut hands, None);
    hands.get_by_label("Measure the clip").click();
    hands.run();
    assert!(!stopped(&hands));
    let node = hands.state().node("Middle");
    act(&mut hands, Command::Select(Some(node)));
    run(&mut hands, Some(0.2));
    let point = at(&hands, 0.5);
    hands.hover_at(point);
    hands.run();
    hands.key_press(Key::Escape);
    hands.run();
    assert!(stopped(&hands));
    assert!(hands.state().state.open.stage.view.active_joint().is_some(), "Esc was for the tracks");
    run(&mut hands, None);
    hands.key_press(Key::Escape);
    hands.run();
    assert!(hands.state().state.open.stage.view.active_joint().is_none(), "now it is not");
}

#[test]
fn tooltip_shows_frame_values_and_joint() {
    let mut hands = measured();
    show(&mut hands, &[TrackKind::Loss]);
    let point = at(&hands, 0.5);
    hands.hover_at(point);
    hands.run_steps(30);
    let told = texts_painted(&hands).into_iter().find(|text| text.contains(" · frame ")).unwrap();
    assert!(
        told.contains("Loss at the worst joint · frame") && told.contains("\nA ") && told.contains(" at "),
        "{told}"
    );
}
