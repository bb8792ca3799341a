//! Seams as CSV and JSON: joints and clips by their names, angles in degrees. What is no number is empty or `null`.

use serde::Serialize;

use super::{KeyCounts, Seam};
use crate::analysis::measure::{Distance, VertexPlace, WorstVertex};
use crate::csv::Table;
use crate::rig::{NodeIndex, Rig, node_names};

/// Seams with the names that they are told by.
pub struct SeamTable<'a> {
    rig: &'a Rig,
    seams: Vec<&'a Seam>,
    /// Name of each node in pose files, by node.
    names: Vec<String>,
}

#[derive(Serialize)]
struct SeamJson<'a> {
    clip: &'a str,
    number: usize,
    fps: f32,
    step: usize,
    frames: usize,
    travel: TravelJson,
    gap: Option<GapJson<'a>>,
    turn_gap: Option<TurnJson<'a>>,
    skin_gap: SkinGapJson,
    jump: Option<JumpJson>,
    turn_jump: Option<SpinJson<'a>>,
    ratio: Option<f32>,
    spikes: Vec<SpikeJson>,
    turn_spikes: Vec<TurnSpikeJson<'a>>,
    keys: KeyCounts,
}

#[derive(Serialize)]
struct TravelJson {
    distance_m: f32,
    turn_deg: f32,
    moves: bool,
}

#[derive(Serialize)]
struct GapJson<'a> {
    joint: &'a str,
    distance_m: f32,
}

#[derive(Serialize)]
struct TurnJson<'a> {
    joint: &'a str,
    angle_deg: f32,
}

#[derive(Serialize)]
struct SpinJson<'a> {
    joint: &'a str,
    speed_deg_s: f32,
}

#[derive(Serialize)]
struct SkinGapJson {
    max_distance_m: f64,
    mean_distance_m: f64,
    worst: Option<WorstVertex>,
}

#[derive(Serialize)]
struct JumpJson {
    speed_m_s: f32,
    worst: Option<WorstVertex>,
}

#[derive(Serialize)]
struct SpikeJson {
    time_s: f32,
    offset_m: f32,
    times: Option<f32>,
    worst: Option<WorstVertex>,
}

#[derive(Serialize)]
struct TurnSpikeJson<'a> {
    time_s: f32,
    angle_deg: f32,
    times: Option<f32>,
    joint: &'a str,
}

impl<'a> SeamTable<'a> {
    /// Seams of clips of a rig; clips without one are left out.
    pub fn new(rig: &'a Rig, seams: &'a [Option<Seam>]) -> Self {
        Self { rig, seams: seams.iter().flatten().collect(), names: node_names(&rig.hierarchy) }
    }

    /// The seams, in the order of the clips.
    pub fn seams(&self) -> &[&'a Seam] {
        &self.seams
    }

    /// Name of a joint.
    pub fn joint(&self, joint: NodeIndex) -> &str {
        &self.names[joint.index()]
    }

