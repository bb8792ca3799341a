use std::path::PathBuf;
use std::sync::mpsc::Receiver;

use super::*;
use crate::jobs::testing::{jobs, outcome};
use crate::jobs::{Outcome, Task};
use crate::rig::{RigData, Trs};
use crate::stage::{Derived, LintPlan};
use crate::state::{ConfirmAnswer, ExportKind, PathUse, SidePanel};
use crate::view::{Layout, Side};

struct Trial {
    headless: HeadlessApp,
    data: tempfile::TempDir,
    news: Receiver<()>,
    asked: Vec<WindowRequest>,
}

fn trial(sources: Vec<Source>) -> Trial {
    trial_in(tempfile::tempdir().unwrap(), Startup { sources, side_b: ShownFile::Open })
}

fn trial_in(data: tempfile::TempDir, opened: Startup) -> Trial {
    let (jobs, news) = jobs();
    let headless = HeadlessApp::new(jobs, Some(data.path()), opened, 1 << 30).unwrap();
    Trial { headless, data, news, asked: Vec::new() }
}

impl Trial {
    fn frame(&mut self) {
        self.headless.exchange();
        self.asked.extend(self.headless.apply().requests);
        self.headless.follow();
        self.headless.upload(|document| Ok::<f32, String>(if document.is_some() { 1.0 } else { 0.0 }));
    }

    /// Runs frames until a condition holds. Between frames, waits briefly for a wake-up or a command, as a window does.
    fn until(&mut self, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..5000 {
            self.frame();
            if is_so(self) {
                return;
            }
            _ = self.news.recv_timeout(Duration::from_millis(20));
        }
        panic!("it never was; notice: {:?}", self.headless.state.notices);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.data.path().join(name)
    }

    fn turn_root(&mut self) {
        let node = self.headless.state.open.stage.rig().skins[0].joints[0];
        let user_local = Trs::from_rotation(glam::Quat::from_rotation_x(0.5));
        self.headless.commands.push(Command::Edit { node, user_local });
        self.frame();
    }

    fn name(&self) -> String {
        self.headless.state.open.stage.document.source.name()
    }

    fn notice(&self) -> &str {
        self.headless.state.notices.newest().map_or("", |n| &n.text)
    }
}

fn tube() -> Source {
    Source::BuiltIn(BuiltIn::Tube)
}

fn broken(folder: &Path) -> Source {
    let path = folder.join("broken.glb");
    std::fs::write(&path, "glTF but not really").unwrap();
    Source::File(path)
}

#[test]
fn a_file_of_the_command_line_is_opened_looked_at_and_measured() {
    let mut trial = trial(vec![tube()]);
    trial.until(|t| t.name() == tube().name());
    trial.until(|t| t.headless.state.open.stage.lint.findings.is_some());
    trial.headless.commands.push(Command::Do(Action::LayoutWipe));
    trial.until(|t| t.headless.state.open.stage.measured.result().is_some());
}

#[test]
fn looking_around_needs_no_frame_for_jobs() {
    let mut trial = trial(Vec::new());
    trial.frame();
    let orbit = Command::Orbit { yaw: 0.1, pitch: 0.0 };
    for (command, may_start_jobs) in [
        (Command::Hover(None), false),
        (orbit, false),
        (Command::SetLayout(Layout::Wipe), true),
        (Command::Select(None), true),
    ] {
        let name = format!("{command:?}");
        trial.headless.commands.push(command);
        let applied = trial.headless.apply();
        assert_eq!((applied.is_any, applied.may_start_jobs), (true, may_start_jobs), "{name}");
    }
}

#[test]
fn nothing_stands_in_for_a_file_of_the_command_line_that_can_be_opened() {
    let mut trial = trial(vec![tube()]);
    assert_eq!(trial.headless.state.open.stage.rig().vertex_count(), 0, "the figure is not read in vain");
    trial.until(|t| t.name() == tube().name());
    trial.frame();
    assert_eq!(trial.name(), tube().name());
}

#[test]
fn the_figure_stands_in_for_a_file_of_the_command_line_that_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let mut trial = trial(vec![broken(folder.path())]);
    trial.until(|t| t.headless.state.open.stage.rig().vertex_count() > 0);
    assert_eq!(trial.name(), FIGURE.name());
    trial.until(|t| t.notice().contains("was not opened"));
    (0..3).for_each(|_| trial.frame());
    assert!(trial.notice().contains("broken.glb"), "the reason is still told: {}", trial.notice());
}

