//! Rows for seams, with names of joints and clips, angles in degrees.

use super::{KeyCounts, Seam};
use crate::analysis::measure::{SurfaceDistance, VertexLocation, WorstVertex};
use rigscope_core::rig::{NodeIndex, Rig, node_names};
use rigscope_core::rows::{columns, csv, degrees, finite, rows};

rows! {
    /// Loop seam and spikes of one clip of the file, measured on the skin of side A.
    pub struct SeamJson {
        /// Name of the clip.
        pub clip: String,
        /// Index of the clip in the file.
        pub number: usize,
        /// Frames per second.
        pub fps: f32,
        /// Interval between measured frames, in frames: 1, unless there are too many.
        pub step: usize,
        /// Number of measured frames.
        pub frames: usize,
        /// Travel of the root from start to end. If `moves` is true, it is removed before the ends are compared.
        pub travel: SeamTravelJson,
        /// Joint with the largest distance between start and end.
        pub gap: Option<SeamGapJson>,
        /// Joint with the largest angle between its rotations at start and end.
        pub rotation_gap: Option<SeamRotationJson>,
        /// Distances of vertices between start and end.
        pub skin_gap: SkinGapJson,
        /// Largest difference between a vertex's velocities in the first and last step.
        pub jump: Option<SeamJumpJson>,
        /// Largest difference between a joint's angular velocities in the first and last step.
        pub rotation_jump: Option<SeamSpinJson>,
        /// Largest jump of a vertex, divided by the median over all frames of the largest change of a vertex's
        /// velocity: 1 for a seam like any other frame.
        pub ratio: Option<f32>,
        /// Frames at the clip's own keys that a vertex jumps to and returns from.
        pub spikes: Vec<SpikeJson>,
        /// Frames at the clip's own keys that a joint rotates to and returns from.
        pub rotation_spikes: Vec<RotationSpikeJson>,
        /// Channels and keys of the clip.
        pub keys: KeyCounts,
    }

    /// Travel of a clip's root from start to end.
    pub struct SeamTravelJson {
        /// Distance over the floor, metres.
        pub distance_m: f32,
        /// Rotation about the vertical, degrees.
        pub rotation_deg: f64,
        /// True if the clip travels by at least a tenth of the rig's height or rotates by at least 20°.
        pub moves: bool,
    }

    /// Distance of a joint between start and end.
    pub struct SeamGapJson {
        /// Name of the joint.
        pub joint: String,
        /// Distance, metres.
        pub distance_m: f32,
    }

    /// Angle between a joint's rotations at start and end.
    pub struct SeamRotationJson {
        /// Name of the joint.
        pub joint: String,
        /// Angle, degrees.
        pub angle_deg: f64,
    }

    /// Jump of a joint's angular velocity.
    pub struct SeamSpinJson {
        /// Name of the joint.
        pub joint: String,
        /// Change of the angular velocity, degrees per second.
        pub speed_deg_s: f64,
    }

    /// Distances of vertices between start and end.
    pub struct SkinGapJson {
        /// Maximum distance, metres.
        pub max_distance_m: f64,
        /// Mean distance, metres.
        pub mean_distance_m: f64,
        /// Vertex with the maximum distance.
        pub worst: Option<WorstVertex>,
    }

    /// Jump of a vertex's velocity.
    pub struct SeamJumpJson {
        /// Change of the velocity, m/s.
        pub speed_m_s: f32,
        /// Vertex that jumps.
        pub worst: Option<WorstVertex>,
    }

    /// Frame that a vertex jumps to and returns from.
    pub struct SpikeJson {
        /// Time of the frame, seconds.
        pub time_secs: f32,
        /// Distance of the vertex from the midpoint of its positions one frame before and after, metres.
        pub offset_m: f32,
        /// Change of velocity, divided by the median over all frames of the largest change.
        pub times: Option<f32>,
        /// Vertex that jumps.
        pub worst: Option<WorstVertex>,
    }

    /// Frame that a joint rotates to and returns from.
    pub struct RotationSpikeJson {
        /// Time of the frame, seconds.
        pub time_secs: f32,
        /// Angle between the joint's rotation and the midpoint of its rotations one frame before and after, degrees.
        pub angle_deg: f64,
        /// Change of angular velocity, divided by the median over all frames of the largest change.
        pub times: Option<f32>,
        /// Name of the joint.
        pub joint: String,
    }
}

