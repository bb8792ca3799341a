//! Findings: problems and oddities of a rig. The importers and the rules of lint create them.

mod code;
mod finding;

pub use code::{Code, Explanation, Severity};
pub use finding::{BrokenRule, Finding, NodeList, Target};
