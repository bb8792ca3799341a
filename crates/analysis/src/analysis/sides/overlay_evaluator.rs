//! Values and ranges of overlays.

use std::sync::Arc;

use super::{MeasureJob, MeasuredSide};
use crate::analysis::field::VertexWeights;
use crate::analysis::{RestReference, Topology, deform_positions_into, field};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{MorphIndex, NodeIndex, Posed, Rig};
use rigscope_core::skinning::{Deformed, SkinPose, Skinner};
use rigscope_core::view::{Overlay, Side, Values, extremes};

/// A rig and its weight leak, by primitive and vertex.
pub(super) type CachedLeak = (Arc<Rig>, Vec<Vec<f32>>);

pub(super) struct OverlayEvaluator<'a> {
    pub job: &'a MeasureJob,
    pub side: &'a MeasuredSide,
    pub number: Side,
    pub topology: &'a Topology,
    pub rest: &'a mut Option<(Arc<Skinner>, RestReference)>,
    pub leak: &'a mut Option<CachedLeak>,
    pub progress: &'a Progress,
    pub surfaces: &'a [Vec<Deformed>],
    pub distances: &'a [Vec<f32>],
}

impl OverlayEvaluator<'_> {
    pub(super) fn values(self, overlay: Overlay) -> Values {
        let Self { job, side, number, topology, rest, leak, progress, surfaces, distances } = self;
        let (rig, palettes) = (side.skinner.rig(), &side.pose.palettes);
        let (parts, fit) = match overlay {
            Overlay::JointColors => return Values::Colors { parts: field::joint_colors(rig) },
            Overlay::DominantJoint => return Values::Colors { parts: field::dominant_joint(rig) },
            Overlay::Weight => (
                job.active[number].map_or_else(|| nan_field(rig), |joint| field::weight(rig, joint)),
                Fit::Always([0.0, 1.0]),
            ),
            Overlay::InfluenceCount => (field::influence_count(rig), Fit::FromZero { at_least: 1.0 }),
            Overlay::WeightDifference => (weight_difference(job, number), Fit::FromZero { at_least: 0.01 }),
            Overlay::WeightSteepness => {
                let rest = rest_of(&side.skinner, rest);
                (field::weight_steepness(rig, topology, rest), Fit::FromZero { at_least: 1e-3 / rig.size() })
            }
            Overlay::WeightLeak => (cached_leak(rig, leak, progress), Fit::FromZero { at_least: 0.01 }),
            Overlay::DqBlendWeight => (field::dq_blend_weights(rig), Fit::Always([0.0, 1.0])),
            Overlay::Morph => {
                let parts =
                    job.morph[number].map_or_else(|| nan_field(rig), |morph| morph_reach(side, morph, surfaces));
                (parts, Fit::FromZero { at_least: 1e-5 * rig.size() })
            }
            Overlay::Distance => (without_rounding(distances, rig), Fit::FromZero { at_least: 1e-5 * rig.size() }),
            Overlay::Determinant => {
                (field::determinant_ratio(rig, palettes, rest_of(&side.skinner, rest)), Fit::About(1.0, FACTORS))
            }
            Overlay::AreaStretch => {
                (field::area_stretch(rig, topology, rest_of(&side.skinner, rest), surfaces), Fit::About(0.0, OCTAVES))
            }
            Overlay::EdgeStretch => {
                (field::edge_stretch(rig, topology, rest_of(&side.skinner, rest), surfaces), Fit::About(0.0, OCTAVES))
            }
            Overlay::NormalDeviation => {
                (field::normal_deviation(rig, topology, palettes, surfaces), Fit::FromZero { at_least: 0.01 })
            }
            Overlay::Antipodal => (field::antipodal(rig, palettes), Fit::Always([0.0, 1.0])),
            Overlay::Findings if number == Side::B && job.versions.is_some() => {
                (nan_field(rig), Fit::Always([0.0, 3.0]))
            }
            Overlay::Findings => (field::findings(rig, &job.findings[number]), Fit::Always([0.0, 3.0])),
        };
        let range = side.range.unwrap_or_else(|| fit.range(extremes(&parts)));
        Values::Scalars { parts, ramp: overlay.spec().ramp, range }
    }
}

