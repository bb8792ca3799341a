//! The real window on a virtual display: selecting, typing, switching settings, and the resulting image.

#![cfg(feature = "inspection")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed helper is a failed test, and a skipped one prints a line"
)]

#[path = "common/glb.rs"]
#[expect(dead_code, reason = "other tests use the rest of it")]
mod glb;
#[path = "common/golden.rs"]
mod golden;
#[path = "common/scripts.rs"]
mod scripts;
#[path = "common/window.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod window;

use std::path::Path;
use std::rc::Rc;

use egui::{Event, Key, Modifiers, Pos2};
use glam::{Quat, Vec3};
use image::RgbaImage;
use rigscope::import::Job;
use rigscope::rig::{Pose, Rig};
use rigscope::stage::{BuiltIn, Document, Session, SessionError, Source};
use rigscope::state::{Action, AppState, Command, Settings};
use window::{PATIENCE, Window};

const SIZE: [u32; 2] = [1280, 800];

fn open(arguments: &[&str]) -> Option<Window> {
    shown(Window::open(Path::new(rigscope_tests::program()), arguments, SIZE))
}

/// Opens a window with the settings folder of an earlier window.
fn open_at(home: Rc<tempfile::TempDir>, arguments: &[&str]) -> Option<Window> {
    shown(Window::open_at(home, Path::new(rigscope_tests::program()), arguments, SIZE))
}

fn shown(opened: std::io::Result<Window>) -> Option<Window> {
    match opened {
        Ok(window) => Some(window),
        Err(problem) if !rigscope_tests::requires("xvfb") && problem.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: no Xvfb here");
            None
        }
        Err(problem) => panic!("{problem}"),
    }
}

/// Returns the number of viewport pixels that visibly differ between two screenshots of the same size.
fn changed_pixels(window: &mut Window, a: &RgbaImage, b: &RgbaImage) -> usize {
    let view = window.find("Viewport").unwrap().rect;
    assert_eq!(a.dimensions(), b.dimensions());
    a.enumerate_pixels()
        .filter(|(x, y, _)| view.contains(egui::pos2(*x as f32, *y as f32)))
        .filter(|(x, y, p)| {
            let q = b.get_pixel(*x, *y);
            (0..3).any(|i| p[i].abs_diff(q[i]) > 24)
        })
        .count()
}

#[test]
fn a_joint_is_selected_turned_and_seen_with_both_methods() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    let rest = window.screenshot().unwrap();
    window.click("Middle").unwrap();
    let selected = window.screenshot().unwrap();
    window.type_into("Rotation X", "170").unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with("170"), "the field shows what was typed");
    let lbs = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &selected, &lbs) > 5_000, "the tube is twisted");
    window.click("DQS").unwrap();
    let dqs = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &lbs, &dqs) > 5_000, "the candy wrapper is cured");
    // Undoes the change of method, then the rotation.
    window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::Z).unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with("170"), "the method alone is undone");
    window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::Z).unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with('0'), "undone");
    window.key(Modifiers::NONE, Key::Escape).unwrap();
    let again = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &rest, &again) < 200, "back to how it was");
}

#[test]
fn broken_file_keeps_the_character_and_reports_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.glb");
    std::fs::write(&path, b"glTF\x02\0\0\0\xff\xff\xff\xff").unwrap();
    let Some(mut window) = open(&[path.to_str().unwrap()]) else { return };
    let told = window.find("was not opened").unwrap();
    assert!(told.name.contains("broken.glb") || told.value.contains("broken.glb"), "{told:?}");
    window.find("LeftLowerArm").expect("the built-in figure is still there");
    window.click("Dismiss").unwrap();
    assert!(window.find("was not opened").is_err());
}

/// Returns the state of a window that has just opened the tube.
fn tube(view: egui::Rect) -> AppState {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let mut state = AppState::new(document, Settings::default());
    state.apply(Command::SetAspect(view.width() / view.height()));
    state.apply(Command::Do(Action::FrameAll));
    state
}

