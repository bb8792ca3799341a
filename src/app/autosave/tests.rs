use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::jobs::Outcome;
use crate::jobs::testing::{fault, jobs};
use crate::stage::BuiltIn;
use crate::state::AppState;

#[test]
fn keeping_the_session_that_dies_is_one_fault_and_the_next_edit_is_kept() {
    static HAS_DIED: AtomicBool = AtomicBool::new(false);
    fn dies_once(path: &Path, session: Option<&str>) -> std::io::Result<()> {
        assert!(HAS_DIED.swap(true, Ordering::Relaxed), "index 7");
        write(path, session)
    }
    let folder = tempfile::tempdir().unwrap();
    let state = AppState::with_built_in(BuiltIn::Tube);
    let (jobs, news) = jobs();
    let own = begin(folder.path(), &jobs, dies_once).ok();
    let mut autosave = Autosave { own, folder: folder.path().to_owned(), problem: None };
    autosave.save(Some(state.open.snapshot()));
    let mut has_died = false;
    let told = fault(&jobs, &news, || {
        has_died |= matches!(autosave.own.as_ref().unwrap().writer.poll(), Outcome::Died);
        has_died
    });
    assert!(told.starts_with("Keeping the session stopped because of a fault in Rigscope (index 7)."), "{told}");
    assert!(sessions(folder.path()).is_empty());
    autosave.save(Some(state.open.snapshot()));
    autosave.finish();
    assert_eq!(newest_kept(folder.path()).unwrap().source, Source::BuiltIn(BuiltIn::Tube));
}

#[test]
#[cfg_attr(windows, ignore = "Windows keeps a folder while a file in it is open")]
fn failed_session_writes_are_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = AppState::with_built_in(BuiltIn::Tube);
    let (jobs, _news) = jobs();
    let (mut autosave, _) = Autosave::start(Some(folder.path().join("sessions")), None, &jobs);
    assert_eq!(autosave.problems().count(), 0);
    folder.close().unwrap();
    let mut told = Vec::new();
    for _ in 0..2 {
        // Changes the session, because an unchanged session would not be written again.
        state.apply(crate::state::Command::Do(crate::state::Action::NextMethod));
        autosave.save(Some(state.open.snapshot()));
        let (done, is_done) = channel();
        autosave.send(WriterMessage::Flush(done));
        is_done.recv_timeout(Duration::from_mins(1)).unwrap();
        told.extend(autosave.problems());
    }
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].text.contains("window-") && told[0].text.contains("Save pose"), "{told:?}");
}

#[test]
fn a_session_that_a_signal_ends_is_back_at_the_next_start_without_a_word_of_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let state = AppState::with_built_in(BuiltIn::Tube);
    let (jobs, _news) = jobs();
    let (autosave, _) = Autosave::start(Some(folder.path().to_owned()), None, &jobs);
    autosave.save(Some(state.open.snapshot()));
    autosave.ender().unwrap()();
    // The system releases the lock of a program that ends.
    drop(autosave);
    let (_, found) = Autosave::start(Some(folder.path().to_owned()), None, &jobs);
    let found = found.unwrap();
    assert!(found.source == Source::BuiltIn(BuiltIn::Tube) && !found.is_recovered());
}

#[test]
fn a_session_that_is_being_kept_is_found() {
    static IS_SEARCHED: AtomicBool = AtomicBool::new(false);
    fn once_searched(path: &Path, session: Option<&str>) -> std::io::Result<()> {
        while !IS_SEARCHED.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        write(path, session)
    }
    let folder = tempfile::tempdir().unwrap();
    let state = AppState::with_built_in(BuiltIn::Tube);
    let (jobs, _news) = jobs();
    let own = begin(folder.path(), &jobs, once_searched).ok();
    let mut autosave = Autosave { own, folder: folder.path().to_owned(), problem: None };
    autosave.keep(state.open.snapshot());
    let search = autosave.search();
    IS_SEARCHED.store(true, Ordering::Relaxed);
    assert!(matches!(search(), JobResult::FilesRead(_)));
    autosave.finish();
}
