use std::cell::Cell;
use std::sync::Arc;

use rigscope_core::rig::{Channel, Interpolation, NodeIndex, Property};

/// Keys of one property: ascending times in seconds, and values. Two keys at the same time form a jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SampledKeys<const N: usize>(Vec<(f64, [f32; N])>);

#[derive(Debug)]
pub(super) struct TakeRange {
    /// Start of the range, in seconds.
    pub begin: f64,
    /// End of the range, in seconds.
    pub end: f64,
    /// Times, in seconds, of the first and last key outside the range whose value differs from the value at the nearest
    /// end of the range.
    pub outside: Cell<Option<[f64; 2]>>,
    /// Whether the value changes within the range.
    pub has_motion: Cell<bool>,
}

/// Tolerance for times at the ends of a range, in seconds.
const SLACK: f64 = 1e-5;

impl TakeRange {
    /// Returns the keys within the range, with times relative to its start. `exact` computes the values where the range
    /// cuts the curve. Updates `outside` and `has_motion`.
    pub(super) fn cut<V>(
        &self,
        keys: Vec<(f64, V)>,
        exact: impl Fn(f64) -> V,
        are_near: impl Fn(&V, &V) -> bool,
    ) -> Vec<(f64, V)> {
        let (first, last) = (exact(self.begin), exact(self.end));
        let is_before = |time: f64| time < self.begin - SLACK;
        let is_after = |time: f64| time > self.end + SLACK;
        let (mut has_before, mut has_after) = (false, false);
        for (time, value) in &keys {
            has_before |= is_before(*time);
            has_after |= is_after(*time);
            let end = if is_before(*time) { &first } else { &last };
            if (is_before(*time) || is_after(*time)) && !are_near(value, end) {
                let [low, high] = self.outside.get().unwrap_or([*time; 2]);
                self.outside.set(Some([low.min(*time), high.max(*time)]));
            }
        }
        let mut kept: Vec<(f64, V)> = Vec::with_capacity(keys.len());
        let inside = keys.into_iter().filter(|(time, _)| !is_before(*time) && !is_after(*time));
        kept.extend(inside);
        if has_before && kept.first().is_none_or(|(time, _)| *time > self.begin + SLACK) {
            kept.insert(0, (self.begin, first));
        }
        if has_after && kept.last().is_none_or(|(time, _)| *time < self.end - SLACK) {
            kept.push((self.end, last));
        }
        let moves = kept.windows(2).any(|pair| matches!(pair, [a, b] if !are_near(&a.1, &b.1)));
        self.has_motion.set(self.has_motion.get() || moves);
        for (time, _) in &mut kept {
            *time = (*time - self.begin).max(0.0);
        }
        kept
    }
}

const MAX_HALVINGS: u32 = 4;

impl<const N: usize> SampledKeys<N> {
    pub(super) fn new(keys: impl Iterator<Item = (f64, [f32; N])>) -> Self {
        Self(keys.collect())
    }

    /// Merges the keys into one if all have the same value. Returns `None` if this value is close to the rest value.
    pub(super) fn reduced(mut self, rest: &[f32; N]) -> Option<Self> {
        let (_, first) = *self.0.first()?;
        if self.0.iter().all(|(_, value)| *value == first) {
            self.0.truncate(1);
        }
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
        let is_rest = self.0.len() == 1 && first.iter().zip(rest).all(is_near);
        Some(self).filter(|_| !is_rest)
    }

    pub(super) fn within(self, range: Option<&TakeRange>, exact: impl Fn(f64) -> [f32; N]) -> Self {
        let is_near = |a: &f32, b: &f32| (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1e-3);
        let are_near = |a: &[f32; N], b: &[f32; N]| {
            let is_opposite = N == 4 && a.iter().zip(b).all(|(a, b)| is_near(a, &-b));
            is_opposite || a.iter().zip(b).all(|(a, b)| is_near(a, b))
        };
        match range {
            Some(range) => Self(range.cut(self.0, exact, are_near)),
            None => self,
        }
    }

