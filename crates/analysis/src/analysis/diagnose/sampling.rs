//! Clips in double precision, with the mistakes that samplers make.

use glam::DQuat;

use rigscope_core::rig::{Channel, Interpolation, Property};

use super::pipeline::Sampling;

/// Writes the value of a channel at a time to `out`, which holds `width` numbers. *Source*: glTF 2.0, appendix C.
pub(super) fn sample(channel: &Channel, time_secs: f64, sampling: Sampling, out: &mut [f64]) {
    let times = &channel.times_secs;
    let until = times.partition_point(|&time| f64::from(time) <= time_secs);
    let (from, to) = (until.saturating_sub(1), until.min(times.len().saturating_sub(1)));
    let interval = f64::from(times[to]) - f64::from(times[from]);
    let fraction = if interval > 0.0 { ((time_secs - f64::from(times[from])) / interval).clamp(0.0, 1.0) } else { 0.0 };
    let is_cubic = channel.interpolation == Interpolation::CubicSpline;
    let (parts, middle) = if is_cubic { (3, 1) } else { (1, 0) };
    let part = |key: usize, part: usize| {
        let start = (key * parts + part) * channel.width;
        channel.values[start..start + channel.width].iter().map(|value| f64::from(*value))
    };
    let is_rotation = channel.property == Property::Rotation;
    let is_held = from == to
        || channel.interpolation == Interpolation::Step
        || sampling == Sampling::StepAll
        || sampling == Sampling::Step && channel.interpolation == Interpolation::Linear;
    if is_held {
        out.iter_mut().zip(part(from, middle)).for_each(|(out, value)| *out = value);
    } else if is_cubic && sampling != Sampling::TangentsIgnored {
        let length = match sampling {
            Sampling::TangentsNotScaled => 1.0,
            Sampling::TangentsZero => 0.0,
            _ => interval,
        };
        let u = fraction;
        let (out_tangent, in_tangent) = if sampling == Sampling::TangentsSwapped { (0, 2) } else { (2, 0) };
        let (u2, u3) = (u * u, u * u * u);
        let factors =
            [2.0 * u3 - 3.0 * u2 + 1.0, length * (u3 - 2.0 * u2 + u), 3.0 * u2 - 2.0 * u3, length * (u3 - u2)];
        let values = part(from, 1).zip(part(from, out_tangent)).zip(part(to, 1)).zip(part(to, in_tangent));
        for (out, (((a, leaving), b), arriving)) in out.iter_mut().zip(values) {
            *out = factors[0] * a + factors[1] * leaving + factors[2] * b + factors[3] * arriving;
        }
    } else if is_rotation {
        let [a, b] = [from, to].map(|key| quaternion(part(key, middle)));
        out.iter_mut().zip(rotation_between(a, b, fraction, sampling).to_array()).for_each(|(out, value)| *out = value);
    } else {
        for ((out, a), b) in out.iter_mut().zip(part(from, middle)).zip(part(to, middle)) {
            *out = a + (b - a) * fraction;
        }
    }
}

/// Reads four numbers; missing ones count as 0.
pub(super) fn quaternion(mut numbers: impl Iterator<Item = f64>) -> DQuat {
    DQuat::from_array(std::array::from_fn(|_| numbers.next().unwrap_or(0.0)))
}

/// Interpolates keys as they are: with normalised keys, small rotations would differ.
fn rotation_between(a: DQuat, b: DQuat, fraction: f64, sampling: Sampling) -> DQuat {
    let dot = a.dot(b);
    let flips = match sampling {
        Sampling::NoShortestArc | Sampling::NoShortestArcLinear => false,
        Sampling::AlwaysLongArc => dot > 0.0,
        _ => dot < 0.0,
    };
    let (b, dot) = if flips { (-b, -dot) } else { (b, dot) };
    let angle = dot.clamp(-1.0, 1.0).acos();
    let sine = angle.sin();
    if matches!(sampling, Sampling::Nlerp | Sampling::NoShortestArcLinear) || sine < 1e-9 {
        return normalised(a * (1.0 - fraction) + b * fraction);
    }
    normalised(a * (((1.0 - fraction) * angle).sin() / sine) + b * ((fraction * angle).sin() / sine))
}

/// Normalizes a quaternion; returns the identity if it is zero or not finite.
pub(super) fn normalised(quaternion: DQuat) -> DQuat {
    let length = quaternion.length();
    if length > 1e-12 && length.is_finite() { quaternion * length.recip() } else { DQuat::IDENTITY }
}
