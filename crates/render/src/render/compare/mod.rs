pub(super) mod divider;
pub(super) mod glass;
pub(super) mod outline;
