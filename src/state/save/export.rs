//! Exports of the open character: checked, written in the background and reported.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{ExportError, ExportFile};
use crate::import::Job;
use crate::state::save::disk::refuse_to_replace;
use crate::state::{Arrived, Notice, NoticeKind};

/// An export of the open character to one or more files.
pub trait Export: Debug + Send + Sync {
    /// Returns the start of sentences about the export, such as "The rig was".
    fn begin(&self) -> &'static str;

    /// Checks a file name. *Errors*: text for the user if this export has no format with the extension.
    fn check(&self, path: &Path) -> Result<(), String>;

    /// Creates and writes the export. Files that it reads count towards the job's memory limit. Overwrites none of
    /// `inputs`.
    ///
    /// *Errors*: text for the user on why it cannot be created or written.
    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<Written, String>;

    /// Returns the result to report once the file is written.
    fn written(&self, notice: Notice) -> Arrived {
        Arrived::Notice(notice)
    }
}

/// Result of writing an export.
#[derive(Debug)]
pub struct Written {
    /// Size of the output: "3 pictures", "12 KB".
    pub size: String,
    /// Sentences on what the file does not preserve.
    pub told: Vec<String>,
}

impl Written {
    /// Writes finished files, all of them or none.
    ///
    /// *Errors*: text for the user if a file may not be replaced or cannot be written; the job was cancelled.
    pub fn whole(
        file: &ExportFile,
        told: Vec<String>,
        path: &Path,
        inputs: &[PathBuf],
        job: &Job,
    ) -> Result<Self, String> {
        let words = |e: ExportError| e.to_string();
        file.paths_beside(path).iter().try_for_each(|beside| refuse_to_replace(beside, inputs))?;
        job.progress.go_on().ok_or_else(|| words(ExportError::Cancelled))?;
        file.write(path).map_err(words)?;
        let told = told.into_iter().chain(file.losses()).collect();
        Ok(Self { size: file.size(), told })
    }
}

/// An export and its path.
#[derive(Clone, Debug)]
pub struct ExportJob {
    pub what: Arc<dyn Export>,
    /// Path to write to; its extension selects the format.
    pub path: PathBuf,
    /// Input files of the open character, which must not be overwritten.
    pub inputs: Vec<PathBuf>,
}

impl PartialEq for ExportJob {
    /// True for the same export object; does not compare contents.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.what, &other.what) && (&self.path, &self.inputs) == (&other.path, &other.inputs)
    }
}

impl ExportJob {
    /// Creates and writes the export; returns its result, or `None` if cancelled. Then no file was replaced.
    pub fn run(&self, job: &Job) -> Option<Arrived> {
        match self.write(job) {
            Ok(notice) => Some(self.what.written(notice)),
            Err(_) if job.progress.is_cancelled() => None,
            Err(problem) => {
                let text = format!("{} not saved: {problem}", self.what.begin());
                Some(Arrived::Notice(Notice::error(text)))
            }
        }
    }

    fn write(&self, job: &Job) -> Result<Notice, String> {
        let Self { what, path, inputs } = self;
        what.check(path)?;
        refuse_to_replace(path, inputs)?;
        let Written { size, told } = what.write(path, inputs, job)?;
        let kind = if told.is_empty() { NoticeKind::Done } else { NoticeKind::Warning };
        let first = format!("{} saved as {} ({size}).", what.begin(), path.display());
        Ok(Notice::new(kind, [vec![first], told].concat().join("\n")))
    }
}