fn weight_difference(job: &MeasureJob, side: Side) -> Vec<Vec<f32>> {
    let rig = |side: Side| job.sides[side].skinner.rig();
    let counterparts = match &job.versions {
        None => None,
        Some(Ok(pairs)) => pairs.counterparts(side == Side::A),
        Some(Err(_)) => return nan_field(rig(side)),
    };
    let weights = |side: Side| {
        VertexWeights::new(rig(side), |node| {
            let open = job.counterparts[side].as_ref().map_or(Some(node), |other| other.open_node(node));
            // Nodes without a counterpart differ from all nodes of the other side.
            open.map_or(usize::MAX - node.index(), NodeIndex::index)
        })
    };
    weights(side).difference(&weights(side.other()), counterparts)
}

/// Returns how far each vertex moves, in metres, if a morph's weight increases by 1.
fn morph_reach(side: &MeasuredSide, morph: MorphIndex, surfaces: &[Vec<Deformed>]) -> Vec<Vec<f32>> {
    let (rig, mut posed) = (side.skinner.rig(), Posed::clone(&side.pose.posed));
    if let Some(morph) = rig.morphs().get(morph.index()) {
        morph.add(1.0, &mut posed.morph_weights);
    }
    let mut moved = Vec::new();
    deform_positions_into(&side.skinner, SkinPose { posed: &posed, palettes: &side.pose.palettes }, &mut moved);
    without_rounding(&field::distance(surfaces, &moved), rig)
}

fn cached_leak(rig: &Arc<Rig>, known: &mut Option<CachedLeak>, progress: &Progress) -> Vec<Vec<f32>> {
    known.take_if(|(of, _)| !Arc::ptr_eq(of, rig));
    if known.is_none() {
        *known = field::weight_leak(rig, progress).map(|leak| (Arc::clone(rig), leak));
    }
    known.as_ref().map_or_else(|| nan_field(rig), |(_, leak)| leak.clone())
}

fn rest_of<'a>(skinner: &Arc<Skinner>, known: &'a mut Option<(Arc<Skinner>, RestReference)>) -> &'a RestReference {
    known.take_if(|(of, _)| !Arc::ptr_eq(of, skinner));
    &known.get_or_insert_with(|| (Arc::clone(skinner), RestReference::new(skinner))).1
}

/// Distances below this fraction of the rig's size count as rounding errors.
const ROUNDING: f32 = 1e-6;

fn without_rounding(distances: &[Vec<f32>], rig: &Rig) -> Vec<Vec<f32>> {
    let min_distance = ROUNDING * rig.size();
    let told = |distance: &f32| if *distance < min_distance { 0.0 } else { *distance };
    distances.iter().map(|part| part.iter().map(told).collect()).collect()
}

fn nan_field(rig: &Rig) -> Vec<Vec<f32>> {
    rig.primitives().map(|(_, primitive)| vec![f32::NAN; primitive.positions.len()]).collect()
}

/// Minimum and maximum half-width of the range for ratios, in octaves. The minimum is a change of 1 %, so that rounding
/// errors don't show. The maximum is a factor of 4, so that one collapsed vertex doesn't flatten all other colours.
const OCTAVES: [f32; 2] = [0.014, 2.0];
/// Minimum and maximum half-width of the range for determinant ratios, which are 1 for no change and may be negative.
const FACTORS: [f32; 2] = [0.01, 2.0];

/// How to choose the range of an overlay. The range is never so narrow that rounding errors show.
enum Fit {
    Always([f32; 2]),
    /// Range from 0 to the largest value.
    FromZero {
        at_least: f32,
    },
    /// Range that is symmetric about the given value, which means no change, with a minimum and maximum half-width.
    About(f32, [f32; 2]),
}

impl Fit {
    fn range(self, extremes: Option<[f32; 2]>) -> [f32; 2] {
        let [lowest, highest] = extremes.unwrap_or_default();
        match self {
            Self::Always(range) => range,
            Self::FromZero { at_least } => [0.0, highest.max(at_least)],
            Self::About(middle, [narrowest, widest]) => {
                let end = (lowest - middle).abs().max((highest - middle).abs()).clamp(narrowest, widest);
                [middle - end, middle + end]
            }
        }
    }
}
