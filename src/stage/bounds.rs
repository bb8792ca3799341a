//! Bounds and points of the visible parts of the open character.

use glam::Vec3;

use super::Stage;
use crate::rig::{Bounds, Pose, Posed, Rig, bounds_of, evaluate, heaviest_points};
use crate::view::Hidden;

impl Stage {
    /// Bounds of all visible meshes, posed.
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

/// Points of all visible meshes of a rig in a pose: enough vertices to frame them, each moved by its heaviest joint.
pub(super) fn shown_points(rig: &Rig, posed: &Posed, hidden: &Hidden) -> Vec<Vec3> {
    /// Number of vertices sampled of a large mesh, enough for every silhouette.
    const ENOUGH: usize = 50_000;
    let step = rig.vertex_count().div_ceil(ENOUGH).max(1);
    heaviest_points(rig, posed, step, |part| hidden.shows(rig, part))
}
