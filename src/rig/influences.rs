//! Joints and weights of vertices.

/// Joint indices and weights, the same number of slots for every vertex.
///
/// Weights are finite, >= 0, sorted heaviest first with ties in the file's order, and sum to 1; import sees to that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    per_vertex: usize,
    joints: Vec<u16>,
    weights: Vec<f32>,
    joint_count: usize,
}

impl Influences {
    /// Stores the slots of all vertices and notes the largest joint, so that no kernel has to check one again.
    ///
    /// *Shapes*: `joints` and `weights` hold `per_vertex` entries a vertex.
    ///
    /// # Panics
    /// Where `joints` and `weights` differ in length, or `per_vertex` does not divide it.
    /// ```
    /// use rigscope::rig::Influences;
    ///
    /// let two_vertices = Influences::new(2, vec![0, 1, 3, 0], vec![0.75, 0.25, 1.0, 0.0]);
    /// assert_eq!((two_vertices.len(), two_vertices.joint_count()), (2, 4));
    /// assert_eq!(two_vertices.of(1).next(), Some((3, 1.0)));
    /// ```
    pub fn new(per_vertex: usize, joints: Vec<u16>, weights: Vec<f32>) -> Self {
        assert_eq!(joints.len(), weights.len(), "every joint has a weight");
        assert!(joints.len().is_multiple_of(per_vertex), "every vertex has {per_vertex} slots");
        let joint_count = joints.iter().copied().max().map_or(0, |largest| usize::from(largest) + 1);
        Self { per_vertex, joints, weights, joint_count }
    }

    /// Slots per vertex, at least 1 if there is a vertex.
    pub fn per_vertex(&self) -> usize {
        self.per_vertex
    }

    /// Indices into `Skin::joints`, [`Self::per_vertex`] for each vertex.
    pub fn joints(&self) -> &[u16] {
        &self.joints
    }

    /// Weight of each of [`Self::joints`], 0 to 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Least number of joints of a skin for these influences: one more than the largest joint index.
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// `(joint, weight)` of one vertex, heaviest first.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let range = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        self.joints[range.clone()].iter().map(|&j| usize::from(j)).zip(self.weights[range].iter().copied())
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.weights.len() / self.per_vertex.max(1)
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }
}
