pub(super) mod built_in;
mod ground_shadow;
pub(super) mod key_shadow;
pub(super) mod lights;
mod reflectance;
mod shapes;
