use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};

use super::slerp::slerp;
use super::{NodeIndex, Trs};

/// Keyframe animation of nodes.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// Name in the file; may be empty.
    pub name: String,
    /// Time of the last key, seconds.
    pub duration_secs: f32,
    /// Channels in file order. If several channels animate the same property of a node, the last one applies.
    pub channels: Vec<Channel>,
    /// Authored frame rate, frames per second; `None` if the file has none.
    pub authored_rate: Option<f32>,
}

impl Clip {
    /// Returns the time of the earliest key, seconds; `None` without channels.
    pub fn first_key_secs(&self) -> Option<f32> {
        self.channels.iter().filter_map(|channel| channel.times_secs.first().copied()).reduce(f32::min)
    }

    /// Returns the display name, with a placeholder if the clip is unnamed.
    pub fn title(&self) -> &str {
        if self.name.is_empty() { "Unnamed clip" } else { &self.name }
    }
}

/// Keyframes of one property of one node. *Shapes*: `times_secs` is ascending and not empty. `values` holds `width`
/// numbers per key, or three times as many for `CubicSpline` (in-tangent, value, out-tangent). If two keys have the
/// same time, the second applies from that time on.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Node that the channel animates.
    pub node: NodeIndex,
    /// Animated property of the node.
    pub property: Property,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// Key times, seconds. Channels with equal key times share one array.
    pub times_secs: Arc<[f32]>,
    /// Key values; see [`Property`] for the components.
    pub values: Vec<f32>,
    /// Numbers per value: 3 for translation and scale, 4 for rotation, or the number of morph weights.
    pub width: usize,
}

/// Animated property of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Translation, metres.
    Translation,
    /// Rotation, a unit quaternion (x, y, z, w).
    Rotation,
    /// Scale factors.
    Scale,
    /// Morph target weights of the node's mesh.
    MorphWeights,
}

/// Interpolation between keys (glTF 2.0, appendix C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the earlier key.
    Step,
    /// Linear; for rotations, along the shortest arc.
    Linear,
    /// Cubic Hermite spline, tangents scaled by the key interval.
    CubicSpline,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct KeySpan {
    pub from: usize,
    pub to: usize,
    pub fraction: f32,
    interval_secs: f32,
}

impl KeySpan {
    /// Returns the span of keys around a time; `until` is the number of keys at or before that time.
    pub(super) fn new(times_secs: &[f32], until: usize, time_secs: f32) -> Self {
        // If two keys have the same time, spans end at the first and start at the second, so that no span crosses the
        // jump.
        let (from, to) = (until.saturating_sub(1), until.min(times_secs.len() - 1));
        let interval_secs = times_secs[to] - times_secs[from];
        let fraction =
            if interval_secs > 0.0 { ((time_secs - times_secs[from]) / interval_secs).clamp(0.0, 1.0) } else { 0.0 };
        Self { from, to, fraction, interval_secs }
    }
}

impl Channel {
    /// Creates a channel, deriving its width from the numbers of keys and values.
    pub fn new(
        node: NodeIndex,
        property: Property,
        interpolation: Interpolation,
        times_secs: impl Into<Arc<[f32]>>,
        values: Vec<f32>,
    ) -> Self {
        let times_secs = times_secs.into();
        let parts = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let width = values.len() / times_secs.len().max(1) / parts;
        Self { node, property, interpolation, times_secs, values, width }
    }

    /// Creates a linearly interpolated channel; see [`Self::new`].
    pub fn linear(node: NodeIndex, property: Property, times_secs: impl Into<Arc<[f32]>>, values: Vec<f32>) -> Self {
        Self::new(node, property, Interpolation::Linear, times_secs, values)
    }

    /// Iterates over the key values, without tangents.
    pub fn key_values(&self) -> impl Iterator<Item = &[f32]> {
        let (skip, step) = if self.interpolation == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
        self.values.chunks_exact(self.width.max(1)).skip(skip).step_by(step)
    }

    /// Returns whether all spline tangents are zero, within a tolerance; true for other interpolations.
    pub fn has_flat_tangents(&self, within: f32) -> bool {
        let width = self.width.max(1);
        self.interpolation != Interpolation::CubicSpline
            || self
                .values
                .chunks_exact(width)
                .enumerate()
                .all(|(n, value)| n % 3 == 1 || value.iter().all(|v| v.abs() <= within))
    }

    /// Writes the value at `time_secs` to `out`, which must hold `width` numbers. Times outside the keys are clamped to the
    /// first or last key.
    pub fn sample(&self, time_secs: f32, out: &mut [f32]) {
        let until = self.times_secs.partition_point(|&t| t <= time_secs);
        self.sample_span(&KeySpan::new(&self.times_secs, until, time_secs), out);
    }

