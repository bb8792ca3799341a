//! Both sides of a comparison in numbers, and what is painted over them.

mod painter;

use std::sync::Arc;

use glam::Vec3;

use super::field::distances;
use super::lint::Finding;
use super::measure::{Distance, Size};
use super::{MOST_VERTICES, Rest, Topology, deform_into, measurable};
use crate::actor::SharedPose;
use crate::jobs::Progress;
use crate::matching::{Unmatched, VertexPairs};
use crate::rig::{MorphIndex, NodeIndex, Rig};
use crate::skinning::{Deformed, Normals, RecomputedNormals, Skinner, Unsuited};
use crate::view::{Overlay, Painted, PerSide, Side, Values};
use painter::{FoundLeak, Painter};

/// Pose and skinning of one side.
#[derive(Clone)]
pub struct MeasuredSide {
    /// The rig, which is that of the other side too but for its weights, made ready for the side's way of skinning.
    pub skinner: Arc<Skinner>,
    /// The pose, which may be another than that of the other side.
    pub pose: SharedPose,
    /// Overlay to paint over the side.
    pub overlay: Option<Overlay>,
    /// Range in place of the one that fits the values.
    pub range: Option<[f32; 2]>,
}

/// Input of a measurement, as it was when it was asked for.
#[derive(Clone)]
pub struct MeasureJob {
    /// The two sides, A and B.
    pub sides: PerSide<MeasuredSide>,
    /// Joint whose weights [`Overlay::Weight`] shows, one of each side's rig.
    pub active: PerSide<Option<NodeIndex>>,
    /// Morph that [`Overlay::Morph`] shows, one of each side's rig.
    pub morph: PerSide<Option<MorphIndex>>,
    /// Findings that [`Overlay::Findings`] shows on each side, of the rig of side A.
    pub findings: PerSide<Arc<[Finding]>>,
    /// Counterparts of the vertices of A and B, where the sides show different characters; `None` for one by two weights at most.
    pub versions: Option<Result<Arc<VertexPairs>, Unmatched>>,
    /// Number that changes whenever anything above does; it becomes the version of what is painted.
    pub version: u64,
}

/// Why nothing is measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeasureError {
    /// The method of a side cannot serve the character.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// More than [`MOST_VERTICES`] are drawn.
    #[error("A side draws {0} vertices; up to {MOST_VERTICES} can be measured")]
    TooLarge(usize),
    /// The user cancelled the job.
    #[error("Measuring was cancelled; any change of pose or method measures again")]
    Cancelled,
    /// The job of measuring died.
    #[error("Not measured because of a fault in Rigscope; File > Reload tries again")]
    Died,
}

impl MeasureError {
    /// *Errors*: a rig that is too large.
    pub fn check(rig: &Rig) -> Result<(), Self> {
        let count = rig.vertex_count();
        if count > MOST_VERTICES { Err(Self::TooLarge(count)) } else { Ok(()) }
    }
}

/// Results of a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Sizes of A and B.
    pub sizes: PerSide<Size>,
    /// Why A and B are not compared: they show characters of which it is not known which vertex is which.
    pub unmatched: Option<Unmatched>,
    /// Distance between A and B; zeros where they are [`Self::unmatched`].
    pub distance: Distance,
    /// [`Distance::max`] and [`Distance::mean`] as shares of [`Rig::size`].
    pub shares: [f64; 2],
    /// Normals of sides that recompute them.
    pub normals: PerSide<Option<RecomputedNormals>>,
    /// Values of sides that are painted. Ranges fit the values unless they were given: from 0 for [`crate::view::Ramp::Magnitude`], as far below no
    /// change as above for [`crate::view::Ramp::Diverging`].
    pub painted: PerSide<Option<Painted>>,
    /// Positions of the vertices of each side that is painted, in the order of [`Rig::primitives`], metres.
    pub positions: PerSide<Arc<[Vec<Vec3>]>>,
    /// Smallest and largest value of each side's scalars, so that a range can be kept; `None` for colours, and where no value is a number.
    pub extremes: PerSide<Option<[f32; 2]>>,
}

