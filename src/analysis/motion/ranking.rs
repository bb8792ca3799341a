//! The worst frame of a clip, and the worst clip.

use super::{ClipMotion, Motions, SideMotion};
use crate::rig::NodeIndex;
use crate::view::{PerSide, Side};

/// The frame of a clip in which a joint's region loses most by side A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstFrame {
    /// Position in [`ClipMotion::times_secs`].
    pub frame: usize,
    /// The joint, as a node of side A's rig.
    pub joint: NodeIndex,
    /// Share of the volume of the joint's region that each side loses there, 0 to 1, beside the file's rest pose. NaN for a side B of which the joint is not known.
    pub loss: PerSide<f32>,
}

impl SideMotion {
    /// Position in the list of joints of the one whose region has least left in a frame, of equals the first, and the share of its volume that it has lost, 0 to 1.
    pub fn worst_joint(&self, frame: usize) -> Option<(usize, f32)> {
        let joints = self.regions.len() / self.volume.len().max(1);
        let ratios = self.regions.get(frame * joints..(frame + 1) * joints)?;
        let known = ratios.iter().copied().enumerate().filter(|(_, ratio)| !ratio.is_nan());
        known.reduce(|least, next| if next.1 < least.1 { next } else { least }).map(|(at, ratio)| (at, loss(ratio)))
    }
}

impl Motions {
    /// The frame of a clip (by its position in the list) in which side A loses most at any joint, of equals the first; `None` where no region has a volume.
    pub fn worst_frame(&self, clip: usize) -> Option<WorstFrame> {
        let ClipMotion { sides, times_secs, .. } = self.clips.get(clip)?;
        let of_frame = |frame: usize| sides.a.worst_joint(frame).map(|(at, loss)| (frame, at, loss));
        let worst = (0..times_secs.len()).filter_map(of_frame);
        let (frame, at, loss_a) = worst.reduce(|worst, next| if next.2 > worst.2 { next } else { worst })?;
        let PerSide { a: joints, b: others } = &self.joints;
        let of_b = sides.b.regions.get(frame * others.len() + at).filter(|_| joints == others);
        let loss = PerSide { a: loss_a, b: of_b.map_or(f32::NAN, |ratio| loss(*ratio)) };
        Some(WorstFrame { frame, joint: joints[at], loss })
    }

    /// The clips, by their positions in the list, with the worst frame of each: first that in which side A loses most, last those without a region that has a volume.
    pub fn ranking(&self) -> Vec<(usize, Option<WorstFrame>)> {
        let mut all: Vec<_> = (0..self.clips.len()).map(|clip| (clip, self.worst_frame(clip))).collect();
        let key = |worst: &Option<WorstFrame>| worst.map_or(-1.0, |worst| worst.loss[Side::A]);
        all.sort_by(|(_, a), (_, b)| key(b).total_cmp(&key(a)));
        all
    }
}

/// Loss of a region that has this share of its volume left: what is turned inside out is lost in full.
fn loss(ratio: f32) -> f32 {
    (1.0 - ratio).clamp(0.0, 1.0)
}
