//! Animation clips. Unplayable channels are left out. Channels of one clip that have the same fault share one warning.

use std::collections::HashSet;
use std::mem::discriminant;
use std::sync::Arc;

use super::accessor::ExpectedLayout;
use super::loader::GltfLoader;
use super::schema::{self, GltfTarget, Shape, number, valid};
use crate::import::warning::Reason;
use crate::import::warning::short;
use crate::import::{ImportError, ImportWarning, Stage};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Channel, Clip, Hierarchy, Interpolation, Property};
use rigscope_core::text;

impl GltfLoader<'_> {
    /// Returns all clips, including those without playable channels, so that clip numbers match the file.
    pub(super) fn clips(&self, hierarchy: &Hierarchy) -> Result<Vec<Clip>, ImportError> {
        let animations = &self.source.document.animations;
        let mut clips = Vec::with_capacity(animations.len());
        for (index, animation) in animations.iter().enumerate() {
            self.source.job.advance(Stage::Animations, index, animations.len())?;
            let animation = animation.valid();
            if animation.is_none() {
                self.report.warn(ImportWarning::malformed("Clip", index));
            }
            let name = animation.and_then(|a| a.name.clone()).filter(|n| !n.is_empty());
            let name = name.unwrap_or_else(|| format!("clip {index}"));
            let channels =
                animation.map(|a| self.channels(index, &name, a, hierarchy)).transpose()?.unwrap_or_default();
            let ends = channels.iter().filter_map(|c| c.times_secs.last().copied());
            clips.push(Clip { duration_secs: ends.fold(0.0, f32::max), name, channels, authored_rate: None });
        }
        Ok(clips)
    }

    fn channels(
        &self,
        number: usize,
        clip: &str,
        animation: &schema::Animation,
        hierarchy: &Hierarchy,
    ) -> Result<Vec<Channel>, ImportError> {
        let mut channels = Vec::with_capacity(animation.channels.len());
        let (mut skipped, mut jumps) = (Vec::new(), Jumps::default());
        for (index, channel) in animation.channels.iter().enumerate() {
            if self.source.job.progress.is_cancelled() {
                return Err(ImportError::Cancelled);
            }
            let read = channel.valid().ok_or(ChannelFault::Malformed);
            match read.and_then(|c| self.channel(animation, c, hierarchy)) {
                Ok(mut channel) => {
                    jumps.add(index, thin(&mut channel));
                    channels.push(channel);
                }
                Err(fault) => SkippedChannels::add(&mut skipped, index, fault),
            }
        }
        self.warn_of_targets(number, clip, animation);
        let clip = short(clip);
        if let Some((first, time_secs)) = jumps.first {
            let repeated = match (jumps.keys, jumps.channels) {
                (1, _) => "a key at the time of the key before it".to_owned(),
                (keys, 1) => format!("{keys} keys at the time of the key before them"),
                (keys, channels) => format!("{keys} keys at the time of the key before them, in {channels} channels"),
            };
            let message = format!(
                "Clip \"{clip}\" has {repeated}; it jumps there, first at {} s in channel {first}.",
                text::number(time_secs)
            );
            self.report.warn(ImportWarning::new(Code::KeyTimesRepeat, Target::clip(number), message));
        }
        for SkippedChannels { channel, fault, channels } in skipped {
            let skipped = match channels {
                1 => format!("Channel {channel} of clip \"{clip}\" was left out"),
                _ => format!("{channels} channels of clip \"{clip}\" were left out, channel {channel} the first"),
            };
            let warning = ImportWarning::new(fault.code(), Target::clip(number), format!("{skipped}: {fault}."));
            self.report.warn(if fault.conforms() { warning.lowered() } else { warning });
        }
        Ok(channels)
    }

    /// Warns about channels that share a target, and about channels that animate a node defined by a matrix.
    fn warn_of_targets(&self, number: usize, clip: &str, animation: &schema::Animation) {
        let mut seen = HashSet::new();
        let (mut repeated, mut fixed) = (Vec::new(), Vec::new());
        for (index, channel) in animation.channels.iter().enumerate() {
            let Some(GltfTarget { node: Some(node), path }) = channel.valid().map(|c| &c.target) else { continue };
            if !seen.insert((node, path)) {
                repeated.push(index);
            }
            let is_fixed = self.source.document.nodes.get(*node).is_some_and(|node| node.matrix.is_some());
            if is_fixed && path != "weights" {
                fixed.push((index, *node));
            }
        }
        let warn = |code, count: usize, what: String| {
            let channels = if count == 1 { "1 channel moves".to_owned() } else { format!("{count} channels move") };
            let message = format!("{channels} in clip \"{}\" {what}.", short(clip));
            self.report.warn(ImportWarning::new(code, Target::clip(number), message));
        };
        if let Some(first) = repeated.first() {
            let what = "the same property of the same node as an earlier channel";
            let what = format!("{what}, first channel {first}; the last one counts");
            warn(Code::ChannelsTwice, repeated.len(), what);
        }
        if let Some((first, node)) = fixed.first() {
            let what = format!("a node that is given by a matrix, first channel {first} node {node}");
            warn(Code::MatrixAnimated, fixed.len(), what);
        }
    }

    fn channel(
        &self,
        animation: &schema::Animation,
        channel: &schema::GltfChannel,
        hierarchy: &Hierarchy,
    ) -> Result<Channel, ChannelFault> {
        let property = property(&channel.target.path)?;
        let source = channel.target.node.ok_or(ChannelFault::NoNode)?;
        let fault = ChannelFault::Node { node: source, count: hierarchy.len() };
        let node = hierarchy.by_source(source).ok_or(fault)?;
        let sampler = valid(&animation.samplers, channel.sampler).ok_or(ChannelFault::Sampler(channel.sampler))?;
        let interpolation = interpolation(sampler.interpolation.as_deref())?;
        let times = self
            .source
            .read::<1, f32>(sampler.input, ExpectedLayout::any(Shape::Scalar))
            .map_err(ChannelFault::Times)?;
        self.warn_of_bounds(sampler.input, &times);
        let times_secs: Arc<[f32]> = times.into_iter().map(|[t]| t).collect();
        check_times(&times_secs)?;
        let width = match property {
            Property::Rotation => 4,
            Property::Translation | Property::Scale => 3,
            Property::MorphWeights => {
                let mesh = number(self.source_node(hierarchy, node).mesh);
                let targets = mesh.map_or(0, |m| self.source.target_count(m));
                if targets == 0 { Err(ChannelFault::NoTargets(source)) } else { Ok(targets) }?
            }
        };
        let values = self.values(sampler.output, property, interpolation, times_secs.len(), width)?;
        if values.iter().any(|v| !v.is_finite()) {
            return Err(ChannelFault::NotFinite);
        }
        Ok(Channel { node, property, interpolation, times_secs, values, width })
    }

    fn values(
        &self,
        accessor: usize,
        property: Property,
        interpolation: Interpolation,
        keys: usize,
        width: usize,
    ) -> Result<Vec<f32>, ChannelFault> {
        let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let count = keys.saturating_mul(per_key);
        let flat = match property {
            Property::Rotation => self
                .source
                .read::<4, f32>(accessor, ExpectedLayout::exactly(Shape::Vec4, count))
                .map(|v| v.into_iter().flatten().collect()),
            Property::Translation | Property::Scale => self
                .source
                .read::<3, f32>(accessor, ExpectedLayout::exactly(Shape::Vec3, count))
                .map(|v| v.into_iter().flatten().collect()),
            Property::MorphWeights => self
                .source
                .read::<1, f32>(accessor, ExpectedLayout::exactly(Shape::Scalar, count.saturating_mul(width)))
                .map(|v| v.into_iter().flatten().collect()),
        };
        flat.map_err(ChannelFault::Values)
    }
}

