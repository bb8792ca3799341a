//! The comparison: what is A, what is B, and how they share the picture.

use super::AppState;
use crate::skinning::{Antipodality, Method, Skinning};
use crate::view::{Layout, Overlay, PerSide, Shading, ShownPose, Side, SideView};

impl AppState {
    /// How a side is skinned.
    pub fn skinning(&self, side: Side) -> &Skinning {
        &self.open.view.sides[side].skinning
    }

    /// Unless the open character does not allow it, which is said.
    pub(super) fn set_skinning(&mut self, side: Side, skinning: Skinning) {
        if skinning.antipodality != self.skinning(side).antipodality {
            self.point_out_antipodal(side, skinning.antipodality);
        }
        if !self.allows(&skinning) {
            return;
        }
        self.open.view.sides[side].skinning = skinning;
        self.remember_method();
    }

    /// What a tour shows is no choice of the user's.
    pub(super) fn remember_method(&mut self) {
        if !self.is_touring() {
            self.settings.method = self.skinning(Side::A).method;
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
            self.set_skinning(Side::A, Skinning { method: next, ..a.skinning.clone() });
        }
    }

    pub(super) fn swap_sides(&mut self) {
        // Both serve this character already.
        self.open.view.sides.swap();
        self.remember_method();
        self.open.derived.is_stale |= self.open.view.sides.a.pose != self.open.view.sides.b.pose;
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
            (self.open.view.sides[side].overlay, self.open.view.sides[side].range) = (wanted.overlay, wanted.range);
        }
    }

    /// Draws the skin of all sides in something else. What a tour shows is no choice of the user's.
    pub(super) fn shade(&mut self, shading: Shading) {
        self.open.view.shade(shading);
        if !self.is_touring() {
            self.settings.display.clay = self.open.view.display.clay;
        }
    }

    pub(super) fn set_layout(&mut self, layout: Layout) {
        let was_single = self.open.view.compare.layout == Layout::Single;
        self.open.view.compare.layout = layout;
        self.open.view.compare.is_blinking = false;
        if was_single {
            self.tell_sides_apart();
        }
    }

    /// Two sides that are compared and wholly equal show nothing: B takes the plain method that A is not.
    pub(super) fn tell_sides_apart(&mut self) {
        let PerSide { a, b } = &self.open.view.sides;
        if self.open.view.compare.layout != Layout::Single && a == b {
            let method = if a.skinning.method == Method::Lbs { Method::Dqs } else { Method::Lbs };
            self.set_skinning(Side::B, Skinning { method, ..b.skinning.clone() });
        }
    }

    pub(super) fn toggle_clay(&mut self) {
        if self.open.view.is_comparing() {
            self.open.view.compare.is_clay ^= true;
        } else {
            self.toggle(|d| &mut d.clay);
        }
    }
}
