//! How much of a vertex's result is not LBS.

/// The share of DQS in a mix, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) enum DqsShare<'a> {
    /// One share for all vertices.
    One(f32),
    /// By joint of the skin: a vertex takes the mean of its joints' by weight.
    ByJoint(&'a [f32]),
}

impl DqsShare<'_> {
    /// Of a vertex: `sum_j w_j t_j` where each joint has its own.
    pub fn of(self, joints: &[u16], weights: &[f32]) -> f32 {
        match self {
            Self::One(share) => share,
            Self::ByJoint(shares) => {
                let shares = joints.iter().map(|&joint| shares.get(usize::from(joint)).copied().unwrap_or_default());
                shares.zip(weights).map(|(share, weight)| share * weight).sum()
            }
        }
    }
}