    /// Adds keys where linear interpolation deviates from the curve. `is_between` returns whether a value is close to
    /// the interpolated value.
    pub(super) fn refined(
        self,
        exact: impl Fn(f64) -> [f32; N],
        is_between: impl Fn(&[f32; N], &[f32; N], f32, &[f32; N]) -> bool,
    ) -> Self {
        // A second test at a quarter detects a curve that crosses the interpolation line in the middle.
        let is_joined = |a: &(f64, [f32; N]), b: &(f64, [f32; N]), middle: &[f32; N]| {
            let early = || exact(a.0 + (b.0 - a.0) * 0.25);
            is_between(&a.1, &b.1, 0.5, middle) && is_between(&a.1, &b.1, 0.25, &early())
        };
        let mut refined: Vec<(f64, [f32; N])> = Vec::with_capacity(self.0.len());
        // Stack of upcoming keys, nearest last, with the number of halvings so far.
        let mut ahead = Vec::new();
        for key in self.0 {
            ahead.push((key, 0));
            while let Some((next, halvings)) = ahead.pop() {
                let last = refined.last().filter(|last| halvings < MAX_HALVINGS && next.0 > last.0 && next.1 != last.1);
                let middle = last.map(|last| f64::midpoint(last.0, next.0)).map(|time| (time, exact(time)));
                match (last, middle) {
                    (Some(last), Some(middle)) if !is_joined(last, &next, &middle.1) => {
                        let halvings = halvings.saturating_add(1);
                        ahead.extend([(next, halvings), (middle, halvings)]);
                    }
                    _ => refined.push(next),
                }
            }
        }
        Self(refined)
    }

    /// Creates a channel. Returns `None` if there are no keys, or if a time or value is not finite.
    pub(super) fn channel(self, node: NodeIndex, property: Property) -> Option<Channel> {
        let values = self.0.iter().map(|(time, value)| (*time as f32, value.as_slice()));
        channel(node, property, values.collect(), N)
    }
}

pub(super) fn channel(node: NodeIndex, property: Property, keys: Vec<(f32, &[f32])>, width: usize) -> Option<Channel> {
    let is_finite = |(time, value): &(f32, &[f32])| time.is_finite() && value.iter().all(|v| v.is_finite());
    if keys.is_empty() || !keys.iter().all(is_finite) {
        return None;
    }
    let mut keys = ends_of_runs(keys);
    let is_step = is_stepped(&keys);
    if is_step {
        // If several keys have the same time, the value of the last one holds from that time on.
        let next: Vec<Option<f32>> = keys.iter().skip(1).map(|key| Some(key.0)).chain([None]).collect();
        keys = keys.into_iter().zip(next).filter(|(key, next)| Some(key.0) != *next).map(|(key, _)| key).collect();
    }
    let times_secs: Arc<[f32]> = keys.iter().map(|key| key.0).collect();
    let values = keys.iter().flat_map(|key| key.1).copied().collect();
    let interpolation = if is_step { Interpolation::Step } else { Interpolation::Linear };
    Some(Channel { node, property, interpolation, times_secs, values, width })
}

/// Keeps the first and last key of each run of keys at the same time. A key earlier than its predecessor counts as
/// being at the same time.
fn ends_of_runs(keys: Vec<(f32, &[f32])>) -> Vec<(f32, &[f32])> {
    let mut kept: Vec<(f32, &[f32])> = Vec::with_capacity(keys.len());
    for (time, value) in keys {
        let time = kept.last().map_or(time, |last| time.max(last.0));
        let is_third = matches!(kept.as_slice(), [.., a, b] if a.0 == time && b.0 == time);
        match kept.last_mut().filter(|_| is_third) {
            Some(last) => last.1 = value,
            None => kept.push((time, value)),
        }
    }
    kept
}

