use rayon::prelude::*;

/// Joint indices and weights with a fixed number of slots per vertex. Import ensures that weights are finite and >= 0,
/// are in descending order (ties in file order), and sum to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    per_vertex: usize,
    joints: Vec<u16>,
    weights: Vec<f32>,
    joint_count: usize,
}

impl Influences {
    /// Creates influences with `per_vertex` entries per vertex. Also computes the joint count, which saves bounds
    /// checks in kernels.
    ///
    /// # Panics
    /// Panics if `joints` and `weights` differ in length, or if `per_vertex` does not divide the length.
    /// ```
    /// use rigscope_core::rig::Influences;
    ///
    /// let two_vertices = Influences::new(2, vec![0, 1, 3, 0], vec![0.75, 0.25, 1.0, 0.0]);
    /// assert_eq!((two_vertices.len(), two_vertices.joint_count()), (2, 4));
    /// assert_eq!(two_vertices.vertex(1).next(), Some((3, 1.0)));
    /// ```
    pub fn new(per_vertex: usize, joints: Vec<u16>, weights: Vec<f32>) -> Self {
        assert_eq!(joints.len(), weights.len(), "every joint has a weight");
        assert!(joints.len().is_multiple_of(per_vertex), "every vertex has {per_vertex} slots");
        let joint_count = joints.iter().copied().max().map_or(0, |largest| usize::from(largest) + 1);
        Self { per_vertex, joints, weights, joint_count }
    }

    /// Creates influences of one list of `(joint, weight)` per vertex, in the order of the list.
    pub fn from_rows(rows: &[Vec<(u16, f32)>]) -> Self {
        let per_vertex = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let (mut joints, mut weights) = (vec![0; rows.len() * per_vertex], vec![0.0; rows.len() * per_vertex]);
        let slots = joints.par_chunks_exact_mut(per_vertex).zip(weights.par_chunks_exact_mut(per_vertex));
        slots.zip(rows).for_each(|((joints, weights), row)| {
            joints.iter_mut().zip(weights).zip(row).for_each(|((joint, weight), slot)| (*joint, *weight) = *slot);
        });
        Self::new(per_vertex, joints, weights)
    }

    /// Returns the number of slots per vertex, at least 1 if there are vertices.
    pub fn per_vertex(&self) -> usize {
        self.per_vertex
    }

    /// Returns the indices into `Skin::joints`, [`Self::per_vertex`] per vertex.
    pub fn joints(&self) -> &[u16] {
        &self.joints
    }

    /// Returns the weight of each entry of [`Self::joints`], 0 to 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns the minimum number of joints that a skin must have: the largest joint index plus one.
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// Iterates over `(joint, weight)` of one vertex, heaviest first.
    pub fn vertex(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let range = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        self.joints[range.clone()].iter().map(|&j| usize::from(j)).zip(self.weights[range].iter().copied())
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.weights.len() / self.per_vertex.max(1)
    }

    /// Returns whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }
}

/// Influences as stored in the file, for vertices whose influences were sorted or normalized by import. Weights are
/// finite and >= 0; joints that the skin lacks have weight 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredInfluences {
    per_vertex: usize,
    vertices: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<f32>,
}

impl StoredInfluences {
    /// Creates the influences of `vertices`, which must be in ascending order. `joints` and `weights` have `per_vertex`
    /// entries per vertex.
    ///
    /// # Panics
    /// Panics if the lengths of the lists don't match.
    pub fn new(per_vertex: usize, vertices: Vec<u32>, joints: Vec<u16>, weights: Vec<f32>) -> Self {
        assert_eq!(joints.len(), weights.len(), "every joint has a weight");
        assert_eq!(joints.len(), vertices.len() * per_vertex, "every vertex has {per_vertex} slots");
        Self { per_vertex, vertices, joints, weights }
    }

    /// Returns the number of slots per vertex.
    pub fn per_vertex(&self) -> usize {
        self.per_vertex
    }

    /// Iterates over vertices with their joints and weights, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[u16], &[f32])> {
        let slots = self.joints.chunks(self.per_vertex.max(1)).zip(self.weights.chunks(self.per_vertex.max(1)));
        self.vertices.iter().zip(slots).map(|(vertex, (joints, weights))| (*vertex, joints, weights))
    }

    /// Returns the influences of all vertices as in the file: stored influences where available, otherwise the imported
    /// `others`.
    pub fn applied_to(&self, others: &Influences) -> Influences {
        let (count, of_other) = (others.len(), others.per_vertex());
        let slots = self.per_vertex.max(of_other);
        let (mut joints, mut weights) = (vec![0; count * slots], vec![0.0; count * slots]);
        let pairs = others.joints().chunks(of_other.max(1)).zip(others.weights().chunks(of_other.max(1)));
        let all = (0_u32..).zip(pairs).map(|(vertex, (joints, weights))| (vertex, joints, weights));
        for (vertex, own_joints, own_weights) in all.chain(self.iter()) {
            let at = vertex as usize * slots;
            if let (Some(joints), Some(weights)) = (joints.get_mut(at..at + slots), weights.get_mut(at..at + slots)) {
                joints.fill(0);
                weights.fill(0.0);
                joints[..own_joints.len()].copy_from_slice(own_joints);
                weights[..own_weights.len()].copy_from_slice(own_weights);
            }
        }
        Influences::new(slots.max(1), joints, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_influences_take_the_place_of_those_of_their_vertices() {
        let clean = Influences::new(2, vec![7, 5, 6, 8], vec![0.75, 0.25, 0.5, 0.5]);
        let stored = StoredInfluences::new(3, vec![1], vec![0, 8, 6], vec![0.0, 1.0, 1.0]);
        let all = stored.applied_to(&clean);
        assert_eq!((all.per_vertex(), all.joints()), (3, &[7, 5, 0, 0, 8, 6][..]));
        assert_eq!(all.weights(), [0.75, 0.25, 0.0, 0.0, 1.0, 1.0]);
    }
}