#[derive(Debug, PartialEq, thiserror::Error)]
enum ChannelFault {
    #[error("it is malformed")]
    Malformed,
    #[error("its sampler {0} does not exist or is malformed")]
    Sampler(usize),
    #[error("its interpolation \"{0}\" is unknown")]
    Interpolation(String),
    #[error("it moves \"{0}\", which is not read")]
    Path(String),
    #[error("it has no target node")]
    NoNode,
    #[error("it animates node {node}, but there are {count} nodes")]
    Node { node: usize, count: usize },
    #[error("it animates morph weights of node {0}, whose mesh has no morph targets")]
    NoTargets(usize),
    #[error("its times cannot be read: {0}")]
    Times(Reason),
    #[error("its times fall or are not finite numbers at key {key}")]
    TimesOrder { key: usize },
    #[error("its values cannot be read: {0}")]
    Values(Reason),
    #[error("its values are not finite numbers")]
    NotFinite,
}

impl ChannelFault {
    fn code(&self) -> Code {
        if matches!(self, Self::TimesOrder { .. }) { Code::KeyTimesOrder } else { Code::ChannelSkipped }
    }

    /// Returns whether the channel may be valid glTF that uses an extension.
    fn conforms(&self) -> bool {
        matches!(self, Self::Path(_) | Self::NoNode | Self::Interpolation(_))
    }
}

fn property(path: &str) -> Result<Property, ChannelFault> {
    Ok(match path {
        "translation" => Property::Translation,
        "rotation" => Property::Rotation,
        "scale" => Property::Scale,
        "weights" => Property::MorphWeights,
        _ => return Err(ChannelFault::Path(short(path))),
    })
}

