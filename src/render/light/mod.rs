//! Lighting of the file's materials: environments of round lights, their reflections, and the shadow of the key light.

pub(super) mod environment;
pub(super) mod key_shadow;
pub(super) mod lights;
mod reflectance;
pub(super) mod sphere;
mod tables;
