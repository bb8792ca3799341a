//! Samples every animation stack, with its layers blended, into the keys of a clip. A clip covers the range of its
//! take, shifted to start at 0 s.
//!
//! FBX animates Euler angles and pivots, which don't map to channels of translation, rotation or scale. So curves are
//! sampled at the file's frames, at least 24 per second. An interval between two samples is halved, at most four
//! times, until its error is within 0.03° (rotations) or a relative error of 1e-5 (translations and scales). Clips are exact at
//! keys and frames. Between samples, rotation errors are typically about 0.001° and reach 0.1° where angles change
//! fast. Stepped curves stay stepped.

use std::cell::Cell;
use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use ufbx::{
    AnimStack, BakeOpts, BakeStepHandling, BakedAnim, BakedAnimRoot, BakedNode, BakedProp, BakedVec3, BlendChannel,
};

use super::from_ufbx::{trs, unit_quat, vec3};
use super::key_times::{MAX_SEGMENTS, SampleBudget, clip_stacks};
use super::keys::{SampledKeys, TakeRange};
use super::loader::FbxLoader;
use super::nodes::index;
use super::scene::{allocator, fault};
use super::shape_keys::{ChannelKeys, morph_channel, within};
use super::shapes::Shapes;
use crate::import::warning::short;
use crate::import::{ImportError, ImportWarning, Stage};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Channel, Clip, Hierarchy, Property, Trs};
use rigscope_core::text::counted;

/// Memory for samples, in bytes, that is allowed for every file; larger files may use more. The limit is needed because
/// even a small file may have two keys that are a thousand years apart.
const BAKED_FOR_ANY_FILE: u64 = 1 << 26;

/// Minimum sample rate of non-linear curves before refinement, in Hz.
const MIN_RATE: f64 = 24.0;

/// Sine of half the rotation tolerance of 0.03°.
const NEAR_ANGLE: f32 = 2.5e-4;

/// Bit of [`ufbx::TransformFlags`] that restricts evaluation to the components selected by the bits below.
const EXPLICIT_INCLUDES: u32 = 0x4;
const INCLUDE_TRANSLATION: u32 = 0x10;
const INCLUDE_ROTATION: u32 = 0x20;
const INCLUDE_SCALE: u32 = 0x40;

const WEIGHT: &str = "DeformPercent";

const NEAR_LENGTH: f32 = 1e-5;

