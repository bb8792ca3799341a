//! Options and progress of an import.

use std::path::Path;
use std::sync::Arc;

use super::ImportError;
use super::warning::short;
use crate::files;
use crate::jobs::Progress;

/// One import.
///
/// An import asks its progress often whether to go on, so that cancelling takes effect within a fraction of a second even in a large file.
#[derive(Debug)]
pub struct Job {
    /// Progress of the import: stages in meshes, images and clips, and bytes of the file and those that it refers to.
    pub progress: Arc<Progress>,
    memory_limit: u64,
    waits_for_pipes: bool,
    scene: Option<SceneChoice>,
}

/// Scene of a file to show, in place of the one that the file shows by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneChoice {
    /// The scene of this number in the file.
    Number(i64),
    /// The scene that had this number when the file was read before; the default one where the file has no such number any more.
    LastSeen(usize),
    /// The scene of this name, or where none has it, of this number.
    Named(String),
}

impl SceneChoice {
    /// *Errors*: [`ImportError::NoScene`], unless the default scene serves where this one is not there.
    pub(super) fn missing_of(&self, names: Vec<String>) -> Result<(), ImportError> {
        let wanted = match self {
            Self::LastSeen(_) => return Ok(()),
            Self::Number(number) => number.to_string(),
            Self::Named(text) => short(text),
        };
        Err(ImportError::NoScene { wanted, names })
    }
}

/// Stages of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Reading the file and those that it refers to.
    Reading,
    /// Nodes, skins and meshes.
    Geometry,
    /// Decoding images.
    Textures,
    /// Reading clips.
    Animations,
    /// Deriving bounds and bones.
    Finishing,
}

impl Stage {
    /// Text for a progress line.
    fn label(self) -> &'static str {
        match self {
            Self::Reading => "Reading the file",
            Self::Geometry => "Reading meshes",
            Self::Textures => "Decoding textures",
            Self::Animations => "Reading clips",
            Self::Finishing => "Finishing",
        }
    }
}

impl Default for Job {
    fn default() -> Self {
        Self { progress: Arc::default(), memory_limit: Self::DEFAULT_MEMORY_LIMIT, waits_for_pipes: false, scene: None }
    }
}

impl Job {
    /// Bytes of decoded data that a file may ask for: 2 GiB.
    pub const DEFAULT_MEMORY_LIMIT: u64 = 1 << 31;

    /// A job whose file may ask for another amount of decoded data, in bytes.
    pub fn with_memory_limit(memory_limit: u64) -> Self {
        Self { memory_limit, ..Self::default() }
    }

    /// The same job for a scene of the file, or for its default one.
    #[must_use]
    pub fn with_scene(self, scene: Option<SceneChoice>) -> Self {
        Self { scene, ..self }
    }

    /// This job, which reads named pipes too and waits until somebody writes to them; without this they are refused.
    #[must_use]
    pub fn waiting_for_pipes(self) -> Self {
        Self { waits_for_pipes: true, ..self }
    }

    /// This job, reporting to a progress that somebody watches.
    #[must_use]
    pub fn with_progress(self, progress: Arc<Progress>) -> Self {
        Self { progress, ..self }
    }

    /// True for what is read once, from its beginning to its end, and refers to no files beside it.
    pub fn reads_as_stream(&self, path: &Path) -> bool {
        files::is_stream(path) || self.waits_for_pipes && files::is_pipe(path)
    }

    pub(super) fn scene(&self) -> Option<&SceneChoice> {
        self.scene.as_ref()
    }

    pub(super) fn memory_limit(&self) -> u64 {
        self.memory_limit
    }

    /// Notes how far the import is, and stops it where it was cancelled.
    pub(super) fn advance(&self, stage: Stage, done: usize, of: usize) -> Result<(), ImportError> {
        self.progress.enter(stage.label(), done, of);
        self.progress.go_on().ok_or(ImportError::Cancelled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_seen_and_cancellation_is_felt() {
        let job = Job::default();
        job.advance(Stage::Textures, 1, 4).unwrap();
        assert_eq!((job.progress.stage(), job.progress.fraction()), ("Decoding textures", 0.25));
        job.advance(Stage::Textures, 0, 0).unwrap();
        job.progress.cancel();
        assert!(matches!(job.advance(Stage::Geometry, 0, 1), Err(ImportError::Cancelled)));
    }
}
