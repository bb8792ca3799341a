use std::path::PathBuf;

use crate::stage::Session;
use crate::state::ShowMe;

/// What to do with a file once it is read. Stored in the load request and passed back with the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AfterLoad {
    /// Show the file at rest, in place of the open one.
    #[default]
    Show,
    ShowMe(ShowMe),
    /// Show the file and apply pose files, in order.
    Pose(Vec<PathBuf>),
    /// Show the file, with a comparison file on side B.
    Compare(PathBuf),
    Restore(Box<Session>),
    Tour(usize),
    /// Show the file or add its clips to the open character. Asks the user if both are possible.
    Dropped,
    /// Continue with the open file, which was read again with the clips of another file.
    UseClips,
    /// Continue with the reloaded file.
    Reload {
        /// True if the user asked for the reload; false if another program changed the file.
        is_asked: bool,
    },
}

impl AfterLoad {
    pub fn is_asked(&self) -> bool {
        *self != Self::Reload { is_asked: false }
    }
}
