use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::export::{check_rig_name, check_vrm_name, rig_glb};
use crate::import::Job;
use crate::rig::Rig;
use crate::state::OpenDocument;
use crate::state::save::export::{Export, ExportSummary};

/// The character as loaded, without the user's pose.
#[derive(Debug)]
struct RigExport(Arc<Rig>);

impl Export for RigExport {
    fn begin(&self) -> &'static str {
        "The rig was"
    }

    fn check(&self, path: &Path) -> Result<(), String> {
        check_rig_name(path).and_then(|()| check_vrm_name(path, &self.0)).map_err(|e| e.to_string())
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        let file = rig_glb(&self.0, &job.progress).map_err(|e| e.to_string())?;
        ExportSummary::whole(&file, Vec::new(), path, inputs, job)
    }
}

pub(super) fn export(open: &OpenDocument) -> Arc<dyn Export> {
    Arc::new(RigExport(Arc::clone(open.stage.rig())))
}
