//! Locations of the repository and the built program, for tests.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

/// Folder of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// True where `RIGSCOPE_REQUIRES`, a list with commas, has `what`: then a test fails without it, where it is skipped otherwise.
///
/// Hosts of builds set `CI` everywhere, also where nobody has the samples; this is set by those who have them.
#[must_use]
pub fn requires(what: &str) -> bool {
    std::env::var("RIGSCOPE_REQUIRES").is_ok_and(|list| list.split(',').any(|item| item.trim() == what))
}

/// Path of the program, which Cargo builds together with `tests/program.rs`.
///
/// # Panics
/// Where it is missing, or older than the code.
pub fn program() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        let path = beside_tests();
        let how = "build it, with the features of the tests: `cargo build --features inspection`";
        let built = changed(&path).unwrap_or_else(|| panic!("there is no {}; {how}", path.display()));
        let folders = ["src", "crates/analysis/src", "crates/core/src", "crates/io/src"];
        let newest = folders.iter().map(|folder| newest(&Path::new(ROOT).join(folder))).max();
        assert!(newest.is_none_or(|newest| built >= newest), "{} is older than the code; {how}", path.display());
        path.to_string_lossy().into_owned()
    });
    &PROGRAM
}

/// Tests are in `deps`, in the folder of the program.
fn beside_tests() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let folder = test.ancestors().nth(2).unwrap_or(Path::new(""));
    folder.join(format!("rigscope{}", std::env::consts::EXE_SUFFIX))
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

/// When the last of the sources in a folder was changed.
fn newest(folder: &Path) -> SystemTime {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let times = entries.filter_map(|path| if path.is_dir() { Some(newest(&path)) } else { changed(&path) });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}
