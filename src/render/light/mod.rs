//! Lighting of the file's materials: surroundings, what surfaces mirror of them, and the shadow of the key light.

pub(super) mod environment;
mod ground_shadow;
pub(super) mod key_shadow;
pub(super) mod lights;
mod reflectance;
mod shapes;
mod tables;
