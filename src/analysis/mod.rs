//! What can be said of a rig without showing it: lint.

pub mod lint;
