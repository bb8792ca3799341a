//! Seams as table rows: joints and clips by name, angles in degrees.

use super::{KeyCounts, Seam};
use crate::analysis::measure::{Distance, VertexPlace, WorstVertex};
use rigscope_core::rig::{NodeIndex, Rig, node_names};
use rigscope_core::rows::{columns, csv, degrees, finite, rows};

rows! {
    /// How a clip loops and where it jerks, measured on the skin of side A of the clip as it is in the file.
    pub struct SeamJson {
        /// Name of the clip.
        pub clip: String,
        /// Number of the clip in the file.
        pub number: usize,
        /// Frames a second.
        pub fps: f32,
        /// Frames from one that was measured to the next: 1, unless there are too many.
        pub step: usize,
        /// Number of frames that were measured.
        pub frames: usize,
        /// Way of the root from start to end, which is taken out before the ends are compared where the clip travels.
        pub travel: SeamTravelJson,
        /// Joint that ends farthest from where it began.
        pub gap: Option<SeamGapJson>,
        /// Joint whose rotation at the end differs most from that at the start.
        pub turn_gap: Option<SeamTurnJson>,
        /// Distances of vertices at the end from where they began.
        pub skin_gap: SkinGapJson,
        /// Largest difference between the velocities of a vertex in the first step and in the last.
        pub jump: Option<SeamJumpJson>,
        /// Largest difference between the angular velocities of a joint in the first step and in the last.
        pub turn_jump: Option<SeamSpinJson>,
        /// Largest jump of a vertex over the median, over all frames, of the largest change of a vertex's velocity: 1 for a seam like any other frame.
        pub ratio: Option<f32>,
        /// Frames of the clip's own keys that a vertex goes to and comes back from.
        pub spikes: Vec<SpikeJson>,
        /// Frames of the clip's own keys that a joint turns to and back from.
        pub turn_spikes: Vec<TurnSpikeJson>,
        /// Channels and keys of the clip.
        pub keys: KeyCounts,
    }

    /// Way of a clip's root from start to end.
    pub struct SeamTravelJson {
        /// Way over the floor, metres.
        pub distance_m: f32,
        /// Turn about the vertical, degrees.
        pub turn_deg: f64,
        /// True where the clip travels: by a tenth of the rig's height or by 20°.
        pub moves: bool,
    }

    /// How far a joint is at the end from where it began.
    pub struct SeamGapJson {
        /// Name of the joint.
        pub joint: String,
        /// Distance, metres.
        pub distance_m: f32,
    }

    /// How far a joint is turned at the end from how it began.
    pub struct SeamTurnJson {
        /// Name of the joint.
        pub joint: String,
        /// Angle, degrees.
        pub angle_deg: f64,
    }

    /// By how much the angular velocity of a joint jumps.
    pub struct SeamSpinJson {
        /// Name of the joint.
        pub joint: String,
        /// Change of the angular velocity, degrees a second.
        pub speed_deg_s: f64,
    }

    /// How far vertices are at the end from where they began.
    pub struct SkinGapJson {
        /// Largest distance, metres.
        pub max_distance_m: f64,
        /// Mean distance, metres.
        pub mean_distance_m: f64,
        /// Vertex of the largest distance.
        pub worst: Option<WorstVertex>,
    }

    /// By how much the velocity of a vertex jumps.
    pub struct SeamJumpJson {
        /// Change of the velocity, metres a second.
        pub speed_m_s: f32,
        /// The vertex.
        pub worst: Option<WorstVertex>,
    }

    /// A frame that a vertex goes to and comes back from.
    pub struct SpikeJson {
        /// Time of the frame, seconds.
        pub time_s: f32,
        /// Distance of the vertex from the middle between where it is a frame before and a frame after, metres.
        pub offset_m: f32,
        /// The offset over the median of the largest offsets of all frames.
        pub times: Option<f32>,
        /// The vertex.
        pub worst: Option<WorstVertex>,
    }

    /// A frame that a joint turns to and back from.
    pub struct TurnSpikeJson {
        /// Time of the frame, seconds.
        pub time_s: f32,
        /// Angle between the rotation of the joint and the middle of those a frame before and a frame after, degrees.
        pub angle_deg: f64,
        /// The change of angular velocity over the median of the largest changes of all frames.
        pub times: Option<f32>,
        /// Name of the joint.
        pub joint: String,
    }
}

