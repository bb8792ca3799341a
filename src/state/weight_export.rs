//! The open file with other weights, and all else as it is.

use std::path::PathBuf;
use std::sync::Arc;

use super::disk::refuse_to_replace;
use super::{AppState, Arrived, Notice, NoticeKind, Request, Source};
use crate::export::{ExportError, ExportFile, check_rig_name, reweighted_glb, rig_glb};
use crate::files::is_stream;
use crate::import::{ImportError, Job, StoredGltf, stored_bytes, stored_file};
use crate::jobs::Progress;
use crate::rig::{Rig, WeightSet};
use crate::view::Side;
use crate::weights::WeightChoice;

/// What is to be written, and where.
#[derive(Clone, Debug)]
pub struct WeightExport {
    /// Where the character comes from.
    source: Source,
    /// As its file has it.
    rig: Arc<Rig>,
    /// By the other weights.
    weighted: Arc<Rig>,
    /// How these were made.
    choice: WeightChoice,
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
        match self.write(progress) {
            Ok(notice) => Some(Arrived::WeightsWritten { rig: self.rig, choice: self.choice, notice }),
            Err(_) if progress.is_cancelled() => None,
            Err(problem) => {
                let text = format!("The weights were not exported: {problem}");
                Some(Arrived::Notice(Notice { kind: NoticeKind::Error, text }))
            }
        }
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
            Source::File(path) if is_stream(path) => Ok(None),
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
    /// The request to write the open file with the weights of side A; `None` where these are the file's, and where the side shows another file,
    /// which is said.
    pub(super) fn export_weights(&mut self, path: PathBuf) -> Option<Request> {
        if self.other_on(Side::A).is_some() {
            let (other, open) = (self.subject(Side::A).title(), self.open.document.source.name());
            self.fail(format!(
                "The weights were not exported: side A shows another file, {other}, whose weights are not for {open}. Swap the sides, or open {other}."
            ));
            return None;
        }
        let weighted = Arc::clone(&self.weighted(Side::A)?.rig);
        let document = &self.open.document;
        let (source, rig) = (document.source.clone(), Arc::clone(&document.rig));
        let (choice, inputs) = (self.weight_choice(Side::A).clone(), self.inputs());
        Some(Request::ExportWeights(Box::new(WeightExport { source, rig, weighted, choice, path, inputs })))
    }

    /// Weights that are in a file now would not be lost.
    pub(super) fn weights_written(&mut self, rig: &Arc<Rig>, choice: WeightChoice, notice: Notice) {
        if Arc::ptr_eq(rig, self.rig()) {
            self.open.saved.weights.a = choice;
        }
        self.notice = Some(notice);
    }
}