impl SeamJson {
    /// Creates the rows for some clips; skips clips without a seam.
    pub fn rows(rig: &Rig, seams: &[Option<Seam>]) -> Vec<Self> {
        let names = node_names(&rig.hierarchy);
        let name = |joint: NodeIndex| names[joint.index()].clone();
        let worst = |distance: &SurfaceDistance| WorstVertex::new(rig, distance, &name);
        let at = |place: VertexLocation, joint: Option<NodeIndex>| {
            worst(&SurfaceDistance { worst: Some(place), joint, ..SurfaceDistance::default() })
        };
        let row = |seam: &Seam| Self {
            clip: rig.clip_name(seam.clip).to_owned(),
            number: seam.clip,
            fps: seam.rate,
            step: seam.step,
            frames: seam.frames,
            travel: SeamTravelJson {
                distance_m: seam.travel.distance,
                rotation_deg: degrees(seam.travel.turn),
                moves: seam.travel.moves,
            },
            gap: seam.gap.map(|(joint, distance_m)| SeamGapJson { joint: name(joint), distance_m }),
            rotation_gap: seam
                .rotation_gap
                .map(|(joint, angle)| SeamRotationJson { joint: name(joint), angle_deg: degrees(angle) }),
            skin_gap: SkinGapJson {
                max_distance_m: seam.skin_gap.max,
                mean_distance_m: seam.skin_gap.mean,
                worst: worst(&seam.skin_gap),
            },
            jump: seam.jump.map(|jump| SeamJumpJson { speed_m_s: jump.change, worst: at(jump.place, jump.joint) }),
            rotation_jump: seam
                .rotation_jump
                .map(|(joint, speed)| SeamSpinJson { joint: name(joint), speed_deg_s: degrees(speed) }),
            ratio: finite(seam.ratio),
            spikes: seam
                .spikes
                .iter()
                .map(|spike| SpikeJson {
                    time_secs: spike.time_secs,
                    offset_m: spike.offset,
                    times: finite(spike.times),
                    worst: at(spike.place, spike.joint),
                })
                .collect(),
            rotation_spikes: seam
                .rotation_spikes
                .iter()
                .map(|spike| RotationSpikeJson {
                    time_secs: spike.time_secs,
                    angle_deg: degrees(spike.angle),
                    times: finite(spike.times),
                    joint: name(spike.joint),
                })
                .collect(),
            keys: seam.keys,
        };
        seams.iter().flatten().map(row).collect()
    }

    /// Formats rows as CSV, one line per clip.
    pub fn csv(rows: &[Self]) -> String {
        let columns = columns![|seam: &Self|
            clip: seam.clip,
            number: seam.number,
            fps: seam.fps,
            frames: seam.frames,
            travel_m: seam.travel.distance_m,
            travel_rotation_deg: seam.travel.rotation_deg,
            moves: seam.travel.moves,
            gap_m: seam.gap.as_ref().map(|gap| gap.distance_m),
            gap_joint: seam.gap.as_ref().map(|gap| &gap.joint),
            rotation_gap_deg: seam.rotation_gap.as_ref().map(|gap| gap.angle_deg),
            rotation_gap_joint: seam.rotation_gap.as_ref().map(|gap| &gap.joint),
            skin_gap_max_m: seam.skin_gap.max_distance_m,
            skin_gap_mean_m: seam.skin_gap.mean_distance_m,
            jump_m_s: seam.jump.as_ref().map(|jump| jump.speed_m_s),
            rotation_jump_deg_s: seam.rotation_jump.as_ref().map(|jump| jump.speed_deg_s),
            rotation_jump_joint: seam.rotation_jump.as_ref().map(|jump| &jump.joint),
            ratio: seam.ratio,
            spikes: seam.spikes.len(),
            rotation_spikes: seam.rotation_spikes.len(),
            channels: seam.keys.channels,
            constant_channels: seam.keys.constant_channels,
            keys: seam.keys.keys,
            spare_keys: seam.keys.spare_keys,
            spare_bytes: seam.keys.spare_bytes,
        ];
        csv(&columns, rows)
    }
}
