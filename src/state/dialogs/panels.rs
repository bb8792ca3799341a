use crate::state::{PanelEdge, Settings, SidePanel};

/// State of the panels. The [`Settings`] store which panels the user wants to see, and their tabs.
#[derive(Clone, Debug)]
pub struct Panels {
    pub(in crate::state) recent: RecentTabs,
    is_narrow: bool,
    /// Panel that is open in a narrow window; the other panel is collapsed.
    front: PanelEdge,
}

/// All tabs, the last shown first. Each panel shows the first of its tabs in this list.
pub(in crate::state) type RecentTabs = [SidePanel; SidePanel::ALL.len()];

impl Default for Panels {
    fn default() -> Self {
        Self { recent: SidePanel::ALL, is_narrow: false, front: PanelEdge::default() }
    }
}

impl Settings {
    /// True if the user wants to see a panel. In a narrow window, the panel may be collapsed.
    pub fn is_panel_wanted(&self, edge: PanelEdge) -> bool {
        match edge {
            PanelEdge::Left => self.left_panel,
            PanelEdge::Right => self.right_panel,
            PanelEdge::Bottom => self.bottom_panel,
        }
    }

    fn want_panel(&mut self, edge: PanelEdge, is_wanted: bool) {
        match edge {
            PanelEdge::Left => self.left_panel = is_wanted,
            PanelEdge::Right => self.right_panel = is_wanted,
            PanelEdge::Bottom => self.bottom_panel = is_wanted,
        }
    }
}

impl Panels {
    /// Returns the edge at which a tab is shown. A narrow window has no room for a panel at the bottom, so its tabs are
    /// in the right panel.
    fn edge(&self, tab: SidePanel, settings: &Settings) -> PanelEdge {
        match settings.layout.edge(tab) {
            PanelEdge::Bottom if self.is_narrow => PanelEdge::Right,
            edge => edge,
        }
    }

    /// Returns the tabs of a panel, in their order in the panel.
    pub fn tabs(&self, edge: PanelEdge, settings: &Settings) -> impl Iterator<Item = SidePanel> {
        SidePanel::ALL.into_iter().filter(move |tab| self.edge(*tab, settings) == edge)
    }

    /// Returns the tab that a panel shows when it is open; `None` if the panel has no tabs.
    pub fn front_tab(&self, edge: PanelEdge, settings: &Settings) -> Option<SidePanel> {
        self.recent.into_iter().find(|tab| self.edge(*tab, settings) == edge)
    }

    /// True if the user wants to see a panel, it has tabs, and the window has room for it.
    pub fn is_open(&self, edge: PanelEdge, settings: &Settings) -> bool {
        self.is_wanted(edge, settings) && (!self.is_narrow || self.front == edge)
    }