/// Returns screen points along a ring of a joint's gizmo, and the axis of the ring. An `axis` of `None` stands for the
/// ring that faces the viewer. The points begin beside the point that is nearest to the viewer, because rings may cross
/// there.
fn along_ring(state: &AppState, view: egui::Rect, joint: &str, axis: Option<Vec3>, degrees: f32) -> (Vec<Pos2>, Vec3) {
    let lens = state.open.stage.view.camera.lens(glam::Vec2::new(view.width(), view.height()));
    let hierarchy = &state.open.stage.rig().hierarchy;
    let node = hierarchy.node_named(joint).unwrap();
    let origin = state.open.stage.posed().world_from_node[node.index()].translation;
    let toward = lens.to_viewer(origin);
    // All points of the ring that faces the viewer are equally near.
    let nearest = axis.map_or(lens.right, |axis| (toward - axis * axis.dot(toward)).normalize_or_zero());
    let (axis, size) = axis.map_or((toward, 112.0 / 92.0), |axis| (axis, 1.0));
    let radius = rigscope::gizmo::GizmoSize::default().radius() * size * lens.world_per_point(origin);
    let points = (0..=20).map(|i| {
        let turn = Quat::from_axis_angle(axis, (25.0 + degrees * i as f32 / 20.0).to_radians());
        let seen = lens.project(origin + turn * nearest * radius).unwrap();
        view.min + egui::vec2(seen.x, seen.y)
    });
    (points.collect(), axis)
}

#[test]
fn a_ring_is_dragged_with_the_mouse() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    window.click("Middle").unwrap();
    window.key(Modifiers::NONE, Key::Home).unwrap();
    let still = window.screenshot().unwrap();
    let view = window.find("Viewport").unwrap().rect;
    let (points, _) = along_ring(&tube(view), view, "Middle", Some(Vec3::Z), 60.0);
    window.move_to(points[0]).unwrap();
    window.drag_through(&points).unwrap();
    let shown = window.find("Rotation Z").unwrap().value;
    let degrees: f32 = shown.trim_end_matches('°').parse().unwrap();
    assert!((degrees - 60.0).abs() < 1.5, "{shown} after a drag by 60°");
    let turned = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &still, &turned) > 5_000, "skin and bones follow during the drag");
    window.key(Modifiers::NONE, Key::Escape).unwrap();
    window.release_at(points[20]).unwrap();
    assert_eq!(window.find("Rotation Z").unwrap().value, "0.00°", "cancelled");
}

#[test]
fn every_ring_turns_by_what_the_mouse_goes_around_it() {
    // The session's camera sees no ring edge-on.
    let home = Rc::new(tempfile::tempdir().unwrap());
    let sessions = home.path().join("rigscope/sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    let mut state = tube(egui::Rect::from_min_size(Pos2::ZERO, egui::vec2(900.0, 700.0)));
    state.apply(Command::Orbit { yaw: 0.2, pitch: 0.4 });
    std::fs::write(sessions.join("kept-1-1.json"), state.open.snapshot().session().to_json()).unwrap();
    let Some(mut window) = open_at(home, &[]) else { return };
    window.click("File").unwrap();
    window.click("Restore last session").unwrap();
    wait_for(&mut window, "Middle");
    window.click("Middle").unwrap();
    let view = window.find("Viewport").unwrap().rect;
    let number = |window: &mut Window, name: &str| -> f32 {
        window.find(name).unwrap().value.trim_end_matches('°').parse().unwrap()
    };
    for (ring, axis) in [("X", Some(Vec3::X)), ("Y", Some(Vec3::Y)), ("Z", Some(Vec3::Z)), ("view", None)] {
        let (points, axis) = along_ring(&state, view, "Middle", axis, 50.0);
        window.move_to(points[0]).unwrap();
        window.drag_through(&points).unwrap();
        window.release_at(points[20]).unwrap();
        let about = Vec3::from(["Axis x", "Axis y", "Axis z"].map(|name| number(&mut window, name)));
        let turned = Quat::from_axis_angle(about.normalize_or_zero(), number(&mut window, "Angle").to_radians());
        let off = turned.angle_between(Quat::from_axis_angle(axis, 50_f32.to_radians())).to_degrees();
        assert!(off < 1.5, "the {ring} ring: {turned} is {off}° from 50° about {axis}");
        window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::Z).unwrap();
        assert_eq!(number(&mut window, "Angle"), 0.0, "one drag of the {ring} ring is one step");
    }
}

