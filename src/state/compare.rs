//! The comparison: what is A, what is B, and how they share the picture.

use super::AppState;
use crate::rig::NodeIndex;
use crate::skinning::{Antipodality, Skinning};
use crate::view::{Compare, Layout, Overlay, Side};

impl AppState {
    /// How a side is skinned.
    pub fn skinning(&self, side: Side) -> &Skinning {
        self.view.skinning_of(side)
    }

    /// Unless the open character does not allow it, which is said.
    pub(super) fn set_skinning(&mut self, side: Side, skinning: Skinning) {
        if skinning.antipodality != self.skinning(side).antipodality {
            self.point_out_antipodal(side, skinning.antipodality);
        }
        if !self.allows(&skinning) {
            return;
        }
        match side {
            Side::A => {
                self.settings.method = skinning.method;
                self.view.skinning = skinning;
            }
            Side::B => self.view.compare.b = skinning,
        }
    }

    /// Without the check of signs the vertices that go the long way are painted, unless something else is.
    fn point_out_antipodal(&mut self, side: Side, wanted: Antipodality) {
        let overlay = &mut self.view.compare.overlays[side.index()];
        match wanted {
            Antipodality::Unchecked if overlay.is_none() => *overlay = Some(Overlay::Antipodal),
            Antipodality::Checked if *overlay == Some(Overlay::Antipodal) => *overlay = None,
            _ => {}
        }
    }

    /// Another method for A; two sides that would then show the same change places.
    pub(super) fn next_method(&mut self) {
        let next = self.view.skinning.method.next();
        if self.view.compare.layout != Layout::Single && self.view.compare.b.method == next {
            self.swap_sides();
        } else {
            self.set_skinning(Side::A, Skinning { method: next, ..self.view.skinning.clone() });
        }
    }

    pub(super) fn swap_sides(&mut self) {
        // Both serve this character already.
        std::mem::swap(&mut self.view.skinning, &mut self.view.compare.b);
        self.view.compare.overlays.swap(0, 1);
        self.view.compare.ranges.swap(0, 1);
        self.settings.method = self.view.skinning.method;
    }

    pub(super) fn set_compare(&mut self, mut compare: Compare) {
        if !self.allows(&compare.b) {
            compare.b = self.view.compare.b.clone();
        }
        self.derived.is_stale |= self.view.compare.b_is_rest != compare.b_is_rest;
        for side in Side::ALL.map(Side::index) {
            // A range is one of the values that it was chosen for.
            if compare.overlays[side] != self.view.compare.overlays[side] && compare.ranges == self.view.compare.ranges
            {
                compare.ranges[side] = None;
            }
        }
        self.view.compare = compare;
    }

    pub(super) fn set_layout(&mut self, layout: Layout) {
        self.view.compare.layout = layout;
        self.view.compare.is_blinking = false;
    }

    /// For another character: methods of joints are those of the old one's.
    pub(super) fn forget_joint_methods(&mut self) {
        self.view.skinning.by_joint.clear();
        self.view.compare.b.by_joint.clear();
    }

    /// For the same character read again; `same` gives each old node its new one.
    pub(super) fn carry_joint_methods(&mut self, same: &[Option<NodeIndex>]) {
        for skinning in [&mut self.view.skinning, &mut self.view.compare.b] {
            let carried = skinning.by_joint.iter().filter_map(|(node, method)| Some((same[node.index()]?, *method)));
            let mut carried: Vec<_> = carried.collect();
            carried.sort_unstable_by_key(|(node, _)| *node);
            skinning.by_joint = carried;
        }
    }

    pub(super) fn toggle_clay(&mut self) {
        if self.view.is_comparing() {
            self.view.compare.is_clay ^= true;
        } else {
            self.toggle(|d| &mut d.clay);
        }
    }
}
