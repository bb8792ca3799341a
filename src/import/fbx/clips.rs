//! Clips: every stack of animation, its layers blended as the file says, sampled to keys.
//!
//! FBX moves Euler angles and pivots along curves, which a channel of translation, rotation or scale is not; so they are sampled, on the frames of the
//! file and as many moments between them as make at least 192 a second. Of what lies between frames only that is kept which is not on the way from
//! one to the next, within 0.03 degrees or a hundred thousandth of a length. At its keys and on frames a clip is exact; between samples a rotation is off
//! by a tenth of a degree where angles run fast, and mostly by a hundredth of that. Steps stay steps.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use ufbx::{AnimStack, BakeOpts, BakeStepHandling, BakedAnim, BakedKeyFlags, BakedNode, BakedQuat, BakedVec3};

use super::convert::{unit_quat, vec3};
use super::keys::{Key, Keys};
use super::loader::FbxLoader;
use super::nodes::index;
use super::scene::{allocator, fault};
use super::shape_keys::{ChannelKeys, morph_channel};
use super::shapes::Shapes;
use crate::import::warning::short;
use crate::import::{FbxWarning, ImportError, Stage};
use crate::rig::{Channel, Clip, Hierarchy, Property};

/// Bytes that the samples of any file may take, beside those that its size allows: a file of two keys a thousand years apart is small.
const BAKED_FOR_ANY_FILE: u64 = 1 << 26;

/// Segments of one curve between two keys, at most.
const MOST_SEGMENTS: usize = 1 << 14;

/// Samples a second of what is no straight line, at least.
const LEAST_RATE: f64 = 192.0;

/// How far a sample between frames may be from the way between these, to go: sine of half an angle, 0.03 degrees.
const NEAR_ANGLE: f32 = 2.5e-4;

/// The same for lengths and scales, as a part of them.
const NEAR_LENGTH: f32 = 1e-5;

impl FbxLoader<'_> {
    /// All clips of the file; one that moves nothing stays in the list, so that numbers keep their meaning.
    pub fn clips(&self, hierarchy: &Hierarchy) -> Result<Vec<Clip>, ImportError> {
        let stacks = &self.scene.anim_stacks;
        let mut clips = Vec::with_capacity(stacks.count);
        for (number, stack) in stacks.iter().enumerate() {
            self.job.advance(Stage::Animations, number, stacks.count)?;
            let name = Some(stack.element.name.to_string()).filter(|name| !name.is_empty());
            let name = name.unwrap_or_else(|| format!("clip {number}"));
            clips.push(self.clip(number, name, hierarchy, stack));
        }
        Ok(clips)
    }

    fn clip(&self, number: usize, name: String, hierarchy: &Hierarchy, stack: &AnimStack) -> Clip {
        let authored_rate = Some(self.scene.settings.frames_per_second as f32);
        let mut clip = Clip { name, authored_rate, ..Clip::default() };
        let limit = self.budget.left().min(BAKED_FOR_ANY_FILE.saturating_add(self.size.saturating_mul(64)));
        match ufbx::bake_anim(self.scene, &stack.anim, self.options(limit)) {
            Ok(baked) => {
                clip.channels = self.channels(number, &clip.name, hierarchy, &baked);
                let ends = clip.channels.iter().filter_map(|c| c.times_secs.last().copied());
                clip.duration_secs = ends.fold(0.0, f32::max);
                self.warn_of_clip(number, &clip, &baked);
            }
            Err(error) => {
                let reason = short(&fault(&error, limit).to_string());
                self.warn(FbxWarning::ClipSkipped { number, clip: short(&clip.name), reason });
            }
        }
        clip
    }

    fn channels(&self, number: usize, name: &str, hierarchy: &Hierarchy, baked: &BakedAnim) -> Vec<Channel> {
        let (mut channels, mut unusable) = (Vec::new(), 0_usize);
        let moved = baked.nodes.iter().flat_map(|node| moved(hierarchy, node, self.frames_per_sec()));
        for channel in moved.chain(self.morphed(hierarchy, baked)) {
            match channel {
                Some(channel) if self.budget.charge((channel.values.len() as u64).saturating_mul(8)) => {
                    channels.push(channel);
                }
                _ => unusable = unusable.saturating_add(1),
            }
        }
        if unusable > 0 {
            self.warn(FbxWarning::ChannelsUnusable { number, clip: short(name), channels: unusable });
        }
        channels
    }

    fn frames_per_sec(&self) -> f64 {
        let frames = self.scene.settings.frames_per_second;
        if frames.is_finite() && (1.0..=1000.0).contains(&frames) { frames } else { 30.0 }
    }

    fn options(&self, limit: u64) -> BakeOpts {
        let frames = self.frames_per_sec();
        let rate = frames * (LEAST_RATE / frames).ceil();
        BakeOpts {
            temp_allocator: allocator(limit),
            result_allocator: allocator(limit),
            resample_rate: rate,
            // What has fewer keys than samples is sampled.
            minimum_sample_rate: rate * 0.99,
            max_keyframe_segments: MOST_SEGMENTS,
            step_handling: BakeStepHandling::IdenticalTime,
            key_reduction_enabled: true,
            key_reduction_rotation: true,
            // Only keys on a straight line, but for rounding.
            key_reduction_threshold: 1e-9,
            ..BakeOpts::default()
        }
    }

    /// The morph weights of the nodes whose meshes have animated blend shapes.
    fn morphed(&self, hierarchy: &Hierarchy, baked: &BakedAnim) -> Vec<Option<Channel>> {
        let keys = shape_keys(baked);
        if keys.is_empty() {
            return Vec::new();
        }
        let is_moved = |shapes: &Shapes<'_>| shapes.channels.iter().any(|c| keys.contains_key(&c.element.element_id));
        let meshes = self.scene.nodes.iter().filter_map(|node| {
            let shapes = Shapes::new(node.mesh.as_deref()?);
            Some((index(hierarchy, node)?, shapes)).filter(|(_, shapes)| is_moved(shapes))
        });
        meshes.map(|(node, shapes)| morph_channel(node, &shapes, &keys)).collect()
    }
}

