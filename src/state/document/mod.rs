//! The open document: opened, read again, restored from a session.

pub(super) mod after_load;
pub(super) mod borrowed_clips;
pub(super) mod open;
mod places;
pub(super) mod reload;
pub(super) mod session;
pub(super) mod set_aside;
