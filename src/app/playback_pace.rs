use std::time::{Duration, Instant};

/// Minimum time between steps with a software renderer, which doesn't wait for vertical sync.
const ON_PROCESSOR: Duration = Duration::from_millis(33);
/// A step advances by no more than this, so that the clip doesn't jump after a slow frame.
const MAX_STEP: Duration = Duration::from_millis(100);

/// Advances clips and springs at the screen's frame rate, or at a lower rate with a software renderer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PlaybackPace {
    min_interval: Duration,
    last: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Advance by this duration.
    By(Duration),
    /// Don't advance: the frame was drawn for another reason. The next step is due after this duration.
    In(Duration),
}

impl PlaybackPace {
    pub(super) fn new(draws_on_processor: bool) -> Self {
        Self { min_interval: if draws_on_processor { ON_PROCESSOR } else { Duration::ZERO }, last: None }
    }

    pub(super) fn min_interval(self) -> Duration {
        self.min_interval
    }

    /// Returns whether and how far to advance at `now`. The first step after a pause advances by 0.
    pub(super) fn step(&mut self, now: Instant) -> Step {
        let since = self.last.map_or(self.min_interval, |last| now.saturating_duration_since(last));
        let rest = self.min_interval.saturating_sub(since);
        if !rest.is_zero() {
            return Step::In(rest);
        }
        let moved = if self.last.is_some() { since.min(MAX_STEP) } else { Duration::ZERO };
        self.last = Some(now);
        Step::By(moved)
    }

    pub(super) fn rest(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn a_clip_plays_at_its_own_speed_however_often_frames_are_drawn() {
        for draws_on_processor in [false, true] {
            let (start, mut pace) = (Instant::now(), PlaybackPace::new(draws_on_processor));
            assert_eq!(pace.step(start), Step::By(Duration::ZERO));
            // Simulates frames drawn for the clip, for pointer motion and for job results.
            let moved: Duration = (1..=700)
                .filter_map(|frame| match pace.step(start + MS(7 * frame)) {
                    Step::By(moved) => Some(moved),
                    Step::In(_) => None,
                })
                .sum();
            assert!(moved <= MS(4900) && moved > MS(4860), "{moved:?}");
        }
    }

    #[test]
    fn the_processor_makes_a_step_only_when_it_is_due() {
        let (start, mut pace) = (Instant::now(), PlaybackPace::new(true));
        pace.step(start);
        assert_eq!(pace.step(start + MS(10)), Step::In(MS(23)));
        assert_eq!(pace.step(start + MS(40)), Step::By(MS(40)));
        assert_eq!(pace.step(start + MS(41)), Step::In(MS(32)));
    }

    #[test]
    fn a_slow_frame_or_a_rest_makes_no_jump() {
        let (start, mut pace) = (Instant::now(), PlaybackPace::new(false));
        pace.step(start);
        assert_eq!(pace.step(start + MS(5000)), Step::By(MS(100)));
        pace.rest();
        assert_eq!(pace.step(start + MS(9000)), Step::By(Duration::ZERO));
    }
}
