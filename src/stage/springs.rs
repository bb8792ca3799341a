//! Springs of the open character, simulated from the clip's start or live in real time.

use super::{Document, Playback};
use crate::rig::{
    ClipMoment, DisabledBehaviours, Pose, Posed, SamplingBuffers, SpringRotations, SpringSettings, SpringState,
    Springs, evaluate_into,
};

/// Springs of a stage, with their settings.
#[derive(Clone, Default)]
pub struct StageSprings {
    drive: SpringSettings,
    /// State of live springs; `None` if each moment is simulated from the clip's start.
    live: Option<LiveSprings>,
    has_changed: bool,
}

/// Springs that advance from frame to frame until they stop moving.
#[derive(Clone, Default)]
struct LiveSprings {
    state: Option<SpringState>,
    turns: SpringRotations,
    owed_secs: f64,
    /// Number of steps since the springs woke up, and since a tail last moved.
    steps: Steps,
    is_awake: bool,
    /// Last pose and moment; a different pose or moment wakes the springs.
    seen: Option<(Pose, Option<ClipMoment>)>,
    sampling: SamplingBuffers,
    posed: Posed,
}

#[derive(Clone, Copy, Default)]
struct Steps {
    since_woken: u32,
    since_moved: u32,
}

/// A tail counts as still if it moves at most this far per step, relative to its distance from its joint.
const STANDING: f64 = 2e-5;

const STANDING_STEPS: u32 = 20;

/// Springs stop after this many steps, about half a minute. Without drag, they would move forever.
const MAX_AWAKE_STEPS: u32 = 1800;

impl StageSprings {
    /// Returns the current settings.
    pub fn settings(&self) -> SpringSettings {
        self.drive
    }

    /// Applies settings, clamped to their valid range, and wakes live springs.
    pub fn set(&mut self, settings: SpringSettings) {
        self.drive = settings.limited();
        self.has_changed = true;
        self.wake();
    }

    /// Switches between live simulation ([`super::Stage::advance`]) and simulation from the clip's start, as used for
    /// files and videos.
    pub fn set_live(&mut self, is_live: bool) {
        self.live = is_live.then(LiveSprings::default);
        self.has_changed = true;
    }

    /// True while live springs of the character are moving.
    pub fn are_moving(&self, document: &Document) -> bool {
        document.has_springs() && self.live.as_ref().is_some_and(|live| live.is_awake)
    }

    /// True if a collider (an index into [`Springs::colliders`]) pushed a live spring in the last step.
    pub fn is_pushing(&self, collider: usize) -> bool {
        let state = self.live.as_ref().and_then(|live| live.state.as_ref());
        state.is_some_and(|state| state.is_pushing(collider))
    }

    /// Resets live springs to their rest directions. They don't move until something wakes them.
    pub(crate) fn reset(&mut self) {
        if let Some(live) = &mut self.live {
            *live = LiveSprings { seen: live.seen.take(), ..LiveSprings::default() };
            self.has_changed = true;
        }
    }

    pub(crate) fn wake(&mut self) {
        if let Some(live) = &mut self.live {
            live.wake();
        }
    }

    /// Returns true if the springs changed since the last call.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    /// Updates spring rotations in the document's pose. A changed pose or moment wakes live springs.
    pub(super) fn turn(&mut self, document: &mut Document, moment: Option<ClipMoment>) {
        let Document { rig, pose, .. } = document;
        if self.drive != pose.spring_settings() {
            *pose = std::mem::take(pose).driven(self.drive);
        }
        let live = self.live.as_mut().filter(|_| !rig.behaviours().springs().is_empty());
        let Some(live) = live else { return pose.set_spring_turns(None) };
        let is_seen = |(seen, at): &(Pose, Option<ClipMoment>)| {
            seen.has_edits_of(pose)
                && seen.pins() == pose.pins()
                && seen.disabled_behaviours() == pose.disabled_behaviours()
                && *at == moment
        };
        if !live.seen.as_ref().is_some_and(is_seen) {
            let is_first = live.seen.replace((pose.clone(), moment)).is_none();
            if !is_first || pose.is_any_posed() || moment.is_some() {
                live.wake();
            }
        }
        pose.set_spring_turns(Some(live.turns.clone()));
    }

    /// Advances the clip and springs; returns true if anything moved. While a clip plays, the springs follow its time
    /// and speed.
    pub(super) fn advance(&mut self, document: &Document, playback: &mut Playback, elapsed_secs: f32) -> bool {
        let Some(live) = self.live.as_mut().filter(|_| document.has_springs()) else {
            return playback.advance(elapsed_secs, &document.rig);
        };
        if playback.is_playing {
            live.wake();
        } else if !live.is_awake {
            return false;
        }
        let (springs, hierarchy) = (document.rig.behaviours().springs(), &document.rig.hierarchy);
        if !live.state.as_ref().is_some_and(|state| state.is_for(springs, hierarchy)) {
            live.stand(document, playback.sample());
        }
        let (mut left, mut has_moved) = (f64::from(elapsed_secs), false);
        while left > 0.0 {
            let speed = if playback.is_playing { f64::from(playback.speed.max(0.0)) } else { 1.0 };
            let next = (Springs::STEP_SECS - live.owed_secs) / speed;
            let is_step = next <= left;
            let slice = if is_step { next } else { left };
            left -= slice;
            has_moved |= playback.advance(slice as f32, &document.rig);
            live.owed_secs += slice * speed;
            if is_step {
                live.owed_secs = 0.0;
                live.step(document, playback.sample());
                has_moved = true;
            }
        }
        if let (true, Some(state)) = (has_moved, &live.state) {
            live.turns = state.turns();
        }
        has_moved
    }
}

impl LiveSprings {
    fn wake(&mut self) {
        (self.is_awake, self.steps) = (true, Steps::default());
    }

    fn evaluate(&mut self, document: &Document, moment: Option<ClipMoment>) -> Pose {
        let off = DisabledBehaviours { springs: true, ..document.switched_off };
        let pose = document.pose.clone().without(off);
        evaluate_into(&document.rig, moment, &pose, &mut self.sampling, &mut self.posed);
        pose
    }

    fn stand(&mut self, document: &Document, moment: Option<ClipMoment>) {
        let (rig, pose) = (&document.rig, self.evaluate(document, moment));
        let springs = rig.behaviours().springs();
        self.state = Some(SpringState::at_rest(springs, &rig.hierarchy, &pose, &self.posed));
    }

    fn step(&mut self, document: &Document, moment: Option<ClipMoment>) {
        let (rig, pose) = (&document.rig, self.evaluate(document, moment));
        let Self { state: Some(state), steps, posed, .. } = self else { return };
        state.step(rig.behaviours().springs(), &rig.hierarchy, &pose, posed);
        steps.since_woken += 1;
        steps.since_moved = if state.farthest() > STANDING { 0 } else { steps.since_moved + 1 };
        self.is_awake = steps.since_moved < STANDING_STEPS && steps.since_woken < MAX_AWAKE_STEPS;
    }
}
