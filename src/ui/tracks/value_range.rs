//! Values as heights in a row.

use egui::{Rangef, Rect};

use crate::analysis::tracks::{Track, TrackKind};

/// Room above the greatest value and below the least, points.
const MARGIN: f32 = 6.0;

/// Values at the bottom and the top of a row.
pub(super) struct ValueRange {
    pub low: f32,
    pub high: f32,
    down: Rangef,
}

impl ValueRange {
    pub(super) fn of(track: &Track, rect: Rect) -> Self {
        let [low, high] = track.range();
        let least = match track.kind {
            TrackKind::Volume | TrackKind::LeastArea | TrackKind::Loss => 0.01,
            TrackKind::WorstDistance | TrackKind::MeanDistance => 1e-4,
            TrackKind::Flipped | TrackKind::AngularSpeed | TrackKind::Rotation => 1.0,
        };
        let down = Rangef::new(rect.top() + MARGIN, rect.bottom() - MARGIN);
        Self {
            low: if track.kind == TrackKind::Volume { low.min(high - least) } else { low },
            high: high.max(low + least),
            down,
        }
    }

    pub(super) fn y(&self, value: f32) -> f32 {
        egui::remap(value, self.low..=self.high, self.down.max..=self.down.min)
    }
}
