//! What a character stands on and before.

pub mod background;
pub mod cut_out;
pub mod ground;
pub mod shadow;