impl SeamJson {
    /// Returns the rows of some clips; clips without a seam are left out.
    pub fn rows(rig: &Rig, seams: &[Option<Seam>]) -> Vec<Self> {
        let names = node_names(&rig.hierarchy);
        let name = |joint: NodeIndex| names[joint.index()].clone();
        let worst = |distance: &Distance| WorstVertex::new(rig, distance, &name);
        let at = |place: VertexPlace, joint: Option<NodeIndex>| {
            worst(&Distance { worst: Some(place), joint, ..Distance::default() })
        };
        let row = |seam: &Seam| Self {
            clip: rig.clip_name(seam.clip).to_owned(),
            number: seam.clip,
            fps: seam.rate,
            step: seam.step,
            frames: seam.frames,
            travel: SeamTravelJson {
                distance_m: seam.travel.distance,
                turn_deg: degrees(seam.travel.turn),
                moves: seam.travel.moves,
            },
            gap: seam.gap.map(|(joint, distance_m)| SeamGapJson { joint: name(joint), distance_m }),
            turn_gap: seam
                .turn_gap
                .map(|(joint, angle)| SeamTurnJson { joint: name(joint), angle_deg: degrees(angle) }),
            skin_gap: SkinGapJson {
                max_distance_m: seam.skin_gap.max,
                mean_distance_m: seam.skin_gap.mean,
                worst: worst(&seam.skin_gap),
            },
            jump: seam.jump.map(|jump| SeamJumpJson { speed_m_s: jump.change, worst: at(jump.place, jump.joint) }),
            turn_jump: seam
                .turn_jump
                .map(|(joint, speed)| SeamSpinJson { joint: name(joint), speed_deg_s: degrees(speed) }),
            ratio: finite(seam.ratio),
            spikes: seam
                .spikes
                .iter()
                .map(|spike| SpikeJson {
                    time_s: spike.time_secs,
                    offset_m: spike.offset,
                    times: finite(spike.times),
                    worst: at(spike.place, spike.joint),
                })
                .collect(),
            turn_spikes: seam
                .turn_spikes
                .iter()
                .map(|spike| TurnSpikeJson {
                    time_s: spike.time_secs,
                    angle_deg: degrees(spike.angle),
                    times: finite(spike.times),
                    joint: name(spike.joint),
                })
                .collect(),
            keys: seam.keys,
        };
        seams.iter().flatten().map(row).collect()
    }

    /// Formats rows as CSV with a line for each clip.
    pub fn csv(rows: &[Self]) -> String {
        let columns = columns![|seam: &Self|
            clip: seam.clip,
            number: seam.number,
            fps: seam.fps,
            frames: seam.frames,
            travel_m: seam.travel.distance_m,
            travel_turn_deg: seam.travel.turn_deg,
            moves: seam.travel.moves,
            gap_m: seam.gap.as_ref().map(|gap| gap.distance_m),
            gap_joint: seam.gap.as_ref().map(|gap| &gap.joint),
            turn_gap_deg: seam.turn_gap.as_ref().map(|gap| gap.angle_deg),
            turn_gap_joint: seam.turn_gap.as_ref().map(|gap| &gap.joint),
            skin_gap_max_m: seam.skin_gap.max_distance_m,
            skin_gap_mean_m: seam.skin_gap.mean_distance_m,
            jump_m_s: seam.jump.as_ref().map(|jump| jump.speed_m_s),
            turn_jump_deg_s: seam.turn_jump.as_ref().map(|jump| jump.speed_deg_s),
            turn_jump_joint: seam.turn_jump.as_ref().map(|jump| &jump.joint),
            ratio: seam.ratio,
            spikes: seam.spikes.len(),
            turn_spikes: seam.turn_spikes.len(),
            channels: seam.keys.channels,
            constant_channels: seam.keys.constant_channels,
            keys: seam.keys.keys,
            spare_keys: seam.keys.spare_keys,
            spare_bytes: seam.keys.spare_bytes,
        ];
        csv(&columns, rows)
    }
}
