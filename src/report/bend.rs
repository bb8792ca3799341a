//! Bend test of the page's character.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::analysis::flex::{FlexLimits, FlexReport, FlexResult, flex, flex_findings, flex_skinner};
use crate::analysis::lint::Finding;
use crate::jobs::Progress;
use crate::rig::Rig;
use crate::skinning::Method;
use crate::stage::Stage;

/// Number of poses with an image.
const PICTURED: usize = 6;

/// Results of a bend test.
pub(super) struct BendMeasures {
    pub report: FlexReport,
    pub limits: FlexLimits,
    /// Findings, the most severe first.
    pub findings: Vec<Finding>,
    /// Tested method, and the method with which it is compared.
    pub methods: [Method; 2],
}

impl BendMeasures {
    /// Tests the open character with the method of side A and the config's limits. `None` if cancelled. *Errors*: the rig
    /// is too large, or doesn't support the method.
    pub(super) fn new(stage: &Stage, rig: &Arc<Rig>, progress: &Progress) -> Option<Result<Self, String>> {
        let method = stage.view.sides.a.skinning.method;
        let options = stage.document.bend_options();
        let skinner = match flex_skinner(rig, Some(method)) {
            Ok(skinner) => skinner,
            Err(problem) => return Some(Err(problem)),
        };
        let report = flex(&skinner, &options, progress)?;
        let mut findings = flex_findings(&report, rig, &options.limits);
        findings.sort_by_key(|finding| Reverse(finding.severity));
        Some(Ok(Self { report, limits: options.limits, findings, methods: [method, method.counterpart()] }))
    }

    /// Returns the worst poses, for which images are drawn.
    pub(super) fn pictured(&self) -> &[FlexResult] {
        self.report.poses.get(..PICTURED).unwrap_or(&self.report.poses)
    }
}
