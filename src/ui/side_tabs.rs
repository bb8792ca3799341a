//! Tabs of the panels. In a narrow panel they take several rows, so that every tab keeps its position. A tab is moved to
//! another panel by its menu or by dragging it.

use egui::text::LayoutJob;
use egui::{
    Align, Align2, Button, DragAndDrop, FontSelection, LayerId, Order, Rect, RichText, Sense, StrokeKind, TextStyle,
    Ui, WidgetText,
};

use super::actions::menu_item;
use super::{counts, theme};
use crate::stage::LintStatus;
use crate::state::{Action, AppState, Command, Commands, PanelEdge, SidePanel};

pub(super) struct TabSpec {
    pub panel: SidePanel,
    pub name: &'static str,
    pub hint: &'static str,
    /// Action that shows the tab, if there is one.
    pub action: Option<Action>,
}

const fn tab(panel: SidePanel, name: &'static str, hint: &'static str, action: Option<Action>) -> TabSpec {
    TabSpec { panel, name, hint, action }
}

pub(super) const TABS: [TabSpec; SidePanel::ALL.len()] = [
    tab(SidePanel::Tree, "Tree", "The joints and skins of the file", None),
    tab(SidePanel::Joint, "Joint", "The selected joint", None),
    tab(SidePanel::Skin, "Skin", "Vertex weights, probes, meshes and materials", None),
    tab(SidePanel::Pose, "Pose", "Rest, bind, clip and user pose, and the pose library", None),
    tab(SidePanel::Morphs, "Morphs", "Morph targets, facial expressions and gaze", Some(Action::ShowMorphs)),
    tab(SidePanel::Compare, "Compare", "Settings and overlays of the two sides", None),
    tab(SidePanel::Changes, "Changes", "Differences between the two files, largest first", None),
    tab(SidePanel::History, "History", "Undo history", None),
    tab(SidePanel::Lint, "Lint", "Errors, warnings and notes about this file", Some(Action::ShowLint)),
];

/// Returns why a tab has nothing to show, in a few words.
pub(super) fn obstacle(panel: SidePanel, state: &AppState) -> Option<&'static str> {
    match panel {
        SidePanel::Changes if !state.open.stage.view.shows_other() => Some("Both sides show the open file"),
        _ => spec(panel).action.and_then(|action| state.obstacle(action)),
    }
}

pub(super) fn spec(panel: SidePanel) -> &'static TabSpec {
    TABS.iter().find(|tab| tab.panel == panel).unwrap_or(&TABS[0])
}

/// Draws the tabs of the panel at an edge.
pub(super) fn ui(ui: &mut Ui, edge: PanelEdge, state: &AppState, commands: &mut Commands) {
    let tabs: Vec<SidePanel> = state.panels.tabs(edge, &state.settings).collect();
    // A small window needs the height for the tree.
    if tabs.len() == 1 && state.panels.is_narrow() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(1.0, 1.0);
        ui.spacing_mut().button_padding.x = 5.0;
        for panel in tabs {
            let is_chosen = state.panels.is_shown(panel, &state.settings);
            if !is_chosen && obstacle(panel, state).is_some() {
                continue;
            }
            let tab = spec(panel);
            let text = if panel == SidePanel::Lint { lint(ui, state) } else { tab.name.into() };
            let hint = tab.action.map_or(tab.hint.to_owned(), |action| action.spec().hover_text(ui.ctx()));
            let name = text.text().to_owned();
            let button = Button::selectable(is_chosen, text).sense(Sense::click_and_drag());
            let button = ui.add(button).accessible_name(name);
            button.dnd_set_drag_payload(panel);
            button.context_menu(|ui| menu(ui, panel, state, commands));
            commands.push_if(button.on_hover_text(hint).clicked(), Command::SetSidePanel(panel));
        }
    });
    ui.separator();
}

