//! Shared by the integration tests.
#![allow(dead_code, clippy::allow_attributes, reason = "no test uses all of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed helper is a failed test")]

pub mod golden;
pub mod gpu;
pub mod rigs;
