//! Weight problems of the weights of both sides: looked for beside the frame loop once somebody asks, and shown in the pose in which each is worst.

use std::sync::Arc;

use super::{Derived, Stage};
use crate::analysis::suspects::{Suspect, Suspects, suspects};
use crate::import::Job;
use crate::jobs::Kind;
use crate::posing::Limits;
use crate::rig::{Rig, VertexList};
use crate::view::{Mark, Side};

/// Weight problems of the weights of the sides.
#[derive(Clone, Debug, Default)]
pub(super) struct CachedWeightProblems {
    is_asked_for: bool,
    known: Vec<(SuspectPlan, Arc<Suspects>)>,
    /// Side and position in its list of the region that is shown.
    pub(super) selected: Option<(Side, usize)>,
}

/// Input for a search for suspicious regions.
#[derive(Clone, Debug)]
pub struct SuspectPlan {
    /// The character with the weights of a side.
    pub rig: Arc<Rig>,
    limits: Limits,
}

impl Derived for SuspectPlan {
    type Value = Arc<Suspects>;

    const JOB: Kind = Kind::new(
        "suspicious regions",
        "Finding weight problems",
        "Everything else works; try again in the Compare panel, or run rigscope weights --suspicious.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        if !stage.looks_for_suspects() {
            return None;
        }
        let side = Side::ALL.into_iter().find(|side| stage.suspects(*side).is_none())?;
        Some(stage.doubts(side))
    }

    fn is(&self, other: &Self) -> bool {
        self.is_of(&other.rig, &other.limits)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        suspects(&self.rig, &self.limits, &job.progress).map(Arc::new)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.take_suspects(self, value);
    }
}

impl SuspectPlan {
    fn is_of(&self, rig: &Arc<Rig>, limits: &Limits) -> bool {
        Arc::ptr_eq(&self.rig, rig) && self.limits == *limits
    }
}

impl Stage {
    /// Weight problems of the open character by the weights of a side, once they are found.
    pub fn suspects(&self, side: Side) -> Option<&Arc<Suspects>> {
        let (rig, limits) = (self.open_on(side), &self.document.limits);
        self.doubted.known.iter().find(|(plan, _)| plan.is_of(rig, limits)).map(|(_, found)| found)
    }

    /// True while suspicious regions are asked for.
    pub fn looks_for_suspects(&self) -> bool {
        self.doubted.is_asked_for
    }

    /// Position of the region that is shown in the list of a side.
    pub fn selected_suspect(&self, side: Side) -> Option<usize> {
        self.doubted.selected.filter(|(of, _)| *of == side).map(|(_, index)| index)
    }

    /// Regions of a side of which one is shown, and the position of that one.
    pub(crate) fn shown_suspect(&self) -> Option<(&Arc<Suspects>, usize)> {
        let (side, index) = self.doubted.selected?;
        Some((self.suspects(side)?, index))
    }

    fn doubts(&self, side: Side) -> SuspectPlan {
        SuspectPlan { rig: Arc::clone(self.open_on(side)), limits: self.document.limits.clone() }
    }

    pub(crate) fn look_for_suspects(&mut self, is_asked_for: bool) {
        self.doubted.is_asked_for = is_asked_for;
    }

    /// Takes regions, unless they are of a character that is open no longer; where there are none, no more are asked for.
    fn take_suspects(&mut self, plan: SuspectPlan, found: Option<Arc<Suspects>>) {
        if !self.is_of_open(&plan.rig) {
            return;
        }
        let Some(found) = found else { return self.look_for_suspects(false) };
        let shown = Side::ALL.map(|side| self.doubts(side));
        let known = &mut self.doubted.known;
        known.retain(|(of, _)| shown.iter().any(|plan| of.is(plan)));
        known.push((plan, found));
        self.doubted.selected = None;
    }

    /// Notes which region is shown, if any, and looks at it.
    pub(crate) fn select_suspect(&mut self, suspect: Option<(Side, usize)>) {
        self.select(None);
        self.doubted.selected = suspect;
        if let Some(found) = suspect.and_then(|(side, index)| self.suspects(side)?.list.get(index).cloned()) {
            self.mark_suspect(&found);
        }
    }

    /// Selects the joints of a region, marks its vertices and looks at them.
    pub(crate) fn mark_suspect(&mut self, Suspect { joints, parts, .. }: &Suspect) {
        // The doubted joint is the active one.
        self.view.selected = joints.iter().rev().copied().collect();
        // Of a large region every second, third and so on.
        let count: usize = parts.iter().map(|(_, vertices)| vertices.first().len()).sum();
        let step = count.div_ceil(VertexList::MOST).max(1);
        let drawn = |vertices: &VertexList| vertices.first().iter().copied().step_by(step).collect();
        self.view.marked =
            parts.iter().map(|(part, vertices)| Mark { part: *part, vertices: drawn(vertices) }).collect();
        self.refresh();
        self.frame_marked();
    }
}
