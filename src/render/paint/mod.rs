//! Values painted over vertices in place of the material.

pub mod readback;
pub mod values;
