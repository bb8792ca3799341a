//! The dialog that asks for a path if the desktop has no file dialog, in the whole interface.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use std::path::Path;

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Quat;
use program::{Program, program};
use rigscope::import::Job;
use rigscope::rig::Trs;
use rigscope::stage::{BuiltIn, Document, Source, VideoFormat};
use rigscope::state::{
    Action, AfterLoad, Command, ExportKind, JobResult, NumberTable, PathCommand, PathQuestion, PathUse, Request,
    WindowRequest,
};
use rigscope::view::Side;

type Hands = Harness<'static, Program>;

/// Returns a window with the figure and a bent arm.
fn posed() -> Hands {
    let mut hands = program(BuiltIn::Figure);
    let node = hands.state().node("LeftLowerArm");
    let user_local = Trs::from_rotation(Quat::from_rotation_x(0.5));
    hands.state_mut().apply(Command::Edit { node, user_local });
    hands.run();
    hands
}

/// Asks for a path in a folder, as on a desktop without file dialogs.
fn ask(hands: &mut Hands, purpose: PathUse, folder: &Path, name: &str) {
    let question = PathQuestion { purpose, folder: folder.to_owned(), name: name.to_owned() };
    hands.state_mut().apply(Command::Path(PathCommand::Ask(question)));
    hands.run();
    hands.get_by_label(purpose.title());
}

fn field(hands: &Hands) -> String {
    hands.get_by_label("Path").value().unwrap()
}

fn write(hands: &mut Hands, text: &str) {
    hands.event(Event::Text(text.to_owned()));
    hands.run();
}

fn press(hands: &mut Hands, key: Key) {
    hands.key_press(key);
    hands.run();
}

fn is_asking(hands: &Hands) -> bool {
    hands.query_by_label("Path").is_some()
}

#[test]
fn a_pose_is_saved_by_typing_its_name_and_opened_by_a_click() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = posed();
    ask(&mut hands, PathUse::SavePose, folder.path(), "figure.pose.json");
    assert_eq!(field(&hands), folder.path().join("figure.pose.json").to_str().unwrap());
    write(&mut hands, "bow");
    assert_eq!(field(&hands), folder.path().join("bow.pose.json").to_str().unwrap(), "the suggested name is selected");
    press(&mut hands, Key::Enter);
    assert!(!is_asking(&hands) && folder.path().join("bow.pose.json").is_file());
    assert!(!hands.state().state.open.saved.is_edited(&hands.state().state.open.stage), "it is saved");

    std::fs::write(folder.path().join("other.txt"), "").unwrap();
    hands.state_mut().apply(Command::Do(Action::ResetAll));
    hands.state_mut().apply(Command::Do(Action::OpenPose));
    let Some(Request::Window(WindowRequest::PickPath(question))) = hands.state().requests.last().cloned() else {
        panic!("nothing is asked")
    };
    assert_eq!(question.folder, folder.path(), "the folder of before");
    hands.state_mut().apply(Command::Path(PathCommand::Ask(question)));
    hands.run();
    assert!(hands.query_by_label("other.txt").is_none(), "what cannot be opened is not offered");
    hands.get_by_label("bow.pose.json").click();
    hands.run();
    assert!(!is_asking(&hands) && hands.state().state.open.stage.pose().is_any_posed());
}

