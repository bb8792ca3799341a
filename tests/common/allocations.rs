//! Counts allocations per thread: a measure of work that doesn't depend on the machine's load.
#![expect(unsafe_code, reason = "an allocator is unsafe; this one passes everything on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: usize) {
    // Threads also free and allocate while their thread-local values are destroyed.
    _ = BYTES.try_with(|sum| sum.set(sum.get() + bytes as u64));
}

// SAFETY: the system's allocator does the work. Counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of bytes that this thread allocates during an action, including freed ones.
pub fn allocated<T>(action: impl FnOnce() -> T) -> (T, u64) {
    let before = BYTES.get();
    let result = action();
    (result, BYTES.get() - before)
}
