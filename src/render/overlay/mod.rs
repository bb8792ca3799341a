//! Overlays: per-vertex values drawn instead of the material.

pub(super) mod overlay_textures;
pub(super) mod readback;
