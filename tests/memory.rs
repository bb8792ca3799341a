//! The window releases unused memory.
#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::sync::{Arc, Barrier};

const MIB: usize = 1 << 20;
const THREADS: usize = 8;

/// Returns the resident private memory of the process, MiB.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() / 1024
}

#[test]
fn memory_freed_by_threads_returns_to_the_system() {
    rigscope::app::return_free_memory();
    // An image. When glibc frees such an array, it raises the amount of free memory that it keeps.
    drop(vec![1_u8; 30 * MIB]);
    let before = resident();
    let barrier = Arc::new(Barrier::new(THREADS));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let barrier = Arc::clone(&barrier);
            let work = move || {
                let arrays: Vec<Vec<u8>> = (0..20 * 16).map(|_| vec![1; MIB / 16]).collect();
                barrier.wait();
                let peak = resident();
                barrier.wait();
                drop(arrays);
                peak
            };
            std::thread::Builder::new().name("import".to_owned()).spawn(work).unwrap()
        })
        .collect();
    let peak = threads.into_iter().map(|thread| thread.join().unwrap()).max().unwrap();
    let after = resident();
    assert!(peak > before + 100, "{peak} MiB in use after {before}");
    assert!(after < before + 30, "{after} MiB stay of {peak}, there were {before}");
}
