//! Findings of a bend test: results beyond their limits, inert joints, and results worse than those of an older version.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::limits::{FlexLimits, FlexMeasure, PerMeasure};
use super::{FlexJoint, FlexReport, JointWorst};
use rigscope_core::findings::{Code, Finding, Target};
use rigscope_core::rig::{NodeIndex, Rig, VertexList, node_names};

/// Worst value of each measure by joint, and inert joints: what is compared between versions. Joints have their
/// [`node_names`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexRecord {
    joints: BTreeMap<String, PerMeasure<Option<f32>>>,
    pub(super) inert: BTreeSet<String>,
}

impl FlexRecord {
    /// Creates the record of a report.
    pub fn new(report: &FlexReport, rig: &Rig) -> Self {
        let values = |joint: &FlexJoint| joint.worst.each_ref().map(|worst| worst.map(|worst| worst.measured.value));
        let names = node_names(&rig.hierarchy);
        let name = |node: NodeIndex| names[node.index()].clone();
        Self {
            joints: report.joints.iter().map(|joint| (name(joint.joint), values(joint))).collect(),
            inert: report.inert.iter().copied().map(name).collect(),
        }
    }

    /// Reads the numbers that `rigscope flex --json` printed: one object per file. Returns the record whose path
    /// shares the most components with the end of a path; if there is only one record, returns that. *Errors*: the text
    /// isn't this JSON, or has no record for the file.
    pub fn from_json(text: &str, path: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Document {
            file: String,
            flex: Rows,
        }
        #[derive(Deserialize)]
        struct Rows {
            joints: Vec<Row>,
            #[serde(default)]
            inert: BTreeSet<String>,
        }
        #[derive(Deserialize)]
        struct Row {
            joint: String,
            worst: BTreeMap<String, f32>,
        }
        let documents = serde_json::Deserializer::from_str(text).into_iter::<Document>();
        let mut documents = documents.collect::<Result<Vec<_>, _>>().map_err(|problem| problem.to_string())?;
        let components = |path: &'_ str| path.rsplit(['/', '\\']).map(str::to_owned).collect::<Vec<_>>();
        let asked = components(path);
        let common = |document: &Document| {
            components(&document.file).iter().zip(&asked).take_while(|(own, asked)| own == asked).count()
        };
        let best = (0..documents.len()).rev().max_by_key(|&at| common(&documents[at]));
        let at = best.filter(|&at| documents.len() == 1 || common(&documents[at]) > 0);
        let Document { flex, .. } = documents.swap_remove(at.ok_or(format!("it has no numbers of {path}"))?);
        let values = |row: &Row| FlexMeasure::ALL.map(|measure| row.worst.get(measure.name()).copied());
        let joints = flex.joints.iter().map(|row| (row.joint.clone(), values(row))).collect();
        Ok(Self { joints, inert: flex.inert })
    }
}

/// Returns a finding for each joint and measure beyond its limit, and for each inert joint.
pub fn flex_findings(report: &FlexReport, rig: &Rig, limits: &FlexLimits) -> Vec<Finding> {
    let beyond = each_value(report).filter_map(|(joint, measure, worst)| {
        let name = rig.hierarchy.name(joint.joint);
        let limit = limits.limit(Some(name), measure);
        (worst.measured.value > limit).then(|| {
            let message = format!(
                "\"{name}\"{}: {}; the limit is {}.",
                in_pose(report, worst),
                phrase(measure, &measure.text(worst.measured.value)),
                measure.text(limit)
            );
            finding(rig, measure.code(), message, (joint.joint, worst), measure.name())
        })
    });
    beyond.chain(inert(report, rig)).collect()
}

fn inert(report: &FlexReport, rig: &Rig) -> impl Iterator<Item = Finding> {
    report.inert.iter().map(|&joint| {
        let name = rig.hierarchy.name(joint);
        let message = format!("\"{name}\" moves no skin: no vertex follows it.");
        Finding::new(Code::FlexInert, message, Target::for_nodes([rig.hierarchy.source(joint)]))
    })
}