/// Waits until there is a widget with this name.
fn wait_for(window: &mut Window, name: &str) {
    let start = std::time::Instant::now();
    while window.find(name).is_err() {
        assert!(start.elapsed() < PATIENCE, "no {name:?} came");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn a_file_that_another_program_saves_is_shown_as_it_is_now_with_the_pose_of_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rig.glb");
    std::fs::write(&path, BuiltIn::Tube.bytes()).unwrap();
    let Some(mut window) = open(&[path.to_str().unwrap()]) else { return };
    wait_for(&mut window, "Middle");
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "40").unwrap();
    let before = window.screenshot().unwrap();

    std::fs::write(&path, &BuiltIn::Tube.bytes()[..5000]).unwrap();
    wait_for(&mut window, "was not reloaded");
    assert!(window.find("Rotation X").unwrap().value.starts_with("40"), "what was open still is");

    let mut changed = BuiltIn::Tube.bytes().to_vec();
    let at = changed.windows(5).position(|w| w == b"\"Far\"").unwrap();
    changed[at..at + 5].copy_from_slice(b"\"Tip\"");
    std::fs::write(folder.path().join(".rig.tmp"), &changed).unwrap();
    std::fs::rename(folder.path().join(".rig.tmp"), &path).unwrap();
    wait_for(&mut window, "1 joint renamed (Far to Tip)");
    window.find("Tip").unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with("40"), "pose and selection stay");
    window.click("Dismiss").unwrap();
    let after = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &before, &after) < 200, "the picture is that of before");
}

/// Returns the pose of the tube from the session file of the open window, and the tube's rig; `None` if there is no
/// session file.
fn kept_pose(window: &Window) -> Option<(Pose, Rig)> {
    let folder = std::fs::read_dir(window.home().join("rigscope/sessions")).unwrap();
    let is_own = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("window-") && name.ends_with(".json")
    };
    let path = folder.map(|entry| entry.unwrap().path()).find(is_own)?;
    let session = match Session::read(&path) {
        Err(SessionError::Read(why)) if why.kind() == std::io::ErrorKind::NotFound => return None,
        read => read.unwrap(),
    };
    let rig = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap().rig;
    Some((session.pose_for(&rig), Rig::clone(&rig)))
}

