//! Ten common tasks in the real window. An image of each is written to `target/soak`.

use std::io::Result;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, vec2};
use rigscope::stage::{BuiltIn, Session};
use rigscope_tests::OTHER_PROGRAM;

use crate::window::Window;

/// A report takes long in a debug build, and longer on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);

const COMMAND: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

/// Name of the image, and the actions before it is taken.
type Task = (&'static str, fn(&mut Window, &Path) -> Result<()>);

#[test]
#[ignore = "part of `make soak`"]
fn ten_tasks_are_done_in_the_real_window() {
    let folder = tempfile::tempdir().unwrap();
    for (name, character) in [("hero.glb", BuiltIn::Figure), ("tube.glb", BuiltIn::Tube)] {
        std::fs::write(folder.path().join(name), character.bytes()).unwrap();
    }
    let mut window = Window::open(Path::new(rigscope_tests::program()), &["builtin:tube"], [1280, 800]).unwrap();
    let tasks: [Task; 10] = [
        ("01-open", open),
        ("02-find-a-joint", find_a_joint),
        ("03-pose", pose),
        ("04-undo", undo),
        ("05-compare", compare),
        ("06-probe", probe),
        ("07-test", test),
        ("08-play", play),
        ("09-save-a-session", save_a_session),
        ("10-report", report),
    ];
    let pictures = Path::new(rigscope_tests::ROOT).join("target/soak");
    std::fs::create_dir_all(&pictures).unwrap();
    for (name, task) in tasks {
        let start = Instant::now();
        let done = task(&mut window, folder.path());
        window.screenshot().unwrap().save(pictures.join(name).with_extension("png")).unwrap();
        done.unwrap_or_else(|problem| panic!("{name}: {problem}"));
        eprintln!("{name}: done in {:.1} s", start.elapsed().as_secs_f32());
    }
}

/// Opens a file by its path, because this desktop has no dialogs.
fn open(window: &mut Window, folder: &Path) -> Result<()> {
    window.key(COMMAND, Key::O)?;
    answer(window, &folder.join("hero.glb"))?;
    wait_for(window, "LeftLowerArm")
}

fn find_a_joint(window: &mut Window, _: &Path) -> Result<()> {
    window.key(COMMAND, Key::F)?;
    window.events(vec![Event::Text("lower".to_owned())])?;
    window.settle()?;
    assert!(window.find("Head").is_err(), "the tree shows what was asked for alone");
    window.click("LeftLowerArm")?;
    assert!(window.find("Rotation X")?.value.starts_with('0'), "the joint is selected, at rest");
    Ok(())
}

fn pose(window: &mut Window, _: &Path) -> Result<()> {
    window.type_into("Rotation X", "80")?;
    assert!(window.find("Rotation X")?.value.starts_with("80"));
    Ok(())
}

fn undo(window: &mut Window, _: &Path) -> Result<()> {
    window.key(COMMAND, Key::Z)?;
    assert!(window.find("Rotation X")?.value.starts_with('0'), "undone");
    window.key(COMMAND | Modifiers::SHIFT, Key::Z)?;
    assert!(window.find("Rotation X")?.value.starts_with("80"), "done again");
    Ok(())
}

fn compare(window: &mut Window, _: &Path) -> Result<()> {
    window.click("Wipe")?;
    open_tab(window, "Compare")?;
    window.click("Overlay on A")?;
    window.click("Distance between A and B")?;
    wait_for(window, "Range of A")
}

fn probe(window: &mut Window, _: &Path) -> Result<()> {
    window.click("Single")?;
    window.key(Modifiers::NONE, Key::F)?;
    window.key(Modifiers::NONE, Key::K)?;
    let view = window.find("Viewport")?.rect;
    window.click_at(view.center() + vec2(-16.0, -26.0))?;
    wait_for(window, "Vertex ")
}

fn test(window: &mut Window, _: &Path) -> Result<()> {
    window.key(Modifiers::NONE, Key::K)?;
    window.key(Modifiers::NONE, Key::T)?;
    wait_for(window, "Plot of the test")
}

fn play(window: &mut Window, _: &Path) -> Result<()> {
    window.key(Modifiers::NONE, Key::T)?;
    window.click("Clip")?;
    let walk = window.find("walk")?.rect.center();
    let press = |pressed| Event::PointerButton {
        pos: walk,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    // Stops the clip, which plays as soon as it is chosen; the window doesn't settle before that.
    for event in [Event::PointerMoved(walk), press(true), press(false)] {
        window.events(vec![event])?;
    }
    std::thread::sleep(Duration::from_millis(700));
    let early = window.find("Frame")?.value;
    std::thread::sleep(Duration::from_millis(300));
    let late = window.find("Frame")?.value;
    window.key(Modifiers::NONE, Key::Space)?;
    assert_ne!(early, late, "time goes on");
    Ok(())
}

fn save_a_session(window: &mut Window, folder: &Path) -> Result<()> {
    window.click("File")?;
    window.click("Save session…")?;
    let path = folder.join("my.session.json");
    answer(window, &path)?;
    wait_until(|| path.is_file(), "the session is not written")?;
    assert!(Session::read(&path).is_ok());
    Ok(())
}

/// Writes a report about the tube, because a debug build takes minutes for the figure. The session has the pose, so no question is asked.
fn report(window: &mut Window, folder: &Path) -> Result<()> {
    window.key(COMMAND, Key::O)?;
    answer(window, &folder.join("tube.glb"))?;
    wait_for(window, "Middle")?;
    window.click("File")?;
    window.click("Save report…")?;
    let path = folder.join("report.html");
    answer(window, &path)?;
    wait_until(|| path.is_file(), "the report is not written")?;
    wait_for(window, "The report was saved")?;
    assert!(std::fs::read_to_string(&path)?.contains("<h1>tube.glb</h1>"));
    Ok(())
}

/// Types a path into the dialog that asks for one.
fn answer(window: &mut Window, path: &Path) -> Result<()> {
    if std::env::var_os(OTHER_PROGRAM).is_some() {
        return answer_native(window, path);
    }
    wait_for(window, "Path")?;
    window.key(COMMAND, Key::A)?;
    window.events(vec![Event::Text(path.display().to_string())])?;
    // Doesn't wait until the window settles, because it doesn't while a job reports progress.
    let enter = |pressed| Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    window.events(vec![enter(true), enter(false)])
}

/// Types a path into the file dialog of Windows. Wine's drive Z is the root folder.
fn answer_native(window: &Window, path: &Path) -> Result<()> {
    let path = format!("Z:{}", path.display()).replace('/', "\\");
    let desktop = |words: &[&str]| {
        let done = Command::new("xdotool").args(words).env("DISPLAY", &window.display_name).status();
        done.is_ok_and(|status| status.success())
    };
    // A dialog that has just appeared can't be focused yet.
    let focus = ["search", "--onlyvisible", "--name", "^(Open|Save) ", "windowfocus", "--sync"];
    wait_until(|| desktop(&focus), "no dialog came")?;
    std::thread::sleep(Duration::from_secs(1));
    let keys: [&[&str]; 3] =
        [&["key", "alt+n", "Home", "shift+End"], &["type", "--delay", "30", &path], &["key", "Return"]];
    if keys.into_iter().all(desktop) { Ok(()) } else { Err(std::io::Error::other("xdotool failed")) }
}

/// Opens a tab of the right panel. Takes the last widget with the name, because a menu has the same name.
fn open_tab(window: &mut Window, name: &str) -> Result<()> {
    let tab = window.widgets()?.into_iter().rfind(|w| w.name == name);
    let tab = tab.ok_or_else(|| std::io::Error::other(format!("no tab is named {name}")))?;
    window.click_at(tab.rect.center())
}

fn wait_for(window: &mut Window, name: &str) -> Result<()> {
    wait_until(|| window.find(name).is_ok(), &format!("no {name:?} came"))
}

fn wait_until(mut is_so: impl FnMut() -> bool, otherwise: &str) -> Result<()> {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() > PATIENCE {
            return Err(std::io::Error::other(otherwise));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
