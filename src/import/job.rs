//! Options and progress of an import.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ImportError;
use super::warning::short;
use crate::files;
use crate::jobs::Progress;

/// Options of one import, its progress and its memory limit.
///
/// An import asks its progress often whether to go on, so that cancelling takes effect within a fraction of a second even in a large file.
#[derive(Debug)]
pub struct Job {
    /// Progress of the import: its stages in meshes, images and clips, and the bytes read from the file and those it refers to.
    pub progress: Arc<Progress>,
    memory_limit: u64,
    waits_for_pipes: bool,
    scene: Option<SceneChoice>,
    texture_folders: Vec<PathBuf>,
    #[cfg_attr(not(feature = "fbx"), expect(dead_code, reason = "only FBX has takes"))]
    plays_whole_timeline: bool,
}

/// Scene of a file to show instead of its default scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneChoice {
    /// The scene with this number in the file.
    Number(i64),
    /// The scene that had this number when the file was last read; the default scene if that number is gone.
    LastSeen(usize),
    /// The scene with this name, else the one with this number.
    Named(String),
}

impl SceneChoice {
    /// Checks whether the default scene may stand in for this one, which the file lacks.
    ///
    /// *Errors*: [`ImportError::NoScene`] where it may not.
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
    /// Reading the file and those it refers to.
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
        Self {
            progress: Arc::default(),
            memory_limit: Self::DEFAULT_MEMORY_LIMIT,
            waits_for_pipes: false,
            scene: None,
            texture_folders: Vec::new(),
            plays_whole_timeline: false,
        }
    }
}

impl Job {
    /// Bytes of decoded data that a file may ask for: 2 GiB.
    pub const DEFAULT_MEMORY_LIMIT: u64 = 1 << 31;

    /// A job with a limit on decoded data, in bytes.
    pub fn with_memory_limit(memory_limit: u64) -> Self {
        Self { memory_limit, ..Self::default() }
    }

    /// The same job for a scene of the file, or for its default one.
    #[must_use]
    pub fn with_scene(self, scene: Option<SceneChoice>) -> Self {
        Self { scene, ..self }
    }

    /// This job, searching folders for textures that are not where the file says.
    #[must_use]
    pub fn with_texture_folders(self, texture_folders: Vec<PathBuf>) -> Self {
        Self { texture_folders, ..self }
    }

    /// This job, with every clip of an FBX from its first key to its last, whatever the range of its take.
    #[must_use]
    pub fn playing_whole_timeline(self, plays_whole_timeline: bool) -> Self {
        Self { plays_whole_timeline, ..self }
    }

    /// This job, but reading named pipes too and waiting until something is written to them; otherwise they are refused.
    #[must_use]
    pub fn waiting_for_pipes(self) -> Self {
        Self { waits_for_pipes: true, ..self }
    }

    /// This job, reporting to the given progress.
    #[must_use]
    pub fn with_progress(self, progress: Arc<Progress>) -> Self {
        Self { progress, ..self }
    }

    /// True for a path that is read once from beginning to end, such as a pipe, and so refers to no files beside it.
    pub fn reads_as_stream(&self, path: &Path) -> bool {
        files::is_stream(path) || self.waits_for_pipes && files::is_pipe(path)
    }

    pub(super) fn scene(&self) -> Option<&SceneChoice> {
        self.scene.as_ref()
    }

    pub(super) fn texture_folders(&self) -> &[PathBuf] {
        &self.texture_folders
    }

    #[cfg(feature = "fbx")]
    pub(super) fn plays_whole_timeline(&self) -> bool {
        self.plays_whole_timeline
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
