//! Keys of one property, as the reader samples them, to a channel of a clip.

use std::sync::Arc;

use crate::rig::{Channel, Interpolation, NodeIndex, Property};

/// A sample of one property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key<const N: usize> {
    pub time: f64,
    pub value: [f32; N],
    /// A key of the file, or on a frame: it stays. Others are there for what lies between.
    pub is_kept: bool,
}

/// Samples of one property by rising time. Two at one time are a jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Keys<const N: usize> {
    keys: Vec<Key<N>>,
}

impl<const N: usize> Keys<N> {
    pub fn new(keys: impl Iterator<Item = Key<N>>) -> Self {
        Self { keys: keys.collect() }
    }

    /// Keys that are all alike become one key, or nothing where that is near the value at rest.
    pub fn reduced(mut self, rest: &[f32; N]) -> Option<Self> {
        let first = self.keys.first()?.value;
        if self.keys.iter().all(|key| key.value == first) {
            self.keys.truncate(1);
        }
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
        let is_rest = self.keys.len() == 1 && first.iter().zip(rest).all(is_near);
        Some(self).filter(|_| !is_rest)
    }

    /// Without the samples between two that are kept where all of them are near what these make of their time, as `is_near` says of two samples, the share of
    /// the way between them, and a sample.
    pub fn thinned(self, is_near: impl Fn(&[f32; N], &[f32; N], f32, &[f32; N]) -> bool) -> Self {
        let mut kept: Vec<Key<N>> = Vec::with_capacity(self.keys.len());
        let mut between: Vec<Key<N>> = Vec::new();
        for key in self.keys {
            if !key.is_kept {
                between.push(key);
                continue;
            }
            let is_line = kept.last().is_some_and(|last| {
                let span = key.time - last.time;
                let share = |time: f64| ((time - last.time) / span) as f32;
                span > 0.0 && between.iter().all(|b| is_near(&last.value, &key.value, share(b.time), &b.value))
            });
            if is_line {
                between.clear();
            }
            kept.append(&mut between);
            kept.push(key);
        }
        kept.append(&mut between);
        Self { keys: kept }
    }

    /// A channel of a node; none without keys, or where a time or a value is not finite.
    pub fn channel(self, node: NodeIndex, property: Property) -> Option<Channel> {
        let values = self.keys.iter().map(|key| (key.time as f32, key.value.as_slice()));
        channel(node, property, values.collect(), N)
    }
}

/// A channel of keys by rising time. Keys that only jump are steps; else straight lines join them.
pub(super) fn channel(node: NodeIndex, property: Property, keys: Vec<(f32, &[f32])>, width: usize) -> Option<Channel> {
    let is_finite = |(time, value): &(f32, &[f32])| time.is_finite() && value.iter().all(|v| v.is_finite());
    if keys.is_empty() || !keys.iter().all(is_finite) {
        return None;
    }
    let mut keys = ends_of_runs(keys);
    let is_step = is_stepped(&keys);
    if is_step {
        // The last of a time is what holds from it on.
        let next: Vec<Option<f32>> = keys.iter().skip(1).map(|key| Some(key.0)).chain([None]).collect();
        keys = keys.into_iter().zip(next).filter(|(key, next)| Some(key.0) != *next).map(|(key, _)| key).collect();
    }
    let times_secs: Arc<[f32]> = keys.iter().map(|key| key.0).collect();
    let values = keys.iter().flat_map(|key| key.1).copied().collect();
    let interpolation = if is_step { Interpolation::Step } else { Interpolation::Linear };
    Some(Channel { node, property, interpolation, times_secs, values, width })
}

/// Of keys at one time the first and the last. A time before the one that it follows counts as that.
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

/// True where nothing changes but by jumps, of which there is one.
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
    fn samples_between_frames_go_where_they_lie_on_the_line() {
        let key = |(time, value, is_kept)| Key { time, value: [value], is_kept };
        let thinned = |keys: &[(f64, f32, bool)]| {
            let is_near = |a: &[f32; 1], b: &[f32; 1], share: f32, value: &[f32; 1]| {
                (a[0] + (b[0] - a[0]) * share - value[0]).abs() < 0.1
            };
            let keys = Keys::new(keys.iter().copied().map(key)).thinned(is_near).keys;
            keys.into_iter().map(|key| key.time).collect::<Vec<_>>()
        };
        let straight = [(0.0, 0.0, true), (0.25, 0.25, false), (0.5, 0.52, false), (1.0, 1.0, true)];
        assert_eq!(thinned(&straight), [0.0, 1.0]);
        let bent = [
            (0.0, 0.0, true),
            (0.25, 0.25, false),
            (0.5, 0.8, false),
            (1.0, 1.0, true),
            (1.5, 1.0, false),
            (2.0, 1.0, true),
        ];
        assert_eq!(thinned(&bent), [0.0, 0.25, 0.5, 1.0, 2.0]);
        assert_eq!(thinned(&[(0.5, 0.0, false), (1.0, 1.0, true), (1.5, 1.0, false)]), [0.5, 1.0, 1.5]);
    }

    #[test]
    fn times_rise_and_no_time_has_more_than_two_keys() {
        let odd = made(&[(0.0, 0.0), (1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (0.5, 4.0), (2.0, 5.0)]).unwrap();
        assert_eq!((&*odd.times_secs, odd.values), (&[0.0, 1.0, 1.0, 2.0][..], vec![0.0, 1.0, 4.0, 5.0]));
        assert!(made(&[]).is_none() && made(&[(0.0, f32::NAN)]).is_none() && made(&[(f32::INFINITY, 0.0)]).is_none());
    }
}
