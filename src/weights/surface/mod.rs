//! The surface of a body: its connectivity and stiffness, its nearest place to a point, and what it blocks.

mod cover;
mod network;
mod normals;
mod touching;
mod tree;

pub(super) use network::Network;
pub(super) use normals::normals;
pub(super) use touching::touching_points;
pub(super) use tree::Nearest;
pub(crate) use tree::{TriangleTree, nearest_shares};
