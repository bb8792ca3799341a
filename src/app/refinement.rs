//! When a picture that was drawn roughly, because something moved, is drawn again with all its samples.

use std::time::{Duration, Instant};

use crate::render::{FrameInput, RenderError, Scene};
use crate::state::Smoothing;

/// Time without motion after which a fine picture is drawn.
const STILL: Duration = Duration::from_millis(150);

/// Draws roughly while something moves, where that is wanted.
#[derive(Clone, Copy, Default)]
pub(super) struct Refinement {
    moved: Option<Instant>,
}

impl Refinement {
    /// Draws what has changed, or refines what has not for a while; whether it drew. Asks for another frame where more is to come.
    pub(super) fn draw(
        &mut self,
        scene: &mut Scene,
        frame: &FrameInput<'_>,
        smoothing: Smoothing,
        ctx: &egui::Context,
    ) -> Result<bool, RenderError> {
        // Samples cost a card little, and the processor nearly as much as the surface.
        scene.set_samples(smoothing.samples());
        scene.set_samples_in_motion(smoothing.samples_in_motion(scene.draws_on_processor()));
        let is_drawn = scene.draw(frame)?;
        if is_drawn {
            self.moved = Some(Instant::now());
        }
        if !scene.is_rough() {
            return Ok(is_drawn);
        }
        let still = self.moved.map_or(STILL, |moved| moved.elapsed());
        match STILL.checked_sub(still) {
            Some(rest) if !rest.is_zero() => ctx.request_repaint_after(rest),
            _ => return scene.refine(frame),
        }
        Ok(is_drawn)
    }
}
