//! Converts animated weights of blend channels, which may have in-between shapes, to morph target weights.

use std::collections::BTreeMap;

use super::keys::{TakeRange, channel};
use super::shapes::Shapes;
use rigscope_core::rig::{Channel, NodeIndex, Property};

pub(super) type ChannelKeys = Vec<(f64, f64)>;

/// Returns a mesh's morph channel; `None` if no blend channel is animated or if the morph channel needs more than
/// `bytes`. `keys`: keys by element ID of the blend channel.
pub(super) fn morph_channel(
    node: NodeIndex,
    shapes: &Shapes<'_>,
    keys: &BTreeMap<u32, ChannelKeys>,
    bytes: u64,
) -> Option<Channel> {
    let fits = |count: usize, size: usize| (count as u64).saturating_mul(size as u64) <= bytes;
    let of = |channel: &ufbx::BlendChannel| keys.get(&channel.element.element_id).filter(|keys| !keys.is_empty());
    let mut moments: Vec<Moment> = Vec::new();
    for blend in &shapes.channels {
        let Some(keys) = of(blend) else { continue };
        let turns: Vec<f64> = blend.keyframes.iter().map(|key| key.target_weight).chain([0.0]).collect();
        // An oscillating weight may cross every value in `turns` between any two keys.
        let max_moments = moments.len().saturating_add(keys.len().saturating_mul(turns.len().saturating_add(1)));
        if !fits(max_moments, size_of::<Moment>()) {
            return None;
        }
        moments.extend(self::moments(keys, &turns));
    }
    moments.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.side.cmp(&b.side)));
    moments.dedup();
    if !fits(moments.len(), shapes.count().saturating_mul(size_of::<[f32; 2]>())) {
        return None;
    }
    let values: Vec<Vec<f32>> = moments
        .iter()
        .map(|moment| shapes.weights(|channel| of(channel).map_or(channel.weight, |keys| value(keys, moment))))
        .collect();
    let keys = moments.iter().zip(&values).map(|(moment, value)| (moment.time as f32, value.as_slice()));
    channel(node, Property::MorphWeights, keys.collect(), shapes.count())
}

/// A time and, at a jump, the side of the jump.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment {
    time: f64,
    side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Before,
    From,
}

/// Returns the times of keys and the times at which the channel weight crosses a value in `turns`. The slope of the
/// target weights changes only at these times.
fn moments(keys: &[(f64, f64)], turns: &[f64]) -> Vec<Moment> {
    let mut moments: Vec<Moment> = keys.iter().map(|key| Moment { time: key.0, side: Side::From }).collect();
    for pair in keys.windows(2) {
        let &[(start, from), (end, to)] = pair else { continue };
        if start == end {
            moments.push(Moment { time: start, side: Side::Before });
            continue;
        }
        let passed = turns.iter().filter(|&&turn| (from < turn && turn < to) || (to < turn && turn < from));
        let times = passed.map(|turn| start + (end - start) * ((turn - from) / (to - from)));
        moments.extend(times.map(|time| Moment { time, side: Side::From }));
    }
    moments
}

pub(super) fn within(keys: ChannelKeys, range: Option<&TakeRange>) -> ChannelKeys {
    let Some(range) = range else { return keys };
    let source = keys.clone();
    let at = |time| value(&source, &Moment { time, side: Side::From });
    range.cut(keys, at, |a, b| (a - b).abs() <= 1e-5)
}

/// Returns the weight of a channel at a moment: linear between keys, clamped outside.
fn value(keys: &[(f64, f64)], moment: &Moment) -> f64 {
    let until = keys.partition_point(|key| match moment.side {
        Side::From => key.0 <= moment.time,
        Side::Before => key.0 < moment.time,
    });
    let next = keys.get(until);
    let last = until.checked_sub(1).and_then(|at| keys.get(at));
    match (last, next) {
        (Some(a), Some(b)) if b.0 > a.0 => a.1 + (b.1 - a.1) * ((moment.time - a.0) / (b.0 - a.0)),
        (Some(key), _) | (None, Some(key)) => key.1,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_that_passes_a_shape_has_a_key_there() {
        let times = |keys: &[(f64, f64)]| {
            let mut times: Vec<f64> = moments(keys, &[0.5, 1.0, 0.0]).iter().map(|m| m.time).collect();
            times.sort_by(f64::total_cmp);
            times
        };
        assert_eq!(times(&[(0.0, 0.0), (2.0, 1.0)]), [0.0, 1.0, 2.0]);
        assert_eq!(times(&[(0.0, 1.5), (4.0, -0.5)]), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(times(&[(0.0, 0.1), (1.0, 0.4)]), [0.0, 1.0]);
    }

    #[test]
    fn a_jump_has_a_weight_before_it_and_one_from_it_on() {
        let keys = [(0.0, 0.0), (1.0, 0.5), (1.0, 1.0), (2.0, 1.0)];
        let at = |time, side| value(&keys, &Moment { time, side });
        assert_eq!([at(1.0, Side::Before), at(1.0, Side::From)], [0.5, 1.0]);
        assert_eq!([at(0.5, Side::From), at(-1.0, Side::Before), at(9.0, Side::From)], [0.25, 0.0, 1.0]);
        assert!(moments(&keys, &[]).contains(&Moment { time: 1.0, side: Side::Before }));
    }
}
