//! The console of the window's process. Only Windows opens one for a program that isn't started from a console.

#[cfg_attr(windows, path = "windows.rs")]
#[cfg_attr(not(windows), path = "other.rs")]
mod system;

pub(super) use system::release;
pub use system::show_problem;
