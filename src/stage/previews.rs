//! Overlays that are shown for a while instead of the chosen ones. Sessions, undo steps and exports contain only the
//! chosen ones.

use super::Stage;
use super::changes::FoundChanges;
use crate::view::{Overlay, PerSide, Side};

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

/// Started previews, the newest last.
#[derive(Clone, Debug, Default)]
pub struct Previews {
    started: Vec<Preview>,
    shown: Option<Preview>,
}

impl Previews {
    /// Shows the overlays of a preview until its reason ends, or the user chooses an overlay.
    pub(crate) fn start(&mut self, preview: Preview) {
        self.end(preview);
        self.started.push(preview);
    }

    /// Starts or ends a preview.
    pub(crate) fn set(&mut self, preview: Preview, is_on: bool) {
        if is_on { self.start(preview) } else { self.end(preview) }
    }

    fn end(&mut self, preview: Preview) {
        self.started.retain(|started| *started != preview);
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the preview whose overlays are shown.
    pub fn shown(&self) -> Option<Preview> {
        self.shown
    }
}

impl Preview {
    /// Returns the overlays of the preview; `None` if its reason has ended.
    fn overlays(self, stage: &Stage) -> Option<PerSide<Option<Overlay>>> {
        let (view, rig) = (&stage.view, stage.rig());
        match self {
            Self::EditedWeights => stage.editing.is_on.then(|| {
                let is_joint = view.active_joint().is_some_and(|joint| rig.is_joint(joint));
                let is_shown = is_joint && view.sides.a.file.is_open();
                PerSide { a: is_shown.then_some(Overlay::Weight), b: None }
            }),
            Self::SelectedChange => FoundChanges::selected(stage).map(|_| PerSide::both(FoundChanges::overlay(stage))),
            Self::WeightDifference => {
                view.has_weight_difference().then(|| PerSide::both(Some(Overlay::WeightDifference)))
            }
        }
    }
}

impl Stage {
    /// Sets the overlay of a side. Ends the previews that it replaces.
    pub fn choose_overlay(&mut self, side: Side, overlay: Option<Overlay>) {
        let mut started = std::mem::take(&mut self.previews.started);
        started.retain(|preview| preview.overlays(self).is_some_and(|overlays| overlays[side].is_none()));
        self.previews.started = started;
        self.view.sides[side].paint(overlay);
        self.update_previews();
    }

    /// Sets the values at the ends of the sides' colour ramps. The overlays of a preview become the chosen ones.
    pub(crate) fn set_range(&mut self, sides: &[Side], range: Option<[f32; 2]>) {
        let shown = PerSide::from_fn(|side| self.view.overlay(side));
        for side in sides {
            self.choose_overlay(*side, shown[*side]);
            self.view.sides[*side].options.range = range;
        }
    }

    /// Drops the previews whose reason has ended, and shows the overlays of the newest one that has any.
    pub(super) fn update_previews(&mut self) {
        let current = self.previews.started.iter().filter_map(|preview| Some((*preview, preview.overlays(self)?)));
        let current: Vec<_> = current.collect();
        self.previews.started = current.iter().map(|(preview, _)| *preview).collect();
        let newest = current.into_iter().rfind(|(_, overlays)| overlays.iter().any(Option::is_some));
        (self.previews.shown, self.view.previews) =
            newest.map(|(preview, shown)| (Some(preview), shown)).unwrap_or_default();
    }
}
