use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ImportError;
use super::warning::short;
use rigscope_core::files;
use rigscope_core::jobs::Progress;

/// Options, progress and memory limit of an import. The import checks for cancellation several times per second.
#[derive(Debug)]
pub struct Job {
    /// Progress, counted in meshes, images and clips, and in bytes of the file and the files it references.
    pub progress: Arc<Progress>,
    memory_limit: u64,
    waits_for_pipes: bool,
    scene: Option<SceneChoice>,
    texture_folders: Vec<PathBuf>,
    #[cfg_attr(not(feature = "fbx"), expect(dead_code, reason = "only FBX has takes"))]
    plays_whole_timeline: bool,
}

/// Scene to show instead of the default scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneChoice {
    /// Scene index in the file.
    Number(i64),
    /// Index of the scene shown by the previous import; falls back to the default scene.
    LastSeen(usize),
    /// Scene name. If no scene has this name, it is parsed as an index.
    Named(String),
}

impl SceneChoice {
    /// Succeeds if the default scene may replace a missing scene. *Errors*: [`ImportError::NoScene`] otherwise.
    pub(super) fn check_fallback(&self, names: Vec<String>) -> Result<(), ImportError> {
        let wanted = match self {
            Self::LastSeen(_) => return Ok(()),
            Self::Number(number) => number.to_string(),
            Self::Named(text) => short(text),
        };
        Err(ImportError::NoScene { wanted, names })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Reading,
    Geometry,
    Textures,
    Animations,
    Finishing,
}

impl Stage {
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
    /// Default limit for the size of decoded data, in bytes (2 GiB).
    pub const DEFAULT_MEMORY_LIMIT: u64 = 1 << 31;

    /// Creates a job with a limit, in bytes, for the size of decoded data.
    pub fn with_memory_limit(memory_limit: u64) -> Self {
        Self { memory_limit, ..Self::default() }
    }

    /// Sets the scene to show; `None` shows the default scene.
    #[must_use]
    pub fn with_scene(self, scene: Option<SceneChoice>) -> Self {
        Self { scene, ..self }
    }

    /// Sets folders in which to search for textures that are not at the path given in the file.
    #[must_use]
    pub fn with_texture_folders(self, texture_folders: Vec<PathBuf>) -> Self {
        Self { texture_folders, ..self }
    }

    /// Sets whether FBX clips play from their first key to their last, regardless of take ranges.
    #[must_use]
    pub fn playing_whole_timeline(self, plays_whole_timeline: bool) -> Self {
        Self { plays_whole_timeline, ..self }
    }

    /// Allows named pipes and waits for their data. By default, named pipes are rejected.
    #[must_use]
    pub fn waiting_for_pipes(self) -> Self {
        Self { waits_for_pipes: true, ..self }
    }

    /// Sets the progress to report to.
    #[must_use]
    pub fn with_progress(self, progress: Arc<Progress>) -> Self {
        Self { progress, ..self }
    }

    /// Returns whether the path is a stream such as a pipe, which is read once and cannot refer to other files.
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

    /// Returns the maximum decoded size of a file, in bytes.
    pub fn memory_limit(&self) -> u64 {
        self.memory_limit
    }

    pub(super) fn advance(&self, stage: Stage, done: usize, of: usize) -> Result<(), ImportError> {
        self.progress.enter(stage.label(), done, of);
        self.progress.check_cancelled().ok_or(ImportError::Cancelled)
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
