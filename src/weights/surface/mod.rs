//! The surface of a body: which points hang together and how stiffly, where it is nearest, what stands in the way.

mod cover;
mod network;
mod normals;
mod touching;
mod tree;

pub(super) use network::Network;
pub(super) use normals::normals;
pub(super) use touching::touching_points;
pub(super) use tree::{TriangleTree, nearest_shares};
