//! What the menus show and hide, how long notices stay, and pasting from the clipboard.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use std::path::Path;
use std::sync::Arc;

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use program::{Program, program, program_with};
use rigscope::gizmo::GizmoSize;
use rigscope::import::Job;
use rigscope::rig::{NodeIndex, Trs};
use rigscope::stage::{BuiltIn, Document, Session, Source};
use rigscope::state::{
    ACTIONS, Action, AfterLoad, AppState, Command, ExportKind, ImageSize, JobResult, Notice, NoticeKind, PathUse,
    Request, Settings, SidePanel, ThemeChoice, Thumbnail, WindowRequest,
};
use rigscope::view::{Camera, FOVS, Side};

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;

fn press(harness: &mut Harness<'_, Program>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run();
}

fn choose(harness: &mut Harness<'_, Program>, path: &[&str]) {
    for name in path {
        harness.get_all_by_label_contains(name).next().unwrap().click();
        harness.run();
    }
}

fn tube() -> Box<Document> {
    Box::new(Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap())
}

#[test]
fn the_field_of_view_is_chosen_in_the_view_menu_and_stays_for_the_next_file() {
    let mut harness = program(BuiltIn::Figure);
    let camera = |harness: &Harness<'_, Program>| harness.state().state.open.stage.view.camera;
    let before = camera(&harness);
    assert_eq!(before.fov, Camera::default().fov);
    choose(&mut harness, &["View", "Field of view", "Field of view 75°"]);
    let wide = camera(&harness);
    assert_eq!((wide.fov, wide.target), (FOVS[3], before.target));
    assert!(wide.distance < before.distance * 0.5, "nearer, so that the subject keeps its size");
    harness.state_mut().receive(JobResult::Document(tube(), AfterLoad::Show));
    harness.run();
    assert_eq!(camera(&harness).fov, FOVS[3]);
    assert_eq!(AppState::new(*tube(), harness.state().state.settings.clone()).open.stage.view.camera.fov, FOVS[3]);
    // A tour's view is not the user's choice.
    harness.state_mut().receive(JobResult::Document(tube(), AfterLoad::Tour(0)));
    harness.state_mut().apply(Command::Do(Action::StartTour));
    harness.state_mut().receive(JobResult::Document(tube(), AfterLoad::Tour(0)));
    harness.run();
    assert_eq!(camera(&harness).fov, Camera::default().fov);
    harness.state_mut().apply(Command::SetFov(FOVS[0]));
    assert_eq!(harness.state().state.settings.fov, FOVS[3]);
    harness.state_mut().apply(Command::Do(Action::LeaveTour));
    assert_eq!(camera(&harness).fov, FOVS[3]);
}

#[test]
fn a_session_has_its_own_field_of_view_and_one_of_before_the_usual_one() {
    let mut state = AppState::new(*tube(), Settings::default());
    state.apply(Command::SetFov(FOVS[0]));
    let json = state.open.snapshot().session().to_json();
    let mut restored = |json: &str| {
        state.apply(Command::SetFov(FOVS[3]));
        let session = Box::new(Session::parse(json.as_bytes()).unwrap());
        state.receive(JobResult::Document(tube(), AfterLoad::Restore(session)));
        assert_eq!(state.settings.fov, FOVS[3], "the user's choice is for other files");
        (state.open.stage.view.camera.fov, state.notices.dismiss().map(|notice| notice.text.lines().count()))
    };
    assert_eq!(restored(&json), (FOVS[0], Some(1)));
    let line = json.lines().find(|line| line.contains("\"fov\"")).unwrap();
    assert_eq!(restored(&json.replace(line, "")), (Camera::default().fov, Some(1)));
    let odd = restored(&json.replace(line, "\"fov\": 9.0,"));
    assert_eq!(odd, (FOVS[3], Some(2)), "an invalid camera is reported");
}

