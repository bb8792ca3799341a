//! Tracks: measures of one clip over time, each as lines with their worst frames, for whoever draws them.
//!
//! | file | is about |
//! | --- | --- |
//! | `kind` | the measures that there are |
//! | `line` | one line: its worst frame, and its points at some resolution |
//! | `skin` | both sides over the clip, as [`super::motion`] measures them |
//! | `joints` | rotations of single joints, and keys that are odd |

mod joints;
mod kind;
mod line;
mod skin;

pub use joints::{JointTracks, KeyMark, OddKey, joint_tracks};
pub use kind::TrackKind;
pub use line::{Line, LineOf, Sampling, Track, nearest};
pub use skin::SkinTracks;
