use std::collections::HashMap;
use std::hash::Hash;

/// A typed index into a list.
pub trait EntryIndex: Copy + From<usize> + Into<usize> {}

impl<I: Copy + From<usize> + Into<usize>> EntryIndex for I {}

/// One-to-one match between the entries of an old and a new list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexMatch<I = usize> {
    new_for: Vec<Option<I>>,
    old_for: Vec<Option<I>>,
}

impl<I> Default for IndexMatch<I> {
    fn default() -> Self {
        Self { new_for: Vec::new(), old_for: Vec::new() }
    }
}

impl<I: EntryIndex> IndexMatch<I> {
    /// Creates a match in which no entries are paired.
    pub fn new(old_count: usize, new_count: usize) -> Self {
        Self { new_for: vec![None; old_count], old_for: vec![None; new_count] }
    }

    /// Creates a match from the new counterpart of each old entry; the new list has `new_count` entries.
    pub fn known(new_for: Vec<Option<I>>, new_count: usize) -> Self {
        let mut found = Self::new(new_for.len(), new_count);
        for (old, new) in new_for.into_iter().enumerate().filter_map(|(old, new)| Some((old, new?))) {
            found.join(I::from(old), new);
        }
        found
    }

    /// Returns the new counterpart of an old entry.
    pub fn new_for(&self, old: I) -> Option<I> {
        self.new_for.get(old.into()).copied().flatten()
    }

    /// Returns the old counterpart of a new entry.
    pub fn old_for(&self, new: I) -> Option<I> {
        self.old_for.get(new.into()).copied().flatten()
    }

    /// Returns the new counterpart of each old entry.
    pub fn all(&self) -> &[Option<I>] {
        &self.new_for
    }

    /// Iterates over matched `(old, new)` pairs, in the order of the old entries.
    pub fn pairs(&self) -> impl Iterator<Item = (I, I)> {
        self.new_for.iter().enumerate().filter_map(|(old, new)| Some((I::from(old), (*new)?)))
    }

    /// Iterates over old entries without a counterpart.
    pub fn unmatched_old(&self) -> impl DoubleEndedIterator<Item = I> {
        left(&self.new_for)
    }

    /// Iterates over new entries without a counterpart.
    pub fn unmatched_new(&self) -> impl DoubleEndedIterator<Item = I> {
        left(&self.old_for)
    }

    /// Pairs two entries.
    pub fn join(&mut self, old: I, new: I) {
        self.new_for[old.into()] = Some(new);
        self.old_for[new.into()] = Some(old);
    }

    /// Pairs unmatched entries that have equal keys, in list order. Entries with a repeated key are paired until one
    /// list runs out.
    pub fn join_equal<K: Eq + Hash>(&mut self, old_key: impl Fn(I) -> Option<K>, new_key: impl Fn(I) -> Option<K>) {
        let mut free: HashMap<K, Vec<I>> = HashMap::new();
        for (new, key) in self.unmatched_new().rev().filter_map(|new| Some((new, new_key(new)?))) {
            free.entry(key).or_default().push(new);
        }
        for old in self.unmatched_old().collect::<Vec<I>>() {
            if let Some(new) = old_key(old).and_then(|key| free.get_mut(&key)?.pop()) {
                self.join(old, new);
            }
        }
    }

    /// Pairs unmatched entries with equal keys. Skips keys that occur more than once among the unmatched entries of
    /// either list.
    pub(crate) fn join_unique<K: Eq + Hash>(
        &mut self,
        old_key: impl Fn(I) -> Option<K>,
        new_key: impl Fn(I) -> Option<K>,
    ) {
        let (from, to) = (unique(self.unmatched_old(), &old_key), unique(self.unmatched_new(), new_key));
        for old in self.unmatched_old().collect::<Vec<I>>() {
            let Some(key) = old_key(old) else { continue };
            if let (Some(Some(_)), Some(Some(new))) = (from.get(&key), to.get(&key).copied()) {
                self.join(old, new);
            }
        }
    }

    /// Pairs unmatched entries, nearest first. Each candidate is `(distance, old, new)`.
    pub fn join_nearest(&mut self, mut candidates: Vec<(f32, I, I)>) {
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, old, new) in candidates {
            if self.new_for(old).is_none() && self.old_for(new).is_none() {
                self.join(old, new);
            }
        }
    }
}

fn left<I: EntryIndex>(counterparts: &[Option<I>]) -> impl DoubleEndedIterator<Item = I> {
    counterparts.iter().enumerate().filter(|(_, other)| other.is_none()).map(|(number, _)| I::from(number))
}

/// Maps each key to its entry, or to `None` if several entries share the key.
fn unique<I, K: Eq + Hash>(entries: impl Iterator<Item = I>, key: impl Fn(I) -> Option<K>) -> HashMap<K, Option<I>>
where
    I: EntryIndex,
{
    let mut found = HashMap::new();
    for (entry, key) in entries.filter_map(|entry| Some((entry, key(entry)?))) {
        found.entry(key).and_modify(|other| *other = None).or_insert(Some(entry));
    }
    found
}
