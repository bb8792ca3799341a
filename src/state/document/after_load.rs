//! What happens once a file is read: it travels with the request and comes back with the document.

use std::path::PathBuf;

use crate::stage::Session;
use crate::state::ShowMe;

/// What a file is read for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AfterLoad {
    /// To be shown in place of the open one, at rest.
    #[default]
    Show,
    /// To be shown in a telling pose.
    ShowMe(ShowMe),
    /// To be shown with pose files applied, one after the other.
    Pose(Vec<PathBuf>),
    /// To be shown with another file on side B.
    Compare(PathBuf),
    /// To be shown with the pose and the rest of a session.
    Restore(Box<Session>),
    /// To show a step of the tour.
    Tour(usize),
    /// To be shown, or to lend its clips to the open character: the user is asked where both could be meant.
    Dropped,
    /// To go on with the open file, which has the clips of another one now.
    UseClips,
    /// To go on with the open file as it is now.
    Reload {
        /// The user asked for it; otherwise another program changed the file.
        is_asked: bool,
    },
}

impl AfterLoad {
    /// True for what the user asked for; false where another program changed the open file.
    pub fn is_asked(&self) -> bool {
        *self != Self::Reload { is_asked: false }
    }
}
