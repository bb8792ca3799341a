//! What leaves the program: pose files and pictures.

mod atomic;
mod picture;
mod pose_file;

pub use atomic::write_atomically;
pub use picture::save_png;
pub use pose_file::{PoseFile, PoseFileError, UnknownJoint};
