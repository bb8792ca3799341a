//! What of a file's VRM data its specification does not allow.

use std::fmt;

/// A part of what VRM says of a character beyond its bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VrmPart {
    /// Name, authors, permissions and licence.
    Meta,
    /// Expressions of the face; in VRM 0 groups of blend shapes.
    Expressions,
    /// How the eyes follow a target.
    Gaze,
    /// Which meshes the character itself sees.
    FirstPerson,
    /// Joints that swing, and what they collide with.
    Springs,
    /// Joints whose rotation follows that of others.
    Constraints,
}

impl VrmPart {
    /// All parts.
    pub const ALL: [Self; 6] =
        [Self::Meta, Self::Expressions, Self::Gaze, Self::FirstPerson, Self::Springs, Self::Constraints];
}

/// What is wrong with a part of a file's VRM data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VrmFaults {
    /// The part.
    pub part: VrmPart,
    /// Number of values that the specification does not allow, or that it asks for and are not there.
    pub count: usize,
    /// The first of them in words, each with its place in the extension: `licenseUrl is missing`.
    pub first: Vec<String>,
}

impl VrmFaults {
    /// Faults whose words are kept.
    const KEPT: usize = 8;

    /// A part without faults.
    pub fn none(part: VrmPart) -> Self {
        Self { part, count: 0, first: Vec::new() }
    }

    /// Adds a fault.
    pub fn push(&mut self, fault: &dyn fmt::Display) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < Self::KEPT {
            self.first.push(fault.to_string());
        }
    }
}