#[test]
fn panels_hide_by_a_key_and_what_is_asked_for_shows_them_again() {
    let mut harness = program(BuiltIn::Figure);
    let has_left = |h: &Harness<'_, Program>| h.query_by_label("Filter joints").is_some();
    let has_right = |h: &Harness<'_, Program>| h.query_by_label("History").is_some();
    let width = |h: &Harness<'_, Program>| h.get_by_label("Viewport").rect().width();
    let before = width(&harness);
    press(&mut harness, SHIFT, Key::T);
    assert!(!has_left(&harness) && has_right(&harness) && !harness.state().state.open.twist.is_open);
    press(&mut harness, NONE, Key::N);
    assert!(!has_left(&harness) && !has_right(&harness));
    assert!(width(&harness) > before + 500.0, "the view has their room");
    press(&mut harness, NONE, Key::L);
    assert!(has_right(&harness) && harness.state().shows(SidePanel::Lint));
    press(&mut harness, NONE, Key::N);
    press(&mut harness, NONE, Key::L);
    assert!(
        harness.state().state.panels.is_shown(SidePanel::Lint, &harness.state().state.settings),
        "a list that was hidden is shown and not left"
    );
    choose(&mut harness, &["View", "Panels", "Left panel"]);
    assert!(has_left(&harness));
}

#[test]
fn comparisons_stand_in_the_compare_menu_and_clips_beside_open() {
    let mut harness = program(BuiltIn::Figure);
    choose(&mut harness, &["File", "Use clips from…"]);
    let asked = |harness: &Harness<'_, Program>| match harness.state().requests.last() {
        Some(Request::Window(WindowRequest::PickPath(asked))) => asked.purpose,
        other => panic!("{other:?}"),
    };
    assert_eq!(asked(&harness), PathUse::UseClips);
    choose(&mut harness, &["Compare", "Compare with file…"]);
    assert_eq!(asked(&harness), PathUse::CompareWith);
    choose(&mut harness, &["Compare", "Keep previous version on reload"]);
    assert!(harness.state().state.settings.keeps_version_before);
}

#[test]
fn preferences_open_by_a_key_and_set_theme_scale_keys_and_euler_order() {
    const CTRL: Modifiers = Modifiers::COMMAND;
    let mut harness = program(BuiltIn::Figure);
    let is_open = |harness: &Harness<'_, Program>| harness.query_by_label("Close preferences").is_some();
    press(&mut harness, CTRL, Key::Comma);
    assert!(is_open(&harness));
    choose(&mut harness, &["Light", "150 %"]);
    assert_eq!(harness.state().state.settings.theme, ThemeChoice::Light);
    assert_eq!(harness.state().requests.last(), Some(&Request::Window(WindowRequest::SetScale(1.5))));
    harness.get_by_label("Reload on change").click();
    harness.run();
    assert!(!harness.state().state.settings.reload_on_change);
    choose(&mut harness, &["Large gizmo"]);
    assert_eq!(harness.state().state.settings.gizmo_size, GizmoSize::Large);
    assert!(is_open(&harness), "a choice leaves the dialog open");
    press(&mut harness, NONE, Key::Space);
    assert!(!harness.state().state.open.stage.playback.is_playing, "keys belong to the dialog");
    press(&mut harness, CTRL, Key::Comma);
    assert!(!is_open(&harness));
    choose(&mut harness, &["Edit", "Preferences…", "Keys and codes"]);
    assert!(!is_open(&harness) && harness.query_by_label("Close the sheet of keys").is_some());
}

#[test]
fn about_names_version_and_licence() {
    let mut harness = program(BuiltIn::Figure);
    choose(&mut harness, &["Help", "About Rigscope"]);
    harness.get_by_label(concat!("Rigscope ", env!("CARGO_PKG_VERSION")));
    harness.get_by_label_contains("MIT OR Apache-2.0");
    press(&mut harness, NONE, Key::Escape);
    assert!(harness.query_by_label_contains("MIT OR Apache-2.0").is_none());
}

