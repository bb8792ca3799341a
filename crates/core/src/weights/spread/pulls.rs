use crate::weights::bone_weights::PointWeights;

#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct WeightSources {
    /// Strength at each point, relative to the network's weights; 0 for none, infinite for known weights.
    pub strengths: Vec<f64>,
    /// Target weights; they sum to 1 where the strength is above 0.
    pub shares: PointWeights,
}
