//! Errors in rotation keys: sign flips and single-key jumps.

use glam::{Quat, Vec3};

use super::spikes::{MIN_TURN, is_slow_beside, median, stands_out};
use rigscope_core::rig::{Channel, Interpolation};

/// Channels with fewer keys than this are not checked for jumps.
const MIN_KEYS: usize = 8;

/// A key counts as a jump only if both neighbours are within this many seconds.
const MAX_STEP_SECS: f32 = 0.07;

/// Returns the keys whose quaternion is in the opposite hemisphere from the previous key's quaternion; empty for
/// stepped channels.
pub(super) fn flipped_keys(channel: &Channel) -> Vec<usize> {
    if channel.interpolation == Interpolation::Step {
        return Vec::new();
    }
    let rotations: Vec<Quat> = channel.key_values().map(Quat::from_slice).collect();
    // Keys at the same time aren't interpolated.
    let is_passed = |key: usize| channel.times_secs[key - 1] < channel.times_secs[key];
    (1..rotations.len()).filter(|&key| is_passed(key) && rotations[key - 1].dot(rotations[key]) < 0.0).collect()
}

/// Returns the keys at which a joint jumps to a rotation and straight back. At such a key, the change of angular
/// velocity [stands out](stands_out), and the joint rotates by at least [`MIN_TURN`], more than twice as fast as in the
/// neighbouring steps.
pub(super) fn jumping_keys(channel: &Channel) -> Vec<usize> {
    if channel.interpolation == Interpolation::Step || channel.times_secs.len() < MIN_KEYS {
        return Vec::new();
    }
    let rotations: Vec<Quat> = channel.key_values().map(|key| Quat::from_slice(key).normalize()).collect();
    let steps: Vec<(Vec3, f32)> = rotations
        .windows(2)
        .zip(channel.times_secs.windows(2))
        .map(|(pair, times)| {
            let turn = pair[1] * pair[0].inverse();
            ((if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis(), times[1] - times[0])
        })
        .collect();
    let change = |((into, before), (out_of, after)): (&(Vec3, f32), &(Vec3, f32))| {
        if *before > 0.0 && *after > 0.0 { (*into / *before).distance(*out_of / *after) } else { 0.0 }
    };
    let changes: Vec<f32> = steps.iter().zip(&steps[1..]).map(change).collect();
    let median = median(&changes);
    let is_spike = |at: &usize| {
        let [(into, before), (out_of, after)] = [steps[*at], steps[at + 1]];
        let min_speed = (into.length() / before).min(out_of.length() / after);
        let speed = |at: Option<usize>| at.and_then(|at| steps.get(at)).map(|(turn, elapsed)| turn.length() / elapsed);
        let is_slow = |at: Option<usize>| speed(at).is_some_and(|speed| is_slow_beside(speed, min_speed));
        into.dot(out_of) < -0.5 * into.length() * out_of.length()
            && into.length().min(out_of.length()) >= MIN_TURN
            && is_slow(at.checked_sub(1))
            && is_slow(Some(at + 2))
            && before.max(after) <= MAX_STEP_SECS
            && stands_out(&changes, *at, median)
    };
    // The first change is at the second key.
    (0..changes.len()).filter(is_spike).map(|at| at + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::{NodeIndex, Property};

    fn turns(degrees: &[f32]) -> Channel {
        let times: Vec<f32> = (0..degrees.len()).map(|key| key as f32 / 30.0).collect();
        let values = degrees.iter().flat_map(|turn| Quat::from_rotation_y(turn.to_radians()).to_array()).collect();
        Channel::linear(NodeIndex(0), Property::Rotation, times, values)
    }

    #[test]
    fn a_planted_jump_and_planted_flips_are_found_at_their_keys() {
        let mut degrees: Vec<f32> = (0..20).map(|key| key as f32).collect();
        assert_eq!((jumping_keys(&turns(&degrees)), flipped_keys(&turns(&degrees))), (vec![], vec![]));
        degrees[7] += 40.0;
        let mut jumps = turns(&degrees);
        assert_eq!(jumping_keys(&jumps), [7]);
        jumps.values[4 * 12..4 * 15].iter_mut().for_each(|x| *x = -*x);
        assert_eq!((jumping_keys(&jumps), flipped_keys(&jumps)), (vec![7], vec![12, 15]));
        jumps.interpolation = Interpolation::Step;
        assert_eq!((jumping_keys(&jumps), flipped_keys(&jumps)), (vec![], vec![]));
    }
}
