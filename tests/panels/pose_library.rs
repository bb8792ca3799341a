//! Poses saved with a character: in real folders, through the state and through the interface.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use std::path::{Path, PathBuf};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Quat;
use program::{Program, assert_same_rotation, type_into};
use rigscope::import::Job;
use rigscope::rig::Trs;
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{
    Action, AfterLoad, Command, JobResult, LibraryCommand, LibraryPoseOptions, NoticeKind, SidePanel,
};

/// The figure, and the user's folder for its poses.
struct Trial {
    program: Program,
    home: tempfile::TempDir,
}

fn trial() -> Trial {
    let home = tempfile::tempdir().unwrap();
    let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    let mut program = Program::new(document);
    let open = &mut program.state.open;
    open.library.set_user_folder(Some(home.path().to_owned()), &open.stage.document.source);
    Trial { program, home }
}

impl Trial {
    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(format!("builtin/figure/{name}.json"))
    }

    fn kept(mut self, name: &str, turns: &[(&str, f32)]) -> Self {
        for (joint, angle) in turns {
            turn(&mut self.program, joint, *angle);
        }
        library(&mut self.program, LibraryCommand::Save(name.to_owned()));
        self.program.apply(Command::Do(Action::ResetAll));
        self
    }

    fn harness(self) -> (Harness<'static, Program>, tempfile::TempDir) {
        let Self { mut program, home } = self;
        program.apply(Command::SetSidePanel(SidePanel::Pose));
        program.list_poses();
        (program.harness([1440.0, 900.0]), home)
    }
}

fn turn(program: &mut Program, joint: &str, angle: f32) {
    let node = program.node(joint);
    program.apply(Command::Edit { node, user_local: Trs::from_rotation(Quat::from_rotation_x(angle)) });
}

fn library(program: &mut Program, command: LibraryCommand) {
    program.apply(Command::Library(command));
}

fn blend(program: &mut Program, path: &Path, share: f32, options: LibraryPoseOptions) {
    library(program, LibraryCommand::Blend { path: path.to_owned(), share, options });
}

const WHOLE: LibraryPoseOptions = LibraryPoseOptions { selected_only: false, is_mirrored: false };

fn angle(program: &Program, joint: &str) -> f32 {
    program.rotation(joint).to_axis_angle().1
}

fn names(program: &Program) -> Vec<&str> {
    program.state.open.library.cards().iter().map(|card| card.name.as_str()).collect()
}

#[test]
fn a_pose_is_saved_as_a_file_and_applied_as_one_step() {
    let Trial { mut program, home } = trial();
    turn(&mut program, "LeftLowerArm", 0.7);
    library(&mut program, LibraryCommand::Save("Bend".to_owned()));
    let path = home.path().join("builtin/figure/Bend.json");
    assert!(path.is_file() && !program.state.open.saved.is_edited(&program.state.open.stage), "it is in a file now");
    assert_eq!(names(&program), ["Bend"]);
    let kept = program.state.open.stage.pose().clone();
    program.apply(Command::Do(Action::ResetAll));
    turn(&mut program, "Head", 0.3);
    let before = program.state.open.stage.pose().clone();
    blend(&mut program, &path, 1.0, WHOLE);
    assert_eq!(*program.state.open.stage.pose(), kept, "joints that it does not name are at rest");
    assert_eq!(program.state.open.history.undo_label(), Some("Apply Bend"));
    program.apply(Command::Do(Action::Undo));
    assert_eq!(*program.state.open.stage.pose(), before);
    for bad in ["", "a/b", "..", ".hidden"] {
        library(&mut program, LibraryCommand::Save(bad.to_owned()));
        assert_eq!(program.state.notices.dismiss().map(|n| n.kind), Some(NoticeKind::Error), "{bad:?}");
    }
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "and nothing else was written");
}

#[test]
fn a_slider_goes_from_the_pose_before_and_is_one_step() {
    let Trial { mut program, home } = trial().kept("Bend", &[("LeftLowerArm", 1.0)]);
    let path = home.path().join("builtin/figure/Bend.json");
    turn(&mut program, "Head", 0.4);
    let (before, steps) = (program.state.open.stage.pose().clone(), program.state.open.history.len());
    program.apply(Command::BeginEdit);
    for share in [0.1, 0.9, 0.25] {
        blend(&mut program, &path, share, WHOLE);
        assert!((program.state.open.library.share(&program.state.open.stage, &path, WHOLE) - share).abs() < 1e-6);
    }
    program.apply(Command::EndEdit);
    assert!((angle(&program, "LeftLowerArm") - 0.25).abs() < 1e-5 && (angle(&program, "Head") - 0.3).abs() < 1e-5);
    assert_eq!(program.state.open.history.len(), steps + 1);
    assert_eq!(program.state.open.history.undo_label(), Some("Blend Bend 25 %"));
    blend(&mut program, &path, 0.0, WHOLE);
    assert_eq!(*program.state.open.stage.pose(), before, "the ends are exact");
    blend(&mut program, &path, 0.5, WHOLE);
    turn(&mut program, "Head", 0.1);
    assert_eq!(
        program.state.open.library.share(&program.state.open.stage, &path, WHOLE),
        0.0,
        "an edit on the way makes what is shown the pose before"
    );
}

