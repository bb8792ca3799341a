//! Measurements of both sides of a comparison, and their overlays.

mod overlay_evaluator;

use std::sync::Arc;

use glam::Vec3;

use super::field::distances;
use super::lint::Finding;
use super::measure::{SurfaceDistance, SurfaceSize};
use super::{MAX_VERTICES, RestReference, Topology, deform_into, deform_positions_into, measurable};
use overlay_evaluator::{CachedLeak, OverlayEvaluator};
use rigscope_core::actor::{Counterparts, SharedPose};
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{VertexMatchError, VertexPairs};
use rigscope_core::rig::{MorphIndex, NodeIndex, Rig};
use rigscope_core::skinning::{Deformed, Normals, RecomputedNormals, Skinner, UnsupportedSkinning};
use rigscope_core::view::{Overlay, OverlayValues, PerSide, Side, Values};

/// Pose and skinning of one side.
#[derive(Clone)]
pub struct MeasuredSide {
    /// The rig, prepared for the side's skinning method. Unless the sides show different characters, their rigs differ
    /// only in weights.
    pub skinner: Arc<Skinner>,
    /// Pose of this side.
    pub pose: SharedPose,
    /// Overlay of the side, if any.
    pub overlay: Option<Overlay>,
    /// Range of the overlay; `None` fits it to the values.
    pub range: Option<[f32; 2]>,
}

/// Buffers are reused only for rigs with at most this many vertices; for larger rigs, new memory is faster.
const MAX_KEPT: usize = 1 << 18;

impl MeasuredSide {
    fn recomputes_normals(&self) -> bool {
        self.skinner.skinning().normals == Normals::Recomputed
    }

    /// Returns false if only positions are needed, which halves time and memory.
    fn needs_normals(&self) -> bool {
        self.recomputes_normals() || self.overlay == Some(Overlay::NormalDeviation)
    }
}

/// Input of a measurement.
#[derive(Clone)]
pub struct MeasureJob {
    /// The two sides, A and B.
    pub sides: PerSide<MeasuredSide>,
    /// Joint whose weights [`Overlay::Weight`] shows, as a node of each side's rig.
    pub active: PerSide<Option<NodeIndex>>,
    /// Morph that [`Overlay::Morph`] shows, in each side's rig.
    pub morph: PerSide<Option<MorphIndex>>,
    /// Lint findings that [`Overlay::Findings`] shows on each side. All of them were found in side A's rig.
    pub findings: PerSide<Arc<[Finding]>>,
    /// Vertex pairs of A and B if the sides show different characters; otherwise `None`.
    pub versions: Option<Result<Arc<VertexPairs>, VertexMatchError>>,
    /// Counterparts of the open character's joints on each side that shows another character.
    pub counterparts: PerSide<Option<Arc<Counterparts>>>,
    /// Requested results.
    pub scope: MeasureScope,
    /// Version number that changes whenever another field changes. Versions of the results are derived from it.
    pub version: u64,
}

/// Which results of a measurement to compute. Results that are not requested stay empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureScope {
    /// Whether to compute sizes and distances.
    pub numbers: bool,
    /// Sides for which to compute overlay values and recomputed normals.
    pub overlay_values: PerSide<bool>,
}

impl MeasureScope {
    /// Requests all results.
    pub const ALL: Self = Self { numbers: true, overlay_values: PerSide { a: true, b: true } };
}

/// Why a measurement failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeasureError {
    /// The skinning method of a side does not support the character.
    #[error(transparent)]
    UnsupportedSkinning(#[from] UnsupportedSkinning),
    /// A side draws more than [`MAX_VERTICES`] vertices.
    #[error("A side draws {0} vertices; up to {MAX_VERTICES} can be measured")]
    TooLarge(usize),
    /// The user cancelled the job.
    #[error("Measurement cancelled; change the pose or the method to measure again")]
    Cancelled,
    /// The job panicked.
    #[error("Measurement failed because of a fault in Rigscope; use File > Reload to retry")]
    Died,
}

impl MeasureError {
    /// Checks that the rig is not too large to be measured. *Errors*: [`Self::TooLarge`].
    pub fn check(rig: &Rig) -> Result<(), Self> {
        let count = rig.vertex_count();
        if count > MAX_VERTICES { Err(Self::TooLarge(count)) } else { Ok(()) }
    }
}

