//! The settings file, shared by all windows.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::files::{self, write_atomically};
use crate::jobs::{JobKind, Jobs, Worker, WorkerChannel};
use crate::state::{Notice, Settings};

const SETTINGS: JobKind =
    JobKind::unlisted("settings", "Keeping the settings", "The next change tries again; everything else works.");

/// Changes made within this time are written together.
const DEBOUNCE: Duration = Duration::from_millis(500);

pub(super) struct SettingsFile {
    asked: Settings,
    /// Writes the file in the background; `None` without a data folder.
    writer: Option<Worker<Settings, Notice>>,
}

/// The settings file's path, and the settings that this window last read or wrote.
#[derive(Clone)]
struct StoredSettings {
    path: PathBuf,
    known: Settings,
}

impl SettingsFile {
    /// Reads the settings file in a folder, or uses the defaults if there is none. Also returns a notice if there is a
    /// problem.
    pub(super) fn open(folder: Option<&Path>, jobs: &Jobs) -> (Self, Option<Notice>) {
        let Some(path) = folder.map(|folder| folder.join("settings.json")) else {
            let text = "There is no folder for your settings, sessions and poses: they last until the window is closed. \
                        Set HOME or XDG_DATA_HOME to a folder that can be written.";
            return (Self { asked: Settings::default(), writer: None }, Some(Notice::warning(text)));
        };
        let (known, notice) = match read(&path) {
            Ok(known) => (known.unwrap_or_default(), None),
            Err(problem) => (Settings::default(), Some(Notice::warning(set_aside(&path, &problem)))),
        };
        let shared = StoredSettings { path, known: known.clone() };
        let writer = Worker::start(jobs, &SETTINGS, move |desk: &WorkerChannel<Settings, Notice>| {
            let mut shared = shared.clone();
            write_settings(desk, &mut shared);
        });
        (Self { asked: known, writer: Some(writer) }, notice)
    }

    pub(super) fn known(&self) -> &Settings {
        &self.asked
    }

    pub(super) fn follow(&mut self, settings: &Settings) {
        if *settings != self.asked {
            self.asked = settings.clone();
            if let Some(writer) = &self.writer {
                writer.send(settings.clone());
            }
        }
    }

    pub(super) fn problems(&self) -> impl Iterator<Item = Notice> + '_ {
        self.writer.iter().flat_map(Worker::results)
    }

    pub(super) fn finish(&mut self) {
        if let Some(mut writer) = self.writer.take() {
            writer.finish();
        }
    }
}

fn write_settings(desk: &WorkerChannel<Settings, Notice>, shared: &mut StoredSettings) {
    let mut is_told = false;
    while let Some(mut newest) = desk.next() {
        let due = Instant::now() + DEBOUNCE;
        while let Some(newer) = desk.next_within(due.saturating_duration_since(Instant::now())) {
            newest = newer;
        }
        match shared.save(&newest) {
            Ok(()) => is_told = false,
            Err(problem) if !is_told => {
                is_told = true;
                let path = shared.path.display();
                let text =
                    format!("The settings were not saved to {path}: {problem}. They last until the window is closed.");
                desk.send(Notice::warning(text));
            }
            Err(_) => {}
        }
    }
}

