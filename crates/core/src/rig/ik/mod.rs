//! Inverse kinematics of a chain of joints.

mod chain;
mod reach;

pub(super) use chain::PosedChain;
pub use chain::{IkChain, SolverInputs, rest_bend};
