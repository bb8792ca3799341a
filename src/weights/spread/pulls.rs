//! What pulls the shares of points towards given ones.

use crate::weights::shares::Shares;

/// Pulls of points towards given shares.
#[derive(Clone, Debug, Default)]
pub(in crate::weights) struct Pulls {
    /// Strength at each point, relative to the weights of the network; 0 for none, infinite where the shares are known.
    pub strengths: Vec<f64>,
    /// Shares towards which each point is pulled; they sum to 1 where the strength is more than 0.
    pub shares: Shares,
}
