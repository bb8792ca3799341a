//! Skinning errors of engines that keep fewer or coarser influences than the file.

use super::measure::SurfaceDistance;
use super::{deform_into, field, measurable};
use rigscope_core::jobs::{Progress, try_map_with};
use rigscope_core::rig::{ClipMoment, Pose, Rig, evaluate};
use rigscope_core::skinning::{Deformed, InfluenceLimit, SkinPose, Skinner, WeightPrecision, palettes};

/// Returns common limits: 1, 2, 4 or 8 influences, renormalised or not; then all influences with 16-bit or 8-bit
/// weights.
pub fn common_limits() -> Vec<InfluenceLimit> {
    let counted = [1, 2, 4, 8].into_iter().flat_map(|count| {
        [true, false].map(|renormalizes| InfluenceLimit {
            count: Some(count),
            renormalizes,
            ..InfluenceLimit::default()
        })
    });
    let stored = [WeightPrecision::Bits16, WeightPrecision::Bits8]
        .map(|precision| InfluenceLimit { precision, ..InfluenceLimit::default() });
    counted.chain(stored).collect()
}

/// Engine to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedEngine {
    /// Number and precision of the influences that the engine keeps.
    pub limit: InfluenceLimit,
    /// True if the engine reads influences in the file's order without normalising them; see
    /// [`rigscope_core::rig::WeightSet::stored`]. False if it reads the heaviest influences first.
    pub reads_stored: bool,
}

impl SimulatedEngine {
    /// Returns engines with [`common_limits`]; if `has_stored` is true, also engines that read the file's stored
    /// weights.
    pub fn common(has_stored: bool) -> Vec<Self> {
        let limited = |count, renormalizes| InfluenceLimit { count, renormalizes, ..InfluenceLimit::default() };
        let stored = [limited(Some(1), true), limited(Some(2), true), limited(Some(4), true)];
        let stored = stored.into_iter().chain([limited(Some(4), false), limited(None, false)]);
        let stored = stored.filter(|_| has_stored).map(|limit| Self { limit, reads_stored: true });
        common_limits().into_iter().map(|limit| Self { limit, reads_stored: false }).chain(stored).collect()
    }

    /// Returns the engine's label in tables.
    pub fn name(self) -> String {
        let Self { limit, reads_stored } = self;
        let rest = if limit.renormalizes { "renormalised" } else { "not normalised" };
        match (limit.count, reads_stored) {
            (Some(4), true) => format!("first set, {rest}"),
            (Some(count), true) => format!("first {count} as stored, {rest}"),
            (None, true) => format!("all as stored, {rest}"),
            (Some(count), false) if limit.renormalizes => format!("{count}, renormalised"),
            (Some(count), false) => format!("{count}, as they are"),
            (None, false) => match limit.precision {
                WeightPrecision::Bits16 => "all, 16 bit".to_owned(),
                WeightPrecision::Bits8 => "all, 8 bit".to_owned(),
                WeightPrecision::Float => "all".to_owned(),
            },
        }
    }
}

const FRAMES_PER_SECOND: f32 = 30.0;
/// Maximum number of frames to sample per clip; longer clips are sampled at a lower rate.
const MAX_FRAMES: usize = 10_000;

/// Returns evenly spaced moments from a clip's start to its end, about 30 per second; empty if the clip doesn't exist.
pub fn frames(rig: &Rig, clip: usize) -> Vec<ClipMoment> {
    let Some(found) = rig.clips.get(clip) else { return Vec::new() };
    let count = ((found.duration_secs * FRAMES_PER_SECOND).ceil() as usize).clamp(1, MAX_FRAMES);
    let moment = |i| ClipMoment::new(clip, found.duration_secs * i as f32 / count as f32);
    (0..=count).map(moment).collect()
}

/// Skinning error over several poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InfluenceError {
    /// Maximum distance of a vertex from its reference position, metres.
    pub max: f64,
    /// Mean distance over vertices and poses, metres.
    pub mean: f64,
    /// Index of the pose with the maximum distance.
    pub worst_pose: usize,
}

/// Computes the error of each skinner in `others` against a reference for the same rig, in parallel. Returns `None` if
/// cancelled or if the rig exceeds [`super::MAX_VERTICES`].
///
/// *Shapes*: `moments` are arguments of [`evaluate`], for example a single `None` for rest, or [`frames`]. The result
/// has one entry per skinner in `others`.
pub fn influence_errors(
    reference: &Skinner,
    others: &[Skinner],
    pose: &Pose,
    moments: &[Option<ClipMoment>],
    progress: &Progress,
) -> Option<Vec<InfluenceError>> {
    let rig = reference.rig();
    measurable(rig)?;
    progress.begin(moments.len());
    let distances = |(exact, coarse): &mut (Surfaces, Surfaces), moment: &Option<ClipMoment>| {
        let posed = evaluate(rig, *moment, pose);
        let palettes = palettes(rig, &posed);
        let pose = SkinPose { posed: &posed, palettes: &palettes };
        deform_into(reference, pose, exact);
        let distance = |other: &Skinner| {
            deform_into(other, pose, coarse);
            SurfaceDistance::from_field(rig, &field::distance(exact, coarse))
        };
        let distances: Vec<SurfaceDistance> = others.iter().map(distance).collect();
        progress.add(1);
        Some(distances)
    };
    let by_moment = try_map_with(moments, progress, <(Surfaces, Surfaces)>::default, distances)?;
    Some((0..others.len()).map(|other| error(by_moment.iter().map(|distances| distances[other]))).collect())
}

type Surfaces = Vec<Vec<Deformed>>;

fn error(distances: impl ExactSizeIterator<Item = SurfaceDistance>) -> InfluenceError {
    let count = distances.len().max(1) as f64;
    distances.enumerate().fold(InfluenceError::default(), |error, (pose, distance)| {
        let (max, worst_pose) =
            if distance.max > error.max { (distance.max, pose) } else { (error.max, error.worst_pose) };
        InfluenceError { max, mean: error.mean + distance.mean / count, worst_pose }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_poses_that_are_equally_far_off_the_first_is_the_worst() {
        let found = error(
            [1.0, 3.0, 3.0, 1.0]
                .map(|max| SurfaceDistance { max, mean: max, ..SurfaceDistance::default() })
                .into_iter(),
        );
        assert_eq!(found, InfluenceError { max: 3.0, mean: 2.0, worst_pose: 1 });
    }
}
