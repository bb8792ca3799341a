mod frame_data;
pub(super) mod pose_data;
mod skin_variant;
pub(super) mod skinned;
pub(super) mod skinning_device;
pub(super) mod skinning_stage;
pub(super) mod vertex_sources;