#[test]
fn what_a_file_lacks_is_said_once_and_its_tools_are_hidden() {
    let rig = rigscope::rig::Rig::default();
    let mut harness = program_with(Document::new(Source::File("empty.glb".into()), rig, Vec::new()));
    harness.state_mut().apply(Command::SetSidePanel(SidePanel::Skin));
    harness.run();
    harness.get_by_label_contains("no mesh and no skin");
    for tool in ["Probe", "LBS", "DQS", "Edit weights"] {
        assert!(harness.query_by_label(tool).is_none(), "{tool}");
    }
    press(&mut harness, NONE, Key::T);
    press(&mut harness, NONE, Key::K);
    let open = &harness.state().state.open;
    assert!(!open.twist.is_open && !open.stage.probes.is_on, "keys of tools that the file has no use for do nothing");
}

#[test]
fn up_and_down_walk_through_a_file_that_was_opened_with_the_tree_hidden() {
    let mut harness = program(BuiltIn::Figure);
    press(&mut harness, SHIFT, Key::T);
    harness.state_mut().receive(JobResult::Document(tube(), AfterLoad::Show));
    harness.run();
    // More often than the tree has rows.
    for _ in 0..9 {
        press(&mut harness, NONE, Key::ArrowDown);
    }
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(harness.state().node("Far")));
}

#[test]
fn whatever_an_action_exports_stands_in_the_menu_by_that_action() {
    let tube = tube();
    let asked: Vec<(ExportKind, Action)> = ACTIONS
        .iter()
        .filter_map(|spec| {
            let mut state = AppState::new(Document::clone(&tube), Settings::default());
            match state.apply(Command::Do(spec.action))? {
                Request::Window(WindowRequest::PickPath(asked)) => Some((asked.purpose, spec.action)),
                _ => None,
            }
        })
        .filter_map(|(purpose, action)| if let PathUse::Export(what) = purpose { Some((what, action)) } else { None })
        .collect();
    assert_eq!(asked, ExportKind::ALL.map(|exported| (exported, exported.spec().action)));
}

#[test]
fn menus_ask_for_a_posed_mesh_a_picture_and_the_full_screen() {
    let mut harness = program(BuiltIn::Figure);
    let asked = |harness: &mut Harness<'_, Program>| match harness.state_mut().requests.pop() {
        Some(Request::Window(WindowRequest::PickPath(asked))) => (asked.purpose, asked.name),
        other => panic!("{other:?}"),
    };
    choose(&mut harness, &["File", "Export posed mesh…"]);
    assert_eq!(asked(&mut harness), (PathUse::Export(ExportKind::Mesh(Side::A)), "figure.posed.glb".to_owned()));
    choose(&mut harness, &["File"]);
    assert!(harness.query_by_label_contains("Export posed mesh of B").is_none(), "one side is shown alone");
    choose(&mut harness, &["Images", "Copy image"]);
    assert_eq!(harness.state_mut().requests.pop(), Some(Request::Window(WindowRequest::CopyImage)));
    press(&mut harness, NONE, Key::C);
    choose(&mut harness, &["File", "Export posed mesh of B"]);
    assert_eq!(asked(&mut harness), (PathUse::Export(ExportKind::Mesh(Side::B)), "figure.posed.glb".to_owned()));
    choose(&mut harness, &["View", "Full screen"]);
    assert_eq!(harness.state_mut().requests.pop(), Some(Request::Window(WindowRequest::ToggleFullScreen)));
}

/// Returns how long a notice stays, seconds, with a quarter of a second per frame; `None` if it stays longer than a
/// minute.
fn stays(harness: &mut Harness<'_, Program>, kind: NoticeKind) -> Option<f32> {
    const FRAME: f32 = 0.25;
    let text = format!("{kind:?}");
    harness.state_mut().apply(Command::Notify(Notice::new(kind, text)));
    let frame = (0..240).find(|_| {
        harness.step();
        harness.state().state.notices.newest().is_none()
    })?;
    Some(frame as f32 * FRAME)
}

