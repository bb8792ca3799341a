//! Tests of the user's choices and of what is derived from them.

mod behaviours;
mod camera;
mod centers;
mod notices;
mod selection;
mod comparison_files;
mod tracks;
mod weights;
