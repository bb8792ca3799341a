//! The comparison: what is A, what is B, and how they share the picture.

use crate::skinning::{Method, Skinning};
use crate::state::{AppState, Notice, NoticeKind};
use crate::view::{Display, Layout, Look, PerSide, Shading, Side};

impl AppState {
    /// Skins a side in another way, as one step of undo; a way that the open character does not allow is said.
    pub(in crate::state) fn choose_skinning(&mut self, side: Side, skinning: Skinning) {
        let method = self.open.skinning(Side::A).method;
        if let Err(problem) = self.open.as_step(|open| open.set_skinning(side, skinning)) {
            let text = format!("The method was not changed: {problem}");
            self.notice = Some(Notice { kind: NoticeKind::Warning, text });
        } else if self.open.skinning(Side::A).method != method {
            self.remember_method();
        }
    }

    /// What a tour shows is no choice of the user's, and weights that one file has are no habit.
    pub(in crate::state) fn remember_method(&mut self) {
        let method = self.open.skinning(Side::A).method;
        if !self.is_touring() && method != Method::Painted {
            self.settings.method = method;
        }
    }

    /// Another method for A; two sides that would then show the same change places.
    pub(in crate::state) fn next_method(&mut self) {
        let PerSide { a, b } = &self.open.view.sides;
        let next = a.skinning.method.next();
        if self.open.view.compare.layout != Layout::Single && b.skinning.method == next {
            self.swap_sides();
        } else {
            self.choose_skinning(Side::A, Skinning { method: next, ..a.skinning.clone() });
        }
    }

    pub(in crate::state) fn swap_sides(&mut self) {
        // Both serve this character already.
        self.open.as_step(|open| open.view.sides.swap());
        self.remember_method();
        self.open.pose_changed();
    }

    /// For another character: a side whose method does not serve it shows LBS, which is said.
    pub(in crate::state) fn leave_unsuited_methods(&mut self) {
        let notice = |problem| Notice { kind: NoticeKind::Info, text: format!("LBS is shown: {problem}") };
        self.notice = self.open.leave_unsuited_methods().map(notice).or(self.notice.take());
    }

    /// Draws the skin of all sides in something else. What a tour shows is no choice of the user's.
    pub(in crate::state) fn shade(&mut self, shading: Shading) {
        self.open.as_step(|open| open.view.shade(shading));
        if !self.is_touring() {
            self.settings.display.look = self.open.view.display.look;
        }
    }

    pub(in crate::state) fn toggle_clay(&mut self) {
        if self.open.view.is_comparing() {
            self.open.view.compare.is_clay ^= true;
        } else {
            let display = self.open.view.display;
            let look = if display.look == Look::Clay { Look::Textured } else { Look::Clay };
            self.set_display(Display { look, ..display });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Action, Command, Settings};
    use crate::view::Camera;

    #[test]
    fn side_by_side_shows_all_in_each_half_and_the_camera_goes_back_if_it_was_not_moved() {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
        let mut state = AppState::new(document, Settings::default());
        state.apply(Command::SetAspect(0.8));
        state.apply(Command::Do(Action::FrameAll));
        let (aspect, before) = (state.open.aspect, state.open.view.camera);
        state.apply(Command::SetLayout(Layout::SideBySide));
        let halves = state.open.view.camera;
        assert!(halves.distance > before.distance * 1.1, "{} {}", halves.distance, before.distance);
        assert_eq!(Camera { distance: before.distance, ..halves }, before, "from the same direction");
        assert!(state.open.history.is_empty());
        state.apply(Command::SetLayout(Layout::Wipe));
        assert_eq!((state.open.aspect, state.open.view.camera), (aspect, before));
        state.apply(Command::SetLayout(Layout::SideBySide));
        state.apply(Command::Do(Action::ViewFront));
        let moved = state.open.view.camera;
        state.apply(Command::SetLayout(Layout::Single));
        let whole = state.open.view.camera;
        assert!(whole.yaw == moved.yaw && whole.distance < moved.distance * 0.9, "it fits: {moved:?} {whole:?}");
        state.apply(Command::SetLayout(Layout::SideBySide));
        state.open.view.camera.distance *= 0.2;
        let close = state.open.view.camera;
        state.apply(Command::SetLayout(Layout::Single));
        assert_eq!(state.open.view.camera, close, "what was looked at closely still is");
    }
}
