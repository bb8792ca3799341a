//! Rendering, tested by pixels and by vertices that are read back.

#[path = "../common/mod.rs"]
mod common;

mod bones;
mod bounds;
mod captions;
mod far;
mod gpu;
mod gpu_samples;
mod light;
mod marks;
mod other_file;
mod painted;
mod pictures;
mod scripts;
mod sides;
mod skinned_once;
mod trails;
mod uploads;
