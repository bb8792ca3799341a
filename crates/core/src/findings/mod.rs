//! Findings: problems and oddities of a rig. Importers and lint rules create them.

mod code;
mod finding;

pub use code::{Code, Explanation, Severity};
pub use finding::{BrokenRule, Finding, NodeList, Target};
