use super::source::GltfSource;
use crate::import::ImportError;
use crate::import::report::ImportReport;

#[derive(Clone, Copy)]
pub(super) struct GltfLoader<'a> {
    pub source: &'a GltfSource<'a>,
    pub report: &'a ImportReport,
}

impl GltfLoader<'_> {
    pub(super) fn nothing_shown(&self) -> ImportError {
        let document = self.source.document;
        match (self.source.faulty_buffer(), self.report.first_loss()) {
            (Some((buffer, reason)), _) => ImportError::Buffer { buffer, reason },
            (None, Some(reason)) => ImportError::NothingUsable { reason },
            (None, None) => ImportError::Empty { meshes: document.meshes.len(), nodes: document.nodes.len() },
        }
    }
}
