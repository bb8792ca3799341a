//! Baseline files: where they are, and how they name the files that they are about.

use std::path::{Path, PathBuf};

use crate::analysis::lint::{Baseline, Forgiven};
use crate::files::{self, is_standard};
use crate::stage::Source;

/// A baseline, and the folder to which the names in it are relative.
#[derive(Default)]
pub(super) struct KnownFindings {
    baseline: Baseline,
    folder: PathBuf,
}

impl KnownFindings {
    /// Reads a baseline.
    ///
    /// *Errors*: in words for the user.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let bytes = files::read_waiting(path);
        let bytes = bytes.map_err(|problem| format!("{} cannot be read: {problem}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let baseline = Baseline::from_json(&text).map_err(|p| format!("{} is no baseline: {p}", path.display()))?;
        Ok(Self { baseline, folder: folder_of(path) })
    }

    /// A baseline that forgives nothing yet, to be written to a path.
    ///
    /// *Errors*: in words for the user; the path holds something other than a baseline.
    pub(super) fn new(path: &Path) -> Result<Self, String> {
        if path.exists() {
            Self::read(path).map_err(|problem| format!("{problem}; it is not written over"))?;
        }
        Ok(Self { folder: folder_of(path), ..Self::default() })
    }

    /// A baseline to be written again with less.
    ///
    /// *Errors*: in words for the user; it cannot be read, or is no file that could be written again.
    pub(super) fn to_update(path: &Path) -> Result<Self, String> {
        if is_standard(path) || path.exists() && !path.is_file() {
            return Err(format!("{} is no file that --update-baseline could write again", path.display()));
        }
        Self::read(path)
    }

    /// Names of the files with entries that are not there any more.
    pub(super) fn missing(&self) -> Vec<String> {
        let is_missing = |name: &&str| match Source::parse(name) {
            Ok(Source::File(path)) => !self.folder.join(path).exists(),
            _ => false,
        };
        self.baseline.files().filter(is_missing).map(str::to_owned).collect()
    }

    /// Writes the baseline to the file, whole or not at all.
    ///
    /// *Errors*: in words for the user.
    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let written = files::write_atomically(path, self.baseline.to_json().as_bytes());
        written.map_err(|problem| format!("{} cannot be written: {problem}", path.display()))
    }

    /// Findings that are forgiven for a file.
    pub(super) fn of(&self, source: &Source) -> Forgiven {
        self.baseline.of(&self.name(source))
    }

    /// Records the forgiven findings of a file, under its name.
    pub(super) fn insert(&mut self, name: String, forgiven: Forgiven) {
        self.baseline.insert(name, forgiven);
    }

    /// Name of a file in the baseline: with `/`, relative to the baseline's folder, so that it is the same wherever the program starts and the project lies.
    pub(super) fn name(&self, source: &Source) -> String {
        let Source::File(path) = source else { return source.full_name() };
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        match path.strip_prefix(&self.folder) {
            Ok(below) => match below.iter().map(std::ffi::OsStr::to_str).collect::<Option<Vec<_>>>() {
                Some(parts) => parts.join("/"),
                None => Source::File(below.to_owned()).full_name(),
            },
            Err(_) => Source::File(path).full_name(),
        }
    }
}

fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