impl StoredSettings {
    /// Writes changed settings atomically. Keeps recent files that other windows added.
    fn save(&mut self, settings: &Settings) -> std::io::Result<()> {
        if *settings == self.known {
            return Ok(());
        }
        let mut saved = settings.clone();
        if let Ok(Some(theirs)) = read(&self.path)
            && !settings.recent_files.is_empty()
        {
            saved.remember_after(&theirs.recent_files);
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        write_atomically(&self.path, &serde_json::to_vec_pretty(&saved)?)?;
        self.known = settings.clone();
        Ok(())
    }
}

/// Reads a settings file. Returns `None` if the file does not exist.
fn read(path: &Path) -> Result<Option<Settings>, String> {
    match files::read(path) {
        Ok(json) => serde_json::from_slice(&json).map(Some).map_err(|e| e.to_string()),
        Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(problem) => Err(problem.to_string()),
    }
}

/// Renames an unreadable settings file, so that it isn't overwritten. Returns a message for the user.
fn set_aside(path: &Path, problem: &str) -> String {
    let kept = path.with_file_name("settings-unreadable.json");
    let place = match std::fs::rename(path, &kept) {
        Ok(()) => format!("they are kept as {}", kept.display()),
        Err(e) => format!("they could not be set aside ({e})"),
    };
    format!("The settings in {} cannot be read ({problem}); {place}, and the defaults are used.", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::testing::jobs;

    fn with_files(base: &Settings, names: &[&str]) -> Settings {
        Settings { recent_files: names.iter().map(PathBuf::from).collect(), ..base.clone() }
    }

    fn shared(path: &Path) -> StoredSettings {
        StoredSettings { path: path.to_owned(), known: read(path).unwrap().unwrap_or_default() }
    }

    #[test]
    fn two_windows_do_not_forget_what_the_other_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let (mut one, mut other) = (shared(&path), shared(&path));
        one.save(&with_files(&Settings::default(), &["a"])).unwrap();
        other.save(&Settings { reload_on_change: false, ..with_files(&Settings::default(), &["b"]) }).unwrap();
        let both = shared(&path).known;
        assert_eq!(both.recent_files, [PathBuf::from("b"), PathBuf::from("a")]);
        assert!(!both.reload_on_change);
        one.save(&with_files(&Settings::default(), &[])).unwrap();
        assert!(shared(&path).known.recent_files.is_empty(), "a list that was cleared stays so");
    }

    #[test]
    fn settings_are_on_disk_once_they_changed_and_without_the_window_being_closed() {
        let folder = tempfile::tempdir().unwrap();
        let (jobs, _news) = jobs();
        let (mut file, notice) = SettingsFile::open(Some(&folder.path().join("new")), &jobs);
        assert_eq!((file.known(), notice), (&Settings::default(), None));
        let settings = with_files(&Settings::default(), &["a"]);
        file.follow(&settings);
        file.finish();
        assert_eq!(*SettingsFile::open(Some(&folder.path().join("new")), &jobs).0.known(), settings);
    }

    #[test]
    fn a_broken_file_gives_the_defaults_and_is_kept_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{\"recent_files\": [").unwrap();
        let (jobs, _news) = jobs();
        let (mut file, notice) = SettingsFile::open(Some(folder.path()), &jobs);
        assert_eq!(*file.known(), Settings::default());
        let kept = folder.path().join("settings-unreadable.json");
        assert!(notice.unwrap().text.contains(&*kept.to_string_lossy()));
        let settings = with_files(&Settings::default(), &["a"]);
        file.follow(&settings);
        file.finish();
        assert_eq!(shared(&path).known, settings);
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "{\"recent_files\": [");
    }

    #[test]
    fn failed_settings_writes_are_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("file");
        std::fs::write(&nowhere, "").unwrap();
        let (jobs, news) = jobs();
        let worker = Worker::start(&jobs, &SETTINGS, move |desk: &WorkerChannel<Settings, Notice>| {
            write_settings(
                desk,
                &mut StoredSettings { path: nowhere.join("settings.json"), known: Settings::default() },
            );
        });
        let mut told = Vec::new();
        for name in ["a", "b"] {
            worker.send(with_files(&Settings::default(), &[name]));
        }
        while told.is_empty() {
            news.recv_timeout(Duration::from_mins(1)).unwrap();
            told.extend(worker.results());
        }
        assert!(matches!(&told[..], [n] if n.text.contains("not saved")), "{told:?}");
    }

    #[test]
    fn missing_data_folder_warns_that_settings_are_lost() {
        let (jobs, _news) = jobs();
        let (_, notice) = SettingsFile::open(None, &jobs);
        assert!(notice.unwrap().text.contains("HOME"));
    }
}
