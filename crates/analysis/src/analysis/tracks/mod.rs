//! Tracks: measures of one clip over time, as lines that mark their worst frame.

mod joints;
mod kind;
mod line;
mod skin;

pub use joints::{JointTracks, KeyMark, OddKey, joint_tracks};
pub use kind::TrackKind;
pub use line::{Line, LineOwner, Sampling, Track, nearest};
pub use skin::SkinTracks;
