//! What lights the file's materials: environments made of round lights, what surfaces mirror of them, and the shadow of the strongest.

pub(super) mod environment;
pub(super) mod key_shadow;
pub(super) mod lights;
mod reflectance;
pub(super) mod sphere;
mod tables;
