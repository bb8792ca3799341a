//! Times at which two clips are compared.

use rigscope_core::rig::{Clip, Interpolation, Property};

const MAX_TIMES: usize = 16_384;
const NEAR_SECS: f32 = 1e-5;
/// Times to sample between two keys, as fractions: the middle, and just before the next key, where stepped and linear
/// interpolation differ most.
const BETWEEN: &[f32] = &[0.5, 0.999];
/// Times to sample between two spline keys, as fractions. The extremes of a spline can be anywhere.
const BETWEEN_SPLINES: &[f32] = &[0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 0.999];

/// Returns the key times of both clips and times in between, in ascending order. If there are more than [`MAX_TIMES`],
/// they are thinned evenly.
pub(super) fn moments(clips: [&Clip; 2], is_asked_for: impl Fn(Property) -> bool) -> Vec<f32> {
    let channels =
        || clips.into_iter().flat_map(|clip| &clip.channels).filter(|channel| is_asked_for(channel.property));
    let mut keys: Vec<f32> = channels().flat_map(|channel| channel.times_secs.iter().copied()).collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup_by(|next, kept| *next - *kept < NEAR_SECS);
    let is_spline = channels().any(|channel| channel.interpolation == Interpolation::CubicSpline);
    let between = if is_spline { BETWEEN_SPLINES } else { BETWEEN };
    let step = (keys.len() * (between.len() + 1)).div_ceil(MAX_TIMES).max(1);
    let last = keys.last().copied();
    let mut keys: Vec<f32> = keys.into_iter().step_by(step).collect();
    keys.extend(last.filter(|last| keys.last() != Some(last)));
    let spans = keys.windows(2).flat_map(|ends| {
        let (from, to) = (ends[0], ends[1]);
        std::iter::once(from).chain(between.iter().map(move |fraction| from + (to - from) * fraction))
    });
    spans.chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::{Channel, NodeIndex};

    fn clip(interpolation: Interpolation, times: Vec<f32>) -> Clip {
        let values = vec![0.0; times.len() * 9];
        let channel = Channel::new(NodeIndex(0), Property::Translation, interpolation, times, values);
        Clip { channels: vec![channel], ..Clip::default() }
    }

    #[test]
    fn times_are_the_keys_of_both_clips_and_between_them() {
        let [a, b] = [vec![0.0, 1.0], vec![0.0, 0.5, 1.000_001]].map(|times| clip(Interpolation::Linear, times));
        let times = moments([&a, &b], |_| true);
        assert_eq!(times, [0.0, 0.25, 0.5 * 0.999, 0.5, 0.75, 0.5 + 0.5 * 0.999, 1.0]);
        let spline = clip(Interpolation::CubicSpline, vec![0.0, 1.0]);
        assert_eq!(moments([&a, &spline], |_| true).len(), 10);
        assert!(moments([&a, &b], |property| property == Property::Scale).is_empty());
    }

    #[test]
    fn a_million_keys_are_thinned_out() {
        let many = clip(Interpolation::Step, (0..1_000_000).map(|key| key as f32 * 0.01).collect());
        let times = moments([&many, &many], |_| true);
        assert!(times.len() <= MAX_TIMES + 3 && times.last() == many.channels[0].times_secs.last());
    }
}
