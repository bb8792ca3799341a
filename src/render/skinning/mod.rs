pub(super) mod centers;
mod frame_data;
mod joint_blend_weights;
mod normals;
pub(super) mod pose_data;
mod skin_variant;
pub(super) mod skinned;
pub(super) mod skinning_device;
pub(super) mod skinning_stage;
