use egui::{Context, Label, RichText, Ui, UiBuilder, vec2};

use crate::state::{ACTIONS, ActionSpec, AppState, Commands, Preset};
use crate::ui::actions::MOUSE;
use crate::ui::key_map::KeyMap;
use crate::ui::search::search_key;
use crate::ui::shortcut_editor::ShortcutEditor;
use crate::ui::viewport::camera_drags;

pub(super) struct HelpSearch {
    words: Vec<String>,
}

impl HelpSearch {
    /// Creates a search for the words of a query. An empty query matches everything.
    pub(super) fn new(query: &str) -> Self {
        Self { words: query.split_whitespace().map(search_key).collect() }
    }

    pub(super) fn finds(&self, texts: &[&str]) -> bool {
        let texts: Vec<String> = texts.iter().map(|text| search_key(text)).collect();
        self.words.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

enum SheetRow {
    /// Name of an action, and how to do it with the mouse.
    Mouse(&'static str, &'static str),
    Action(&'static ActionSpec),
}

struct SheetGroup {
    title: &'static str,
    rows: Vec<SheetRow>,
}

impl SheetGroup {
    fn height(&self) -> usize {
        let height = |row: &SheetRow| if matches!(row, SheetRow::Mouse(..)) { 2 } else { 1 };
        2 + self.rows.iter().map(height).sum::<usize>()
    }
}

const COLUMN: f32 = 290.0;
const GAP: f32 = 16.0;

pub(super) fn ui(
    ui: &mut Ui,
    search: &HelpSearch,
    editor: &mut ShortcutEditor,
    state: &AppState,
    commands: &mut Commands,
) {
    let groups = groups(ui.ctx(), search, state.settings.shortcuts.preset);
    if groups.is_empty() {
        ui.weak("No matching keys or codes");
        return;
    }
    let count = ((ui.available_width() / (COLUMN + GAP)) as usize).clamp(1, 4);
    let heights: Vec<usize> = groups.iter().map(SheetGroup::height).collect();
    let mut columns = columns(&heights, count).into_iter();
    let width = (ui.available_width() + GAP) / count as f32 - GAP;
    ui.spacing_mut().item_spacing.y = 1.0;
    ui.spacing_mut().interact_size.y = 20.0;
    ui.spacing_mut().button_padding = vec2(6.0, 1.0);
    let mut rest = groups.as_slice();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        while let Some((column, after)) = columns.next().map(|count| rest.split_at(count)) {
            rest = after;
            ui.scope_builder(UiBuilder::new(), |ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                ui.vertical(|ui| {
                    ui.set_width(width);
                    for group in column {
                        group_ui(ui, group, editor, state, commands);
                    }
                });
            });
        }
    });
}

fn group_ui(ui: &mut Ui, group: &SheetGroup, editor: &mut ShortcutEditor, state: &AppState, commands: &mut Commands) {
    ui.label(RichText::new(group.title).heading());
    for row in &group.rows {
        match row {
            SheetRow::Mouse(what, how) => {
                ui.add(Label::new(*what).truncate());
                ui.add(Label::new(RichText::new(*how).small().weak()).truncate());
            }
            SheetRow::Action(info) => editor.row(ui, info, &state.settings.shortcuts, commands),
        }
    }
    ui.add_space(14.0);
}

/// Returns matching rows grouped by subject. In each group, rows with keys come first.
fn groups(ctx: &Context, search: &HelpSearch, preset: Preset) -> Vec<SheetGroup> {
    const BY_KEYS: (&str, &str) =
        ("Rotate, move, scale without the mouse", "R, G or S; X Y Z, a number; Enter keeps, Esc cancels");
    let by_keys = (preset == Preset::Blender).then_some(BY_KEYS);
    let camera = camera_drags(preset);
    let mouse = camera.into_iter().chain(by_keys).chain(MOUSE.iter().copied());
    let mouse = mouse.filter(|(what, how)| search.finds(&["mouse", what, how]));
    let mut groups =
        vec![SheetGroup { title: "Mouse", rows: mouse.map(|(what, how)| SheetRow::Mouse(what, how)).collect() }];
    for info in ACTIONS {
        let key = info.key_text(ctx).unwrap_or_default();
        if groups.last().is_none_or(|group| group.title != info.group) {
            groups.push(SheetGroup { title: info.group, rows: Vec::new() });
        }
        if search.finds(&[info.group, info.name, info.hint, info.words, &key])
            && let Some(group) = groups.last_mut()
        {
            group.rows.push(SheetRow::Action(info));
        }
    }
    groups.retain(|group| !group.rows.is_empty());
    let has_no_key =
        |row: &SheetRow| matches!(row, SheetRow::Action(info) if KeyMap::keys(ctx, info.action).is_empty());
    for group in &mut groups {
        group.rows.sort_by_key(has_no_key);
    }
    groups
}

/// Distributes groups over at most `count` columns so that the tallest column is as short as possible. Returns the
/// number of groups in each column.
fn columns(heights: &[usize], count: usize) -> Vec<usize> {
    let filled = |max_height: usize| {
        let mut columns = vec![(0, 0)];
        for &height in heights {
            match columns.last_mut() {
                Some((groups, filled)) if *filled + height <= max_height => {
                    (*groups, *filled) = (*groups + 1, *filled + height);
                }
                _ => columns.push((1, height)),
            }
        }
        columns.into_iter().map(|(groups, _)| groups).collect::<Vec<_>>()
    };
    let highest = heights.iter().copied().max().unwrap_or_default();
    let all: usize = heights.iter().sum();
    (highest..=all).map(filled).find(|columns| columns.len() <= count).unwrap_or_else(|| filled(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Shortcuts;

    #[test]
    fn columns_are_filled_evenly_and_in_order() {
        for (heights, count, wanted) in [
            (&[10, 10, 10, 10][..], 2, vec![2, 2]),
            (&[30, 5, 5, 20], 2, vec![1, 3]),
            (&[5, 5, 5], 1, vec![3]),
            (&[7, 1], 4, vec![1, 1]),
        ] {
            assert_eq!(columns(heights, count), wanted, "{heights:?} in {count}");
        }
    }

    #[test]
    fn every_action_stands_once_under_its_subject_and_is_found_by_its_words() {
        let ctx = Context::default();
        KeyMap::install(&ctx, &Shortcuts::default());
        let count = |query: &str, preset| {
            let groups = groups(&ctx, &HelpSearch::new(query), preset);
            let titles: Vec<&str> = groups.iter().map(|group| group.title).collect();
            assert!(titles.windows(2).all(|pair| pair[0] != pair[1]), "{titles:?}");
            groups.iter().flat_map(|group| &group.rows).filter(|row| matches!(row, SheetRow::Action(_))).count()
        };
        assert_eq!(count("", Preset::Viewer), ACTIONS.len());
        assert_eq!(count("onion", Preset::Viewer), 1);
        assert_eq!(count("ctrl+shift+s", Preset::Viewer), 1);
        assert_eq!(count("clear ROTATION", Preset::Viewer), 1);
        assert_eq!(count("qqq", Preset::Viewer), 0);
        assert_eq!(count("ctrl+f", Preset::Viewer), 1);
        let by_keys = |preset| groups(&ctx, &HelpSearch::new("without the mouse"), preset).len();
        assert_eq!((by_keys(Preset::Blender), by_keys(Preset::Viewer)), (1, 0));
    }
}
