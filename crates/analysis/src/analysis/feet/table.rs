//! Rows for feet, with names of clips and joints, speeds in mm/s and lengths in mm.

use glam::Vec3;

use super::{ClipFeet, FootMotion};
use rigscope_core::rig::{NodeIndex, Rig, node_names};
use rigscope_core::rows::{columns, csv, rows};

rows! {
    /// Floor contacts of the feet in one clip of the file, measured on the skin of side A.
    pub struct ClipFeetJson {
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
        /// True if the clip travels by at least a tenth of the rig's height or rotates by at least 20°.
        pub moves: bool,
        /// Speed of the root over the floor, m/s.
        pub root_speed_m_s: f32,
        /// Speed of the ground implied by the feet of an in-place clip, m/s.
        pub ground_speed_m_s: f32,
        /// Height of the floor in file coordinates, metres.
        pub floor_m: f32,
        /// True if the floor is at the soles' rest height, false if it is at the height of slow feet.
        pub floor_at_rest: bool,
        /// True if contacts are too rare for reliable results.
        pub doubtful: bool,
        /// Name of the foot with the longest slide.
        pub worst_foot: Option<String>,
        /// One entry per foot.
        pub feet: Vec<FootJson>,
    }

    /// Foot in a clip.
    pub struct FootJson {
        /// Name of the joint.
        pub foot: String,
        /// Number of contacts.
        pub contacts: usize,
        /// One entry per contact.
        pub stances: Vec<StanceJson>,
        /// Fraction of the clip in which the foot is in contact.
        pub contact_fraction: f32,
        /// Fraction of the clip in which the foot is low enough for contact, at any speed.
        pub low_fraction: f32,
        /// Mean skate near the floor, mm/s.
        pub mean_skate_mm_s: f32,
        /// Maximum skate, mm/s.
        pub worst_skate_mm_s: f32,
        /// Start time of the step with the maximum skate, seconds.
        pub worst_secs: f32,
        /// Mean slide per contact, mm.
        pub slide_mm: f32,
        /// Maximum slide of a contact, mm.
        pub worst_slide_mm: f32,
        /// Start time of the contact with the maximum slide, seconds.
        pub worst_slide_secs: f32,
        /// Fraction of the steps near the floor with a skate above 0.1 m/s, for a leg of 0.9 m.
        pub sliding_fraction: f32,
        /// Maximum depth of the sole below its lowest point at rest, mm.
        pub sinks_mm: f32,
        /// Mean height of the sole over the floor while in contact, mm.
        pub floats_mm: f32,
    }

    /// Contact of a foot with the floor.
    pub struct StanceJson {
        /// Start time, seconds.
        pub start_secs: f32,
        /// End time, seconds; before the start if the contact continues across a loop's seam.
        pub end_secs: f32,
        /// Path length of the supporting vertices over the ground, mm.
        pub slide_mm: f32,
    }
}

impl ClipFeetJson {
    /// Creates the rows for some clips of a rig.
    pub fn rows(rig: &Rig, clips: &[ClipFeet]) -> Vec<Self> {
        let names = node_names(&rig.hierarchy);
        let name = |joint: NodeIndex| names[joint.index()].clone();
        let row = |clip: &ClipFeet| Self {
            clip: rig.clip_name(clip.clip).to_owned(),
            number: clip.clip,
            fps: clip.rate,
            step: clip.step,
            frames: clip.frames,
            moves: clip.travel.moves,
            root_speed_m_s: clip.root_speed,
            ground_speed_m_s: clip.ground.length(),
            floor_m: rig.hierarchy.in_file(Vec3::Y * clip.floor).y as f32,
            floor_at_rest: clip.is_floor_at_rest,
            doubtful: clip.is_doubtful(),
            worst_foot: clip.worst_foot().map(|(foot, _)| name(foot.foot)),
            feet: clip.feet.iter().map(|foot| FootJson::new(foot, name(foot.foot))).collect(),
        };
        clips.iter().map(row).collect()
    }

    /// Formats rows as CSV, one line per foot and clip.
    pub fn csv(rows: &[Self]) -> String {
        #[expect(unused_variables, reason = "a column reads one of the two")]
        let columns = columns![|(clip, foot): (&Self, &FootJson)|
            clip: clip.clip,
            number: clip.number,
            foot: foot.foot,
            moves: clip.moves,
            root_speed_m_s: clip.root_speed_m_s,
            ground_speed_m_s: clip.ground_speed_m_s,
            floor_m: clip.floor_m,
            floor_at_rest: clip.floor_at_rest,
            contacts: foot.contacts,
            contact_fraction: foot.contact_fraction,
            low_fraction: foot.low_fraction,
            mean_skate_mm_s: foot.mean_skate_mm_s,
            worst_skate_mm_s: foot.worst_skate_mm_s,
            worst_secs: foot.worst_secs,
            slide_mm: foot.slide_mm,
            worst_slide_mm: foot.worst_slide_mm,
            worst_slide_secs: foot.worst_slide_secs,
            sliding_fraction: foot.sliding_fraction,
            sinks_mm: foot.sinks_mm,
            floats_mm: foot.floats_mm,
        ];
        csv(&columns, rows.iter().flat_map(|clip| clip.feet.iter().map(move |foot| (clip, foot))))
    }
}

impl FootJson {
    fn new(foot: &FootMotion, name: String) -> Self {
        let worst = foot.worst_contact().copied().unwrap_or_default();
        let stances = foot.contacts.iter().map(|contact| StanceJson {
            start_secs: contact.start_secs,
            end_secs: contact.end_secs,
            slide_mm: contact.slide * 1e3,
        });
        Self {
            foot: name,
            contacts: foot.contacts.len(),
            stances: stances.collect(),
            contact_fraction: foot.contact_fraction,
            low_fraction: foot.low_fraction,
            mean_skate_mm_s: foot.mean_skate * 1e3,
            worst_skate_mm_s: foot.worst_skate * 1e3,
            worst_secs: foot.worst_secs,
            slide_mm: foot.mean_slide() * 1e3,
            worst_slide_mm: worst.slide * 1e3,
            worst_slide_secs: worst.start_secs,
            sliding_fraction: foot.sliding_fraction,
            sinks_mm: foot.sinks * 1e3,
            floats_mm: foot.floats * 1e3,
        }
    }
}
