//! Joint tree with filter, collapsible rows, selection, and marks at posed joints.

mod row;
mod rows;
mod skins;

use std::collections::HashSet;
use std::sync::Arc;

use egui::{
    Button, Context, EventFilter, Id, Key, Modifiers, Rect, RectAlign, RichText, ScrollArea, Sense, Stroke, Tooltip,
    Ui, Vec2, pos2,
};

use super::search::{Filter, filter_field};
use super::theme;
use crate::matching::NodeMatch;
use crate::rig::{NodeIndex, Rig, RigData};
use crate::stage::Source;
use crate::state::{Action, AppState, Command, Commands, listed_joints_source};
pub(super) use row::{menu as joint_menu, role};
use rows::OutlinerRow;

#[derive(Default)]
pub(super) struct Outliner {
    filter: String,
    collapsed: HashSet<NodeIndex>,
    /// Incremented at every change of `collapsed`.
    revision: u64,
    /// Collapsed nodes that the reloaded file lacks, with their rigs. If a later reload contains them, they are
    /// collapsed again.
    collapsed_before_reload: Vec<(Rig, HashSet<NodeIndex>)>,
    focused: Option<(Id, NodeIndex)>,
    focus_on: Option<NodeIndex>,
    wants_filter: bool,
    rows: Vec<OutlinerRow>,
    shown: Option<ShownRows>,
    scroll_to: Option<NodeIndex>,
    is_new: bool,
    last_selected: Option<NodeIndex>,
}

#[derive(Clone, Copy)]
struct FilterEdit {
    is_changed: bool,
    is_entered: bool,
}

struct ShownRows {
    rig: Arc<Rig>,
    source: Source,
    filter: String,
    has_all: bool,
    revision: u64,
}

fn kind_switch(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.open.stage.rig().skins.is_empty() {
        return;
    }
    let has_all = state.settings.all_nodes;
    let action = Action::ToggleAllNodes;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (name, is_on) in [("Joints only", !has_all), ("All nodes", has_all)] {
            let button = ui.add(Button::selectable(is_on, RichText::new(name).small()));
            if button.on_hover_text(action.spec().hover_text(ui.ctx())).clicked() && !is_on {
                commands.push(Command::Do(action));
            }
        }
    });
}

/// Returns the indent of a row in points. Each deeper level adds less indent, to leave width for the name.
fn indent(depth: usize, width: f32) -> f32 {
    let max_indent = (width * 0.4).min(width - 100.0).max(24.0);
    max_indent * (1.0 - (-10.0 * depth as f32 / max_indent).exp())
}

const MAX_GONE: usize = 8;

impl Outliner {
    pub(super) fn go_to_filter(&mut self) {
        self.wants_filter = true;
    }

    pub(super) fn row_keys(&mut self, ctx: &Context, state: &AppState, commands: &mut Commands) {
        let has_keys = |(id, _): &(Id, NodeIndex)| ctx.memory(|m| m.has_focus(*id));
        let Some((_, node)) = self.focused.filter(has_keys) else { return };
        if egui::Popup::is_any_open(ctx) {
            return;
        }
        self.follow_document(state);
        self.update_rows(state);
        let Some(at) = self.rows.iter().position(|row| row.node == node) else { return };
        let row = self.rows[at];
        // A filter shows matches even in collapsed rows.
        let is_open = !self.filter.is_empty() || !self.collapsed.contains(&node);
        let pressed = |key| ctx.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let next = if pressed(Key::ArrowLeft) {
            if row.has_children && is_open && self.filter.is_empty() {
                self.set_collapsed(node, true);
                return;
            }
            self.rows[..at].iter().rposition(|above| above.depth < row.depth)
        } else if pressed(Key::ArrowRight) {
            if row.has_children && !is_open {
                self.set_collapsed(node, false);
                return;
            }
            row.has_children.then_some(at + 1)
        } else if pressed(Key::ArrowUp) {
            at.checked_sub(1)
        } else if pressed(Key::ArrowDown) {
            Some(at + 1)
        } else {
            None
        };
        if let Some(next) = next.and_then(|next| self.rows.get(next)) {
            (self.focus_on, self.scroll_to) = (Some(next.node), Some(next.node));
            commands.push(Command::Select(Some(next.node)));
        }
    }

