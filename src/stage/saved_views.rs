//! Saved camera views.

use super::{CameraTie, Stage};
use crate::rig::{NodeIndex, joint_names, joints_found};
use crate::view::SavedView;

impl Stage {
    /// Restores a saved view and follows its joint.
    ///
    /// *Errors*: text for the user: an unknown name, with those that exist; or a joint that this rig lacks, in which
    /// case the camera is still restored.
    pub fn show_view(&mut self, name: &str) -> Result<(), String> {
        let view = self.saved_view(name).cloned().ok_or_else(|| self.no_such_view(name))?;
        self.view.camera = view.camera;
        let followed = view.follows.as_ref().map(|joint| (joint, self.joint_called(joint)));
        self.camera_tie =
            followed.and_then(|(_, node)| node).map(|node| CameraTie::Joint(node, Some(self.place(node))));
        match followed {
            Some((joint, None)) => {
                Err(format!("The view \"{name}\" follows joint \"{joint}\", which this rig does not have"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn saved_view(&self, name: &str) -> Option<&SavedView> {
        self.view.saved.iter().find(|view| view.name == name)
    }

    fn no_such_view(&self, name: &str) -> String {
        let names: Vec<&str> = self.view.saved.iter().map(|view| view.name.as_str()).collect();
        match names.as_slice() {
            [] => format!("There is no view \"{name}\": the session has none"),
            all => format!("There is no view \"{name}\"; the session has {}", all.join(", ")),
        }
    }

    pub(crate) fn joint_called(&self, name: &String) -> Option<NodeIndex> {
        joints_found(&self.rig().hierarchy, [name]).into_iter().next().flatten()
    }

    pub(crate) fn view_now(&self, name: String) -> SavedView {
        let follows = self.followed().and_then(|node| joint_names(&self.rig().hierarchy, &[node]).pop());
        SavedView { name, camera: self.view.camera, follows }
    }
}
