//! Tracks and their lines.

use super::TrackKind;
use rigscope_core::rig::NodeIndex;
use rigscope_core::view::Side;

/// Changes up to this count as rounding errors; relative to the rest value, or to the rig's size for distances.
const ROUNDING: f32 = 1e-5;

/// What a line shows: a side, both sides or a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOwner {
    /// One side.
    Side(Side),
    /// Both sides; the value is a distance between the sides.
    Both,
    /// A joint, as a node of the open character.
    Joint(NodeIndex),
}

/// A measure of one clip over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Measured quantity.
    pub kind: TrackKind,
    /// One line per side, one line for both sides, or one line per joint.
    pub lines: Vec<Line>,
    /// Why there are no lines.
    pub off: Option<String>,
}

/// Values of a track over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Side or joint of the line.
    pub owner: LineOwner,
    /// One value per frame, or per step between frames; NaN if unknown.
    pub values: Vec<f32>,
    /// Joint of each value, as a node of the side's rig, or of side A's rig for distances; empty if the values have no
    /// joint.
    pub joints: Vec<Option<NodeIndex>>,
    /// Index of the worst value; on ties, the first. `None` if no value is worse than at rest.
    pub worst: Option<usize>,
}

/// How values are sampled in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// One value per frame, interpolated between frames.
    AtFrames,
    /// One value per step from one frame to the next, constant over the step.
    OverSteps,
}

impl Line {
    /// Creates a line and finds its worst value. `size` is the rig's size in metres.
    pub(super) fn new(
        kind: TrackKind,
        owner: LineOwner,
        values: Vec<f32>,
        joints: Vec<Option<NodeIndex>>,
        size: f32,
    ) -> Self {
        let is_distance = matches!(kind, TrackKind::WorstDistance | TrackKind::MeanDistance);
        let rounding = if is_distance { ROUNDING * size } else { ROUNDING };
        let badness = values.iter().map(|value| kind.badness(*value)).enumerate();
        let bad = badness.filter(|(_, badness)| *badness > rounding);
        let worst = bad.reduce(|worst, next| if next.1 > worst.1 { next } else { worst }).map(|(at, _)| at);
        Self { owner, values, joints, worst }
    }

    /// Returns points `[seconds, value]` that cover a time range and the nearest value on either side, reduced to the
    /// minimum and maximum in each of about `columns` columns. `times_secs` is in ascending order and has one entry per
    /// value, plus one for [`Sampling::OverSteps`].
    pub fn points(&self, times_secs: &[f32], sampling: Sampling, between: [f32; 2], columns: usize) -> Vec<[f32; 2]> {
        let [from, to] = between;
        let first = times_secs.partition_point(|&time| time < from).saturating_sub(1);
        let last = times_secs.partition_point(|&time| time <= to).min(self.values.len().saturating_sub(1));
        let range = first..(last + 1).min(self.values.len());
        let size = range.len().div_ceil(columns.max(1)).max(1);
        let mut points = Vec::new();
        let mut add = |at: usize| {
            let end = (sampling == Sampling::OverSteps).then(|| at + 1);
            let times = [Some(at), end].into_iter().flatten().filter_map(|at| times_secs.get(at));
            points.extend(times.map(|time| [*time, self.values[at]]).filter(|[_, value]| value.is_finite()));
        };
        for start in range.clone().step_by(size) {
            let column = start..(start + size).min(range.end);
            let value = |at: &usize| self.values[*at];
            let [lowest, highest] = [
                column.clone().min_by(|a, b| value(a).total_cmp(&value(b))),
                column.max_by(|a, b| value(a).total_cmp(&value(b))),
            ];
            let (Some(lowest), Some(highest)) = (lowest, highest) else { continue };
            add(lowest.min(highest));
            if lowest != highest {
                add(lowest.max(highest));
            }
        }
        points
    }
}

impl Track {
    /// Returns the smallest and largest finite value of all lines. The range always includes [`TrackKind::unchanged`].
    pub fn range(&self) -> [f32; 2] {
        let values = self.lines.iter().flat_map(|line| &line.values).filter(|value| value.is_finite());
        let unchanged = self.kind.unchanged();
        values.fold([unchanged; 2], |[low, high], &value| [low.min(value), high.max(value)])
    }
}

