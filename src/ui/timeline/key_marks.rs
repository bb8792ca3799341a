//! The keys of the selected joints, found when either changes.

use std::sync::{Arc, Weak};

use crate::rig::{Key, NodeIndex, Rig};
use crate::state::AppState;

/// The keys that are marked, and what they are of.
#[derive(Default)]
pub struct KeyMarks {
    rig: Weak<Rig>,
    clip: Option<usize>,
    selected: Vec<NodeIndex>,
    keys: Vec<Key>,
}

impl KeyMarks {
    /// Those of the selected joints in the chosen clip, by time.
    pub fn of(&mut self, state: &AppState) -> &[Key] {
        let (rig, clip, selected) = (state.rig(), state.open.playback.clip, &state.open.view.selected);
        let is_known =
            std::ptr::eq(self.rig.as_ptr(), Arc::as_ptr(rig)) && self.clip == clip && self.selected == *selected;
        if !is_known {
            let keys = clip.and_then(|c| rig.clips.get(c)).map_or_else(Vec::new, |clip| clip.keys_of(selected));
            *self = Self { rig: Arc::downgrade(rig), clip, selected: selected.clone(), keys };
        }
        &self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::state::{BuiltIn, Command, Document, Settings, Source};

    #[test]
    fn keys_are_those_of_the_selected_joints_in_the_chosen_clip() {
        let figure = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
        let mut state = AppState::new(figure, Settings::default());
        let mut marks = KeyMarks::default();
        let rig = Arc::clone(state.rig());
        let moved = rig.clips[1].channels[0].node;
        state.apply(Command::Select(Some(moved)));
        assert!(marks.of(&state).is_empty(), "no clip");
        state.apply(Command::SetClip(Some(1)));
        assert_eq!(marks.of(&state), rig.clips[1].keys_of(&[moved]));
        assert!(!marks.of(&state).is_empty());
        state.apply(Command::Select(None));
        assert!(marks.of(&state).is_empty(), "no joint");
    }
}
