//! DQ blend weight of a vertex: the fraction of dual quaternion skinning in its result.

/// Coefficients `[a, b]` with which a joint maps the DQ blend weight `t` to `a + b t`. A vertex uses the mean of its
/// joints' results, weighted by their influence.
pub type JointBlendWeights = [f32; 2];

#[derive(Clone, Copy, Debug)]
pub(super) struct DqBlendWeight<'a> {
    /// Blend weight of vertices that have no weight of their own.
    pub default: f32,
    /// One mapping per joint of the skin; empty if no joint has its own method.
    pub joints: &'a [JointBlendWeights],
}

impl DqBlendWeight<'_> {
    /// Returns the blend weight of a vertex, 0 to 1. `own` is the vertex's own weight, if used.
    pub(super) fn vertex(self, own: Option<f32>, joints: &[u16], weights: &[f32]) -> f32 {
        let share = own.unwrap_or(self.default);
        if self.joints.is_empty() {
            return share;
        }
        let of_joint = |&joint: &u16| {
            let [fixed, factor] = self.joints.get(usize::from(joint)).copied().unwrap_or([0.0, 1.0]);
            fixed + factor * share
        };
        joints.iter().map(of_joint).zip(weights).map(|(share, weight)| share * weight).sum()
    }
}