#[test]
fn every_question_is_answered_by_the_field() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = posed();
    hands.state_mut().apply(Command::Do(Action::RankJoints));
    for (purpose, name) in [
        (PathUse::SavePose, "a.pose.json"),
        (PathUse::SaveSession, "a.session.json"),
        (PathUse::SaveNumbers(NumberTable::Ranking), "a.csv"),
    ] {
        ask(&mut hands, purpose, folder.path(), name);
        press(&mut hands, Key::Enter);
        assert!(!is_asking(&hands) && folder.path().join(name).is_file(), "{name}");
    }
    ask(&mut hands, PathUse::SaveImage, folder.path(), "a.png");
    press(&mut hands, Key::Enter);
    assert_eq!(
        hands.state().requests.last(),
        Some(&Request::Window(WindowRequest::SaveImage(folder.path().join("a.png"))))
    );
    ask(&mut hands, PathUse::Export(ExportKind::Mesh(Side::A)), folder.path(), "a.obj");
    press(&mut hands, Key::Enter);
    let asked = hands.state().requests.last();
    assert!(matches!(asked, Some(Request::Export(saving)) if saving.path == folder.path().join("a.obj")), "{asked:?}");
    std::fs::write(folder.path().join("a.glb"), "").unwrap();
    for (purpose, name) in [(PathUse::OpenRig, "a.glb"), (PathUse::OpenSession, "a.session.json")] {
        ask(&mut hands, purpose, folder.path(), "");
        write(&mut hands, name);
        press(&mut hands, Key::Enter);
        assert!(!is_asking(&hands), "{name}");
        let request = hands.state().requests.last().cloned();
        match (purpose, request) {
            (PathUse::OpenRig, Some(Request::Load { source: Source::File(path), .. })) => {
                assert_eq!(path, folder.path().join(name));
            }
            (_, Some(Request::Load { then: AfterLoad::Restore(_), .. })) => {}
            (_, other) => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_file_is_written_over_only_when_asked_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    std::fs::write(&path, "precious").unwrap();
    let mut hands = posed();
    ask(&mut hands, PathUse::SavePose, folder.path(), "mine.json");
    press(&mut hands, Key::Enter);
    hands.get_by_label_contains("mine.json exists");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
    write(&mut hands, "x");
    assert!(hands.query_by_label_contains(" exists. ").is_none(), "that was of another name");
    press(&mut hands, Key::Escape);
    assert!(!is_asking(&hands));
    ask(&mut hands, PathUse::SavePose, folder.path(), "mine.json");
    press(&mut hands, Key::Enter);
    hands.get_by_label("Replace").click();
    hands.run();
    assert!(!is_asking(&hands) && std::fs::read_to_string(&path).unwrap().contains("LeftLowerArm"));
}

#[test]
fn invalid_input_is_explained_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = posed();
    for (purpose, typed, told) in [
        (PathUse::SavePose, "no/such/a.json", "There is no folder"),
        (PathUse::OpenPose, "a.json", "does not exist"),
        (PathUse::OpenPose, "", "is a folder; add the name of a file"),
    ] {
        ask(&mut hands, purpose, folder.path(), "");
        write(&mut hands, typed);
        press(&mut hands, Key::Enter);
        assert!(hands.query_by_label_contains(told).is_some(), "{told}");
        press(&mut hands, Key::Escape);
        assert!(!is_asking(&hands));
    }
    assert!(hands.state().state.open.saved.is_edited(&hands.state().state.open.stage), "nothing was saved");
}

#[test]
fn tab_completes_and_enter_goes_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("rigs")).unwrap();
    for name in ["rigs/knight_a.glb", "rigs/knight_b.glb", "rigs/notes.txt", "rigs/.hidden.glb"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let mut hands = program(BuiltIn::Figure);
    ask(&mut hands, PathUse::OpenRig, folder.path(), "");
    write(&mut hands, "rigs");
    press(&mut hands, Key::Enter);
    let rigs = format!("{}{}", folder.path().join("rigs").display(), std::path::MAIN_SEPARATOR);
    assert_eq!(field(&hands), rigs);
    for (name, is_offered) in [("knight_a.glb", true), ("notes.txt", false), (".hidden.glb", false)] {
        assert_eq!(hands.query_by_label(name).is_some(), is_offered, "{name}");
    }
    write(&mut hands, "KN");
    press(&mut hands, Key::Tab);
    assert_eq!(field(&hands), format!("{rigs}knight_"));
    write(&mut hands, "b");
    press(&mut hands, Key::Tab);
    press(&mut hands, Key::Enter);
    assert!(matches!(hands.state().requests.last(), Some(Request::Load { source: Source::File(path), .. })
        if path.ends_with("knight_b.glb")));
}

#[test]
fn the_arrows_walk_the_list_one_match_is_opened_by_enter_and_tab_completes_what_comes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("more")).unwrap();
    for name in ["ape.glb", "bear.glb", "more/cat.glb"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let opened = |hands: &Hands| match hands.state().requests.last() {
        Some(Request::Load { source: Source::File(path), .. }) => path.strip_prefix(folder.path()).unwrap().to_owned(),
        other => panic!("{other:?}"),
    };
    let mut hands = program(BuiltIn::Figure);
    ask(&mut hands, PathUse::OpenRig, folder.path(), "");
    write(&mut hands, "b");
    press(&mut hands, Key::Enter);
    assert_eq!(opened(&hands), Path::new("bear.glb"), "the only match");

    ask(&mut hands, PathUse::OpenRig, folder.path(), "");
    for _ in 0..2 {
        press(&mut hands, Key::ArrowDown);
    }
    press(&mut hands, Key::ArrowUp);
    press(&mut hands, Key::Enter);
    let entered = field(&hands).ends_with(std::path::MAIN_SEPARATOR);
    if entered {
        // Folders come first.
        press(&mut hands, Key::ArrowDown);
        press(&mut hands, Key::Enter);
        assert_eq!(opened(&hands), Path::new("more").join("cat.glb"));
    } else {
        assert_eq!(opened(&hands), Path::new("ape.glb"));
    }

    ask(&mut hands, PathUse::OpenRig, folder.path(), "");
    // Typed faster than frames are drawn: another folder, a name, Tab.
    let text = format!("more{}c", std::path::MAIN_SEPARATOR);
    hands.event(Event::Text(text));
    hands.key_press(Key::Tab);
    hands.run();
    assert!(field(&hands).ends_with("cat.glb"), "{}", field(&hands));

    ask(&mut hands, PathUse::SavePose, folder.path(), "");
    write(&mut hands, "b");
    press(&mut hands, Key::Enter);
    assert!(!is_asking(&hands) && folder.path().join("b").is_file(), "a file is saved by the name that was typed");
}

