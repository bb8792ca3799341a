//! What is found of weights.

use serde::Serialize;

use crate::rig::NodeIndex;

/// What was wrong with weights in a file before import put it right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredWeights {
    /// Largest distance of a vertex's sum from 1, as far as it is told.
    pub sum_error: f64,
    /// Vertices whose weights sum to 0.
    pub without: usize,
}

/// How good the weights of a rig are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightNumbers {
    /// Vertices that a skin moves, each of the file once.
    pub vertices: usize,
    /// Largest distance of a vertex's sum from 1.
    pub sum_error: f64,
    /// Vertices that no joint moves, as stored.
    pub without: usize,
    /// Joints that move a vertex; `None` without vertices.
    pub influences: Option<InfluenceNumbers>,
    /// Sum over the joints: see [`JointNumbers::energy`].
    pub energy: f64,
    /// Sum over the joints: see [`JointNumbers::islands`].
    pub islands: usize,
    /// Share of all weight that goes through the air: see [`crate::weights::leak()`]; the mean over the points.
    pub leak: f64,
    /// How far both halves of the body agree; `None` where joints do not pair.
    pub balance: Option<Balance>,
    /// Of every joint of a skin, in the order of the hierarchy.
    pub joints: Vec<JointNumbers>,
}

/// Joints with a weight above 0 of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct InfluenceNumbers {
    /// Over all vertices.
    pub mean: f64,
    /// 99 of 100 vertices have no more.
    pub p99: usize,
    /// Of the vertex that has most.
    pub most: usize,
}

/// How far the weights of a point and those of its mirror image differ, by the sum of absolute differences: 0 where they agree, 2 where they share no joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Balance {
    /// Mean over the points that have an image.
    pub mean_error: f64,
    /// Of the worst point.
    pub largest_error: f64,
    /// Share of the points that have another point, or themselves, as their image.
    pub matched_share: f64,
}

/// What a joint moves, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointNumbers {
    /// Which.
    pub joint: NodeIndex,
    /// Vertices that it moves by a weight above 0.
    pub vertices: usize,
    /// Sum of its weights.
    pub weight_sum: f64,
    /// Largest of them.
    pub largest: f64,
    /// Dirichlet energy of its weights over the surface at bind, ∫|∇w|² dA by the cotangent formula: no unit, whatever the size of the body. A band of length L around a limb of
    /// circumference C, over which the weight falls evenly from 1 to 0, has C/L.
    pub energy: f64,
    /// Connected pieces of the surface on which its weight is at least 0.01.
    pub pieces: usize,
    /// Those of them that a joint need not have: more than one on a connected surface.
    pub islands: usize,
}