#[test]
fn the_figure_stands_in_for_a_file_of_the_command_line_that_is_cancelled_or_cannot_be_drawn() {
    let mut cancelled = trial(vec![tube()]);
    cancelled.frame();
    cancelled.headless.fulfil(Request::CancelLoad);
    cancelled.until(|t| t.name() == FIGURE.name() && t.headless.state.open.stage.rig().vertex_count() > 0);

    let mut undrawn = trial(vec![tube()]);
    undrawn.headless.state.open.stage.view.is_dragging = true;
    undrawn.until(|t| t.headless.arriving.is_some());
    undrawn.headless.state.open.stage.view.is_dragging = false;
    assert!(undrawn.headless.upload(|_| Err("The graphics card is full.")));
    undrawn.until(|t| t.name() == FIGURE.name() && t.headless.state.open.stage.rig().vertex_count() > 0);
    assert!(undrawn.notice().contains("The graphics card is full."), "{}", undrawn.notice());
}

#[test]
fn broken_file_keeps_the_open_file_and_reports_the_reason() {
    let mut trial = trial(Vec::new());
    let source = broken(trial.data.path());
    let before = trial.name();
    trial.headless.commands.push(Command::Open(source));
    trial.until(|t| t.notice().contains("was not opened"));
    assert_eq!(trial.name(), before);
}

#[test]
fn a_character_that_cannot_be_drawn_leaves_what_is_open() {
    let mut trial = trial(Vec::new());
    trial.headless.state.open.stage.view.is_dragging = true;
    trial.headless.commands.push(Command::Open(tube()));
    trial.until(|t| t.headless.arriving.is_some());
    trial.headless.state.open.stage.view.is_dragging = false;
    let before = trial.name();
    assert!(trial.headless.upload(|_| Err("The graphics card is full.")));
    trial.frame();
    assert!(trial.notice().contains("The graphics card is full.") && trial.name() == before);
}

#[test]
fn a_character_is_not_shown_while_a_handle_is_dragged() {
    let mut trial = trial(Vec::new());
    trial.headless.state.open.stage.view.is_dragging = true;
    trial.headless.commands.push(Command::Open(tube()));
    trial.until(|t| t.headless.arriving.is_some());
    trial.frame();
    assert_ne!(trial.name(), tube().name());
    trial.headless.state.open.stage.view.is_dragging = false;
    trial.until(|t| t.name() == tube().name());
}

#[test]
fn closing_asks_saves_beside_the_frames_and_only_then_closes() {
    let mut trial = trial(Vec::new());
    assert!(trial.headless.may_close());
    trial.turn_root();
    assert!(!trial.headless.may_close());
    trial.frame();
    assert!(trial.headless.state.question.is_some() && trial.asked.is_empty());
    trial.headless.commands.push(Command::Answer(ConfirmAnswer::Save));
    trial.frame();
    assert!(
        matches!(&trial.asked[..], [WindowRequest::PickPath(asked)] if asked.purpose == PathUse::SavePose),
        "{:?}",
        trial.asked
    );
    let path = trial.path("pose.json");
    trial.headless.commands.push(Command::UsePath(PathUse::SavePose, path.clone()));
    trial.until(|t| t.asked.last() == Some(&WindowRequest::Quit));
    assert!(path.is_file() && !trial.headless.state.open.saved.is_edited(&trial.headless.state.open.stage));
}

#[test]
fn pending_file_jobs_finish_before_exit() {
    let mut trial = trial(Vec::new());
    trial.turn_root();
    let (pose, session) = (trial.path("pose.json"), trial.path("session.json"));
    trial.headless.commands.push(Command::UsePath(PathUse::SavePose, pose.clone()));
    trial.headless.commands.push(Command::UsePath(PathUse::SaveSession, session.clone()));
    trial.headless.state.settings.reload_on_change ^= true;
    trial.frame();
    trial.headless.finish();
    assert!(pose.is_file() && session.is_file() && trial.path("settings.json").is_file());
}