    pub(super) fn sample_span(&self, span: &KeySpan, out: &mut [f32]) {
        match self.interpolation {
            Interpolation::Step => out.copy_from_slice(self.value(span.from)),
            Interpolation::Linear => self.sample_linear(span, out),
            Interpolation::CubicSpline => self.cubic(span, out),
        }
    }

    fn value(&self, key: usize) -> &[f32] {
        match self.interpolation {
            Interpolation::CubicSpline => self.part(key, 1),
            _ => &self.values[key * self.width..(key + 1) * self.width],
        }
    }

    fn part(&self, key: usize, part: usize) -> &[f32] {
        let start = (key * 3 + part) * self.width;
        &self.values[start..start + self.width]
    }

    fn sample_linear(&self, span: &KeySpan, out: &mut [f32]) {
        let (a, b) = (self.value(span.from), self.value(span.to));
        if self.property == Property::Rotation {
            out.copy_from_slice(&slerp(Quat::from_slice(a), Quat::from_slice(b), span.fraction).to_array());
        } else {
            for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *o = a + (b - a) * span.fraction;
            }
        }
    }

    fn cubic(&self, span: &KeySpan, out: &mut [f32]) {
        if span.from == span.to {
            out.copy_from_slice(self.value(span.from));
            return;
        }
        let (u, d) = (span.fraction, span.interval_secs);
        let (u2, u3) = (u * u, u * u * u);
        let value_from = 2.0 * u3 - 3.0 * u2 + 1.0;
        let slope_from = d * (u3 - 2.0 * u2 + u);
        let value_to = 3.0 * u2 - 2.0 * u3;
        let slope_to = d * (u3 - u2);
        for (i, o) in out.iter_mut().enumerate() {
            *o = value_from * self.part(span.from, 1)[i]
                + slope_from * self.part(span.from, 2)[i]
                + value_to * self.part(span.to, 1)[i]
                + slope_to * self.part(span.to, 0)[i];
        }
    }

    pub(super) fn translation(&self, span: &KeySpan) -> DVec3 {
        let vector = |values: &[f32]| Vec3::from_slice(values).as_dvec3();
        let [from, to] = [span.from, span.to].map(|key| vector(self.value(key)));
        let along = to - from;
        let share = f64::from(span.fraction);
        match self.interpolation {
            Interpolation::Step => from,
            _ if span.from == span.to => from,
            Interpolation::Linear => from + along * share,
            Interpolation::CubicSpline => {
                let [out, into] = [(span.from, 2), (span.to, 0)].map(|(key, part)| vector(self.part(key, part)));
                let (squared, interval) = (share * share, f64::from(span.interval_secs));
                let leaving = out * (interval * (squared * share - 2.0 * squared + share));
                let arriving = into * (interval * (squared * share - squared));
                from + along * (3.0 * squared - 2.0 * squared * share) + leaving + arriving
            }
        }
    }

    /// Sets the channel's property in `local`; does nothing for morph weights.
    pub(super) fn apply(&self, span: &KeySpan, local: &mut Trs) {
        let mut value = [0.0; 4];
        match self.property {
            Property::MorphWeights => return,
            Property::Rotation => self.sample_span(span, &mut value),
            Property::Translation | Property::Scale => self.sample_span(span, &mut value[..3]),
        }
        let vector = Vec3::new(value[0], value[1], value[2]);
        match self.property {
            Property::Translation => local.translation = vector,
            Property::Scale => local.scale = vector,
            _ => local.rotation = unit_quat(&value),
        }
    }
}

