//! A priority queue of cells by distance.

/// Buckets per cell width of distance.
const BUCKETS_PER_CELL: f32 = 2.0;

/// A queue of cells by rising distance, in buckets; the order within a bucket is always the same.
#[derive(Debug, Default)]
pub(super) struct Queue {
    buckets: Vec<Vec<u32>>,
    /// Index of the first bucket that may not be empty.
    first: usize,
}

impl Queue {
    /// Adds a cell; one nearer than the cell taken last counts as equally near.
    pub(super) fn push(&mut self, distance: f32, cell: u32) {
        let bucket = ((distance * BUCKETS_PER_CELL) as usize).max(self.first);
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(cell);
    }

    /// Removes and returns one of the nearest cells.
    pub(super) fn pop(&mut self) -> Option<u32> {
        while let Some(bucket) = self.buckets.get_mut(self.first) {
            if let Some(cell) = bucket.pop() {
                return Some(cell);
            }
            self.first += 1;
        }
        self.buckets.clear();
        self.first = 0;
        None
    }
}