fn interpolation(name: Option<&str>) -> Result<Interpolation, ChannelFault> {
    Ok(match name {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        Some(found) => return Err(ChannelFault::Interpolation(short(found))),
    })
}

struct SkippedChannels {
    channel: usize,
    fault: ChannelFault,
    channels: usize,
}

impl SkippedChannels {
    fn add(list: &mut Vec<Self>, channel: usize, fault: ChannelFault) {
        match list.iter_mut().find(|s| discriminant(&s.fault) == discriminant(&fault)) {
            Some(same) => same.channels = same.channels.saturating_add(1),
            None => list.push(Self { channel, fault, channels: 1 }),
        }
    }
}

#[derive(Default)]
struct Jumps {
    keys: usize,
    channels: usize,
    first: Option<(usize, f32)>,
}

impl Jumps {
    fn add(&mut self, channel: usize, (keys, first): (usize, Option<f32>)) {
        let Some(time_secs) = first else { return };
        self.keys = self.keys.saturating_add(keys);
        self.channels = self.channels.saturating_add(1);
        self.first.get_or_insert((channel, time_secs));
    }
}

/// Reduces each run of keys at the same time to its first and last key. Returns the number of repeated keys and the
/// time of the first repeated key.
fn thin(channel: &mut Channel) -> (usize, Option<f32>) {
    let times = &channel.times_secs;
    let repeated: Vec<f32> =
        times.windows(2).filter(|w| w.first() == w.last()).filter_map(|w| w.first()).copied().collect();
    if times.windows(3).any(|w| w.first() == w.last()) {
        let is_inner = |key: usize| key > 0 && times.get(key.saturating_sub(1)) == times.get(key.saturating_add(1));
        let kept: Vec<bool> = (0..times.len()).map(|key| !is_inner(key)).collect();
        let numbers = channel.values.len().checked_div(times.len()).unwrap_or(0).max(1);
        let values = channel.values.chunks(numbers).zip(&kept).filter(|(_, is_kept)| **is_kept);
        channel.values = values.flat_map(|(value, _)| value).copied().collect();
        let times = times.iter().zip(&kept).filter(|(_, is_kept)| **is_kept);
        channel.times_secs = times.map(|(time, _)| *time).collect();
    }
    (repeated.len(), repeated.first().copied())
}

fn check_times(times_secs: &[f32]) -> Result<(), ChannelFault> {
    let mut before = f32::NEG_INFINITY;
    for (key, &time) in times_secs.iter().enumerate() {
        if !time.is_finite() || time < before {
            return Err(ChannelFault::TimesOrder { key });
        }
        before = time;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::NodeIndex;

    #[test]
    fn times_must_be_finite_and_not_fall() {
        assert_eq!(check_times(&[-1.0, 0.0, 0.5]), Ok(()));
        assert_eq!(check_times(&[0.0, 0.0]), Ok(()));
        assert_eq!(check_times(&[0.0, 0.5, 0.4]), Err(ChannelFault::TimesOrder { key: 2 }));
        assert_eq!(check_times(&[0.0, f32::NAN]), Err(ChannelFault::TimesOrder { key: 1 }));
        assert_eq!(check_times(&[f32::INFINITY]), Err(ChannelFault::TimesOrder { key: 0 }));
    }

    #[test]
    fn of_keys_at_one_time_the_first_and_the_last_are_kept_with_their_values() {
        let channel = |times: &[f32], interpolation, width: usize| {
            let per_key = if interpolation == Interpolation::CubicSpline { 3 * width } else { width };
            let values = (0..times.len() * per_key).map(|n| (n / per_key) as f32).collect();
            Channel::new(NodeIndex(0), Property::Translation, interpolation, times, values)
        };
        for (interpolation, width, numbers) in
            [(Interpolation::Linear, 3, 3), (Interpolation::Step, 1, 1), (Interpolation::CubicSpline, 3, 9)]
        {
            let mut odd = channel(&[0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0], interpolation, width);
            assert_eq!(thin(&mut odd), (6, Some(0.0)));
            assert_eq!(*odd.times_secs, [0.0, 0.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
            let keys = [0.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 9.0];
            assert_eq!(odd.values, keys.iter().flat_map(|&key| vec![key; numbers]).collect::<Vec<_>>());
            let mut usual = channel(&[0.0, 1.0], interpolation, width);
            assert_eq!((thin(&mut usual), usual.times_secs.len()), ((0, None), 2));
        }
    }

    #[test]
    fn only_the_four_paths_of_gltf_are_played() {
        assert_eq!(property("weights"), Ok(Property::MorphWeights));
        assert_eq!(property("pointer"), Err(ChannelFault::Path("pointer".to_owned())));
        assert_eq!(interpolation(None), Ok(Interpolation::Linear));
        assert!(matches!(interpolation(Some("CATMULLROM")), Err(ChannelFault::Interpolation(_))));
    }
}
