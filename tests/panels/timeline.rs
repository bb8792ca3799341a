//! The timeline as a user operates it.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::program;

use common::face::face;
use egui::accesskit::{Role, Toggled};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use program::{Program, type_into};
use rigscope::import::{Job, import_bytes};
use rigscope::stage::{
    BuiltIn, ClipRankingPlan, CurrentRequest, DerivedKind, Document, NoticeOffer, Playback, Repeat, RequestState,
    Session, Source,
};
use rigscope::state::{Action, AfterLoad, Command, JobResult, Notice, SidePanel};
use serde_json::json;

fn document(clips: usize) -> Document {
    let mut b = face();
    // "talk" has keys at 0 and 1 s. Two more keys make its frame rate 24 frames per second.
    let times = b.floats(&[0.0, 1.0 / 24.0, 5.0 / 24.0, 1.0], "SCALAR");
    let weights = b.floats(&[0.0; 8], "SCALAR");
    b.json["animations"][0]["samplers"][0] = json!({"input": times, "output": weights});
    let talk = b.json["animations"][0].clone();
    for clip in 1..clips {
        let mut another = talk.clone();
        let name = if clip == 1 {
            "A walk whose name is longer than any list is wide".repeat(3)
        } else {
            format!("run {clip}")
        };
        another["name"] = json!(name);
        b.push("animations", another);
    }
    let imported = import_bytes(&b.build(), &Job::default()).unwrap();
    Document::new(Source::File("folder/face.glb".into()), imported.rig, Vec::new())
}

/// Returns a window with a clip that is selected and paused.
fn timeline(clips: usize) -> Harness<'static, Program> {
    let mut program = Program::new(document(clips));
    program.apply(Command::SetClip(Some(0)));
    program.apply(Command::Seek(0.0));
    // The Joint panel lists clips too, so another panel is shown.
    program.apply(Command::SetSidePanel(SidePanel::History));
    program.harness([1440.0, 900.0])
}

fn playback<'a>(harness: &'a Harness<'_, Program>) -> &'a Playback {
    &harness.state().state.open.stage.playback
}

fn rect(harness: &Harness<'_, Program>, name: &str) -> Rect {
    harness.get_by_role_and_label(Role::Slider, name).rect()
}

/// Returns the screen point on the timeline at a fraction of the clip.
fn on_track(harness: &Harness<'_, Program>, share: f32) -> Pos2 {
    let track = rect(harness, "Time").shrink2(egui::vec2(5.0, 0.0));
    pos2(egui::lerp(track.x_range(), share), track.center().y)
}

fn drag_with(harness: &mut Harness<'_, Program>, button: PointerButton, from: Pos2, to: Pos2) {
    let event = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::default() };
    for event in [Event::PointerMoved(from), event(from, true), Event::PointerMoved(to), event(to, false)] {
        harness.event(event);
        harness.run();
    }
}

fn drag(harness: &mut Harness<'_, Program>, from: Pos2, to: Pos2) {
    drag_with(harness, PointerButton::Primary, from, to);
}

