//! When a picture that was drawn roughly, because something moved, is drawn again with all its samples.

use std::time::{Duration, Instant};

use crate::render::{FrameInput, RenderError, Scene, SkinningDevice};

/// Nothing has moved for as long.
const STILL: Duration = Duration::from_millis(150);

/// Draws roughly while something moves, where the driver needs that.
#[derive(Clone, Copy, Default)]
pub(super) struct Refinement {
    moved: Option<Instant>,
}

impl Refinement {
    /// Draws what has changed, or refines what has not for a while; asks for another frame where that is to come.
    pub fn draw(&mut self, scene: &mut Scene, frame: &FrameInput<'_>, ctx: &egui::Context) -> Result<(), RenderError> {
        // Samples cost a card little and the processor as much as the surface.
        let is_software = scene.skins_on() == SkinningDevice::Cpu;
        scene.set_samples_in_motion(is_software.then_some(1));
        if scene.draw(frame)? {
            self.moved = Some(Instant::now());
        }
        if !scene.is_rough() {
            return Ok(());
        }
        let still = self.moved.map_or(STILL, |moved| moved.elapsed());
        match STILL.checked_sub(still) {
            Some(rest) if !rest.is_zero() => ctx.request_repaint_after(rest),
            _ => {
                scene.refine(frame)?;
            }
        }
        Ok(())
    }
}
