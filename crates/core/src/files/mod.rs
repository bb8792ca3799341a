//! File access: bounded reads, atomic writes, and protection of input files against accidental overwriting.

mod digest;
mod exclusion;
mod glob;
mod identity;
mod listing;
mod pending;
mod reading;
mod staged_folder;
mod system;
mod writing;

use std::env::var_os;
use std::path::{Path, PathBuf};

pub use digest::{content_digest, digest};
pub use exclusion::{Exclusion, WalkEntry};
pub use glob::Glob;
pub use identity::{find_same_file, is_standard, kind};
pub use listing::{FolderEntry, list};
pub use pending::{before_process_ends, end_process};
pub use reading::{MAX_BYTES, is_stream, open, open_stream, read, read_bounded, read_waiting};
pub use staged_folder::StagedFolder;
pub use system::{change_stamp, is_executable, is_pipe, os_string, portable, read_exact_at, without_console};
pub use writing::{StreamedFile, write_atomically, write_together};

/// Formats a size in decimal units: "812 B", "45.1 kB", "1.2 MB".
pub fn byte_count(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Formats a path for messages and reports, the same on all systems; see [`portable`].
pub fn path_text(path: &Path) -> String {
    portable(&path.to_string_lossy()).into_owned()
}

/// Returns the program's cache folder, in `XDG_CACHE_HOME` or else in the system's cache folder. The folder may not
/// exist. `None` if neither location is known.
pub fn cache_folder() -> Option<PathBuf> {
    let named = |variable: &str| var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = named("XDG_CACHE_HOME").or_else(system::usual_cache_folder).filter(|folder| folder.is_absolute())?;
    Some(folder.join("rigscope"))
}
