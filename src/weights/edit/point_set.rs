//! Selected points.

use std::collections::HashSet;

use super::mesh::EditMesh;

/// Points per word.
const BITS: usize = u64::BITS as usize;

/// Points of an [`EditMesh`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointSet {
    /// One bit per point; empty if no point was ever selected.
    words: Vec<u64>,
    /// Number of points of the mesh.
    of: usize,
    count: usize,
}

impl PointSet {
    /// The points that are listed, of a mesh.
    pub fn new(mesh: &EditMesh, points: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self { words: vec![0; mesh.len().div_ceil(BITS)], of: mesh.len(), count: 0 };
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
        let point = point as usize;
        self.words.get(point / BITS).is_some_and(|word| word >> (point % BITS) & 1 == 1)
    }

    /// The points, by rising number.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).step_by(BITS).zip(&self.words).flat_map(|(first, &word)| {
            let rest = |word: &u64| Some(word & (word - 1)).filter(|rest| *rest != 0);
            std::iter::successors(Some(word).filter(|word| *word != 0), rest)
                .map(move |word| first + word.trailing_zeros())
        })
    }

    /// Adds or removes a point; ignores points that the mesh lacks.
    pub fn set(&mut self, point: u32, is_in: bool) {
        if point as usize >= self.of || self.contains(point) == is_in {
            return;
        }
        self.words[point as usize / BITS] ^= 1 << (point as usize % BITS);
        self.count = if is_in { self.count + 1 } else { self.count - 1 };
    }

    /// Adds or removes the points of another set of the same mesh.
    pub fn set_all(&mut self, others: &Self, is_in: bool) {
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word = if is_in { *word | other } else { *word & !other };
        }
        self.count = self.words.iter().map(|word| word.count_ones() as usize).sum();
    }

    /// Number of vertices at the points.
    pub fn vertex_count(&self, mesh: &EditMesh) -> usize {
        self.iter().map(|point| mesh.vertices_at(point).len()).sum()
    }

    /// The set with the points around it.
    ///
    /// *Cost*: linear in the smaller of the set and the points outside.
    #[must_use]
    pub fn grown(&self, mesh: &EditMesh) -> Self {
        let mut grown = self.clone();
        if self.count <= mesh.len() / 2 {
            self.iter().flat_map(|point| mesh.around(point)).for_each(|point| grown.set(point, true));
        } else {
            let touches = |point: &u32| mesh.around(*point).any(|other| self.contains(other));
            self.inverted(mesh).iter().filter(touches).for_each(|point| grown.set(point, true));
        }
        grown
    }

    /// The set without its rim: the points that have a neighbour outside of it.
    ///
    /// *Cost*: as that of [`Self::grown`].
    #[must_use]
    pub fn shrunk(&self, mesh: &EditMesh) -> Self {
        self.inverted(mesh).grown(mesh).inverted(mesh)
    }

    /// Connected components that contain a point of the set.
    #[must_use]
    pub fn pieces(&self, mesh: &EditMesh) -> Self {
        let mut is_in = vec![false; mesh.components()];
        self.iter().for_each(|point| is_in[mesh.component_of(point) as usize] = true);
        let whole = (0..).zip(mesh.component_of_each()).filter(|(_, piece)| is_in[*piece as usize]);
        Self::new(mesh, whole.map(|(point, _)| point))
    }

    /// The points that are not in the set.
    #[must_use]
    pub fn inverted(&self, mesh: &EditMesh) -> Self {
        let mut inverted = Self::new(mesh, []);
        inverted.words.fill(u64::MAX);
        if let Some(last) = inverted.words.last_mut() {
            *last >>= (BITS - mesh.len() % BITS) % BITS;
        }
        inverted.set_all(self, false);
        inverted
    }

    /// Points of another mesh with the same bind positions.
    #[must_use]
    pub fn carried(&self, from: &EditMesh, to: &EditMesh) -> Self {
        let key = |mesh: &EditMesh, point: u32| mesh.place(point).to_array().map(f32::to_bits);
        let places: HashSet<[u32; 3]> = self.iter().map(|point| key(from, point)).collect();
        Self::new(to, (0..to.len() as u32).filter(|&point| places.contains(&key(to, point))))
    }
}
