//! Tabs of the right panel. In a narrow panel they take several rows, so that every tab keeps its position.

use egui::text::LayoutJob;
use egui::{Align, Button, FontSelection, RichText, Ui, WidgetText};

use super::{counts, theme};
use crate::state::{Action, AppState, Command, Commands, SidePanel};

pub(super) struct TabSpec {
    pub panel: SidePanel,
    pub name: &'static str,
    pub hint: &'static str,
}

const fn tab(panel: SidePanel, name: &'static str, hint: &'static str) -> TabSpec {
    TabSpec { panel, name, hint }
}

/// All tabs, in their order in the panel.
pub(super) const TABS: [TabSpec; 8] = [
    tab(SidePanel::Joint, "Joint", "The selected joint"),
    tab(SidePanel::Skin, "Skin", "Vertex weights, probes, meshes and materials"),
    tab(SidePanel::Pose, "Pose", "Rest, bind, clip and user pose, and the pose library"),
    tab(SidePanel::Morphs, "Morphs", "Morph targets, facial expressions and gaze"),
    tab(SidePanel::Compare, "Compare", "Settings and overlays of the two sides"),
    tab(SidePanel::Changes, "Changes", "Differences between the two files, largest first"),
    tab(SidePanel::History, "History", "Undo history"),
    tab(SidePanel::Lint, "Lint", "Errors, warnings and notes about this file"),
];

/// Returns why a tab has nothing to show, in a few words.
pub(super) fn obstacle(panel: SidePanel, state: &AppState) -> Option<&'static str> {
    match panel {
        SidePanel::Morphs => state.obstacle(Action::ShowMorphs),
        SidePanel::Changes if !state.open.stage.shows_other() => Some("Both sides show the open file"),
        _ => None,
    }
}

pub(super) fn spec(panel: SidePanel) -> &'static TabSpec {
    TABS.iter().find(|tab| tab.panel == panel).unwrap_or(&TABS[0])
}

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(1.0, 1.0);
        ui.spacing_mut().button_padding.x = 5.0;
        for tab in &TABS {
            let is_chosen = tab.panel == state.panels.side;
            if !is_chosen && obstacle(tab.panel, state).is_some() {
                continue;
            }
            let (text, hint) = match tab.panel {
                SidePanel::Lint => (lint(ui, state), Action::ShowLint.spec().hover_text(ui.ctx())),
                _ => (tab.name.into(), tab.hint.to_owned()),
            };
            let name = text.text().to_owned();
            let button = ui.add(Button::selectable(is_chosen, text)).accessible_name(name);
            commands.push_if(button.on_hover_text(hint).clicked(), Command::SetSidePanel(tab.panel));
        }
    });
    ui.separator();
}

fn lint(ui: &Ui, state: &AppState) -> WidgetText {
    let status = state.open.stage.lint_status();
    let Some(worst) = status.worst() else { return "Lint".into() };
    let color = theme::severity_icon(worst, ui.visuals()).1;
    let mut text = LayoutJob::default();
    for part in [RichText::new("Lint "), RichText::new(counts::grouped(status.left().count())).color(color)] {
        part.append_to(&mut text, ui.style(), FontSelection::Default, Align::Center);
    }
    text.into()
}
