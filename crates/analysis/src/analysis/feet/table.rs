//! Feet as table rows: clips and joints by name, speeds in mm/s, lengths in mm.

use glam::Vec3;

use super::{ClipFeet, FootMotion};
use rigscope_core::rig::{NodeIndex, Rig, node_names};
use rigscope_core::rows::{columns, csv, rows};

rows! {
    /// How feet stand on the floor in a clip, measured on the skin of side A of the clip as it is in the file.
    pub struct ClipFeetJson {
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
        /// True where the clip travels: by a tenth of the rig's height or by 20°.
        pub moves: bool,
        /// Speed of the root over the floor, metres a second.
        pub root_speed_m_s: f32,
        /// Speed of the ground that the feet imply in a clip in place, metres a second.
        pub ground_speed_m_s: f32,
        /// Height of the floor in the coordinates of the file, metres.
        pub floor_m: f32,
        /// True where the floor is where soles are at rest, false where it is where slow feet are.
        pub floor_at_rest: bool,
        /// True where feet hardly ever stand, so that the numbers say little.
        pub doubtful: bool,
        /// Name of the foot that slides most.
        pub worst_foot: Option<String>,
        /// The feet.
        pub feet: Vec<FootJson>,
    }

    /// A foot in a clip.
    pub struct FootJson {
        /// Name of the joint.
        pub foot: String,
        /// Number of contacts.
        pub contacts: usize,
        /// The contacts.
        pub stances: Vec<StanceJson>,
        /// Share of the clip in which the foot is in contact.
        pub contact_share: f32,
        /// Share of the clip in which the foot is as low as in contact, however fast.
        pub low_share: f32,
        /// Mean skate near the floor, mm/s.
        pub mean_skate_mm_s: f32,
        /// Largest skate, mm/s.
        pub worst_skate_mm_s: f32,
        /// Time at which the largest skate begins, seconds.
        pub worst_s: f32,
        /// Mean slide of a contact, mm.
        pub slide_mm: f32,
        /// Largest slide of a contact, mm.
        pub worst_slide_mm: f32,
        /// Time at which that contact begins, seconds.
        pub worst_slide_s: f32,
        /// Share of the steps near the floor with a skate of more than 0.1 m/s, for a leg of 0.9 m.
        pub sliding_share: f32,
        /// Depth of the sole below where it is at rest, at most, mm.
        pub sinks_mm: f32,
        /// Height of the sole over the floor in contact, the mean, mm.
        pub floats_mm: f32,
    }

    /// A contact of a foot with the floor.
    pub struct StanceJson {
        /// Time at which it begins, seconds.
        pub start_s: f32,
        /// Time at which it ends, seconds; before its start where it goes on across the seam of a loop.
        pub end_s: f32,
        /// Length of the path over the ground of what the foot stands on, mm.
        pub slide_mm: f32,
    }
}

impl ClipFeetJson {
    /// Returns the rows of some clips of a rig.
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

    /// Formats rows as CSV with a line for each foot of each clip.
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
            contact_share: foot.contact_share,
            low_share: foot.low_share,
            mean_skate_mm_s: foot.mean_skate_mm_s,
            worst_skate_mm_s: foot.worst_skate_mm_s,
            worst_s: foot.worst_s,
            slide_mm: foot.slide_mm,
            worst_slide_mm: foot.worst_slide_mm,
            worst_slide_s: foot.worst_slide_s,
            sliding_share: foot.sliding_share,
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
            start_s: contact.start_secs,
            end_s: contact.end_secs,
            slide_mm: contact.slide * 1e3,
        });
        Self {
            foot: name,
            contacts: foot.contacts.len(),
            stances: stances.collect(),
            contact_share: foot.contact_share,
            low_share: foot.low_share,
            mean_skate_mm_s: foot.mean_skate * 1e3,
            worst_skate_mm_s: foot.worst_skate * 1e3,
            worst_s: foot.worst_secs,
            slide_mm: foot.mean_slide() * 1e3,
            worst_slide_mm: worst.slide * 1e3,
            worst_slide_s: worst.start_secs,
            sliding_share: foot.sliding_share,
            sinks_mm: foot.sinks * 1e3,
            floats_mm: foot.floats * 1e3,
        }
    }
}