#[test]
fn an_edited_pose_that_was_discarded_is_found_again() {
    let mut trial = trial(Vec::new());
    trial.turn_root();
    let pose = trial.headless.state.open.stage.pose().clone();
    trial.headless.commands.extend([Command::Open(tube()), Command::Answer(ConfirmAnswer::Discard)]);
    trial.until(|t| t.name() == tube().name());
    trial.until(|t| {
        std::fs::read_dir(t.path("sessions"))
            .unwrap()
            .flatten()
            .any(|e| e.file_name().to_string_lossy().starts_with("kept"))
    });
    trial.headless.commands.push(Command::Do(Action::RestoreSession));
    trial.until(|t| *t.headless.state.open.stage.pose() == pose);
}

#[test]
fn a_pose_that_show_me_leaves_is_found_again() {
    let mut trial = trial(Vec::new());
    trial.turn_root();
    let pose = trial.headless.state.open.stage.pose().clone();
    trial.headless.commands.push(Command::ShowMe(crate::state::ShowMe::CandyWrapper));
    trial.until(|t| t.name() == tube().name());
    trial.headless.commands.push(Command::Do(Action::ResetAll));
    trial.headless.commands.push(Command::Do(Action::RestoreSession));
    trial.until(|t| *t.headless.state.open.stage.pose() == pose);
}

#[test]
fn a_pose_behind_the_tour_that_show_me_leaves_is_found_again() {
    let mut trial = trial(Vec::new());
    trial.turn_root();
    let pose = trial.headless.state.open.stage.pose().clone();
    trial.headless.commands.push(Command::Do(Action::StartTour));
    trial.until(|t| t.headless.state.tour.is_some());
    trial.headless.commands.push(Command::ShowMe(crate::state::ShowMe::CandyWrapper));
    trial.until(|t| t.headless.state.tour.is_none() && t.name() == tube().name());
    trial.headless.commands.push(Command::Do(Action::ResetAll));
    trial.headless.commands.push(Command::Do(Action::RestoreSession));
    trial.until(|t| *t.headless.state.open.stage.pose() == pose);
}

#[test]
fn a_tour_is_not_looked_at_by_lint_and_what_was_open_is_afterwards() {
    let mut trial = trial(Vec::new());
    trial.headless.commands.push(Command::Do(Action::StartTour));
    trial.until(|t| t.headless.state.tour.is_some());
    trial.frame();
    assert!(trial.headless.state.open.stage.progress.get::<LintPlan>().is_none());
    assert!(trial.headless.state.open.stage.lint.is_awaited(&trial.headless.state.open.stage.requests));
    trial.headless.commands.push(Command::Do(Action::LeaveTour));
    trial.until(|t| t.headless.state.open.stage.lint.findings.is_some());
}

#[test]
fn poses_of_the_library_are_listed_once_they_are_looked_at() {
    let mut trial = trial(Vec::new());
    trial.turn_root();
    trial.headless.commands.push(Command::Library(crate::state::LibraryCommand::Save("Bow".to_owned())));
    trial.headless.commands.push(Command::SetSidePanel(SidePanel::Pose));
    trial.until(|t| t.headless.state.open.library.cards().len() == 1);
    assert!(trial.path("poses/builtin").is_dir());
}

#[test]
fn read_only_data_folder_is_reported_once_a_file_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::write(&data, "a file in its place").unwrap();
    let (jobs, news) = jobs();
    let headless =
        HeadlessApp::new(jobs, Some(&data), Startup { sources: vec![tube()], side_b: ShownFile::Open }, 1 << 30)
            .unwrap();
    let mut trial = Trial { headless, data: folder, news, asked: Vec::new() };
    trial.until(|t| t.name() == tube().name());
    trial.until(|t| t.notice().contains("What you pose is not kept"));
    assert!(trial.notice().contains(&*data.to_string_lossy()) && trial.notice().contains("Save pose"));
    trial.headless.state.settings.reload_on_change ^= true;
    trial.until(|t| t.notice().contains("settings were not saved"));
    assert!(trial.notice().contains("What you pose is not kept"), "what is still shown stays");
    trial.headless.commands.push(Command::DismissNotice);
    (0..3).for_each(|_| trial.frame());
    assert_eq!(trial.notice(), "");
}

