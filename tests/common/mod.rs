//! Shared code of the integration tests: the samples folder, files and rigs built in code, comparisons.
#![allow(dead_code, clippy::allow_attributes, reason = "every test links this module and uses its own part of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed helper is a failed test")]

pub mod allocations;
pub mod character;
pub mod clips;
pub mod command;
pub mod conversion;
pub mod environment_map;
pub mod face;
pub mod fbx;
pub mod fbx_character;
pub mod fbx_golden;
pub mod formats;
pub mod fuzz;
pub mod glb;
pub mod golden;
#[cfg(feature = "gl")]
pub mod gpu;
pub mod json_schema;
pub mod kept;
pub mod limbs;
pub mod markdown;
pub mod odd_pairs;
pub mod paths;
pub mod reference;
pub mod rigs;
pub mod scripts;
pub mod vrm;
pub mod vrm_face;
pub mod walker;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rigscope::analysis::lint::Code;
use rigscope::import::ImportWarning;

/// Returns the folder of real rigs: `RIGSCOPE_SAMPLES`, by default next to the repository. Without it, a test reports that it was skipped and passes; it fails
/// if `RIGSCOPE_REQUIRES` contains `samples`.
pub fn samples() -> Option<PathBuf> {
    let folder = std::env::var_os("RIGSCOPE_SAMPLES")
        .map_or_else(|| Path::new(rigscope_tests::ROOT).join("../shared/samples"), PathBuf::from);
    log_request();
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(!rigscope_tests::requires("samples"), "no samples at {}", folder.display());
    skipped(&format!("there are no samples at {}", folder.display()));
    None
}

/// Returns the folder of small files with known results, next to the samples. Without it, a test reports that it was skipped and passes.
pub fn cases() -> Option<PathBuf> {
    let folder = samples()?.parent()?.join("cases");
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(&format!("there are no cases at {}", folder.display()));
    None
}

/// Appends the program and the name of the running test to the file `RIGSCOPE_SAMPLES_LOG`, so that `make test-without-samples` can run it again without
/// samples.
fn log_request() {
    let Some(log) = std::env::var_os("RIGSCOPE_SAMPLES_LOG") else { return };
    let program = std::env::current_exe().expect("the path of the test");
    let program = program.file_stem().expect("a name").to_string_lossy().into_owned();
    let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
    let thread = std::thread::current();
    if let Some(test) = thread.name() {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(log).expect("a log of samples");
        file.write_all(format!("{program} {test}\n").as_bytes()).expect("a log of samples");
    }
}

/// Returns only the warnings that change how a file is read.
pub fn of_reading(warnings: &[ImportWarning]) -> Vec<ImportWarning> {
    let is_formal = |w: &&ImportWarning| match w.finding.code {
        Code::AgainstRule => !w.finding.message.contains("attributes of names that glTF does not define"),
        code => code == Code::AttributeFormat,
    };
    warnings.iter().filter(|w| !is_formal(w)).cloned().collect()
}

/// Returns the messages of warnings.
pub fn messages(warnings: &[ImportWarning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// Reports that the running test is skipped, and why.
pub fn skipped(reason: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Writes to stderr directly, because a passing test hides `eprintln`.
    _ = writeln!(std::io::stderr(), "skipped: {test}, for {reason}");
}

/// Returns all files in a folder and its subfolders with these extensions, sorted.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of samples") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
