//! Clips built in code.

use glam::{Quat, Vec3};
use rigscope::rig::{Channel, Clip, NodeIndex, Property};

/// Creates a clip with linear interpolation.
pub fn clip(name: &str, channels: Vec<Channel>) -> Clip {
    let ends = channels.iter().filter_map(|channel| channel.times_secs.last().copied());
    Clip { name: name.to_owned(), duration_secs: ends.fold(0.0, f32::max), channels, ..Clip::default() }
}

/// Creates a rotation channel from keys with times in seconds.
pub fn rotations(node: NodeIndex, keys: &[(f32, Quat)]) -> Channel {
    let values = keys.iter().flat_map(|key| key.1.to_array()).collect();
    Channel::linear(node, Property::Rotation, times(keys), values)
}

/// Creates a translation channel from keys with times in seconds.
pub fn translations(node: NodeIndex, keys: &[(f32, Vec3)]) -> Channel {
    let values = keys.iter().flat_map(|key| key.1.to_array()).collect();
    Channel::linear(node, Property::Translation, times(keys), values)
}

fn times<T>(keys: &[(f32, T)]) -> Vec<f32> {
    keys.iter().map(|key| key.0).collect()
}
