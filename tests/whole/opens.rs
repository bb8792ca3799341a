//! Memory use must not grow with the number of opened files.
#![cfg(target_os = "linux")]

use std::path::PathBuf;

use rigscope::stage::Source;
use rigscope::state::{Action, Command};

use crate::common::{files_below, samples};
use crate::monkey::write_files;
use crate::program::{Program, settle};

/// Number of files to open in each round.
const FILES: usize = 20;
/// Number of rounds.
const ROUNDS: usize = 10;
/// Maximum size of a file, bytes; larger files would take too long.
const MAX_BYTES: u64 = 2 << 20;

#[test]
#[ignore = "part of `make soak`"]
fn memory_after_two_hundred_files_is_that_after_twenty() {
    rigscope::app::return_free_memory();
    let folder = tempfile::tempdir().unwrap();
    let files = mixed(write_files(folder.path()));
    let mut harness = Program::new(folder.path()).harness([1280.0, 800.0]);
    let mut rounds: Vec<(usize, usize)> = Vec::new();
    for round in 1..=ROUNDS {
        for path in &files {
            let commands = &mut harness.state_mut().engine.commands;
            commands.push(Command::Open(Source::File(path.clone())));
            settle(&mut harness);
            // Measures both sides and shows overlays.
            harness.state_mut().engine.commands.push(Command::Do(Action::NextLayout));
            settle(&mut harness);
        }
        let now = (resident(), threads());
        eprintln!("after {} files: {} MB, {} threads", round * FILES, now.0, now.1);
        rounds.push(now);
    }
    let (first, last) = (rounds[0], &rounds[ROUNDS - 3..]);
    // A job may have just ended, so this takes the minimum of the last rounds. Leaked memory is included in every
    // round.
    let memory = last.iter().map(|now| now.0).min().unwrap();
    let threads = last.iter().map(|now| now.1).min().unwrap();
    assert!(memory * 10 <= first.0 * 11, "{memory} MB after {} files, {} MB after {FILES}", ROUNDS * FILES, first.0);
    assert!(threads <= first.1 + 1, "{threads} threads after {} files, {} after {FILES}", ROUNDS * FILES, first.1);
}

/// Returns [`FILES`] files: generated valid and invalid ones, and samples of all formats if available.
fn mixed(own: Vec<PathBuf>) -> Vec<PathBuf> {
    let all = samples().map_or_else(Vec::new, |folder| files_below(&folder, &["fbx", "glb", "gltf", "vrm"]));
    let small: Vec<PathBuf> =
        all.into_iter().filter(|path| path.metadata().is_ok_and(|file| file.len() <= MAX_BYTES)).collect();
    let step = (small.len() / 12).max(1);
    let chosen = small.into_iter().step_by(step).take(12);
    let own = own.into_iter().filter(|path| path.extension().is_none_or(|ending| ending != "json"));
    chosen.chain(own).cycle().take(FILES).collect()
}

/// Returns the resident memory of the process, MB.
fn resident() -> usize {
    status("VmRSS") / 1000
}

fn threads() -> usize {
    status("Threads")
}

fn status(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
