//! Path field for desktops without a file dialog. Lists the folder's entries: arrow keys mark one, Tab completes the
//! path, Enter takes the mark, the only match or the path.

use std::path::{Path, PathBuf};

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Button, Context, Id, Key, Modal, Modifiers, Response, RichText, ScrollArea, TextEdit, Ui};

use crate::state::{AppState, Command, Commands, FolderEntry, PathCommand, PathPrompt, PathQuestion, PathRefusal};

#[derive(Default)]
pub(super) struct PathField {
    question: Option<PathQuestion>,
    text: String,
    /// True if a click changed the path, so that the cursor must move to its end.
    is_taken: bool,
    listed: Option<PathBuf>,
    /// Index of the entry that the arrow keys marked.
    marked: Option<usize>,
    /// True if the mark moved, so that the list must scroll to it.
    is_walked: bool,
    /// Tab or Enter, pressed before the folder was listed.
    awaited: Option<Key>,
}

const MAX_ENTRIES: usize = 300;

const ABSENT: &str = "No desktop file dialog found (XDG portal or zenity). Type a path: Tab completes it, Down walks the list, ~ is your home folder.";

impl PathField {
    pub(super) fn ui(&mut self, ctx: &Context, state: &AppState, commands: &mut Commands) {
        let Some(prompt) = &state.paths.prompt else {
            *self = Self::default();
            return;
        };
        let is_new = self.question.as_ref() != Some(&prompt.question);
        if is_new {
            let (question, text) = (Some(prompt.question.clone()), prompt.question.text());
            *self = Self { question, text, ..Self::default() };
        }
        let mut command = None;
        let modal = Modal::new(Id::unique("path")).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 48.0).min(560.0));
            ui.label(RichText::new(prompt.question.purpose.title()).heading().strong());
            ui.label(RichText::new(ABSENT).small().weak());
            ui.add_space(4.0);
            self.field(ui, is_new, prompt, &mut command);
            self.listing(ui, prompt, &mut command);
            self.buttons(ui, prompt, &mut command);
        });
        let (folder, _) = split(&self.text);
        let folder = prompt.question.path(folder);
        if self.listed.as_ref() != Some(&folder) {
            self.listed = Some(folder.clone());
            commands.push(Command::Path(PathCommand::List(folder)));
        }
        let command = command.or(modal.should_close().then_some(PathCommand::Cancel));
        commands.extend(command.map(Command::Path));
    }

    fn field(&mut self, ui: &mut Ui, is_new: bool, prompt: &PathPrompt, command: &mut Option<PathCommand>) {
        // Must run before the field, which loses focus on Enter. Only handles Tab and arrows while the field has the
        // focus; otherwise they move between buttons.
        let id = Id::unique("path text");
        let is_typing = ui.memory(|m| m.has_focus(id));
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let is_entered = pressed(Key::Enter);
        let is_tab = is_typing && pressed(Key::Tab);
        let steps =
            [(Key::ArrowDown, 1), (Key::ArrowUp, -1)].map(|(key, step)| step * i32::from(is_typing && pressed(key)));
        let field = TextEdit::singleline(&mut self.text).id(id).desired_width(f32::INFINITY).lock_focus(true);
        let field = ui.add(field).accessible_name("Path");
        if field.changed() {
            (self.marked, self.awaited) = (None, None);
        }
        self.walk(steps[0] + steps[1], prompt);
        if std::mem::take(&mut self.is_taken) {
            field.request_focus();
            self.select_end(ui, &field);
        } else if is_new {
            field.request_focus();
            // Selects the suggested name without its extension, so that typing replaces it.
            let (folder, name) = split(&self.text);
            let stem = name.find('.').unwrap_or(name.len());
            let start = folder.chars().count();
            select(ui, &field, start, start + name[..stem].chars().count());
        }
        if is_tab && self.is_at_end(ui, id) {
            self.awaited = Some(Key::Tab);
        } else if is_entered && ui.memory(|m| m.focused().is_none_or(|id| id == field.id)) {
            self.awaited = Some(Key::Enter);
        }
        // The keys act on what is typed now, so they wait until its folder is listed.
        if let Some(key) = self.awaited.filter(|_| self.is_listed(prompt)) {
            self.awaited = None;
            match key {
                Key::Tab => self.complete(prompt),
                _ => *command = self.enter(prompt),
            }
            field.request_focus();
            self.select_end(ui, &field);
        }
    }

    fn select_end(&self, ui: &Ui, field: &Response) {
        let end = self.text.chars().count();
        select(ui, field, end, end);
        // The field has drawn the text from before.
        ui.ctx().request_repaint();
    }

    /// True if the folder of the typed path was listed, or cannot be.
    fn is_listed(&self, prompt: &PathPrompt) -> bool {
        let folder = prompt.question.path(split(&self.text).0);
        prompt.listing.as_ref().is_some_and(|listing| listing.folder == folder)
    }

    /// Moves the mark through the listed entries.
    fn walk(&mut self, step: i32, prompt: &PathPrompt) {
        let count = self.matches(prompt).len().min(MAX_ENTRIES);
        if step == 0 || count == 0 {
            return;
        }
        let last = count - 1;
        self.marked = Some(match self.marked {
            None if step > 0 => 0,
            None => last,
            Some(at) => at.saturating_add_signed(step as isize).min(last),
        });
        self.is_walked = true;
    }

    /// Enters a folder, or returns the command that chooses a path: the marked entry, the only match when opening, or
    /// the typed path.
    fn enter(&mut self, prompt: &PathPrompt) -> Option<PathCommand> {
        let matches = self.matches(prompt);
        let (_, name) = split(&self.text);
        let typed = matches.iter().find(|entry| entry.name == name);
        let only = matches.first().filter(|_| matches.len() == 1 && !prompt.question.purpose.is_saving());
        let entry = match self.marked.and_then(|at| matches.get(at)) {
            Some(marked) => Some(marked),
            None => typed.filter(|entry| entry.is_folder).or(only.filter(|_| typed.is_none())),
        };
        match entry.map(|entry| (*entry).clone()) {
            Some(entry) => self.take(&entry, prompt),
            None => Some(self.choose(prompt)),
        }
    }

    /// Writes an entry into the field. Returns the command that opens it, if it is a file to open.
    fn take(&mut self, FolderEntry { name, is_folder }: &FolderEntry, prompt: &PathPrompt) -> Option<PathCommand> {
        let (folder, _) = split(&self.text);
        let end = if *is_folder { std::path::MAIN_SEPARATOR_STR } else { "" };
        self.text = format!("{folder}{name}{end}");
        self.marked = None;
        (!is_folder && !prompt.question.purpose.is_saving()).then(|| self.choose(prompt))
    }

    fn is_at_end(&self, ui: &Ui, id: Id) -> bool {
        let cursor = TextEditState::load(ui.ctx(), id).and_then(|state| state.cursor.char_range());
        cursor.is_none_or(|range| range.primary.index == self.text.chars().count().into())
    }

    /// Returns the command that chooses the typed path. Overwrites an existing file only after a warning.
    fn choose(&self, prompt: &PathPrompt) -> PathCommand {
        let path = prompt.question.path(&self.text);
        let replaces = self.refusal(prompt) == Some(&PathRefusal::Exists);
        PathCommand::Choose { path, replaces }
    }

    fn refusal<'a>(&self, prompt: &'a PathPrompt) -> Option<&'a PathRefusal> {
        let (path, refusal) = prompt.refused.as_ref()?;
        (*path == prompt.question.path(&self.text)).then_some(refusal)
    }

    fn matches<'a>(&self, prompt: &'a PathPrompt) -> Vec<&'a FolderEntry> {
        let (folder, begun) = split(&self.text);
        let folder = prompt.question.path(folder);
        let listing = prompt.listing.as_ref().filter(|listing| listing.folder == folder);
        let entries = listing.and_then(|listing| listing.entries.as_deref().ok()).unwrap_or_default();
        let offered = prompt.question.purpose.offered();
        let is_offered = |entry: &FolderEntry| {
            let ending = Path::new(&entry.name).extension().map(|ending| ending.to_string_lossy().to_lowercase());
            entry.is_folder || offered.as_ref().is_none_or(|(_, all)| ending.is_some_and(|e| all.contains(&e.as_str())))
        };
        let begun_lower = begun.to_lowercase();
        let goes_on = |entry: &FolderEntry| {
            entry.name.to_lowercase().starts_with(&begun_lower)
                && (begun.starts_with('.') || !entry.name.starts_with('.'))
        };
        entries.iter().filter(|entry| goes_on(entry) && is_offered(entry)).collect()
    }

    /// Completes the text to the longest common prefix of all matches.
    fn complete(&mut self, prompt: &PathPrompt) {
        let matches = self.matches(prompt);
        let Some((first, others)) = matches.split_first() else { return };
        let mut common = first.name.clone();
        for other in others {
            let same =
                common.chars().zip(other.name.chars()).take_while(|(a, b)| a.to_lowercase().eq(b.to_lowercase()));
            common = same.map(|(a, _)| a).collect();
        }
        if others.is_empty() && first.is_folder {
            common.push(std::path::MAIN_SEPARATOR);
        }
        let (folder, _) = split(&self.text);
        self.text = format!("{folder}{common}");
        self.marked = None;
    }

    fn listing(&mut self, ui: &mut Ui, prompt: &PathPrompt, command: &mut Option<PathCommand>) {
        let matches = self.matches(prompt);
        let mut taken = None;
        self.folder_above(ui, prompt);
        ScrollArea::vertical().max_height(160.0).min_scrolled_height(160.0).auto_shrink(false).show(ui, |ui| {
            let (folder, _) = split(&self.text);
            let folder = prompt.question.path(folder);
            match prompt.listing.as_ref().filter(|listing| listing.folder == folder).map(|listing| &listing.entries) {
                Some(Err(problem)) => _ = ui.weak(problem),
                Some(Ok(_)) if matches.is_empty() => _ = ui.weak("No matching files"),
                Some(Ok(_)) => {}
                None => _ = ui.weak("Reading the folder…"),
            }
            for (at, entry) in matches.iter().take(MAX_ENTRIES).enumerate() {
                let sign = if entry.is_folder { std::path::MAIN_SEPARATOR_STR } else { "" };
                // The empty shortcut text aligns the name to the left.
                let row = Button::selectable(self.marked == Some(at), format!("{}{sign}", entry.name))
                    .shortcut_text("")
                    .truncate();
                let row = ui.add(row.min_size(egui::vec2(ui.available_width(), 20.0)));
                let row = row.accessible_name(&entry.name);
                if self.is_walked && self.marked == Some(at) {
                    row.scroll_to_me(None);
                }
                if row.clicked() {
                    taken = Some((*entry).clone());
                }
            }
        });
        self.is_walked = false;
        if let Some(entry) = taken {
            self.is_taken = entry.is_folder;
            *command = command.take().or(self.take(&entry, prompt));
        }
    }

    fn folder_above(&mut self, ui: &mut Ui, prompt: &PathPrompt) {
        let (folder, name) = split(&self.text);
        let folder = prompt.question.path(folder);
        let above = folder.parent();
        let button = Button::new(RichText::new("⬆ Parent folder").small());
        let hint = above.map_or_else(String::new, |above| above.display().to_string());
        if ui.add_enabled(above.is_some(), button).on_hover_text(hint).clicked()
            && let Some(above) = above
        {
            let name = if prompt.question.purpose.is_saving() { name } else { "" };
            let above = above.display().to_string();
            let end = if above.ends_with(std::path::MAIN_SEPARATOR) { "" } else { std::path::MAIN_SEPARATOR_STR };
            self.text = format!("{above}{end}{name}");
            self.is_taken = true;
        }
    }

    fn buttons(&mut self, ui: &mut Ui, prompt: &PathPrompt, command: &mut Option<PathCommand>) {
        let is_saving = prompt.question.purpose.is_saving();
        let verb = match self.refusal(prompt) {
            Some(PathRefusal::Exists) => {
                let name = prompt.question.path(&self.text);
                let name = name.file_name().unwrap_or_default().to_string_lossy();
                let text = format!("⚠ {name} exists. Replace it, or change the name.");
                ui.label(RichText::new(text).color(ui.visuals().warn_fg_color));
                "Replace"
            }
            Some(PathRefusal::Problem(problem)) => {
                ui.label(RichText::new(format!("⛔ {problem}")).color(ui.visuals().error_fg_color));
                if is_saving { "Save" } else { "Open" }
            }
            None => {
                ui.label("");
                if is_saving { "Save" } else { "Open" }
            }
        };
        ui.horizontal(|ui| {
            let accent = ui.visuals().selection.bg_fill;
            let text = RichText::new(verb).color(ui.visuals().selection.stroke.color);
            if ui.add(Button::new(text).fill(accent)).on_hover_text("Enter").clicked() {
                *command = Some(self.choose(prompt));
            }
            if ui.button("Cancel").on_hover_text("Esc").clicked() {
                *command = Some(PathCommand::Cancel);
            }
        });
    }
}

/// Splits a path into the folder, with trailing separator, and the file name.
fn split(text: &str) -> (&str, &str) {
    let at = text.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    text.split_at(at)
}

fn select(ui: &Ui, field: &Response, from: usize, to: usize) {
    let range = CCursorRange::two(CCursor::new(from), CCursor::new(to));
    let mut edit = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
    edit.cursor.set_char_range(Some(range));
    edit.store(ui.ctx(), field.id);
}
