//! The whole open rig as a file.

use std::path::PathBuf;
use std::sync::Arc;

use super::disk::refuse_to_replace;
use super::{AppState, Arrived, Notice, NoticeKind, PathUse, Request};
use crate::export::{ExportError, ExportFile, check_rig_name, rig_glb};
use crate::jobs::Progress;
use crate::rig::Rig;

/// What is to be written, and where.
#[derive(Clone, Debug)]
pub struct RigExport {
    /// The character as its file has it, without the user's pose.
    pub rig: Arc<Rig>,
    /// Where to; its name ends in `.glb`.
    pub path: PathBuf,
    /// The files of the open character, which must not be written over.
    pub inputs: Vec<PathBuf>,
}

impl PartialEq for RigExport {
    /// Of one and the same rig, which is compared nowhere number by number.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && (&self.path, &self.inputs) == (&other.path, &other.inputs)
    }
}

impl RigExport {
    /// Writes: what is to be told of it; `None` where it was cancelled, and then no file was replaced.
    pub fn run(self, progress: &Progress) -> Option<Arrived> {
        let notice = match self.write(progress) {
            Ok(file) => self.told(&file),
            Err(_) if progress.is_cancelled() => return None,
            Err(problem) => Notice { kind: NoticeKind::Error, text: format!("The rig was not exported: {problem}") },
        };
        Some(Arrived::Notice(notice))
    }

    fn write(&self, progress: &Progress) -> Result<ExportFile, String> {
        let words = |e: ExportError| e.to_string();
        check_rig_name(&self.path).map_err(words)?;
        refuse_to_replace(&self.path, &self.inputs)?;
        let file = rig_glb(&self.rig, progress).map_err(words)?;
        progress.go_on().ok_or_else(|| words(ExportError::Cancelled))?;
        file.write(&self.path).map_err(words)?;
        Ok(file)
    }

    fn told(&self, file: &ExportFile) -> Notice {
        let mut lines = vec![format!("The rig was saved as {} ({}).", self.path.display(), file.size())];
        lines.extend(file.left_out.iter().cloned());
        let kind = if lines.len() > 1 { NoticeKind::Warning } else { NoticeKind::Done };
        Notice { kind, text: lines.join("\n") }
    }
}

impl AppState {
    /// The request for a place; its suggested name is not that of the file that is open.
    pub(super) fn rig_target(&self) -> Request {
        self.ask_for_path(PathUse::SaveRig, Some("rig.glb"))
    }

    /// The request to write the open rig.
    pub(super) fn export_rig(&self, path: PathBuf) -> Request {
        let rig = Arc::clone(&self.open.document.rig);
        Request::ExportRig(Box::new(RigExport { rig, path, inputs: self.inputs() }))
    }
}
