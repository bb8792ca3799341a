//! The cache folder.

use std::env::{home_dir, var_os};
use std::path::PathBuf;

/// Returns this program's cache folder, below `XDG_CACHE_HOME` or the system's default; it may not exist. `None` if
/// no environment variable defines it.
pub fn cache_folder() -> Option<PathBuf> {
    let named = |variable: &str| var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let usual = || match std::env::consts::OS {
        "windows" => named("LOCALAPPDATA"),
        "macos" => Some(home_dir()?.join("Library/Caches")),
        _ => Some(home_dir()?.join(".cache")),
    };
    let folder = named("XDG_CACHE_HOME").or_else(usual).filter(|folder| folder.is_absolute())?;
    Some(folder.join("rigscope"))
}