fn is_stepped(keys: &[(f32, &[f32])]) -> bool {
    let mut jumps = 0_usize;
    let is_level = keys.windows(2).all(|pair| match pair {
        [a, b] if a.0 == b.0 => {
            jumps = jumps.saturating_add(1);
            true
        }
        [a, b] => a.1 == b.1,
        _ => true,
    });
    is_level && jumps > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(keys: &[(f32, f32)]) -> Option<Channel> {
        let values: Vec<[f32; 1]> = keys.iter().map(|k| [k.1]).collect();
        let keys = keys.iter().zip(&values).map(|(k, v)| (k.0, v.as_slice())).collect();
        channel(NodeIndex(0), Property::MorphWeights, keys, 1)
    }

    #[test]
    fn keys_that_only_jump_are_steps() {
        let steps = made(&[(0.0, 1.0), (1.0, 1.0), (1.0, 2.0), (3.0, 2.0), (3.0, 5.0)]).unwrap();
        assert_eq!((steps.interpolation, &*steps.times_secs), (Interpolation::Step, &[0.0, 1.0, 3.0][..]));
        assert_eq!(steps.values, [1.0, 2.0, 5.0]);
        let mixed = made(&[(0.0, 1.0), (1.0, 1.5), (1.0, 2.0)]).unwrap();
        assert_eq!((mixed.interpolation, mixed.times_secs.len()), (Interpolation::Linear, 3));
        assert_eq!(made(&[(0.0, 1.0), (1.0, 1.0)]).unwrap().interpolation, Interpolation::Linear);
    }

    #[test]
    fn a_take_has_the_keys_of_its_range_and_notes_what_moves_outside() {
        let take = |begin, end| TakeRange { begin, end, outside: Cell::default(), has_motion: Cell::default() };
        let line = |time: f64| [time as f32];
        let keys = |times: &[f64]| times.iter().map(|&time| (time, line(time))).collect::<Vec<_>>();
        let are_near = |a: &[f32; 1], b: &[f32; 1]| (a[0] - b[0]).abs() < 1e-4;
        let middle = take(1.0, 2.0);
        let cut = middle.cut(keys(&[0.0, 0.5, 1.25, 3.0]), line, are_near);
        assert_eq!(cut, [(0.0, [1.0]), (0.25, [1.25]), (1.0, [2.0])]);
        assert_eq!((middle.outside.get(), middle.has_motion.get()), (Some([0.0, 3.0]), true));
        let whole = take(0.0, 3.0);
        assert_eq!(whole.cut(keys(&[0.0, 3.0]), line, are_near), [(0.0, [0.0]), (3.0, [3.0])]);
        assert_eq!(whole.outside.get(), None);
        let still = take(1.0, 2.0);
        let held = still.cut(vec![(0.0, [7.0]), (5.0, [7.0])], |_| [7.0], are_near);
        assert_eq!((held.len(), still.outside.get(), still.has_motion.get()), (2, None, false));
    }

    #[test]
    fn keys_come_where_a_curve_is_off_the_line() {
        let refined = |curve: fn(f64) -> f64, limit: f32| {
            let exact = move |time: f64| [curve(time) as f32];
            let is_between = |a: &[f32; 1], b: &[f32; 1], share: f32, value: &[f32; 1]| {
                (a[0] + (b[0] - a[0]) * share - value[0]).abs() <= limit
            };
            let keys = SampledKeys::new([0.0, 1.0, 1.0, 3.0].map(|time| (time, exact(time))).into_iter());
            keys.refined(exact, is_between).0.into_iter().map(|(time, _)| time).collect::<Vec<_>>()
        };
        let square = |time: f64| time * time;
        assert_eq!(refined(square, 9.0), [0.0, 1.0, 1.0, 3.0]);
        assert_eq!(refined(square, 0.5), [0.0, 1.0, 1.0, 2.0, 3.0]);
        assert_eq!(refined(square, 0.1), [0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(refined(square, 0.0).len(), 1 + 16 + 1 + 16, "and no further");
        let swing = |time: f64| (time * std::f64::consts::TAU).sin() + time;
        assert!(refined(swing, 0.1).len() > 8, "that crosses the line in its middle");
    }

    #[test]
    fn times_rise_and_no_time_has_more_than_two_keys() {
        let odd = made(&[(0.0, 0.0), (1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (0.5, 4.0), (2.0, 5.0)]).unwrap();
        assert_eq!((&*odd.times_secs, odd.values), (&[0.0, 1.0, 1.0, 2.0][..], vec![0.0, 1.0, 4.0, 5.0]));
        assert!(made(&[]).is_none() && made(&[(0.0, f32::NAN)]).is_none() && made(&[(f32::INFINITY, 0.0)]).is_none());
    }
}
