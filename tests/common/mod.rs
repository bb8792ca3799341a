//! Shared by the integration tests.
#![allow(dead_code, clippy::allow_attributes, reason = "no test uses all of it")]

pub mod golden;
pub mod gpu;
pub mod rigs;
