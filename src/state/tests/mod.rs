//! Tests of the user's choices and of values derived from them.

mod behaviours;
mod camera;
mod centers;
mod comparison_files;
mod notices;
mod selection;
mod tracks;
mod weights;
