use std::fmt::Write as _;

use glam::{Quat, Vec3};
use serde::Serialize;

use super::skeletons::{SkeletonDifference, paired_joints};
use super::{SkeletonPairs, TransferredClips};
use crate::matching::{HumanBone, Humanoid};
use crate::rig::{ClipMoment, NodeIndex, Pose, Posed, Rig, SamplingBuffers, evaluate, evaluate_into};

/// Maximum number of clip times that are compared, over all clips.
const MAX_MOMENTS: usize = 512;
/// Bones shorter than this fraction of the rig's size are not compared.
const MIN_BONE: f32 = 1e-3;
/// Maximum number of times that are compared per clip.
const MOMENTS_PER_CLIP: usize = 9;

/// Differences between transferred clips and their source, over all compared times.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TransferErrors {
    /// World-space angle between each bone and its source bone, after aligning the characters' fronts, degrees.
    pub bones: Vec<BoneError>,
    /// Errors over all bones, degrees.
    pub all_bones: MeanAndMax,
    /// Difference in foot height between target and source, after scaling the source to the target's size, metres;
    /// `None` without feet.
    pub soles: Option<MeanAndMax>,
    /// Distance between the hands of target and source, measured relative to the shoulders and scaled to the target's
    /// arm length, metres; `None` without arms.
    pub hands: Option<MeanAndMax>,
}

/// Direction error of one bone, degrees.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BoneError {
    /// Joint at the start of the bone.
    pub joint: String,
    /// Corresponding source joint.
    pub source: String,
    /// Mean.
    pub mean: f32,
    /// Maximum.
    pub worst: f32,
}

/// Mean and maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MeanAndMax {
    /// Mean.
    pub mean: f32,
    /// Maximum.
    pub worst: f32,
}

impl MeanAndMax {
    fn new(values: &[f32]) -> Option<Self> {
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        (!values.is_empty()).then(|| Self { mean, worst: values.iter().copied().fold(0.0, f32::max) })
    }
}

impl TransferErrors {
    /// Summarizes the errors in one line.
    pub fn summary(&self) -> String {
        let mut text = format!("bones {:.1}° from the source on average", self.all_bones.mean);
        if let Some(worst) = self.bones.iter().max_by(|a, b| a.worst.total_cmp(&b.worst)) {
            let _ = write!(text, ", at most {:.1}° ({})", worst.worst, worst.joint);
        }
        for (what, errors) in [("soles", self.soles), ("hands", self.hands)] {
            if let Some(MeanAndMax { mean, worst }) = errors {
                let _ = write!(text, "; {what} {:.1} cm, at most {:.1} cm", 100.0 * mean, 100.0 * worst);
            }
        }
        text
    }

    /// Formats the errors as a table.
    pub fn table(&self) -> String {
        let width = self.bones.iter().map(|bone| bone.joint.chars().count()).max().unwrap_or(0).max(9);
        let mut text = format!("{:width$}  {:>8}  {:>8}  source\n", "bone", "mean", "worst");
        for BoneError { joint, source, mean, worst } in &self.bones {
            let _ = writeln!(text, "{joint:width$}  {mean:7.2}°  {worst:7.2}°  {source}");
        }
        let MeanAndMax { mean, worst } = self.all_bones;
        let _ = writeln!(text, "{:width$}  {mean:7.2}°  {worst:7.2}°", "all bones");
        for (what, errors) in [("soles", self.soles), ("hands", self.hands)] {
            if let Some(MeanAndMax { mean, worst }) = errors {
                let _ = writeln!(text, "{what:width$}  {mean:6.3} m  {worst:6.3} m");
            }
        }
        text
    }
}