/// Results of a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideComparison {
    /// Volumes and areas of A and B.
    pub sizes: PerSide<SurfaceSize>,
    /// Why the vertices of A and B could not be matched; `None` if they could.
    pub unmatched: Option<VertexMatchError>,
    /// Distance between A and B; zero if their vertices are [`Self::unmatched`].
    pub distance: SurfaceDistance,
    /// [`SurfaceDistance::max`] and [`SurfaceDistance::mean`] as fractions of [`Rig::size`].
    pub shares: [f64; 2],
    /// Recomputed normals of the sides that use them.
    pub normals: PerSide<Option<RecomputedNormals>>,
    /// Overlay values of each side. Fitted ranges start at 0 for [`rigscope_core::view::Ramp::Magnitude`] and are
    /// symmetric about the value that means no change for [`rigscope_core::view::Ramp::Diverging`].
    pub overlays: PerSide<Option<OverlayValues>>,
    /// Vertex positions of each side that has an overlay, metres, in the order of [`Rig::primitives`].
    pub positions: PerSide<Arc<[Vec<Vec3>]>>,
    /// Minimum and maximum of each side's scalars; `None` for colours or if no value is finite.
    pub extremes: PerSide<Option<[f32; 2]>>,
}

impl SideComparison {
    /// Returns the volume (m³) and area (m²) of B minus the volume and area of A; `None` if the vertices of A and B are
    /// [`Self::unmatched`].
    pub fn difference(&self) -> Option<SurfaceSize> {
        let PerSide { a, b } = self.sizes;
        self.unmatched.is_none().then_some(SurfaceSize { volume: b.volume - a.volume, area: b.area - a.area })
    }

    /// Returns the volume difference relative to A's volume; `None` if A has no volume.
    pub fn volume_change(&self) -> Option<f64> {
        let of = self.sizes.a.volume.abs();
        self.difference().filter(|_| of > 1e-12).map(|difference| difference.volume / of)
    }
}

/// Measures a single job; see [`SideMeasurer::measure`].
pub fn measure(job: &MeasureJob, progress: &Progress) -> Option<SideComparison> {
    SideMeasurer::default().measure(job, progress)
}

/// Measures successive jobs. Caches topology and rest surfaces, and reuses buffers unless a rig is huge.
#[derive(Default)]
pub struct SideMeasurer {
    topology: PerSide<Option<(Arc<Rig>, Topology)>>,
    rest: PerSide<Option<(Arc<Skinner>, RestReference)>>,
    leak: PerSide<Option<CachedLeak>>,
    surfaces: PerSide<Vec<Vec<Deformed>>>,
}

