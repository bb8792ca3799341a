//! Spikes: changes of a vertex's or joint's velocity far above the clip's median.

use glam::Vec3;

/// The change of velocity at a spike exceeds the clip's median change by more than this factor.
const MAX_TIMES: f32 = 6.0;
/// The change of velocity at a spike exceeds the changes two frames away by more than this factor. The changes one
/// frame away are caused by the spike itself.
const MAX_BESIDE: f32 = 3.0;

/// Maximum speed one step before and one step after a spike, relative to the speed of the spike. A swing also
/// reverses, but its speed changes less there.
const SLOW: f32 = 0.5;

/// A joint rotates by at least this in a spike, radians.
pub(super) const MIN_TURN: f32 = 0.1;

/// Largest change of velocity at a frame: m/s for vertices, rad/s for joints.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VelocityChange {
    pub time_secs: f32,
    pub size: f32,
    /// Distance from the midpoint of the values in the frames before and after, metres or radians.
    pub offset: f32,
    /// Vertex or joint index.
    pub index: usize,
    /// Speed in the step before or the step after the frame, whichever is smaller.
    pub speed: f32,
    /// True if the motion reverses, and is more than twice as fast as one step earlier and one step later.
    pub returns: bool,
}

impl VelocityChange {
    /// Finds the pair of `[before, after]` velocities with the largest change. `into` and `out_of` are the durations of
    /// the steps before and after the frame, in seconds.
    pub(super) fn largest(
        time_secs: f32,
        [into, out_of]: [f32; 2],
        velocities: impl Iterator<Item = [Vec3; 2]>,
    ) -> Self {
        let mut worst = Self { time_secs, ..Self::default() };
        for (index, [first, second]) in velocities.enumerate() {
            let size = first.distance(second);
            if size > worst.size && size.is_finite() {
                let [into_speed, out_speed] = [first, second].map(Vec3::length);
                let (speed, returns) = (into_speed.min(out_speed), first.dot(second) < -0.5 * into_speed * out_speed);
                worst = Self { size, offset: size * into.min(out_of) / 2.0, index, speed, returns, ..worst };
            }
        }
        worst
    }
}

#[derive(Default)]
pub(super) struct VelocityChanges(Vec<VelocityChange>);

impl VelocityChanges {
    /// Appends the change at the next frame. Both functions return the speed of the vertex or joint with a given index:
    /// `before` for the step that ends one frame earlier, if there is one, and `after` for the step that starts at the
    /// frame.
    pub(super) fn push(
        &mut self,
        change: VelocityChange,
        before: impl Fn(usize) -> Option<f32>,
        after: impl Fn(usize) -> f32,
    ) {
        if let Some(last) = self.0.last_mut() {
            last.returns &= is_slow_beside(after(last.index), last.speed);
        }
        let is_slow = before(change.index).is_some_and(|speed| is_slow_beside(speed, change.speed));
        self.0.push(VelocityChange { returns: change.returns && is_slow, ..change });
    }

    pub(super) fn end(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.returns = false;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn median(&self) -> f32 {
        median(&self.sizes())
    }

    fn sizes(&self) -> Vec<f32> {
        self.0.iter().map(|change| change.size).collect()
    }

    /// Returns the spikes whose offset exceeds `min_offset`, metres or radians.
    pub(super) fn spikes(&self, min_offset: f32) -> Vec<VelocityChange> {
        let sizes = self.sizes();
        let median = median(&sizes);
        let size = |at: Option<usize>| at.and_then(|at| sizes.get(at)).copied().unwrap_or(0.0);
        let is_spike = |(number, change): &(usize, &VelocityChange)| {
            // A spike also changes the velocity at the neighbouring frames, by half as much.
            let next = size(number.checked_sub(1)).max(size(Some(number + 1)));
            change.returns && change.offset > min_offset && change.size >= next && stands_out(&sizes, *number, median)
        };
        self.0.iter().enumerate().filter(is_spike).map(|(_, change)| *change).collect()
    }
}

pub(super) fn is_slow_beside(beside: f32, spike: f32) -> bool {
    beside < SLOW * spike
}

pub(super) fn median(numbers: &[f32]) -> f32 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.as_slice() {
        [] => 0.0,
        all if all.len() % 2 == 1 => all[middle],
        all => f32::midpoint(all[middle - 1], all[middle]),
    }
}

/// Returns true if a change exceeds [`MAX_TIMES`] times the median and [`MAX_BESIDE`] times the changes two frames away.
pub(super) fn stands_out(changes: &[f32], at: usize, median: f32) -> bool {
    let beside = |at: Option<usize>| at.and_then(|at| changes.get(at)).copied().unwrap_or(0.0);
    let usual = beside(at.checked_sub(2)).max(beside(Some(at + 2)));
    changes[at] > MAX_TIMES * median && changes[at] > MAX_BESIDE * usual
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_stands_out_from_the_median_and_from_those_two_away() {
        let of = |changes: [f32; 7]| stands_out(&changes, 3, median(&changes));
        assert!(of([1.0, 1.0, 5.0, 10.0, 5.0, 1.0, 1.0]));
        assert!(!of([1.0, 1.0, 5.0, 6.0, 5.0, 1.0, 1.0]), "six times the median is not beyond it");
        assert!(!of([1.0, 4.0, 1.0, 10.0, 1.0, 1.0, 1.0]), "beside an unsteady stretch");
        assert!(!of([1.0, 1.0, 1.0, 10.0, 1.0, 4.0, 1.0]));
        assert_eq!((median(&[]), median(&[3.0, 1.0, 2.0])), (0.0, 2.0));
        assert_eq!(median(&[3.0, 1.0, 2.0, 8.0]), 2.5, "of an even number");
    }
}
