use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::super::console::{BOLD, Line, cancelled};
use super::super::files::source;
use super::super::numbers::within;
use super::super::opening::{ExtraClipArgs, open_document};
use super::super::{Console, MemoryArgs};
use crate::analysis::rigging_metrics::{JointMetricsJson, RiggingMetricsJson, WeightMetricsJson, rigging_metrics};
use crate::rig::Rig;
use crate::stage::Source;
use crate::text::listed;

const SHOWN_NAMES: usize = 8;

/// A reference for the metrics of rigging papers.
#[derive(Args, Clone, Debug)]
pub(super) struct AgainstArgs {
    /// Also compare joints and weights with those of a reference
    #[arg(long, value_name = "OTHER", value_parser = source())]
    against: Option<Source>,

    /// Distance up to which joints match, as a fraction of the reference's longest side
    #[arg(long, value_name = "FRACTION", requires = "against", value_parser = within(0.0..=1.0, "fractions"))]
    #[arg(allow_negative_numbers = true)]
    tolerance: Option<f32>,
}

impl AgainstArgs {
    pub(super) fn path(&self) -> Option<&Path> {
        self.against.as_ref().and_then(Source::path)
    }

    /// Compares a rig with the reference, if there is one.
    pub(super) fn metrics(
        &self,
        rig: &Arc<Rig>,
        memory: MemoryArgs,
        console: &Console,
    ) -> Result<Option<RiggingMetricsJson>, String> {
        let Some(source) = &self.against else { return Ok(None) };
        let reference = open_document((source, None), &ExtraClipArgs::default(), memory.job(), console)?;
        let tolerance = self.tolerance.map(f64::from);
        let name = source.full_name();
        let found = console.stage("Comparing with the reference", |progress| {
            rigging_metrics([rig, &reference.rig], &name, tolerance, progress)?.ok_or_else(cancelled)
        })?;
        Ok(Some(found))
    }
}

pub(super) fn lines(found: &RiggingMetricsJson) -> Vec<Line> {
    let heading = format!("Against {}, in fractions of its longest side, {:.4} m", found.reference, found.unit_m);
    let mut lines = vec![Line::default(), Line::default().styled(BOLD, &heading)];
    let weights = match (&found.weights, &found.weights_off) {
        (Some(weights), _) => weight_rows(weights),
        (None, reason) => vec![("weights", format!("not compared: {}", reason.as_deref().unwrap_or("no vertices")))],
    };
    let rows = joint_rows(&found.joints).into_iter().chain(weights);
    lines.extend(rows.map(|(what, text)| Line::plain(&format!("  {what:<14}{text}"))));
    lines
}

fn joint_rows(joints: &JointMetricsJson) -> Vec<(&'static str, String)> {
    let JointMetricsJson { count, reference_count, matched, precision, recall, iou, .. } = joints;
    let mut rows = vec![
        (
            "joints",
            format!("{matched} of {count} match {reference_count}, within {:.4} on average", joints.mean_tolerance),
        ),
        ("", format!("precision {precision:.4}, recall {recall:.4}, IoU {iou:.4}")),
        ("distances", format!("CD-J2J {:.6}, CD-J2B {:.6}, CD-B2B {:.6}", joints.cd_j2j, joints.cd_j2b, joints.cd_b2b)),
    ];
    let named = [("missing", &joints.missing), ("extra", &joints.extra)];
    rows.extend(
        named
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(what, names)| (what, listed(names, SHOWN_NAMES))),
    );
    rows
}

fn weight_rows(weights: &WeightMetricsJson) -> Vec<(&'static str, String)> {
    let WeightMetricsJson { vertices, reference_vertices, precision, recall, l1, poses, .. } = weights;
    let deformation = match weights.mean_deformation.zip(weights.max_deformation) {
        Some((mean, max)) => format!("{mean:.6} on average, up to {max:.6} in {poses} random poses"),
        None => "not measured: no matched vertex follows joints of the reference".to_owned(),
    };
    vec![
        (
            "weights",
            format!("{vertices} of {reference_vertices} vertices compared, influences above {}", weights.threshold),
        ),
        ("", format!("precision {precision:.4}, recall {recall:.4}, mean L1 {l1:.6}")),
        ("deformation", deformation),
    ]
}
