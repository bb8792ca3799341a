//! What the importing thread and whoever waits for it share: progress one way, cancellation the other.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

use super::ImportError;

/// One import in progress; share it by `Arc`.
///
/// Import reads it often, so that [`Job::cancel`] takes effect within a fraction of a second even in a large file.
#[derive(Debug)]
pub struct Job {
    is_cancelled: AtomicBool,
    stage: AtomicU8,
    /// Of the stage: how many of how many.
    counts: [AtomicUsize; 2],
    /// How many of how many were read.
    bytes: [AtomicU64; 2],
    memory_limit: u64,
    scene: Option<SceneChoice>,
}

/// Which of a file's scenes to show, in place of the one that the file shows by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneChoice {
    /// By the file's number; the default one where the file has no such number (any more).
    Number(usize),
    /// By its name, or where none has that, by its number.
    Named(String),
}

/// What an import is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Reading the file and those that it refers to.
    Reading,
    /// Nodes, skins and meshes.
    Geometry,
    /// Decoding images.
    Textures,
    /// Clips.
    Animations,
    /// Deriving bounds and bones.
    Finishing,
}

impl Stage {
    const ALL: [Self; 5] = [Self::Reading, Self::Geometry, Self::Textures, Self::Animations, Self::Finishing];

    /// For a progress line.
    pub fn label(self) -> &'static str {
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
            is_cancelled: AtomicBool::new(false),
            stage: AtomicU8::new(0),
            counts: Default::default(),
            bytes: Default::default(),
            memory_limit: Self::DEFAULT_MEMORY_LIMIT,
            scene: None,
        }
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

    /// Makes the import return [`ImportError::Cancelled`] soon.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// True after [`Job::cancel`].
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// What the import is busy with.
    pub fn stage(&self) -> Stage {
        let stage = usize::from(self.stage.load(Ordering::Relaxed));
        Stage::ALL.get(stage).copied().unwrap_or(Stage::Finishing)
    }

    /// How much of the stage is done, 0 to 1.
    pub fn fraction(&self) -> f32 {
        let (done, of) = self.counts();
        done.min(of) as f32 / of.max(1) as f32
    }

    /// How many of how many parts of the stage are done: meshes, images, clips.
    pub fn counts(&self) -> (usize, usize) {
        let [done, of] = self.counts.each_ref().map(|c| c.load(Ordering::Relaxed));
        (done, of)
    }

    /// How many of how many bytes have been read, of the file and those that it refers to.
    pub fn bytes(&self) -> (u64, u64) {
        let [read, all] = self.bytes.each_ref().map(|c| c.load(Ordering::Relaxed));
        // What several accessors share is read more than once.
        (read.min(all), all)
    }

    /// Notes that there are more bytes to read.
    pub(super) fn expect_bytes(&self, count: usize) {
        let [_, all] = &self.bytes;
        all.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Notes that bytes were read.
    pub(super) fn add_bytes(&self, count: usize) {
        let [read, _] = &self.bytes;
        read.fetch_add(count as u64, Ordering::Relaxed);
    }

    pub(super) fn scene(&self) -> Option<&SceneChoice> {
        self.scene.as_ref()
    }

    pub(super) fn memory_limit(&self) -> u64 {
        self.memory_limit
    }

    /// Notes how far the import is, and stops it where it was cancelled.
    pub(super) fn advance(&self, stage: Stage, done: usize, of: usize) -> Result<(), ImportError> {
        self.stage.store(stage as u8, Ordering::Relaxed);
        for (count, value) in self.counts.iter().zip([done, of]) {
            count.store(value, Ordering::Relaxed);
        }
        if self.is_cancelled() { Err(ImportError::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_seen_and_cancellation_is_felt() {
        let job = Job::default();
        assert_eq!((job.stage(), job.fraction()), (Stage::Reading, 0.0));
        job.advance(Stage::Textures, 1, 4).unwrap();
        assert_eq!((job.stage(), job.fraction()), (Stage::Textures, 0.25));
        assert_eq!(job.counts(), (1, 4));
        job.advance(Stage::Textures, 0, 0).unwrap();
        job.expect_bytes(10);
        job.add_bytes(7);
        assert_eq!(job.bytes(), (7, 10));
        job.add_bytes(7);
        assert_eq!(job.bytes(), (10, 10));
        job.cancel();
        assert!(matches!(job.advance(Stage::Geometry, 0, 1), Err(ImportError::Cancelled)));
    }
}