#[test]
fn a_notice_stays_as_long_as_its_kind_deserves() {
    let mut harness = program(BuiltIn::Tube);
    for (kind, secs) in [(NoticeKind::Done, 6.0), (NoticeKind::Info, 12.0), (NoticeKind::Warning, 20.0)] {
        let stayed = stays(&mut harness, kind);
        assert!(stayed.is_some_and(|stayed| (stayed - secs).abs() <= 0.5), "{kind:?}: {stayed:?}");
    }
    assert_eq!(stays(&mut harness, NoticeKind::Error), None, "what failed stays until it is dismissed");
    let at = harness.get_by_label_contains("Error").rect().center();
    harness.hover_at(at);
    assert_eq!(stays(&mut harness, NoticeKind::Done), None, "and what is being read");
}

#[test]
fn a_notice_that_goes_by_itself_wakes_the_window_for_that_alone() {
    let mut harness = program(BuiltIn::Tube);
    let notice = Notice::new(NoticeKind::Done, "Saved".to_owned());
    harness.state_mut().apply(Command::Notify(notice));
    harness.run();
    let wait = harness.output().viewport_output.values().map(|output| output.repaint_delay).min().unwrap();
    assert!((4.0..=6.0).contains(&wait.as_secs_f32()), "{wait:?}");
}

#[test]
fn a_text_that_was_asked_for_is_awaited_with_a_few_frames_and_then_no_longer() {
    let mut harness = program(BuiltIn::Figure);
    let (left, right) = (harness.state().node("LeftUpperArm"), harness.state().node("RightUpperArm"));
    let user_local = Trs::from_rotation(glam::Quat::from_rotation_x(0.5));
    harness.state_mut().apply(Command::Edit { node: left, user_local });
    harness.state_mut().apply(Command::Select(Some(left)));
    harness.state_mut().apply(Command::Do(Action::CopyPose));
    let Some(Request::Window(WindowRequest::Copy(text))) = harness.state_mut().requests.pop() else {
        panic!("nothing was copied")
    };
    press(&mut harness, Modifiers::COMMAND | SHIFT, Key::V);
    assert_eq!(harness.state_mut().requests.pop(), Some(Request::Window(WindowRequest::Paste { is_mirrored: true })));
    let ctx = harness.ctx.clone();
    harness.state_mut().interface.await_paste(&ctx, true);
    harness.step();
    assert!(ctx.has_requested_repaint(), "the system answers between frames and wakes nobody");
    harness.event(Event::Paste(text.clone()));
    harness.run();
    assert!(!harness.state().state.open.stage.pose().user_local(right).is_identity(), "it was for the other side");
    harness.state_mut().apply(Command::Do(Action::Undo));
    harness.state_mut().interface.await_paste(&ctx, true);
    // `run` fails if the window never becomes idle.
    harness.run();
    harness.event(Event::Paste(text));
    harness.run();
    assert!(
        harness.state().state.open.stage.pose().user_local(right).is_identity(),
        "a later text is none that was asked for"
    );
}

#[test]
fn the_palette_finds_what_menus_offer_by_words_from_elsewhere() {
    for (words, name) in [
        ("bake", "Export posed mesh…"),
        ("obj", "Export posed mesh…"),
        ("clipboard", "Copy image"),
        ("fov", "Field of view 50°"),
        ("focal length", "Field of view 20°"),
        ("fullscreen", "Full screen"),
        ("sidebar", "Left panel"),
    ] {
        let mut harness = program(BuiltIn::Tube);
        press(&mut harness, Modifiers::COMMAND | SHIFT, Key::P);
        harness.event(Event::Text(words.to_owned()));
        harness.run();
        assert!(harness.query_all_by_label_contains(name).next().is_some(), "{words}");
    }
}

