pub(super) mod after_load;
pub(super) mod borrowed_clips;
mod counterparts;
pub(super) mod lost_work;
pub(super) mod open;
pub(super) mod reload;
pub(super) mod session;
