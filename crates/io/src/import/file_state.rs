use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// State of a file that an import read or tried to read, used to detect changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    /// Path of the file.
    pub path: PathBuf,
    /// Size in bytes and modification time; `None` if metadata cannot be read.
    seen: Option<(u64, Option<SystemTime>)>,
}

impl FileState {
    /// Returns the current state. Call this before reading the file, so that no change is missed.
    pub fn now(path: &Path) -> Self {
        let seen = path.metadata().ok().map(|m| (m.len(), m.modified().ok()));
        Self { path: path.to_owned(), seen }
    }

    /// Returns the same state for a different path.
    #[must_use]
    pub fn named(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// Returns the file size in bytes, if known.
    pub fn bytes(&self) -> Option<u64> {
        self.seen.map(|(bytes, _)| bytes)
    }

    /// Returns false once the file changes, appears or disappears.
    pub fn is_current(&self) -> bool {
        *self == Self::now(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_appears_grows_or_goes_is_not_current() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rig.glb");
        let missing = FileState::now(&path);
        assert!(missing.is_current());
        std::fs::write(&path, b"one").unwrap();
        assert!(!missing.is_current());
        let first = FileState::now(&path);
        assert!(first.is_current());
        std::fs::write(&path, b"three").unwrap();
        assert!(!first.is_current());
        std::fs::remove_file(&path).unwrap();
        assert!(!first.is_current() && missing.is_current());
    }
}