impl SideMeasurer {
    /// Measures both sides. Returns `None` if cancelled or if a rig exceeds [`MAX_VERTICES`].
    /// *Cost*: see `make bench`; the first job for a rig takes about ten times as long as later jobs.
    pub fn measure(&mut self, job: &MeasureJob, progress: &Progress) -> Option<SideComparison> {
        let rig = job.sides.a.skinner.rig();
        measurable(rig).and(measurable(job.sides.b.skinner.rig()))?;
        self.find_topology(job);
        let (of_a, of_b) = (self.topology.a.as_ref(), self.topology.b.as_ref());
        let topology = PerSide { a: &of_a?.1, b: &of_b.or(of_a)?.1 };
        for side in Side::ALL.into_iter().filter(|&side| job.compares() || job.needs_overlay(side)) {
            progress.check_cancelled()?;
            let (measured, surfaces) = (&job.sides[side], &mut self.surfaces[side]);
            let deform = if measured.needs_normals() { deform_into } else { deform_positions_into };
            deform(&measured.skinner, measured.pose.skin_pose(), surfaces);
        }
        progress.check_cancelled()?;
        let (sides, surfaces) = (&job.sides, &self.surfaces);
        let distances = if job.compares() { job.distances(surfaces) } else { PerSide::default() };
        let mut measured = SideComparison {
            unmatched: job.versions.as_ref().and_then(|versions| versions.as_ref().err().cloned()),
            normals: PerSide::from_fn(|side| {
                let is_wanted = job.needs_overlay(side) && sides[side].recomputes_normals();
                is_wanted.then(|| RecomputedNormals::new(&surfaces[side], job.version))
            }),
            ..SideComparison::default()
        };
        if job.scope.numbers {
            measured.sizes = PerSide::from_fn(|side| {
                SurfaceSize::new(sides[side].skinner.rig(), topology[side], &sides[side].pose.palettes, &surfaces[side])
            });
            measured.distance = SurfaceDistance::from_field(rig, &distances.a);
            measured.shares = [measured.distance.max, measured.distance.mean].map(|d| d / f64::from(rig.size()));
        }
        let mut values: PerSide<Option<Values>> = PerSide::default();
        for side in Side::ALL.into_iter().filter(|&side| job.needs_overlay(side)) {
            progress.check_cancelled()?;
            let Some(overlay) = sides[side].overlay else { continue };
            let (rest, leak, surfaces) = (&mut self.rest[side], &mut self.leak[side], &surfaces[side]);
            let side_of = &sides[side];
            let evaluator = OverlayEvaluator {
                job,
                side: side_of,
                number: side,
                topology: topology[side],
                rest,
                leak,
                progress,
                surfaces,
                distances: &distances[side],
            };
            values[side] = Some(evaluator.values(overlay));
        }
        share_range(sides, &mut values);
        for (side, values) in Side::ALL.into_iter().zip([values.a, values.b]) {
            let Some(values) = values else { continue };
            measured.extremes[side] = values.extremes();
            let version = job.version.wrapping_mul(2).wrapping_add(u64::from(side == Side::B));
            measured.overlays[side] = Some(OverlayValues { values: Arc::new(values), version });
            measured.positions[side] = surfaces[side].iter().flatten().map(|d| d.positions.clone()).collect();
        }
        if rig.vertex_count() > MAX_KEPT {
            self.surfaces = PerSide::default();
        }
        Some(measured)
    }
}

impl SideMeasurer {
    /// Updates the topology of both sides. Side B uses A's topology unless B shows a different character.
    fn find_topology(&mut self, job: &MeasureJob) {
        for side in Side::ALL {
            let rig = job.sides[side].skinner.rig();
            if side == Side::B && job.versions.is_none() {
                self.topology.b = None;
            } else if self.topology[side].as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, rig)) {
                self.topology[side] = Some((Arc::clone(rig), Topology::new(rig)));
            }
        }
    }
}

impl MeasureJob {
    fn needs_overlay(&self, side: Side) -> bool {
        let of_side = &self.sides[side];
        self.scope.overlay_values[side] && (of_side.overlay.is_some() || of_side.recomputes_normals())
    }

    fn compares(&self) -> bool {
        let compares = |side: Side| self.needs_overlay(side) && self.sides[side].overlay == Some(Overlay::Distance);
        self.scope.numbers || Side::ALL.into_iter().any(compares)
    }

    fn distances(&self, surfaces: &PerSide<Vec<Vec<Deformed>>>) -> PerSide<Vec<Vec<f32>>> {
        let without = |side: Side| {
            let parts = surfaces[side].iter().flatten();
            parts.map(|part| vec![f32::NAN; part.positions.len()]).collect()
        };
        match &self.versions {
            None => PerSide::from(distances(&VertexPairs::InOrder, [&surfaces.a, &surfaces.b])),
            Some(Ok(pairs)) => PerSide::from(distances(pairs, [&surfaces.a, &surfaces.b])),
            Some(Err(_)) => PerSide::from_fn(without),
        }
    }
}

/// Gives both sides a common range if they show the same overlay and neither range is set.
fn share_range(sides: &PerSide<MeasuredSide>, values: &mut PerSide<Option<Values>>) {
    let is_fitted = sides.a.overlay == sides.b.overlay && sides.iter().all(|side| side.range.is_none());
    let PerSide { a: Some(Values::Scalars { range: a, .. }), b: Some(Values::Scalars { range: b, .. }) } = values
    else {
        return;
    };
    if is_fitted {
        *a = [a[0].min(b[0]), a[1].max(b[1])];
        *b = *a;
    }
}
