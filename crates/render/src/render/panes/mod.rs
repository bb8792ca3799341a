pub(super) mod eye;
pub(super) mod pane;
