//! Checks and measures rigs.

#![warn(unreachable_pub)]

pub mod analysis;
pub mod diff;
pub mod project;
