use std::borrow::Cow;
use std::sync::Arc;

use super::Stage;
use crate::matching::{VertexMatchError, VertexPairs};
use crate::rig::NodeIndex;
use crate::skinning::Skinning;
use crate::view::{PerSide, Side};

impl Stage {
    /// Returns the skinning of a side. Per-joint methods apply only to the open character.
    pub fn skinning_on(&self, side: Side) -> Cow<'_, Skinning> {
        let skinning = self.skinning(side);
        if self.other_on(side).is_none() || skinning.by_joint.is_empty() {
            return Cow::Borrowed(skinning);
        }
        Cow::Owned(Skinning { by_joint: Vec::new(), ..skinning.clone() })
    }

    /// Returns the matched vertices of sides A and B, if a side shows another file.
    pub fn matched_versions(&self) -> Option<Result<Arc<VertexPairs>, VertexMatchError>> {
        let PerSide { a, b } = &self.derived.others;
        match (a, b) {
            (None, None) => None,
            (None, Some(b)) => Some(b.matching.clone()),
            (Some(a), None) => Some(a.matching.clone().map(|matching| Arc::new(matching.turned()))),
            (Some(a), Some(b)) if Arc::ptr_eq(&a.rig, &b.rig) => None,
            (Some(_), Some(_)) => Some(Err(VertexMatchError::TwoOthers)),
        }
    }

    /// Returns why there are no distances between the sides, if their vertices are not matched.
    pub fn distances_off(&self) -> Option<VertexMatchError> {
        self.matched_versions().and_then(Result::err)
    }

    /// Returns the name of a joint that only the comparison file has, followed by the file's name.
    pub fn unmatched_joint_name(&self, side: Side, joint: NodeIndex) -> Option<String> {
        let other = self.actor(side);
        (!other.is_open())
            .then(|| format!("{} (only in {})", other.rig.hierarchy.name(joint), self.shown_file(side).title()))
    }

    /// Returns which file and side the listed joints and counts belong to; `None` if no side shows another file.
    pub fn listed_joints_source(&self) -> Option<String> {
        let name = || self.document.source.name();
        let shows_open = |side| self.other_on(side).is_none();
        match (shows_open(Side::A), shows_open(Side::B)) {
            (true, true) => None,
            (true, false) => Some(format!("{}, side A", name())),
            (false, true) => Some(format!("{}, side B", name())),
            (false, false) => Some(format!("{}, on neither side", name())),
        }
    }

    /// Frames everything if a newly shown comparison character extends beyond the image.
    pub(crate) fn frame_other(&mut self) {
        let is_there = Side::ALL.into_iter().any(|side| self.other_on(side).is_some());
        let is_new = is_there && std::mem::take(&mut self.frames_other);
        if is_new && !self.view.camera.sees_all(&self.all_points(), self.aspect) {
            self.frame_all();
            if let Some(before) = &mut self.before_other {
                before.framed = Some(self.view.camera);
            }
        }
    }

    pub(super) fn is_other_shown(&self) -> bool {
        self.derived.others.iter().any(Option::is_some)
    }

    pub(crate) fn is_other_chosen(&self) -> bool {
        Side::ALL.into_iter().any(|side| !self.shown_file(side).is_open())
    }
}
