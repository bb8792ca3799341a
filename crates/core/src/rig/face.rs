use std::collections::BTreeMap;

use glam::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Index into `Rig::expressions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionIndex(pub u32);

impl ExpressionIndex {
    /// Returns the index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The user's face settings: expression weights, 0 by default, and the look-at target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacePose {
    expressions: BTreeMap<ExpressionIndex, f32>,
    look_at: Option<LookAtTarget>,
}

/// Look-at target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LookAtTarget {
    /// A direction in head space, degrees.
    #[serde(rename_all = "snake_case")]
    Angles {
        /// Yaw, positive to the character's left.
        yaw_deg: f32,
        /// Pitch, positive downwards.
        pitch_deg: f32,
    },
    /// A position in file coordinates, metres.
    Point([f64; 3]),
    /// The viewing camera; has no effect if nothing is rendered.
    Camera,
}

impl LookAtTarget {
    /// Returns whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Angles { yaw_deg, pitch_deg } => yaw_deg.is_finite() && pitch_deg.is_finite(),
            Self::Point(point) => DVec3::from(*point).is_finite(),
            Self::Camera => true,
        }
    }
}

impl FacePose {
    /// Returns whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.expressions.is_empty() && self.look_at.is_none()
    }

    /// Returns the weight of an expression, 0 to 1.
    pub fn expression(&self, expression: ExpressionIndex) -> f32 {
        self.expressions.get(&expression).copied().unwrap_or(0.0)
    }

    /// Sets the weight of an expression, clamped to the range 0 to 1. NaN and infinity are ignored.
    pub fn set_expression(&mut self, expression: ExpressionIndex, weight: f32) {
        if weight <= 0.0 {
            self.expressions.remove(&expression);
        } else if weight.is_finite() {
            self.expressions.insert(expression, weight.min(1.0));
        }
    }

    /// Iterates over expressions with non-zero weights.
    pub fn expressions(&self) -> impl Iterator<Item = (ExpressionIndex, f32)> + '_ {
        self.expressions.iter().map(|(expression, weight)| (*expression, *weight))
    }

    /// Returns the look-at target; `None` if the clip or file controls the eyes.
    pub fn look_at(&self) -> Option<LookAtTarget> {
        self.look_at
    }

    /// Sets the look-at target. Non-finite targets are ignored.
    pub fn set_look_at(&mut self, look_at: Option<LookAtTarget>) {
        if look_at.is_none_or(|target| target.is_finite()) {
            self.look_at = look_at;
        }
    }

    /// Converts the settings for another rig; drops expressions for which `counterpart` returns `None`.
    #[must_use]
    pub fn carried(&self, counterpart: impl Fn(ExpressionIndex) -> Option<ExpressionIndex>) -> Self {
        let carried = self.expressions().filter_map(|(at, weight)| Some((counterpart(at)?, weight)));
        Self { expressions: carried.collect(), look_at: self.look_at }
    }

    /// Returns the heap memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.expressions.len() * size_of::<(ExpressionIndex, f32)>()
    }
}