#[test]
fn a_pose_is_applied_to_the_selected_joints_and_mirrored() {
    let Trial { mut program, home } = trial().kept("Bend", &[("LeftLowerArm", 1.0), ("Head", 0.5)]);
    let path = home.path().join("builtin/figure/Bend.json");
    turn(&mut program, "RightLowerLeg", 0.2);
    let arm = program.node("LeftLowerArm");
    program.apply(Command::Select(Some(arm)));
    blend(&mut program, &path, 1.0, LibraryPoseOptions { selected_only: true, ..WHOLE });
    let angles = ["LeftLowerArm", "Head", "RightLowerLeg"].map(|joint| angle(&program, joint));
    assert!((angles[0] - 1.0).abs() < 1e-5 && angles[1] == 0.0 && (angles[2] - 0.2).abs() < 1e-5, "{angles:?}");
    blend(&mut program, &path, 1.0, LibraryPoseOptions { is_mirrored: true, ..WHOLE });
    assert!((angle(&program, "RightLowerArm") - 1.0).abs() < 1e-3 && angle(&program, "LeftLowerArm") == 0.0);
}

#[test]
fn deleted_or_replaced_poses_can_be_restored() {
    let Trial { mut program, home } = trial().kept("Bend", &[("LeftLowerArm", 1.0)]);
    let path = home.path().join("builtin/figure/Bend.json");
    let first = std::fs::read(&path).unwrap();
    library(&mut program, LibraryCommand::Delete(path.clone()));
    assert!(!path.exists() && names(&program).is_empty());
    library(&mut program, LibraryCommand::Restore);
    assert_eq!((std::fs::read(&path).unwrap(), names(&program)), (first.clone(), vec!["Bend"]));
    turn(&mut program, "Head", 0.5);
    library(&mut program, LibraryCommand::Save("Bend".to_owned()));
    assert_ne!(std::fs::read(&path).unwrap(), first);
    assert!(program.state.open.library.removed.as_ref().is_some_and(|r| r.is_replaced));
    library(&mut program, LibraryCommand::Restore);
    assert_eq!(std::fs::read(&path).unwrap(), first);

    library(&mut program, LibraryCommand::Delete(path.clone()));
    std::fs::write(&path, "by somebody else").unwrap();
    library(&mut program, LibraryCommand::Restore);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "by somebody else", "nothing is written over");
    assert!(program.state.notices.dismiss().unwrap().text.contains(".trash"), "and where the deleted one is, is said");
}

#[test]
fn a_pose_gets_another_name_but_not_that_of_another() {
    let trial = trial().kept("Bend", &[("LeftLowerArm", 1.0)]).kept("Nod", &[("Head", 0.5)]);
    let [bend, nod, bow] = ["Bend", "Nod", "Bow"].map(|name| trial.path(name));
    let Trial { mut program, home: _home } = trial;
    library(&mut program, LibraryCommand::Rename(bend.clone(), "Nod".to_owned()));
    assert!(program.state.notices.dismiss().unwrap().text.contains("already") && bend.exists());
    library(&mut program, LibraryCommand::Rename(bend.clone(), "Bow".to_owned()));
    assert!(!bend.exists() && nod.exists() && bow.exists());
    assert_eq!(names(&program), ["Bow", "Nod"]);
}

