//! Rows of different lengths in contiguous storage.

/// Rows of different lengths in one allocation.
#[derive(Clone, Debug, Default)]
pub struct JaggedArray<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> JaggedArray<T> {
    /// Groups `(row, item)` entries into `count` rows; keeps the order within a row (counting sort).
    pub fn new(count: usize, entries: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0; count + 1];
        for (row, _) in entries.clone() {
            starts[row as usize + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut items = entries.clone().next().map_or(Vec::new(), |(_, first)| vec![first; starts[count] as usize]);
        for (row, item) in entries {
            let slot = &mut next[row as usize];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Self { starts, items }
    }

    /// Creates `count` rows; `fill` receives a row index and appends the entries of that row.
    pub fn filled(count: usize, mut fill: impl FnMut(usize, &mut Vec<T>)) -> Self {
        let mut array = Self { starts: vec![0], items: Vec::new() };
        let mut row = Vec::new();
        for index in 0..count {
            row.clear();
            fill(index, &mut row);
            array.items.extend_from_slice(&row);
            array.starts.push(array.items.len() as u32);
        }
        array
    }

    /// Returns the entries of a row.
    pub fn row(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}
