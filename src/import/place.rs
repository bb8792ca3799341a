//! Places within a file.

use std::fmt;

/// A primitive of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's number of the mesh.
    pub mesh: usize,
    /// The mesh's name; may be empty.
    pub name: String,
    /// The file's number of the primitive.
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
