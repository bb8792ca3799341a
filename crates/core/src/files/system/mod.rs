//! Differences between operating systems: the same functions for Unix and for Windows.

use std::path::PathBuf;
use std::sync::MutexGuard;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{change_stamp, is_executable, is_pipe, os_string, portable, read_exact_at, without_console};
#[cfg(unix)]
pub(super) use unix::{
    exit, identity, keep_owner_and_mode, make_room, persist, real_path, refuse_device, set_mode, special_kind,
    usual_cache_folder, watch,
};
#[cfg(windows)]
pub use windows::{change_stamp, is_executable, is_pipe, os_string, portable, read_exact_at, without_console};
#[cfg(windows)]
pub(super) use windows::{
    exit, identity, keep_owner_and_mode, make_room, persist, real_path, refuse_device, set_mode, special_kind,
    usual_cache_folder, watch,
};

/// Lock of the paths of temporary files. While it is held, nobody can create another one.
type Held = MutexGuard<'static, Vec<PathBuf>>;
