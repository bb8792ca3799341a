//! Locations within a file.

use std::fmt;

/// Location of a primitive in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the mesh in the file.
    pub mesh: usize,
    /// Name of the mesh; may be empty.
    pub name: String,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() {
            write!(f, "Mesh {}, primitive {}", self.mesh, self.primitive)
        } else {
            write!(f, "Mesh {} \"{}\", primitive {}", self.mesh, self.name, self.primitive)
        }
    }
}
