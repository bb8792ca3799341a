//! Weight problems in words and as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Suspect, SuspectKind, Suspects};
use crate::rig::{NodeIndex, Rig, VertexList};

impl SuspectKind {
    /// Name in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stretch => "stretch",
            Self::Crossing => "crossing",
            Self::FarJoint => "far-joint",
            Self::OneSided => "one-sided",
        }
    }

    /// Title for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Stretch => "Edges stretch",
            Self::Crossing => "Layers cross",
            Self::FarJoint => "Joint far away",
            Self::OneSided => "Left and right differ",
        }
    }

    /// Unit of the measure in JSON.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Stretch => "times",
            Self::Crossing | Self::FarJoint => "m",
            Self::OneSided => "share",
        }
    }
}

impl Suspect {
    /// The measure with its unit, for people.
    pub fn measure_text(&self) -> String {
        match self.kind {
            SuspectKind::Stretch => format!("{:.1} times", self.measure),
            SuspectKind::Crossing | SuspectKind::FarJoint => length(self.measure),
            SuspectKind::OneSided => format!("{:.0} %", self.measure * 100.0),
        }
    }

    /// A sentence that says what is suspicious, by names of joints.
    pub fn sentence(&self, rig: &Rig) -> String {
        let name = |at: usize| self.joints.get(at).map_or("nothing", |&joint| rig.hierarchy.name(joint));
        let (measure, first, second) = (self.measure_text(), name(0), name(1));
        match self.kind {
            SuspectKind::Stretch if self.joints.len() < 2 => {
                format!("Edges become {measure} as long, by the weights of {first}.")
            }
            SuspectKind::Stretch => format!("Edges become {measure} as long, between {first} and {second}."),
            SuspectKind::Crossing if first == second => {
                format!("Passes {measure} through another layer, where both follow {first}.")
            }
            SuspectKind::Crossing => {
                format!("Passes {measure} through another layer: follows {first}, the other {second}.")
            }
            SuspectKind::FarJoint => format!("Follows {first}, {measure} away, where {second} is near."),
            SuspectKind::OneSided => {
                format!("{measure} of the weight differs from the other side: more of {first}, less of {second}.")
            }
        }
    }
}

#[derive(Serialize)]
struct SuspectsJson {
    count: usize,
    poses: usize,
    list: Vec<SuspectJson>,
}

#[derive(Serialize)]
struct SuspectJson {
    kind: &'static str,
    measure: f64,
    unit: &'static str,
    message: String,
    joints: Vec<String>,
    area_share: f64,
    place_m: [f64; 3],
    pose: PoseJson,
    parts: Vec<PartJson>,
}

/// A pose as pose files have it.
#[derive(Serialize)]
struct PoseJson {
    version: u32,
    joints: BTreeMap<String, TurnJson>,
}

#[derive(Serialize)]
struct TurnJson {
    rotation: [f32; 4],
}

#[derive(Serialize)]
struct PartJson {
    node: usize,
    mesh: usize,
    primitive: usize,
    vertices: Vec<u32>,
    count: usize,
}

impl Suspects {
    /// JSON `{"count":N,"poses":N,"list":[{"kind":KIND,"measure":X,"unit":UNIT,"message":TEXT,"joints":[NAME,…],"area_share":X,"place_m":[X,Y,Z],"pose":POSE,
    /// "parts":[{"node":N,"mesh":N,"primitive":N,"vertices":[N,…],"count":N},…]},…]}`: numbers are the file's, a pose is what pose files have, and no more than
    /// [`VertexList::MOST`] vertices are listed.
    ///
    /// *Shapes*: `name` names a node as pose files do.
    pub fn json(&self, rig: &Rig, name: &dyn Fn(NodeIndex) -> String) -> impl Serialize + use<> {
        let list = self.list.iter().map(|suspect| SuspectJson {
            kind: suspect.kind.name(),
            measure: rounded(suspect.measure),
            unit: suspect.kind.unit(),
            message: suspect.sentence(rig),
            joints: suspect.joints.iter().map(|&joint| name(joint)).collect(),
            area_share: rounded(suspect.area_share),
            place_m: suspect.place.to_array().map(rounded),
            pose: PoseJson {
                version: 1,
                joints: suspect
                    .turns
                    .iter()
                    .map(|(j, turn)| (name(*j), TurnJson { rotation: turn.to_array() }))
                    .collect(),
            },
            parts: suspect
                .parts
                .iter()
                .map(|(part, vertices)| part_json(rig, part.instance, part.primitive, vertices))
                .collect(),
        });
        SuspectsJson { count: self.count, poses: self.poses, list: list.collect() }
    }
}

fn part_json(rig: &Rig, instance: usize, primitive: usize, vertices: &VertexList) -> PartJson {
    let placed = &rig.instances[instance];
    let mesh = &rig.meshes[placed.mesh];
    PartJson {
        node: rig.hierarchy.source(placed.node),
        mesh: mesh.source,
        primitive: mesh.primitives[primitive].source,
        vertices: vertices.first().iter().copied().take(VertexList::MOST).collect(),
        count: vertices.count(),
    }
}

/// A length in centimetres, or in metres from one on.
fn length(metres: f32) -> String {
    if metres < 1.0 { format!("{:.1} cm", metres * 100.0) } else { format!("{metres:.2} m") }
}

/// A number rounded to six decimals, as single precision deserves.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e6).round() / 1e6
}
