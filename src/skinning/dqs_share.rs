//! Share of dual quaternion skinning in a vertex's result.

/// What a joint makes of the share of DQS of its vertices, `t`: `a + b t` for `[a, b]`. A vertex takes the mean of its joints' by weight.
pub type JointShare = [f32; 2];

/// The share of DQS in a mix, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct DqsShare<'a> {
    /// Share of DQS of vertices without a painted one, 0 to 1.
    pub unpainted: f32,
    /// What each joint of the skin makes of the share; empty where no joint has a method of its own.
    pub joints: &'a [JointShare],
}

impl DqsShare<'_> {
    /// Share of DQS of a vertex; `painted` is its painted share, where that counts.
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
