use std::fmt;

/// Component of VRM data beyond the humanoid bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VrmComponent {
    /// Name, authors, permissions and licence.
    Meta,
    /// Expressions; blend-shape groups in VRM 0.
    Expressions,
    /// Look-at settings of the eyes.
    LookAt,
    /// Visibility of meshes in first-person view.
    FirstPerson,
    /// Springs and colliders.
    Springs,
    /// Rotation constraints.
    Constraints,
}

impl VrmComponent {
    /// All components.
    pub const ALL: [Self; 6] =
        [Self::Meta, Self::Expressions, Self::LookAt, Self::FirstPerson, Self::Springs, Self::Constraints];
}

/// Violations in one component of VRM data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VrmViolations {
    /// Component.
    pub part: VrmComponent,
    /// Number of invalid or missing values.
    pub count: usize,
    /// Messages of the first 8 violations, with the path in the extension, such as `licenseUrl is missing`.
    pub first: Vec<String>,
}

impl VrmViolations {
    const KEPT: usize = 8;

    /// Creates an empty entry for a component.
    pub fn none(part: VrmComponent) -> Self {
        Self { part, count: 0, first: Vec::new() }
    }

    /// Adds a violation.
    pub fn push(&mut self, fault: &dyn fmt::Display) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < Self::KEPT {
            self.first.push(fault.to_string());
        }
    }
}

/// Metadata and licence of a VRM, as text; any field may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VrmMeta {
    /// Character name.
    pub title: String,
    /// Version, as given by the authors.
    pub version: String,
    /// Names of authors.
    pub authors: Vec<String>,
    /// Contact information.
    pub contact: String,
    /// Terms of use as label and value, such as `("redistribution", "not allowed")`, including defaults.
    pub terms: Vec<(&'static str, String)>,
}
