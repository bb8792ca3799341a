//! Saved views, stored in the session. Each change is an undo step.

use crate::stage::Stage;
use crate::state::{History, Notice};
use crate::view::SavedView;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedViewCommand {
    Show(String),
    /// Renames a view from the first name to the second, which must be unused.
    Rename(String, String),
    /// Replaces a saved view with the current view.
    Replace(String),
    Delete(String),
}

/// Saves the current view as "View 1" or the next unused name.
pub(in crate::state) fn save_view(history: &mut History, stage: &mut Stage) -> Option<Notice> {
    let is_free = |name: &String| stage.view.saved_view(name).is_none();
    let mut names = (1..=stage.view.saved.len() + 1).map(|number| format!("View {number}"));
    let name = names.find(is_free)?;
    let label = format!("Save {name}");
    let text = format!("{name} was saved; View > Saved views shows and renames it.");
    let view = current_view(stage, name);
    history.as_step_called(stage, &label, |stage| stage.view.saved.push(view));
    Some(Notice::done(text))
}

fn current_view(stage: &Stage, name: String) -> SavedView {
    stage.camera_tie.saved_view(name, stage.view.camera, &stage.rig().hierarchy)
}

impl SavedViewCommand {
    /// Performs the command. Returns a notice if a view cannot be restored completely.
    pub(in crate::state) fn perform(self, history: &mut History, stage: &mut Stage) -> Option<Notice> {
        let mut views = stage.view.saved.clone();
        let label = match self {
            Self::Show(name) => return stage.show_view(&name).err().map(Notice::warning),
            Self::Rename(from, to) => {
                let to = to.trim().to_owned();
                if to.is_empty() || stage.view.saved_view(&to).is_some() {
                    return None;
                }
                let label = format!("Rename {from} to {to}");
                views.iter_mut().filter(|view| view.name == from).for_each(|view| view.name.clone_from(&to));
                label
            }
            Self::Replace(name) => {
                let now = current_view(stage, name);
                views.iter_mut().filter(|view| view.name == now.name).for_each(|view| view.clone_from(&now));
                format!("Replace {}", now.name)
            }
            Self::Delete(name) => {
                views.retain(|view| view.name != name);
                format!("Delete {name}")
            }
        };
        history.as_step_called(stage, &label, |stage| stage.view.saved = views);
        None
    }
}