#[test]
fn poses_of_a_file_are_beside_it_and_in_the_data_folder_where_that_cannot_be() {
    let (folder, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let model = folder.path().join("rig.glb");
    std::fs::write(&model, BuiltIn::Figure.bytes()).unwrap();
    let mut program = Program::new(Document::open(&Source::File(model), &Job::default()).unwrap());
    let open = &mut program.state.open;
    open.library.set_user_folder(Some(home.path().to_owned()), &open.stage.document.source);
    turn(&mut program, "Head", 0.5);
    library(&mut program, LibraryCommand::Save("Nod".to_owned()));
    let beside = folder.path().join("poses");
    assert!(beside.join("Nod.json").is_file());
    std::fs::remove_dir_all(&beside).unwrap();
    // Even with all permissions, no folder can be created in place of a file.
    std::fs::write(&beside, "no folder").unwrap();
    library(&mut program, LibraryCommand::Save("Nod".to_owned()));
    assert_eq!(names(&program), ["Nod"]);
    assert!(program.state.open.library.cards()[0].file.path.starts_with(home.path()));
}

#[test]
fn another_character_has_another_library() {
    let Trial { mut program, home: _home } = trial().kept("Nod", &[("Head", 0.5)]);
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let rig = program.state.open.stage.rig().clone();
    let listing = program.state.open.library.listing.clone().unwrap();
    program.receive(JobResult::Document(Box::new(tube), AfterLoad::Show));
    program.receive(JobResult::PosesListed(rig, listing));
    assert!(program.state.open.library.listing.is_none(), "what comes late is of another character");
    program.list_poses();
    assert!(names(&program).is_empty());
}

fn slot(harness: &Harness<'_, Program>, name: &str) -> egui::Rect {
    harness.get_by_role_and_label(Role::ListItem, name).rect()
}

fn click(harness: &mut Harness<'_, Program>, label: &str) {
    harness.get_by_label(label).click();
    harness.run();
}

#[test]
fn a_pose_is_named_and_saved_from_the_keyboard_alone() {
    let (mut harness, _home) = trial().harness();
    assert!(harness.query_by_label_contains("No saved poses").is_some(), "an empty library says what to do");
    turn(harness.state_mut(), "Head", 0.5);
    harness.run();
    harness.key_press_modifiers(Modifiers { ctrl: true, command: true, alt: true, ..Modifiers::NONE }, Key::S);
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(Event::Text("No/d".to_owned()));
    harness.run();
    assert!(harness.query_by_label_contains("cannot contain '/'").is_some());
    harness.key_press(Key::Enter);
    harness.run();
    assert!(
        harness.state().state.open.library.cards().is_empty() && harness.state().state.open.library.naming.is_some()
    );
    let head = harness.state().node("Head");
    harness.state_mut().apply(Command::Select(Some(head)));
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.state().state.open.library.naming.is_none(), "Esc leaves the field");
    assert_eq!(harness.state().state.open.stage.view.active_joint(), Some(head), "and nothing else");
    harness.state_mut().apply(Command::Do(Action::SavePoseToLibrary));
    harness.run();
    type_into(&mut harness, "Name of the pose", "Nod");
    assert_eq!(names(harness.state()), ["Nod"]);
    assert!(harness.state().state.open.library.naming.is_none());
    slot(&harness, "Nod");
    harness.state_mut().apply(Command::Do(Action::ResetAll));
    harness.run();
    harness.get_by_role_and_label(Role::ListItem, "Nod").focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert!((angle(harness.state(), "Head") - 0.5).abs() < 1e-5, "it was selected when saved: Enter applies it");
    harness.key_press(Key::Delete);
    harness.run();
    assert!(names(harness.state()).is_empty());
    click(&mut harness, "Undo");
    assert_eq!(names(harness.state()), ["Nod"]);
}

#[test]
fn a_card_is_clicked_dragged_renamed_and_deleted() {
    let trial = trial().kept("Bend", &[("LeftLowerArm", 1.0)]).kept("Nod", &[("Head", 0.5)]);
    let (mut harness, _home) = trial.harness();
    click(&mut harness, "Bend");
    assert!(!harness.state().state.open.stage.pose().is_any_posed(), "a click looks at it");
    click(&mut harness, "Apply");
    assert_same_rotation(harness.state().rotation("LeftLowerArm"), Quat::from_rotation_x(1.0));
    let slider = harness.get_by_role_and_label(Role::Slider, "To this pose").rect();
    let steps = harness.state().state.open.history.len();
    harness.drag_at(slider.right_center() - egui::vec2(60.0, 0.0));
    harness.run();
    for x in [0.4, 0.2, -0.4] {
        harness.hover_at(slider.left_center() + egui::vec2(slider.width() * x, 0.0));
        harness.run();
    }
    harness.drop_at(slider.left_center() - egui::vec2(slider.width() * 0.4, 0.0));
    harness.run();
    assert!(!harness.state().state.open.stage.pose().is_any_posed(), "back to the pose before");
    assert_eq!(harness.state().state.open.history.len(), steps + 1, "in one step");

    let at = slot(&harness, "Nod").center();
    harness.hover_at(at);
    for pressed in [true, false] {
        let modifiers = Modifiers::NONE;
        harness.event(Event::PointerButton { pos: at, button: PointerButton::Secondary, pressed, modifiers });
    }
    harness.run();
    click(&mut harness, "Rename…");
    // The old name is selected, so typing replaces it.
    harness.get_by_label("New name").type_text("Yes");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(names(harness.state()), ["Bend", "Yes"]);
    click(&mut harness, "More for this pose");
    click(&mut harness, "Delete");
    assert_eq!(names(harness.state()), ["Bend"]);
    assert!(harness.query_by_label("Deleted Yes").is_some());
    click(&mut harness, "Undo");
    assert_eq!(names(harness.state()), ["Bend", "Yes"]);
    assert!(harness.query_by_label("Deleted Yes").is_none());
}

#[test]
fn many_poses_have_a_filter_and_a_broken_one_its_error() {
    let trial = trial().kept("Pose 0", &[("Head", 0.5)]);
    let folder = trial.path("x").parent().unwrap().to_owned();
    for number in 1..8 {
        std::fs::copy(trial.path("Pose 0"), folder.join(format!("Pose {number}.json"))).unwrap();
    }
    std::fs::write(folder.join("Aged.json"), r#"{"version":7}"#).unwrap();
    let (mut harness, _home) = trial.harness();
    click(&mut harness, "Aged");
    assert!(harness.query_by_label_contains("has version 7").is_some());
    assert!(harness.query_by_label("Apply").is_none(), "there is nothing to apply");
    type_into(&mut harness, "Filter poses", "pose 3");
    slot(&harness, "Pose 3");
    assert!(harness.query_by_role_and_label(Role::ListItem, "Pose 0").is_none());
}
