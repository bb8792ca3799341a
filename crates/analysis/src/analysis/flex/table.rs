//! Rows of a bend test. Angles are in degrees.

use std::collections::BTreeMap;

use super::contacts::{Contact, ContactKind};
use super::limits::{FlexMeasure, PerMeasure};
use super::plan::FlexPoseKind;
use super::ranges::FlexAxis;
use super::{FlexReport, FlexResult, Measured};
use crate::analysis::weight_problems::{JointRotationJson, WeightProblemPoseJson};
use rigscope_core::rig::NodeIndex;
use rigscope_core::rows::{columns, csv, degrees, rounded, rows};

rows! {
    /// Bend test of a rig.
    pub struct FlexJson {
        /// Number of tested poses, listed or not.
        pub count: usize,
        /// Poses by severity, worst first.
        pub poses: Vec<FlexPoseJson>,
        /// Worst value of each measure by joint, worst joint first. `check --against` reads them.
        pub joints: Vec<FlexJointJson>,
        /// Names of joints that move no skin although their names promise it.
        pub inert: Vec<String>,
    }

    /// One pose of the bend test.
    pub struct FlexPoseJson {
        /// Name of the pose: joint, motion and angle, or the name of the pose or clip.
        pub name: String,
        /// Kind of pose.
        pub kind: FlexPoseKind,
        /// Name of the joint that moves, if only one does.
        pub joint: Option<String>,
        /// Motion of the joint.
        pub axis: Option<FlexAxis>,
        /// Angle of the joint from its anatomical position, degrees.
        pub angle_deg: Option<f64>,
        /// Publication of the joint's natural range.
        pub source: Option<String>,
        /// Index of the clip, for frames of clips.
        pub clip: Option<usize>,
        /// Time in the clip, seconds.
        pub time_secs: Option<f32>,
        /// Largest measure relative to its limit; above 1 for a fault.
        pub severity: f64,
        /// The measure that determines the severity.
        pub worst: Option<FlexMeasure>,
        /// Measures with their places.
        pub measures: Vec<FlexValueJson>,
        /// Smallest area of a triangle, relative to rest.
        pub min_area_ratio: f32,
        /// Number of triangles that turn over.
        pub flipped_triangles: usize,
        /// Volume of everything drawn, cubic metres.
        pub volume_m3: f64,
        /// Surfaces that intersect in the pose and not at rest.
        pub contacts: Vec<FlexContactJson>,
        /// The pose, in the format of pose files.
        pub pose: WeightProblemPoseJson,
    }

    /// Value of a measure in a pose.
    pub struct FlexValueJson {
        /// The measure.
        pub measure: FlexMeasure,
        /// Value: a fraction, or for stretch a ratio.
        pub value: f64,
        /// Name of the joint that moves, or whose region is worst.
        pub joint: Option<String>,
    }

    /// Surfaces of two joints that intersect.
    pub struct FlexContactJson {
        /// How the surfaces meet.
        pub kind: ContactKind,
        /// Names of the two joints, equal if a region meets itself.
        pub joints: Vec<String>,
        /// Number of intersecting pairs of triangles.
        pub count: usize,
        /// Area of the intersecting triangles, as a fraction of both regions.
        pub fraction: f64,
        /// Largest depth of a pair, metres.
        pub depth_m: f64,
    }

    /// Worst values of a joint over all poses.
    pub struct FlexJointJson {
        /// Name of the joint.
        pub joint: String,
        /// Worst value of each measure: a fraction, or for stretch a ratio.
        pub worst: BTreeMap<String, f64>,
    }
}

