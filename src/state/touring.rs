use super::{AfterLoad, AppState, Command, Request, STEPS, Tour};
use crate::analysis::tracks::TrackKind;
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
        self.open.cancel_edit();
        self.awaited_step = Some(step);
        Some(Request::load(Source::BuiltIn(character), AfterLoad::Tour(step)))
    }

    pub(super) fn step_of_tour(&mut self, is_forward: bool) -> Option<Request> {
        let step = self.tour.as_ref()?.step;
        self.go_to_tour_step(if is_forward { step + 1 } else { step.checked_sub(1)? })
    }

    /// Shows a tour step with its loaded character. Ignores the character if the step is no longer awaited.
    pub(super) fn tour_opened(&mut self, step: usize, document: Document) {
        if self.awaited_step.take() != Some(step) {
            return;
        }
        self.open.cancel_edit();
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

    pub(super) fn answer_tour(&mut self, answer: usize) {
        if let Some(tour) = &mut self.tour {
            tour.answer = Some(answer);
        }
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
    pub(super) fn leave_tour(&mut self) {
        self.awaited_step = None;
        let Some(tour) = self.tour.take() else { return };
        self.open.cancel_edit();
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
        let is_seen = if kind == DerivedKind::new::<LintPlan>() {
            self.tour.is_none()
        } else if kind == DerivedKind::new::<TrackPlan>() {
            self.shows_tracks(|kind| !kind.is_of_joints()) && !self.open.history.is_open()
        } else {
            kind != DerivedKind::new::<JointPlan>() || self.shows_tracks(TrackKind::is_of_joints)
        };
        if is_seen { kind.wanted(&self.open.stage) } else { None }
    }

    /// Ends the tour before a command that opens another file or ends the program.
    pub fn leave_tour_for(&mut self, command: &Command) {
        if command.ends_tour() {
            self.leave_tour();
        }
    }

    pub fn is_track_drawer_open(&self) -> bool {
        self.settings.tracks.is_open && self.has_timeline()
    }

    /// True if there is a timeline. The tour and files without clips have none.
    pub fn has_timeline(&self) -> bool {
        self.tour.is_none() && !self.open.stage.rig().clips.is_empty()
    }

    pub(super) fn shows_tracks(&self, is_meant: impl Fn(TrackKind) -> bool) -> bool {
        self.is_track_drawer_open() && self.settings.tracks.shown.iter().any(|kind| is_meant(*kind))
    }

    /// Toggles the track drawer. Opening it restarts stopped measurements.
    pub(super) fn toggle_tracks(&mut self) {
        if self.has_timeline() {
            self.settings.tracks.is_open ^= true;
            self.open.stage.requests.set(DerivedKind::new::<TrackPlan>(), true);
        }
    }
}