/// Measures the errors of transferred clips. *Cost*: evaluates both rigs at up to 512 clip times.
pub fn transfer_errors(from: &Rig, onto: &Rig, found: &TransferredClips) -> TransferErrors {
    let pairs = SkeletonPairs::new(from, onto);
    let rest = [from, onto].map(|rig| evaluate(rig, None, &Pose::rest(&rig.hierarchy)));
    let SkeletonDifference { size, facing, .. } = SkeletonDifference::between([from, onto], rest.each_ref(), &pairs);
    let joints = paired_joints([from, onto], &pairs);
    let mut bones: Vec<[[NodeIndex; 2]; 2]> = Vec::new();
    for joint in &joints {
        if let Some(tip) = joint.tip {
            bones.push([joint.nodes, joints[tip].nodes]);
        }
        if let Some(above) = joint.above.map(|above| &joints[above]).filter(|above| above.tip.is_none()) {
            bones.push([above.nodes, joint.nodes]);
        }
    }
    let bodies = [0, 1].map(|side| {
        let turn = if side == 0 { facing } else { Quat::IDENTITY };
        pairs.humans.as_ref().map(|humans| MeasuredBody::new(&humans[side], &rest[side], turn))
    });
    let lengths = [from, onto].map(|rig| MIN_BONE * rig.size());
    let target = onto.clone().with_clips(found.clips.clone());
    let own = onto.clips.len();
    let count = (MAX_MOMENTS / found.clips.len().max(1)).clamp(2, MOMENTS_PER_CLIP);
    let (mut angles, mut soles, mut hands) = (vec![Vec::new(); bones.len()], Vec::new(), Vec::new());
    let poses = [from, onto].map(|rig| Pose::rest(&rig.hierarchy));
    let mut posed = [Posed::default(), Posed::default()];
    let mut buffers = [SamplingBuffers::default(), SamplingBuffers::default()];
    let clips = found.source_clips.iter().enumerate().take(MAX_MOMENTS / count);
    for ((number, &source), moment) in clips.flat_map(|clip| (0..count).map(move |moment| (clip, moment))) {
        let time_secs = from.clips[source].duration_secs * moment as f32 / (count - 1) as f32;
        for (side, (rig, clip)) in [(from, source), (&target, own + number)].into_iter().enumerate() {
            let moment = ClipMoment::new(clip, time_secs);
            evaluate_into(rig, Some(moment), &poses[side], &mut buffers[side], &mut posed[side]);
        }
        let place = |side: usize, node: NodeIndex| posed[side].world_from_node[node.index()].translation;
        for ([head, tail], angles) in bones.iter().zip(&mut angles) {
            let direction = |side: usize| {
                let bone = place(side, tail[side]) - place(side, head[side]);
                bone.try_normalize().filter(|_| bone.length() > lengths[side])
            };
            if let (Some(theirs), Some(ours)) = (direction(0), direction(1)) {
                let theirs = facing * theirs;
                // `atan2`, because a single-precision arc cosine would be off by up to 0.03°.
                angles.push(theirs.cross(ours).length().atan2(theirs.dot(ours)).to_degrees());
            }
        }
        if let [Some(theirs), Some(ours)] = &bodies {
            let lifts = [theirs.lift(&posed[0]), ours.lift(&posed[1])];
            if let [Some(theirs), Some(ours)] = lifts {
                soles.push((size * theirs - ours).abs());
            }
            for side in 0..2 {
                if let (Some(a), Some(b)) = (theirs.hand(side, &posed[0]), ours.hand(side, &posed[1])) {
                    hands.push(a.distance(b) * ours.arm);
                }
            }
        }
    }
    let name = |rig: &Rig, node: NodeIndex| rig.hierarchy.name(node).to_owned();
    let error = |([head, _], angles): (&[[NodeIndex; 2]; 2], &Vec<f32>)| {
        let MeanAndMax { mean, worst } = MeanAndMax::new(angles)?;
        Some(BoneError { joint: name(onto, head[1]), source: name(from, head[0]), mean, worst })
    };
    TransferErrors {
        bones: bones.iter().zip(&angles).filter_map(error).collect(),
        all_bones: MeanAndMax::new(&angles.concat()).unwrap_or_default(),
        soles: MeanAndMax::new(&soles),
        hands: MeanAndMax::new(&hands),
    }
}

struct MeasuredBody {
    feet: Vec<NodeIndex>,
    /// Height of the lowest foot joint at rest, metres.
    sole: f32,
    arms: [Option<[NodeIndex; 2]>; 2],
    arm: f32,
    /// Rotation that makes the character face the target's front.
    turn: Quat,
}

impl MeasuredBody {
    fn new(human: &Humanoid, rest: &Posed, turn: Quat) -> Self {
        let node = |side: &str, bone: &str| human.node(HumanBone::named(&format!("{side}{bone}"))?);
        let sides = ["left", "right"];
        let feet = sides.iter().flat_map(|side| [node(side, "Foot"), node(side, "Toes")]).flatten().collect();
        let arms = sides.map(|side| Some([node(side, "UpperArm")?, node(side, "Hand")?]));
        let place = |node: NodeIndex| rest.world_from_node[node.index()].translation;
        let length = |side: &str| {
            let [shoulder, elbow, wrist] = ["UpperArm", "LowerArm", "Hand"].map(|bone| node(side, bone).map(place));
            Some(shoulder?.distance(elbow?) + elbow?.distance(wrist?))
        };
        let arm = sides.iter().filter_map(|side| length(side)).fold(0.0, f32::max);
        let mut body = Self { feet, sole: 0.0, arms, arm, turn };
        body.sole = body.lift(rest).unwrap_or(0.0);
        body
    }

    fn lift(&self, posed: &Posed) -> Option<f32> {
        let heights = self.feet.iter().map(|node| posed.world_from_node[node.index()].translation.y);
        heights.reduce(f32::min).map(|lowest| lowest - self.sole)
    }

    /// Returns the position of a hand relative to the midpoint of the shoulders, in arm lengths.
    fn hand(&self, side: usize, posed: &Posed) -> Option<Vec3> {
        let place = |node: NodeIndex| posed.world_from_node[node.index()].translation;
        let [Some(left), Some(right)] = self.arms else { return None };
        let middle = 0.5 * (place(left[0]) + place(right[0]));
        let hand = place([left, right][side][1]);
        (self.arm > 0.0).then(|| self.turn * ((hand - middle) / self.arm))
    }
}
