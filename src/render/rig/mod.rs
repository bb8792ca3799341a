//! Pose-independent rig data on the graphics card: geometry, influences, textures, wireframe.

mod edges;
pub(super) mod features;
pub(super) mod gpu_rig;
mod mipmaps;
pub(super) mod primitive;
pub(super) mod repeats;
mod textures;
mod typical_edge;
pub(super) mod upload;
pub(super) mod vertex_data;
pub(super) mod weighted_meshes;
