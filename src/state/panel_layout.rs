//! Tabs of the panels, and the edges of the window at which they are docked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Edge of the window at which panels are docked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PanelEdge {
    Left,
    #[default]
    Right,
    Bottom,
}

impl PanelEdge {
    pub const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Bottom];

    /// Returns the edge as in "Move to the left".
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Bottom => "bottom",
        }
    }
}

/// A tab of the panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SidePanel {
    /// The joint tree.
    Tree,
    Joint,
    /// Meshes, materials and vertex probes.
    Skin,
    /// Rest, bind, clip and user pose.
    Pose,
    Morphs,
    Compare,
    /// Differences between the open character and a comparison character.
    Changes,
    History,
    Lint,
}

impl SidePanel {
    /// All tabs, in their order in a panel.
    pub const ALL: [Self; 9] = [
        Self::Tree,
        Self::Joint,
        Self::Skin,
        Self::Pose,
        Self::Morphs,
        Self::Compare,
        Self::Changes,
        Self::History,
        Self::Lint,
    ];
}

/// Edges at which the tabs are docked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PanelLayout {
    /// Tabs that the user moved from their initial edges.
    moved: BTreeMap<SidePanel, PanelEdge>,
}

impl PanelLayout {
    fn initial_edge(tab: SidePanel) -> PanelEdge {
        if tab == SidePanel::Tree { PanelEdge::Left } else { PanelEdge::Right }
    }

    pub fn edge(&self, tab: SidePanel) -> PanelEdge {
        self.moved.get(&tab).copied().unwrap_or_else(|| Self::initial_edge(tab))
    }

    pub fn is_initial(&self) -> bool {
        self.moved.is_empty()
    }

    pub(in crate::state) fn dock(&mut self, tab: SidePanel, edge: PanelEdge) {
        if edge == Self::initial_edge(tab) {
            self.moved.remove(&tab);
        } else {
            self.moved.insert(tab, edge);
        }
    }
}
