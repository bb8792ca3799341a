//! Tests of what the user chooses and of what is derived from it.

mod camera;
mod centers;
mod selection;
mod subjects;
mod weights;
