//! The drawer of tracks above the timeline: when it is open, and which tracks are to be made.

use super::AppState;
use crate::analysis::tracks::TrackKind;

impl AppState {
    /// True while the drawer above the timeline is open.
    pub fn is_track_drawer_open(&self) -> bool {
        self.settings.tracks.is_open && self.has_timeline()
    }

    /// True where there is a timeline; the tour and files without clips have none.
    pub fn has_timeline(&self) -> bool {
        !self.is_touring() && !self.open.stage.rig().clips.is_empty()
    }

    /// True from the begin of an edit, such as a drag, to its end.
    pub fn is_in_edit(&self) -> bool {
        self.open.history.is_open()
    }

    /// True while a track of some kind is shown.
    pub(super) fn shows_tracks(&self, is_meant: impl Fn(TrackKind) -> bool) -> bool {
        self.is_track_drawer_open() && self.settings.tracks.shown.iter().any(|kind| is_meant(*kind))
    }

    /// Opens the drawer of tracks, which measures again where that was stopped, or closes it.
    pub(super) fn toggle_tracks(&mut self) {
        if self.has_timeline() {
            self.settings.tracks.is_open ^= true;
            self.open.stage.measure_tracks(true);
        }
    }
}
