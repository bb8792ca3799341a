use rigscope_analysis::analysis::lint::{Finding, lint};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::Rig;
use rigscope_io::import::ImportWarning;

/// Returns all findings of lint and import, most severe first, then by code. Returns `None` if cancelled. *Cost*: as
/// [`lint`].
pub fn findings(rig: &Rig, warnings: &[ImportWarning], progress: &Progress) -> Option<Vec<Finding>> {
    let mut all: Vec<Finding> = warnings.iter().map(|warning| warning.finding.clone()).collect();
    all.extend(lint(rig, progress)?);
    for finding in all.iter_mut().filter(|_| !rig.is_gltf) {
        finding.severity = finding.severity.min(finding.code.severity_outside_gltf());
    }
    all.sort_by_key(|f| (std::cmp::Reverse(f.severity), f.code));
    Some(all)
}
