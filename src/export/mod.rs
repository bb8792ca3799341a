//! What leaves the program: pose files.

mod atomic;
mod pose_file;

pub use atomic::write_atomically;
pub use pose_file::{PoseFile, PoseFileError, UnknownJoint};
