//! Motions as CSV and JSON: joints and clips by their names. What is no number is empty or `null`.

use serde::Serialize;

use super::{ClipMotion, MotionJob, Motions, RegionLoss, ThinJoint, WorstFrame};
use crate::analysis::measure::{Distance, WorstVertex};
use crate::csv::Table;
use crate::rig::{NodeIndex, Rig, node_names};
use crate::view::{PerSide, Side};

/// Motions with the names that they are told by.
pub struct MotionTable<'a> {
    motions: &'a Motions,
    job: &'a MotionJob,
    /// Name of each node of each side's rig in pose files, by node.
    names: PerSide<Vec<String>>,
}

#[derive(Serialize)]
struct MotionsJson<'a> {
    sides: [String; 2],
    rest_volume_m3: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    distances_off: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joints_off: Option<String>,
    ranking: Vec<RankedJson<'a>>,
    too_thin: Vec<ThinJson<'a>>,
    clips: Vec<ClipJson<'a>>,
}

#[derive(Serialize)]
struct RankedJson<'a> {
    clip: &'a str,
    number: usize,
    time_s: Option<f32>,
    joint: Option<&'a str>,
    volume_loss: [Option<f32>; 2],
    volume_loss_uncertainty: [Option<f32>; 2],
}

#[derive(Serialize)]
struct ThinJson<'a> {
    joint: &'a str,
    clip: &'a str,
    number: usize,
    time_s: f32,
    volume_loss: f32,
    volume_loss_uncertainty: f32,
}

