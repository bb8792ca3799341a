//! What lights the file's materials: environments made of round lights, what surfaces mirror of them, and the shadow of the strongest.

pub mod environment;
pub mod key_shadow;
pub mod lights;
mod reflectance;
pub mod sphere;
mod tables;
