//! Characters that sides show in place of the open one.

use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec3;

use super::Stage;
use crate::actor::Actor;
use crate::matching::{VertexMatchError, VertexPairs};
use crate::rig::{Bounds, NodeIndex};
use crate::skinning::Skinning;
use crate::view::{Layout, PerSide, Side};

impl Stage {
    /// Skinning of what a side shows. Joints that have a method of their own are those of the open character: another file has none.
    pub fn skinning_on(&self, side: Side) -> Cow<'_, Skinning> {
        let skinning = self.skinning(side);
        if self.other_on(side).is_none() || skinning.by_joint.is_empty() {
            return Cow::Borrowed(skinning);
        }
        Cow::Owned(Skinning { by_joint: Vec::new(), ..skinning.clone() })
    }

    /// Counterparts of the vertices of A and B, where one of them shows another file.
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

    /// Why there are no distances between the sides: it is not known which vertex is which.
    pub fn distances_off(&self) -> Option<VertexMatchError> {
        self.matched_versions().and_then(Result::err)
    }

    /// Name of a joint that only another file has, with that file.
    pub fn lone_name(&self, side: Side, joint: NodeIndex) -> Option<String> {
        let other = self.actor(side);
        (!other.is_open())
            .then(|| format!("{} (only in {})", other.rig.hierarchy.name(joint), self.shown_file(side).title()))
    }

    /// Name of the file whose joints and counts are listed, with the side that shows it; `None` where no side shows another file.
    pub fn whose_joints(&self) -> Option<String> {
        let name = || self.document.source.name();
        let shows_open = |side| self.other_on(side).is_none();
        match (shows_open(Side::A), shows_open(Side::B)) {
            (true, true) => None,
            (true, false) => Some(format!("{}, side A", name())),
            (false, true) => Some(format!("{}, side B", name())),
            (false, false) => Some(format!("{}, on neither side", name())),
        }
    }

    /// Results for everything that the sides in the picture show: `other` of other characters, `open` where a side shows the open one.
    fn of_all<T>(&self, other: impl Fn(&Actor) -> T, open: impl FnOnce() -> T) -> impl Iterator<Item = T> {
        let sides = if self.view.compare.layout == Layout::Single { &Side::ALL[..1] } else { &Side::ALL[..] };
        let shown = sides.iter().map(|side| self.actor(*side)).filter(|actor| !actor.is_open());
        let others: Vec<T> = shown.map(other).collect();
        let open = (others.len() < sides.len()).then(open);
        others.into_iter().chain(open)
    }

    /// Bounds of everything that is shown, as posed, with its trails.
    pub fn all_bounds(&self) -> Bounds {
        let trails = self.all_trails().map(|trails| trails.bounds());
        self.of_all(Actor::bounds, || self.open_bounds()).chain(trails).fold(Bounds::default(), Bounds::joined)
    }

    /// Points that [`Self::all_bounds`] goes around: of large meshes some of the vertices, evenly.
    pub(crate) fn all_points(&self) -> Vec<Vec3> {
        let trails = self.all_trails().flat_map(|trails| trails.points());
        self.of_all(Actor::points, || self.open_points()).flatten().chain(trails).collect()
    }

    /// Once another file is there that a side was to show, steps back where not all of it is in the picture.
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

    /// True where a side shows another character than the open one, as the picture was last derived.
    pub(super) fn is_other_shown(&self) -> bool {
        self.derived.others.iter().any(Option::is_some)
    }

    /// True where another character than the open one is chosen for a side.
    pub(crate) fn is_other_chosen(&self) -> bool {
        Side::ALL.into_iter().any(|side| !self.shown_file(side).is_open())
    }
}
