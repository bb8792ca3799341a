//! The worst frame of a clip, the worst clip, and joints whose losses are too uncertain to rank.

use super::{ClipMotion, Motions, SideMotion};
use crate::analysis::region::is_too_thin;
use crate::rig::NodeIndex;
use crate::view::{PerSide, Side};

/// What the region of a joint has lost in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionLoss {
    /// Position in the side's list of joints.
    pub joint: usize,
    /// Share of the volume at rest, 0 to 1: what is turned inside out is lost in full.
    pub loss: f32,
    /// Most by which `loss` would be another if the region's openings were closed otherwise.
    pub uncertainty: f32,
}

/// The frame of a clip in which a joint's region loses most by side A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstFrame {
    /// Position in [`ClipMotion::times_secs`].
    pub frame: usize,
    /// The joint, as a node of side A's rig.
    pub joint: NodeIndex,
    /// Share of the volume of the joint's region that each side loses there, 0 to 1, beside the file's rest pose. NaN for a side B of which the joint is not known.
    pub loss: PerSide<f32>,
    /// Most by which each loss would be another if the region's openings were closed otherwise. NaN as `loss`.
    pub uncertainty: PerSide<f32>,
}

/// A joint whose region seems to lose volume by side A, and is too thin to tell: closed otherwise, it might lose half as much, or half as much again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThinJoint {
    /// The joint, as a node of side A's rig.
    pub joint: NodeIndex,
    /// Position of the clip in [`Motions::clips`] in which it seems to lose most.
    pub clip: usize,
    /// Position in [`ClipMotion::times_secs`].
    pub frame: usize,
    /// Share of the region's volume that seems to be lost there, 0 to 1.
    pub loss: f32,
    /// Most by which `loss` would be another.
    pub uncertainty: f32,
}

impl RegionLoss {
    /// True where the uncertainty swamps the loss: it is more than half of it, and more than 5 %.
    pub fn is_too_thin(&self) -> bool {
        is_too_thin(self.loss, self.uncertainty)
    }
}

impl SideMotion {
    /// What the regions that have a volume have lost in a frame.
    pub fn losses(&self, frame: usize) -> impl Iterator<Item = RegionLoss> + '_ {
        let joints = self.regions.len() / self.volume.len().max(1);
        let ratios = self.regions.iter().zip(&self.uncertainties).enumerate().skip(frame * joints).take(joints);
        let known = ratios.filter(|(_, (ratio, _))| !ratio.is_nan());
        known.map(move |(at, (ratio, uncertainty))| RegionLoss {
            joint: at - frame * joints,
            loss: loss(*ratio),
            uncertainty: *uncertainty,
        })
    }

    /// The largest loss in a frame, of equals the first, leaving out what is too thin to tell.
    pub fn worst_joint(&self, frame: usize) -> Option<RegionLoss> {
        let known = self.losses(frame).filter(|loss| !loss.is_too_thin());
        known.reduce(|worst, next| if next.loss > worst.loss { next } else { worst })
    }
}

impl Motions {
    /// The frame of a clip (by its position in the list) in which side A loses most at any joint, of equals the first; `None` where no region has a volume that
    /// is not too thin to tell.
    pub fn worst_frame(&self, clip: usize) -> Option<WorstFrame> {
        let ClipMotion { sides, times_secs, .. } = self.clips.get(clip)?;
        let of_frame = |frame: usize| sides.a.worst_joint(frame).map(|worst| (frame, worst));
        let worst = (0..times_secs.len()).filter_map(of_frame);
        let (frame, of_a) = worst.reduce(|worst, next| if next.1.loss > worst.1.loss { next } else { worst })?;
        let PerSide { a: joints, b: others } = &self.joints;
        let of_b = (joints == others).then(|| sides.b.losses(frame).find(|loss| loss.joint == of_a.joint)).flatten();
        let unknown = RegionLoss { joint: of_a.joint, loss: f32::NAN, uncertainty: f32::NAN };
        let both = PerSide { a: of_a, b: of_b.unwrap_or(unknown) };
        Some(WorstFrame {
            frame,
            joint: joints[of_a.joint],
            loss: both.map(|of_side| of_side.loss),
            uncertainty: both.map(|of_side| of_side.uncertainty),
        })
    }

    /// The clips, by their positions in the list, with the worst frame of each: first that in which side A loses most, last those without one.
    pub fn ranking(&self) -> Vec<(usize, Option<WorstFrame>)> {
        let mut all: Vec<_> = (0..self.clips.len()).map(|clip| (clip, self.worst_frame(clip))).collect();
        let key = |worst: &Option<WorstFrame>| worst.map_or(-1.0, |worst| worst.loss[Side::A]);
        all.sort_by(|(_, a), (_, b)| key(b).total_cmp(&key(a)));
        all
    }

    /// The joints that are too thin to tell in some frame, each where it seems to lose most, those that seem to lose most first.
    pub fn too_thin(&self) -> Vec<ThinJoint> {
        let mut worst: Vec<Option<ThinJoint>> = vec![None; self.joints.a.len()];
        for (clip, motion) in self.clips.iter().enumerate() {
            for frame in 0..motion.times_secs.len() {
                for found in motion.sides.a.losses(frame).filter(RegionLoss::is_too_thin) {
                    let RegionLoss { joint, loss, uncertainty } = found;
                    if worst[joint].is_none_or(|known| loss > known.loss) {
                        let node = self.joints.a[joint];
                        worst[joint] = Some(ThinJoint { joint: node, clip, frame, loss, uncertainty });
                    }
                }
            }
        }
        let mut all: Vec<ThinJoint> = worst.into_iter().flatten().filter(|thin| thin.loss > MIN_LOSS).collect();
        all.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        all
    }
}

/// Minimum loss to list.
const MIN_LOSS: f32 = 0.05;

/// Loss for a remaining volume fraction; inverted regions are lost completely.
fn loss(ratio: f32) -> f32 {
    (1.0 - ratio).clamp(0.0, 1.0)
}
