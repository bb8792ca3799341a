//! What is measured of the two sides of a comparison, and what is painted over them: beside the frame loop, from shared parts of the state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::Vec3;

use super::AppState;
use crate::analysis::lint::Finding;
use crate::analysis::measure::{Distance, Size};
use crate::analysis::{MOST_VERTICES, Rest, Topology, deform_into, field, measurable};
use crate::rig::{NodeIndex, Posed, Rig};
use crate::skinning::{Centers, Deformed, Normals, Palette, RecomputedNormals, Skinner, Skinning, Unsuited};
use crate::view::{Overlay, Painted, Ramp, Side, Values};

/// One side: a pose, and how it is skinned.
#[derive(Clone)]
pub struct MeasuredSide {
    /// The rig, which is that of the other side too, made ready for the side's way of skinning.
    pub skinner: Arc<Skinner>,
    /// The pose: for B it may be another.
    pub posed: Arc<Posed>,
    /// Of the pose, as [`crate::skinning::palettes`] gives them.
    pub palettes: Arc<[Palette]>,
    /// What is to be painted over it.
    pub overlay: Option<Overlay>,
    /// In place of the range that fits the values.
    pub range: Option<[f32; 2]>,
}

/// What to measure, as it was when it was asked for.
#[derive(Clone)]
pub struct MeasureJob {
    /// A and B, by [`Side::index`].
    pub sides: [MeasuredSide; 2],
    /// Whose weights [`Overlay::Weight`] shows.
    pub active: Option<NodeIndex>,
    /// What [`Overlay::Findings`] shows.
    pub findings: Arc<[Finding]>,
    /// Another whenever anything above is; becomes the version of what is painted.
    pub version: u64,
}

/// Why nothing is measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeasureError {
    /// A method that cannot serve the character.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// What is drawn is beyond [`crate::analysis::MOST_VERTICES`].
    #[error("This file draws {0} vertices; up to {MOST_VERTICES} can be measured")]
    TooLarge(usize),
}

impl MeasureError {
    /// *Errors*: a rig that is too large.
    pub fn check(rig: &Rig) -> Result<(), Self> {
        let count = rig.vertex_count();
        if count > MOST_VERTICES { Err(Self::TooLarge(count)) } else { Ok(()) }
    }
}

/// What is to be measured, before anything is made ready for it: cheap to take and to compare.
#[derive(Clone, Debug)]
pub struct MeasurePlan {
    /// The open character.
    pub rig: Arc<Rig>,
    /// How each side is shown, by [`Side::index`].
    pub skinnings: [Skinning; 2],
    /// For sides that need them, once they are found.
    pub centers: Option<Arc<Centers>>,
    poses: [SidePose; 2],
    overlays: [Option<Overlay>; 2],
    ranges: [Option<[f32; 2]>; 2],
    active: Option<NodeIndex>,
    findings: Arc<[Finding]>,
}

type SidePose = (Arc<Posed>, Arc<[Palette]>);

impl MeasurePlan {
    /// The job, by skinners of the same rig.
    pub fn job(&self, skinners: [Arc<Skinner>; 2], version: u64) -> MeasureJob {
        let [a, b] = skinners;
        let side = |skinner, side: Side| {
            let (posed, palettes) = self.poses[side.index()].clone();
            let (overlay, range) = (self.overlays[side.index()], self.ranges[side.index()]);
            MeasuredSide { skinner, posed, palettes, overlay, range }
        };
        let (active, findings) = (self.active, Arc::clone(&self.findings));
        MeasureJob { sides: [side(a, Side::A), side(b, Side::B)], active, findings, version }
    }
}

impl PartialEq for MeasurePlan {
    fn eq(&self, other: &Self) -> bool {
        let is_same_pose = |(a, b): (&SidePose, &SidePose)| Arc::ptr_eq(&a.0, &b.0);
        let paints = |overlay| self.overlays.contains(&Some(overlay));
        Arc::ptr_eq(&self.rig, &other.rig)
            && self.poses.iter().zip(&other.poses).all(is_same_pose)
            && self.skinnings == other.skinnings
            && self.centers.as_ref().map(Arc::as_ptr) == other.centers.as_ref().map(Arc::as_ptr)
            && (self.overlays, self.ranges) == (other.overlays, other.ranges)
            && (self.active == other.active || !paints(Overlay::Weight))
            && (Arc::ptr_eq(&self.findings, &other.findings) || !paints(Overlay::Findings))
    }
}

