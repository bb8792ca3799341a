//! What is written to files.

pub(super) mod disk;
pub(super) mod export;
pub(super) mod film;
pub(super) mod mesh_export;
pub(super) mod rig_export;
pub(super) mod weight_export;
