use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{PoseFile, find_ffmpeg};
use crate::files::{byte_count, find_same_file, write_atomically};
use crate::rig::Rig;
use crate::stage::Session;
use crate::state::pose_library::LibraryJob;
use crate::state::{Choices, FolderListing, JobResult, Notice, OpenDocument, PathUse};

/// File access in the background. Jobs run in the order in which they were requested.
#[derive(Clone, Debug, PartialEq)]
pub enum DiskJob {
    /// Reads files, which are then applied in order.
    Read(PathUse, Vec<PathBuf>),
    Write(Box<SaveJob>),
    ListFolder(PathBuf),
    /// Looks up the kind of file system entry at a path that the user chose.
    CheckPath {
        path: PathBuf,
        /// True to overwrite an existing file.
        replaces: bool,
    },
    FindFfmpeg,
    Library(Box<LibraryJob>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SaveJob {
    pub path: PathBuf,
    /// Files that must not be overwritten.
    pub inputs: Vec<PathBuf>,
    pub content: FileContent,
    /// The user's work that the file contains.
    pub saved: SavedFile,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FileContent {
    Pose(PoseFile),
    Session(Box<Session>),
    /// CSV or JSON.
    NumberTable(String),
}

impl SaveJob {
    /// Writes the file and returns a success message. *Errors*: a message for the user.
    fn write(&self) -> Result<String, String> {
        let Self { path, inputs, content, .. } = self;
        let mut count = 0;
        let text = || {
            let bytes = content.text(inputs).into_bytes();
            count = bytes.len() as u64;
            Ok(bytes)
        };
        save(path, inputs, text).map_err(|problem| format!("{} not saved: {problem}", content.name()))?;
        Ok(format!("{} saved as {} ({}).", content.name(), path.display(), byte_count(count)))
    }
}

impl FileContent {
    fn name(&self) -> &'static str {
        match self {
            Self::Pose(_) => "The pose was",
            Self::Session(_) => "The session was",
            Self::NumberTable(_) => "The table was",
        }
    }

    /// Returns the file's text. A session stores digests of `inputs`, the files of the character.
    fn text(&self, inputs: &[PathBuf]) -> String {
        match self {
            Self::Pose(file) => file.to_json(),
            Self::Session(session) => session.clone().with_digests(inputs).to_json(),
            Self::NumberTable(text) => text.clone(),
        }
    }
}

/// The user's work at the time of saving, with its character.
#[derive(Clone, Debug)]
pub struct SavedFile {
    rig: Arc<Rig>,
    choices: Choices,
}

impl PartialEq for SavedFile {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && self.choices == other.choices
    }
}

impl SavedFile {
    pub(in crate::state) fn now(open: &OpenDocument) -> Self {
        Self { rig: Arc::clone(open.stage.rig()), choices: Choices::from_stage(&open.stage) }
    }

    /// Marks this work, or only its pose, as saved.
    pub(in crate::state) fn mark_saved(self, open: &mut OpenDocument, is_pose_only: bool) {
        if is_pose_only {
            open.saved.pose = self.choices.pose;
        } else {
            open.saved = self.choices;
        }
    }

    pub(in crate::state) fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }
}

impl OpenDocument {
    /// Applies a pose file and marks its pose as saved. Returns a notice about unknown names.
    pub(in crate::state) fn open_pose(&mut self, file: &PoseFile) -> Option<Notice> {
        let (pose, unknown) = file.pose_for(&self.stage.document.rig);
        self.history.replace_pose(&mut self.stage, pose, "Open pose");
        self.saved.pose = self.stage.pose().clone();
        Notice::of_problems(&unknown.iter().map(ToString::to_string).collect::<Vec<_>>())
    }
}

impl DiskJob {
    /// Runs the job. Blocks on file access.
    pub fn run(self) -> JobResult {
        match self {
            Self::Read(purpose, paths) => JobResult::FilesRead(paths.iter().map(|path| purpose.read(path)).collect()),
            Self::Write(writing) => {
                let result = writing.write();
                JobResult::Written(writing, result)
            }
            Self::ListFolder(folder) => JobResult::FolderListed(FolderListing::new(folder)),
            Self::CheckPath { path, replaces } => Self::look_at(path, replaces),
            Self::FindFfmpeg => JobResult::FfmpegSought { is_found: find_ffmpeg().is_ok() },
            Self::Library(job) => JobResult::LibraryDone(job.run()),
        }
    }
}

/// Writes a file completely or not at all. Refuses to overwrite `inputs`. *Errors*: a message for the user.
pub fn save(path: &Path, inputs: &[PathBuf], bytes: impl FnOnce() -> Result<Vec<u8>, String>) -> Result<(), String> {
    refuse_to_replace(path, inputs)?;
    write_atomically(path, &bytes()?).map_err(|e| format!("{e} ({})", path.display()))
}

/// Rejects a path that is one of `inputs`. *Errors*: a message for the user.
pub(in crate::state) fn refuse_to_replace(path: &Path, inputs: &[PathBuf]) -> Result<(), String> {
    match find_same_file(path, inputs.iter().map(PathBuf::as_path)) {
        None => Ok(()),
        Some(input) => {
            Err(format!("{} is a file of the open character and would be lost; choose another name.", input.display()))
        }
    }
}