/// Returns the index of the frame nearest to a time, or of the step that contains the time; 0 if there are no frames.
/// `times_secs` must be in ascending order.
pub fn nearest(times_secs: &[f32], sampling: Sampling, time_secs: f32) -> usize {
    let after = times_secs.partition_point(|&time| time <= time_secs);
    let before = after.saturating_sub(1);
    match sampling {
        Sampling::OverSteps => before.min(times_secs.len().saturating_sub(2)),
        Sampling::AtFrames => match (times_secs.get(before), times_secs.get(after)) {
            (Some(last), Some(next)) if next - time_secs < time_secs - last => after,
            _ => before,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(kind: TrackKind, values: &[f32]) -> Line {
        Line::new(kind, LineOwner::Both, values.to_vec(), Vec::new(), 1.0)
    }

    #[test]
    fn the_worst_is_the_first_of_equals_and_none_where_nothing_is_lost() {
        assert_eq!(line(TrackKind::Volume, &[1.0, 0.8, 1.3, 0.8]).worst, Some(1), "more volume is no loss");
        assert_eq!(line(TrackKind::Loss, &[0.0, f32::NAN, 0.4, 0.4, 0.1]).worst, Some(2));
        assert_eq!(line(TrackKind::Flipped, &[0.0, 0.0]).worst, None);
        assert_eq!(line(TrackKind::Volume, &[1.0, 0.999_999_9]).worst, None, "rounding");
        assert_eq!(line(TrackKind::WorstDistance, &[]).worst, None);
        let small = Line::new(TrackKind::WorstDistance, LineOwner::Both, vec![0.0, 1e-6], Vec::new(), 1e-3);
        assert_eq!(small.worst, Some(1), "a thousandth of a small rig");
    }

    #[test]
    fn a_time_belongs_to_the_nearest_frame_and_to_the_step_around_it() {
        let times = [0.0, 0.1, 0.2];
        let at = |sampling, time| nearest(&times, sampling, time);
        assert_eq!([-1.0, 0.04, 0.06, 0.2, 9.0].map(|time| at(Sampling::AtFrames, time)), [0, 0, 1, 2, 2]);
        assert_eq!([-1.0, 0.04, 0.06, 0.1, 9.0].map(|time| at(Sampling::OverSteps, time)), [0, 0, 0, 1, 1]);
        assert_eq!(nearest(&[], Sampling::OverSteps, 1.0) + nearest(&[], Sampling::AtFrames, 1.0), 0);
    }

    #[test]
    fn a_step_is_level_from_its_start_to_its_end() {
        let line = line(TrackKind::AngularSpeed, &[10.0, 20.0]);
        let points = line.points(&[0.0, 0.5, 1.0], Sampling::OverSteps, [0.0, 1.0], 100);
        assert_eq!(points, [[0.0, 10.0], [0.5, 10.0], [0.5, 20.0], [1.0, 20.0]]);
    }

    proptest! {
        #[test]
        fn thinned_points_lie_on_the_line_keep_its_extremes_and_are_few(
            values in prop::collection::vec(-5.0_f32..5.0, 1..400), columns in 1_usize..50) {
            let times: Vec<f32> = (0..values.len()).map(|at| at as f32).collect();
            let line = line(TrackKind::Rotation, &values);
            let all = line.points(&times, Sampling::AtFrames, [0.0, values.len() as f32], columns);
            prop_assert!(all.len() <= 2 * columns.min(values.len()) + 2);
            prop_assert!(all.windows(2).all(|pair| pair[0][0] < pair[1][0]));
            prop_assert!(all.iter().all(|[time, value]| values[*time as usize] == *value));
            for extreme in [f32::min as fn(f32, f32) -> f32, f32::max] {
                let of = |values: &mut dyn Iterator<Item = f32>| values.reduce(extreme);
                prop_assert_eq!(of(&mut values.iter().copied()), of(&mut all.iter().map(|point| point[1])));
            }
        }
    }
}
