use std::time::{Duration, Instant};

use crate::render::{FrameInput, RenderError, Scene};
use crate::state::Smoothing;

const STILL: Duration = Duration::from_millis(150);

/// Draws with fewer samples per pixel during motion, if the settings allow it, and with all samples afterwards.
#[derive(Clone, Copy, Default)]
pub(super) struct Refinement {
    moved: Option<Instant>,
}

impl Refinement {
    /// Draws a changed frame. Once the frame has stopped changing, redraws it with all samples; until then, requests a
    /// later frame. Returns true if it drew.
    pub(super) fn draw(
        &mut self,
        scene: &mut Scene,
        frame: &FrameInput<'_>,
        smoothing: Smoothing,
        ctx: &egui::Context,
    ) -> Result<bool, RenderError> {
        // More samples are cheap on a graphics card, but cost a software renderer nearly as much as the surface itself.
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