/// The animated weights of blend channels, by the channel's number among all elements; in the file they are per cent.
fn shape_keys(baked: &BakedAnim) -> BTreeMap<u32, ChannelKeys> {
    let weights = baked.elements.iter().filter_map(|element| {
        let property = element.props.iter().find(|property| &*property.name == "DeformPercent")?;
        let keys = property.keys.iter().map(|key| (key.time, key.value.x * 0.01));
        Some((element.element_id, keys.collect()))
    });
    weights.collect()
}

/// The channels of a node, without those that leave it as it is at rest; none for one that is not usable.
fn moved(hierarchy: &Hierarchy, baked: &BakedNode, frames_per_sec: f64) -> Vec<Option<Channel>> {
    let source = (baked.typed_id as usize).checked_sub(1);
    let Some(node) = source.and_then(|source| hierarchy.by_source(source)) else { return Vec::new() };
    let rest = hierarchy.rest(node);
    let is_kept = |time: f64, flags: BakedKeyFlags| {
        let frame = time * frames_per_sec;
        flags.any() || (frame - frame.round()).abs() < 1e-6 * frame.abs().max(1.0)
    };
    let vectors = |keys: &[BakedVec3], rest: Vec3| {
        let key = |key: &BakedVec3| Key {
            time: key.time,
            value: vec3(&key.value).to_array(),
            is_kept: is_kept(key.time, key.flags),
        };
        Keys::new(keys.iter().map(key)).reduced(&rest.to_array()).map(|keys| keys.thinned(is_near_line))
    };
    let turn = |key: &BakedQuat| Key {
        time: key.time,
        value: unit_quat(&key.value).to_array(),
        is_kept: is_kept(key.time, key.flags),
    };
    let turns = Keys::new(baked.rotation_keys.iter().map(turn)).reduced(&rest.rotation.to_array());
    [
        vectors(&baked.translation_keys, rest.translation).map(|keys| keys.channel(node, Property::Translation)),
        turns.map(|keys| keys.thinned(is_near_arc).channel(node, Property::Rotation)),
        vectors(&baked.scale_keys, rest.scale).map(|keys| keys.channel(node, Property::Scale)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn is_near_line(a: &[f32; 3], b: &[f32; 3], share: f32, value: &[f32; 3]) -> bool {
    let [a, b, value] = [a, b, value].map(|v| Vec3::from_array(*v));
    a.lerp(b, share).distance(value) <= NEAR_LENGTH * a.length().max(b.length())
}

fn is_near_arc(a: &[f32; 4], b: &[f32; 4], share: f32, value: &[f32; 4]) -> bool {
    let [a, b, value] = [a, b, value].map(|q| Quat::from_array(*q));
    let between = a.slerp(b, share).inverse().mul_quat(value);
    between.xyz().length() <= NEAR_ANGLE
}
