//! A measured value and its location.

use super::super::Target;
use super::Rule;

/// Measured value, with its description and location.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Value in the unit of its measure.
    pub value: f64,
    /// Main clause of a sentence: `The file has 12 clips`.
    pub clause: String,
    /// Names of the largest contributors or of violating objects; may be empty.
    pub detail: String,
    /// Location of the measured objects.
    pub target: Target,
}

/// Measurements for a rule, or a message for the user why it cannot be checked.
pub(super) type Measurements = Result<Vec<Measurement>, String>;

impl Measurement {
    pub(super) fn of_file(rule: &Rule, value: f64, detail: String, target: Target) -> Self {
        let clause = format!("The file has {}", rule.measure.phrase(value));
        Self { value, clause, detail, target }
    }
}