    /// Name of the clip of a seam.
    pub fn clip(&self, seam: &Seam) -> &'a str {
        self.rig.clips.get(seam.clip).map_or("", |clip| clip.name.as_str())
    }

    /// CSV with one line for each clip, with units in the header.
    pub fn csv(&self) -> String {
        let mut table = Table::new([
            "clip",
            "number",
            "fps",
            "frames",
            "travel_m",
            "travel_turn_deg",
            "moves",
            "gap_m",
            "gap_joint",
            "turn_gap_deg",
            "turn_gap_joint",
            "skin_gap_max_m",
            "skin_gap_mean_m",
            "jump_m_s",
            "turn_jump_deg_s",
            "turn_jump_joint",
            "ratio",
            "spikes",
            "turn_spikes",
            "channels",
            "constant_channels",
            "keys",
            "spare_keys",
            "spare_bytes",
        ]);
        for seam in &self.seams {
            let of_joint = |found: Option<(NodeIndex, f32)>| {
                found.map_or_else(Default::default, |(joint, value)| [value.to_string(), self.joint(joint).to_owned()])
            };
            let about = [self.clip(seam).to_owned(), seam.clip.to_string(), seam.rate.to_string()];
            let travel = [seam.travel.distance.to_string(), degrees(seam.travel.turn).to_string()];
            let skin = [seam.skin_gap.max.to_string(), seam.skin_gap.mean.to_string()];
            let jump = seam.jump.map_or_else(String::new, |jump| jump.change.to_string());
            let ratio = if seam.ratio.is_finite() { seam.ratio.to_string() } else { String::new() };
            let KeyCounts { channels, constant_channels, keys, spare_keys, spare_bytes } = seam.keys;
            let spikes = [seam.spikes.len(), seam.turn_spikes.len()];
            let counts = [channels, constant_channels, keys, spare_keys, spare_bytes];
            let row = about.into_iter().chain([seam.frames.to_string()]).chain(travel);
            let row = row.chain([seam.travel.moves.to_string()]).chain(of_joint(seam.gap));
            let row = row.chain(of_joint(in_degrees(seam.turn_gap))).chain(skin).chain([jump]);
            let row = row.chain(of_joint(in_degrees(seam.turn_jump))).chain([ratio]);
            table.row(row.chain(spikes.into_iter().chain(counts).map(|count| count.to_string())));
        }
        table.into_text()
    }

    /// `[{"clip":NAME,"number":N,"fps":F,"step":N,"frames":N,"travel":{…},"gap":{…},"turn_gap":{…},"skin_gap":{…},"jump":{…},"turn_jump":{…},"ratio":R,"spikes":[…],"turn_spikes":[…],"keys":{…}},…]`.
    pub fn json(&self) -> impl Serialize {
        self.seams.iter().map(|seam| self.seam_json(seam)).collect::<Vec<_>>()
    }

    fn seam_json(&self, seam: &Seam) -> SeamJson<'_> {
        let of_vertex = |place: VertexPlace, joint: Option<NodeIndex>| {
            self.worst(&Distance { worst: Some(place), joint, ..Distance::default() })
        };
        let spikes = seam.spikes.iter().map(|spike| SpikeJson {
            time_s: spike.time_secs,
            offset_m: spike.offset,
            times: Some(spike.times).filter(|times| times.is_finite()),
            worst: of_vertex(spike.place, spike.joint),
        });
        let turn_spikes = seam.turn_spikes.iter().map(|spike| TurnSpikeJson {
            time_s: spike.time_secs,
            angle_deg: degrees(spike.angle),
            times: Some(spike.times).filter(|times| times.is_finite()),
            joint: self.joint(spike.joint),
        });
        SeamJson {
            clip: self.clip(seam),
            number: seam.clip,
            fps: seam.rate,
            step: seam.step,
            frames: seam.frames,
            travel: TravelJson {
                distance_m: seam.travel.distance,
                turn_deg: degrees(seam.travel.turn),
                moves: seam.travel.moves,
            },
            gap: seam.gap.map(|(joint, distance_m)| GapJson { joint: self.joint(joint), distance_m }),
            turn_gap: in_degrees(seam.turn_gap).map(|(at, angle_deg)| TurnJson { joint: self.joint(at), angle_deg }),
            skin_gap: SkinGapJson {
                max_distance_m: seam.skin_gap.max,
                mean_distance_m: seam.skin_gap.mean,
                worst: self.worst(&seam.skin_gap),
            },
            jump: seam.jump.map(|jump| JumpJson { speed_m_s: jump.change, worst: of_vertex(jump.place, jump.joint) }),
            turn_jump: in_degrees(seam.turn_jump)
                .map(|(joint, speed_deg_s)| SpinJson { joint: self.joint(joint), speed_deg_s }),
            ratio: Some(seam.ratio).filter(|ratio| ratio.is_finite()),
            spikes: spikes.collect(),
            turn_spikes: turn_spikes.collect(),
            keys: seam.keys,
        }
    }

    fn worst(&self, distance: &Distance) -> Option<WorstVertex> {
        WorstVertex::new(self.rig, distance, &|joint| self.joint(joint).to_owned())
    }
}

fn in_degrees(found: Option<(NodeIndex, f32)>) -> Option<(NodeIndex, f32)> {
    found.map(|(joint, angle)| (joint, degrees(angle)))
}

/// Degrees, rounded to a thousandth.
fn degrees(radians: f32) -> f32 {
    (radians.to_degrees() * 1e3).round() / 1e3
}
