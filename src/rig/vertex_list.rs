//! A short list of a primitive's vertices, for messages and marks.

use std::fmt;

/// Vertices with something in common: the first ones by number, and the number of all. Displays as that number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexList {
    first: Vec<u32>,
    count: usize,
}

impl VertexList {
    /// Most vertices listed; the rest are only counted. Enough to show where they are, and small enough for a broken file with many faults.
    pub const MOST: usize = 4096;

    /// Adds the next vertex.
    pub fn push(&mut self, vertex: usize) {
        if let Some(number) = u32::try_from(vertex).ok().filter(|_| self.first.len() < Self::MOST) {
            self.first.push(number);
        }
        self.count = self.count.saturating_add(1);
    }

    /// Adds the next vertex to a list that is kept in full, for faults that each vertex can have only once.
    pub fn push_listed(&mut self, vertex: usize) {
        self.first.extend(u32::try_from(vertex));
        self.count = self.count.saturating_add(1);
    }

    /// [`Self::append`] for a list that is kept in full.
    pub fn append_listed(&mut self, next: &Self) {
        self.first.extend(&next.first);
        self.count = self.count.saturating_add(next.count);
    }

    /// Appends the vertices of another list.
    pub fn append(&mut self, next: &Self) {
        let room = Self::MOST.saturating_sub(self.first.len());
        self.first.extend(next.first.iter().take(room));
        self.count = self.count.saturating_add(next.count);
    }

    /// The first [`Self::MOST`] vertices, or all where [`Self::push_listed`] listed them, in the order in which they were added.
    pub fn first(&self) -> &[u32] {
        &self.first
    }

    /// Number of vertices, listed or not.
    pub fn count(&self) -> usize {
        self.count
    }

    /// True where no vertex was added.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Extend<usize> for VertexList {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, vertices: I) {
        vertices.into_iter().for_each(|v| self.push(v));
    }
}

impl FromIterator<usize> for VertexList {
    fn from_iter<I: IntoIterator<Item = usize>>(vertices: I) -> Self {
        let mut list = Self::default();
        list.extend(vertices);
        list
    }
}

impl fmt::Display for VertexList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.count, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_counted_and_the_first_are_listed() {
        let list: VertexList = (5..5 + VertexList::MOST + 7).collect();
        assert_eq!((list.first().len(), list.count()), (VertexList::MOST, VertexList::MOST + 7));
        assert_eq!((list.first()[0], list.to_string()), (5, (VertexList::MOST + 7).to_string()));
    }
}
