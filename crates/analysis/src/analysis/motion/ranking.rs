//! The worst frame of a clip, the worst clip, and joints whose loss is too uncertain to rank.

use super::{ClipMotion, Motions, SideMotion};
use crate::analysis::region::is_too_thin;
use rigscope_core::rig::NodeIndex;
use rigscope_core::view::{PerSide, Side};

/// Volume loss of a joint's region in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionLoss {
    /// Index into the side's [`Motions::joints`].
    pub joint: usize,
    /// Fraction of the volume at rest, 0 to 1; 1 for inverted regions.
    pub loss: f32,
    /// Maximum change in `loss` if the region's openings were capped differently.
    pub uncertainty: f32,
}

/// Frame with the largest volume loss of any joint's region on side A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstFrame {
    /// Index into [`ClipMotion::times_secs`].
    pub frame: usize,
    /// Joint, as a node of side A's rig.
    pub joint: NodeIndex,
    /// Fraction of its rest volume that the joint's region loses, on A and on B. NaN for side B if it has no such joint.
    pub loss: PerSide<f32>,
    /// Maximum change in each loss if the region's openings were capped differently; NaN if the loss is NaN.
    pub uncertainty: PerSide<f32>,
}

/// Joint on side A whose apparent loss could change by more than half if its region's openings were capped differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThinJoint {
    /// Joint, as a node of side A's rig.
    pub joint: NodeIndex,
    /// Index into [`Motions::clips`] of the clip with the largest apparent loss.
    pub clip: usize,
    /// Index into [`ClipMotion::times_secs`].
    pub frame: usize,
    /// Apparent loss, 0 to 1.
    pub loss: f32,
    /// Maximum change in `loss` if the region's openings were capped differently.
    pub uncertainty: f32,
}

impl RegionLoss {
    /// Returns true if the uncertainty exceeds both half the loss and 5 %.
    pub fn is_too_thin(&self) -> bool {
        is_too_thin(self.loss, self.uncertainty)
    }
}

impl SideMotion {
    /// Returns the losses in a frame of all regions that have a volume.
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

    /// Returns the largest reliable loss in a frame; on ties, the first.
    pub fn worst_joint(&self, frame: usize) -> Option<RegionLoss> {
        let known = self.losses(frame).filter(|loss| !loss.is_too_thin());
        known.reduce(|worst, next| if next.loss > worst.loss { next } else { worst })
    }
}

impl Motions {
    /// Returns the worst frame of `self.clips[clip]` on side A; on ties, the first. `None` if no loss is reliable.
    pub fn worst_frame(&self, clip: usize) -> Option<WorstFrame> {
        let ClipMotion { sides, times_secs, .. } = self.clips.get(clip)?;
        let of_frame = |frame: usize| sides.a.worst_joint(frame).map(|worst| (frame, worst));
        let worst = (0..times_secs.len()).filter_map(of_frame);
        let (frame, of_a) = worst.reduce(|worst, next| if next.1.loss > worst.1.loss { next } else { worst })?;
        let of_b =
            self.counterparts[of_a.joint].and_then(|joint| sides.b.losses(frame).find(|loss| loss.joint == joint));
        let unknown = RegionLoss { joint: of_a.joint, loss: f32::NAN, uncertainty: f32::NAN };
        let both = PerSide { a: of_a, b: of_b.unwrap_or(unknown) };
        Some(WorstFrame {
            frame,
            joint: self.joints.a[of_a.joint],
            loss: both.map(|of_side| of_side.loss),
            uncertainty: both.map(|of_side| of_side.uncertainty),
        })
    }

    /// Returns indices into `self.clips` with each clip's worst frame, sorted by descending loss on side A. Clips
    /// without a worst frame come last.
    pub fn ranking(&self) -> Vec<(usize, Option<WorstFrame>)> {
        let mut all: Vec<_> = (0..self.clips.len()).map(|clip| (clip, self.worst_frame(clip))).collect();
        let key = |worst: &Option<WorstFrame>| worst.map_or(-1.0, |worst| worst.loss[Side::A]);
        all.sort_by(|(_, a), (_, b)| key(b).total_cmp(&key(a)));
        all
    }

    /// Returns joints with losses above 5 % that are too uncertain to rank. Each joint has its largest such loss; the
    /// largest losses come first.
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

const MIN_LOSS: f32 = 0.05;

fn loss(ratio: f32) -> f32 {
    (1.0 - ratio).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::SideMotion;
    use super::*;

    /// Returns motions of one frame with the regions of two joints on each side.
    fn motions(counterparts: [Option<usize>; 2]) -> Motions {
        let side = |regions: [f32; 2]| SideMotion {
            volume: vec![1.0],
            regions: regions.to_vec(),
            uncertainties: vec![0.0; 2],
            ..SideMotion::default()
        };
        let clip = ClipMotion {
            clip: 0,
            rate: 30.0,
            step: 1,
            times_secs: vec![0.0],
            distances: Vec::new(),
            sides: PerSide { a: side([0.5, 0.9]), b: side([0.75, 0.625]) },
        };
        Motions {
            rest_volume: PerSide { a: 1.0, b: 1.0 },
            joints: PerSide { a: [1, 2], b: [3, 1] }.map(|joints| joints.map(NodeIndex).to_vec()),
            counterparts: counterparts.to_vec(),
            region_errors: PerSide { a: None, b: None },
            unmatched: None,
            clips: vec![clip],
        }
    }

    #[test]
    fn the_loss_on_b_is_that_of_the_same_joint_and_unknown_without_one() {
        let worst = |counterparts| motions(counterparts).worst_frame(0).unwrap();
        for (on_b, loss) in [(0, 0.25), (1, 0.375)] {
            let same = worst([Some(on_b), None]);
            assert_eq!((same.joint, same.loss.a, same.loss.b), (NodeIndex(1), 0.5, loss));
        }
        let other = worst([None, Some(0)]);
        assert_eq!((other.joint, other.loss.a), (NodeIndex(1), 0.5));
        assert!(other.loss.b.is_nan() && other.uncertainty.b.is_nan(), "{other:?}");
    }
}
