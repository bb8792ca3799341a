use super::super::console::Line;
use super::super::text_table::{TextTable, number, percent};
use crate::analysis::flex::{ContactKind, FlexJson, FlexMeasure, FlexPoseJson};
use crate::text::{counted, listed};

const MAX_INERT: usize = 8;

/// Returns the lines of a report.
pub(super) fn lines(file: &str, found: &FlexJson) -> Vec<Line> {
    let faults = found.poses.iter().filter(|pose| pose.severity > 1.0).count();
    let more = if faults == found.poses.len() && faults < found.count { " or more" } else { "" };
    let mut lines = vec![Line::plain(file)];
    let counts = [counted(found.count, "pose", "poses"), counted(found.joints.len(), "joint", "joints")].join(", ");
    lines.push(Line::plain(&format!("{counts}, {faults}{more} beyond a limit")));
    let value = |pose: &FlexPoseJson, measure: FlexMeasure| {
        pose.measures.iter().find(|value| value.measure == measure).map(|value| value.value)
    };
    let of = |measure: FlexMeasure| move |pose: &FlexPoseJson| percent(value(pose, measure));
    let touching = |pose: &FlexPoseJson| {
        pose.contacts.iter().filter(|contact| contact.kind == ContactKind::Contact).count().to_string()
    };
    let joint = |pose: &FlexPoseJson| {
        let worst = pose.measures.iter().find(|value| Some(value.measure) == pose.worst);
        worst.and_then(|value| value.joint.clone()).or_else(|| pose.joint.clone()).unwrap_or_else(|| "-".to_owned())
    };
    let table = TextTable::<FlexPoseJson>::new()
        .right(8, "severity", |pose| number(pose.severity, 2))
        .left(11, "by", |pose| pose.worst.map_or("-", FlexMeasure::name).to_owned())
        .bar()
        .right(8, "loss", of(FlexMeasure::VolumeLoss))
        .right(8, "pinched", of(FlexMeasure::Pinched))
        .right(8, "flipped", of(FlexMeasure::Flipped))
        .right(7, "stretch", move |pose| number(value(pose, FlexMeasure::Stretch), 2))
        .right(8, "folds", of(FlexMeasure::Folds))
        .right(8, "layers", of(FlexMeasure::Layers))
        .right(8, "contacts", touching)
        .bar()
        .left(20, "joint", joint)
        .left(0, "pose", |pose| pose.name.clone());
    lines.push(table.head());
    lines.extend(found.poses.iter().map(|pose| table.row(pose)));
    if !found.inert.is_empty() {
        lines.push(Line::plain(&format!("Joints that move no skin: {}", listed(&found.inert, MAX_INERT))));
    }
    lines
}
