//! Views under names: kept with the session, each change a step of undo.

use super::camera::CameraTie;
use super::{AppState, Notice, NoticeKind};
use crate::export::{joint_names, joints_found};
use crate::view::SavedView;

/// What is done with views that are kept under names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedViewCommand {
    /// Looks from there.
    Show(String),
    /// Calls the first by the second, which no other may have.
    Rename(String, String),
    /// Puts where the camera looks from now in its place.
    Replace(String),
    /// Forgets it.
    Delete(String),
}

impl AppState {
    /// Keeps where the camera looks from, as "View 1" or the next that is free.
    pub(super) fn keep_view(&mut self) {
        let is_free = |name: &String| self.saved_view(name).is_none();
        let mut names = (1..=self.open.view.saved.len() + 1).map(|number| format!("View {number}"));
        let Some(name) = names.find(is_free) else { return };
        let label = format!("Save {name}");
        let mut views = self.open.view.saved.clone();
        let text = format!("{name} was saved; View > Saved views shows and renames it.");
        views.push(self.view_now(name));
        self.set_views(views, &label);
        self.notice = Some(Notice { kind: NoticeKind::Done, text });
    }

    pub(super) fn saved_view_command(&mut self, command: SavedViewCommand) {
        let mut views = self.open.view.saved.clone();
        let label = match command {
            SavedViewCommand::Show(name) => {
                let problem = self.show_view(&name).err();
                self.notice = problem.map(|text| Notice { kind: NoticeKind::Warning, text }).or(self.notice.take());
                return;
            }
            SavedViewCommand::Rename(from, to) => {
                let to = to.trim().to_owned();
                if to.is_empty() || self.saved_view(&to).is_some() {
                    return;
                }
                let label = format!("Rename {from} to {to}");
                views.iter_mut().filter(|view| view.name == from).for_each(|view| view.name.clone_from(&to));
                label
            }
            SavedViewCommand::Replace(name) => {
                let now = self.view_now(name);
                views.iter_mut().filter(|view| view.name == now.name).for_each(|view| view.clone_from(&now));
                format!("Replace {}", now.name)
            }
            SavedViewCommand::Delete(name) => {
                views.retain(|view| view.name != name);
                format!("Delete {name}")
            }
        };
        self.set_views(views, &label);
    }

    /// Looks from where a view was saved, and goes with the joint that it follows.
    ///
    /// *Errors*: in words for the user: no view of that name, which are there; a joint that this rig does not have, though the camera is there then.
    pub fn show_view(&mut self, name: &str) -> Result<(), String> {
        let view = self.saved_view(name).cloned().ok_or_else(|| self.no_such_view(name))?;
        self.open.view.camera = view.camera;
        let followed = view.follows.as_ref().map(|joint| (joint, self.joint_called(joint)));
        self.open.camera_tie =
            followed.and_then(|(_, node)| node).map(|node| CameraTie::Joint(node, Some(self.place(node))));
        match followed {
            Some((joint, None)) => {
                Err(format!("The view \"{name}\" follows joint \"{joint}\", which this rig does not have"))
            }
            _ => Ok(()),
        }
    }

    fn saved_view(&self, name: &str) -> Option<&SavedView> {
        self.open.view.saved.iter().find(|view| view.name == name)
    }

    fn no_such_view(&self, name: &str) -> String {
        let names: Vec<&str> = self.open.view.saved.iter().map(|view| view.name.as_str()).collect();
        match names.as_slice() {
            [] => format!("There is no view \"{name}\": the session has none"),
            all => format!("There is no view \"{name}\"; the session has {}", all.join(", ")),
        }
    }

    /// By the name that pose files call it.
    pub(super) fn joint_called(&self, name: &String) -> Option<crate::rig::NodeIndex> {
        joints_found(&self.rig().hierarchy, [name]).into_iter().next().flatten()
    }

    fn view_now(&self, name: String) -> SavedView {
        let follows = self.followed().and_then(|node| joint_names(&self.rig().hierarchy, &[node]).pop());
        SavedView { name, camera: self.open.view.camera, follows }
    }

    fn set_views(&mut self, views: Vec<SavedView>, label: &str) {
        self.as_step_called(label, |state| state.open.view.saved = views);
    }
}
