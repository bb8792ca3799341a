//! Saved views, stored in the session. Each change is an undo step.

use crate::state::{Notice, OpenDocument};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedViewCommand {
    Show(String),
    /// Renames a view from the first name to the second, which must be unused.
    Rename(String, String),
    /// Replaces a saved view with the current view.
    Replace(String),
    Delete(String),
}

impl OpenDocument {
    /// Saves the current view as "View 1" or the next unused name.
    pub(in crate::state) fn keep_view(&mut self) -> Option<Notice> {
        let is_free = |name: &String| self.stage.view.saved_view(name).is_none();
        let mut names = (1..=self.stage.view.saved.len() + 1).map(|number| format!("View {number}"));
        let name = names.find(is_free)?;
        let label = format!("Save {name}");
        let mut views = self.stage.view.saved.clone();
        let text = format!("{name} was saved; View > Saved views shows and renames it.");
        views.push(self.stage.camera_tie.saved_view(name, self.stage.view.camera, &self.stage.rig().hierarchy));
        self.as_step_called(&label, |open| open.stage.view.saved = views);
        Some(Notice::done(text))
    }

    /// Performs a command. Returns a notice if a view cannot be restored completely.
    pub(in crate::state) fn saved_view_command(&mut self, command: SavedViewCommand) -> Option<Notice> {
        let mut views = self.stage.view.saved.clone();
        let label = match command {
            SavedViewCommand::Show(name) => return self.stage.show_view(&name).err().map(Notice::warning),
            SavedViewCommand::Rename(from, to) => {
                let to = to.trim().to_owned();
                if to.is_empty() || self.stage.view.saved_view(&to).is_some() {
                    return None;
                }
                let label = format!("Rename {from} to {to}");
                views.iter_mut().filter(|view| view.name == from).for_each(|view| view.name.clone_from(&to));
                label
            }
            SavedViewCommand::Replace(name) => {
                let now = self.stage.camera_tie.saved_view(name, self.stage.view.camera, &self.stage.rig().hierarchy);
                views.iter_mut().filter(|view| view.name == now.name).for_each(|view| view.clone_from(&now));
                format!("Replace {}", now.name)
            }
            SavedViewCommand::Delete(name) => {
                views.retain(|view| view.name != name);
                format!("Delete {name}")
            }
        };
        self.as_step_called(&label, |open| open.stage.view.saved = views);
        None
    }
}
