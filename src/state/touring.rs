use super::{AfterLoad, AppState, Request, STEPS, Tour};
use crate::stage::{DerivedKind, DerivedRequest, Document, JointPlan, LintPlan, Source, TrackPlan};
use crate::state::document::open::is_built_in;

impl AppState {
    /// Shows a step. If the step's character is not open, returns the request to load it.
    pub(super) fn go_to_tour_step(&mut self, step: usize) -> Option<Request> {
        let character = STEPS.get(step)?.character;
        if self.tour.is_some() && is_built_in(&self.open.stage, character) {
            self.take_tour_step(step);
            return None;
        }
        self.open.history.cancel_edit(&mut self.open.stage);
        self.awaited_step = Some(step);
        Some(Request::load(Source::BuiltIn(character), AfterLoad::Tour(step)))
    }

    /// Shows a tour step with its loaded character. Ignores the character if the step is no longer awaited.
    pub(super) fn tour_opened(&mut self, step: usize, document: Document) {
        if self.awaited_step.take() != Some(step) {
            return;
        }
        self.open.history.cancel_edit(&mut self.open.stage);
        let open = self.open.next_document(document);
        let before = std::mem::replace(&mut self.open, open);
        if self.tour.is_none() {
            self.tour = Some(Tour {
                step,
                answer: None,
                behind: Box::new(before),
                files: std::mem::take(&mut self.files),
                recent_tabs: self.panels.recent,
                question: self.question.take(),
            });
        }
        self.take_tour_step(step);
    }

    fn take_tour_step(&mut self, number: usize) {
        let Some(step) = STEPS.get(number) else { return };
        if let Some(tour) = &mut self.tour {
            (tour.step, tour.answer) = (number, None);
        }
        self.notices.dismiss();
        self.open.take_tour_step(step);
    }

    /// Ends the tour and restores the previous character and settings exactly.
    pub fn leave_tour(&mut self) {
        self.awaited_step = None;
        let Some(tour) = self.tour.take() else { return };
        self.open.history.cancel_edit(&mut self.open.stage);
        // The user may have changed the theme during the tour.
        let is_dark = self.open.stage.view.display.is_dark;
        self.open = *tour.behind;
        self.open.stage.view.display.is_dark = is_dark;
        self.open.stage.view.hovered = None;
        self.files = tour.files;
        self.panels.recent = tour.recent_tabs;
        self.question = tour.question;
        self.notices.dismiss();
        self.open.stage.pose_changed();
        self.open.stage.refresh();
    }

    /// Returns the request for the next value of a kind that must be computed. Skips lint during the tour, and skips
    /// tracks while they are hidden and during edits.
    pub fn next_wanted(&self, kind: DerivedKind) -> Option<DerivedRequest> {
        let shows_tracks = |is_of_joints: bool| {
            let mut shown = self.settings.tracks.shown.iter();
            self.is_track_drawer_open() && shown.any(|kind| kind.is_of_joints() == is_of_joints)
        };
        let is_seen = if kind == DerivedKind::new::<LintPlan>() {
            self.tour.is_none()
        } else if kind == DerivedKind::new::<TrackPlan>() {
            shows_tracks(false) && !self.open.history.is_open()
        } else {
            kind != DerivedKind::new::<JointPlan>() || shows_tracks(true)
        };
        if is_seen { kind.wanted(&self.open.stage) } else { None }
    }

    pub fn is_track_drawer_open(&self) -> bool {
        self.settings.tracks.is_open && self.has_timeline()
    }

    /// True if there is a timeline. The tour and files without clips have none.
    pub fn has_timeline(&self) -> bool {
        self.tour.is_none() && !self.open.stage.rig().clips.is_empty()
    }

    /// Toggles the track drawer. Opening it restarts stopped measurements.
    pub(super) fn toggle_tracks(&mut self) {
        if self.has_timeline() {
            self.settings.tracks.is_open ^= true;
            self.open.stage.requests.set(DerivedKind::new::<TrackPlan>(), true);
        }
    }
}
