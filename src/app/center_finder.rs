//! Finds centres of rotation beside the frame loop.

use std::sync::Arc;

use super::kinds;
use crate::jobs::{Jobs, Outcome, Progress, Task};
use crate::rig::Rig;
use crate::skinning::Centers;
use crate::state::{AppState, Arrived};

/// At most one search on its way.
pub struct CenterFinder {
    find: fn(&Rig, &Progress) -> Option<Centers>,
    running: Option<(Arc<Rig>, Task<Option<Centers>>)>,
}

impl Default for CenterFinder {
    fn default() -> Self {
        Self { find: Centers::new, running: None }
    }
}

impl CenterFinder {
    /// Searches for what the state wants, and for nothing that it wants no longer; tells it how far the search is.
    pub fn follow(&mut self, state: &mut AppState, jobs: &Jobs) {
        let is_it = |rig: &Arc<Rig>| state.wants_centers().is_some_and(|wanted| Arc::ptr_eq(rig, wanted));
        self.running.take_if(|(rig, _)| !is_it(rig));
        if let (Some(wanted), None) = (state.wants_centers(), &self.running) {
            let (find, rig) = (self.find, Arc::clone(wanted));
            let task = Task::start(jobs, kinds::CENTERS, move |progress| find(&rig, progress));
            self.running = Some((Arc::clone(wanted), task));
        }
        state.centers_progress = self.running.as_ref().map(|(_, task)| task.progress().fraction());
    }

    /// The centres, once, or that there will be none.
    pub fn poll(&mut self) -> Option<Arrived> {
        let (rig, task) = self.running.as_ref()?;
        let rig = Arc::clone(rig);
        let centers = match task.poll() {
            Outcome::Pending => return None,
            Outcome::Done(centers) => centers.map(Arc::new),
            Outcome::Died => None,
        };
        self.running = None;
        Some(Arrived::Centers(rig, centers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::jobs::testing::{fault, jobs};
    use crate::skinning::Method;
    use crate::state::{BuiltIn, Command, Document, Settings, Source};
    use crate::view::Side;

    #[test]
    fn a_search_that_dies_leaves_lbs_and_is_not_begun_again() {
        let (jobs, news) = jobs();
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let mut state = AppState::new(document, Settings::default());
        state.apply(Command::SetSkinning(Side::B, Method::Cor.into()));
        let mut finder = CenterFinder { find: |_, _| panic!("index 7"), ..CenterFinder::default() };
        finder.follow(&mut state, &jobs);
        assert_eq!(state.centers_progress, Some(0.0));
        let told = fault(&jobs, &news, || {
            finder.poll().map(|centers| state.receive(centers));
            finder.follow(&mut state, &jobs);
            state.centers_progress.is_none()
        });
        assert!(told.starts_with("Finding centres of rotation stopped because of a fault in Rigscope"), "{told}");
        assert_eq!(state.skinning(Side::B).method, Method::Lbs);
    }
}