impl FlexJson {
    /// Lists the worst `max_poses` poses and all joints. `name` returns a node's name.
    pub fn new(report: &FlexReport, max_poses: usize, name: &dyn Fn(NodeIndex) -> String) -> Self {
        let joint = |joint: &super::FlexJoint| FlexJointJson {
            joint: name(joint.joint),
            worst: FlexMeasure::ALL
                .into_iter()
                .zip(&joint.worst)
                .filter_map(|(measure, worst)| {
                    Some((measure.name().to_owned(), rounded(worst.as_ref()?.measured.value.into())))
                })
                .collect(),
        };
        Self {
            count: report.poses.len(),
            poses: report.poses.iter().take(max_poses).map(|result| FlexPoseJson::new(result, name)).collect(),
            joints: report.joints.iter().map(joint).collect(),
            inert: report.inert.iter().map(|&joint| name(joint)).collect(),
        }
    }

    /// Formats the poses as CSV, one line per pose.
    pub fn csv(&self) -> String {
        let columns = columns![|row: &FlexPoseJson|
            pose: row.name,
            kind: row.kind.name(),
            joint: row.joint.as_deref().unwrap_or(""),
            severity: row.severity,
            worst: row.worst.map_or("", FlexMeasure::name),
            volume_loss: row.value(FlexMeasure::VolumeLoss),
            pinched: row.value(FlexMeasure::Pinched),
            flipped: row.value(FlexMeasure::Flipped),
            stretch: row.value(FlexMeasure::Stretch),
            folds: row.value(FlexMeasure::Folds),
            layers: row.value(FlexMeasure::Layers),
            min_area_ratio: row.min_area_ratio,
            flipped_triangles: row.flipped_triangles,
            folding_pairs: row.pairs(ContactKind::Fold),
            crossing_layer_pairs: row.pairs(ContactKind::Layers),
            contact_pairs: row.pairs(ContactKind::Contact),
            volume_m3: row.volume_m3,
        ];
        csv(&columns, &self.poses)
    }
}

impl FlexPoseJson {
    fn value(&self, measure: FlexMeasure) -> Option<f64> {
        self.measures.iter().find(|value| value.measure == measure).map(|value| value.value)
    }

    fn pairs(&self, kind: ContactKind) -> usize {
        self.contacts.iter().filter(|contact| contact.kind == kind).map(|contact| contact.count).sum()
    }

    fn new(result: &FlexResult, name: &dyn Fn(NodeIndex) -> String) -> Self {
        let FlexResult { pose, severity, worst, measures, measurements } = result;
        Self {
            name: pose.name.clone(),
            kind: pose.kind,
            joint: pose.joint.map(name),
            axis: pose.axis,
            angle_deg: pose.axis.map(|_| degrees(pose.angle)),
            source: pose.source.map(str::to_owned),
            clip: pose.moment.map(|moment| moment.clip),
            time_secs: pose.moment.map(|moment| moment.time_secs),
            severity: rounded(f64::from(*severity)),
            worst: *worst,
            measures: values(measures, name),
            min_area_ratio: measurements.min_area_ratio,
            flipped_triangles: measurements.flipped,
            volume_m3: measurements.volume,
            contacts: measurements.contacts.iter().map(|contact| FlexContactJson::new(contact, name)).collect(),
            pose: WeightProblemPoseJson {
                version: 1,
                joints: pose
                    .turns
                    .iter()
                    .map(|(node, rotation)| (name(*node), JointRotationJson { rotation: rotation.to_array() }))
                    .collect(),
            },
        }
    }
}

fn values(measures: &PerMeasure<Option<Measured>>, name: &dyn Fn(NodeIndex) -> String) -> Vec<FlexValueJson> {
    let measured = FlexMeasure::ALL.into_iter().zip(measures).filter_map(|(measure, value)| Some((measure, (*value)?)));
    let row = |(measure, Measured { value, joint, .. }): (FlexMeasure, Measured)| FlexValueJson {
        measure,
        value: rounded(value.into()),
        joint: joint.map(name),
    };
    measured.map(row).collect()
}

impl FlexContactJson {
    fn new(contact: &Contact, name: &dyn Fn(NodeIndex) -> String) -> Self {
        Self {
            kind: contact.kind,
            joints: contact.joints.map(name).into(),
            count: contact.count,
            fraction: rounded(contact.fraction.into()),
            depth_m: rounded(contact.depth.into()),
        }
    }
}
