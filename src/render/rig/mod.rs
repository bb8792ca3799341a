//! A rig on the graphics card, whatever its pose: shapes, influences, textures, edges.

mod edges;
pub mod features;
pub mod gpu_rig;
mod mipmaps;
pub mod primitive;
pub mod repeats;
mod textures;
pub mod upload;
mod vertex_data;
pub mod weighted_meshes;
