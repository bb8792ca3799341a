//! Clips: every stack of animation, its layers blended as the file says, sampled to keys.
//!
//! FBX moves Euler angles and pivots along curves, which a channel of translation, rotation or scale is not; so what is no straight line is sampled, on the
//! frames of the file and as many between them as make at least 60 a second. At those times a clip is exact. Between them a joint is off by no more than an
//! eighth of its acceleration times the square of a sample's length, 0.4 mm at 10 m/s². Keys that are at least 20 a second in the file stay what they
//! are. Steps stay steps.

use std::collections::BTreeMap;

use ufbx::{AnimStack, BakeOpts, BakeStepHandling, BakedAnim, BakedNode, BakedVec3};

use super::convert::{unit_quat, vec3};
use super::keys::Keys;
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
const LEAST_RATE: f64 = 60.0;

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
        let moved = baked.nodes.iter().flat_map(|node| moved(hierarchy, node));
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

    fn options(&self, limit: u64) -> BakeOpts {
        let frames = self.scene.settings.frames_per_second;
        let frames = if frames.is_finite() && (1.0..=1000.0).contains(&frames) { frames } else { 30.0 };
        BakeOpts {
            temp_allocator: allocator(limit),
            result_allocator: allocator(limit),
            resample_rate: frames * (LEAST_RATE / frames).ceil(),
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
fn moved(hierarchy: &Hierarchy, baked: &BakedNode) -> Vec<Option<Channel>> {
    let source = (baked.typed_id as usize).checked_sub(1);
    let Some(node) = source.and_then(|source| hierarchy.by_source(source)) else { return Vec::new() };
    let rest = hierarchy.rest(node);
    let vectors = |keys: &[BakedVec3]| Keys::new(keys.iter().map(|key| (key.time, vec3(&key.value).to_array())));
    let rotations = Keys::new(baked.rotation_keys.iter().map(|key| (key.time, unit_quat(&key.value).to_array())));
    let translations = vectors(&baked.translation_keys).reduced(&rest.translation.to_array());
    let rotations = rotations.reduced(&rest.rotation.to_array());
    let scales = vectors(&baked.scale_keys).reduced(&rest.scale.to_array());
    [
        translations.map(|keys| keys.channel(node, Property::Translation)),
        rotations.map(|keys| keys.channel(node, Property::Rotation)),
        scales.map(|keys| keys.channel(node, Property::Scale)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl<const N: usize> Keys<N> {
    /// Keys that are all alike become one key, or nothing where that is as at rest.
    fn reduced(mut self, rest: &[f32; N]) -> Option<Self> {
        match self.constant() {
            Some(value) if is_near(&value, rest) => return None,
            Some(_) => self.keys.truncate(1),
            None => {}
        }
        Some(self).filter(|keys| !keys.keys.is_empty())
    }
}

fn is_near(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()))
}