#[test]
fn trails_are_shown_from_the_view_menu_and_stay_for_the_next_file() {
    let mut harness = program(BuiltIn::Figure);
    harness.state_mut().apply(Command::SetClip(Some(0)));
    let joint = harness.state().state.open.stage.rig().hierarchy.nodes().last();
    harness.state_mut().apply(Command::Select(joint));
    harness.run();
    let has_trails = |harness: &Harness<'_, Program>| harness.state().state.open.stage.trails.get(Side::A).is_some();
    assert!(!has_trails(&harness) && harness.state().state.open.stage.trails.computed() == 0);
    choose(&mut harness, &["View", "Trails"]);
    assert!(has_trails(&harness));
    press(&mut harness, Modifiers::ALT, Key::T);
    assert!(!has_trails(&harness));
    choose(&mut harness, &["View", "Root path"]);
    let path = harness.state().state.open.stage.trails.get(Side::A).unwrap().root.clone();
    assert!(path.is_some());
    assert!(harness.query_by_label_contains("the clip is in place").is_some());
    let undone = harness.state().state.open.history.undo_label();
    assert!(undone.is_none(), "what is looked at is no step of undo: {undone:?}");
    harness.state_mut().receive(JobResult::Document(tube(), AfterLoad::Show));
    harness.run();
    assert!(
        harness.state().state.open.stage.view.display.root_path && harness.state().state.settings.display.root_path
    );
    assert!(harness.query_by_label("Trails: no clip is chosen").is_some());
}

#[test]
fn recent_files_have_their_pictures_and_are_opened_by_their_names() {
    let mut harness = program(BuiltIn::Tube);
    let path = std::path::absolute("models/knight.glb").unwrap();
    harness.state_mut().state.settings.remember(&path);
    let picture = || Some(Arc::new(Thumbnail { side: 2, rgba: vec![255; 16] }));
    let received = |harness: &mut Harness<'_, Program>, path: &Path, picture| {
        harness.state_mut().receive(JobResult::RecentPicture(path.to_owned(), picture));
        harness.run();
        harness.state().state.recent_pictures.len()
    };
    assert_eq!(received(&mut harness, Path::new("/elsewhere.glb"), picture()), 0, "it is not in the list");
    assert_eq!(received(&mut harness, &path, picture()), 1);
    choose(&mut harness, &["File", "Open recent"]);
    assert!(harness.query_by_label("models/knight.glb").is_some());
    assert_eq!(received(&mut harness, &path, None), 0, "the file has changed");
    assert!(harness.query_by_label("models/knight.glb").is_some(), "and is listed without a picture");
}

#[test]
fn the_panel_without_a_joint_has_the_picture_of_the_file_that_is_open() {
    let mut program = Program::new(*tube());
    let path = std::path::absolute("models/tube.glb").unwrap();
    program.state.open.stage.document.source = Source::File("models/tube.glb".into());
    program.state.settings.remember(&path);
    let mut harness = program.harness([1440.0, 900.0]);
    let has_picture = |harness: &Harness<'_, Program>| harness.query_by_label("Picture of the rest pose").is_some();
    assert!(!has_picture(&harness), "it is not drawn yet");
    let picture = Arc::new(Thumbnail { side: 2, rgba: vec![255; 16] });
    harness.state_mut().receive(JobResult::RecentPicture(path, Some(picture)));
    harness.run();
    assert!(has_picture(&harness));
    harness.state_mut().apply(Command::Select(Some(NodeIndex(1))));
    harness.run();
    assert!(!has_picture(&harness), "the panel is of the joint");
}

#[test]
fn the_size_of_the_gizmo_is_chosen_in_the_view_menu() {
    let mut harness = program(BuiltIn::Tube);
    let size = |harness: &Harness<'_, Program>| harness.state().state.settings.gizmo_size;
    assert_eq!(size(&harness).outer_radius(), 75.0);
    choose(&mut harness, &["View", "Gizmo size", "Large gizmo"]);
    assert_eq!(size(&harness), rigscope::gizmo::GizmoSize::Large);
}

#[test]
fn images_have_a_chosen_size_and_bones_by_choice() {
    let mut harness = program(BuiltIn::Tube);
    choose(&mut harness, &["File", "Images", "Size", "Image size 4K"]);
    assert_eq!(harness.state().state.settings.image_size, ImageSize::FourK);
    harness.key_press(Key::Escape);
    harness.run();
    choose(&mut harness, &["File", "Images", "Size", "Width"]);
    assert_eq!(harness.state().state.settings.image_size, ImageSize::Width(1920));
    harness.key_press(Key::Escape);
    harness.run();
    choose(&mut harness, &["File", "Images", "Bones in images"]);
    assert!(!harness.state().state.settings.bones_in_images);
}
