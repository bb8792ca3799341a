//! The folder for what can be made again.

use std::env::{home_dir, var_os};
use std::path::PathBuf;

/// The user's folder of this program for what can be made again: below `XDG_CACHE_HOME`, or where the system keeps such. It may not exist yet. `None` where no
/// variable of the environment says where that is.
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