/// Returns a finding for each joint and measure that is worse than in an older version by more than `margin`, a fraction
/// of the older value, and by more than the measure's tolerance; and for each inert joint that moved skin in it. Joints
/// that the older version lacks have no findings.
pub fn worse_than(report: &FlexReport, rig: &Rig, older: &FlexRecord, margin: f32) -> Vec<Finding> {
    let names = node_names(&rig.hierarchy);
    let worse = each_value(report).filter_map(|(joint, measure, worst)| {
        let name = &names[joint.joint.index()];
        let was = older.joints.get(name)?[measure as usize].unwrap_or(measure.ideal());
        let value = worst.measured.value;
        let allowed = was + (margin * (was - measure.ideal())).max(measure.tolerance());
        (value > allowed).then(|| {
            let message = format!(
                "\"{name}\"{}: {}; it was {} in the older version.",
                in_pose(report, worst),
                phrase(measure, &measure.text(value)),
                measure.text(was)
            );
            finding(rig, Code::FlexWorse, message, (joint.joint, worst), measure.name())
        })
    });
    let moved = |joint: &&NodeIndex| {
        let name = &names[joint.index()];
        older.joints.contains_key(name) && !older.inert.contains(name)
    };
    let newly_inert = report.inert.iter().filter(moved).map(|&joint| {
        let name = &names[joint.index()];
        let message = format!("\"{name}\" moves no skin any more.");
        Finding {
            spot: Some(format!("{name} inert")),
            ..Finding::new(Code::FlexWorse, message, Target::for_nodes([rig.hierarchy.source(joint)]))
        }
    });
    worse.chain(newly_inert).collect()
}

fn each_value(report: &FlexReport) -> impl Iterator<Item = (&FlexJoint, FlexMeasure, JointWorst)> {
    report.joints.iter().flat_map(|joint| {
        let values = FlexMeasure::ALL.into_iter().zip(joint.worst);
        values.filter_map(move |(measure, worst)| Some((joint, measure, worst?)))
    })
}

fn in_pose(report: &FlexReport, worst: JointWorst) -> String {
    let pose = worst.pose.and_then(|pose| report.poses.get(pose));
    pose.map_or_else(String::new, |result| format!(" in the pose \"{}\"", result.pose.name))
}

fn phrase(measure: FlexMeasure, value: &str) -> String {
    match measure {
        FlexMeasure::VolumeLoss => format!("its region loses {value} of its volume"),
        FlexMeasure::Pinched => format!("{value} of the region shrinks to less than a tenth"),
        FlexMeasure::Flipped => format!("{value} of the region turns over"),
        FlexMeasure::Stretch => format!("an edge becomes {value} as long"),
        FlexMeasure::Folds => format!("{value} of the region folds into itself"),
        FlexMeasure::Layers => format!("{value} of the region passes through another layer"),
        FlexMeasure::Abrupt => format!("the weights change abruptly along {value} of the boundary of its skin"),
        FlexMeasure::Elsewhere => format!("it moves skin that is much nearer to other joints, {value} of all skin"),
    }
}

fn finding(rig: &Rig, code: Code, message: String, (joint, worst): (NodeIndex, JointWorst), measure: &str) -> Finding {
    let source = rig.hierarchy.source(joint);
    let target = worst.measured.vertex.and_then(|at| {
        let placed = rig.instances.get(at.instance)?;
        let mesh = rig.meshes.get(placed.mesh)?;
        let mut vertices = VertexList::default();
        vertices.push_listed(at.vertex);
        let primitive = mesh.primitives.get(at.primitive)?.source;
        Some(Target::Primitive { mesh: mesh.source, primitive, vertices, joint: Some(source) })
    });
    let target = target.unwrap_or_else(|| Target::for_nodes([source]));
    // The worst pose, vertex and value may change between runs; the joint and the measure name the problem.
    let spot = Some(format!("{} {measure}", rig.hierarchy.name(joint)));
    Finding { spot, ..Finding::new(code, message, target) }
}