/// Waits until the window's session file has these rotations, given as joint, axis and degrees; with `None`, until
/// there is no session file.
fn wait_for_kept(window: &Window, turned: Option<&[(&str, Vec3, f32)]>) {
    let start = std::time::Instant::now();
    let is_there = || match (kept_pose(window), turned) {
        (None, None) => true,
        (Some((pose, rig)), Some(turned)) => turned.iter().all(|(name, axis, degrees)| {
            let node = rig.hierarchy.node_named(name).unwrap();
            let wanted = Quat::from_axis_angle(*axis, degrees.to_radians());
            pose.user_local(node).rotation.angle_between(wanted).to_degrees() < 1.5
        }),
        _ => false,
    };
    while !is_there() {
        assert!(start.elapsed() < PATIENCE, "what is kept does not become {turned:?}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn a_pose_survives_the_kill_of_the_program_in_the_middle_of_a_drag() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rig.glb");
    std::fs::write(&path, BuiltIn::Tube.bytes()).unwrap();
    let Some(mut window) = open(&[path.to_str().unwrap()]) else { return };
    wait_for(&mut window, "Middle");
    window.click("Far").unwrap();
    window.type_into("Rotation X", "25").unwrap();
    window.click("Middle").unwrap();
    window.key(Modifiers::NONE, Key::Home).unwrap();
    let view = window.find("Viewport").unwrap().rect;
    let (points, _) = along_ring(&tube(view), view, "Middle", Some(Vec3::Z), 60.0);
    window.move_to(points[0]).unwrap();
    window.drag_through(&points).unwrap();
    let both = [("Far", Vec3::X, 25.0), ("Middle", Vec3::Z, 60.0)];
    wait_for_kept(&window, Some(&both));
    let home = window.kill().unwrap();

    let mut window = open_at(Rc::clone(&home), &["builtin:tube"]).unwrap();
    assert!(window.find("was not closed properly").is_err(), "another file was asked for");
    drop(window);

    let mut window = open_at(Rc::clone(&home), &[]).unwrap();
    wait_for(&mut window, "was not closed properly");
    let turned: f32 = window.find("Rotation Z").unwrap().value.trim_end_matches('°').parse().unwrap();
    assert!((turned - 60.0).abs() < 1.5, "{turned}: selected and turned as it was in the drag");
    window.click("Far").unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with("25"));
    wait_for_kept(&window, Some(&both));
    window.kill().unwrap();

    let mut window = open_at(Rc::clone(&home), &[path.to_str().unwrap()]).unwrap();
    wait_for(&mut window, "was not closed properly");
    window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::Z).unwrap();
    assert!(window.find("Rotation X").unwrap().value.starts_with('0'), "one step of undo");
    wait_for_kept(&window, None);
    window.kill().unwrap();
    let mut window = open_at(home, &[]).unwrap();
    assert!(window.find("was not closed properly").is_err(), "nothing was left to lose");
}

#[test]
fn an_edit_just_before_a_shutdown_is_back_at_the_next_start() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    wait_for(&mut window, "Middle");
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "25").unwrap();
    let home = window.terminate().unwrap();
    let mut window = open_at(home, &[]).unwrap();
    wait_for(&mut window, "The session of tube is open");
    assert!(window.find("Rotation X").unwrap().value.starts_with("25"));
}

#[test]
fn a_pose_that_was_discarded_on_closing_is_still_in_the_file_menu() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    wait_for(&mut window, "Middle");
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "40").unwrap();
    window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::Q).unwrap();
    window.find("Save the pose of tube before closing?").unwrap();
    window.events(vec![egui::Event::PointerMoved(egui::pos2(5.0, 5.0))]).unwrap();
    let discard = window.find("Discard").unwrap().rect.center();
    let _ = window.click_at(discard);
    let home = window.ended().unwrap();

    let mut window = open_at(home, &[]).unwrap();
    assert!(window.find("was not closed properly").is_err(), "it did");
    window.click("File").unwrap();
    window.click("Restore last session").unwrap();
    wait_for(&mut window, "The session of tube is open");
    assert!(window.find("Rotation X").unwrap().value.starts_with("40"));
}