#[derive(Serialize)]
struct ClipJson<'a> {
    clip: &'a str,
    number: usize,
    fps: f32,
    step: usize,
    time_s: &'a [f32],
    volume_m3: [&'a [f64]; 2],
    max_distance_m: Option<Vec<f64>>,
    mean_distance_m: Option<Vec<f64>>,
    worst_vertex: Vec<Option<WorstVertex>>,
    least_area_ratio: [&'a [f32]; 2],
    flipped_triangles: [&'a [u32]; 2],
    worst_joint: [Vec<Option<&'a str>>; 2],
    volume_loss: [Vec<Option<f32>>; 2],
    volume_loss_uncertainty: [Vec<Option<f32>>; 2],
}

impl<'a> MotionTable<'a> {
    /// What a job has measured.
    pub fn new(job: &'a MotionJob, motions: &'a Motions) -> Self {
        let names = |side: Side| node_names(&job.sides[side].skinner.rig().hierarchy);
        Self { motions, job, names: PerSide::from_fn(names) }
    }

    /// Name of a joint of a side's rig.
    pub fn joint(&self, side: Side, joint: NodeIndex) -> &str {
        &self.names[side][joint.index()]
    }

    /// Name of a clip of [`Motions::clips`], by its position there.
    pub fn clip(&self, clip: usize) -> &str {
        let of_rig = self.motions.clips.get(clip).and_then(|motion| self.job.rig.clips.get(motion.clip));
        of_rig.map_or("", |clip| clip.name.as_str())
    }

    /// Name of the joint that loses most on a side in a frame of a clip, and what it loses.
    pub fn worst_joint(&self, clip: usize, frame: usize, side: Side) -> Option<(&str, RegionLoss)> {
        let worst = self.motions.clips.get(clip)?.sides[side].worst_joint(frame)?;
        Some((self.joint(side, self.motions.joints[side][worst.joint]), worst))
    }

    /// CSV with one line for each frame of each clip, with units in the header.
    pub fn csv(&self) -> String {
        let mut table = Table::new([
            "clip",
            "number",
            "time_s",
            "volume_a_m3",
            "volume_b_m3",
            "max_distance_m",
            "mean_distance_m",
            "worst_node",
            "worst_mesh",
            "worst_primitive",
            "worst_vertex",
            "worst_vertex_joint",
            "least_area_ratio_a",
            "least_area_ratio_b",
            "flipped_triangles_a",
            "flipped_triangles_b",
            "worst_joint_a",
            "volume_loss_a",
            "worst_joint_b",
            "volume_loss_b",
            "volume_loss_uncertainty_a",
            "volume_loss_uncertainty_b",
        ]);
        for (number, clip) in self.motions.clips.iter().enumerate() {
            for frame in 0..clip.times_secs.len() {
                table.row(self.row(number, clip, frame));
            }
        }
        table.into_text()
    }

    fn row(&self, number: usize, clip: &ClipMotion, frame: usize) -> Vec<String> {
        let distance = &clip.distances[frame];
        let metres = |metres: f64| if self.motions.unmatched.is_none() { metres.to_string() } else { String::new() };
        let volumes = clip.sides.iter().map(|side| side.volume[frame].to_string());
        let vertex = self.worst_vertex(distance).map_or_else(Default::default, |vertex| {
            let WorstVertex { node, mesh, primitive, vertex, joint } = vertex;
            let [node, mesh, primitive, vertex] = [node, mesh, primitive, vertex].map(|number| number.to_string());
            [node, mesh, primitive, vertex, joint.unwrap_or_default()]
        });
        let areas = clip.sides.iter().map(|side| side.least_area_ratio[frame].to_string());
        let flipped = clip.sides.iter().map(|side| side.flipped[frame].to_string());
        let worst = Side::ALL.map(|side| self.worst_joint(number, frame, side));
        let joints = worst.into_iter().flat_map(|worst| {
            worst.map_or_else(Default::default, |(joint, worst)| [joint.to_owned(), worst.loss.to_string()])
        });
        let uncertainties =
            worst.map(|worst| worst.map_or_else(String::new, |(_, worst)| worst.uncertainty.to_string()));
        let about = [self.clip(number).to_owned(), clip.clip.to_string(), clip.times_secs[frame].to_string()];
        let distances = [metres(distance.max), metres(distance.mean)];
        let numbers = about.into_iter().chain(volumes).chain(distances).chain(vertex);
        numbers.chain(areas).chain(flipped).chain(joints).chain(uncertainties).collect()
    }

    /// JSON `{"sides":[A,B],"rest_volume_m3":[A,B],"ranking":[…],"too_thin":[…],"clips":[…]}`, with a list of one number a frame for each measure of a clip.
    ///
    /// *Shapes*: `sides` are names of the two ways of skinning.
    pub fn json(&self, sides: [String; 2]) -> impl Serialize {
        let ranking = self.motions.ranking().into_iter().map(|(clip, worst)| self.ranked(clip, worst));
        let joints_off = self.motions.regions_off.iter().flatten().next().map(ToString::to_string);
        MotionsJson {
            sides,
            rest_volume_m3: self.motions.rest_volume.into(),
            distances_off: self.motions.unmatched.as_ref().map(ToString::to_string),
            joints_off,
            ranking: ranking.collect(),
            too_thin: self.motions.too_thin().into_iter().map(|thin| self.thin(thin)).collect(),
            clips: (0..self.motions.clips.len()).map(|clip| self.clip_json(clip)).collect(),
        }
    }

    fn ranked(&self, clip: usize, worst: Option<WorstFrame>) -> RankedJson<'_> {
        let motion = &self.motions.clips[clip];
        let known = |loss: f32| Some(loss).filter(|loss| !loss.is_nan());
        RankedJson {
            clip: self.clip(clip),
            number: motion.clip,
            time_s: worst.map(|worst| motion.times_secs[worst.frame]),
            joint: worst.map(|worst| self.joint(Side::A, worst.joint)),
            volume_loss: worst.map_or([None; 2], |worst| worst.loss.map(known).into()),
            volume_loss_uncertainty: worst.map_or([None; 2], |worst| worst.uncertainty.map(known).into()),
        }
    }

    fn thin(&self, ThinJoint { joint, clip, frame, loss, uncertainty }: ThinJoint) -> ThinJson<'_> {
        let motion = &self.motions.clips[clip];
        ThinJson {
            joint: self.joint(Side::A, joint),
            clip: self.clip(clip),
            number: motion.clip,
            time_s: motion.times_secs[frame],
            volume_loss: loss,
            volume_loss_uncertainty: uncertainty,
        }
    }

    fn clip_json(&self, clip: usize) -> ClipJson<'_> {
        let motion = &self.motions.clips[clip];
        let PerSide { a, b } = &motion.sides;
        let frames = 0..motion.times_secs.len();
        let is_compared = self.motions.unmatched.is_none();
        let metres = |metres: fn(&Distance) -> f64| is_compared.then(|| motion.distances.iter().map(metres).collect());
        let joint = |side: Side| frames.clone().map(move |frame| self.worst_joint(clip, frame, side));
        let of_worst = |number: fn(RegionLoss) -> f32| {
            Side::ALL.map(|side| joint(side).map(|worst| worst.map(|(_, worst)| number(worst))).collect())
        };
        ClipJson {
            clip: self.clip(clip),
            number: motion.clip,
            fps: motion.rate,
            step: motion.step,
            time_s: &motion.times_secs,
            volume_m3: [&a.volume, &b.volume],
            max_distance_m: metres(|distance| distance.max),
            mean_distance_m: metres(|distance| distance.mean),
            worst_vertex: motion.distances.iter().map(|distance| self.worst_vertex(distance)).collect(),
            least_area_ratio: [&a.least_area_ratio, &b.least_area_ratio],
            flipped_triangles: [&a.flipped, &b.flipped],
            worst_joint: Side::ALL.map(|side| joint(side).map(|worst| worst.map(|(name, _)| name)).collect()),
            volume_loss: of_worst(|worst| worst.loss),
            volume_loss_uncertainty: of_worst(|worst| worst.uncertainty),
        }
    }

    fn worst_vertex(&self, distance: &Distance) -> Option<WorstVertex> {
        let rig: &Rig = self.job.sides.a.skinner.rig();
        WorstVertex::new(rig, distance, &|joint| self.joint(Side::A, joint).to_owned())
    }
}
