//! Spikes: changes of velocity far beyond what is usual in their clip, of vertices as of joints.

use glam::Vec3;

/// Times the median of a clip beyond which a change is a spike, and times the changes two before and two after it. Those right beside a spike change with it.
const MAX_TIMES: f32 = 6.0;
const MAX_BESIDE: f32 = 3.0;

/// Share of the speed into and out of a spike up to which the steps beside it are slow: at the end of a swing they are nearly as fast.
const SLOW: f32 = 0.5;

/// Smallest turn of a joint there and back that is a spike, radians.
pub(super) const MIN_TURN: f32 = 0.1;

/// The largest change of velocity of many things at a frame: of vertices in metres a second, of joints in radians a second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub time_secs: f32,
    pub size: f32,
    /// Half the change times the time of a step, metres or radians: how far the thing is from the middle between where it is a frame before and a frame after.
    pub offset: f32,
    /// Number of the thing that changes most.
    pub index: usize,
    /// Smaller one of its speeds before and after.
    pub speed: f32,
    /// True where it goes back, more than twice as fast as it moves a frame before and a frame after.
    pub returns: bool,
}

impl Change {
    /// The largest change of some velocities, each before and after a frame, with the times of the steps into and out of it, seconds.
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

/// Changes of a clip, one by one as its frames are looked at.
#[derive(Default)]
pub(super) struct Changes(Vec<Change>);

impl Changes {
    /// Adds the change at the next frame. `beside` tells the speed of a thing a step before the step into that frame, where there is one, and a step after the step out of the
    /// frame before it.
    pub(super) fn push(&mut self, change: Change, before: impl Fn(usize) -> Option<f32>, after: impl Fn(usize) -> f32) {
        if let Some(last) = self.0.last_mut() {
            last.returns &= is_slow_beside(after(last.index), last.speed);
        }
        let is_slow = before(change.index).is_some_and(|speed| is_slow_beside(speed, change.speed));
        self.0.push(Change { returns: change.returns && is_slow, ..change });
    }

    /// Ends the clip: what comes after its last change is not known.
    pub(super) fn end(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.returns = false;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Median of the changes.
    pub(super) fn median(&self) -> f32 {
        median(&self.sizes())
    }

    fn sizes(&self) -> Vec<f32> {
        self.0.iter().map(|change| change.size).collect()
    }

    /// The changes that are spikes of more than an offset.
    pub(super) fn spikes(&self, least_offset: f32) -> Vec<Change> {
        let sizes = self.sizes();
        let median = median(&sizes);
        let size = |at: Option<usize>| at.and_then(|at| sizes.get(at)).copied().unwrap_or(0.0);
        let is_spike = |(number, change): &(usize, &Change)| {
            // Of a frame that is off, the steps to and from the frames beside it change too, by half as much.
            let next = size(number.checked_sub(1)).max(size(Some(number + 1)));
            change.returns && change.offset > least_offset && change.size >= next && stands_out(&sizes, *number, median)
        };
        self.0.iter().enumerate().filter(is_spike).map(|(_, change)| *change).collect()
    }
}

/// True where a step beside a spike is slow against the slower of the steps into and out of it.
pub(super) fn is_slow_beside(beside: f32, spike: f32) -> bool {
    beside < SLOW * spike
}

/// Median of some numbers, of an even number the mean of the two in the middle; 0 of none.
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

/// True where a change is more than six times the median of all, and more than three times those two before and two after it.
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
