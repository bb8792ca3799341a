//! Centres of rotation, computed in the background on demand and cached.

use std::sync::Arc;

use super::{Derived, Stage};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::rig::Rig;
use crate::skinning::{Centers, Method, SkinnedRig};
use crate::view::Side;

#[derive(Clone, Debug, Default)]
pub(crate) struct CachedCenters(Vec<(Arc<Rig>, Arc<Centers>)>);

impl CachedCenters {
    pub(crate) fn get(&self, rig: &Arc<Rig>) -> Option<&Arc<Centers>> {
        self.0.iter().find(|(known, _)| Arc::ptr_eq(known, rig)).map(|(_, centers)| centers)
    }
}

/// Input for computing centres of rotation.
#[derive(Clone, Debug)]
pub struct CentersPlan(pub Arc<Rig>);

impl Derived for CentersPlan {
    type Value = Arc<Centers>;

    const JOB: JobKind = JobKind::new(
        "centers",
        "Finding centres of rotation",
        "Showing LBS instead; methods without such centres work.",
    );

    fn wanted(stage: &Stage) -> Option<Self> {
        let side = Side::ALL.into_iter().find(|side| stage.awaits_centers(*side))?;
        Some(Self(Arc::clone(&stage.actor(side).rig)))
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        Centers::new(&self.0, &job.progress).map(Arc::new)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        if let Some(centers) = value {
            let shown = Side::ALL.map(|side| Arc::clone(&stage.actor(side).rig));
            let known = &mut stage.centers.0;
            // Also keeps the centres for the file's own weights, which are used most often.
            let file = &stage.document.rig;
            known.retain(|(of, _)| shown.iter().chain([file]).any(|rig| Arc::ptr_eq(of, rig)));
            known.push((self.0, centers));
            stage.pose_changed();
            return;
        }
        // The sides that need the centres change to LBS.
        let waits = |side: &Side| stage.awaits_centers(*side) && Arc::ptr_eq(&stage.actor(*side).rig, &self.0);
        for side in Side::ALL.into_iter().filter(waits).collect::<Vec<_>>() {
            stage.view.sides[side].skinning.method = Method::Lbs;
        }
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.belongs_to_open(&self.0)
    }
}

impl Stage {
    /// Returns the first visible side whose method needs centres of rotation that are not computed yet.
    pub fn side_without_centers(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.view.compare.shows(side) && self.awaits_centers(side))
    }

    /// Computes the centres of rotation for the visible sides on this thread. If computing fails, the side shows LBS.
    pub fn find_centers(&mut self, job: &Job) {
        for _ in Side::ALL {
            let Some(side) = self.side_without_centers() else { return };
            let plan = CentersPlan(Arc::clone(&self.actor(side).rig));
            let centers = plan.run(job);
            plan.take(centers, self);
            self.refresh();
        }
    }

    /// Returns the centres of a side's character, if computed.
    pub fn centers(&self, side: Side) -> Option<&Arc<Centers>> {
        self.centers.get(&self.actor(side).rig)
    }

    /// Returns a side's character with its current skinning. Uses LBS until the centres that the method needs are
    /// computed.
    pub fn skinned(&self, side: Side) -> SkinnedRig {
        SkinnedRig::new(&self.actor(side).rig, self.skinning_on(side), self.centers(side)).ready()
    }

    /// True if a side's method needs centres that are not computed yet. Until then, the side shows LBS.
    pub fn awaits_centers(&self, side: Side) -> bool {
        self.view.sides[side].skinning.method.needs_centers() && self.centers(side).is_none()
    }
}
