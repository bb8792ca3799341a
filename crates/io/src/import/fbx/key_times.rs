//! Validates key times and limits the number of samples, before clips are sampled.

use std::collections::HashSet;

use ufbx::{AnimCurve, AnimStack, Keyframe, Scene, SceneRoot};

use crate::import::ImportWarning;
use crate::import::warning::short;
use rigscope_core::findings::{Code, Target};
use rigscope_core::text::{self, counted};

/// Maximum distance of a key from 0 s, in seconds. Beyond this, f32 cannot separate two frames at 30 fps.
pub(super) const MAX_SECS: f64 = 262_144.0;

pub(super) const MAX_SEGMENTS: usize = 1 << 14;

/// Number of samples between keys that is allowed for every file; larger files may use more. The limit is needed
/// because even a small file may have two keys that are a day apart.
const SAMPLES_FOR_ANY_FILE: u64 = 1 << 20;

const SAMPLES_FOR_BYTE: u64 = 8;

/// Returns the stacks that become clips. For files before FBX 6000, ufbx adds a stack for values outside takes, which
/// becomes a clip only if a curve has several keys.
pub(super) fn clip_stacks(scene: &Scene) -> impl Iterator<Item = &AnimStack> {
    let is_addition = |stack: &AnimStack| {
        let curves = stack.layers.iter().flat_map(|layer| layer.anim_values.iter()).flat_map(|value| &value.curves);
        scene.metadata.version < 6000
            && &*stack.element.name == "(internal)"
            && curves.flatten().all(|curve| curve.keyframes.count <= 1)
    };
    scene.anim_stacks.iter().map(|stack| &**stack).filter(move |stack| !is_addition(stack))
}

fn curves(stack: &AnimStack) -> impl Iterator<Item = (&AnimCurve, impl Fn() -> String)> {
    let properties = stack.layers.iter().flat_map(|layer| layer.anim_props.iter());
    properties.flat_map(|property| {
        let curves = property.anim_value.curves.iter().zip(["X", "Y", "Z"]);
        curves.filter_map(move |(curve, axis)| {
            let what = move || format!("{} of \"{}\", {axis}", &*property.prop_name, short(&property.element.name));
            Some((&**curve.as_ref()?, what))
        })
    })
}

/// Replaces each key that has an invalid time with the previous valid key or, if there is none, with the first valid
/// key. If no key is valid, moves the first key to 0 s and replaces all keys with it. Returns a warning for each clip
/// with invalid keys.
pub(super) fn refuse_keys(scene: &mut SceneRoot) -> Vec<ImportWarning> {
    let scene: &Scene = scene;
    let mut warnings = Vec::new();
    for (number, stack) in clip_stacks(scene).enumerate() {
        let mut first: Option<(String, usize, f64)> = None;
        let mut refused = 0_usize;
        for (curve, what) in curves(stack) {
            let Some((key, time)) = first_refused(&curve.keyframes) else { continue };
            first.get_or_insert_with(|| (what(), key, time));
            refused = refused.saturating_add(replace_refused(curve));
        }
        if let Some((curve, key, time_secs)) = first {
            let keys = format!(
                "Clip \"{}\": {} left out",
                short(&stack.element.name),
                counted(refused, "key was", "keys were")
            );
            let range = "since times are not within 262,144 s of the beginning";
            let message = format!("{keys}, {range}: first key {key} of {curve}, at {} s.", text::number(time_secs));
            warnings.push(ImportWarning::new(Code::KeyTimesOrder, Target::clip(number), message));
        }
    }
    warnings
}

fn is_refused(key: &Keyframe) -> bool {
    // Also true for NaN.
    !(-MAX_SECS..=MAX_SECS).contains(&key.time)
}

fn first_refused(keys: &[Keyframe]) -> Option<(usize, f64)> {
    keys.iter().enumerate().find(|(_, key)| is_refused(key)).map(|(at, key)| (at, key.time))
}

#[expect(unsafe_code, reason = "the reader has no way to change keys, and does not end where one is not a number")]
fn replace_refused(curve: &AnimCurve) -> usize {
    let keys = &curve.keyframes;
    // SAFETY: the list is not empty, since a key is refused. ufbx owns its memory and nothing else accesses it:
    // `refuse_keys` has exclusive access to the scene, no slice of the list outlives its statement, and the pointer
    // is ufbx's own, not derived from a shared reference.
    let keys = unsafe { std::slice::from_raw_parts_mut(keys.data.cast_mut(), keys.count) };
    let good = keys.iter().find(|key| !is_refused(key)).copied();
    let mut last = good.unwrap_or(Keyframe { time: 0.0, ..keys.first().copied().unwrap_or_default() });
    let mut refused = 0_usize;
    for key in keys {
        if is_refused(key) {
            *key = last;
            refused = refused.saturating_add(1);
        }
        last = *key;
    }
    refused
}

pub(super) struct SampleBudget {
    left: u64,
    seen: HashSet<u32>,
}

impl SampleBudget {
    pub(super) fn new(size: u64) -> Self {
        Self { left: SAMPLES_FOR_ANY_FILE.saturating_add(size.saturating_mul(SAMPLES_FOR_BYTE)), seen: HashSet::new() }
    }

    /// Charges the samples that a clip needs at `rate` (Hz), plus the keys of curves that an earlier clip already used.
    /// *Errors*: a message for the user if the budget is too small, in which case nothing is charged.
    pub(super) fn take(&mut self, stack: &AnimStack, rate: f64) -> Result<(), String> {
        let mut needed = 0_u64;
        for (curve, _) in curves(stack) {
            let keys = if self.seen.insert(curve.element.element_id) { 0 } else { curve.keyframes.count };
            let between = curve.keyframes.windows(2).map(|pair| segments(pair, rate)).fold(keys, usize::saturating_add);
            needed = needed.saturating_add(between as u64);
        }
        let left = self.left.checked_sub(needed);
        self.left = left.ok_or_else(|| {
            format!(
                "between its keys are {needed} samples, and the clips of a file of this size may take {} more.",
                self.left
            )
        })?;
        Ok(())
    }
}

fn segments(pair: &[Keyframe], rate: f64) -> usize {
    let [from, to] = pair else { return 0 };
    let is_flat = from.value == to.value && from.right.dy == 0.0 && to.left.dy == 0.0;
    // For longer intervals, ufbx halves the number of segments until it is at most `MAX_SEGMENTS`. A negative number
    // saturates to 0.
    if is_flat { 0 } else { (((to.time - from.time) * rate) as usize).min(MAX_SEGMENTS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f64, value: f64) -> Keyframe {
        Keyframe { time, value, ..Keyframe::default() }
    }

    #[test]
    fn keys_at_times_that_are_none_are_refused() {
        for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 3e5, -3e5] {
            let keys = [key(0.0, 0.0), key(time, 1.0)];
            assert!(first_refused(&keys).is_some_and(|(at, _)| at == 1), "{time}");
        }
        assert_eq!(first_refused(&[key(-1.0, 0.0), key(MAX_SECS, 0.0)]), None);
    }

    #[test]
    fn samples_between_keys_are_counted_as_the_reader_takes_them() {
        assert_eq!(segments(&[key(0.0, 0.0), key(2.0, 1.0)], 30.0), 60);
        assert_eq!(segments(&[key(0.0, 1.0), key(2.0, 1.0)], 30.0), 0, "a flat span");
        assert_eq!(segments(&[key(2.0, 0.0), key(0.0, 1.0)], 30.0), 0);
        assert_eq!(segments(&[key(0.0, 0.0), key(MAX_SECS, 1.0)], 1000.0), MAX_SEGMENTS);
    }
}
