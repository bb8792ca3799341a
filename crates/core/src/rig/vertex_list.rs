use std::fmt;

/// The first vertices of a set and the total count, for messages and annotations. Displays as the count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexList {
    first: Vec<u32>,
    count: usize,
}

impl VertexList {
    /// Maximum number of listed vertices. The limit keeps a badly broken file from exhausting memory.
    pub const MAX: usize = 4096;

    /// Adds a vertex; beyond [`Self::MAX`], only counts it.
    pub fn push(&mut self, vertex: usize) {
        if let Some(number) = u32::try_from(vertex).ok().filter(|_| self.first.len() < Self::MAX) {
            self.first.push(number);
        }
        self.count = self.count.saturating_add(1);
    }

    /// Appends a vertex even beyond [`Self::MAX`], for findings that occur at most once per vertex.
    pub fn push_listed(&mut self, vertex: usize) {
        self.first.extend(u32::try_from(vertex));
        self.count = self.count.saturating_add(1);
    }

    /// Appends another list, even beyond [`Self::MAX`].
    pub fn append_listed(&mut self, next: &Self) {
        self.first.extend(&next.first);
        self.count = self.count.saturating_add(next.count);
    }

    /// Appends another list; lists vertices up to [`Self::MAX`] and counts all further vertices.
    pub fn append(&mut self, next: &Self) {
        let room = Self::MAX.saturating_sub(self.first.len());
        self.first.extend(next.first.iter().take(room));
        self.count = self.count.saturating_add(next.count);
    }

    /// Returns the listed vertices, in insertion order.
    pub fn first(&self) -> &[u32] {
        &self.first
    }

    /// Returns the number of vertices, including unlisted vertices.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether no vertex was added.
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
        let list: VertexList = (5..5 + VertexList::MAX + 7).collect();
        assert_eq!((list.first().len(), list.count()), (VertexList::MAX, VertexList::MAX + 7));
        assert_eq!((list.first()[0], list.to_string()), (5, (VertexList::MAX + 7).to_string()));
    }
}
