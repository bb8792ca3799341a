//! Hand editing of weights: select vertices, apply an operation to their weights, and keep the result by vertex.

mod means;
mod mesh;
mod operation;
mod part_vertices;
mod point_set;
mod row;
mod vertex_row;
mod vertex_rows;

pub use means::{JointMean, mean_weights};
pub use mesh::EditMesh;
#[cfg(any(test, feature = "testing"))]
pub use mesh::looked_at;
pub use operation::{WeightEdit, WeightEditResult, edit};
pub use part_vertices::PrimitiveVertices;
pub use point_set::PointSet;
pub use vertex_rows::{AppliedRows, VertexRows};
