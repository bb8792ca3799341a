use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rig::Influences;

/// Influence limit of a game engine: how many influences it keeps per vertex, and at which precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct InfluenceLimit {
    /// Number of heaviest influences kept; `None` for all.
    pub count: Option<u8>,
    /// Whether the remaining weights are renormalized.
    pub renormalizes: bool,
    /// Storage precision of weights.
    pub precision: WeightPrecision,
}

impl Default for InfluenceLimit {
    fn default() -> Self {
        Self { count: None, renormalizes: true, precision: WeightPrecision::Float }
    }
}

impl InfluenceLimit {
    /// Returns whether the limit may change a vertex with this many slots.
    pub fn limits(self, per_vertex: usize) -> bool {
        self.precision != WeightPrecision::Float || self.count.is_some_and(|count| usize::from(count) < per_vertex)
    }

    /// Returns how many of `per_vertex` slots are kept.
    pub fn kept(self, per_vertex: usize) -> usize {
        self.count.map_or(per_vertex, |count| per_vertex.min(usize::from(count).max(1)))
    }

    /// Keeps the heaviest slots, rounds their weights and, if `renormalizes` is set, renormalizes them; borrows if
    /// nothing changes. If all weights of a vertex round to 0, the vertex follows its heaviest joint if weights are
    /// renormalized; otherwise it collapses to the origin.
    /// ```
    /// use rigscope_core::rig::Influences;
    /// use rigscope_core::skinning::InfluenceLimit;
    ///
    /// let three = Influences::new(3, vec![4, 7, 1], vec![0.5, 0.3, 0.2]);
    /// let two = InfluenceLimit { count: Some(2), ..InfluenceLimit::default() };
    /// assert_eq!(two.apply(&three).weights(), [0.5 / 0.8, 0.3 / 0.8]);
    /// assert_eq!(two.apply(&three).joints(), [4, 7]);
    /// ```
    pub fn apply(self, influences: &Influences) -> Cow<'_, Influences> {
        let per_vertex = influences.per_vertex();
        if !self.limits(per_vertex) {
            return Cow::Borrowed(influences);
        }
        let kept = self.kept(per_vertex);
        let joints = influences.joints().chunks_exact(per_vertex).flat_map(|slots| &slots[..kept]).copied();
        let weights = influences.weights().chunks_exact(per_vertex).flat_map(|slots| self.weights(slots, kept));
        Cow::Owned(Influences::new(kept, joints.collect(), weights.collect()))
    }

    fn weights(self, slots: &[f32], kept: usize) -> impl Iterator<Item = f32> + '_ {
        let rounded = move |weight: &f32| self.precision.round(*weight);
        let sum: f32 = slots[..kept].iter().map(rounded).sum();
        let divisor = if self.renormalizes && sum > 0.0 { sum } else { 1.0 };
        let is_lost = self.renormalizes && sum == 0.0;
        slots[..kept].iter().enumerate().map(move |(i, w)| if is_lost && i == 0 { 1.0 } else { rounded(w) / divisor })
    }
}

/// Storage precision of weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WeightPrecision {
    /// Single precision.
    #[default]
    Float,
    /// 16-bit: multiples of 1/65535.
    Bits16,
    /// 8-bit: multiples of 1/255.
    Bits8,
}

impl WeightPrecision {
    /// Returns the number of steps from 0 to 1; `None` for single precision, to which weights are not rounded.
    pub fn steps(self) -> Option<f32> {
        match self {
            Self::Float => None,
            Self::Bits16 => Some(65535.0),
            Self::Bits8 => Some(255.0),
        }
    }

    /// Rounds a weight to this precision. Halves are rounded up.
    pub fn round(self, weight: f32) -> f32 {
        self.steps().map_or(weight, |steps| (weight * steps + 0.5).floor() / steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(count: Option<u8>, renormalizes: bool, precision: WeightPrecision) -> InfluenceLimit {
        InfluenceLimit { count, renormalizes, precision }
    }

    #[test]
    fn influence_limit_without_losses_changes_no_bit() {
        let influences = Influences::new(4, vec![0, 1, 2, 3, 5, 4, 0, 0], vec![0.7, 0.1, 0.1, 0.1, 0.9, 0.1, 0.0, 0.0]);
        for count in [None, Some(4), Some(8), Some(255)] {
            let same = limit(count, true, WeightPrecision::Float).apply(&influences);
            assert!(matches!(same, Cow::Borrowed(same) if std::ptr::eq(same, &raw const influences)));
        }
        let two = limit(Some(2), true, WeightPrecision::Float).apply(&influences).into_owned();
        assert_eq!(two.vertex(1).collect::<Vec<_>>(), [(5, 0.9), (4, 0.1)], "they sum to 1");
    }

    #[test]
    fn weights_are_cut_rounded_and_divided_by_what_is_left() {
        let influences = Influences::new(3, vec![0, 1, 2], vec![0.5, 0.3, 0.2]);
        let weights = |l: InfluenceLimit| l.apply(&influences).weights().to_vec();
        assert_eq!(weights(limit(Some(1), true, WeightPrecision::Float)), [1.0]);
        assert_eq!(weights(limit(Some(2), false, WeightPrecision::Float)), [0.5, 0.3]);
        let steps = [128.0, 77.0, 51.0_f32];
        assert_eq!(weights(limit(None, false, WeightPrecision::Bits8)), steps.map(|k| k / 255.0));
        let sum = steps.map(|k| k / 255.0).iter().sum::<f32>();
        assert_eq!(weights(limit(None, true, WeightPrecision::Bits8)), steps.map(|k| k / 255.0 / sum));
        assert_eq!(weights(limit(None, false, WeightPrecision::Bits16))[1], 19661.0 / 65535.0);
        assert_eq!(weights(limit(Some(0), true, WeightPrecision::Float)), [1.0], "one joint at least");
    }

    #[test]
    fn a_vertex_of_which_rounding_leaves_nothing_follows_its_first_joint_or_none() {
        let many = Influences::new(600, (0..600).collect(), vec![1.0 / 600.0; 600]);
        let first = |renormalizes| limit(None, renormalizes, WeightPrecision::Bits8).apply(&many).vertex(0).next();
        assert_eq!((first(true), first(false)), (Some((0, 1.0)), Some((0, 0.0))));
    }
}
