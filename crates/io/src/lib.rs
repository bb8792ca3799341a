//! Reads and writes rig files.

#![warn(unreachable_pub)]

pub mod export;
pub mod import;
