//! One measured number and its place.

use super::super::Target;
use super::Rule;

/// A number, of what it is, and where it is worst.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The number in the unit of its measure.
    pub value: f64,
    /// What has the number, as the beginning of a sentence: `The file has 12 clips`.
    pub clause: String,
    /// What makes the number what it is: names of the heaviest or of those at fault; may be empty.
    pub detail: String,
    /// The place to look at.
    pub target: Target,
}

impl Reading {
    /// A number of the whole file.
    pub(super) fn of_file(rule: &Rule, value: f64, detail: String, target: Target) -> Self {
        let clause = format!("The file has {}", rule.measure.told(value));
        Self { value, clause, detail, target }
    }
}
