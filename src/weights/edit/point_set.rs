//! The points that are selected.

use std::collections::HashSet;

use super::mesh::EditMesh;

/// Points of an [`EditMesh`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointSet {
    /// By point; as long as the mesh, or empty where no point was ever in the set.
    is_in: Vec<bool>,
    count: usize,
}

impl PointSet {
    /// The points that are listed, of a mesh.
    pub fn of(mesh: &EditMesh, points: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self { is_in: vec![false; mesh.len()], count: 0 };
        points.into_iter().for_each(|point| set.set(point, true));
        set
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True without points.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// True where a point is in the set.
    pub fn contains(&self, point: u32) -> bool {
        self.is_in.get(point as usize).is_some_and(|is_in| *is_in)
    }

    /// The points, by rising number.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.is_in).filter(|(_, is_in)| **is_in).map(|(point, _)| point)
    }

    /// Puts a point in or takes it out; one that the mesh lacks is left out.
    pub fn set(&mut self, point: u32, is_in: bool) {
        if let Some(place) = self.is_in.get_mut(point as usize)
            && std::mem::replace(place, is_in) != is_in
        {
            self.count = if is_in { self.count + 1 } else { self.count - 1 };
        }
    }

    /// The set with the points around it.
    #[must_use]
    pub fn grown(&self, mesh: &EditMesh) -> Self {
        let mut grown = self.clone();
        self.iter().flat_map(|point| mesh.around(point)).for_each(|point| grown.set(point, true));
        grown
    }

    /// The set without its rim: the points that have a neighbour outside of it.
    #[must_use]
    pub fn shrunk(&self, mesh: &EditMesh) -> Self {
        let mut shrunk = self.clone();
        let is_at_rim = |point: &u32| mesh.around(*point).any(|other| !self.contains(other));
        self.iter().filter(is_at_rim).for_each(|point| shrunk.set(point, false));
        shrunk
    }

    /// The connected pieces that have a point in the set.
    #[must_use]
    pub fn pieces(&self, mesh: &EditMesh) -> Self {
        let mut pieces = self.clone();
        let mut open: Vec<u32> = self.iter().collect();
        while let Some(point) = open.pop() {
            for other in mesh.around(point) {
                if !pieces.contains(other) {
                    pieces.set(other, true);
                    open.push(other);
                }
            }
        }
        pieces
    }

    /// The points that are not in the set.
    #[must_use]
    pub fn inverted(&self, mesh: &EditMesh) -> Self {
        Self::of(mesh, (0..mesh.len() as u32).filter(|point| !self.contains(*point)))
    }

    /// The points of another mesh that stand where points of this set were bound in theirs.
    #[must_use]
    pub fn carried(&self, from: &EditMesh, to: &EditMesh) -> Self {
        let key = |mesh: &EditMesh, point: u32| mesh.place(point).to_array().map(f32::to_bits);
        let places: HashSet<[u32; 3]> = self.iter().map(|point| key(from, point)).collect();
        Self::of(to, (0..to.len() as u32).filter(|&point| places.contains(&key(to, point))))
    }
}
