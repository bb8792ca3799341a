//! Overlays: values painted over vertices in place of the material.

pub(super) mod readback;
pub(super) mod values;