impl AppState {
    /// What is to be measured as things stand.
    pub fn measure_plan(&self) -> MeasurePlan {
        let compare = &self.view.compare;
        let shown = |side| Skinning { method: self.shown_method(side), ..self.skinning(side).clone() };
        MeasurePlan {
            rig: Arc::clone(self.rig()),
            skinnings: Side::ALL.map(shown),
            centers: self.centers().cloned(),
            poses: self.poses(),
            overlays: compare.overlays,
            ranges: compare.ranges,
            active: self.selected(),
            findings: self.lint.findings.clone().unwrap_or_default(),
        }
    }

    /// What is to be measured as things stand, by skinners of the open character for A and B.
    pub fn measure_job(&self, skinners: [Arc<Skinner>; 2], version: u64) -> MeasureJob {
        self.measure_plan().job(skinners, version)
    }

    /// Takes what was measured, unless it is of a character that is open no longer.
    pub(super) fn take_measured(&mut self, plan: MeasurePlan, result: Result<Measured, MeasureError>) {
        if Arc::ptr_eq(&plan.rig, self.rig()) {
            self.measured = Some((plan, result));
        }
    }

    /// What was measured last of the open character, which may be of a moment ago; or why a side cannot be skinned as it should.
    pub fn measured(&self) -> Option<&Result<Measured, MeasureError>> {
        self.measured.as_ref().filter(|(plan, _)| Arc::ptr_eq(&plan.rig, self.rig())).map(|(_, result)| result)
    }

    /// Normals of the posed surface for the sides that ask for them, by [`Side::index`]; of a moment ago, and `None` before the first are there.
    pub fn recomputed_normals(&self) -> [Option<&RecomputedNormals>; 2] {
        let measured = self.measured().and_then(|result| result.as_ref().ok());
        Side::ALL.map(|side| {
            let normals = measured.and_then(|m| m.normals[side.index()].as_ref());
            normals.filter(|_| self.skinning(side).normals == Normals::Recomputed)
        })
    }

    /// True where a side shows the transformed normals until the recomputed ones that it asks for are there.
    pub fn awaits_normals(&self, side: Side) -> bool {
        self.skinning(side).normals == Normals::Recomputed
            && self.recomputed_normals()[side.index()].is_none()
            && measurable(self.rig()).is_some()
    }

    /// What is painted over the sides, by [`Side::index`].
    pub fn painted(&self) -> [Option<&Painted>; 2] {
        let Some((plan, Ok(measured))) = self.measured.as_ref().filter(|(p, _)| Arc::ptr_eq(&p.rig, self.rig())) else {
            return [None; 2];
        };
        let wanted = &self.view.compare.overlays;
        [0, 1].map(|i: usize| measured.painted[i].as_ref().filter(|_| plan.overlays[i] == wanted[i]))
    }
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// A and B, by [`Side::index`].
    pub sizes: [Size; 2],
    /// Between A and B.
    pub distance: Distance,
    /// [`Distance::max`] and [`Distance::mean`] as shares of [`Rig::size`].
    pub shares: [f64; 2],
    /// By [`Side::index`], for sides that recompute normals.
    pub normals: [Option<RecomputedNormals>; 2],
    /// By [`Side::index`]. Ranges fit the values unless they were given: from 0 for [`Ramp::Magnitude`], as far below no change as above for
    /// [`Ramp::Diverging`].
    pub painted: [Option<Painted>; 2],
    /// Where the vertices of each side that is painted are, by [`Side::index`] and then in the order of [`Rig::primitives`], metres.
    pub positions: [Arc<[Vec<Vec3>]>; 2],
    /// Smallest and largest value of each side's scalars, so that a range can be kept; `None` for colours, and where no value is a number.
    pub extremes: [Option<[f32; 2]>; 2],
}

impl Measured {
    /// B less A: volume (m³) and area (m²).
    pub fn difference(&self) -> Size {
        let [a, b] = self.sizes;
        Size { volume: b.volume - a.volume, area: b.area - a.area }
    }
}