#[test]
fn a_posed_mesh_is_exported_beside_the_frames_and_never_over_the_open_file() {
    let mut trial = trial(Vec::new());
    let own = trial.path("own.glb");
    std::fs::write(&own, BuiltIn::Tube.bytes()).unwrap();
    trial.headless.commands.push(Command::Open(Source::File(own.clone())));
    trial.until(|t| t.name() == "own.glb");
    trial.headless.commands.push(Command::Do(Action::ExportMesh));
    trial.frame();
    let [WindowRequest::PickPath(asked)] = &trial.asked[..] else { panic!("{:?}", trial.asked) };
    assert_eq!((asked.purpose, asked.name.as_str()), (PathUse::Export(ExportKind::Mesh(Side::A)), "own.posed.glb"));
    trial.headless.commands.push(Command::UsePath(PathUse::Export(ExportKind::Mesh(Side::A)), own.clone()));
    trial.until(|t| t.notice().contains("would be lost"));
    assert_eq!(std::fs::read(&own).unwrap(), BuiltIn::Tube.bytes());
    let baked = trial.path("own.posed.ply");
    trial.turn_root();
    trial.headless.commands.push(Command::UsePath(PathUse::Export(ExportKind::Mesh(Side::A)), baked.clone()));
    trial.until(|t| t.notice().starts_with("The posed mesh was saved as "));
    assert!(trial.notice().contains(&*baked.to_string_lossy()) && baked.is_file());
    trial.headless.commands.push(Command::Do(Action::ExportRig));
    trial.until(|t| {
        t.asked
            .iter()
            .any(|asked| matches!(asked, WindowRequest::PickPath(q) if q.purpose == PathUse::Export(ExportKind::Rig)))
    });
    let whole = trial.path("own.rig.glb");
    trial.headless.commands.push(Command::UsePath(PathUse::Export(ExportKind::Rig), whole.clone()));
    trial.until(|t| t.notice().starts_with("The rig was saved as "));
    assert_eq!(Document::open(&Source::File(whole), &Job::default()).unwrap().rig.joint_count(), 4);
    trial.headless.commands.push(Command::UsePath(PathUse::Export(ExportKind::Rig), own.clone()));
    trial.until(|t| t.notice().contains("would be lost"));
    let page = trial.path("own.html");
    for (path, told) in [(&own, "would be lost"), (&page, "The report was saved as ")] {
        trial.headless.commands.push(Command::UsePath(PathUse::SaveReport { has_bend_test: true }, path.clone()));
        trial.until(|t| t.notice().contains(told));
    }
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<h1>own.glb</h1>") && html.contains("<h2>Bend test</h2>"));
    let last = trial.path("last.obj");
    trial.headless.commands.push(Command::UsePath(PathUse::Export(ExportKind::Mesh(Side::A)), last.clone()));
    trial.frame();
    trial.headless.finish();
    assert!(last.is_file(), "what was asked for is written before the program ends");
}

#[test]
fn the_file_of_side_b_is_read_again_and_stays_as_it_last_was_where_it_is_broken_or_gone() {
    let mut trial = trial(vec![tube()]);
    let other = trial.path("other.glb");
    let vertices = |t: &Trial| t.headless.state.open.stage.actor(Side::B).rig.vertex_count();
    std::fs::write(&other, BuiltIn::Tube.bytes()).unwrap();
    trial.until(|t| t.name() == tube().name());
    trial.headless.commands.push(Command::UsePath(PathUse::CompareWith, other.clone()));
    trial.until(|t| t.headless.state.open.stage.other_on(Side::B).is_some());
    let small = vertices(&trial);

    std::fs::write(&other, BuiltIn::Figure.bytes()).unwrap();
    trial.until(|t| vertices(t) > small);
    trial.until(|t| t.notice().starts_with("other.glb was reloaded: "));
    let large = vertices(&trial);
    std::fs::write(&other, "glTF but not really").unwrap();
    trial.until(|t| t.notice().contains("The last readable version of other.glb is shown."));
    assert_eq!(vertices(&trial), large);

    std::fs::remove_file(&other).unwrap();
    trial.until(|t| t.notice().contains("The file cannot be read"));
    trial.headless.commands.push(Command::Do(Action::Reload));
    trial.until(|t| t.notice().contains("tube was reloaded"));
    trial.until(|t| t.notice().contains("The file cannot be read"));
    assert_eq!(vertices(&trial), large, "also once the open file was read again");
    trial.headless.commands.push(Command::Do(Action::Undo));
    trial.frame();
    assert_eq!(vertices(&trial), small, "the open file");
    trial.headless.commands.push(Command::Do(Action::Redo));
    trial.frame();
    assert_eq!(vertices(&trial), large);
    std::fs::write(&other, BuiltIn::Tube.bytes()).unwrap();
    trial.until(|t| vertices(t) == small);
}

