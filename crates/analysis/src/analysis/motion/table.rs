//! Rows for motions, with names of joints and clips.

use super::{MotionJob, Motions, RegionLoss, SideMotion, WorstFrame};
use crate::analysis::measure::{SurfaceDistance, WorstVertex};
use rigscope_core::rig::{NodeIndex, node_names};
use rigscope_core::rows::{Series, columns, csv, rows};
use rigscope_core::view::{PerSide, Side};

rows! {
    /// Measures of sides A and B over clips. Pairs list A first.
    pub struct MotionJson {
        /// Skinning of A and B.
        pub sides: [String; 2],
        /// Volumes of A and B in the file's rest pose, m³.
        pub rest_volume_m3: Series<f64>,
        /// Reason why there are no distances.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub distances_off: Option<String>,
        /// Reason why there are no volume losses of joints.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub joints_off: Option<String>,
        /// Clips by the largest loss of side A, worst first.
        pub ranking: Vec<RankedClipJson>,
        /// Joints whose loss is too uncertain to rank.
        pub too_thin: Vec<ThinJointJson>,
        /// Measures of each clip, by frame.
        pub clips: Vec<ClipMotionJson>,
    }

    /// Clip, and the frame in which the region of any joint loses most of its volume on side A.
    pub struct RankedClipJson {
        /// Name of the clip.
        pub clip: String,
        /// Index of the clip in the file.
        pub number: usize,
        /// Time of the frame, seconds.
        pub time_secs: Option<f32>,
        /// Name of the joint.
        pub joint: Option<String>,
        /// Fraction of the region's volume that A and B have lost.
        pub volume_loss: [Option<f32>; 2],
        /// Maximum change of each loss if other caps closed the openings of the region.
        pub volume_loss_uncertainty: [Option<f32>; 2],
    }

    /// Joint whose loss on side A is too uncertain to rank, in the frame with its largest apparent loss.
    pub struct ThinJointJson {
        /// Name of the joint.
        pub joint: String,
        /// Name of the clip.
        pub clip: String,
        /// Index of the clip in the file.
        pub number: usize,
        /// Time of the frame, seconds.
        pub time_secs: f32,
        /// Fraction of the volume that seems lost.
        pub volume_loss: f32,
        /// Maximum change of the loss if other caps closed the openings.
        pub volume_loss_uncertainty: f32,
    }

    /// Both sides in each frame of a clip. Lists have one entry per frame; pairs have one list per side.
    pub struct ClipMotionJson {
        /// Name of the clip.
        pub clip: String,
        /// Index of the clip in the file.
        pub number: usize,
        /// Frames per second.
        pub fps: f32,
        /// Interval between measured frames, in frames: 1, unless there are too many.
        pub step: usize,
        /// Times of the frames, seconds.
        pub time_secs: Series<f32>,
        /// Volume, m³.
        pub volume_m3: [Series<f64>; 2],
        /// Maximum distance between corresponding vertices of A and B, metres.
        pub max_distance_m: Option<Series<f64>>,
        /// Mean distance between corresponding vertices, metres.
        pub mean_distance_m: Option<Series<f64>>,
        /// Vertex with the maximum distance.
        pub worst_vertex: Vec<Option<WorstVertex>>,
        /// Area of the most shrunk triangle, relative to the rest pose.
        pub min_area_ratio: [Series<f32>; 2],
        /// Number of triangles flipped relative to their rest normal, as transformed by their joint.
        pub flipped_triangles: [Series<u32>; 2],
        /// Name of the joint whose region has lost most of its volume.
        pub worst_joint: [Vec<Option<String>>; 2],
        /// Fraction of the volume that this region has lost.
        pub volume_loss: [Series<f32>; 2],
        /// Maximum change of the loss if other caps closed the openings of the region.
        pub volume_loss_uncertainty: [Series<f32>; 2],
    }
}

impl MotionJson {
    /// Creates rows; `sides` has the names of both sides.
    pub fn new(job: &MotionJob, motions: &Motions, sides: [String; 2]) -> Self {
        let of_side = |side: Side| node_names(&job.sides[side].skinner.rig().hierarchy);
        Names { job, motions, nodes: PerSide::from_fn(of_side) }.motion(sides)
    }

    /// Formats rows as CSV, one line per frame and clip.
    pub fn csv(&self) -> String {
        #[expect(unused_variables, reason = "a column reads one of the two")]
        let columns = columns![|(clip, frame): (&ClipMotionJson, usize)|
            clip: clip.clip,
            number: clip.number,
            time_secs: clip.time_secs.0[*frame],
            volume_a_m3: clip.volume_m3[0].0[*frame],
            volume_b_m3: clip.volume_m3[1].0[*frame],
            max_distance_m: clip.max_distance_m.as_ref().map(|metres| metres.0[*frame]),
            mean_distance_m: clip.mean_distance_m.as_ref().map(|metres| metres.0[*frame]),
            worst_node: clip.worst_vertex[*frame].as_ref().map(|vertex| vertex.node),
            worst_mesh: clip.worst_vertex[*frame].as_ref().map(|vertex| vertex.mesh),
            worst_primitive: clip.worst_vertex[*frame].as_ref().map(|vertex| vertex.primitive),
            worst_vertex: clip.worst_vertex[*frame].as_ref().map(|vertex| vertex.vertex),
            worst_vertex_joint: clip.worst_vertex[*frame].as_ref().and_then(|vertex| vertex.joint.as_ref()),
            min_area_ratio_a: clip.min_area_ratio[0].0[*frame],
            min_area_ratio_b: clip.min_area_ratio[1].0[*frame],
            flipped_triangles_a: clip.flipped_triangles[0].0[*frame],
            flipped_triangles_b: clip.flipped_triangles[1].0[*frame],
            worst_joint_a: clip.worst_joint[0][*frame],
            volume_loss_a: clip.volume_loss[0].0[*frame],
            worst_joint_b: clip.worst_joint[1][*frame],
            volume_loss_b: clip.volume_loss[1].0[*frame],
            volume_loss_uncertainty_a: clip.volume_loss_uncertainty[0].0[*frame],
            volume_loss_uncertainty_b: clip.volume_loss_uncertainty[1].0[*frame],
        ];
        csv(&columns, self.clips.iter().flat_map(|clip| (0..clip.time_secs.0.len()).map(move |frame| (clip, frame))))
    }
}

