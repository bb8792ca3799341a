//! Parallel work in pieces that are cancelled together, with results in the order of the pieces.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{Progress, lock};

/// Calls `work` for each item on the current `rayon` pool. Returns the results in the order of the items, or `None` if
/// cancelled or if `work` returned `None`; then the other calls are left out.
pub fn try_map<I: Sync, T: Send>(
    items: &[I],
    progress: &Progress,
    work: impl Fn(&I) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    try_indices(items.len(), progress, |index| work(&items[index]))
}

/// Like [`try_map`], with a state such as buffers. Creates one for each call of `work` that runs at the same time.
pub fn try_map_with<I: Sync, S: Send, T: Send>(
    items: &[I],
    progress: &Progress,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &I) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let states = States::new(make);
    try_indices(items.len(), progress, |index| states.with(|state| work(state, &items[index])))
}

/// Like [`try_map`], for consecutive ranges of `size` indices, the last one perhaps shorter, that cover those below
/// `count`.
pub fn try_ranges<T: Send>(
    (count, size): (usize, usize),
    progress: &Progress,
    work: impl Fn(Range<usize>) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    try_indices(count.div_ceil(size), progress, |range| work(range * size..count.min((range + 1) * size)))
}

/// Like [`try_ranges`], with a state. See [`try_map_with`].
pub fn try_ranges_with<S: Send, T: Send>(
    count_and_size: (usize, usize),
    progress: &Progress,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<usize>) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let states = States::new(make);
    try_ranges(count_and_size, progress, |range| states.with(|state| work(state, range)))
}

fn try_indices<T: Send>(count: usize, progress: &Progress, work: impl Fn(usize) -> Option<T> + Sync) -> Option<Vec<T>> {
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let is_done = run(count, progress, &|index| {
        let result = work(index);
        let is_there = result.is_some();
        *lock(&results[index]) = result;
        is_there
    });
    let result = |of_index: Mutex<Option<T>>| of_index.into_inner().unwrap_or_else(PoisonError::into_inner);
    if is_done { results.into_iter().map(result).collect() } else { None }
}

/// Calls `work` until it returns false or the job is cancelled, and returns whether neither happened.
fn run(count: usize, progress: &Progress, work: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    let work = |index| progress.check_cancelled().is_some() && work(index);
    (0..count).into_par_iter().with_max_len(1).all(work)
}

struct States<S, M> {
    make: M,
    idle: Mutex<Vec<S>>,
}

impl<S, M: Fn() -> S> States<S, M> {
    fn new(make: M) -> Self {
        Self { make, idle: Mutex::new(Vec::new()) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut S) -> T) -> T {
        let idle = lock(&self.idle).pop();
        let mut state = idle.unwrap_or_else(&self.make);
        let result = work(&mut state);
        lock(&self.idle).push(state);
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn on_four_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap().install(work)
    }

    #[test]
    fn results_are_in_order_whatever_thread_they_are_from() {
        let progress = Progress::default();
        for count in [0, 1, 7, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let squares = on_four_threads(|| try_map(&items, &progress, |item| Some(item * item)));
            assert_eq!(squares, Some((0..count).map(|item| item * item).collect()));
        }
        assert_eq!(try_ranges((10, 4), &progress, Some), Some(vec![0..4, 4..8, 8..10]));
        assert_eq!(try_ranges((0, 4), &progress, Some), Some(Vec::new()));
    }

    #[test]
    fn a_missing_result_or_a_cancelled_job_ends_the_others() {
        let items: Vec<usize> = (0..1 << 16).collect();
        let calls = AtomicUsize::new(0);
        let work = |item: &usize| {
            calls.fetch_add(1, Ordering::Relaxed);
            (*item != 0).then_some(())
        };
        assert_eq!(try_map(&items, &Progress::default(), work), None);
        let called = calls.swap(0, Ordering::Relaxed);
        assert!((1..items.len()).contains(&called), "the others go on");
        assert_eq!(try_map(&items, &Progress::cancelled(), work), None);
        assert_eq!(calls.into_inner(), 0);
    }

    #[test]
    fn states_are_as_many_as_threads_and_serve_one_call_at_a_time() {
        let made = AtomicUsize::new(0);
        let make = || {
            made.fetch_add(1, Ordering::Relaxed);
            0
        };
        let count = |calls: &mut usize, _| {
            *calls += 1;
            Some(*calls)
        };
        let used = on_four_threads(|| try_ranges_with((1000, 1), &Progress::default(), make, count)).unwrap();
        let made = made.into_inner();
        assert!((1..=4).contains(&made));
        assert_eq!(used.iter().filter(|calls| **calls == 1).count(), made);
        assert!(used.into_iter().max() >= Some(250), "a state is used again");
    }
}
