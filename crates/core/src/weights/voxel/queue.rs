const BUCKETS_PER_CELL: f32 = 2.0;

/// A bucket queue of cells by ascending distance; the order within a bucket is deterministic.
#[derive(Debug, Default)]
pub(super) struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    first: usize,
}

impl BucketQueue {
    /// Adds a cell. A cell nearer than the last popped cell goes into the current bucket.
    pub(super) fn push(&mut self, distance: f32, cell: u32) {
        let bucket = ((distance * BUCKETS_PER_CELL) as usize).max(self.first);
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(cell);
    }

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
