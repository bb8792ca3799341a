//! Tabs of the right panel: a row of tabs, and a menu with the tabs that don't fit.

use std::sync::Arc;

use egui::containers::menu::MenuButton;
use egui::text::LayoutJob;
use egui::{Align, Button, FontSelection, Galley, RichText, TextStyle, TextWrapMode, Ui, WidgetText};

use super::{counts, theme};
use crate::state::{Action, AppState, Command, Commands, SidePanel};

struct Tab {
    panel: SidePanel,
    text: Arc<Galley>,
    hint: String,
}

const GAP: f32 = 1.0;
const PADDING: f32 = 5.0;
const MENU: f32 = 24.0;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let tabs = tabs(ui, state);
    let widths: Vec<f32> = tabs.iter().map(|tab| tab.text.size().x.ceil() + 2.0 * PADDING + GAP).collect();
    let chosen = tabs.iter().position(|tab| tab.panel == state.panels.side);
    let is_in_row = in_row(&widths, chosen, ui.available_width());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.spacing_mut().button_padding.x = PADDING;
        for (at, _) in is_in_row.iter().enumerate().filter(|(_, is_in_row)| **is_in_row) {
            tab(ui, &tabs[at], chosen == Some(at), commands);
        }
        if is_in_row.contains(&false) {
            let (response, _) = MenuButton::from_button(Button::new("⏷")).ui(ui, |ui| {
                for (at, _) in is_in_row.iter().enumerate().filter(|(_, is_in_row)| !**is_in_row) {
                    if tab(ui, &tabs[at], false, commands) {
                        ui.close();
                    }
                }
            });
            response.on_hover_text("More tabs").accessible_name("More tabs");
        }
    });
    ui.separator();
}

fn tab(ui: &mut Ui, tab: &Tab, is_chosen: bool, commands: &mut Commands) -> bool {
    let button = ui.add(Button::selectable(is_chosen, Arc::clone(&tab.text))).accessible_name(tab.text.text());
    let is_clicked = button.on_hover_text(&tab.hint).clicked();
    commands.push_if(is_clicked, Command::SetSidePanel(tab.panel));
    is_clicked
}

/// Returns for each tab whether it is in the row. The chosen tab is always in the row.
fn in_row(widths: &[f32], chosen: Option<usize>, room: f32) -> Vec<bool> {
    if widths.iter().sum::<f32>() <= room {
        return vec![true; widths.len()];
    }
    let mut left = room - MENU - chosen.map_or(0.0, |at| widths[at]);
    let mut is_full = false;
    let fits = |(at, width): (usize, &f32)| {
        if chosen == Some(at) {
            return true;
        }
        left -= width;
        is_full |= left < 0.0;
        !is_full
    };
    widths.iter().enumerate().map(fits).collect()
}

fn tabs(ui: &Ui, state: &AppState) -> Vec<Tab> {
    let all: [(SidePanel, &'static str, &str); 7] = [
        (SidePanel::Joint, "Joint", "The selected joint"),
        (SidePanel::Skin, "Skin", "Vertex weights, probes, meshes and materials"),
        (SidePanel::Pose, "Pose", "Rest, bind, clip and user pose, and the pose library"),
        (SidePanel::Morphs, "Morphs", "Morph targets, facial expressions and gaze"),
        (SidePanel::Compare, "Compare", "Settings and overlays of the two sides"),
        (SidePanel::Changes, "Changes", "Differences between the two files, largest first"),
        (SidePanel::History, "History", "Undo history"),
    ];
    let has_any = |panel: SidePanel| match panel {
        SidePanel::Morphs => state.open.stage.rig().has_face() || !state.open.stage.rig().morphs().is_empty(),
        SidePanel::Changes => state.open.stage.shows_other(),
        _ => true,
    };
    let galley = |text: WidgetText| text.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Button);
    let shown = all.into_iter().filter(|(panel, ..)| has_any(*panel) || state.panels.side == *panel);
    let mut tabs: Vec<Tab> =
        shown.map(|(panel, name, hint)| Tab { panel, text: galley(name.into()), hint: hint.to_owned() }).collect();
    let hint = Action::ShowLint.spec().hover_text(ui.ctx());
    tabs.push(Tab { panel: SidePanel::Lint, text: galley(lint(ui, state)), hint });
    tabs
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

#[cfg(test)]
mod tests {
    use super::in_row;

    #[test]
    fn what_has_no_room_in_the_row_is_in_the_menu_and_the_chosen_tab_never() {
        let widths = [40.0, 30.0, 50.0, 60.0];
        assert_eq!(in_row(&widths, Some(0), 180.0), [true; 4]);
        assert_eq!(in_row(&widths, Some(0), 179.0), [true, true, true, false]);
        assert_eq!(in_row(&widths, Some(3), 179.0), [true, true, false, true]);
        assert_eq!(in_row(&widths, None, 100.0), [true, true, false, false]);
        assert_eq!(in_row(&widths, Some(3), 60.0), [false, false, false, true]);
    }
}
