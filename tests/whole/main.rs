//! Tests of the whole program: random actions, opening many files, and common tasks in the real window.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed helper is a failed test, and long ones tell how far they are"
)]

mod checks;
#[path = "../common/mod.rs"]
mod common;
mod hands;
mod monkey;
mod opens;
mod program;
mod tasks;
#[path = "../common/window.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod window;
