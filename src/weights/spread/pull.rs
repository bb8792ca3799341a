//! What pulls the shares of a point towards given ones.

/// A pull of a point towards given shares.
#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct Pull {
    /// Strength relative to the weights of the network; 0 for none, infinite where the shares are known.
    pub strength: f64,
    /// Bones and shares towards which the point is pulled; they sum to 1 where the strength is more than 0.
    pub shares: Vec<(u16, f32)>,
}