/// One job alone: [`Measurer::measure`] by a new one.
pub fn measure(job: &MeasureJob, cancel: &AtomicBool) -> Option<Measured> {
    Measurer::default().measure(job, cancel)
}

/// Measures one job after the other and keeps what the next is likely to need: how the meshes hang together, what they are at rest, and memory.
#[derive(Default)]
pub struct Measurer {
    rig: Option<(Arc<Rig>, Topology)>,
    rest: [Option<(Arc<Skinner>, Rest)>; 2],
    surfaces: [Vec<Vec<Deformed>>; 2],
}

impl Measurer {
    /// Measures; `None` where it was cancelled and beyond [`crate::analysis::MOST_VERTICES`].
    ///
    /// *Cost*: `make bench` tells; the first time for a rig about ten times as much.
    pub fn measure(&mut self, job: &MeasureJob, cancel: &AtomicBool) -> Option<Measured> {
        let go_on = || (!cancel.load(Ordering::Relaxed)).then_some(());
        let rig = job.sides[0].skinner.rig();
        measurable(rig)?;
        if self.rig.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, rig)) {
            self.rig = Some((Arc::clone(rig), Topology::new(rig)));
        }
        let (_, topology) = self.rig.as_ref()?;
        for ((side, surfaces), rest) in job.sides.iter().zip(&mut self.surfaces).zip(&mut self.rest) {
            go_on()?;
            deform_into(&side.skinner, &side.posed, &side.palettes, surfaces);
            if side.overlay.is_some_and(needs_rest)
                && rest.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, &side.skinner))
            {
                *rest = Some((Arc::clone(&side.skinner), Rest::new(&side.skinner)));
            }
        }
        go_on()?;
        let distances = field::distance(&self.surfaces[0], &self.surfaces[1]);
        let distance = Distance::of(rig, &distances);
        let size = |side: Side| {
            let (palettes, surfaces) = (&job.sides[side.index()].palettes, &self.surfaces[side.index()]);
            Size::of(rig, topology, palettes, surfaces)
        };
        let sizes = Side::ALL.map(size);
        let normals = Side::ALL.map(|side| {
            let asks = job.sides[side.index()].skinner.skinning().normals == Normals::Recomputed;
            asks.then(|| RecomputedNormals::of(&self.surfaces[side.index()], job.version))
        });
        let (mut painted, mut extremes) = ([None, None], [None; 2]);
        let mut positions = <[Arc<[Vec<Vec3>]>; 2]>::default();
        for (i, side) in job.sides.iter().enumerate() {
            go_on()?;
            let Some(overlay) = side.overlay else { continue };
            let painter = Painter {
                job,
                side,
                topology,
                rest: self.rest[i].as_ref().map(|(_, rest)| rest),
                surfaces: &self.surfaces[i],
                distances: &distances,
            };
            let values = painter.values(overlay);
            extremes[i] = values.extremes();
            let version = job.version.wrapping_mul(2).wrapping_add(i as u64);
            painted[i] = Some(Painted { values: Arc::new(values), version });
            positions[i] = self.surfaces[i].iter().flatten().map(|deformed| deformed.positions.clone()).collect();
        }
        let size = f64::from(rig.size());
        Some(Measured {
            sizes,
            distance,
            shares: [distance.max / size, distance.mean / size],
            normals,
            painted,
            positions,
            extremes,
        })
    }
}

fn needs_rest(overlay: Overlay) -> bool {
    matches!(overlay, Overlay::Determinant | Overlay::AreaStretch | Overlay::EdgeStretch)
}

/// What the values of one side are made of.
struct Painter<'a> {
    job: &'a MeasureJob,
    side: &'a MeasuredSide,
    topology: &'a Topology,
    rest: Option<&'a Rest>,
    surfaces: &'a [Vec<Deformed>],
    distances: &'a [Vec<f32>],
}

impl Painter<'_> {
    fn values(&self, overlay: Overlay) -> Values {
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
        let (topology, palettes, surfaces) = (self.topology, &self.side.palettes, self.surfaces);
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
    fn extremes(&self) -> Option<[f32; 2]> {
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
