//! Twist and bend test: rotates a joint step by step and measures the loss in its region.
//!
//! The region is the triangles that the joint and its parent move, deformed by the method. Its volume is measured after
//! closing each opening, where it is cut out of the surface, with a fan over the boundary loop, and each edge at which
//! the skin tears with a wall; see `docs/mathematics.md`, Volume loss of a region.
//!
//! A fan closes a flat rim exactly. Any other surface within the rim's height could close a rim that is not flat. The
//! uncertainty of a loss is the volume by which such surfaces can differ, as far as a pose can have changed it; see
//! `docs/mathematics.md`. A loss is not ranked if its uncertainty exceeds both half of it and 5 %.
//!
//! Constraints that follow the joint follow its rotations, including those of twist helpers.

mod axes;
mod moved;
mod rank;
mod region;
mod sweep;
mod table;

use std::f32::consts::PI;

pub use axes::{Axes, Motion, Turn};
pub use rank::{RankError, Ranked, Standing, rank};
pub use sweep::Loss;
pub use table::{MethodLossJson, RankedJointJson, RankingJson, SweepJson, SweepRowJson};

use super::region::Regions;
use super::{Topology, measurable};
use region::Region;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{NodeIndex, Pose, Posed, Rig};
use rigscope_core::skinning::{SkinPose, Skinner, palettes};
use sweep::{SkinningVariant, TurnBench};

/// A joint and its test rotations, on top of a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct TwistTest {
    /// The tested joint, as a node.
    pub joint: NodeIndex,
    /// Axes of the joint.
    pub axes: Axes,
    /// Rotations in the order of the result's rows.
    pub turns: Vec<Turn>,
}

/// Angle between the steps of a full test, radians.
const STEP: f32 = PI / 18.0;

impl TwistTest {
    /// Number of rotations in a full test: twists and bends.
    const TURNS: usize = 37 + 16;

    /// Returns a full test: twist by -180° to 180° and bend by 0° to 150° in steps of 10°, about the natural axes in
    /// this pose.
    pub fn full(rig: &Rig, posed: &Posed, pose: &Pose, joint: NodeIndex) -> Self {
        let axes = Axes::natural(rig, posed, pose, joint);
        let turns = Self::range(Motion::Twist, PI).into_iter().chain(Self::range(Motion::Bend, PI / 1.2)).collect();
        Self { joint, axes, turns }
    }

    /// Returns rotations every 10° up to an angle (radians), which is the last: twists start at the opposite angle,
    /// bends at 0.
    pub fn range(motion: Motion, end: f32) -> Vec<Turn> {
        let steps = (end.abs() / STEP - 1e-3).ceil().max(1.0) as i32;
        let first = if motion == Motion::Twist { -steps } else { 0 };
        (first..=steps).map(|i| Turn { motion, angle: end * i as f32 / steps as f32 }).collect()
    }
}

/// Result of a [`TwistTest`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The tested joint, as a node.
    pub joint: NodeIndex,
    /// Names of the methods, as on the command line.
    pub methods: Vec<String>,
    /// Number of triangles in the region; without any, all ratios mean no change.
    pub triangles: usize,
    /// One row per rotation.
    pub rows: Vec<SweepRow>,
}

impl Sweep {
    /// Returns the rotation with the smallest volume by a method, which [`rank()`] reports for LBS; `None` if the
    /// region has no volume.
    pub fn worst(&self, method: usize) -> Option<&SweepRow> {
        let ratios = self.rows.iter().map(|row| row.losses.get(method).map_or(f32::NAN, |loss| loss.volume_ratio));
        least(ratios).map(|(at, _)| &self.rows[at])
    }
}

/// Returns the smallest number with its index, the first of equals; `None` if all are NaN.
fn least(numbers: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
    numbers.enumerate().filter(|(_, n)| !n.is_nan()).reduce(|least, next| if next.1 < least.1 { next } else { least })
}

/// Results of one rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    /// Axis of the rotation.
    pub motion: Motion,
    /// Angle of the rotation, radians.
    pub angle: f32,
    /// Losses by method.
    pub losses: Vec<Loss>,
}

/// Rotates a joint step by step and measures its region with each skinner. All skinners are for one rig, possibly with
/// different weights; the region is the first one's. `None` if cancelled or beyond [`super::MAX_VERTICES`].
///
/// *Shapes*: `posed` belongs to `pose`. Runs on all cores; results do not depend on their number.
pub fn sweep(
    skinners: &[&Skinner],
    topology: &Topology,
    posed: &Posed,
    pose: &Pose,
    test: &TwistTest,
    progress: &Progress,
) -> Option<Sweep> {
    let rig = skinners.first()?.rig();
    measurable(rig)?;
    progress.begin(test.turns.len());
    let regions = Regions::new(rig, topology);
    progress.go_on()?;
    let region = Region::new(rig, topology, regions.patches(test.joint));
    let palettes = palettes(rig, posed);
    let straight: Vec<_> =
        skinners.iter().map(|s| s.deform_positions(SkinPose { posed, palettes: &palettes })).collect();
    let ways: Vec<SkinningVariant<'_>> = skinners
        .iter()
        .zip(&straight)
        .map(|(skinner, straight)| SkinningVariant {
            rig: skinner.rig(),
            skinning: skinner.as_rig_skinning(),
            straight,
        })
        .collect();
    let bench = TurnBench::new(&ways, (posed, pose), (test.joint, test.axes), &region)?;
    let losses = bench.losses(&test.turns, progress)?;
    Some(Sweep {
        joint: test.joint,
        methods: skinners.iter().map(|s| s.skinning().method.to_string()).collect(),
        triangles: region.triangles(),
        rows: test
            .turns
            .iter()
            .zip(losses)
            .map(|(&Turn { motion, angle }, losses)| SweepRow { motion, angle, losses })
            .collect(),
    })
}
