//! Vertices in a pose: what a pose says, the programs and kernels that skin, and the buffers that hold the result.

mod bounds;
pub mod centers;
mod frame_data;
mod joint_shares;
mod normals;
pub mod pose_data;
mod skin_variant;
pub mod skinned;
pub mod skinning_device;
pub mod skinning_stage;