    /// Returns why a panel can't be opened, in a few words.
    pub(in crate::state) fn obstacle(&self, edge: PanelEdge, settings: &Settings) -> Option<&'static str> {
        if edge == PanelEdge::Bottom && self.is_narrow {
            return Some("The window is too narrow for it");
        }
        self.front_tab(edge, settings).is_none().then_some("No tab is docked there")
    }

    /// True if the user wants to see a panel and it has tabs.
    pub fn is_wanted(&self, edge: PanelEdge, settings: &Settings) -> bool {
        settings.is_panel_wanted(edge) && self.front_tab(edge, settings).is_some()
    }

    pub fn is_shown(&self, tab: SidePanel, settings: &Settings) -> bool {
        let edge = self.edge(tab, settings);
        self.is_open(edge, settings) && self.front_tab(edge, settings) == Some(tab)
    }

    /// True if the window has room for only one panel.
    pub fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// Sets whether the window is narrow. If both panels were open, the right one stays open.
    pub(in crate::state) fn set_narrow(&mut self, is_narrow: bool, settings: &Settings) {
        self.is_narrow = is_narrow;
        let is_right = self.is_wanted(PanelEdge::Right, settings);
        self.front = if is_right { PanelEdge::Right } else { PanelEdge::Left };
    }

    /// Opens a hidden or collapsed panel, or hides an open panel.
    pub(in crate::state) fn toggle(&mut self, edge: PanelEdge, settings: &mut Settings) {
        let is_open = self.is_open(edge, settings);
        settings.want_panel(edge, !is_open);
        if !is_open {
            self.front = edge;
        }
    }

    /// Hides all panels if one is open; otherwise opens all that fit.
    pub(in crate::state) fn toggle_all(&mut self, settings: &mut Settings) {
        if PanelEdge::ALL.iter().any(|edge| self.is_open(*edge, settings)) {
            for edge in PanelEdge::ALL {
                settings.want_panel(edge, false);
            }
        } else {
            self.show_all(settings);
        }
    }

    /// Opens all panels that fit.
    pub(in crate::state) fn show_all(&mut self, settings: &mut Settings) {
        for edge in PanelEdge::ALL {
            settings.want_panel(edge, true);
        }
        self.set_narrow(self.is_narrow, settings);
    }

    /// Shows a tab where it is docked; opens the panel if needed.
    pub(in crate::state) fn show(&mut self, tab: SidePanel, settings: &mut Settings) {
        self.bring_to_front(tab);
        let edge = self.edge(tab, settings);
        settings.want_panel(edge, true);
        settings.want_panel(settings.layout.edge(tab), true);
        self.front = edge;
    }

    /// Makes a tab the visible one of its panel, without opening the panel.
    pub(in crate::state) fn bring_to_front(&mut self, tab: SidePanel) {
        let place = self.recent.iter().position(|other| *other == tab).unwrap_or(0);
        self.recent[..=place].rotate_right(1);
    }

    /// Shows the tab with findings. If it is already shown, returns to the tab that its panel showed before, or hides the
    /// panel if it has no other tab.
    pub(in crate::state) fn toggle_lint(&mut self, settings: &mut Settings) {
        let lint = SidePanel::Lint;
        if !self.is_shown(lint, settings) {
            return self.show(lint, settings);
        }
        let edge = self.edge(lint, settings);
        match self.recent.into_iter().find(|tab| *tab != lint && self.edge(*tab, settings) == edge) {
            Some(before) => self.show(before, settings),
            None => self.toggle(edge, settings),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::stage::BuiltIn;
    use crate::state::{Action, AppState, Command, PanelLayout};

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

    #[test]
    fn a_moved_tab_opens_at_its_edge_and_leaves_the_others_as_they_were() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        let front = |state: &AppState| PanelEdge::ALL.map(|edge| state.panels.front_tab(edge, &state.settings));
        state.apply(Command::SetSidePanel(SidePanel::Compare));
        state.apply(Command::SetSidePanel(SidePanel::Lint));
        let [tree, compare, lint] = [SidePanel::Tree, SidePanel::Compare, SidePanel::Lint].map(Some);
        assert_eq!(front(&state), [tree, lint, None]);
        state.apply(Command::DockTab(SidePanel::Lint, PanelEdge::Bottom));
        assert_eq!(front(&state), [tree, compare, lint], "the tab before is shown again");
        state.apply(Command::SetSidePanel(SidePanel::Joint));
        assert_eq!(front(&state), [tree, Some(SidePanel::Joint), lint]);
        state.apply(Command::Do(Action::ShowLint));
        assert!(!state.panels.is_open(PanelEdge::Bottom, &state.settings), "it has no other tab");
        state.apply(Command::Do(Action::ShowLint));
        assert!(state.panels.is_shown(SidePanel::Lint, &state.settings));
        state.apply(Command::SetNarrow(true));
        assert_eq!(front(&state), [tree, lint, None], "a small window has no panel at the bottom");
        state.apply(Command::SetNarrow(false));
        state.apply(Command::Do(Action::ResetPanelLayout));
        assert_eq!(front(&state), [tree, lint, None]);
        assert!(!state.can(Action::ResetPanelLayout) && !state.can(Action::ToggleBottomPanel));
    }

    #[test]
    fn every_tab_is_shown_wherever_it_is_moved_and_every_panel_toggles() {
        for is_narrow in [false, true] {
            let mut state = AppState::with_built_in(BuiltIn::Tube);
            state.apply(Command::SetNarrow(is_narrow));
            for edge in PanelEdge::ALL {
                for tab in SidePanel::ALL {
                    state.apply(Command::DockTab(tab, edge));
                    assert!(state.panels.is_shown(tab, &state.settings), "{tab:?} {edge:?} {is_narrow}");
                    for shown in [false, true] {
                        state.apply(Command::Do(Action::TogglePanels));
                        let is_any = PanelEdge::ALL.iter().any(|edge| state.panels.is_open(*edge, &state.settings));
                        assert_eq!(is_any, shown, "{tab:?} {edge:?} {is_narrow}");
                    }
                }
            }
        }
    }

    #[test]
    fn settings_store_only_moved_tabs() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        state.apply(Command::DockTab(SidePanel::Tree, PanelEdge::Right));
        let text = serde_json::to_string(&state.settings.layout).unwrap();
        assert_eq!(text, r#"{"Tree":"Right"}"#);
        assert_eq!(serde_json::from_str::<PanelLayout>(&text).unwrap(), state.settings.layout);
        state.apply(Command::DockTab(SidePanel::Tree, PanelEdge::Left));
        assert!(state.settings.layout.is_initial());
    }
}
