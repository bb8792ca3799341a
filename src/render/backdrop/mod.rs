//! What a character stands on and before.

pub mod background;
pub mod ground;
pub mod shadow;
