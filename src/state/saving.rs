//! Files that are made of the open character: checked, made and written beside the frame loop in one way.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::refuse_to_replace;
use super::{Arrived, Notice, NoticeKind};
use crate::export::{ExportError, ExportFile};
use crate::import::Job;

/// Something that is made of the open character to be written to a file.
pub trait Export: Debug + Send + Sync {
    /// As sentences begin: "The rig was".
    fn begin(&self) -> &'static str;

    /// *Errors*: a file name that says no format of this.
    fn check(&self, path: &Path) -> Result<(), ExportError>;

    /// Makes the files, and sentences on what is not as it was. Files that are read for it may ask for what the job allows.
    ///
    /// *Errors*: why it cannot be made, in words.
    fn make(&self, path: &Path, job: &Job) -> Result<(ExportFile, Vec<String>), String>;

    /// What arrives once it is written.
    fn written(&self, notice: Notice) -> Arrived {
        Arrived::Notice(notice)
    }
}

/// What is to be written, and where.
#[derive(Clone, Debug)]
pub struct Saving {
    /// What is made.
    pub what: Arc<dyn Export>,
    /// Where to; its ending tells the format.
    pub path: PathBuf,
    /// The files of the open character, which must not be written over.
    pub inputs: Vec<PathBuf>,
}

impl PartialEq for Saving {
    /// Of one and the same thing, which is compared nowhere number by number.
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
                let text = format!("{} not exported: {problem}", self.what.begin());
                Some(Arrived::Notice(Notice { kind: NoticeKind::Error, text }))
            }
        }
    }

    fn write(&self, job: &Job) -> Result<Notice, String> {
        let Self { what, path, inputs } = self;
        let words = |e: ExportError| e.to_string();
        what.check(path).map_err(words)?;
        refuse_to_replace(path, inputs)?;
        let (file, told) = what.make(path, job)?;
        file.paths_beside(path).iter().try_for_each(|beside| refuse_to_replace(beside, inputs))?;
        job.progress.go_on().ok_or_else(|| words(ExportError::Cancelled))?;
        file.write(path).map_err(words)?;
        let mut lines = vec![format!("{} saved as {} ({}).", what.begin(), path.display(), file.size())];
        lines.extend(told);
        lines.extend(file.left_out.iter().cloned());
        let kind = if lines.len() > 1 { NoticeKind::Warning } else { NoticeKind::Done };
        Ok(Notice { kind, text: lines.join("\n") })
    }
}
