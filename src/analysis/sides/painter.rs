//! The values of an overlay, and the range in which they are shown.

use super::{MeasureJob, MeasuredSide};
use crate::analysis::{Rest, Topology, field};
use crate::rig::Rig;
use crate::skinning::Deformed;
use crate::view::{Overlay, Ramp, Values};

/// What the values of one side are made of.
pub(super) struct Painter<'a> {
    pub job: &'a MeasureJob,
    pub side: &'a MeasuredSide,
    pub topology: &'a Topology,
    pub rest: Option<&'a Rest>,
    pub surfaces: &'a [Vec<Deformed>],
    pub distances: &'a [Vec<f32>],
}

impl Painter<'_> {
    pub fn values(&self, overlay: Overlay) -> Values {
        let rig = self.side.skinner.rig();
        match overlay {
            Overlay::JointColors => Values::Colors { parts: field::joint_colors(rig) },
            Overlay::DominantJoint => Values::Colors { parts: field::dominant_joint(rig) },
            _ => {
                let parts = self.scalars(overlay, rig);
                let range = self.side.range.unwrap_or_else(|| range(overlay, extremes(&parts), rig));
                Values::Scalars { parts, ramp: overlay.ramp(), range }
            }
        }
    }

    fn scalars(&self, overlay: Overlay, rig: &Rig) -> Vec<Vec<f32>> {
        let (topology, palettes, surfaces) = (self.topology, &self.side.pose.palettes, self.surfaces);
        match (overlay, self.rest) {
            (Overlay::Weight, _) => self.job.active.map_or_else(|| unpainted(rig), |joint| field::weight(rig, joint)),
            (Overlay::InfluenceCount, _) => field::influence_count(rig),
            (Overlay::Distance, _) => without_rounding(self.distances, rig),
            (Overlay::NormalDeviation, _) => field::normal_deviation(rig, topology, palettes, surfaces),
            (Overlay::Antipodal, _) => field::antipodal(rig, palettes),
            (Overlay::Findings, _) => field::findings(rig, &self.job.findings),
            (Overlay::Determinant, Some(rest)) => field::determinant_ratio(rig, palettes, rest),
            (Overlay::AreaStretch, Some(rest)) => field::area_stretch(rig, topology, rest, surfaces),
            (Overlay::EdgeStretch, Some(rest)) => field::edge_stretch(rig, topology, rest, surfaces),
            (_, _) => unpainted(rig),
        }
    }
}

/// Distances below this share of the rig's size are what rounding makes of none.
const ROUNDING: f32 = 1e-6;

fn without_rounding(distances: &[Vec<f32>], rig: &Rig) -> Vec<Vec<f32>> {
    let least = ROUNDING * rig.size();
    let told = |distance: &f32| if *distance < least { 0.0 } else { *distance };
    distances.iter().map(|part| part.iter().map(told).collect()).collect()
}

fn unpainted(rig: &Rig) -> Vec<Vec<f32>> {
    rig.primitives().map(|(_, primitive)| vec![f32::NAN; primitive.positions.len()]).collect()
}

/// Beyond a factor of 4 a ratio is as far as can be, so that one collapsed vertex does not make all others look alike; within 1 % it is
/// no change.
const OCTAVES: [f32; 2] = [0.014, 2.0];
/// The same for a factor that may be 0 and below.
const FACTORS: [f32; 2] = [0.01, 2.0];

/// The range that shows values well: for [`Ramp::Diverging`] as far above no change as below, for [`Ramp::Magnitude`] from 0 to the largest, or to
/// what always is the end; never so narrow that rounding would show.
fn range(overlay: Overlay, extremes: Option<[f32; 2]>, rig: &Rig) -> [f32; 2] {
    let [least, most] = extremes.unwrap_or_default();
    match overlay {
        Overlay::Weight | Overlay::Antipodal => [0.0, 1.0],
        Overlay::Findings => [0.0, 3.0],
        Overlay::Distance => [0.0, most.max(1e-5 * rig.size())],
        Overlay::NormalDeviation => [0.0, most.max(0.01)],
        Overlay::Determinant => {
            let end = (least - 1.0).abs().max((most - 1.0).abs()).clamp(FACTORS[0], FACTORS[1]);
            [1.0 - end, 1.0 + end]
        }
        _ if overlay.ramp() == Ramp::Diverging => {
            let end = least.abs().max(most.abs()).clamp(OCTAVES[0], OCTAVES[1]);
            [-end, end]
        }
        _ => [0.0, most.max(1.0)],
    }
}

impl Values {
    pub(super) fn extremes(&self) -> Option<[f32; 2]> {
        match self {
            Self::Scalars { parts, .. } => extremes(parts),
            Self::Colors { .. } => None,
        }
    }
}

fn extremes(parts: &[Vec<f32>]) -> Option<[f32; 2]> {
    let finite = parts.iter().flatten().copied().filter(|value| value.is_finite());
    let span = |[least, most]: [f32; 2], value: f32| [least.min(value), most.max(value)];
    let ends = finite.fold([f32::INFINITY, f32::NEG_INFINITY], span);
    (ends[0] <= ends[1]).then_some(ends)
}