fn unit_quat(xyzw: &[f32]) -> Quat {
    let q = Quat::from_slice(xyzw);
    let length = q.length();
    if length > 1e-12 { q * length.recip() } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;

    #[test]
    fn translations_in_double_precision_are_those_in_single_precision() {
        let keys = |count: u16| (0..count).map(|n| f32::from(n * 7 % 5) * 0.5 - 1.0).collect::<Vec<_>>();
        for (interpolation, count) in
            [(Interpolation::Step, 9), (Interpolation::Linear, 9), (Interpolation::CubicSpline, 27)]
        {
            let channel = channel(Property::Translation, interpolation, &keys(count));
            for time_secs in [0.5, 1.0, 1.25, 2.0, 3.5, 4.0, 5.0] {
                let mut single = [0.0; 3];
                channel.sample(time_secs, &mut single);
                let until = channel.times_secs.partition_point(|&t| t <= time_secs);
                let double = channel.translation(&KeySpan::new(&channel.times_secs, until, time_secs));
                let is_same = double.distance(Vec3::from(single).as_dvec3()) < 1e-5;
                assert!(is_same, "{interpolation:?} at {time_secs} s: {double} is not {single:?}");
            }
        }
    }

    fn channel(property: Property, interpolation: Interpolation, values: &[f32]) -> Channel {
        Channel::new(NodeIndex(0), property, interpolation, [1.0, 2.0, 4.0], values.to_vec())
    }

    fn at(channel: &Channel, time: f32) -> f32 {
        let mut out = vec![0.0; channel.width];
        channel.sample(time, &mut out);
        out[0]
    }

    #[test]
    fn times_clamp_and_steps_hold() {
        let c = channel(Property::MorphWeights, Interpolation::Step, &[1.0, 2.0, 3.0]);
        for (time, value) in [(-5.0, 1.0), (1.0, 1.0), (1.99, 1.0), (2.0, 2.0), (3.9, 2.0), (4.0, 3.0), (9.0, 3.0)] {
            assert_eq!(at(&c, time), value, "at {time}");
        }
    }

    #[test]
    fn between_keys_of_a_linear_channel_values_lie_on_a_line() {
        let c = channel(Property::MorphWeights, Interpolation::Linear, &[0.0, 2.0, 4.0]);
        for (time, value) in [(0.0, 0.0), (1.5, 1.0), (3.0, 3.0), (4.0, 4.0)] {
            assert_eq!(at(&c, time), value, "at {time}");
        }
    }

    fn around(time: f32) -> [f32; 2] {
        [time.next_down(), time.next_up()]
    }

    #[test]
    fn two_keys_at_one_time_are_a_jump_in_every_interpolation() {
        for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
            let is_spline = interpolation == Interpolation::CubicSpline;
            let keys = [0.0_f32, 2.0, 10.0, 14.0].map(|v| if is_spline { vec![0.0, v, 0.0] } else { vec![v] });
            let mut c = channel(Property::MorphWeights, interpolation, &keys.concat());
            c.times_secs = [0.0, 1.0, 1.0, 2.0].into();
            let [before, after] = around(1.0);
            let held = if interpolation == Interpolation::Step { 0.0 } else { 2.0 };
            assert!((at(&c, before) - held).abs() < 1e-5, "{interpolation:?}: {}", at(&c, before));
            assert_eq!(at(&c, 1.0), 10.0, "{interpolation:?}");
            assert!((at(&c, after) - 10.0).abs() < 1e-5, "{interpolation:?}");
            if interpolation != Interpolation::Step {
                assert!((at(&c, 0.5) - 1.0).abs() < 1e-6 && (at(&c, 1.5) - 12.0).abs() < 1e-6, "{interpolation:?}");
            }
        }
    }

    #[test]
    fn a_jump_at_either_end_holds_outside_of_it() {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let mut c = channel(Property::MorphWeights, interpolation, &[1.0, 2.0, 5.0, 7.0]);
            c.times_secs = [0.0, 0.0, 3.0, 3.0].into();
            for (time, value) in [(-1.0, 1.0), (0.0, 2.0), (3.0, 7.0), (9.0, 7.0)] {
                assert_eq!(at(&c, time), value, "{interpolation:?} at {time}");
            }
        }
    }

    #[test]
    fn splines_follow_a_cubic_exactly() {
        // f(t) = t^3 - t: a Hermite spline with exact tangents reproduces the cubic.
        let f = |t: f32| t * t * t - t;
        let slope = |t: f32| 3.0 * t * t - 1.0;
        let values: Vec<f32> = [1.0, 2.0, 4.0].iter().flat_map(|&t| [slope(t), f(t), slope(t)]).collect();
        let c = channel(Property::MorphWeights, Interpolation::CubicSpline, &values);
        for time in [1.0, 1.25, 1.9, 2.0, 2.7, 3.5, 4.0] {
            assert!((at(&c, time) - f(time)).abs() < 1e-4, "at {time}");
        }
    }

    #[test]
    fn rotations_take_the_shortest_arc() {
        let (a, b) = (Quat::from_rotation_y(0.9 * PI), Quat::from_rotation_y(1.1 * PI) * -1.0);
        let values: Vec<f32> = [a, b, b].iter().flat_map(Quat::to_array).collect();
        let c = channel(Property::Rotation, Interpolation::Linear, &values);
        let mut turned = [0.0; 4];
        c.sample(1.5, &mut turned);
        assert!(Quat::from_array(turned).dot(Quat::from_rotation_y(PI)).abs() > 1.0 - 1e-6);
    }

    #[test]
    fn keys_that_channels_round_differently_are_one_stop() {
        let at = |times_secs: Vec<f32>| {
            let values = vec![0.0; times_secs.len()];
            Channel::linear(NodeIndex(0), Property::MorphWeights, times_secs, values)
        };
        let channels = vec![at(vec![0.0, 1.0, 2.0]), at(vec![0.000_05, 1.000_05, 2.0])];
        let clip = Clip { channels, ..Clip::default() };
        assert_eq!(clip.key_after(0.0), Some(1.0));
        assert_eq!(clip.key_before(1.000_05), Some(0.000_05));
    }
}
