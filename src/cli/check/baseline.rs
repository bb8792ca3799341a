use std::path::{Path, PathBuf};

use crate::analysis::lint::{Baseline, FileBaseline};
use crate::files::{self, is_standard};
use crate::stage::Source;

/// A baseline, and the folder that its file names are relative to.
#[derive(Default)]
pub(super) struct KnownFindings {
    baseline: Baseline,
    folder: PathBuf,
}

impl KnownFindings {
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let bytes = files::read_waiting(path);
        let bytes = bytes.map_err(|problem| format!("{} cannot be read: {problem}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let baseline = Baseline::from_json(&text).map_err(|p| format!("{} is not a baseline: {p}", path.display()))?;
        Ok(Self { baseline, folder: parent_folder(path) })
    }

    /// Creates an empty baseline. Fails if the path exists but is not a baseline file.
    pub(super) fn new(path: &Path) -> Result<Self, String> {
        if path.exists() {
            Self::read(path).map_err(|problem| format!("{problem}. It is not overwritten; give another path."))?;
        }
        Ok(Self { folder: parent_folder(path), ..Self::default() })
    }

    /// Reads a baseline that will be rewritten. Fails if it is not a regular file.
    pub(super) fn to_update(path: &Path) -> Result<Self, String> {
        if is_standard(path) || path.exists() && !path.is_file() {
            return Err(format!("--update-baseline cannot rewrite {}: it is not a regular file", path.display()));
        }
        Self::read(path)
    }

    /// Returns the names of files in the baseline that no longer exist.
    pub(super) fn missing(&self) -> Vec<String> {
        let is_missing = |name: &&str| match Source::parse(name) {
            Ok(Source::File(path)) => !self.folder.join(path).exists(),
            _ => false,
        };
        self.baseline.files().filter(is_missing).map(str::to_owned).collect()
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let written = files::write_atomically(path, self.baseline.to_json().as_bytes());
        written.map_err(|problem| format!("{} cannot be written: {problem}", path.display()))
    }

    pub(super) fn entries(&self, source: &Source) -> FileBaseline {
        self.baseline.entries(&self.name(source))
    }

    pub(super) fn insert(&mut self, name: String, accepted: FileBaseline) {
        self.baseline.insert(name, accepted);
    }

    /// Returns a file's name in the baseline: its path relative to the baseline's folder, with `/`.
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

fn parent_folder(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
