use super::AppState;
use crate::analysis::tracks::TrackKind;

impl AppState {
    pub fn is_track_drawer_open(&self) -> bool {
        self.settings.tracks.is_open && self.has_timeline()
    }

    /// True if there is a timeline: the file has clips and no tour is running.
    pub fn has_timeline(&self) -> bool {
        !self.is_touring() && !self.open.stage.rig().clips.is_empty()
    }

    /// True during an edit, such as a drag.
    pub fn is_in_edit(&self) -> bool {
        self.open.history.is_open()
    }

    pub(super) fn shows_tracks(&self, is_meant: impl Fn(TrackKind) -> bool) -> bool {
        self.is_track_drawer_open() && self.settings.tracks.shown.iter().any(|kind| is_meant(*kind))
    }

    /// Toggles the track drawer. Opening it restarts stopped measurements.
    pub(super) fn toggle_tracks(&mut self) {
        if self.has_timeline() {
            self.settings.tracks.is_open ^= true;
            self.open.stage.measure_tracks(true);
        }
    }
}
