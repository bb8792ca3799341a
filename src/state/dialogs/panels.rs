use crate::state::Settings;

/// A side panel, identified by its window edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PanelEdge {
    /// The joint tree.
    Left,
    /// The panel with tabs.
    #[default]
    Right,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SidePanel {
    #[default]
    Joint,
    /// Rest, bind, clip and user pose.
    Pose,
    Compare,
    /// Meshes, materials and vertex probes.
    Skin,
    Morphs,
    History,
    Lint,
    /// Differences between the open character and a comparison character.
    Changes,
}

/// State of the side panels. The [`Settings`] store which panels the user wants to see.
#[derive(Clone, Copy, Debug, Default)]
pub struct Panels {
    pub side: SidePanel,
    is_narrow: bool,
    /// Panel that is open in a narrow window; the other panel is collapsed.
    front: PanelEdge,
}

impl Settings {
    /// True if the user wants to see a panel. In a narrow window, the panel may be collapsed.
    pub fn is_panel_wanted(&self, edge: PanelEdge) -> bool {
        match edge {
            PanelEdge::Left => self.left_panel,
            PanelEdge::Right => self.right_panel,
        }
    }
}

impl Panels {
    /// True if the user wants to see a panel and the window has room for it.
    pub fn is_open(&self, edge: PanelEdge, settings: &Settings) -> bool {
        settings.is_panel_wanted(edge) && (!self.is_narrow || self.front == edge)
    }

    pub fn is_shown(&self, panel: SidePanel, settings: &Settings) -> bool {
        self.is_open(PanelEdge::Right, settings) && self.side == panel
    }

    /// True if the window has room for only one panel.
    pub fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// Sets whether the window is narrow. If both panels were open, the right one stays open.
    pub(in crate::state) fn set_narrow(&mut self, is_narrow: bool, settings: &Settings) {
        self.is_narrow = is_narrow;
        self.front = if settings.right_panel { PanelEdge::Right } else { PanelEdge::Left };
    }

    /// Opens a hidden or collapsed panel, or hides an open panel.
    pub(in crate::state) fn toggle(&mut self, edge: PanelEdge, settings: &mut Settings) {
        let is_open = self.is_open(edge, settings);
        self.want(edge, !is_open, settings);
    }

    fn want(&mut self, edge: PanelEdge, is_wanted: bool, settings: &mut Settings) {
        match edge {
            PanelEdge::Left => settings.left_panel = is_wanted,
            PanelEdge::Right => settings.right_panel = is_wanted,
        }
        if is_wanted {
            self.front = edge;
        }
    }

    pub(in crate::state) fn show_tree(&mut self, settings: &mut Settings) {
        self.want(PanelEdge::Left, true, settings);
    }

    /// Shows a tab of the right panel; opens the panel if needed.
    pub(in crate::state) fn show(&mut self, panel: SidePanel, settings: &mut Settings) {
        self.side = panel;
        self.want(PanelEdge::Right, true, settings);
    }

    /// Shows the tab with findings, or the joint tab if the findings are already shown.
    pub(in crate::state) fn toggle_lint(&mut self, settings: &mut Settings) {
        let is_shown = self.is_shown(SidePanel::Lint, settings);
        self.show(if is_shown { SidePanel::Joint } else { SidePanel::Lint }, settings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::stage::BuiltIn;
    use crate::state::{Action, AppState, Command};

    #[test]
    fn a_narrow_window_has_one_panel_open_and_a_wide_one_again_what_it_had() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let open = |state: &AppState| {
            [PanelEdge::Left, PanelEdge::Right].map(|edge| state.panels.is_open(edge, &state.settings))
        };
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
