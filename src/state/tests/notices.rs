use std::path::PathBuf;

use crate::stage::{BuiltIn, DerivedResult, Document, EnvironmentPlan};
use crate::state::{AfterLoad, AppState, Command, JobResult, Notice, NoticeTopic, Settings};
use crate::view::Environment;

fn tube() -> Document {
    Document::built_in(BuiltIn::Tube)
}

fn shown(state: &AppState) -> Option<&str> {
    state.notices.newest().map(|notice| notice.text.as_str())
}

#[test]
fn missing_environment_map_is_reported_until_another_light_is_chosen() {
    let mut state = AppState::new(tube(), Settings::default());
    let missing =
        DerivedResult::new(EnvironmentPlan(PathBuf::from("sky.hdr")), Some(Err("sky.hdr is not there.".to_owned())));
    state.receive(JobResult::Derived(missing));
    state.receive(JobResult::Document(Box::new(tube()), AfterLoad::Show));
    assert_eq!(shown(&state), Some("sky.hdr is not there."));
    state.apply(Command::SetEnvironment(Environment::default()));
    assert_eq!(shown(&state), None);
}

#[test]
fn unread_file_is_reported_until_it_is_read() {
    let mut state = AppState::new(tube(), Settings::default());
    let failed = || JobResult::Notice(Notice::error("It was not reloaded.").about(NoticeTopic::File));
    let scene = Some(0).filter(|_| state.open.stage.document.scene.is_none());
    // A reload that changes the scene reports no changes.
    let other_scene = || Box::new(Document { scene, ..tube() });
    state.receive(failed());
    state.receive(JobResult::Document(other_scene(), AfterLoad::Reload { is_asked: true }));
    assert_eq!(shown(&state), None);
    state.receive(JobResult::Notice(Notice::error("The pose was not saved.")));
    state.receive(JobResult::Document(Box::new(tube()), AfterLoad::Reload { is_asked: true }));
    assert_eq!(shown(&state), Some("The pose was not saved."), "which is another matter");
}
