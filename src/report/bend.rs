//! Bend test of the page's character: measures, and its section.

use std::cmp::Reverse;
use std::sync::Arc;

use super::pictures::jpeg;
use crate::analysis::flex::{FlexLimits, FlexReport, FlexResult, flex, flex_findings, flex_skinner};
use crate::analysis::lint::Finding;
use crate::jobs::Progress;
use crate::page::{Element, figure, grid, paragraph, table, text};
use crate::rig::Rig;
use crate::skinning::Method;
use crate::stage::Stage;
use crate::text::counted;
use crate::view::Side;

/// Number of poses with an image.
const PICTURED: usize = 6;
const MAX_FINDINGS: usize = 20;

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
        let method = stage.skinning(Side::A).method;
        let options = stage.bend_options();
        let skinner = match flex_skinner(rig, Some(method)) {
            Ok(skinner) => skinner,
            Err(problem) => return Some(Err(problem)),
        };
        let report = flex(&skinner, &options, progress)?;
        let mut findings = flex_findings(&report, rig, &options.limits);
        findings.sort_by_key(|finding| Reverse(finding.severity));
        Some(Ok(Self { report, limits: options.limits, findings, methods: [method, method.counterpart()] }))
    }

    /// Returns the worst poses, which get an image.
    pub(super) fn pictured(&self) -> &[FlexResult] {
        self.report.poses.get(..PICTURED).unwrap_or(&self.report.poses)
    }

    /// Returns the section. `pictures` are images of [`Self::pictured`].
    pub(super) fn section(&self, rig: &Rig, pictures: &[Vec<u8>]) -> Vec<Element> {
        let [a, b] = self.methods.map(Method::label);
        let faults = self.report.poses.iter().filter(|result| result.is_fault()).count();
        let about = format!(
            "{} of {} with {a}; {faults} beyond the limits of the preset {}. Each image shows a pose with {a} on side A and {b} on side B.",
            counted(self.report.poses.len(), "pose", "poses"),
            counted(self.report.joints.len(), "joint", "joints"),
            self.limits.preset.name()
        );
        let shots = self.pictured().iter().zip(pictures).map(|(result, file)| {
            let caption = format!("{}: {}", result.pose.name, result.summary(rig, &self.limits));
            figure(jpeg(file, &result.pose.name), text(&caption))
        });
        let row = |finding: &Finding| {
            let severity = finding.severity.name();
            vec![text(severity).with("class", severity), text(&finding.id()), text(&finding.message)]
        };
        let findings = table(&["Severity", "Code", "Finding"], self.findings.iter().take(MAX_FINDINGS).map(row));
        let findings = if self.findings.is_empty() { paragraph("No findings.") } else { findings };
        let more = self.findings.len().checked_sub(MAX_FINDINGS).filter(|more| *more > 0);
        let more = more.map(|more| paragraph(&format!("And {more} more.")));
        [paragraph(&about).with("class", "quiet"), grid(shots), findings].into_iter().chain(more).collect()
    }
}
