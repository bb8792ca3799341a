//! Findings: problems and oddities of a rig, with code, severity, location and message. The importers and the lint
//! rules of [`crate::analysis::lint`] create them.

mod code;
mod finding;

pub use code::{Code, Explanation, Severity};
pub use finding::{BrokenRule, Finding, NodeList, Target};
