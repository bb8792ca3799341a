//! The open file with other weights, and all else as it is.

use std::path::PathBuf;
use std::sync::Arc;

use super::disk::refuse_to_replace;
use super::{AppState, Arrived, Notice, NoticeKind, Request, Source};
use crate::export::{ExportError, ExportFile, check_rig_name, reweighted_glb, rig_glb};
use crate::files::is_standard;
use crate::import::{ImportError, Job, StoredGltf, stored_bytes, stored_file};
use crate::jobs::Progress;
use crate::rig::{Rig, WeightSet};
use crate::view::Side;

/// What is to be written, and where.
#[derive(Clone, Debug)]
pub struct WeightExport {
    /// Where the character comes from.
    source: Source,
    /// As its file has it.
    rig: Arc<Rig>,
    /// By the other weights.
    weighted: Arc<Rig>,
    /// Where to; its name ends in `.glb`.
    pub path: PathBuf,
    /// The files of the open character, which must not be written over.
    inputs: Vec<PathBuf>,
}

impl PartialEq for WeightExport {
    /// Of the same rigs, which are compared nowhere number by number.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && Arc::ptr_eq(&self.weighted, &other.weighted) && self.path == other.path
    }
}

impl WeightExport {
    /// Writes: what is to be told of it; `None` where it was cancelled, and then no file was replaced.
    pub fn run(self, progress: &Progress) -> Option<Arrived> {
        let notice = match self.write(progress) {
            Ok(notice) => notice,
            Err(_) if progress.is_cancelled() => return None,
            Err(problem) => {
                Notice { kind: NoticeKind::Error, text: format!("The weights were not exported: {problem}") }
            }
        };
        Some(Arrived::Notice(notice))
    }

    fn write(&self, progress: &Progress) -> Result<Notice, String> {
        let words = |e: ExportError| e.to_string();
        check_rig_name(&self.path).map_err(words)?;
        refuse_to_replace(&self.path, &self.inputs)?;
        let stored = self.stored().map_err(|e| e.to_string())?;
        let is_whole = stored.is_none();
        let file = match stored {
            Some(stored) => reweighted_glb(stored, &self.rig, &self.changed(), progress),
            None => rig_glb(&self.weighted, progress),
        };
        let file = file.map_err(words)?;
        progress.go_on().ok_or_else(|| words(ExportError::Cancelled))?;
        file.write(&self.path).map_err(words)?;
        Ok(self.told(&file, is_whole))
    }

    /// What the file says, where it is a glTF that can be read again.
    fn stored(&self) -> Result<Option<StoredGltf>, ImportError> {
        match &self.source {
            Source::File(path) if is_standard(path) => Ok(None),
            Source::File(path) => stored_file(path, &Job::default()),
            Source::BuiltIn(built_in) => stored_bytes(built_in.bytes(), &Job::default()),
        }
    }

    /// The weights of the primitives that have others than in the file.
    fn changed(&self) -> WeightSet {
        let mut changed = WeightSet::unchanged(&self.rig);
        let file = WeightSet::of(&self.rig);
        for (mesh, primitive, own) in WeightSet::of(&self.weighted).iter() {
            if file.get(mesh, primitive) != Some(own) {
                changed.set(mesh, primitive, own.clone());
            }
        }
        changed
    }

    fn told(&self, file: &ExportFile, is_whole: bool) -> Notice {
        let mut lines = vec![format!("The weights were saved as {} ({}).", self.path.display(), file.size())];
        let whole = "The file is no glTF that can be read again: the whole rig was written, as File > Export rig does.";
        lines.extend(is_whole.then(|| whole.to_owned()));
        lines.extend(file.left_out.iter().cloned());
        let kind = if lines.len() > 1 { NoticeKind::Warning } else { NoticeKind::Done };
        Notice { kind, text: lines.join("\n") }
    }
}

impl AppState {
    /// The request to write the open file with the weights of side A; `None` where these are the file's.
    pub(super) fn export_weights(&self, path: PathBuf) -> Option<Request> {
        let weighted = Arc::clone(&self.weighted(Side::A)?.rig);
        let document = &self.open.document;
        let (source, rig) = (document.source.clone(), Arc::clone(&document.rig));
        Some(Request::ExportWeights(Box::new(WeightExport { source, rig, weighted, path, inputs: self.inputs() })))
    }
}
