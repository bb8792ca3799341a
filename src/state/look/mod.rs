//! The camera, as the user moves it.

pub(super) mod camera;
pub(super) mod saved_views;
