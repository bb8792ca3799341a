use std::collections::HashSet;

use fixedbitset::FixedBitSet;

use super::mesh::EditMesh;

/// Selected points of an [`EditMesh`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointSet {
    bits: FixedBitSet,
}

impl PointSet {
    /// Creates a set of points.
    pub fn new(mesh: &EditMesh, points: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self { bits: FixedBitSet::with_capacity(mesh.len()) };
        points.into_iter().for_each(|point| set.set(point, true));
        set
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.bits.count_ones(..)
    }

    /// Returns true if no point is in the set.
    pub fn is_empty(&self) -> bool {
        self.bits.is_clear()
    }

    /// Returns true if the point is in the set.
    pub fn contains(&self, point: u32) -> bool {
        self.bits.contains(point as usize)
    }

    /// Returns the points in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.bits.ones().map(|point| point as u32)
    }

    /// Adds or removes a point; ignores points that the mesh lacks.
    pub fn set(&mut self, point: u32, is_in: bool) {
        if (point as usize) < self.bits.len() {
            self.bits.set(point as usize, is_in);
        }
    }

    /// Adds or removes the points of another set of the same mesh.
    pub fn set_all(&mut self, others: &Self, is_in: bool) {
        if is_in {
            self.bits.union_with(&others.bits);
        } else {
            self.bits.difference_with(&others.bits);
        }
    }

    /// Returns the number of vertices at the points.
    pub fn vertex_count(&self, mesh: &EditMesh) -> usize {
        self.iter().map(|point| mesh.vertices_at(point).len()).sum()
    }

    /// Returns the set extended by adjacent points. *Cost*: linear in the smaller of the set and its complement.
    #[must_use]
    pub fn grown(&self, mesh: &EditMesh) -> Self {
        let mut grown = self.clone();
        if self.len() <= mesh.len() / 2 {
            self.iter().flat_map(|point| mesh.around(point)).for_each(|point| grown.set(point, true));
        } else {
            let touches = |point: &u32| mesh.around(*point).any(|other| self.contains(other));
            self.inverted(mesh).iter().filter(touches).for_each(|point| grown.set(point, true));
        }
        grown
    }

    /// Returns the set without points that have a neighbour outside. *Cost*: same as [`Self::grown`].
    #[must_use]
    pub fn shrunk(&self, mesh: &EditMesh) -> Self {
        self.inverted(mesh).grown(mesh).inverted(mesh)
    }

    /// Returns all connected components that contain a point of the set.
    #[must_use]
    pub fn pieces(&self, mesh: &EditMesh) -> Self {
        let mut is_in = vec![false; mesh.components()];
        self.iter().for_each(|point| is_in[mesh.component_at(point) as usize] = true);
        let whole = (0..).zip(mesh.component_of_each()).filter(|(_, piece)| is_in[*piece as usize]);
        Self::new(mesh, whole.map(|(point, _)| point))
    }

    /// Returns the complement.
    #[must_use]
    pub fn inverted(&self, mesh: &EditMesh) -> Self {
        let mut inverted = Self::new(mesh, []);
        inverted.bits.insert_range(..);
        inverted.set_all(self, false);
        inverted
    }

    /// Returns the points of `to` that have the same bind positions as this set's points in `from`.
    #[must_use]
    pub fn carried(&self, from: &EditMesh, to: &EditMesh) -> Self {
        let key = |mesh: &EditMesh, point: u32| mesh.place(point).to_array().map(f32::to_bits);
        let places: HashSet<[u32; 3]> = self.iter().map(|point| key(from, point)).collect();
        Self::new(to, (0..to.len() as u32).filter(|&point| places.contains(&key(to, point))))
    }
}
