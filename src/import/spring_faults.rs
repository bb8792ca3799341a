//! What of a file's spring bones cannot be used, by reasons.

use std::fmt;

/// Numbers of joints, colliders and references that were left out of the spring bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpringsLeftOut {
    /// References to nodes, colliders or collider groups that are not in the file.
    pub references: usize,
    /// Colliders without a shape that is known.
    pub shapeless: usize,
    /// Joints that do not hang on the joint before them.
    pub loose: usize,
    /// Colliders of chains beyond the most that are simulated.
    pub beyond: usize,
}

impl SpringsLeftOut {
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

impl fmt::Display for SpringsLeftOut {
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
