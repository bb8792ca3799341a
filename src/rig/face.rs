//! What the user asks of a face: weights of expressions, and where the eyes look.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// An expression of a rig: an index into `Rig::expressions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionIndex(pub u32);

impl ExpressionIndex {
    /// The expression as an index into `Rig::expressions`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Weights of expressions, 0 until edited, and the target of the gaze.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// Weights that are not 0.
    expressions: BTreeMap<ExpressionIndex, f32>,
    gaze: Option<GazeTarget>,
}

/// What eyes look at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GazeTarget {
    /// A direction in the space of the head, degrees.
    #[serde(rename_all = "snake_case")]
    Angles {
        /// Turn to the character's left.
        yaw_deg: f32,
        /// Turn downwards.
        pitch_deg: f32,
    },
    /// A point in the world, metres, in the file's coordinates.
    Point([f64; 3]),
    /// The camera of the picture; without a picture there is no target.
    Camera,
}

impl GazeTarget {
    /// True where all numbers are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Angles { yaw_deg, pitch_deg } => yaw_deg.is_finite() && pitch_deg.is_finite(),
            Self::Point(point) => DVec3::from(*point).is_finite(),
            Self::Camera => true,
        }
    }
}

impl Face {
    /// True for a face of which nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.expressions.is_empty() && self.gaze.is_none()
    }

    /// Weight of an expression.
    pub fn expression(&self, expression: ExpressionIndex) -> f32 {
        self.expressions.get(&expression).copied().unwrap_or(0.0)
    }

    /// Sets the weight of an expression, which counts as 0 or 1 beyond those; a number that is not finite is ignored.
    pub fn set_expression(&mut self, expression: ExpressionIndex, weight: f32) {
        if weight <= 0.0 {
            self.expressions.remove(&expression);
        } else if weight.is_finite() {
            self.expressions.insert(expression, weight.min(1.0));
        }
    }

    /// Expressions with a weight, which is never 0.
    pub fn expressions(&self) -> impl Iterator<Item = (ExpressionIndex, f32)> + '_ {
        self.expressions.iter().map(|(expression, weight)| (*expression, *weight))
    }

    /// Removes the weights of all expressions.
    pub fn clear_expressions(&mut self) {
        self.expressions.clear();
    }

    /// What the eyes look at; `None` where they stay as the clip or the file has them.
    pub fn gaze(&self) -> Option<GazeTarget> {
        self.gaze
    }

    /// Sets what the eyes look at; a target with a number that is not finite is ignored.
    pub fn set_gaze(&mut self, gaze: Option<GazeTarget>) {
        if gaze.is_none_or(|target| target.is_finite()) {
            self.gaze = gaze;
        }
    }

    /// This face for another rig, given the counterpart of each expression; what has none is left out.
    #[must_use]
    pub fn carried(&self, counterpart: impl Fn(ExpressionIndex) -> Option<ExpressionIndex>) -> Self {
        let carried = self.expressions().filter_map(|(at, weight)| Some((counterpart(at)?, weight)));
        Self { expressions: carried.collect(), gaze: self.gaze }
    }

    /// Memory beside the value itself, bytes.
    pub fn bytes(&self) -> usize {
        self.expressions.len() * size_of::<(ExpressionIndex, f32)>()
    }
}
