use std::ops::{Index, IndexMut};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::numbers::significant;
use super::{Overlay, ShownFile};
use crate::skinning::{Antipodality, Skinning};
use crate::weights::WeightChoice;

/// A side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Side A, orange. Without a comparison, only this side is visible.
    A,
    /// Side B, teal; compared with A.
    B,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// Returns the opposite side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Returns the side's colour, sRGB.
    pub const fn color(self) -> [u8; 3] {
        match self {
            Self::A => [0xF2, 0x99, 0x4A],
            Self::B => [0x2E, 0xC4, 0xB6],
        }
    }
}

/// One value per side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerSide<T> {
    /// Value of side A.
    pub a: T,
    /// Value of side B.
    pub b: T,
}

impl<T> PerSide<T> {
    /// Calls `make` for A, then for B.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        Self { a: make(Side::A), b: make(Side::B) }
    }

    /// Calls `make` for A, then for B; returns the first error.
    pub fn try_from_fn<E>(mut make: impl FnMut(Side) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self { a: make(Side::A)?, b: make(Side::B)? })
    }

    /// Uses the value for both sides.
    pub fn both(value: T) -> Self
    where
        T: Clone,
    {
        Self { a: value.clone(), b: value }
    }

    /// Returns references to both values.
    pub fn each_ref(&self) -> PerSide<&T> {
        PerSide { a: &self.a, b: &self.b }
    }

    /// Converts both values, A first.
    pub fn map<U>(self, mut turn: impl FnMut(T) -> U) -> PerSide<U> {
        PerSide { a: turn(self.a), b: turn(self.b) }
    }

    /// Iterates over both values, A first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.a, &self.b].into_iter()
    }

    /// Iterates over both values mutably, A first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        [&mut self.a, &mut self.b].into_iter()
    }

    /// Swaps A and B.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.a, &mut self.b);
    }
}

impl<T> Index<Side> for PerSide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }
}

impl<T> IndexMut<Side> for PerSide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }
}

impl<T> From<[T; 2]> for PerSide<T> {
    fn from([a, b]: [T; 2]) -> Self {
        Self { a, b }
    }
}

impl<T> From<PerSide<T>> for [T; 2] {
    fn from(PerSide { a, b }: PerSide<T>) -> Self {
        [a, b]
    }
}

/// Settings of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideView {
    /// Displayed character.
    pub file: ShownFile,
    /// Weights of the open character.
    pub weights: WeightChoice,
    /// Skinning method and options.
    pub skinning: Skinning,
    /// Display options.
    pub options: SideOptions,
}

/// Display options of a side, all covered by undo and sessions. To add an option, add a field, its description in
/// [`Self::change`], and a control in the user interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SideOptions {
    /// Displayed pose; in files, true for the rest pose.
    #[serde(rename = "is_rest")]
    pub pose: ShownPose,
    /// Overlay drawn instead of the material. Overlays that this version doesn't know are ignored.
    #[serde(deserialize_with = "known")]
    pub overlay: Option<Overlay>,
    /// Values at the ends of the ramp; `None` for automatic.
    pub range: Option<[f32; 2]>,
}

impl SideView {
    /// Shows the open character with the chosen weights.
    pub fn show_weights(&mut self, weights: WeightChoice) {
        (self.file, self.weights) = (ShownFile::Open, weights);
    }

    /// Sets or removes the overlay. Changing the overlay resets the range to automatic.
    pub fn paint(&mut self, overlay: Option<Overlay>) {
        if self.options.overlay != overlay {
            self.options.range = None;
        }
        self.options.overlay = overlay;
    }
}

impl SideOptions {
    /// Shows the antipodality overlay if sign checks are disabled, and removes it if they are enabled. Keeps other
    /// overlays.
    pub fn point_out_antipodal(&mut self, antipodality: Antipodality) {
        match antipodality {
            Antipodality::Unchecked if self.overlay.is_none() => self.overlay = Some(Overlay::Antipodal),
            Antipodality::Checked if self.overlay == Some(Overlay::Antipodal) => self.overlay = None,
            _ => {}
        }
    }

    /// Describes the first option that differs from `before`: a phrase that precedes the side's name, and the new
    /// value, such as "Pose of" and "rest".
    pub fn change(&self, before: &Self) -> Option<(&'static str, String)> {
        let Self { pose, overlay, range } = *self;
        let changes = [
            (pose != before.pose, "Pose of", if pose == ShownPose::Rest { "rest" } else { "current" }.to_owned()),
            (overlay != before.overlay, "Overlay on", overlay.map_or("nothing", Overlay::title).to_owned()),
            (
                range != before.range,
                "Range of",
                range.map_or_else(|| "automatic".to_owned(), |ends| ends.map(significant).join(" to ")),
            ),
        ];
        changes.into_iter().find(|(is_changed, ..)| *is_changed).map(|(_, of, value)| (of, value))
    }
}

/// Deserializes a value. Returns `None` for values that this version doesn't know.
///
/// *Errors*: the text is not JSON.
pub fn known<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

/// Pose displayed on a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "bool", into = "bool")]
pub enum ShownPose {
    /// The user's pose on top of the clip.
    #[default]
    Current,
    /// The file's rest pose, as a reference.
    Rest,
}

impl From<bool> for ShownPose {
    fn from(is_rest: bool) -> Self {
        if is_rest { Self::Rest } else { Self::Current }
    }
}

impl From<ShownPose> for bool {
    fn from(pose: ShownPose) -> Self {
        pose == ShownPose::Rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_sides_have_each_others_values() {
        let mut numbers = PerSide::from_fn(|side| if side == Side::A { 1 } else { 2 });
        numbers[Side::B] += 1;
        numbers.swap();
        assert_eq!((numbers[Side::A], numbers[Side::B]), (3, 1));
        assert_eq!(<[i32; 2]>::from(numbers.map(|n| n * 2)), [6, 2]);
    }
}
