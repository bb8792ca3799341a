//! The panels beside the view: which of them are open.

use crate::state::AppState;

/// A panel beside the view, by the edge of the window at which it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PanelEdge {
    /// The tree.
    Left,
    /// The selected joint, or what is chosen in its place.
    #[default]
    Right,
}

/// What the panel on the right shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SidePanel {
    /// The selected joint.
    #[default]
    Joint,
    /// Rest, bind, clip and user pose.
    Pose,
    /// The two sides of a comparison.
    Compare,
    /// The vertices that are looked at.
    Skin,
    /// Morph targets.
    Morphs,
    /// The steps of undo.
    History,
    /// Findings.
    Lint,
}

/// How many panels the window has room for.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::state) struct PanelRoom {
    /// There is room for one.
    is_narrow: bool,
    /// The one that is open then; the other is folded.
    front: PanelEdge,
}

impl AppState {
    /// True where a panel is wanted, be it open or folded.
    pub fn is_panel_wanted(&self, edge: PanelEdge) -> bool {
        match edge {
            PanelEdge::Left => self.settings.left_panel,
            PanelEdge::Right => self.settings.right_panel,
        }
    }

    /// True where a panel is wanted and not folded for want of room.
    pub fn is_panel_open(&self, edge: PanelEdge) -> bool {
        self.is_panel_wanted(edge) && (!self.panel_room.is_narrow || self.panel_room.front == edge)
    }

    /// True where the window has room for one panel at a time.
    pub fn is_narrow(&self) -> bool {
        self.panel_room.is_narrow
    }

    /// Of two panels that are wanted that on the right stays open where the window becomes narrow.
    pub(in crate::state) fn set_narrow(&mut self, is_narrow: bool) {
        let front = if self.settings.right_panel { PanelEdge::Right } else { PanelEdge::Left };
        self.panel_room = PanelRoom { is_narrow, front };
    }

    /// Opens a panel that is hidden or folded, hides one that is open.
    pub(in crate::state) fn toggle_panel(&mut self, edge: PanelEdge) {
        let is_open = self.is_panel_open(edge);
        self.want_panel(edge, !is_open);
    }

    fn want_panel(&mut self, edge: PanelEdge, is_wanted: bool) {
        let wanted = match edge {
            PanelEdge::Left => &mut self.settings.left_panel,
            PanelEdge::Right => &mut self.settings.right_panel,
        };
        *wanted = is_wanted;
        if is_wanted {
            self.panel_room.front = edge;
        }
    }

    /// Shows the tree where it was hidden or folded.
    pub(in crate::state) fn show_tree(&mut self) {
        self.want_panel(PanelEdge::Left, true);
    }

    /// Shows something in the panel on the right, and that panel where it was hidden or folded.
    pub(in crate::state) fn show_side_panel(&mut self, panel: SidePanel) {
        self.side_panel = panel;
        self.want_panel(PanelEdge::Right, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Action, Command, Settings};

    #[test]
    fn a_narrow_window_has_one_panel_open_and_a_wide_one_again_what_it_had() {
        let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut state = AppState::new(tube, Settings::default());
        let open = |state: &AppState| [PanelEdge::Left, PanelEdge::Right].map(|edge| state.is_panel_open(edge));
        assert_eq!(open(&state), [true, true]);
        state.apply(Command::SetNarrow(true));
        assert_eq!(open(&state), [false, true]);
        state.apply(Command::Do(Action::ToggleLeftPanel));
        assert_eq!(open(&state), [true, false], "the other folds");
        state.apply(Command::SetSidePanel(SidePanel::Compare));
        assert_eq!(open(&state), [false, true], "what is asked for is seen");
        state.apply(Command::SetNarrow(false));
        assert_eq!(open(&state), [true, true]);
        state.apply(Command::SetNarrow(true));
        state.apply(Command::Do(Action::ToggleRightPanel));
        assert_eq!(open(&state), [false, false], "nothing opens that was not asked for");
        state.apply(Command::SetNarrow(false));
        assert_eq!(open(&state), [true, false], "what was hidden stays so");
    }
}
