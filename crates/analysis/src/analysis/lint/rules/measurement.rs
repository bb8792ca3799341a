//! A measured number and its location.

use super::super::Target;
use super::Rule;

/// A measured number, its subject and its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Number in the unit of its measure.
    pub value: f64,
    /// Main clause of a sentence: `The file has 12 clips`.
    pub clause: String,
    /// Names of the largest contributors, or of objects at fault; may be empty.
    pub detail: String,
    /// Location of what was measured.
    pub target: Target,
}

/// Measurements for a rule, or why it cannot be checked, as a message for the user.
pub(super) type Measurements = Result<Vec<Measurement>, String>;

impl Measurement {
    pub(super) fn of_file(rule: &Rule, value: f64, detail: String, target: Target) -> Self {
        let clause = format!("The file has {}", rule.measure.phrase(value));
        Self { value, clause, detail, target }
    }
}