#[test]
fn poses_kept_beside_the_file_are_cards_with_pictures_and_follow_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rig.glb");
    std::fs::write(&path, BuiltIn::Tube.bytes()).unwrap();
    let Some(mut window) = open(&[path.to_str().unwrap()]) else { return };
    wait_for(&mut window, "Middle");
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "90").unwrap();
    window.key(Modifiers::COMMAND | Modifiers::CTRL | Modifiers::ALT, Key::S).unwrap();
    window.type_into("Name of the pose", "Twist").unwrap();
    wait_for(&mut window, "Twist");
    let saved = folder.path().join("poses/Twist.json");
    std::fs::copy(&saved, folder.path().join("poses/Other.json")).unwrap();
    wait_for(&mut window, "Other");
    std::fs::remove_file(&saved).unwrap();
    let start = std::time::Instant::now();
    while window.find("Twist").is_ok() && start.elapsed() < PATIENCE {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(window.find("Twist").is_err(), "its card goes with the file");
    let card = window.find("Other").unwrap().rect;
    let is_drawn = |picture: &RgbaImage| {
        let at = |x: f32| picture.get_pixel(x as u32, card.center().y as u32 - 11).0;
        at(card.center().x).iter().zip(at(card.left() + 8.0)).any(|(a, b)| a.abs_diff(b) > 40)
    };
    while !is_drawn(&window.screenshot().unwrap()) {
        assert!(start.elapsed() < 2 * PATIENCE, "the tube is in the middle of the card");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn without_dialogs_of_a_desktop_a_field_asks_where_to_save_and_what_to_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rig.glb");
    std::fs::write(&path, BuiltIn::Tube.bytes()).unwrap();
    let Some(mut window) = open(&[path.to_str().unwrap()]) else { return };
    wait_for(&mut window, "Middle");
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "40").unwrap();
    let (ctrl, shift) = (Modifiers::COMMAND | Modifiers::CTRL, Modifiers::SHIFT);
    for (modifiers, name) in [(ctrl, "rig.pose.json"), (ctrl | shift, "rig.png")] {
        window.key(modifiers, Key::S).unwrap();
        wait_for(&mut window, "Path");
        let field = window.find("Path").unwrap();
        assert_eq!(field.value, folder.path().join(name).to_str().unwrap());
        window.key(Modifiers::NONE, Key::Enter).unwrap();
        let start = std::time::Instant::now();
        while !folder.path().join(name).is_file() {
            assert!(start.elapsed() < PATIENCE, "no {name} was written");
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
    let picture = image::open(folder.path().join("rig.png")).unwrap();
    assert!(picture.width() > 300, "{}", picture.width());
    window.key(ctrl, Key::O).unwrap();
    wait_for(&mut window, "Path");
    window.key(ctrl, Key::A).unwrap();
    window.events(vec![egui::Event::Text("no.glb".to_owned())]).unwrap();
    window.key(Modifiers::NONE, Key::Enter).unwrap();
    wait_for(&mut window, "does not exist");
    window.key(Modifiers::NONE, Key::Escape).unwrap();
    assert!(window.find("Path").is_err());
}

#[cfg(unix)]
#[test]
fn the_guide_opens_in_the_browser_at_its_beginning_and_where_the_palette_found_a_heading() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = Rc::new(tempfile::tempdir().unwrap());
    let (launcher, asked) = (home.path().join("xdg-open"), home.path().join("asked"));
    std::fs::write(&launcher, "#!/bin/sh\necho \"$1\" > \"$HOME/asked\"\n").unwrap();
    std::fs::set_permissions(&launcher, std::fs::Permissions::from_mode(0o755)).unwrap();
    let Some(mut window) = open_at(Rc::clone(&home), &["builtin:tube"]) else { return };
    let opened = |window: &mut Window| {
        wait_for(window, "The guide opens");
        window.click("Dismiss").unwrap();
        std::fs::read_to_string(std::fs::read_to_string(&asked).unwrap().trim_end()).unwrap()
    };
    window.click("Help").unwrap();
    window.click("Guide").unwrap();
    let page = opened(&mut window);
    assert!(page.contains("<h1 id=\"guide\">") && page.contains("href=\"posing.html\""));
    window.key(Modifiers::COMMAND | Modifiers::CTRL | Modifiers::SHIFT, Key::P).unwrap();
    window.events(vec![egui::Event::Text("limit joints".to_owned())]).unwrap();
    window.key(Modifiers::NONE, Key::Enter).unwrap();
    let page = opened(&mut window);
    assert!(page.contains("url=posing.html#limit-joints"), "{page}");
}

fn open_tab(window: &mut Window, name: &str) {
    let tab = window.widgets().unwrap().into_iter().rfind(|w| w.name == name).unwrap();
    window.click_at(tab.rect.center()).unwrap();
}

/// Returns the high end of side A's legend, metres.
fn high_end(window: &mut Window) -> f32 {
    window.click("Range of A").unwrap();
    let value = window.find("High end").unwrap().value;
    window.key(Modifiers::NONE, Key::Escape).unwrap();
    value.trim_end_matches(" m").parse().unwrap()
}

#[test]
fn the_wipe_shows_both_methods_and_the_painted_distance_follows_the_pose() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "170").unwrap();
    window.key(Modifiers::NONE, Key::C).unwrap();
    let clay = window.screenshot().unwrap();
    open_tab(&mut window, "Compare");
    window.click("Overlay on A").unwrap();
    window.click("Distance between A and B").unwrap();
    wait_for(&mut window, "Range of A");
    let painted = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &clay, &painted) > 3_000, "the side of A is painted");
    let far = high_end(&mut window);

    let view = window.find("Viewport").unwrap().rect;
    let on_line = egui::pos2(view.center().x, view.top() + view.height() * 0.85);
    let aside = on_line - egui::vec2(200.0, 0.0);
    window.drag_through(&[on_line, on_line.lerp(aside, 0.5), aside]).unwrap();
    window.release_at(aside).unwrap();
    let moved = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &painted, &moved) > 3_000, "B's half shows B");

    open_tab(&mut window, "Joint");
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "60").unwrap();
    let start = std::time::Instant::now();
    while high_end(&mut window) > far * 0.7 {
        assert!(start.elapsed() < PATIENCE, "the legend follows the pose");
    }
}

