//! Paths of the repository and of the built program, for tests.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

/// The repository's folder.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Source folders of the crates, lowest crate first.
pub const SOURCES: [&str; 6] =
    ["crates/core/src", "crates/io/src", "crates/render/src", "crates/analysis/src", "crates/project/src", "src"];

/// Returns how a path to an item of one of our crates begins: `crate`, `rigscope_core` and so on.
pub fn crate_names() -> impl Iterator<Item = String> {
    let name = |folder: &str| Some(format!("rigscope_{}", folder.strip_prefix("crates/")?.strip_suffix("/src")?));
    std::iter::once("crate".to_owned()).chain(SOURCES.into_iter().filter_map(name))
}

/// Environment variable of the path of another program to test: a script that runs the one for Windows by Wine.
pub const OTHER_PROGRAM: &str = "RIGSCOPE_PROGRAM";

/// Returns whether `RIGSCOPE_REQUIRES`, a comma-separated list, contains `what`. If it does, tests that need it fail
/// instead of being skipped.
///
/// CI services set `CI` everywhere, even where there are no samples. `RIGSCOPE_REQUIRES` is set only by those who have
/// them.
#[must_use]
pub fn requires(what: &str) -> bool {
    std::env::var("RIGSCOPE_REQUIRES").is_ok_and(|list| list.split(',').any(|item| item.trim() == what))
}

/// Returns the path of the program, which Cargo builds together with `tests/program.rs`. [`OTHER_PROGRAM`] names another
/// one.
///
/// # Panics
/// If the program is missing or older than the code.
pub fn program() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        if let Ok(other) = std::env::var(OTHER_PROGRAM) {
            return other;
        }
        let path = beside_tests();
        let how = "build it, with the features of the tests: `cargo build --features inspection`";
        let built = changed(&path).unwrap_or_else(|| panic!("there is no {}; {how}", path.display()));
        let newest = SOURCES.iter().map(|folder| newest(&Path::new(ROOT).join(folder))).max();
        assert!(newest.is_none_or(|newest| built >= newest), "{} is older than the code; {how}", path.display());
        path.to_string_lossy().into_owned()
    });
    &PROGRAM
}

/// Returns the path of the program. Tests are in `deps`, which is in the program's folder.
fn beside_tests() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let folder = test.ancestors().nth(2).unwrap_or(Path::new(""));
    folder.join(format!("rigscope{}", std::env::consts::EXE_SUFFIX))
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

/// Returns the time of the latest change to a file in a folder or its subfolders.
fn newest(folder: &Path) -> SystemTime {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let times = entries.filter_map(|path| if path.is_dir() { Some(newest(&path)) } else { changed(&path) });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}
