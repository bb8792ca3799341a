//! What to do once a file is read: it travels with the request and returns with the document.

use std::path::PathBuf;

use crate::stage::Session;
use crate::state::ShowMe;

/// Purpose that a file is read for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AfterLoad {
    /// Show the file in place of the open one, at rest.
    #[default]
    Show,
    /// Show the file in a demonstration pose.
    ShowMe(ShowMe),
    /// Show the file with pose files applied, one after the other.
    Pose(Vec<PathBuf>),
    /// Show the file with another file on side B.
    Compare(PathBuf),
    /// Show the file with the pose and the rest of a session.
    Restore(Box<Session>),
    /// Show a step of the tour.
    Tour(usize),
    /// Show the file or put its clips onto the open character; the user is asked where both are possible.
    Dropped,
    /// Continue with the open file, now with the clips of another one.
    UseClips,
    /// Continue with the open file as reloaded.
    Reload {
        /// True where the user asked for the reload; false where another program changed the file.
        is_asked: bool,
    },
}

impl AfterLoad {
    /// True for what the user asked for; false where another program changed the open file.
    pub fn is_asked(&self) -> bool {
        *self != Self::Reload { is_asked: false }
    }
}
