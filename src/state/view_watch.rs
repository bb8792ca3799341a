//! Watches whether a playing clip carries the character out of the view.

use std::collections::BTreeSet;

use super::{AppState, Notice};
use crate::stage::{NoticeOffer, Stage, rough_bounds};
use crate::view::Camera;

/// Reports once per clip that the character left the view, until the user frames the character again.
#[derive(Debug, Default)]
pub(super) struct ViewWatch {
    /// Clips that were reported, as indices into `Rig::clips`.
    reported: BTreeSet<usize>,
    /// Camera that last saw the character. If the user moves the camera away, nothing is reported.
    seen_by: Option<Camera>,
}

impl ViewWatch {
    fn has_left(&mut self, stage: &Stage) -> bool {
        let is_watched = |clip: &usize| stage.playback.is_playing && !self.reported.contains(clip);
        let Some(clip) = stage.playback.clip.filter(is_watched) else { return false };
        if stage.view.camera.may_see(rough_bounds(stage.rig(), stage.posed()), stage.aspect) {
            self.seen_by = Some(stage.view.camera);
            return false;
        }
        self.seen_by.take() == Some(stage.view.camera) && self.reported.insert(clip)
    }
}

impl AppState {
    /// Advances the clip and live springs by the time since the last frame, in seconds. Reports if the character leaves
    /// the view.
    pub fn advance(&mut self, elapsed_secs: f32) {
        let open = &mut self.open;
        open.stage.advance(elapsed_secs);
        open.stage.refresh();
        if self.notices.newest().is_none() && open.view_watch.has_left(&open.stage) {
            self.notices.show_notice(Notice::info("The character left the view.").offering(NoticeOffer::FollowRoot));
        }
    }

    pub(super) fn frame(&mut self, frame: fn(&mut Stage)) {
        frame(&mut self.open.stage);
        self.open.view_watch = ViewWatch::default();
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::rig::{Channel, Clip, NodeIndex, Property, Rig, RigData};
    use crate::stage::{BuiltIn, Document};
    use crate::state::{Action, Command, Settings};

    /// Returns the tube with two clips that carry it 100 m to the side.
    fn leaving() -> AppState {
        let document = Document::built_in(BuiltIn::Tube);
        let values = [Vec3::ZERO, Vec3::X * 100.0].map(|by| by + document.rig.hierarchy.rest(NodeIndex(0)).translation);
        let values = values.iter().flat_map(Vec3::to_array).collect();
        let channel = Channel::linear(NodeIndex(0), Property::Translation, [0.0, 1.0], values);
        let clip = Clip { channels: vec![channel], duration_secs: 1.0, ..Clip::default() };
        let parts = RigData { clips: vec![clip.clone(), clip], ..RigData::clone(&document.rig) };
        let mut state = AppState::new(Document::new(document.source, Rig::new(parts), Vec::new()), Settings::default());
        play(&mut state, 0);
        state
    }

    fn play(state: &mut AppState, clip: usize) {
        state.apply(Command::SetClip(Some(clip)));
        for _ in 0..12 {
            state.advance(0.125);
        }
    }

    fn told(state: &mut AppState) -> bool {
        state.notices.dismiss().is_some_and(|notice| notice.offer == Some(NoticeOffer::FollowRoot))
    }

    #[test]
    fn a_character_that_leaves_is_reported_once_per_clip_until_it_is_framed() {
        let mut state = leaving();
        assert!(told(&mut state));
        play(&mut state, 0);
        assert!(!told(&mut state), "the same clip again");
        play(&mut state, 1);
        assert!(told(&mut state), "another clip");
        state.open.stage.playback.pause_at(0.0, &state.open.stage.document.rig);
        state.open.stage.refresh();
        state.apply(Command::Do(Action::FrameAll));
        play(&mut state, 0);
        assert!(told(&mut state), "framed again");
    }

    #[test]
    fn a_character_that_is_followed_or_held_does_not_leave() {
        for action in [Action::ToggleFollowRoot, Action::ToggleHoldRoot] {
            let mut state = leaving();
            told(&mut state);
            state.open.view_watch = ViewWatch::default();
            state.apply(Command::Do(action));
            play(&mut state, 1);
            assert!(
                !told(&mut state)
                    && state.open.stage.view.camera.may_see(
                        rough_bounds(state.open.stage.rig(), state.open.stage.posed()),
                        state.open.stage.aspect
                    ),
                "{action:?}"
            );
        }
    }

    #[test]
    fn a_view_that_the_user_turns_away_reports_nothing() {
        let mut state = leaving();
        told(&mut state);
        state.apply(Command::SetClip(Some(1)));
        state.advance(0.001);
        state.open.stage.view.camera.target += Vec3::Y * 1e3;
        state.advance(0.001);
        assert!(!told(&mut state));
    }

    #[test]
    fn following_brings_a_character_that_left_back_into_the_view() {
        let mut state = leaving();
        state.open.stage.playback.pause_at(0.9, &state.open.stage.document.rig);
        state.open.stage.refresh();
        assert!(
            !state
                .open
                .stage
                .view
                .camera
                .may_see(rough_bounds(state.open.stage.rig(), state.open.stage.posed()), state.open.stage.aspect)
        );
        state.apply(Command::Do(Action::ToggleFollowRoot));
        assert!(
            state
                .open
                .stage
                .view
                .camera
                .may_see(rough_bounds(state.open.stage.rig(), state.open.stage.posed()), state.open.stage.aspect)
                && state.open.stage.camera_tie.follows(state.open.stage.playback.root(state.open.stage.rig()))
        );
        state.apply(Command::Do(Action::ToggleFollowRoot));
        assert!(!state.open.stage.camera_tie.follows(state.open.stage.playback.root(state.open.stage.rig())));
    }
}
