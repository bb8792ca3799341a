use crate::weights::bone_weights::PointWeights;

#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct WeightSources {
    /// Strength of the pull at each point, on the scale of the network's edge weights; 0 for no pull, infinite if the
    /// weights are known.
    pub strengths: Vec<f64>,
    /// Target weights; they sum to 1 where the strength is above 0.
    pub shares: PointWeights,
}