/// Returns painted texts that contain `part`, and whether egui has shortened them.
fn painted(harness: &Harness<'_, Program>, part: &str) -> Vec<(String, bool)> {
    fn texts(shape: &egui::Shape, found: &mut Vec<(String, bool)>) {
        match shape {
            egui::Shape::Text(text) => found.push((text.galley.job.text.clone(), text.galley.elided)),
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
    found.retain(|(text, _)| text.contains(part));
    found
}

#[test]
fn the_long_name_of_a_clip_is_shortened_once_and_keeps_its_end() {
    let mut harness = timeline(3);
    harness.state_mut().apply(Command::SetClip(Some(1)));
    harness.run();
    harness.get_by_role_and_label(Role::ComboBox, "Clip").click();
    harness.run();
    let names = painted(&harness, "is wide");
    assert_eq!(names.len(), 2, "in the box and in its list: {names:?}");
    for (name, is_cut) in names {
        assert!(
            !is_cut && name.matches('…').count() == 1 && name.starts_with('A') && name.ends_with("is wide"),
            "{name}, cut: {is_cut}"
        );
    }
}

#[test]
fn a_clip_is_found_among_many_by_a_part_of_its_name() {
    let mut harness = timeline(40);
    harness.get_by_role_and_label(Role::ComboBox, "Clip").click();
    harness.run();
    harness.get_by_label("Filter clips").type_text("UN 2");
    harness.run();
    assert!(harness.query_by_label_contains("talk").is_none() && harness.query_by_label_contains("run 20").is_some());
    harness.get_by_label_contains("run 21").click();
    harness.step();
    assert_eq!((playback(&harness).clip, playback(&harness).is_playing), (Some(21), true));
    harness.state_mut().apply(Command::Seek(0.0));
    harness.run();
    assert!(harness.query_by_label("Filter clips").is_none(), "the list closes");
    harness.get_by_role_and_label(Role::ComboBox, "Clip").click();
    harness.run();
    assert!(harness.query_by_label_contains("No clip").is_some(), "the filter is gone with the list");
    harness.get_by_label("Filter clips").type_text("run 3");
    harness.run();
    harness.key_press(Key::Enter);
    harness.step();
    assert_eq!(playback(&harness).clip, Some(3), "Enter takes the first");
}

#[test]
fn ranked_clips_have_their_loss_worst_first_and_a_click_shows_the_frame() {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    let mut program = Program::new(document);
    program.apply(Command::SetSidePanel(SidePanel::History));
    let mut harness = program.harness([1440.0, 900.0]);
    harness.get_by_role_and_label(Role::ComboBox, "Clip").click();
    harness.run();
    harness.get_by_label("Rank clips").click();
    harness.step();
    let wanted = DerivedKind::new::<ClipRankingPlan>().wanted(&harness.state().state.open.stage).unwrap();
    harness.state_mut().receive(JobResult::Derived(wanted.run(&Job::default())));
    harness.run();
    let RequestState::Known { value: ranking, .. } = ClipRankingPlan::state(&harness.state().state.open.stage) else {
        panic!()
    };
    let ranking = ranking.clone();
    let titles: Vec<String> = ranking.clips.iter().map(|ranked| clip_title(&harness, ranked.clip)).collect();
    let top = |harness: &Harness<'_, Program>, title: &str| {
        harness.get_by_label(&format!("Worst frame of {title}")).rect().top()
    };
    harness.get_by_label("Worst first").click();
    harness.run();
    assert!(titles.is_sorted_by_key(|title| top(&harness, title)), "{titles:?}");
    harness.get_by_label("In file order").click();
    harness.run();
    let mut in_file: Vec<_> =
        ranking.clips.iter().map(|ranked| (ranked.clip, clip_title(&harness, ranked.clip))).collect();
    in_file.sort_unstable();
    assert!(in_file.is_sorted_by_key(|(_, title)| top(&harness, title)), "{in_file:?}");
    let last = ranking.clips.last().unwrap();
    let (worst, time_secs) = last.worst.unwrap();
    harness.get_by_label(&format!("Worst frame of {}", titles.last().unwrap())).click();
    harness.run();
    assert_eq!((playback(&harness).clip, playback(&harness).time_secs), (Some(last.clip), time_secs));
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(worst.joint));
    assert!(!playback(&harness).is_playing && harness.query_by_label("Worst first").is_none(), "the list closes");
}

fn clip_title(harness: &Harness<'_, Program>, clip: usize) -> String {
    harness.state().state.open.stage.rig().clips[clip].title().to_owned()
}

#[test]
fn nothing_shifts_with_the_length_of_a_name_or_a_number() {
    let mut harness = timeline(3);
    let names = ["Time", "Start of played range"];
    let places = |harness: &Harness<'_, Program>| {
        let speed = harness.get_by_label("Speed").rect();
        (names.map(|name| rect(harness, name)), harness.get_by_label("Play").rect(), speed)
    };
    let before = places(&harness);
    harness.state_mut().apply(Command::SetClip(Some(1)));
    harness.state_mut().apply(Command::Seek(0.0));
    harness.run();
    assert_eq!(places(&harness), before);
    harness.state_mut().apply(Command::Seek(1.0));
    harness.state_mut().apply(Command::SetSpeed(0.05));
    harness.run();
    assert_eq!(places(&harness), before);
}

#[test]
fn frames_are_those_of_the_keys_and_can_be_typed_and_stepped() {
    let mut harness = timeline(1);
    harness.get_by_label("24 fps");
    harness.get_by_label("/ 24");
    type_into(&mut harness, "Frame", "6");
    assert_eq!(playback(&harness).time_secs, 0.25);
    harness.state_mut().apply(Command::Do(Action::StepForward));
    assert!((playback(&harness).time_secs - 7.0 / 24.0).abs() < 1e-6);
    harness.state_mut().apply(Command::Seek(0.26));
    harness.state_mut().apply(Command::Do(Action::StepBack));
    assert_eq!(playback(&harness).time_secs, 0.25, "to the frame before, from between two");
}

#[test]
fn the_first_button_goes_to_a_time_and_the_others_do_nothing() {
    let mut harness = timeline(1);
    let (from, to) = (on_track(&harness, 0.2), on_track(&harness, 0.6));
    for button in [PointerButton::Secondary, PointerButton::Middle] {
        drag_with(&mut harness, button, from, to);
        assert_eq!(playback(&harness).time_secs, 0.0, "{button:?}");
        harness.key_press(Key::Escape);
        harness.run();
    }
    drag(&mut harness, from, to);
    assert!((playback(&harness).time_secs - 0.6).abs() < 0.01, "{}", playback(&harness).time_secs);
    assert_eq!(playback(&harness).range(), None);
    let beside = on_track(&harness, 0.26);
    harness.event(Event::ModifiersChanged(Modifiers::COMMAND));
    drag(&mut harness, beside, beside);
    assert_eq!(playback(&harness).time_secs, 0.25, "Ctrl takes frames");
}