#[test]
fn computed_weights_of_a_side_are_seen_and_taken_back() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    window.click("Middle").unwrap();
    window.type_into("Rotation X", "170").unwrap();
    open_tab(&mut window, "Compare");
    let file = window.screenshot().unwrap();
    window.click("Weights of A").unwrap();
    window.click("Rigid").unwrap();
    wait_for(&mut window, "Computed in");
    let rigid = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &file, &rigid) > 1_000, "the tube breaks where it was twisted");
    window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::Z).unwrap();
    let again = window.screenshot().unwrap();
    assert!(changed_pixels(&mut window, &file, &again) < 50, "the file's are back");
}

/// Crops a screenshot.
fn cut(picture: &RgbaImage, rect: egui::Rect) -> RgbaImage {
    let [x, y, w, h] = [rect.left(), rect.top(), rect.width(), rect.height()].map(|v| v.round() as u32);
    image::imageops::crop_imm(picture, x, y, w, h).to_image()
}

/// Compares the right panel with a golden image.
fn assert_panel_as_kept(window: &mut Window, name: &str) {
    window.move_to(egui::pos2(640.0, 790.0)).unwrap();
    window.settle().unwrap();
    let view = window.find("Viewport").unwrap().rect;
    let picture = window.screenshot().unwrap();
    let right = egui::Rect::from_min_max(view.right_top(), egui::pos2(SIZE[0] as f32, view.bottom()));
    golden::assert_golden(&format!("panel_{name}"), &cut(&picture, right), "window");
}

#[test]
fn panels_look_as_kept() {
    let Some(mut window) = open(&["builtin:figure"]) else { return };
    window.click("LeftLowerArm").unwrap();
    window.type_into("Rotation X", "40").unwrap();
    window.click("Wipe").unwrap();
    for tab in ["Joint", "Compare"] {
        // A menu may have the same name as a tab.
        let is_tab = |w: &window::Widget| w.name.split(' ').next() == Some(tab) && w.rect.left() > 900.0;
        let at = window.widgets().unwrap().into_iter().find(is_tab).unwrap().rect.center();
        window.click_at(at).unwrap();
        assert_panel_as_kept(&mut window, &tab.to_lowercase());
    }
}

