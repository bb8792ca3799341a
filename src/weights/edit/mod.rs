//! Weights fixed by hand: vertices are selected, an operation is done to their weights, and what comes of it is kept by vertex.
//!
//! | type | is |
//! | --- | --- |
//! | [`EditMesh`] | the welded points of a character's skinned meshes, and which hang together |
//! | [`PointSet`] | the points that are selected |
//! | [`PartVertices`] | vertices of a primitive, as files keep a selection |
//! | [`WeightEdit`] | what is done to their weights |
//! | [`mean_weights()`] | which joints move them, and how much |
//! | [`VertexRows`] | weights of single vertices, as they are kept |

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
#[cfg(test)]
pub(crate) use mesh::looked_at;
pub use operation::{Edited, WeightEdit, edit};
pub use part_vertices::PartVertices;
pub use point_set::PointSet;
pub use vertex_rows::{AppliedRows, VertexRows};
