//! The panel of findings.

use crate::state::{AppState, Command, PanelEdge, Request, SidePanel};

impl AppState {
    pub(in crate::state) fn show_lint(&mut self) -> Option<Request> {
        self.apply(Command::SetSidePanel(if self.is_lint_shown() { SidePanel::Joint } else { SidePanel::Lint }))
    }

    /// True where the panel on the right lists findings.
    pub fn is_lint_shown(&self) -> bool {
        self.is_panel_open(PanelEdge::Right) && self.side_panel == SidePanel::Lint
    }
}
