use crate::stage::Source;
use crate::state::{AfterLoad, Request};

/// Files that were opened together. The list is empty or contains at least two files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    sources: Vec<Source>,
    /// Index of the last requested file, even if opening it failed.
    at: usize,
}

impl FileList {
    /// Creates a list without duplicates, in the given order. The first file is current.
    pub fn new(given: Vec<Source>) -> Self {
        let mut sources = Vec::with_capacity(given.len());
        for source in given {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        if sources.len() < 2 { Self::default() } else { Self { sources, at: 0 } }
    }

    /// Returns the request to load the first of several files; `None` without any.
    pub(in crate::state) fn open_all(&mut self, sources: Vec<Source>, then: AfterLoad) -> Option<Request> {
        let first = sources.first().cloned()?;
        *self = Self::new(sources);
        Some(Request::load(first, then))
    }

    /// Returns the request to load a file.
    pub(in crate::state) fn open(&mut self, source: Source, then: AfterLoad) -> Request {
        self.follow(&source);
        Request::load(source, then)
    }

    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Steps to the next or previous file, wrapping around. Returns the file.
    pub fn step(&mut self, is_forward: bool) -> Option<Source> {
        let count = self.sources.len();
        let by = if is_forward { 1 } else { count.checked_sub(1)? };
        self.at = (self.at + by).checked_rem(count)?;
        self.sources.get(self.at).cloned()
    }

    /// Makes a file current. Clears the list if it does not contain the file.
    pub fn follow(&mut self, source: &Source) {
        match self.sources.iter().position(|s| s == source) {
            Some(at) => self.at = at,
            None => *self = Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<Source> {
        names.iter().map(|n| Source::File(n.into())).collect()
    }

    #[test]
    fn steps_go_around_and_skip_nothing() {
        let mut list = FileList::new(files(&["a", "b", "a", "c"]));
        assert_eq!(list.sources(), files(&["a", "b", "c"]));
        let forward: Vec<Source> = (0..3).filter_map(|_| list.step(true)).collect();
        assert_eq!(forward, files(&["b", "c", "a"]));
        assert_eq!(list.step(false), files(&["c"]).pop());
    }

    #[test]
    fn one_file_is_no_list_and_a_stranger_ends_one() {
        assert!(FileList::new(files(&["a", "a"])).is_empty());
        assert_eq!(FileList::default().step(true), None);
        assert_eq!(FileList::default().step(false), None);
        let mut list = FileList::new(files(&["a", "b", "c"]));
        list.follow(&Source::File("b".into()));
        assert_eq!(list.step(true), files(&["c"]).pop());
        list.follow(&Source::File("x".into()));
        assert!(list.is_empty());
    }
}