/// Lists where a tab can be moved.
fn menu(ui: &mut Ui, panel: SidePanel, state: &AppState, commands: &mut Commands) {
    for edge in PanelEdge::ALL.into_iter().filter(|edge| *edge != state.settings.layout.edge(panel)) {
        let obstacle = dock_obstacle(edge, state);
        let mut button = ui.add_enabled(obstacle.is_none(), Button::new(format!("Move to the {}", edge.name())));
        if let Some(obstacle) = obstacle {
            button = button.on_disabled_hover_text(obstacle);
        }
        commands.push_and_close(button.clicked(), Command::DockTab(panel, edge), ui);
    }
    ui.separator();
    menu_item(ui, Action::ResetPanelLayout, state, commands);
}

/// Returns why tabs can't be moved to an edge, in a few words.
pub(super) fn dock_obstacle(edge: PanelEdge, state: &AppState) -> Option<&'static str> {
    (edge == PanelEdge::Bottom && state.panels.is_narrow()).then_some("The window is too narrow for a panel there")
}

/// Shows where a dragged tab would be docked, and docks it when it is dropped. `body` is the area of the view and all
/// panels; `open` are the open panels.
pub(super) fn drop_ui(ui: &Ui, body: Rect, open: &[(PanelEdge, Rect)], state: &AppState, commands: &mut Commands) {
    let Some(panel) = DragAndDrop::payload::<SidePanel>(ui.ctx()) else { return };
    let Some(pointer) = ui.input(|i| i.pointer.interact_pos()).filter(|pointer| body.contains(*pointer)) else {
        return;
    };
    let is_open = |edge| move |(other, _): &&(PanelEdge, Rect)| *other == edge;
    let over = open.iter().find(|(_, rect)| rect.contains(pointer)).map(|(edge, _)| *edge);
    // Over the view, the closest edge.
    let far = |edge| match edge {
        PanelEdge::Left => (pointer.x - body.left()) / body.width(),
        PanelEdge::Right => (body.right() - pointer.x) / body.width(),
        PanelEdge::Bottom => (body.bottom() - pointer.y) / body.height(),
    };
    let possible = PanelEdge::ALL.into_iter().filter(|edge| dock_obstacle(*edge, state).is_none());
    let Some(edge) = over.or_else(|| possible.min_by(|a, b| far(*a).total_cmp(&far(*b)))) else { return };
    if edge == state.settings.layout.edge(*panel) {
        return;
    }
    let sizes = &state.settings.panels;
    let target = open.iter().find(is_open(edge)).map_or_else(
        || match edge {
            PanelEdge::Left => body.with_max_x(body.left() + sizes.left),
            PanelEdge::Right => body.with_min_x(body.right() - sizes.right),
            PanelEdge::Bottom => body.with_min_y(body.bottom() - sizes.bottom),
        },
        |(_, rect)| *rect,
    );
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, egui::Id::unique("dragged tab")));
    let selection = ui.visuals().selection;
    painter.rect(target, 4.0, selection.bg_fill.gamma_multiply(0.4), selection.stroke, StrokeKind::Inside);
    let text = format!("Move {} to the {}", spec(*panel).name, edge.name());
    let font = TextStyle::Body.resolve(ui.style());
    painter.text(target.center(), Align2::CENTER_CENTER, text, font, ui.visuals().strong_text_color());
    commands.push_if(ui.input(|i| i.pointer.any_released()), Command::DockTab(*panel, edge));
}

fn lint(ui: &Ui, state: &AppState) -> WidgetText {
    let status = LintStatus::for_stage(&state.open.stage);
    let Some(worst) = status.worst() else { return "Lint".into() };
    let color = theme::severity_icon(worst, ui.visuals()).1;
    let mut text = LayoutJob::default();
    for part in [RichText::new("Lint "), RichText::new(counts::grouped(status.left().count())).color(color)] {
        part.append_to(&mut text, ui.style(), FontSelection::Default, Align::Center);
    }
    text.into()
}