impl FbxLoader<'_> {
    /// Returns all clips, including those without motion, so that clip numbers match the file.
    pub(super) fn clips(&self, hierarchy: &Hierarchy) -> Result<Vec<Clip>, ImportError> {
        let stacks: Vec<&AnimStack> = clip_stacks(self.scene).collect();
        let mut clips = Vec::with_capacity(stacks.len());
        let mut samples = SampleBudget::new(self.size);
        for (number, stack) in stacks.iter().enumerate() {
            self.job.advance(Stage::Animations, number, stacks.len())?;
            let name = Some(stack.element.name.to_string()).filter(|name| !name.is_empty());
            let name = name.unwrap_or_else(|| format!("clip {number}"));
            clips.push(self.clip(number, name, hierarchy, (stack, &mut samples)));
        }
        Ok(clips)
    }

    fn clip(
        &self,
        number: usize,
        name: String,
        hierarchy: &Hierarchy,
        (stack, samples): (&AnimStack, &mut SampleBudget),
    ) -> Clip {
        let authored_rate = Some(self.scene.settings.frames_per_second as f32);
        let mut clip = Clip { name, authored_rate, ..Clip::default() };
        match self.baked(stack, samples) {
            Ok(baked) => {
                clip.channels = self.played(number, &clip.name, hierarchy, (stack, &baked));
                let ends = clip.channels.iter().filter_map(|c| c.times_secs.last().copied());
                clip.duration_secs = ends.fold(0.0, f32::max);
                self.warn_of_clip(number, &clip, &baked);
            }
            Err(reason) => self.warn_of_content(number, &clip.name, &format!(" was left out: {reason}")),
        }
        clip
    }

    /// Warns that a clip is not played as stored. The message is the clip's name, followed by `what`.
    pub(super) fn warn_of_content(&self, number: usize, clip: &str, what: &str) {
        let message = format!("Clip \"{}\"{what}", short(clip));
        self.report.warn(ImportWarning::new(Code::ChannelSkipped, Target::clip(number), message).lowered());
    }

    /// Samples a clip. *Errors*: a message for the user if it needs too many samples or too much memory.
    fn baked(&self, stack: &AnimStack, samples: &mut SampleBudget) -> Result<BakedAnimRoot, String> {
        let limit = self.budget.left().min(BAKED_FOR_ANY_FILE.saturating_add(self.size.saturating_mul(64)));
        let options = self.options(limit);
        samples.take(stack, options.resample_rate)?;
        ufbx::bake_anim(self.scene, &stack.anim, options).map_err(|error| short(&fault(&error, limit).to_string()))
    }

    /// Returns the channels of a take, cut to its range. If nothing moves inside the range but something moves outside
    /// it, returns the channels for the whole timeline.
    fn played(
        &self,
        number: usize,
        clip: &str,
        hierarchy: &Hierarchy,
        source: (&AnimStack, &BakedAnim),
    ) -> Vec<Channel> {
        let Some(range) = self.take_range(source) else { return self.channels(number, clip, hierarchy, source, None) };
        let channels = self.channels(number, clip, hierarchy, source, Some(&range));
        let Some(outside) = range.outside.get() else { return channels };
        let [range_secs, outside_secs] = [[range.begin, range.end], outside].map(|times| times.map(|time| time as f32));
        let is_whole = !range.has_motion.get();
        let ([begin, end], [first, last]) = (range_secs, outside_secs);
        let take = format!(": its take goes from {begin:.3} to {end:.3} s");
        let what = if is_whole {
            let keys = format!("while keys from {first:.3} to {last:.3} s move something");
            format!("{take}, where nothing moves, {keys}; the whole time line is played.")
        } else {
            let keys = format!("keys outside, from {first:.3} to {last:.3} s, move something and are not played");
            format!("{take}; {keys}. --whole-timeline plays them.")
        };
        self.warn_of_content(number, clip, &what);
        if is_whole { self.channels(number, clip, hierarchy, source, None) } else { channels }
    }

    /// Returns the range of a take. `None` if the take has no valid range or the job plays the whole timeline. A range
    /// that begins before 0 s is shortened to begin at the first key or 0 s, whichever is earlier.
    fn take_range(&self, (stack, baked): (&AnimStack, &BakedAnim)) -> Option<TakeRange> {
        let (begin, end) = (stack.time_begin, stack.time_end);
        let is_usable = begin.is_finite() && end.is_finite() && begin < end && !self.job.plays_whole_timeline();
        let begin = if begin < 0.0 { begin.max(baked.key_time_min.min(0.0)) } else { begin };
        is_usable.then(|| TakeRange { begin, end, outside: Cell::default(), has_motion: Cell::default() })
    }

    fn channels(
        &self,
        number: usize,
        clip: &str,
        hierarchy: &Hierarchy,
        source: (&AnimStack, &BakedAnim),
        range: Option<&TakeRange>,
    ) -> Vec<Channel> {
        let (stack, baked) = source;
        let (mut channels, mut unusable) = (Vec::new(), 0_usize);
        let moved = baked.nodes.iter().flat_map(|node| self.moved(hierarchy, stack, node, range));
        for channel in moved.chain(self.morphed(hierarchy, baked, range)) {
            match channel {
                Some(channel) if self.budget.charge((channel.values.len() as u64).saturating_mul(8)) => {
                    channels.push(channel);
                }
                _ => unusable = unusable.saturating_add(1),
            }
        }
        if unusable > 0 {
            let channels = counted(unusable, "channel was", "channels were");
            let reason = "not finite, or larger than what is left of the limit for one file";
            let message = format!("Clip \"{}\": {channels} left out: {reason}.", short(clip));
            self.report.warn(ImportWarning::new(Code::ChannelSkipped, Target::clip(number), message).lowered());
        }
        channels
    }

    fn options(&self, limit: u64) -> BakeOpts {
        let frames = self.scene.settings.frames_per_second;
        let frames = if frames.is_finite() && (1.0..=1000.0).contains(&frames) { frames } else { 30.0 };
        let rate = frames * (MIN_RATE / frames).ceil();
        BakeOpts {
            temp_allocator: allocator(limit),
            result_allocator: allocator(limit),
            resample_rate: rate,
            minimum_sample_rate: rate * 0.99,
            max_keyframe_segments: MAX_SEGMENTS,
            step_handling: BakeStepHandling::IdenticalTime,
            key_reduction_enabled: true,
            key_reduction_rotation: true,
            key_reduction_threshold: 1e-9,
            ..BakeOpts::default()
        }
    }

    fn moved(
        &self,
        hierarchy: &Hierarchy,
        stack: &AnimStack,
        baked: &BakedNode,
        range: Option<&TakeRange>,
    ) -> Vec<Option<Channel>> {
        let Some(source) = self.scene.nodes.as_ref().get(baked.typed_id as usize) else { return Vec::new() };
        let Some(node) = index(hierarchy, source) else { return Vec::new() };
        let rest = hierarchy.rest(node);
        let exact = |time: f64, part: u32| {
            trs(&ufbx::evaluate_transform_flags(&stack.anim, source, time, EXPLICIT_INCLUDES | part))
        };
        let begin = range.map_or(0.0, |range| range.begin);
        let vectors = |keys: &[BakedVec3], rest: Vec3, part: u32, of: fn(&Trs) -> Vec3| {
            let value = |time| of(&exact(time, part)).to_array();
            let keys = SampledKeys::new(keys.iter().map(|key| (key.time, vec3(&key.value).to_array())));
            let keys = keys.within(range, value).reduced(&rest.to_array())?;
            Some(keys.refined(|time| value(begin + time), is_on_line))
        };
        let turn = |time| exact(time, INCLUDE_ROTATION).rotation.to_array();
        let turns =
            SampledKeys::new(baked.rotation_keys.iter().map(|key| (key.time, unit_quat(&key.value).to_array())));
        let turns = turns.within(range, turn).reduced(&rest.rotation.to_array());
        let turns = turns.map(|keys| keys.refined(|time| turn(begin + time), is_on_arc));
        let moves = vectors(&baked.translation_keys, rest.translation, INCLUDE_TRANSLATION, |trs| trs.translation);
        let scales = vectors(&baked.scale_keys, rest.scale, INCLUDE_SCALE, |trs| trs.scale);
        [
            moves.map(|keys| keys.channel(node, Property::Translation)),
            turns.map(|keys| keys.channel(node, Property::Rotation)),
            scales.map(|keys| keys.channel(node, Property::Scale)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn morphed(&self, hierarchy: &Hierarchy, baked: &BakedAnim, range: Option<&TakeRange>) -> Vec<Option<Channel>> {
        let keys = self.shape_keys(baked, range);
        if keys.is_empty() {
            return Vec::new();
        }
        let is_moved = |shapes: &Shapes<'_>| shapes.channels.iter().any(|c| keys.contains_key(&c.element.element_id));
        let meshes = self.scene.nodes.iter().filter_map(|node| {
            let shapes = Shapes::new(node.mesh.as_deref()?);
            Some((index(hierarchy, node)?, shapes)).filter(|(_, shapes)| is_moved(shapes))
        });
        meshes.map(|(node, shapes)| morph_channel(node, &shapes, &keys, self.budget.left())).collect()
    }

    /// Returns the animated weights, converted from percent and keyed by the element ID of the blend channel.
    fn shape_keys(&self, baked: &BakedAnim, range: Option<&TakeRange>) -> BTreeMap<u32, ChannelKeys> {
        let animated: BTreeMap<(u32, &str), &BakedProp> = baked
            .elements
            .iter()
            .flat_map(|element| element.props.iter().map(|property| ((element.element_id, &*property.name), property)))
            .collect();
        let weights = self.scene.blend_channels.iter().filter_map(|channel| {
            let property = weight_places(channel).find_map(|place| animated.get(&place))?;
            let keys = property.keys.iter().map(|key| (key.time, key.value.x * 0.01)).collect();
            Some((channel.element.element_id, within(keys, range)))
        });
        weights.collect()
    }
}

/// Returns the element ID and the name of each property that may contain a blend channel's weight. Before FBX 7000, the
/// weight is a property of the mesh's node, which ufbx connects to the channel's own property.
pub(super) fn weight_places(channel: &BlendChannel) -> impl Iterator<Item = (u32, &str)> {
    let own = &channel.element;
    let connected = own.connections_dst.iter().filter(|c| &*c.dst_prop == WEIGHT && !c.src_prop.is_empty());
    connected.map(|c| (c.src.element_id, &*c.src_prop)).chain([(own.element_id, WEIGHT)])
}

fn is_on_line(a: &[f32; 3], b: &[f32; 3], share: f32, value: &[f32; 3]) -> bool {
    let [a, b, value] = [a, b, value].map(|v| Vec3::from_array(*v));
    a.lerp(b, share).distance(value) <= NEAR_LENGTH * a.length().max(b.length())
}

fn is_on_arc(a: &[f32; 4], b: &[f32; 4], share: f32, value: &[f32; 4]) -> bool {
    let [a, b, value] = [a, b, value].map(|q| Quat::from_array(*q));
    a.slerp(b, share).inverse().mul_quat(value).xyz().length() <= NEAR_ANGLE
}
