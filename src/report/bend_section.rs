use super::bend::BendMeasures;
use super::pictures::jpeg;
use crate::analysis::lint::Finding;
use crate::page::{Element, figure, grid, paragraph, table, text};
use crate::rig::Rig;
use crate::skinning::Method;
use crate::text::counted;

const MAX_FINDINGS: usize = 20;

/// Returns the section. `pictures` are images of [`BendMeasures::pictured`].
pub(super) fn bend_section(test: &BendMeasures, rig: &Rig, pictures: &[Vec<u8>]) -> Vec<Element> {
    let [a, b] = test.methods.map(Method::label);
    let faults = test.report.poses.iter().filter(|result| result.is_fault()).count();
    let about = format!(
        "{} of {} with {a}; {faults} beyond the limits of the preset {}. Each image shows a pose with {a} on side A and {b} on side B.",
        counted(test.report.poses.len(), "pose", "poses"),
        counted(test.report.joints.len(), "joint", "joints"),
        test.limits.preset.name()
    );
    let shots = test.pictured().iter().zip(pictures).map(|(result, file)| {
        let caption = format!("{}: {}", result.pose.name, result.summary(rig, &test.limits));
        figure(jpeg(file, &result.pose.name), text(&caption))
    });
    let row = |finding: &Finding| {
        let severity = finding.severity.name();
        vec![text(severity).with("class", severity), text(&finding.id()), text(&finding.message)]
    };
    let findings = table(&["Severity", "Code", "Finding"], test.findings.iter().take(MAX_FINDINGS).map(row));
    let findings = if test.findings.is_empty() { paragraph("No findings.") } else { findings };
    let more = test.findings.len().checked_sub(MAX_FINDINGS).filter(|more| *more > 0);
    let more = more.map(|more| paragraph(&format!("And {more} more.")));
    [paragraph(&about).with("class", "quiet"), grid(shots), findings].into_iter().chain(more).collect()
}
