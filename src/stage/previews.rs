//! Overlays that are shown for a while instead of the chosen ones. Sessions, undo steps and exports contain only the
//! chosen ones.

use super::Stage;
use crate::view::{Overlay, PerSide, Shading, Side};

/// Reason to show overlays other than the chosen ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preview {
    /// Weights are edited: side A shows those of the active joint.
    EditedWeights,
    /// A change between two files is selected.
    SelectedChange,
    /// The user wants to see how the weights of A and B differ.
    WeightDifference,
}

impl Stage {
    /// Shows the overlays of a preview until its reason ends, or the user chooses an overlay.
    pub(crate) fn start_preview(&mut self, preview: Preview) {
        self.end_preview(preview);
        self.previews.push(preview);
    }

    fn end_preview(&mut self, preview: Preview) {
        self.previews.retain(|shown| *shown != preview);
    }

    /// True if the overlays of this preview are shown.
    pub fn is_previewed(&self, preview: Preview) -> bool {
        self.newest_preview() == Some(preview)
    }

    /// Returns the newest preview that has an overlay.
    fn newest_preview(&self) -> Option<Preview> {
        let has_overlay = |preview: &Preview| self.overlays_of(*preview).iter().any(Option::is_some);
        self.previews.iter().copied().rev().find(has_overlay)
    }

    /// Previews how the weights of A and B differ, or ends the preview.
    pub(crate) fn show_weight_difference(&mut self, is_shown: bool) {
        if is_shown {
            self.start_preview(Preview::WeightDifference);
        } else {
            self.end_preview(Preview::WeightDifference);
        }
    }

    /// Sets the overlay of a side. Ends the previews that it replaces.
    pub fn choose_overlay(&mut self, side: Side, overlay: Option<Overlay>) {
        let others = self.previews.iter().copied().filter(|preview| self.overlays_of(*preview)[side].is_none());
        self.previews = others.collect();
        self.view.sides[side].paint(overlay);
        self.update_previews();
    }

    /// Sets the shading of both sides. Ends all previews.
    pub(crate) fn shade(&mut self, shading: Shading) {
        self.previews.clear();
        self.update_previews();
        self.view.shade(shading);
    }

    /// Sets the values at the ends of the sides' colour ramps. The overlays of a preview become the chosen ones.
    pub(crate) fn set_range(&mut self, sides: &[Side], range: Option<[f32; 2]>) {
        let shown = PerSide::from_fn(|side| self.view.overlay(side));
        for side in sides {
            self.choose_overlay(*side, shown[*side]);
            self.view.sides[*side].options.range = range;
        }
    }

    /// Drops the previews whose reason has ended, and shows the overlays of the newest one.
    pub(super) fn update_previews(&mut self) {
        let current = self.previews.iter().copied().filter(|preview| self.is_current(*preview));
        self.previews = current.collect();
        self.view.previews = self.newest_preview().map_or_else(PerSide::default, |newest| self.overlays_of(newest));
    }

    /// True if A and B show the open character with different weights.
    pub fn has_weight_difference(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.shown_file(side).is_open())
            && self.weight_choice(Side::A) != self.weight_choice(Side::B)
    }

    fn is_current(&self, preview: Preview) -> bool {
        match preview {
            Preview::EditedWeights => self.editing.is_on,
            Preview::SelectedChange => self.selected_change().is_some(),
            Preview::WeightDifference => self.has_weight_difference(),
        }
    }

    fn overlays_of(&self, preview: Preview) -> PerSide<Option<Overlay>> {
        match preview {
            Preview::EditedWeights => {
                let is_joint = self.view.active_joint().is_some_and(|joint| self.rig().is_joint(joint));
                let is_shown = is_joint && self.shown_file(Side::A).is_open();
                PerSide { a: is_shown.then_some(Overlay::Weight), b: None }
            }
            Preview::SelectedChange => PerSide::both(self.overlay_of_change()),
            Preview::WeightDifference => PerSide::both(Some(Overlay::WeightDifference)),
        }
    }
}
