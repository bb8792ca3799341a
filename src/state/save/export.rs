//! Files that are made of what is open: checked, made, written and told beside the frame loop in one way.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{ExportError, ExportFile};
use crate::import::Job;
use crate::state::save::disk::refuse_to_replace;
use crate::state::{Arrived, Notice, NoticeKind};

/// Something that is made of what is open, to be written to a file or several.
pub trait Export: Debug + Send + Sync {
    /// Begin of sentences about the export: "The rig was".
    fn begin(&self) -> &'static str;

    /// *Errors*: a file name that says no format of this, in words.
    fn check(&self, path: &Path) -> Result<(), String>;

    /// Makes and writes it. Files that are read for it may ask for what the job allows; none of `inputs` may be written over.
    ///
    /// *Errors*: why it cannot be made or written, in words.
    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<Written, String>;

    /// Result that arrives once the file is written.
    fn written(&self, notice: Notice) -> Arrived {
        Arrived::Notice(notice)
    }
}

/// Result of writing an export.
#[derive(Debug)]
pub struct Written {
    /// Amount that was written: "3 pictures", "12 KB".
    pub size: String,
    /// Sentences on what is not as it was.
    pub told: Vec<String>,
}

impl Written {
    /// Writes files that were made, whole or not at all.
    ///
    /// *Errors*: in words: files that may not be replaced or cannot be written; a cancelled job.
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
        let told = told.into_iter().chain(file.left_out.iter().cloned()).collect();
        Ok(Self { size: file.size(), told })
    }
}

/// An export and the path that it goes to.
#[derive(Clone, Debug)]
pub struct Saving {
    pub what: Arc<dyn Export>,
    /// Path to write to; its ending tells the format.
    pub path: PathBuf,
    /// The files of the open character, which must not be written over.
    pub inputs: Vec<PathBuf>,
}

impl PartialEq for Saving {
    /// True for one and the same export, which is compared nowhere number by number.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.what, &other.what) && (&self.path, &self.inputs) == (&other.path, &other.inputs)
    }
}

impl Saving {
    /// Makes and writes: what arrives of it; `None` where it was cancelled, and then no file was replaced.
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
        Ok(Notice { kind, text: [vec![first], told].concat().join("\n") })
    }
}
