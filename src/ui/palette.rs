//! The command palette: every action, found by a few letters.

use std::cmp::Reverse;

use egui::{
    Align, Align2, Area, Button, Context, Frame, Id, Key, Modifiers, Order, RichText, ScrollArea, TextEdit, Ui,
};

use super::fuzzy;
use super::key_map::KeyMap;
use crate::state::{ACTIONS, Action, ActionSpec, AppState, Command};

/// What is typed and what is marked, while it is open.
#[derive(Default)]
pub struct CommandPalette {
    open: Option<PaletteSearch>,
}

#[derive(Default)]
struct PaletteSearch {
    query: String,
    /// The marked row.
    at: usize,
    /// It was marked in this frame, and may stand outside the list's window.
    is_moved: bool,
    is_new: bool,
}

impl CommandPalette {
    /// Opens it empty, or closes it.
    pub fn toggle(&mut self) {
        self.open = self.open.is_none().then(|| PaletteSearch { is_new: true, ..PaletteSearch::default() });
    }

    /// True while it takes the keys.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Draws it, if open.
    pub fn ui(&mut self, ctx: &Context, state: &AppState, commands: &mut Vec<Command>) {
        let Some(search) = &mut self.open else { return };
        let found = found(ctx, &search.query);
        search.keys(ctx, found.len());
        let entered = ctx.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Enter));
        let area = Area::new(Id::unique("palette"))
            .order(Order::Foreground)
            .pivot(Align2::CENTER_TOP)
            .fixed_pos(ctx.content_rect().center_top() + egui::vec2(0.0, 72.0))
            .show(ctx, |ui| Frame::popup(ui.style()).show(ui, |ui| search.ui(ui, &found, state)).inner);
        let chosen = area.inner.or_else(|| found.get(search.at).copied().filter(|_| entered));
        let keys = KeyMap::keys(ctx, Action::TogglePalette);
        let is_left = ctx
            .input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape) || keys.iter().any(|k| i.consume_shortcut(k)));
        let is_left = is_left || area.response.clicked_elsewhere();
        let can_run = chosen.filter(|i| state.obstacle(i.action).is_none());
        commands.extend(can_run.map(|i| Command::Do(i.action)));
        if is_left || can_run.is_some() {
            self.open = None;
        }
    }
}

impl PaletteSearch {
    fn keys(&mut self, ctx: &Context, count: usize) {
        let pressed = |key| ctx.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let last = count.saturating_sub(1);
        let (is_down, is_up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        self.is_moved = is_down || is_up;
        if is_down {
            self.at = if self.at >= last { 0 } else { self.at + 1 };
        }
        if is_up {
            self.at = self.at.checked_sub(1).unwrap_or(last);
        }
        self.at = self.at.min(last);
    }

    fn ui(&mut self, ui: &mut Ui, found: &[&'static ActionSpec], state: &AppState) -> Option<&'static ActionSpec> {
        ui.set_width(520.0);
        let field = TextEdit::singleline(&mut self.query).hint_text("Search commands").desired_width(f32::INFINITY);
        let field = ui.add(field);
        if std::mem::take(&mut self.is_new) || !field.has_focus() {
            field.request_focus();
        }
        if field.changed() {
            self.at = 0;
            self.is_moved = true;
        }
        ui.add_space(4.0);
        if found.is_empty() {
            ui.label(RichText::new("No command has these letters").weak());
        }
        let mut clicked = None;
        ScrollArea::vertical().max_height(360.0).min_scrolled_height(360.0).auto_shrink([false, true]).show(ui, |ui| {
            for (number, &info) in found.iter().enumerate() {
                let response = row(ui, info, number == self.at, state.obstacle(info.action));
                if number == self.at && self.is_moved {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    clicked = Some(info);
                }
            }
        });
        clicked
    }
}

/// What fits, best first; all in the order of the table while nothing is typed.
fn found(ctx: &Context, query: &str) -> Vec<&'static ActionSpec> {
    let listed = ACTIONS.iter().filter(|i| i.action != Action::TogglePalette);
    let mut found: Vec<_> = listed.filter_map(|i| Some((Reverse(rank(ctx, query, i)?), i))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, info)| info).collect()
}

/// A name counts for more than a key, and that for more than a hint.
fn rank(ctx: &Context, query: &str, info: &ActionSpec) -> Option<i32> {
    let name = fuzzy::score(query, info.name).map(|s| s * 3);
    let key = info.key_text(ctx).and_then(|k| (k.to_lowercase() == query.trim().to_lowercase()).then_some(1000));
    let has_words = info.hint.to_lowercase().contains(&query.trim().to_lowercase());
    let hint = if has_words { fuzzy::score(query, info.hint) } else { None };
    name.max(key).max(hint)
}

fn row(ui: &mut Ui, info: &ActionSpec, is_marked: bool, obstacle: Option<&str>) -> egui::Response {
    let told = obstacle.unwrap_or(info.hint);
    let mut text = egui::text::LayoutJob::default();
    let name = RichText::new(info.name);
    let name = if obstacle.is_some() { name.weak() } else { name };
    for part in [name, RichText::new(format!("   {told}")).small().weak()] {
        part.append_to(&mut text, ui.style(), egui::FontSelection::Default, Align::Center);
    }
    let button = Button::selectable(is_marked, text)
        .shortcut_text(info.key_text(ui.ctx()).unwrap_or_default())
        .truncate()
        .min_size(egui::vec2(ui.available_width(), 22.0));
    ui.add(button).accessible_name(info.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Shortcuts;

    fn search(query: &str) -> Vec<Action> {
        let ctx = Context::default();
        KeyMap::install(&ctx, &Shortcuts::default());
        found(&ctx, query).into_iter().map(|i| i.action).collect()
    }

    fn first(query: &str) -> Action {
        search(query)[0]
    }

    #[test]
    fn names_keys_and_hints_are_found() {
        assert_eq!(first("reset rot"), Action::ResetRotation);
        assert_eq!(first("frall"), Action::FrameAll);
        assert_eq!(first("ctrl+shift+s"), Action::SavePicture);
        assert_eq!(first("png"), Action::SavePicture);
        assert!(search("qqqq").is_empty());
        assert_eq!(search("").len() + 1, ACTIONS.len());
    }
}
