//! The comparison: what is A, what is B, and how they share the picture.

use super::AppState;
use crate::skinning::{Antipodality, Method, Skinning};
use crate::view::{Camera, Compare, Display, Layout, Look, Overlay, PerSide, Shading, ShownPose, Side, SideView};

/// Where the camera was before it went back to fit the halves of [`Layout::SideBySide`], and where it went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fitted {
    before: Camera,
    after: Camera,
}

impl AppState {
    /// How a side is skinned.
    pub fn skinning(&self, side: Side) -> &Skinning {
        &self.open.view.sides[side].skinning
    }

    /// As one step of undo; see [`Self::set_skinning`].
    pub(super) fn choose_skinning(&mut self, side: Side, skinning: Skinning) {
        self.as_step(|state| state.set_skinning(side, skinning));
    }

    /// Unless the open character does not allow it, which is said.
    pub(super) fn set_skinning(&mut self, side: Side, skinning: Skinning) {
        if skinning.antipodality != self.skinning(side).antipodality {
            self.point_out_antipodal(side, skinning.antipodality);
        }
        if !self.allows(&skinning) {
            return;
        }
        let is_chosen = side == Side::A && skinning.method != self.skinning(side).method;
        self.open.view.sides[side].skinning = skinning;
        if is_chosen {
            self.remember_method();
        }
    }

    /// What a tour shows is no choice of the user's, and weights that one file has are no habit.
    pub(super) fn remember_method(&mut self) {
        let method = self.skinning(Side::A).method;
        if !self.is_touring() && method != Method::Painted {
            self.settings.method = method;
        }
    }

    /// Without the check of signs the vertices that go the long way are painted, unless something else is.
    fn point_out_antipodal(&mut self, side: Side, wanted: Antipodality) {
        let overlay = &mut self.open.view.sides[side].overlay;
        match wanted {
            Antipodality::Unchecked if overlay.is_none() => *overlay = Some(Overlay::Antipodal),
            Antipodality::Checked if *overlay == Some(Overlay::Antipodal) => *overlay = None,
            _ => {}
        }
    }

    /// Another method for A; two sides that would then show the same change places.
    pub(super) fn next_method(&mut self) {
        let PerSide { a, b } = &self.open.view.sides;
        let next = a.skinning.method.next();
        if self.open.view.compare.layout != Layout::Single && b.skinning.method == next {
            self.swap_sides();
        } else {
            self.choose_skinning(Side::A, Skinning { method: next, ..a.skinning.clone() });
        }
    }

    pub(super) fn swap_sides(&mut self) {
        // Both serve this character already.
        self.as_step(|state| state.open.view.sides.swap());
        self.remember_method();
        self.open.derived.is_stale |= {
            let PerSide { a, b } = &self.open.view.sides;
            a.pose != b.pose
        };
    }

    pub(super) fn show_pose_on(&mut self, side: Side, pose: ShownPose) {
        self.open.derived.is_stale |= self.open.view.sides[side].pose != pose;
        self.open.view.sides[side].pose = pose;
    }

    /// What both sides show from now on; a way of skinning that the open character does not allow stays as it was, which is said.
    pub(super) fn show_sides(&mut self, sides: PerSide<SideView>) {
        for (side, wanted) in [(Side::A, sides.a), (Side::B, sides.b)] {
            self.set_skinning(side, wanted.skinning);
            self.show_pose_on(side, wanted.pose);
            let shown = &mut self.open.view.sides[side];
            (shown.subject, shown.weights) = (wanted.subject, wanted.weights);
            self.open.derived.is_stale = true;
            (self.open.view.sides[side].overlay, self.open.view.sides[side].range) = (wanted.overlay, wanted.range);
        }
    }

    /// Draws the skin of all sides in something else. What a tour shows is no choice of the user's.
    pub(super) fn shade(&mut self, shading: Shading) {
        self.open.view.shade(shading);
        if !self.is_touring() {
            self.settings.display.look = self.open.view.display.look;
        }
    }

    pub(super) fn set_layout(&mut self, layout: Layout) {
        let (before, aspect) = (self.open.view.compare, self.aspect);
        self.share_picture(Compare { layout, is_blinking: false, ..before });
        if before.layout == Layout::Single {
            self.tell_sides_apart();
        }
        match (before.layout == Layout::SideBySide, layout == Layout::SideBySide) {
            (false, true) => self.fit_halves(aspect),
            (true, false) => self.leave_halves(aspect),
            _ => {}
        }
    }

    /// How the sides share the picture from now on. Halves are framed as what they are from the next command on, not from the next frame.
    pub(super) fn share_picture(&mut self, compare: Compare) {
        let width = |layout| if layout == Layout::SideBySide { 0.5 } else { 1.0 };
        self.aspect *= width(compare.layout) / width(self.open.view.compare.layout);
        self.open.view.compare = compare;
    }

    /// The halves are narrower than the picture was: the camera goes back until they show as much.
    fn fit_halves(&mut self, whole: f32) {
        let all = self.all_points();
        let camera = &mut self.open.view.camera;
        let before = *camera;
        camera.narrow(&all, whole, self.aspect);
        self.open.fitted = Some(Fitted { before, after: *camera });
    }

    /// The camera goes to where it was. Where it was moved since and shows all in the halves, of this aspect, or is as far away as all asked for, it shows all in
    /// the whole picture too.
    fn leave_halves(&mut self, half: f32) {
        let camera = self.open.view.camera;
        let fitted = self.open.fitted.take();
        if let Some(fitted) = fitted.filter(|fitted| fitted.after == camera) {
            self.open.view.camera = fitted.before;
        } else if fitted.is_some_and(|fitted| camera.distance >= fitted.after.distance)
            || camera.sees_all(&self.all_points(), half)
        {
            self.frame_all();
        }
    }

    /// Two sides that are compared and wholly equal show nothing: B takes the plain method that A is not.
    pub(super) fn tell_sides_apart(&mut self) {
        let PerSide { a, b } = &self.open.view.sides;
        if self.open.view.compare.layout != Layout::Single && a == b {
            let method = if a.skinning.method == Method::Lbs { Method::Dqs } else { Method::Lbs };
            self.choose_skinning(Side::B, Skinning { method, ..b.skinning.clone() });
        }
    }

    pub(super) fn toggle_clay(&mut self) {
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
    use crate::state::{Action, BuiltIn, Command, Document, Settings, Source};

    #[test]
    fn side_by_side_shows_all_in_each_half_and_the_camera_goes_back_if_it_was_not_moved() {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
        let mut state = AppState::new(document, Settings::default());
        state.apply(Command::SetAspect(0.8));
        state.apply(Command::Do(Action::FrameAll));
        let (aspect, before) = (state.aspect, state.open.view.camera);
        state.apply(Command::SetLayout(Layout::SideBySide));
        let halves = state.open.view.camera;
        assert!(halves.distance > before.distance * 1.1, "{} {}", halves.distance, before.distance);
        assert_eq!(Camera { distance: before.distance, ..halves }, before, "from the same direction");
        assert!(state.open.history.is_empty());
        state.apply(Command::SetLayout(Layout::Wipe));
        assert_eq!((state.aspect, state.open.view.camera), (aspect, before));
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
