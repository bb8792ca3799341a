//! The program without a window: its subcommands, their output, their files and exit codes.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
#[cfg(feature = "gl")]
mod bench;
mod cases;
mod check;
mod check_cache;
mod check_exclude;
mod check_pipeline;
mod check_suppressed;
mod check_unused;
mod clips_of;
#[cfg(feature = "gl")]
mod command_line;
mod compare;
mod diagnose;
mod explain;
mod faces;
mod flex;
mod hook;
mod hostile_times;
mod info;
mod integrations;
mod kit;
mod many_files;
mod motion;
mod nodes;
#[cfg(feature = "gl")]
mod outputs;
#[cfg(all(target_os = "linux", feature = "gl"))]
mod package;
#[cfg(feature = "gl")]
mod pages;
mod pipes;
mod profiles;
mod refit;
#[cfg(unix)]
mod release;
#[cfg(feature = "gl")]
mod render;
#[cfg(feature = "gl")]
mod report;
mod scripts;
#[cfg(feature = "gl")]
mod videos;