struct Names<'a> {
    job: &'a MotionJob,
    motions: &'a Motions,
    nodes: PerSide<Vec<String>>,
}

impl Names<'_> {
    fn joint(&self, side: Side, joint: NodeIndex) -> String {
        self.nodes[side][joint.index()].clone()
    }

    fn motion(&self, sides: [String; 2]) -> MotionJson {
        let Motions { rest_volume, region_errors: regions_off, unmatched, clips, .. } = self.motions;
        MotionJson {
            sides,
            rest_volume_m3: Series(vec![rest_volume.a, rest_volume.b]),
            distances_off: unmatched.as_ref().map(ToString::to_string),
            joints_off: regions_off.iter().flatten().next().map(ToString::to_string),
            ranking: self.motions.ranking().into_iter().map(|(clip, worst)| self.ranked(clip, worst)).collect(),
            too_thin: self.too_thin(),
            clips: (0..clips.len()).map(|clip| self.clip(clip)).collect(),
        }
    }

    fn ranked(&self, clip: usize, worst: Option<WorstFrame>) -> RankedClipJson {
        let motion = &self.motions.clips[clip];
        let known = |loss: f32| Some(loss).filter(|loss| !loss.is_nan());
        RankedClipJson {
            clip: self.job.rig.clip_name(motion.clip).to_owned(),
            number: motion.clip,
            time_secs: worst.map(|worst| motion.times_secs[worst.frame]),
            joint: worst.map(|worst| self.joint(Side::A, worst.joint)),
            volume_loss: worst.map_or([None; 2], |worst| worst.loss.map(known).into()),
            volume_loss_uncertainty: worst.map_or([None; 2], |worst| worst.uncertainty.map(known).into()),
        }
    }

    fn too_thin(&self) -> Vec<ThinJointJson> {
        let thin = self.motions.too_thin().into_iter().map(|thin| {
            let motion = &self.motions.clips[thin.clip];
            ThinJointJson {
                joint: self.joint(Side::A, thin.joint),
                clip: self.job.rig.clip_name(motion.clip).to_owned(),
                number: motion.clip,
                time_secs: motion.times_secs[thin.frame],
                volume_loss: thin.loss,
                volume_loss_uncertainty: thin.uncertainty,
            }
        });
        thin.collect()
    }

    fn clip(&self, clip: usize) -> ClipMotionJson {
        let motion = &self.motions.clips[clip];
        let both = PerSide { a: Side::A, b: Side::B }.map(|side| (side, &motion.sides[side]));
        let worst: [Vec<Option<RegionLoss>>; 2] =
            both.map(|(_, of)| (0..motion.times_secs.len()).map(|frame| of.worst_joint(frame)).collect()).into();
        let of_worst = |number: fn(RegionLoss) -> f32| {
            worst.each_ref().map(|frames| Series(frames.iter().map(|worst| worst.map_or(f32::NAN, number)).collect()))
        };
        let is_compared = self.motions.unmatched.is_none();
        let metres = |metres: fn(&SurfaceDistance) -> f64| {
            is_compared.then(|| Series(motion.distances.iter().map(metres).collect()))
        };
        let rig = self.job.sides.a.skinner.rig();
        let name = |joint| self.joint(Side::A, joint);
        let name_of_worst = |side: Side| {
            let of_frame = |worst: &Option<RegionLoss>| {
                worst.map(|worst| self.joint(side, self.motions.joints[side][worst.joint]))
            };
            worst[usize::from(side == Side::B)].iter().map(of_frame).collect()
        };
        let areas = |(_, of): (Side, &SideMotion)| Series(of.min_area_ratio.clone());
        ClipMotionJson {
            clip: self.job.rig.clip_name(motion.clip).to_owned(),
            number: motion.clip,
            fps: motion.rate,
            step: motion.step,
            time_secs: Series(motion.times_secs.clone()),
            volume_m3: both.map(|(_, of)| Series(of.volume.clone())).into(),
            max_distance_m: metres(|distance| distance.max),
            mean_distance_m: metres(|distance| distance.mean),
            worst_vertex: motion.distances.iter().map(|at| WorstVertex::new(rig, at, &name)).collect(),
            min_area_ratio: both.map(areas).into(),
            flipped_triangles: both.map(|(_, of)| Series(of.flipped.clone())).into(),
            worst_joint: Side::ALL.map(name_of_worst),
            volume_loss: of_worst(|worst| worst.loss),
            volume_loss_uncertainty: of_worst(|worst| worst.uncertainty),
        }
    }
}
