pub(super) mod bend_test;
pub(super) mod pick;
pub(super) mod probe;
pub(super) mod skin_pick;
pub(super) mod twist;
pub(super) mod vertices;
pub(super) mod weight_problems;
