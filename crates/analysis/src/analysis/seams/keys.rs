//! Redundant keys of a clip.

use glam::{Quat, Vec4};

use rigscope_core::rig::{Channel, Clip, Interpolation, Property};
use rigscope_core::rows::rows;

/// Differences from the interpolated value up to this are invisible: metres, scale factors, or radians for rotations.
const UNSEEN: f32 = 1e-4;

rows! {
    /// Counts of a clip's channels and keys, and the size of redundant keys in single precision.
    #[derive(Copy, Default, Eq)]
    pub struct KeyCounts {
        /// Number of channels.
        pub channels: usize,
        /// Channels with several keys that all have the same value.
        pub constant_channels: usize,
        /// Number of keys in all channels.
        pub keys: usize,
        /// Keys that linear interpolation between the remaining keys reproduces within 0.1 mm, a factor of 0.0001, or
        /// 0.006°. A constant channel needs only one key.
        pub spare_keys: usize,
        /// Bytes of the times and values of redundant keys. Times shared by channels count once per channel.
        pub spare_bytes: usize,
    }
}

impl KeyCounts {
    pub(super) fn from_clip(clip: &Clip) -> Self {
        clip.channels.iter().fold(Self::default(), |mut counts, channel| {
            let keys = channel.times_secs.len();
            let is_constant = keys > 1 && is_constant(channel);
            let spare = if is_constant { keys - 1 } else { spare_keys(channel) };
            counts.channels += 1;
            counts.constant_channels += usize::from(is_constant);
            counts.keys += keys;
            counts.spare_keys += spare;
            counts.spare_bytes += spare * size_of::<f32>() * (1 + channel.values.len() / keys.max(1));
            counts
        })
    }
}

fn is_constant(channel: &Channel) -> bool {
    let first = channel.key_values().next().unwrap_or_default();
    channel.has_flat_tangents(UNSEEN) && channel.key_values().all(|value| distance(channel, first, value) <= UNSEEN)
}

fn spare_keys(channel: &Channel) -> usize {
    if channel.interpolation != Interpolation::Linear {
        return 0;
    }
    let times = &channel.times_secs;
    let value = |key: usize| &channel.values[key * channel.width..(key + 1) * channel.width];
    let (mut spare, mut kept) = (0, 0);
    for key in 1..times.len().saturating_sub(1) {
        let interval = times[key + 1] - times[kept];
        // Splitting long runs keeps the cost linear in the number of keys.
        let is_made = key - kept < MAX_RUN
            && interval > 0.0
            && (kept + 1..=key).all(|between| {
                let share = (times[between] - times[kept]) / interval;
                let made = between_values(channel, value(kept), value(key + 1), share);
                distance(channel, &made, value(between)) <= UNSEEN
            });
        if is_made {
            spare += 1;
        } else {
            kept = key;
        }
    }
    spare
}

const MAX_RUN: usize = 32;

fn between_values(channel: &Channel, from: &[f32], to: &[f32], share: f32) -> Vec<f32> {
    if channel.property == Property::Rotation {
        return Quat::from_slice(from).slerp(Quat::from_slice(to), share).to_array().to_vec();
    }
    from.iter().zip(to).map(|(a, b)| a + (b - a) * share).collect()
}

/// Returns the distance between two values, in the channel's unit, or in radians for rotations.
fn distance(channel: &Channel, a: &[f32], b: &[f32]) -> f32 {
    if channel.property == Property::Rotation {
        // The rotation angle is twice the angle between the quaternions, with signs that bring them closest.
        let [a, b] = [a, b].map(|q| Vec4::from_slice(q).normalize_or_zero());
        return 2.0 * (a - b).length().min((a + b).length());
    }
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::NodeIndex;

    fn counts(property: Property, values: &[Vec<f32>]) -> KeyCounts {
        let times: Vec<f32> = (0..values.len()).map(|key| key as f32 * 0.1).collect();
        let channel = Channel::linear(NodeIndex(0), property, times, values.concat());
        KeyCounts::from_clip(&Clip { channels: vec![channel], ..Clip::default() })
    }

    #[test]
    fn keys_on_a_line_are_spare_and_corners_are_not() {
        let line = |key: i32| vec![0.0, key as f32, 0.0];
        let counts_of = |keys: &[Vec<f32>]| counts(Property::Translation, keys);
        let straight: Vec<Vec<f32>> = (0..10).map(line).collect();
        assert_eq!(
            counts_of(&straight),
            KeyCounts { channels: 1, keys: 10, spare_keys: 8, spare_bytes: 8 * 16, ..KeyCounts::default() }
        );
        let bent: Vec<Vec<f32>> = (0..10_i32).map(|key| line((key - 5).abs())).collect();
        assert_eq!(counts_of(&bent).spare_keys, 7, "all but both ends and the corner");
        let still = vec![vec![1.0, 2.0, 3.0]; 6];
        let found = counts_of(&still);
        assert_eq!((found.constant_channels, found.spare_keys), (1, 5));
    }

    #[test]
    fn turns_at_one_rate_are_spare_whatever_their_signs() {
        let turn = |key: u8| {
            let turned = Quat::from_rotation_y(f32::from(key) * 0.2) * if key.is_multiple_of(2) { 1.0 } else { -1.0 };
            turned.to_array().to_vec()
        };
        let keys: Vec<Vec<f32>> = (0..8).map(turn).collect();
        assert_eq!(counts(Property::Rotation, &keys).spare_keys, 6);
    }
}
