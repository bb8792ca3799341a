use std::sync::{Arc, Weak};

use crate::rig::{ClipKey, NodeIndex, Rig};
use crate::state::AppState;

/// Keys of the selected joints, cached until the selection or the clip changes.
#[derive(Default)]
pub(super) struct KeyMarks {
    rig: Weak<Rig>,
    clip: Option<usize>,
    selected: Vec<NodeIndex>,
    keys: Vec<ClipKey>,
}

impl KeyMarks {
    pub(super) fn keys(&mut self, state: &AppState) -> &[ClipKey] {
        let (rig, clip, selected) =
            (state.open.stage.rig(), state.open.stage.playback.clip, &state.open.stage.view.selected);
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
    use crate::rig::{Channel, Clip, Hierarchy, Interpolation, NodeDescription, Property, RigData};
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Command, Settings};

    /// Returns a rig with two joints and a clip with three keys for one of them.
    fn rig() -> Rig {
        let channel = Channel {
            node: NodeIndex(0),
            property: Property::Translation,
            interpolation: Interpolation::Step,
            times_secs: [0.0, 0.5, 1.0].into(),
            values: vec![0.0; 9],
            width: 3,
        };
        Rig::new(RigData {
            hierarchy: Hierarchy::new(&[NodeDescription::default(), NodeDescription::default()]).unwrap(),
            clips: vec![Clip { channels: vec![channel], duration_secs: 1.0, ..Clip::default() }],
            ..RigData::default()
        })
    }

    #[test]
    fn keys_are_those_of_the_selected_joints_in_the_chosen_clip() {
        let document = Document::new(Source::BuiltIn(BuiltIn::Tube), rig(), Vec::new());
        let mut state = AppState::new(document, Settings::default());
        let mut marks = KeyMarks::default();
        let mut count = |state: &AppState| marks.keys(state).len();
        state.apply(Command::Select(Some(NodeIndex(0))));
        assert_eq!(count(&state), 0, "no clip");
        state.apply(Command::SetClip(Some(0)));
        assert_eq!(count(&state), 3);
        for selected in [Some(NodeIndex(1)), None] {
            state.apply(Command::Select(selected));
            assert_eq!(count(&state), 0, "{selected:?}");
        }
    }
}