#[test]
fn missing_file_is_reported_by_one_path_and_the_rest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.glb");
    let mut trial = trial(vec![Source::File(missing.clone())]);
    trial.until(|t| t.notice().contains("missing.glb was not opened."));
    assert!(trial.notice().ends_with("The built-in figure is shown in its place."), "{}", trial.notice());
    let path = missing.to_string_lossy().replace('\\', "/");
    assert_eq!(trial.notice().matches(&path).count(), 1, "{}", trial.notice());
    trial.until(|t| t.headless.state.open.stage.rig().vertex_count() > 0);
    trial.headless.commands.extend([Command::DismissNotice, Command::Open(Source::File(missing))]);
    trial.until(|t| t.notice().ends_with("The built-in figure stays."));
}

#[test]
fn a_pose_brought_back_stands_beside_the_file_that_is_asked_for() {
    let mut killed = trial(vec![tube()]);
    killed.until(|t| t.name() == tube().name());
    killed.turn_root();
    let (pose, session) =
        (killed.headless.state.open.stage.pose().clone(), killed.headless.state.open.snapshot().session().to_json());

    let data = tempfile::tempdir().unwrap();
    let (other, sessions) = (data.path().join("other.glb"), data.path().join("sessions"));
    std::fs::write(&other, BuiltIn::Figure.bytes()).unwrap();
    std::fs::create_dir(&sessions).unwrap();
    std::fs::write(sessions.join("window-1-0.json"), session).unwrap();
    let mut next = trial_in(data, Startup { sources: vec![tube()], side_b: ShownFile::file_at(&other) });
    next.until(|t| t.headless.state.open.stage.other_on(Side::B).is_some());
    let state = &next.headless.state;
    assert_eq!((state.open.stage.view.sides.b.file.file(), state.open.stage.pose()), (Some(&*other), &pose));
    assert_ne!(state.open.stage.view.compare.layout, Layout::Single, "both are seen");
    assert_eq!(state.open.history.undo_label(), Some("Restore session"));
}

#[test]
fn paths_in_every_script_are_opened_written_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["頭", "왼팔", "العربية", "עברית", "हिन्दी", "แขน", "Рука Ärmel 😀"].map(|name| {
        let inside = folder.path().join(name);
        std::fs::create_dir(&inside).unwrap();
        inside.join(format!("{name}.glb"))
    });
    let mut first = trial(Vec::new());
    for path in &paths {
        std::fs::write(path, BuiltIn::Tube.bytes()).unwrap();
        first.headless.commands.push(Command::Open(Source::File(path.clone())));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        first.until(|t| t.name() == name);
        let pose = path.with_extension("json");
        first.headless.commands.push(Command::UsePath(PathUse::SavePose, pose.clone()));
        first.until(|_| pose.is_file());
    }
    first.headless.finish();
    let again = trial_in(first.data, Startup::default());
    let recent = &again.headless.state.settings.recent_files;
    assert!(recent.iter().eq(paths.iter().rev()), "{recent:?}");
}

#[test]
fn repeated_panics_give_one_notice_per_character() {
    let (jobs, news) = jobs();
    let die = || {
        let task = Task::<()>::start(&jobs, LintPlan::JOB, |_| panic!("index 7"));
        assert_eq!(outcome(&news, || task.poll()), Outcome::Died);
    };
    let rigs = [(); 2].map(|()| Arc::new(Rig::new(RigData::default())));
    let mut faults = FaultNotices::default();
    die();
    let told = faults.news(&jobs, &rigs[0]);
    assert!(told.len() == 1 && told[0].kind == NoticeKind::Error, "{told:?}");
    assert!(told[0].text.starts_with("Looking for findings stopped because of a fault in Rigscope (index 7)."));
    die();
    assert_eq!(faults.news(&jobs, &rigs[0]), []);
    die();
    assert_eq!(faults.news(&jobs, &rigs[1]), told, "another character, another chance");
}
