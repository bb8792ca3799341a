//! Unusable parts of spring bones, by reason.

use std::fmt;

/// Numbers of joints, colliders and references omitted from the spring bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OmittedSprings {
    /// References to nodes, colliders or collider groups that do not exist.
    pub references: usize,
    /// Colliders without a known shape.
    pub shapeless: usize,
    /// Joints that do not descend from the previous one.
    pub loose: usize,
    /// Collider references beyond the simulation limit.
    pub beyond: usize,
}

impl OmittedSprings {
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

impl fmt::Display for OmittedSprings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { references, shapeless, loose, beyond } = *self;
        let parts = [
            (references, ["reference to nothing in the file", "references to nothing in the file"]),
            (shapeless, ["collider without a known shape", "colliders without a known shape"]),
            (
                loose,
                ["joint that does not hang on the one before it", "joints that do not hang on the one before them"],
            ),
            (beyond, ["collider of a chain beyond the limit", "colliders of chains beyond the limit"]),
        ];
        let mut comma = "";
        for (count, [one, many]) in parts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{comma}{count} {}", if count == 1 { one } else { many })?;
            comma = ", ";
        }
        Ok(())
    }
}
