//! Parallel processing that delivers results in the order of the items.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::jobs::lock;

/// The items, and the index of the next item. They have their own lock, separate from the queue's lock, so that results
/// are delivered while a thread waits for an item.
type Items<I> = Mutex<(I, usize)>;

struct Queue<R, P> {
    taken: usize,
    passed_on: usize,
    /// Finished results that wait for earlier results, by item index.
    done: BTreeMap<usize, R>,
    pass_on: P,
    failure: Option<String>,
}

/// Number of threads, and how many results may wait.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Threads {
    pub count: usize,
    /// Maximum number of finished results per thread that may wait for an earlier result. Limits memory.
    pub waiting: usize,
}

/// Calls `work` for every item on several threads, and `pass_on` for every result, in the order of the items. Stops at
/// the first error returned by `pass_on`.
pub(in super::super) fn for_each<I, R, P>(
    items: I,
    threads: Threads,
    work: &(impl Fn(I::Item) -> R + Sync),
    pass_on: P,
) -> Result<(), String>
where
    I: Iterator + Send,
    R: Send,
    P: FnMut(R) -> Result<(), String> + Send,
{
    let items = Mutex::new((items, 0));
    let queue = Mutex::new(Queue { taken: 0, passed_on: 0, done: BTreeMap::new(), pass_on, failure: None });
    let moved = Condvar::new();
    std::thread::scope(|scope| {
        let window = threads.count * threads.waiting;
        let (items, queue, moved) = (&items, &queue, &moved);
        for _ in 1..threads.count {
            let serve_too = move || serve(items, queue, moved, window, work);
            // If no thread can be started, the calling thread does all the work.
            let _ = std::thread::Builder::new().name("files".to_owned()).spawn_scoped(scope, serve_too);
        }
        serve(items, queue, moved, window, work);
    });
    queue.into_inner().unwrap_or_else(PoisonError::into_inner).failure.map_or(Ok(()), Err)
}

fn serve<I, R, P>(
    items: &Items<I>,
    queue: &Mutex<Queue<R, P>>,
    moved: &Condvar,
    window: usize,
    work: &(impl Fn(I::Item) -> R + Sync),
) where
    I: Iterator,
    P: FnMut(R) -> Result<(), String>,
{
    let mut locked = lock(queue);
    loop {
        while locked.failure.is_none() && locked.taken >= locked.passed_on + window {
            locked = moved.wait(locked).unwrap_or_else(PoisonError::into_inner);
        }
        if locked.failure.is_some() {
            return;
        }
        locked.taken += 1;
        drop(locked);
        let Some((number, item)) = next(items) else { return };
        let result = work(item);
        locked = lock(queue);
        locked.done.insert(number, result);
        locked.pass_on_finished();
        moved.notify_all();
    }
}

fn next<I: Iterator>(items: &Items<I>) -> Option<(usize, I::Item)> {
    let (items, next) = &mut *lock(items);
    let item = items.next()?;
    let number = *next;
    *next += 1;
    Some((number, item))
}

impl<R, P: FnMut(R) -> Result<(), String>> Queue<R, P> {
    fn pass_on_finished(&mut self) {
        while let Some(result) = self.done.remove(&self.passed_on).filter(|_| self.failure.is_none()) {
            self.passed_on += 1;
            self.failure = (self.pass_on)(result).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_keep_the_order_and_few_wait() {
        let (begun, mut seen, mut max_ahead) = (AtomicUsize::new(0), Vec::new(), 0);
        let work = |n: usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            // The first item takes longest, so that the other results wait for it.
            std::thread::sleep(Duration::from_millis(if n == 0 { 50 } else { 0 }));
            n
        };
        let pass_on = |n| {
            max_ahead = max_ahead.max(begun.load(Ordering::SeqCst) - n);
            seen.push(n);
            Ok(())
        };
        for_each(0..200, Threads { count: 4, waiting: 4 }, &work, pass_on).unwrap();
        assert_eq!(seen, (0..200).collect::<Vec<_>>());
        assert!(max_ahead <= 4 * 4 + 1, "{max_ahead} were begun before the first was passed on");
    }

    #[test]
    fn nothing_is_begun_after_an_error() {
        let begun = AtomicUsize::new(0);
        let work = |n: usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            n
        };
        let full = |_| Err("full".to_owned());
        let failure = for_each(0..100_000, Threads { count: 3, waiting: 4 }, &work, full).unwrap_err();
        assert_eq!(failure, "full");
        assert!(begun.load(Ordering::SeqCst) < 100);
    }
}