    pub(super) fn keys(&mut self, ctx: &Context, state: &AppState, commands: &mut Commands) {
        if ctx.text_edit_focused() || egui::Popup::is_any_open(ctx) {
            return;
        }
        let step = ctx.input(|i| i32::from(i.key_pressed(Key::ArrowDown)) - i32::from(i.key_pressed(Key::ArrowUp)));
        if step == 0 {
            return;
        }
        // While the panel was hidden, the rows may have become outdated.
        self.follow_document(state);
        self.update_rows(state);
        if self.rows.is_empty() {
            return;
        }
        let last = self.rows.len() - 1;
        let at = state.open.stage.view.active_joint().and_then(|n| self.place(n, state.open.stage.rig()));
        let next = match at {
            Some(at) => at.saturating_add_signed(step as isize).min(last),
            None => 0,
        };
        commands.push(Command::Select(Some(self.rows[next].node)));
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        // Clears the filter after another file was opened.
        self.follow_document(state);
        let filter = self.filter_field(ui);
        if let Some(whose) = listed_joints_source(&state.open.stage) {
            let hint = "The other file's joints follow these by name";
            ui.label(RichText::new(format!("Joints of {whose}")).small().weak()).on_hover_text(hint);
        }
        kind_switch(ui, state, commands);
        skins::ui(ui, state, commands);
        self.follow_selection(state);
        self.update_rows(state);
        self.follow_filter(filter, state, commands);
        ui.add_space(4.0);
        if self.rows.is_empty() {
            let text = match state.first_loading() {
                Some(_) => "Opening…",
                None if self.filter.is_empty() => "This file has no joints.",
                None => "No matching joints",
            };
            ui.weak(text);
            return;
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let scroll_row =
            self.scroll_to.take().and_then(|n| self.place(n, state.open.stage.rig())).map(|row| row as f32);
        // In a short window, a tree with the default minimum height would cover the skins below it.
        let mut area = ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0);
        if std::mem::take(&mut self.is_new) {
            area = area.vertical_scroll_offset(0.0);
        }
        area.show_rows(ui, theme::ROW_HEIGHT, self.rows.len(), |ui, range| {
            if let Some(row) = scroll_row {
                let top = ui.min_rect().top() + (row - range.start as f32) * theme::ROW_HEIGHT;
                let rect = Rect::from_min_size(pos2(ui.min_rect().left(), top), Vec2::new(1.0, theme::ROW_HEIGHT));
                ui.scroll_to_rect(rect, None);
            }
            for i in range {
                self.row(ui, self.rows[i], state, commands);
            }
        });
    }

    fn filter_field(&mut self, ui: &mut Ui) -> FilterEdit {
        let info = Action::FilterJoints.spec();
        let hint = format!("{}; Enter selects the first match, Esc clears", info.hover_text(ui.ctx()));
        let field = filter_field(ui, &mut self.filter, info.name, &hint);
        if std::mem::take(&mut self.wants_filter) {
            field.request_focus();
        }
        let ended_by = |key| field.lost_focus() && ui.input(|i| i.key_pressed(key));
        if ended_by(Key::Escape) {
            self.filter.clear();
        }
        FilterEdit { is_changed: field.changed(), is_entered: ended_by(Key::Enter) }
    }

    /// Scrolls to the first match of the filter. Enter selects the match.
    fn follow_filter(&mut self, edit: FilterEdit, state: &AppState, commands: &mut Commands) {
        if self.filter.is_empty() || !(edit.is_changed || edit.is_entered) {
            return;
        }
        let wanted = Filter::new(&self.filter);
        let is_found = |row: &&OutlinerRow| rows::is_found(state.open.stage.rig(), row.node, &wanted);
        let Some(first) = self.rows.iter().find(is_found).map(|row| row.node) else { return };
        self.scroll_to = Some(first);
        commands.push_if(edit.is_entered, Command::Select(Some(first)));
    }

