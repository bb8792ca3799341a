//! Settings on disk, which all windows share.

use std::path::{Path, PathBuf};

use crate::files::{self, write_atomically};
use crate::state::Settings;

/// Where the settings are, and how they were when this window last looked.
pub struct SettingsFile {
    path: Option<PathBuf>,
    known: Settings,
}

impl SettingsFile {
    /// The settings in the user's data folder; the defaults where there are none yet.
    pub fn open() -> Self {
        Self::at(eframe::storage_dir("rigscope").map(|folder| folder.join("settings.json")))
    }

    fn at(path: Option<PathBuf>) -> Self {
        let known = path.as_deref().and_then(read).unwrap_or_default();
        Self { path, known }
    }

    /// As they were when this window last looked.
    pub fn known(&self) -> &Settings {
        &self.known
    }

    /// Writes them whole or not at all, if they changed. Files that other windows opened meanwhile stay on the list.
    pub fn save(&mut self, settings: &Settings) {
        let Some(path) = self.path.as_deref().filter(|_| *settings != self.known) else { return };
        let mut saved = settings.clone();
        if let Some(theirs) = read(path).filter(|_| !settings.recent_files.is_empty()) {
            saved.remember_after(&theirs.recent_files);
        }
        let written = serde_json::to_vec_pretty(&saved).map_err(std::io::Error::from);
        match written.and_then(|json| write_atomically(path, &json)) {
            Ok(()) => self.known = settings.clone(),
            Err(problem) => log::warn!("the settings were not saved to {}: {problem}", path.display()),
        }
    }
}

fn read(path: &Path) -> Option<Settings> {
    let json = files::read(path).inspect_err(|e| {
        if e.kind() != std::io::ErrorKind::NotFound {
            log::warn!("{} is not read: {e}", path.display());
        }
    });
    serde_json::from_slice(&json.ok()?).map_err(|e| log::warn!("{} is not read: {e}", path.display())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_files(base: &Settings, names: &[&str]) -> Settings {
        Settings { recent_files: names.iter().map(PathBuf::from).collect(), ..base.clone() }
    }

    #[test]
    fn two_windows_do_not_forget_what_the_other_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let (mut one, mut other) = (SettingsFile::at(Some(path.clone())), SettingsFile::at(Some(path.clone())));
        one.save(&with_files(&Settings::default(), &["a"]));
        other.save(&Settings { reload_on_change: false, ..with_files(&Settings::default(), &["b"]) });
        let both = SettingsFile::at(Some(path.clone()));
        assert_eq!(both.known().recent_files, [PathBuf::from("b"), PathBuf::from("a")]);
        assert!(!both.known().reload_on_change);
        one.save(&with_files(&Settings::default(), &[]));
        assert!(SettingsFile::at(Some(path)).known().recent_files.is_empty(), "a list that was cleared stays so");
    }

    #[test]
    fn a_broken_file_gives_the_defaults_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{\"recent_files\": [").unwrap();
        let mut file = SettingsFile::at(Some(path.clone()));
        assert_eq!(*file.known(), Settings::default());
        let settings = with_files(&Settings::default(), &["a"]);
        file.save(&settings);
        assert_eq!(*SettingsFile::at(Some(path)).known(), settings);
    }
}
