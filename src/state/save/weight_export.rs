//! The open file with other weights, and all else as it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{check_rig_name, reweighted_glb, rig_glb};
use crate::files::is_stream;
use crate::import::{ImportError, Job, StoredGltf, stored_bytes, stored_file};
use crate::rig::{Rig, WeightSet};
use crate::stage::Source;
use crate::state::save::export::{Export, Saving, Written};
use crate::state::{AppState, Arrived, Notice, Request};
use crate::view::Side;
use crate::weights::WeightChoice;

/// The open file that is to have other weights.
#[derive(Debug)]
struct WeightExport {
    /// Where the character comes from.
    source: Source,
    /// As its file has it.
    rig: Arc<Rig>,
    /// By the other weights.
    weighted: Arc<Rig>,
    /// How these were made.
    choice: WeightChoice,
}

impl Export for WeightExport {
    fn begin(&self) -> &'static str {
        "The weights were"
    }

    fn check(&self, path: &Path) -> Result<(), String> {
        check_rig_name(path).map_err(|e| e.to_string())
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<Written, String> {
        let stored = self.stored(job).map_err(|e| e.to_string())?;
        let whole = "The file is no glTF that can be read again: the whole rig was written, as File > Export rig does.";
        let told = stored.is_none().then(|| whole.to_owned()).into_iter().collect();
        let file = match stored {
            Some(stored) => reweighted_glb(stored, &self.rig, &self.changed(), &job.progress),
            None => rig_glb(&self.weighted, &job.progress),
        };
        Written::whole(&file.map_err(|e| e.to_string())?, told, (path, inputs), job)
    }

    fn written(&self, notice: Notice) -> Arrived {
        Arrived::WeightsWritten { rig: Arc::clone(&self.rig), choice: self.choice.clone(), notice }
    }
}

impl WeightExport {
    /// What the file says, where it is a glTF that can be read again.
    fn stored(&self, job: &Job) -> Result<Option<StoredGltf>, ImportError> {
        match &self.source {
            Source::File(path) if is_stream(path) => Ok(None),
            Source::File(path) => stored_file(path, job),
            Source::BuiltIn(built_in) => stored_bytes(built_in.bytes(), job),
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
}

impl AppState {
    /// The request to write the open file with the weights of side A; `None` where these are the file's, and where the side shows another file,
    /// which is said.
    pub(in crate::state) fn export_weights(&mut self, path: PathBuf) -> Option<Request> {
        if self.open.other_on(Side::A).is_some() {
            let (other, open) = (self.open.subject(Side::A).title(), self.open.document.source.name());
            self.fail(format!(
                "The weights were not saved: side A shows another file, {other}, whose weights are not for {open}. Swap the sides, or open {other}."
            ));
            return None;
        }
        let weighted = Arc::clone(&self.open.weighted(Side::A)?.rig);
        let document = &self.open.document;
        let (source, rig) = (document.source.clone(), Arc::clone(&document.rig));
        let what = Arc::new(WeightExport { source, rig, weighted, choice: self.open.weight_choice(Side::A).clone() });
        Some(Request::Export(Saving { what, path, inputs: self.inputs() }))
    }

    /// Weights that are in a file now would not be lost.
    pub(in crate::state) fn weights_written(&mut self, rig: &Arc<Rig>, choice: WeightChoice, notice: Notice) {
        if Arc::ptr_eq(rig, self.open.rig()) {
            self.open.saved.weights.a = choice;
        }
        self.notice = Some(notice);
    }
}
