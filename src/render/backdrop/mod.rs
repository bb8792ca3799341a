//! Background, environment, ground and contact shadow.

pub(super) mod background;
pub(super) mod cut_out;
pub(super) mod environment;
pub(super) mod ground;
pub(super) mod shadow;
