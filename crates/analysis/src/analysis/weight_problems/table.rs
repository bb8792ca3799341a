//! Weight problems as text and table rows.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{WeightProblem, WeightProblemKind, WeightProblems};
use rigscope_core::rig::{NodeIndex, PrimitiveIndex, Rig, VertexList};
use rigscope_core::rows::{Described, Shape, rounded, rows};

impl WeightProblemKind {
    /// Returns the name in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stretch => "stretch",
            Self::Crossing => "crossing",
            Self::FarJoint => "far-joint",
            Self::OneSided => "one-sided",
        }
    }

    /// Returns the title in the interface.
    pub fn title(self) -> &'static str {
        match self {
            Self::Stretch => "Edges stretch",
            Self::Crossing => "Layers cross",
            Self::FarJoint => "Joint far away",
            Self::OneSided => "Left and right differ",
        }
    }

    /// Returns the unit of the measure in JSON.
    pub fn unit(self) -> WeightProblemUnit {
        match self {
            Self::Stretch => WeightProblemUnit::Times,
            Self::Crossing | Self::FarJoint => WeightProblemUnit::M,
            Self::OneSided => WeightProblemUnit::Fraction,
        }
    }
}

impl WeightProblem {
    /// Formats the measure with its unit.
    pub fn measure_text(&self) -> String {
        match self.kind {
            WeightProblemKind::Stretch => format!("{:.1} times", self.measure),
            WeightProblemKind::Crossing | WeightProblemKind::FarJoint => length(self.measure),
            WeightProblemKind::OneSided => format!("{:.0} %", self.measure * 100.0),
        }
    }

    /// Describes the problem in a sentence that names the joints.
    pub fn sentence(&self, rig: &Rig) -> String {
        let name = |at: usize| self.joints.get(at).map_or("nothing", |&joint| rig.hierarchy.name(joint));
        let (measure, first, second) = (self.measure_text(), name(0), name(1));
        match self.kind {
            WeightProblemKind::Stretch if self.joints.len() < 2 => {
                format!("Edges become {measure} as long, by the weights of {first}.")
            }
            WeightProblemKind::Stretch => format!("Edges become {measure} as long, between {first} and {second}."),
            WeightProblemKind::Crossing if first == second => {
                format!("Passes {measure} through another layer, where both follow {first}.")
            }
            WeightProblemKind::Crossing => {
                format!("Passes {measure} through another layer: follows {first}, the other {second}.")
            }
            WeightProblemKind::FarJoint => format!("Follows {first}, {measure} away, where {second} is near."),
            WeightProblemKind::OneSided => {
                format!("{measure} of the weight differs from the other side: more of {first}, less of {second}.")
            }
        }
    }
}

rows! {
    /// Weight problems: regions with wrong weights.
    pub struct WeightProblemsJson {
        /// Number of all regions, listed or not.
        pub count: usize,
        /// Number of tested poses.
        pub poses: usize,
        /// Regions by area times severity, highest first.
        pub list: Vec<WeightProblemJson>,
    }

    /// Region with wrong weights, and the pose that shows it best.
    pub struct WeightProblemJson {
        /// Kind of problem: edges that stretch, layers that cross, a joint that is far away, or sides that differ.
        pub kind: WeightProblemKind,
        /// Severity at the worst point, in `unit`.
        pub measure: f64,
        /// Unit of `measure`: times the rest length, metres, or fraction of the weight.
        pub unit: WeightProblemUnit,
        /// Description of the problem in a sentence.
        pub message: String,
        /// Name of the joint with wrong weights, then names of the joints that the surrounding surface follows.
        pub joints: Vec<String>,
        /// Area of the region as a fraction of the whole surface, 0 to 1.
        pub area_fraction: f64,
        /// Centre of the region at rest, metres, world space.
        pub position_m: [f64; 3],
        /// Pose in which the region is worst, in the format of pose files.
        pub pose: WeightProblemPoseJson,
        /// Vertices of the region.
        pub primitives: Vec<WeightProblemVerticesJson>,
    }

    /// Pose in the format of pose files.
    pub struct WeightProblemPoseJson {
        /// Version of the pose file format.
        pub version: u32,
        /// Rotated joints, by name.
        pub joints: BTreeMap<String, JointRotationJson>,
    }

    /// Rotation of a joint.
    pub struct JointRotationJson {
        /// Unit quaternion x, y, z, w.
        pub rotation: [f32; 4],
    }

    /// Vertices of the region in one primitive. Indices are those of the file.
    pub struct WeightProblemVerticesJson {
        /// Index of the node with the mesh.
        pub node: usize,
        /// Index of the mesh.
        pub mesh: usize,
        /// Index of the primitive in the mesh.
        pub primitive: usize,
        /// Indices of the vertices in the primitive, at most 4096.
        pub vertices: Vec<u32>,
        /// Number of all vertices, listed or not.
        pub count: usize,
    }
}

/// Unit of the severity of a weight problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightProblemUnit {
    /// Times the rest length.
    Times,
    /// Metres.
    M,
    /// Fraction of the weight.
    Fraction,
}

impl Described for WeightProblemUnit {
    fn shape() -> Shape {
        Shape::Word(vec!["times", "m", "fraction"])
    }
}

impl Described for WeightProblemKind {
    fn shape() -> Shape {
        Shape::Word([Self::Stretch, Self::Crossing, Self::FarJoint, Self::OneSided].map(Self::name).to_vec())
    }
}

impl Serialize for WeightProblemKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl WeightProblemsJson {
    /// Lists regions with up to [`VertexList::MAX`] vertices per primitive. `name` returns a node's name in pose files.
    pub fn new(problems: &WeightProblems, rig: &Rig, name: &dyn Fn(NodeIndex) -> String) -> Self {
        let list = problems.list.iter().map(|problem| {
            let turns = problem.turns.iter();
            WeightProblemJson {
                kind: problem.kind,
                measure: rounded(f64::from(problem.measure)),
                unit: problem.kind.unit(),
                message: problem.sentence(rig),
                joints: problem.joints.iter().map(|&joint| name(joint)).collect(),
                area_fraction: rounded(f64::from(problem.area_fraction)),
                position_m: problem.place.to_array().map(|metres| rounded(f64::from(metres))),
                pose: WeightProblemPoseJson {
                    version: 1,
                    joints: turns
                        .map(|(at, turn)| (name(*at), JointRotationJson { rotation: turn.to_array() }))
                        .collect(),
                },
                primitives: problem
                    .primitives
                    .iter()
                    .map(|(part, vertices)| WeightProblemVerticesJson::new(rig, *part, vertices))
                    .collect(),
            }
        });
        Self { count: problems.count, poses: problems.poses, list: list.collect() }
    }
}

impl WeightProblemVerticesJson {
    fn new(rig: &Rig, part: PrimitiveIndex, vertices: &VertexList) -> Self {
        let placed = &rig.instances[part.instance];
        let mesh = &rig.meshes[placed.mesh];
        Self {
            node: rig.hierarchy.source(placed.node),
            mesh: mesh.source,
            primitive: mesh.primitives[part.primitive].source,
            vertices: vertices.first().iter().copied().take(VertexList::MAX).collect(),
            count: vertices.count(),
        }
    }
}

fn length(metres: f32) -> String {
    if metres < 1.0 { format!("{:.1} cm", metres * 100.0) } else { format!("{metres:.2} m") }
}