    /// Scrolls to a joint that was selected outside the tree, and expands its ancestors.
    fn follow_selection(&mut self, state: &AppState) {
        let selected = state.open.stage.view.active_joint();
        if selected == self.last_selected {
            return;
        }
        self.last_selected = selected;
        if let Some(node) = selected.filter(|n| n.index() < state.open.stage.rig().hierarchy.len()) {
            for ancestor in state.open.stage.rig().hierarchy.ancestors(node) {
                self.collapsed.remove(&ancestor);
            }
            self.revision += 1;
            self.scroll_to = Some(node);
        }
    }

    /// Updates the tree after a file was opened or reloaded. Keeps collapsed rows and the scroll position only after a
    /// reload.
    fn follow_document(&mut self, state: &AppState) {
        if self.shown.as_ref().is_some_and(|s| Arc::ptr_eq(&s.rig, state.open.stage.rig())) {
            return;
        }
        let before = self.shown.take().filter(|s| s.source == state.open.stage.document.source);
        self.is_new = before.is_none();
        self.focused = None;
        let collapsed = std::mem::take(&mut self.collapsed);
        let Some(before) = before else {
            (self.filter, self.collapsed_before_reload, self.last_selected) = (String::new(), Vec::new(), None);
            return;
        };
        if !collapsed.is_empty() {
            self.collapsed_before_reload.push((skeleton(&before.rig), collapsed));
        }
        for (rig, nodes) in &mut self.collapsed_before_reload {
            let same = NodeMatch::between(rig, state.open.stage.rig());
            self.collapsed.extend(nodes.iter().filter_map(|node| same.new_for(*node)));
            nodes.retain(|node| same.new_for(*node).is_none());
        }
        self.collapsed_before_reload.retain(|(_, nodes)| !nodes.is_empty());
        self.collapsed_before_reload.drain(..self.collapsed_before_reload.len().saturating_sub(MAX_GONE));
        let same = NodeMatch::between(&before.rig, state.open.stage.rig());
        self.last_selected = self.last_selected.and_then(|node| same.new_for(node));
    }

    fn update_rows(&mut self, state: &AppState) {
        let has_all = state.settings.all_nodes;
        if self
            .shown
            .as_ref()
            .is_some_and(|s| s.filter == self.filter && s.has_all == has_all && s.revision == self.revision)
        {
            return;
        }
        self.rows = rows::rows(state.open.stage.rig(), has_all, &Filter::new(&self.filter), &self.collapsed);
        self.shown = Some(ShownRows {
            rig: Arc::clone(state.open.stage.rig()),
            source: state.open.stage.document.source.clone(),
            filter: self.filter.clone(),
            has_all,
            revision: self.revision,
        });
    }

    fn place(&self, node: NodeIndex, rig: &Rig) -> Option<usize> {
        self.rows.iter().position(|row| row.holds(&rig.hierarchy, node))
    }

