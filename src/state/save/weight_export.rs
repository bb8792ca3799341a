//! Export of the open file in which only the weights are changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{check_rig_name, check_vrm_name, reweighted_glb, rig_glb};
use crate::files::is_stream;
use crate::import::{ImportError, Job, RawGltf, raw_gltf_from_bytes, raw_gltf_from_path};
use crate::rig::{Rig, WeightSet};
use crate::stage::Source;
use crate::state::save::export::{Export, ExportSummary};
use crate::state::{JobResult, Notice, OpenDocument};
use crate::view::Side;
use crate::weights::WeightChoice;

#[derive(Debug)]
struct WeightExport {
    source: Source,
    /// The character with the weights of its file.
    rig: Arc<Rig>,
    weighted: Arc<Rig>,
    choice: WeightChoice,
}

impl Export for WeightExport {
    fn begin(&self) -> &'static str {
        "The weights were"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        check_rig_name(path).and_then(|()| check_vrm_name(path, &self.rig)).map_err(|e| e.to_string())?;
        let stored = self.stored(job).map_err(|e| e.to_string())?;
        let whole = "The file cannot be reread as glTF, so the whole rig was written, as by File > Export rig.";
        let told = stored.is_none().then(|| whole.to_owned()).into_iter().collect();
        let file = match stored {
            Some(stored) => reweighted_glb(stored, &self.rig, &self.changed(), &job.progress),
            None => rig_glb(&self.weighted, &job.progress),
        };
        ExportSummary::whole(&file.map_err(|e| e.to_string())?, told, path, inputs, job)
    }

    fn written(&self, notice: Notice) -> JobResult {
        JobResult::WeightsWritten { rig: Arc::clone(&self.rig), choice: self.choice.clone(), notice }
    }
}

impl WeightExport {
    /// Rereads the file's glTF document; `None` if it is not a glTF file or cannot be read twice.
    fn stored(&self, job: &Job) -> Result<Option<RawGltf>, ImportError> {
        match &self.source {
            Source::File(path) if is_stream(path) => Ok(None),
            Source::File(path) => raw_gltf_from_path(path, job),
            Source::BuiltIn(built_in) => raw_gltf_from_bytes(built_in.bytes(), job),
        }
    }

    /// Returns the weights of those primitives whose weights differ from the file's.
    fn changed(&self) -> WeightSet {
        let mut changed = WeightSet::unchanged(&self.rig);
        let file = WeightSet::from_rig(&self.rig);
        for (mesh, primitive, own) in WeightSet::from_rig(&self.weighted).iter() {
            if file.get(mesh, primitive) != Some(own) {
                changed.set(mesh, primitive, own.clone());
            }
        }
        changed
    }
}

/// Creates the export of the open file with side A's weights; `None` if these are the file's own. *Errors*: side A
/// shows a comparison file.
pub(super) fn export(open: &OpenDocument) -> Result<Option<Arc<dyn Export>>, Notice> {
    if open.stage.other_on(Side::A).is_some() {
        let (other, open) = (open.stage.view.sides.a.file.title(), open.stage.document.source.name());
        return Err(Notice::error(format!(
            "The weights were not saved: side A shows {other}, not {open}. Swap the sides, or open {other}."
        )));
    }
    let Some(weighted) = open.stage.weighted(Side::A) else { return Ok(None) };
    Ok(Some(Arc::new(WeightExport {
        source: open.stage.document.source.clone(),
        rig: Arc::clone(open.stage.rig()),
        weighted: Arc::clone(&weighted.rig),
        choice: open.stage.view.sides.a.weights.clone(),
    })))
}