impl Measured {
    /// B less A: volume (m³) and area (m²); `None` where they are [`Self::unmatched`], since no fox keeps a knight's volume.
    pub fn difference(&self) -> Option<Size> {
        let PerSide { a, b } = self.sizes;
        self.unmatched.is_none().then_some(Size { volume: b.volume - a.volume, area: b.area - a.area })
    }

    /// [`Self::difference`] of the volumes as a share of A's, where that has one.
    pub fn volume_change(&self) -> Option<f64> {
        let of = self.sizes.a.volume.abs();
        self.difference().filter(|_| of > 1e-12).map(|difference| difference.volume / of)
    }
}

/// Measures one job alone, as [`SideMeasurer::measure`] of a new one.
pub fn measure(job: &MeasureJob, progress: &Progress) -> Option<Measured> {
    SideMeasurer::default().measure(job, progress)
}

/// Measures one job after the other and keeps what the next is likely to need: how the meshes hang together, what they are at rest, and memory.
#[derive(Default)]
pub struct SideMeasurer {
    topology: PerSide<Option<(Arc<Rig>, Topology)>>,
    rest: PerSide<Option<(Arc<Skinner>, Rest)>>,
    leak: PerSide<Option<FoundLeak>>,
    surfaces: PerSide<Vec<Vec<Deformed>>>,
}

impl SideMeasurer {
    /// Measures both sides; `None` where the job was cancelled and beyond [`MOST_VERTICES`].
    ///
    /// *Cost*: `make bench` tells; the first time for a rig about ten times as much.
    pub fn measure(&mut self, job: &MeasureJob, progress: &Progress) -> Option<Measured> {
        let rig = job.sides.a.skinner.rig();
        measurable(rig).and(measurable(job.sides.b.skinner.rig()))?;
        self.find_topology(job);
        let (of_a, of_b) = (self.topology.a.as_ref(), self.topology.b.as_ref());
        let topology = PerSide { a: &of_a?.1, b: &of_b.or(of_a)?.1 };
        for side in Side::ALL {
            progress.go_on()?;
            let MeasuredSide { skinner, pose, .. } = &job.sides[side];
            deform_into(skinner, pose.skin_pose(), &mut self.surfaces[side]);
        }
        progress.go_on()?;
        let (sides, surfaces) = (&job.sides, &self.surfaces);
        let distances = job.distances(surfaces);
        let distance = Distance::of(rig, &distances.a);
        let size = f64::from(rig.size());
        let mut measured = Measured {
            sizes: PerSide::from_fn(|side| {
                Size::of(sides[side].skinner.rig(), topology[side], &sides[side].pose.palettes, &surfaces[side])
            }),
            unmatched: job.versions.as_ref().and_then(|versions| versions.as_ref().err().cloned()),
            shares: [distance.max / size, distance.mean / size],
            distance,
            normals: PerSide::from_fn(|side| {
                let asks = sides[side].skinner.skinning().normals == Normals::Recomputed;
                asks.then(|| RecomputedNormals::of(&surfaces[side], job.version))
            }),
            ..Measured::default()
        };
        let mut values: PerSide<Option<Values>> = PerSide::default();
        for side in Side::ALL {
            progress.go_on()?;
            let Some(overlay) = sides[side].overlay else { continue };
            let (rest, leak, surfaces) = (&mut self.rest[side], &mut self.leak[side], &surfaces[side]);
            let side_of = &sides[side];
            let painter = Painter {
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
            values[side] = Some(painter.values(overlay));
        }
        share_range(sides, &mut values);
        for (side, values) in Side::ALL.into_iter().zip([values.a, values.b]) {
            let Some(values) = values else { continue };
            measured.extremes[side] = values.extremes();
            let version = job.version.wrapping_mul(2).wrapping_add(u64::from(side == Side::B));
            measured.painted[side] = Some(Painted { values: Arc::new(values), version });
            measured.positions[side] = surfaces[side].iter().flatten().map(|d| d.positions.clone()).collect();
        }
        Some(measured)
    }
}

impl SideMeasurer {
    /// Finds the topology of both sides' meshes: that of A serves B too, but for another character.
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
    /// Distance of each vertex from its counterpart on the other side, metres; NaN where it has none.
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

/// Two sides that show the same values have one range, so that one colour means one value; a range that was given stays.
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
