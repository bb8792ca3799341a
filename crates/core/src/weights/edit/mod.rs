//! Hand editing of weights: select vertices, apply an operation to their weights, and keep the result by vertex.
//!
//! | type | is |
//! | --- | --- |
//! | [`EditMesh`] | welded points of a character's skinned meshes, and their connectivity |
//! | [`PointSet`] | selected points |
//! | [`PartVertices`] | vertices of a primitive, as files store a selection |
//! | [`WeightEdit`] | an operation on weights |
//! | [`mean_weights()`] | mean weights of joints over points |
//! | [`VertexRows`] | stored weights of single vertices |

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
pub use operation::{Edited, WeightEdit, edit};
pub use part_vertices::PartVertices;
pub use point_set::PointSet;
pub use vertex_rows::{AppliedRows, VertexRows};
