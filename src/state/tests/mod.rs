mod behaviours;
mod camera;
mod centers;
mod comparison_files;
mod notices;
mod selection;
mod tracks;
mod weights;