#[test]
fn tracks_of_the_first_clip_of_the_tube_look_as_kept() {
    let Some(mut window) = open(&["builtin:tube"]) else { return };
    window.click("Wipe").unwrap();
    // Plays the first clip and pauses it, because the window doesn't settle while a clip plays.
    for pressed in [true, false, true, false] {
        let key =
            Event::Key { key: Key::Space, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
        window.events(vec![key]).unwrap();
    }
    window.type_into("Frame", "12").unwrap();
    window.click("Tracks").unwrap();
    wait_for(&mut window, "Worst frame of Volume A");
    window.click("Middle").unwrap();
    window.click("Choose tracks").unwrap();
    window.click("Rotation").unwrap();
    window.key(Modifiers::NONE, Key::Escape).unwrap();
    wait_for(&mut window, "Worst frame of Rotation");
    let plots = window.find("Time in the tracks").unwrap().rect;
    window.move_to(egui::pos2(640.0, 200.0)).unwrap();
    let picture = window.screenshot().unwrap();
    let timeline = window.find("Speed").unwrap().rect;
    let drawer = egui::Rect::from_min_max(egui::pos2(0.0, plots.top()), egui::pos2(SIZE[0] as f32, timeline.bottom()));
    golden::assert_golden("tracks", &cut(&picture, drawer), "window");
}

/// Opens a window with joint names in every script, and with these fonts in addition to its own.
fn names_of_every_script(fonts: &std::ffi::OsStr) -> Option<Window> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("頭 العربية हिन्दी.gltf");
    std::fs::write(&path, scripts::gltf(&scripts::NAMES)).unwrap();
    let home = Rc::new(tempfile::tempdir().unwrap());
    let environment = [(rigscope::fonts::FONT_PATHS, fonts)];
    let mut window = shown(Window::open_with(
        home,
        Path::new(rigscope_tests::program()),
        &[path.to_str().unwrap()],
        SIZE,
        &environment,
    ))?;
    wait_for(&mut window, scripts::NAMES[0]);
    window.move_to(egui::pos2(640.0, 790.0)).unwrap();
    Some(window)
}

fn tree_of_names(window: &mut Window) -> RgbaImage {
    let view = window.find("Viewport").unwrap().rect;
    let tree = egui::Rect::from_min_max(egui::pos2(0.0, view.top()), egui::pos2(view.left(), view.top() + 300.0));
    cut(&window.screenshot().unwrap(), tree)
}

#[test]
fn a_tree_of_names_in_every_script_looks_as_kept() {
    let Some(files) = scripts::fonts() else { return };
    let fonts = std::env::join_paths(files).unwrap();
    let Some(mut window) = names_of_every_script(&fonts) else { return };
    // Another thread searches for fonts. It usually takes about a second, and longer on a busy machine.
    let start = std::time::Instant::now();
    let mut trees = Vec::new();
    while trees.len() < 2 || start.elapsed() < PATIENCE / 4 && golden_difference("names_tree", &trees[trees.len() - 1])
    {
        std::thread::sleep(std::time::Duration::from_millis(500));
        trees.push(tree_of_names(&mut window));
    }
    assert!(window.find("letters that no installed font has").is_err());
    golden::assert_golden("names_tree", &trees[trees.len() - 1], "window");
}

/// Returns whether a screenshot differs from its golden image.
fn golden_difference(name: &str, picture: &RgbaImage) -> bool {
    let kept = image::open(golden::path(name)).map(|kept| kept.to_rgba8());
    kept.is_ok_and(|kept| golden::difference(&kept, picture, golden::tolerance("window")).is_some())
}

#[test]
fn names_without_a_font_show_boxes_and_one_notice_names_the_package() {
    let Some(mut window) = names_of_every_script("".as_ref()) else { return };
    wait_for(&mut window, "letters that no installed font has");
    let told = window.find("letters that no installed font has").unwrap();
    assert!(format!("{told:?}").contains("fonts-noto-cjk and fonts-noto-core"), "{told:?}");
    golden::assert_golden("names_tree_without_fonts", &tree_of_names(&mut window), "window");
    window.click("Dismiss").unwrap();
    window.settle().unwrap();
    assert!(window.find("letters that no installed font has").is_err(), "the warning appears once");
}
