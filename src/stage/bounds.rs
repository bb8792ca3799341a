//! Bounds of the visible meshes.

use super::Stage;
use crate::rig::{Bounds, Pose, bounds_of, evaluate};

impl Stage {
    pub(crate) fn shown_bounds(&self) -> Bounds {
        let rig = &self.document.rig;
        let (hidden, posed) = (&self.view.hidden, self.posed());
        let is_at_rest = self.playback.clip.is_none() && !self.document.pose.is_any_posed();
        match (is_at_rest, hidden.is_empty()) {
            (true, true) => rig.rest_bounds(),
            (true, false) => {
                let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
                bounds_of(rig, &rest, |part| hidden.shows(rig, part))
            }
            (false, _) => bounds_of(rig, posed, |part| hidden.shows(rig, part)),
        }
    }
}
