//! Takes the measurements that rules need. A measurement is a value with its location.

use super::super::Target;
use super::inventory::Inventory;
use super::{Measure, Rule};

/// Measured value, with its description and location.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Value in the unit of its measure.
    pub value: f64,
    /// Main clause of a sentence: `The file has 12 clips`.
    pub clause: String,
    /// Names of the largest contributors or of the objects in violation; may be empty.
    pub detail: String,
    /// Location of the measured objects.
    pub target: Target,
}

/// Measurements for a rule, or a message that explains to the user why the rule cannot be checked.
pub(super) type Measurements = Result<Vec<Measurement>, String>;

impl Measurement {
    pub(super) fn of_file(rule: &Rule, value: f64, detail: String, target: Target) -> Self {
        let clause = format!("The file has {}", rule.measure.phrase(value));
        Self { value, clause, detail, target }
    }
}

/// Measures a rig as a rule requires, either once for the file or once per object. *Errors*: a message for the user.
pub(super) fn measure(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    // A file may have no meshes at all. Other measures need at least one object.
    if !matches!(rule.measure, Measure::Meshes | Measure::SkinnedMeshes | Measure::BasicMeshes) {
        inventory.check_selection(rule)?;
    }
    rule.measure.function()(inventory, rule)
}

pub(super) fn not_in_file(_: &Inventory<'_>, _: &Rule) -> Measurements {
    Err("not in this file".to_owned())
}

pub(super) fn not_read(_: &Inventory<'_>, _: &Rule) -> Measurements {
    Err("not read by Rigscope".to_owned())
}

pub(super) fn of_clips_alone(_: &Inventory<'_>, _: &Rule) -> Measurements {
    Err("demanded of clips by [[clips]] alone".to_owned())
}
