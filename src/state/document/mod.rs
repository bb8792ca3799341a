pub(super) mod borrowed_clips;
pub(super) mod lost_work;
pub(super) mod open;
pub(super) mod reload;
pub(super) mod session;
