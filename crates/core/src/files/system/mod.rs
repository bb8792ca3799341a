//! Differences between operating systems: the same functions for Unix and for Windows.

use std::path::PathBuf;
use std::sync::MutexGuard;

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod platform;

pub use platform::{change_stamp, is_executable, is_pipe, os_string, portable, read_exact_at, without_console};
pub(super) use platform::{
    exit, identity, keep_owner_and_mode, make_room, persist, real_path, refuse_device, set_mode, special_kind,
    usual_cache_folder, watch,
};

/// Lock of the paths of temporary files. While it is held, nobody can create another one.
type Held = MutexGuard<'static, Vec<PathBuf>>;
