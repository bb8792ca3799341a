//! Feet as CSV and JSON, by the names of clips and joints: speeds in mm/s, ways in mm.

use serde::Serialize;

use super::{ClipFeet, Contact, FootMotion};
use crate::csv::Table;
use crate::rig::{NodeIndex, Rig, node_names};

/// Feet with the names that they are told by.
pub struct FeetTable<'a> {
    rig: &'a Rig,
    clips: &'a [ClipFeet],
    /// Name of each node in pose files, by node.
    names: Vec<String>,
}

#[derive(Serialize)]
struct ClipFeetJson<'a> {
    clip: &'a str,
    number: usize,
    fps: f32,
    step: usize,
    frames: usize,
    moves: bool,
    root_speed_m_s: f32,
    ground_speed_m_s: f32,
    floor_m: f32,
    floor_at_rest: bool,
    doubtful: bool,
    worst_foot: Option<&'a str>,
    feet: Vec<FootJson<'a>>,
}

#[derive(Serialize)]
struct FootJson<'a> {
    foot: &'a str,
    contacts: usize,
    stances: Vec<ContactJson>,
    contact_share: f32,
    low_share: f32,
    mean_skate_mm_s: f32,
    worst_skate_mm_s: f32,
    worst_s: f32,
    slide_mm: f32,
    worst_slide_mm: f32,
    worst_slide_s: f32,
    sliding_share: f32,
    sinks_mm: f32,
    floats_mm: f32,
}

#[derive(Serialize)]
struct ContactJson {
    start_s: f32,
    end_s: f32,
    slide_mm: f32,
}

impl<'a> FeetTable<'a> {
    /// Feet of a rig over some of its clips.
    pub fn new(rig: &'a Rig, clips: &'a [ClipFeet]) -> Self {
        Self { rig, clips, names: node_names(&rig.hierarchy) }
    }

    /// Name of a joint.
    pub fn joint(&self, joint: NodeIndex) -> &str {
        &self.names[joint.index()]
    }

    /// Name of the clip over which feet were measured.
    pub fn clip(&self, clip: &ClipFeet) -> &'a str {
        self.rig.clips.get(clip.clip).map_or("", |clip| clip.name.as_str())
    }

    /// Y of the floor of a clip in the coordinates of the file, metres.
    pub fn floor(&self, clip: &ClipFeet) -> f32 {
        self.rig.hierarchy.in_file(glam::Vec3::Y * clip.floor).y as f32
    }

    /// CSV with one line for each foot of each clip, with units in the header.
    pub fn csv(&self) -> String {
        let mut table = Table::new([
            "clip",
            "number",
            "foot",
            "moves",
            "root_speed_m_s",
            "ground_speed_m_s",
            "floor_m",
            "floor_at_rest",
            "contacts",
            "contact_share",
            "low_share",
            "mean_skate_mm_s",
            "worst_skate_mm_s",
            "worst_s",
            "slide_mm",
            "worst_slide_mm",
            "worst_slide_s",
            "sliding_share",
            "sinks_mm",
            "floats_mm",
        ]);
        for (clip, foot) in self.clips.iter().flat_map(|clip| clip.feet.iter().map(move |foot| (clip, foot))) {
            let about = [self.clip(clip).to_owned(), clip.clip.to_string(), self.joint(foot.foot).to_owned()];
            let of_clip = [clip.root_speed, clip.ground.length(), self.floor(clip)].map(|number| number.to_string());
            let FootJson { contacts, contact_share, low_share, mean_skate_mm_s, worst_skate_mm_s, worst_s, .. } =
                self.foot(foot);
            let FootJson { slide_mm, worst_slide_mm, worst_slide_s, sliding_share, sinks_mm, floats_mm, .. } =
                self.foot(foot);
            let numbers =
                [contact_share, low_share, mean_skate_mm_s, worst_skate_mm_s, worst_s, slide_mm, worst_slide_mm];
            let numbers = numbers.into_iter().chain([worst_slide_s, sliding_share, sinks_mm, floats_mm]);
            let numbers = numbers.map(|number| number.to_string());
            let row = about.into_iter().chain([clip.travel.moves.to_string()]).chain(of_clip);
            table.row(row.chain([clip.is_floor_at_rest.to_string(), contacts.to_string()]).chain(numbers));
        }
        table.into_text()
    }

    /// `[{"clip":NAME,"number":N,"fps":F,"step":N,"frames":N,"moves":BOOL,"root_speed_m_s":V,"ground_speed_m_s":V,"floor_m":Y,"floor_at_rest":BOOL,"doubtful":BOOL,"worst_foot":NAME|null,"feet":[{"foot":NAME,"contacts":N,…},…]},…]`.
    pub fn json(&self) -> impl Serialize {
        let clip = |clip: &'a ClipFeet| ClipFeetJson {
            clip: self.clip(clip),
            number: clip.clip,
            fps: clip.rate,
            step: clip.step,
            frames: clip.frames,
            moves: clip.travel.moves,
            root_speed_m_s: clip.root_speed,
            ground_speed_m_s: clip.ground.length(),
            floor_m: self.floor(clip),
            floor_at_rest: clip.is_floor_at_rest,
            doubtful: clip.is_doubtful(),
            worst_foot: clip.worst_foot().map(|(foot, _)| self.joint(foot.foot)),
            feet: clip.feet.iter().map(|foot| self.foot(foot)).collect(),
        };
        self.clips.iter().map(clip).collect::<Vec<_>>()
    }

    fn foot(&self, foot: &FootMotion) -> FootJson<'_> {
        let worst = foot.worst_contact().copied().unwrap_or_default();
        let stance = |contact: &Contact| ContactJson {
            start_s: contact.start_secs,
            end_s: contact.end_secs,
            slide_mm: contact.slide * 1e3,
        };
        FootJson {
            foot: self.joint(foot.foot),
            contacts: foot.contacts.len(),
            stances: foot.contacts.iter().map(stance).collect(),
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
