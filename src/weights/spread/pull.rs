//! What is wanted of a point.

/// What draws a point to some shares.
#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct Pull {
    /// Against the weights of the network; 0 for none, infinite where the shares are known.
    pub strength: f64,
    /// Of bones; they sum to 1 where the strength is more than 0.
    pub shares: Vec<(u16, f32)>,
}
