//! Exports of the open character: checking the path, writing in the background and reporting the result.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{ExportError, ExportFile};
use crate::import::Job;
use crate::state::save::disk::refuse_to_replace;
use crate::state::{JobResult, Notice, NoticeKind};

/// An export of the open character to one or more files.
pub trait Export: Debug + Send + Sync {
    /// Returns the beginning of messages about the export, such as "The rig was".
    fn begin(&self) -> &'static str;

    /// Writes the export without overwriting `inputs`. Files that the export reads count towards the job's memory
    /// limit. *Errors*: a message for the user.
    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String>;

    /// Returns the job result once the file is written.
    fn written(&self, notice: Notice) -> JobResult {
        JobResult::Notice(notice)
    }
}

#[derive(Debug)]
pub struct ExportSummary {
    /// Size of the output for the user, such as "12 KB" or "3 pictures".
    pub size: String,
    /// Messages about data that the export does not preserve.
    pub loss_notes: Vec<String>,
}

impl ExportSummary {
    /// Writes all files or none. *Errors*: a message for the user if a file must not be replaced or writing fails.
    pub fn whole(
        file: &ExportFile,
        told: Vec<String>,
        path: &Path,
        inputs: &[PathBuf],
        job: &Job,
    ) -> Result<Self, String> {
        let words = |e: ExportError| e.to_string();
        file.paths_beside(path).iter().try_for_each(|beside| refuse_to_replace(beside, inputs))?;
        job.progress.check_cancelled().ok_or_else(|| words(ExportError::Cancelled))?;
        file.write(path).map_err(words)?;
        let told = told.into_iter().chain(file.losses()).collect();
        Ok(Self { size: file.size(), loss_notes: told })
    }
}

#[derive(Clone, Debug)]
pub struct ExportJob {
    pub what: Arc<dyn Export>,
    /// The extension selects the format.
    pub path: PathBuf,
    /// Files that must not be overwritten.
    pub inputs: Vec<PathBuf>,
}

impl PartialEq for ExportJob {
    /// Compares the export by pointer, not by content.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.what, &other.what) && (&self.path, &self.inputs) == (&other.path, &other.inputs)
    }
}

impl ExportJob {
    /// Writes the export and returns its result. If cancelled, returns `None` and replaces no file.
    pub fn run(&self, job: &Job) -> Option<JobResult> {
        match self.write(job) {
            Ok(notice) => Some(self.what.written(notice)),
            Err(_) if job.progress.is_cancelled() => None,
            Err(problem) => {
                let text = format!("{} not saved: {problem}", self.what.begin());
                Some(JobResult::Notice(Notice::error(text)))
            }
        }
    }

    fn write(&self, job: &Job) -> Result<Notice, String> {
        let Self { what, path, inputs } = self;
        refuse_to_replace(path, inputs)?;
        let ExportSummary { size, loss_notes: told } = what.write(path, inputs, job)?;
        let kind = if told.is_empty() { NoticeKind::Done } else { NoticeKind::Warning };
        let first = format!("{} saved as {} ({size}).", what.begin(), path.display());
        Ok(Notice::new(kind, [vec![first], told].concat().join("\n")))
    }
}