    fn row(&mut self, ui: &mut Ui, row: OutlinerRow, state: &AppState, commands: &mut Commands) {
        let rig = state.open.stage.rig();
        let is_selected = state.open.stage.view.selected.iter().any(|n| row.holds(&rig.hierarchy, *n));
        let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), theme::ROW_HEIGHT));
        let response = ui.interact(rect, ui.scope_id().with(("row", row.node.0)), Sense::click());
        self.follow_focus(ui, &response, row.node);
        response.widget_info(|| {
            let (name, _) = row.label(&rig.hierarchy);
            let label = row::role(rig, row.node).map_or_else(|| name.clone(), |bone| format!("{name} ({bone})"));
            egui::WidgetInfo::selected(egui::Role::TreeItem, true, is_selected, label)
        });
        let indent = rect.left() + 4.0 + indent(row.depth, rect.width());
        row::paint(ui, row, rect, indent, &Filter::new(&self.filter), &response, state);
        if row.has_children && self.arrow(ui, row.node, rig, rect, indent) {
            return;
        }
        if response.clicked() {
            commands.push(self.clicked(row.node, ui.input(|i| i.modifiers), state));
            self.last_selected = Some(row.node);
        }
        commands.push_if(response.double_clicked(), Command::Do(crate::state::Action::FrameSelected));
        if response.secondary_clicked() && !is_selected {
            commands.push(Command::Select(Some(row.node)));
            self.last_selected = Some(row.node);
        }
        commands.push_if(response.hovered(), Command::Hover(Some(row.node)));
        response.context_menu(|ui| row::menu(ui, row.node, state, commands));
        // Opens the tooltip beside the panel, so that it covers no rows.
        let mut hint = Tooltip::for_enabled(&response);
        hint.popup = hint.popup.align(RectAlign::RIGHT);
        hint.show(|ui| ui.label(row::hint(row.node, state)));
    }

    /// Sends the arrow keys to the focused row instead of letting them move the focus.
    fn follow_focus(&mut self, ui: &Ui, response: &egui::Response, node: NodeIndex) {
        if self.focus_on.take_if(|wanted| *wanted == node).is_some() {
            response.request_focus();
        }
        if response.has_focus() {
            self.focused = Some((response.id, node));
            let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|m| m.set_focus_lock_filter(response.id, arrows));
        }
    }

    fn set_collapsed(&mut self, node: NodeIndex, is_collapsed: bool) {
        self.revision += 1;
        if is_collapsed {
            self.collapsed.insert(node);
        } else {
            self.collapsed.remove(&node);
        }
    }

    /// Returns the command for a click: Ctrl toggles a joint, Shift selects a range.
    fn clicked(&self, node: NodeIndex, modifiers: Modifiers, state: &AppState) -> Command {
        let place = |node: NodeIndex| self.place(node, state.open.stage.rig());
        if modifiers.command {
            return Command::ToggleSelected(node);
        }
        match (state.open.stage.view.active_joint().and_then(place), place(node)) {
            (Some(from), Some(to)) if modifiers.shift => {
                let between = self.rows[from.min(to)..=from.max(to)].iter().map(|r| r.node);
                Command::SelectAll(
                    state.open.stage.view.selected.iter().copied().chain(between).chain([node]).collect(),
                )
            }
            _ => Command::Select(Some(node)),
        }
    }

    fn arrow(&mut self, ui: &mut Ui, node: NodeIndex, rig: &Rig, row: Rect, indent: f32) -> bool {
        let rect = Rect::from_min_size(pos2(indent - 2.0, row.top()), Vec2::new(16.0, row.height()));
        let response = ui.interact(rect, ui.scope_id().with(("arrow", node.0)), Sense::CLICK);
        let is_open = !self.collapsed.contains(&node);
        let verb = if is_open { "Collapse" } else { "Expand" };
        let label = || format!("{verb} {}", rig.hierarchy.name(node));
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_open, label()));
        let color = if response.hovered() { ui.visuals().strong_text_color() } else { ui.visuals().weak_text_color() };
        let c = rect.center();
        let points = if is_open {
            [pos2(c.x - 4.0, c.y - 2.0), pos2(c.x + 4.0, c.y - 2.0), pos2(c.x, c.y + 3.0)]
        } else {
            [pos2(c.x - 2.0, c.y - 4.0), pos2(c.x + 3.0, c.y), pos2(c.x - 2.0, c.y + 4.0)]
        };
        ui.painter().add(egui::Shape::convex_polygon(points.to_vec(), color, Stroke::NONE));
        if response.clicked() {
            self.set_collapsed(node, is_open);
        }
        response.clicked()
    }
}

fn skeleton(rig: &Rig) -> Rig {
    Rig::new(RigData {
        hierarchy: rig.hierarchy.clone(),
        skins: rig.skins.clone(),
        human_bones: rig.human_bones.clone(),
        ..RigData::default()
    })
}
