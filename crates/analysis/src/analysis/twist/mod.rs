//! Twist and bend test: rotates a joint step by step and measures the volume loss of its region.
//!
//! The region consists of the triangles that the joint and its parent move. To give the region a volume, the openings
//! where it is cut out of the surface are closed by triangle fans, and edges at which the skin tears are closed by
//! walls. See `docs/mathematics.md`, Volume loss of a region.
//!
//! A fan closes a flat rim exactly. A bent rim could be closed by any surface within the rim's height. The uncertainty
//! of a loss is the volume between such surfaces, to the extent that the pose may have changed it. A loss is not ranked
//! if its uncertainty exceeds both half the loss and 5 %.
//!
//! Constraints, including the constraints of twist helpers, follow the tested rotations.

mod axes;
mod moved;
mod ranges;
mod rank;
mod region;
mod sweep;
mod table;

pub use axes::{Axes, RotationKind, TestRotation};
pub use ranges::TestRange;
pub use rank::{JointRank, RankError, RankList, rank};
pub use sweep::Loss;
pub use table::{MethodLossJson, RankedJointJson, RankingJson, SweepJson, SweepRowJson};

use super::region::Regions;
use super::{Topology, measurable};
use ranges::{JointRange, STEP};
use region::Region;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{NodeIndex, Pose, Posed, Rig};
use rigscope_core::skinning::{SkinPose, Skinner, palettes};
use sweep::{RotationTester, SkinningVariant};

/// A joint and its test rotations, which are applied on top of a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct TwistTest {
    /// The tested joint.
    pub joint: NodeIndex,
    /// Axes of the rotations.
    pub axes: Axes,
    /// Rotations to test. The rows of the result have the same order.
    pub turns: Vec<TestRotation>,
}

impl TwistTest {
    /// Returns a test with rotations about the natural axes: twists from -180° to 180° and bends from 0° to 150°, in
    /// steps of 10°.
    pub fn full(rig: &Rig, posed: &Posed, pose: &Pose, joint: NodeIndex) -> Self {
        let axes = Axes::natural(rig, posed, pose, joint);
        Self { joint, axes, turns: JointRange::FULL.rotations() }
    }

    /// Returns rotations in steps of 10° or less, up to the angle `end` (radians). Twists start at `-end`, bends start
    /// at 0.
    pub fn range(motion: RotationKind, end: f32) -> Vec<TestRotation> {
        let steps = (end.abs() / STEP - 1e-3).ceil().max(1.0) as i32;
        let first = if motion == RotationKind::Twist { -steps } else { 0 };
        (first..=steps).map(|i| TestRotation { motion, angle: end * i as f32 / steps as f32 }).collect()
    }
}

/// Result of a [`TwistTest`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The tested joint.
    pub joint: NodeIndex,
    /// Names of the methods, as on the command line.
    pub methods: Vec<String>,
    /// Number of triangles in the region; if 0, all ratios are 1.
    pub triangles: usize,
    /// One row per rotation.
    pub rows: Vec<SweepRow>,
}

impl Sweep {
    /// Returns the rotation at which a method's volume is smallest; `None` if the region has no volume. [`rank()`] uses
    /// the same rotation for LBS.
    pub fn worst(&self, method: usize) -> Option<&SweepRow> {
        let ratios = self.rows.iter().map(|row| row.losses.get(method).map_or(f32::NAN, |loss| loss.volume_ratio));
        smallest(ratios).map(|(at, _)| &self.rows[at])
    }
}

fn smallest(numbers: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
    numbers
        .enumerate()
        .filter(|(_, n)| !n.is_nan())
        .reduce(|smallest, next| if next.1 < smallest.1 { next } else { smallest })
}

/// Results of one rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    /// Axis of the rotation.
    pub motion: RotationKind,
    /// Angle of the rotation, radians.
    pub angle: f32,
    /// One loss per method.
    pub losses: Vec<Loss>,
}

/// Rotates a joint step by step and measures its region with each skinner, in parallel. All skinners must have the same
/// rig, possibly with different weights. The weights of the first skinner define the region. `posed` must be the
/// evaluation of `pose`. Returns `None` if cancelled or if the rig exceeds [`super::MAX_VERTICES`].
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
    progress.check_cancelled()?;
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
    let bench = RotationTester::new(&ways, (posed, pose), (test.joint, test.axes), &region)?;
    let losses = bench.losses(&test.turns, progress)?;
    Some(Sweep {
        joint: test.joint,
        methods: skinners.iter().map(|s| s.skinning().method.to_string()).collect(),
        triangles: region.triangles(),
        rows: test
            .turns
            .iter()
            .zip(losses)
            .map(|(&TestRotation { motion, angle }, losses)| SweepRow { motion, angle, losses })
            .collect(),
    })
}