#[test]
fn another_character_takes_the_question_away_and_the_same_read_again_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = posed();
    ask(&mut hands, PathUse::SavePose, folder.path(), "figure.pose.json");
    let read = |built_in| Box::new(Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap());
    hands.state_mut().receive(JobResult::Document(read(BuiltIn::Figure), AfterLoad::Reload { is_asked: false }));
    hands.run();
    assert!(is_asking(&hands));
    hands.state_mut().apply(Command::Do(Action::ResetAll));
    hands.state_mut().receive(JobResult::Document(read(BuiltIn::Tube), AfterLoad::Show));
    hands.run();
    assert!(!is_asking(&hands), "the name was of another character");
}

#[test]
fn no_key_acts_behind_the_field_and_the_question_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = posed();
    hands.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    hands.run();
    press(&mut hands, Key::Enter);
    let Some(Request::Window(WindowRequest::PickPath(question))) = hands.state().requests.last().cloned() else {
        panic!("nothing is asked")
    };
    let question = PathQuestion { folder: folder.path().to_owned(), ..question };
    hands.state_mut().apply(Command::Path(PathCommand::Ask(question.clone())));
    hands.run();
    for key in [Key::M, Key::C, Key::G, Key::F1] {
        press(&mut hands, key);
    }
    let state = &hands.state().state;
    assert!(state.question.is_some() && state.open.stage.view.sides.a.skinning.method.label() == "LBS");
    press(&mut hands, Key::Escape);
    assert!(hands.state().state.question.is_some(), "back to the question");
    hands.state_mut().apply(Command::Path(PathCommand::Ask(question)));
    hands.run();
    press(&mut hands, Key::Enter);
    assert_eq!(hands.state().requests.last(), Some(&Request::Window(WindowRequest::Quit)), "saved, and then closed");
}

#[test]
fn unwritable_name_is_reported_before_the_dialog_closes() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = posed();
    for (purpose, name) in [
        (PathUse::SaveImage, "a.bmp"),
        (PathUse::SaveVideo(VideoFormat::Animated), "a.avi"),
        (PathUse::Export(ExportKind::Mesh(Side::A)), "a.fbx"),
        (PathUse::Export(ExportKind::Rig), "a.gltf"),
    ] {
        ask(&mut hands, purpose, folder.path(), name);
        press(&mut hands, Key::Enter);
        assert!(is_asking(&hands), "{name}");
        assert!(hands.query_by_label_contains("⛔").is_some(), "{name}");
        press(&mut hands, Key::Escape);
    }
}

#[test]
fn a_click_goes_into_the_folder_above_or_below_and_the_cursor_stays_in_the_text() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    let mut hands = posed();
    ask(&mut hands, PathUse::SavePose, &folder.path().join("deep"), "bow.json");
    hands.get_by_label("⬆ Parent folder").click();
    hands.run();
    assert_eq!(field(&hands), folder.path().join("bow.json").to_str().unwrap(), "the name stays");
    write(&mut hands, "x");
    assert_eq!(field(&hands), folder.path().join("bow.jsonx").to_str().unwrap());
    press(&mut hands, Key::Escape);
    ask(&mut hands, PathUse::OpenPose, folder.path(), "");
    hands.get_by_label("deep").click();
    hands.run();
    write(&mut hands, "bow");
    assert_eq!(field(&hands), folder.path().join("deep/bow").to_str().unwrap());
    // In the middle of the text, Tab completes nothing and doesn't move the focus.
    for _ in 0..3 {
        press(&mut hands, Key::ArrowLeft);
    }
    for _ in 0..2 {
        press(&mut hands, Key::Tab);
    }
    write(&mut hands, "a ");
    assert_eq!(field(&hands), folder.path().join("deep/a bow").to_str().unwrap());
}

#[test]
fn a_folder_that_is_not_read_yet_is_not_called_empty() {
    let folder = tempfile::tempdir().unwrap();
    let mut hands = program(BuiltIn::Tube);
    ask(&mut hands, PathUse::OpenRig, folder.path(), "");
    assert!(hands.query_by_label("No matching files").is_some());
    hands.state_mut().state.paths.prompt.as_mut().unwrap().listing = None;
    hands.run();
    assert!(hands.query_by_label("No matching files").is_none());
    assert!(hands.query_by_label("Reading the folder…").is_some());
}
