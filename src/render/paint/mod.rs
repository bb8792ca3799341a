//! Overlays: per-vertex values drawn instead of the material.

pub(super) mod readback;
pub(super) mod values;