#[test]
fn the_ends_of_what_plays_are_dragged_and_taken_back() {
    let mut harness = timeline(1);
    let end = |harness: &Harness<'_, Program>, name| rect(harness, name).center();
    let at =
        |harness: &Harness<'_, Program>, share| pos2(on_track(harness, share).x, end(harness, "End of played range").y);
    let (start, to) = (end(&harness, "Start of played range"), at(&harness, 0.25));
    drag(&mut harness, start, to);
    let (last, to) = (end(&harness, "End of played range"), at(&harness, 0.1));
    drag(&mut harness, last, to);
    let [from, to] = playback(&harness).range().unwrap();
    assert!(
        (from - 0.25).abs() < 0.01 && to > from && to < from + 0.05,
        "the ends do not pass each other: {from} {to}"
    );
    assert_eq!(playback(&harness).time_secs, 0.0, "the time stays");
    harness.get_by_role_and_label(Role::Slider, "Time").click_secondary();
    harness.run();
    harness.get_by_label("Play all of the clip").click();
    harness.run();
    assert_eq!(playback(&harness).range(), None);
}

#[test]
fn loop_and_ping_pong_take_turns() {
    let mut harness = timeline(1);
    let mut after = |name: &str| {
        harness.get_by_label(name).click();
        harness.run();
        playback(&harness).repeat
    };
    assert_eq!(
        ["Ping-pong", "Ping-pong", "Loop", "Ping-pong", "Loop"].map(&mut after),
        [Repeat::PingPong, Repeat::Once, Repeat::Loop, Repeat::PingPong, Repeat::Loop]
    );
}

#[test]
fn a_session_knows_the_part_that_plays() {
    let mut program = Program::new(document(2));
    program.apply(Command::SetClip(Some(1)));
    assert!(!program.state.open.snapshot().session().to_json().contains("playback_range_secs"));
    program.apply(Command::SetPlayedPart(Some([0.25, 0.5])));
    let json = program.state.open.snapshot().session().to_json();
    let session = Box::new(Session::parse(json.as_bytes()).unwrap());
    let mut after = Program::new(document(2));
    after.state.receive(JobResult::Document(Box::new(document(2)), AfterLoad::Restore(session)));
    assert_eq!(after.state.open.stage.playback.range(), Some([0.25, 0.5]));
    let odd = json.replace("0.25", "9.0").replace("0.5", "8.0");
    let session = Box::new(Session::parse(odd.as_bytes()).unwrap());
    after.state.receive(JobResult::Document(Box::new(document(2)), AfterLoad::Restore(session)));
    assert_eq!(after.state.open.stage.playback.range(), None, "beyond the clip");
}

#[test]
fn the_root_is_held_and_followed_by_buttons_beside_loop() {
    let mut harness = timeline(1);
    harness.get_by_label("Hold in place").click();
    harness.get_by_label("Follow root").click();
    harness.run();
    let stage = &harness.state().state.open.stage;
    assert!(stage.playback.holds_root && stage.camera_tie.follows(stage.playback.root(stage.rig())));
    for name in ["Hold in place", "Follow root"] {
        let toggled = harness.get_by_label(name).accesskit_node().toggled();
        assert_eq!(toggled, Some(Toggled::True), "{name}");
    }
    assert!(harness.state().state.open.history.undo_label().is_none(), "what is looked at is no step of undo");
    harness.get_by_label("Hold in place").click();
    harness.get_by_label("Follow root").click();
    harness.run();
    let stage = &harness.state().state.open.stage;
    assert!(!stage.playback.holds_root && stage.camera_tie.joint().is_none());
    harness.state_mut().apply(Command::SetClip(None));
    harness.run();
    assert!(harness.state().state.obstacle(Action::ToggleFollowRoot).is_some());
}

#[test]
fn a_notice_offers_an_action_and_is_gone_once_it_is_taken() {
    let mut harness = timeline(1);
    let notice = Notice::info("The character left the view.").offering(NoticeOffer::FollowRoot);
    harness.state_mut().apply(Command::Notify(notice));
    harness.run();
    // The other one is in the timeline.
    let buttons = harness.query_all_by_label("Follow root");
    buttons.min_by(|a, b| a.rect().top().total_cmp(&b.rect().top())).unwrap().click();
    harness.run();
    assert!(
        harness
            .state()
            .state
            .open
            .stage
            .camera_tie
            .follows(harness.state().state.open.stage.playback.root(harness.state().state.open.stage.rig()))
    );
    assert!(harness.state().state.notices.newest().is_none());
}
