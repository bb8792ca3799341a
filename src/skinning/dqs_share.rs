//! The DQS share of a vertex: how much of its result is dual quaternion skinning.

/// `[a, b]` for a joint that changes the DQS share `t` of its vertices to `a + b t`. A vertex takes the mean over its joints, by weight.
pub type JointShare = [f32; 2];

/// The DQS share of vertices in a mix of LBS and DQS, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct DqsShare<'a> {
    /// DQS share of vertices without a painted one, 0 to 1.
    pub unpainted: f32,
    /// How each joint of the skin changes the share; empty where no joint has a method of its own.
    pub joints: &'a [JointShare],
}

impl DqsShare<'_> {
    /// DQS share of a vertex, 0 to 1; `painted` is its painted share, where that counts.
    pub(super) fn of(self, painted: Option<f32>, joints: &[u16], weights: &[f32]) -> f32 {
        let share = painted.unwrap_or(self.unpainted);
        if self.joints.is_empty() {
            return share;
        }
        let of_joint = |&joint: &u16| {
            let [own, rest] = self.joints.get(usize::from(joint)).copied().unwrap_or([0.0, 1.0]);
            own + rest * share
        };
        joints.iter().map(of_joint).zip(weights).map(|(share, weight)| share * weight).sum()
    }
}
